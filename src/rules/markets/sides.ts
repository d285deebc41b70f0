// Which side of which market a row is, and so what may be paired with what. Rows without a certain complement have no
// side and take no part in detection.
import type { MarketRules, TypeRules } from './rules.js';

/**
 * `winner`: home, away and (three-way) draw, without a line. `handicap`: home h against away -h. `total`: over against
 * under one number. `opposite`: yes and no, odd and even.
 */
export type Pairing = 'winner' | 'handicap' | 'total' | 'opposite';

export interface Side {
  readonly pairing: Pairing;
  /** 0, 1 or 2: index of the side in its market. */
  readonly side: number;
}

const WINNERS: Readonly<Record<string, Side>> = {
  home: { pairing: 'winner', side: 0 },
  away: { pairing: 'winner', side: 1 },
  draw: { pairing: 'winner', side: 2 },
};
const HANDICAPS: Readonly<Record<string, Side>> = {
  home: { pairing: 'handicap', side: 0 },
  away: { pairing: 'handicap', side: 1 },
};
const TOTALS: Readonly<Record<string, Side>> = {
  over: { pairing: 'total', side: 0 },
  under: { pairing: 'total', side: 1 },
};
const OPPOSITES: Readonly<Record<string, Side>> = {
  yes: { pairing: 'opposite', side: 0 },
  no: { pairing: 'opposite', side: 1 },
  odd: { pairing: 'opposite', side: 0 },
  even: { pairing: 'opposite', side: 1 },
};

/** Undefined if the row has no side. */
export function sideOf({ family, sides }: MarketRules, selectionType: string, hasLine: boolean): Side | undefined {
  // Over, exactly and under one number: two of them are not the whole.
  if (sides === 'three' && family !== 'winner') return undefined;
  // Over and under say what they are whatever the type is called, as do yes and no.
  const named = hasLine ? TOTALS : OPPOSITES;
  if (Object.hasOwn(named, selectionType)) return named[selectionType];
  // A line on home and away is a handicap only if the type says so: in a race to 20 points both have +20.
  const teams = family === 'winner' && !hasLine ? WINNERS : family === 'handicap' && hasLine ? HANDICAPS : undefined;
  return teams !== undefined && Object.hasOwn(teams, selectionType) ? teams[selectionType] : undefined;
}

/** By selection type: the second side of each pair by its first, and the reverse. */
const SECONDS: ReadonlyMap<string, string> = new Map([
  ['home', 'away'],
  ['over', 'under'],
  ['yes', 'no'],
  ['odd', 'even'],
]);
const FIRSTS: ReadonlyMap<string, string> = new Map([...SECONDS].map(([first, second]) => [second, first]));

/** Undefined for all but the first side of a pair. */
export function secondSide(selectionType: string): string | undefined {
  return SECONDS.get(selectionType);
}

/** Undefined for a selection that is none of two. */
export function otherSide(selectionType: string): string | undefined {
  return SECONDS.get(selectionType) ?? FIRSTS.get(selectionType);
}

/**
 * The selections of which exactly one wins, or the stake is returned, by their first; undefined for the other ones, and
 * where two or three are not all.
 * @param threeWay the book's prices are of three results
 */
export function wholeFrom(
  rules: MarketRules,
  first: string,
  hasLine: boolean,
  threeWay: boolean,
): readonly string[] | undefined {
  const of = sideOf(rules, first, hasLine);
  if (of === undefined || of.side !== 0) return undefined;
  if (!threeWay) return [first, secondSide(first)!];
  // A handicap with a draw has lines of its own: feeds differ in how they write them.
  return of.pairing === 'winner' ? [first, 'draw', 'away'] : undefined;
}

const THIRD_SIDES: ReadonlySet<string> = new Set(['draw', 'tie', 'exactly', 'exact']);

/** Whether the selection is a third side beside the two that a pairing has. */
export function isThirdSide(selectionType: string): boolean {
  return THIRD_SIDES.has(selectionType);
}

/** Whether it matters that a book quotes a third side there. */
export function mayHaveThirdSide({ family }: MarketRules): boolean {
  return family !== 'outright';
}

/**
 * Whether the third side that the book quoted in this market takes this line from its two sides. A total is never exactly
 * a half, so that there the two are all. Feeds differ in how they write a handicap with a draw: none of its lines counts.
 */
export function hasThirdSideAt(pairing: Pairing, line: number | null): boolean {
  return pairing !== 'total' || line === null || Number.isInteger(line);
}

/** Whether this selection of the market needs a line. */
export function needsLine({ line, family, derived }: TypeRules, selectionType: string): boolean {
  if (Object.hasOwn(TOTALS, selectionType)) return true;
  if (line === 'none') return false;
  // What a name implies holds for the sides that it implies.
  return !derived || (family === 'handicap' && Object.hasOwn(WINNERS, selectionType));
}

/** A prop's statistic if its market type leaves it open, else null; one spelling for every case. */
export function openStatistic({ statistic }: MarketRules, stat: string | null): string | null {
  return stat === null || statistic !== null ? null : stat.toLowerCase();
}
