// Which columns of a football-data.co.uk table hold whose prices. A column's name is the bookmaker's letters, C at the
// close, and the side; totals are of 2.5 goals, and the Asian handicap of all bookmakers is in one column, or in one of
// the bookmaker's own.
import { columnsOf, type TableHead } from '../../files/table.js';

/** Sportsbook ids by their letters; Pinnacle has PS in the winner and P elsewhere. */
const BOOKS: readonly (readonly [letters: string, book: string])[] = [
  ['1XB', 'onexbet'],
  ['B365', 'bet365'],
  ['BF', 'betfair_sb_uk'],
  ['BFD', 'betfred_uk'],
  ['BFE', 'betfair'],
  ['BMGM', 'betmgm'],
  ['BS', 'bluesquare'],
  ['BV', 'betvictor'],
  ['BW', 'bwin'],
  ['CL', 'coral'],
  ['GB', 'gamebookers'],
  ['IW', 'interwetten'],
  ['LB', 'ladbrokes_uk'],
  ['P', 'pinnacle'],
  ['PS', 'pinnacle'],
  ['SB', 'sportingbet'],
  ['SJ', 'stanjames'],
  ['SO', 'sportingodds'],
  ['SY', 'stanleybet'],
  ['VC', 'betvictor'],
  ['WH', 'williamhill'],
];

/** Highest and mean prices are offered by nobody. */
const NOBODYS = /^(?:Max|Avg|Bb)/;
/** A winner's price of letters that are not known. */
const WINNER = /^([A-Z0-9]{2,5}?)(C?)([HDA])$/;

/** Where in a row one bookmaker's prices of one time are; -1: nowhere. */
export interface BookColumns {
  book: string;
  isClose: boolean;
  /** Home, draw, away. */
  winner: readonly number[];
  /** Over, under 2.5. */
  total: readonly number[];
  /** Home, away. */
  handicap: readonly number[];
  /** Of the home team. */
  line: number;
}

export interface PriceColumns {
  books: readonly BookColumns[];
  /** Of nobody's prices. */
  nobodys: readonly number[];
  /** Letters of bookmakers that are not known. */
  unknown: readonly string[];
}

export function priceColumns(head: TableHead): PriceColumns {
  const at = columnsOf(head);
  const named = (name: string): number => at.get(name) ?? -1;
  const books: BookColumns[] = [];
  const known = new Set<string>();
  for (const close of ['', 'C'])
    for (const [letters, book] of BOOKS) {
      const of = letters + close;
      const names = {
        winner: ['H', 'D', 'A'].map((side) => `${of}${side}`),
        total: [`${of}>2.5`, `${of}<2.5`],
        handicap: [`${of}AHH`, `${of}AHA`],
      };
      for (const name of names.winner) known.add(name);
      const columns = {
        winner: names.winner.map(named),
        total: names.total.map(named),
        handicap: names.handicap.map(named),
      };
      const line = [`${of}AH`, `AH${close}h`, `Bb${close}AHh`].map(named).find((index) => index !== -1) ?? -1;
      if (Object.values(columns).every((indexes) => indexes.includes(-1))) continue;
      books.push({ book, isClose: close !== '', ...columns, line });
    }
  const nobodys = [...at].filter(([name]) => NOBODYS.test(name) && !name.endsWith('h')).map(([, index]) => index);
  return { books: together(books), nobodys, unknown: unknownIn(at, known) };
}

/** Pinnacle's two sets of letters are one book. */
function together(books: readonly BookColumns[]): BookColumns[] {
  const merged: BookColumns[] = [];
  for (const one of books) {
    const at = merged.findIndex(({ book, isClose }) => book === one.book && isClose === one.isClose);
    if (at === -1) {
      merged.push(one);
      continue;
    }
    const first = merged[at]!;
    const either = (a: readonly number[], b: readonly number[]): readonly number[] => (a.includes(-1) ? b : a);
    merged[at] = {
      ...first,
      winner: either(first.winner, one.winner),
      total: either(first.total, one.total),
      handicap: either(first.handicap, one.handicap),
      line: first.line === -1 ? one.line : first.line,
    };
  }
  return merged;
}

function unknownIn(at: ReadonlyMap<string, number>, known: ReadonlySet<string>): string[] {
  const letters = new Set<string>();
  for (const name of at.keys()) {
    const [, of, close] = WINNER.exec(name) ?? [];
    if (of === undefined || known.has(name) || NOBODYS.test(name)) continue;
    if (['H', 'D', 'A'].every((side) => at.has(`${of}${close}${side}`))) letters.add(of);
  }
  return [...letters];
}
