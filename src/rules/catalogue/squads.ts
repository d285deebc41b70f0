// Which of a club's teams a name means: the marks of women, youth and reserves, as sources write them. However alike their
// names are, such a team is another than the first one.
import { slug } from './team-name.js';

/** A name without its marks, and what the marks mean. */
export interface Squad {
  base: string;
  /** `women`, `u21-women`, `reserves`: the end of the team's token. */
  mark: string;
}

/** One mark at the end of a name. */
interface Mark {
  name: string;
  base: string;
  mark: string;
  /** It may also be a part of a name, as in `Team B`: it is a mark after a team that is known, or before another mark. */
  isShort: boolean;
}

const WOMEN =
  /^(.+?)(?:[\s-]*\((?:w|f|fem|wom|women|feminino|femenino)\)|[\s-]+(?:f?cw|wfc|wom|women'?s?|ladies|fem|femenin[oa]|feminin[oa]|femminile|f[ée]minines?|frauen|damen|vrouwen|dames)\.?)$/i;
const YOUTH = /^(.+?)[\s-]*\(?\b(?:u|under|sub)[\s-]?(\d\d)(?:['’]?s)?\)?$/i;
const RESERVES = /^(.+?)(?:[\s-]*\((?:r|res|reserves?)\)|[\s-]+(?:res\.?|reserves?))$/i;
const SHORT: readonly (readonly [RegExp, mark: string])[] = [
  [/^(.+?)[\s-]+w\.?$/i, 'women'],
  [/^(.+?)[\s-]+(?:ii|b)\.?$/i, 'reserves'],
];

function markAt(name: string): Mark | undefined {
  const women = WOMEN.exec(name);
  if (women !== null) return { name, base: women[1]!, mark: 'women', isShort: false };
  const youth = YOUTH.exec(name);
  if (youth !== null) return { name, base: youth[1]!, mark: `u${youth[2]}`, isShort: false };
  const reserves = RESERVES.exec(name);
  if (reserves !== null) return { name, base: reserves[1]!, mark: 'reserves', isShort: false };
  for (const [mark, meaning] of SHORT) {
    const short = mark.exec(name);
    if (short !== null) return { name, base: short[1]!, mark: meaning, isShort: true };
  }
  return undefined;
}

/** The marks of a name from its end on, up to a team that is known. */
function marksFrom(name: string, isTeam: (base: string) => boolean): { marks: Mark[]; isKnown: boolean } {
  const marks: Mark[] = [];
  let base = name.trim();
  for (let mark = markAt(base); mark !== undefined; mark = markAt(base)) {
    marks.push(mark);
    base = mark.base;
    if (isTeam(base)) return { marks, isKnown: true };
  }
  return { marks, isKnown: false };
}

/** Undefined for a name without a mark. */
export function squadIn(name: string, isTeam: (base: string) => boolean): Squad | undefined {
  const { marks, isKnown } = marksFrom(name, isTeam);
  if (!isKnown) while (marks.at(-1)?.isShort === true) marks.pop();
  const last = marks.at(-1);
  return last === undefined ? undefined : { base: last.base, mark: together(marks) };
}

const SHOWN: Readonly<Record<string, string>> = { women: 'Women', reserves: 'Reserves' };

/** Whichever is written first: `u21-women`. */
function together(marks: readonly Pick<Mark, 'mark'>[]): string {
  const all = [...new Set(marks.map(({ mark }) => mark))];
  const ages = all.filter((mark) => !Object.hasOwn(SHOWN, mark)).sort();
  return [...ages, ...Object.keys(SHOWN).filter((mark) => all.includes(mark))].join('-');
}

/** The marks as they are shown after a team's name. */
export function shownMark(mark: string): string {
  return mark
    .split('-')
    .map((each) => SHOWN[each] ?? each.toUpperCase())
    .join(' ');
}

/** What may be a mark as well, without anyone knowing whose: a name with one is not taken for a misspelled one without. */
const OTHER = /\s(?:youth|juniors?|jrs|academy|primavera|legends|am|iii|summer league|sl|lfc|[cjy23])$/;

/** A letter that is a mark within its brackets alone, which words do not have. */
const IN_BRACKETS = /\(([fr])\)/gi;
/** Marks before the name of a team, or before what stands behind it: `U21 Chelsea`, `Chelsea Women FC`. */
const YOUTH_ANYWHERE = /\b(?:u|under|sub) ?(\d\d)s?\b/;
const WOMEN_ANYWHERE =
  /\b(?:wfc|womens?|ladies|femenin[oa]|feminin[oa]|femminile|feminines?|frauen|damen|vrouwen|dames)\b/;
const RESERVES_ANYWHERE = /\breserves?\b/;

function marksWithin(words: string): Pick<Mark, 'mark'>[] {
  const age = YOUTH_ANYWHERE.exec(words)?.[1];
  return [
    ...(age === undefined ? [] : [{ mark: `u${age}` }]),
    ...(WOMEN_ANYWHERE.test(words) ? [{ mark: 'women' }] : []),
    ...(RESERVES_ANYWHERE.test(words) ? [{ mark: 'reserves' }] : []),
  ];
}

/**
 * Everything in a name that may tell its team from another of the club, as one text; empty for a first team. However alike
 * their names, teams with different ones are others.
 */
export function marksOf(name: string): string {
  const spelled = name.replace(IN_BRACKETS, (_, letter: string) =>
    letter.toLowerCase() === 'f' ? ' women' : ' reserves',
  );
  const words = slug(spelled).replaceAll('-', ' ');
  const other = OTHER.exec(words);
  const rest = other === null ? words : words.slice(0, other.index);
  const mark = together([...marksFrom(rest, () => false).marks, ...marksWithin(rest)]);
  return other === null ? mark : `${mark}${other[0]}`;
}
