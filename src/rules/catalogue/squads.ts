// Which of a club's teams a name means: the marks of women, youth and reserves, as sources write them. However alike their
// names are, such a team is another than the first one.

/** A name without its mark, and what the mark means. */
export interface Squad {
  base: string;
  /** `women`, `u21`, `reserves`: the end of the team's token. */
  mark: string;
  /** The mark may also be a part of a name, as in `Team B`: it is one after a team that is known. */
  isShort: boolean;
}

const WOMEN =
  /^(.+?)(?:[\s-]*\((?:w|f|fem|women|feminino|femenino)\)|[\s-]+(?:wfc|women'?s?|ladies|fem|femenin[oa]|feminin[oa]|f[ée]minines?|frauen|damen|vrouwen|dames))$/i;
const YOUTH = /^(.+?)[\s-]*\(?\b(?:u|under)[\s-]?(\d\d)\)?$/i;
const RESERVES = /^(.+?)(?:[\s-]*\((?:r|res|reserves?)\)|[\s-]+(?:res\.?|reserves?))$/i;
const SHORT: readonly (readonly [RegExp, mark: string])[] = [
  [/^(.+?)[\s-]+w$/i, 'women'],
  [/^(.+?)[\s-]+(?:ii|b)$/i, 'reserves'],
];

/** Undefined for a name without a mark. */
export function squadIn(name: string): Squad | undefined {
  const text = name.trim();
  const women = WOMEN.exec(text);
  if (women !== null) return { base: women[1]!, mark: 'women', isShort: false };
  const youth = YOUTH.exec(text);
  if (youth !== null) return { base: youth[1]!, mark: `u${youth[2]}`, isShort: false };
  const reserves = RESERVES.exec(text);
  if (reserves !== null) return { base: reserves[1]!, mark: 'reserves', isShort: false };
  for (const [mark, meaning] of SHORT) {
    const short = mark.exec(text);
    if (short !== null) return { base: short[1]!, mark: meaning, isShort: true };
  }
  return undefined;
}

const SHOWN: Readonly<Record<string, string>> = { women: 'Women', reserves: 'Reserves' };

/** The mark as it is shown after a team's name. */
export function shownMark(mark: string): string {
  return SHOWN[mark] ?? mark.toUpperCase();
}
