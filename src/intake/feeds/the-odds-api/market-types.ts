// Maps The Odds API's market keys to market types.

import { LIMITS } from '../../../base/model/limits.js';
import { marketAlias } from '../../../rules/markets/aliases.js';

/** How the outcomes of a market are interpreted. */
export type MarketShape = 'sides' | 'spread' | 'total' | 'team_total' | 'player' | 'other' | 'outright';

export interface MarketPlan {
  type: string;
  shape: MarketShape;
  /** True if every line of the market is an alternate one. */
  alternate: boolean;
  /** The counted statistic (player markets). */
  stat?: string;
}

/** By the word that a key of the game's own markets begins with; `team_totals` has another shape than `totals`. */
const SHAPES: readonly (readonly [RegExp, MarketShape])[] = [
  [/^(?:alternate_)?h2h(?:_|$)/, 'sides'],
  [/^(?:alternate_)?spreads(?:_|$)/, 'spread'],
  [/^(?:alternate_)?totals(?:_|$)/, 'total'],
  [/^(?:alternate_)?team_totals(?:_|$)/, 'team_total'],
  [/^(?:player|batter|pitcher)_/, 'player'],
];

/**
 * Parses a market key. `sport` is a catalogue sport id (soccer, hockey, baseball …). Undefined if the key cannot be a
 * market type.
 */
export function marketPlan(key: string, sport: string): MarketPlan | undefined {
  if (!/^[a-z0-9_]{1,56}$/.test(key)) return undefined;
  if (key === 'outrights' || key === 'outrights_lay') return { type: key, shape: 'outright', alternate: false };
  const shape = SHAPES.find(([begins]) => begins.test(key))?.[1] ?? 'other';
  const { type, alternate } = marketAlias(key, sport) ?? { type: key, alternate: key.startsWith('alternate_') };
  return shape === 'player'
    ? { type, shape, alternate, stat: type.slice('player_'.length) }
    : { type, shape, alternate };
}

const SPORT_OF_GROUP: ReadonlyMap<string, string> = new Map([
  ['americanfootball', 'football'],
  ['aussierules', 'aussie_rules'],
  ['icehockey', 'hockey'],
  ['mma', 'mma'],
  ['rugbyleague', 'rugby'],
  ['rugbyunion', 'rugby'],
]);

/** Catalogue sport id of the group a sport key begins with: `icehockey_sweden_allsvenskan` -> `hockey`. */
export function sportOfKey(sportKey: string): string {
  const group = sportKey.split('_', 1)[0] ?? sportKey;
  return SPORT_OF_GROUP.get(group) ?? group;
}

/** One answer may have several keys of a book: its exchange has one in each region. */
const BOOK_OF_KEY: ReadonlyMap<string, string> = new Map([
  ['betfair_ex_au', 'betfair'],
  ['betfair_ex_eu', 'betfair'],
  ['betfair_ex_uk', 'betfair'],
  ['betonlineag', 'betonline'],
  ['mybookieag', 'mybookie'],
  ['williamhill_us', 'caesars'],
]);

const LEAGUE_ID_LENGTH_MAX = LIMITS.leagueId.max;

/** A league id for a sport key outside the catalogue, unique as far as the length of an id allows. */
export function derivedLeague(sportKey: string): string {
  const whole = sportKey.replaceAll('_', '-');
  if (whole.length <= LEAGUE_ID_LENGTH_MAX) return whole;
  const withoutGroup = whole.slice(whole.indexOf('-') + 1);
  return withoutGroup.slice(-LEAGUE_ID_LENGTH_MAX).replace(/^-+/, '');
}

/** Catalogue book id of a bookmaker key. */
export function bookOfKey(key: string): string {
  return BOOK_OF_KEY.get(key) ?? key;
}
