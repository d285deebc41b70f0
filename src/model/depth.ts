// The ladder beside a row's price: the levels of an exchange's order book to back and to lay, best first. It travels and
// is stored as its JSON text: it is compared, copied and served far more often than anybody walks through it.

/** Decimal odds, and the backers' stake available at them in the venue's currency. */
export type Level = readonly [decimal: number, size: number];

export interface Depth {
  /** Highest odds first. */
  back: readonly Level[];
  /** Lowest odds first. */
  lay: readonly Level[];
}

/** JSON of a Depth. */
export type DepthText = string;

export function depthText(back: readonly Level[], lay: readonly Level[]): DepthText {
  return `{"back":[${sideText(back)}],"lay":[${sideText(lay)}]}`;
}

function sideText(levels: readonly Level[]): string {
  let text = '';
  for (const [decimal, size] of levels) text += text === '' ? `[${decimal},${size}]` : `,[${decimal},${size}]`;
  return text;
}

export function depthOf(text: DepthText): Depth {
  return JSON.parse(text) as Depth;
}
