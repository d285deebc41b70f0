// The part of the game that a market type's name states, and where in regular time that part is.

export const GAME = 'game';
export const REGULATION = 'regulation';

const ORDINALS: Readonly<Record<string, number>> = {
  '1st': 1,
  first: 1,
  '2nd': 2,
  second: 2,
  '3rd': 3,
  third: 3,
  '4th': 4,
  fourth: 4,
};
const UNITS: Readonly<Record<string, string>> = { half: 'h', quarter: 'q', period: 'p', set: 'set_', map: 'map_' };

const PART = new RegExp(
  `(?:^|_)(?:([hqp])(\\d)|(set|map)_(\\d)|(?:1st|first)_(\\d)_innings|innings_(\\d)_(\\d)|` +
    `(${Object.keys(ORDINALS).join('|')})_(half|quarter|period|set|map|inning)|` +
    `(regulation|regular_time|60_min(?:utes)?|90_min(?:utes)?))(?=_|$)`,
);

/** The name without its part, and the part; `game` if it states none. */
export function splitPart(name: string): { base: string; part: string } {
  const match = PART.exec(name);
  const part = match === null ? undefined : partNamed(match);
  if (match === null || part === undefined) return { base: name, part: GAME };
  const { index } = match;
  const base = `${name.slice(0, index)}_${name.slice(index + match[0].length)}`;
  return { base: base.replace(/__+/g, '_').replace(/^_|_$/g, ''), part };
}

/** Undefined for innings that are none: nothing is played between the ninth and the first. */
function partNamed([, unit, no, played, number, innings, from, to, ordinal, noun]: RegExpExecArray):
  | string
  | undefined {
  if (Number(innings ?? to) < Number(from ?? 1) || from === '0') return undefined;
  if (unit !== undefined) return `${unit}${no}`;
  if (played !== undefined) return `${played}_${number}`;
  if (innings !== undefined) return `innings_1_${innings}`;
  if (from !== undefined) return `innings_${from}_${to}`;
  if (ordinal === undefined) return REGULATION;
  const at = ORDINALS[ordinal]!;
  return noun === 'inning' ? `innings_${at}_${at}` : `${UNITS[noun!]}${at}`;
}

const OF_RESULT = /^(?:h[12]|q[1-4]|p[1-3]|(?:set|map)_[1-9]|ot|et|so|pens)$/;
const INNINGS_OF_RESULT = /^innings_([1-9]\d?)_([1-9]\d?)$/;

/** Whether a part of which a result may tell the score: those of market types, further innings, and what follows a tie. */
export function isResultPart(name: string): boolean {
  const innings = INNINGS_OF_RESULT.exec(name);
  return innings === null ? OF_RESULT.test(name) : Number(innings[1]) <= Number(innings[2]);
}

/** A part of regular time: its start (0-1) and its share of the whole. */
export interface GamePart {
  readonly from: number;
  readonly share: number;
}

const WHOLE: GamePart = { from: 0, share: 1 };
const INNINGS = 9;

/** Parts whose share of the game is unknown (sets, maps) count as the whole of it. */
export function gamePart(part: string): GamePart {
  const innings = /^innings_(\d)_(\d)$/.exec(part);
  if (innings !== null) {
    const from = Number(innings[1]) - 1;
    return { from: from / INNINGS, share: (Number(innings[2]) - from) / INNINGS };
  }
  const [, unit, no] = /^([hqp])(\d)$/.exec(part) ?? [];
  if (unit === undefined) return WHOLE;
  const count = unit === 'h' ? 2 : unit === 'q' ? 4 : 3;
  return { from: (Number(no) - 1) / count, share: 1 / count };
}
