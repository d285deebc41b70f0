// Maps The Odds API's market keys to market types.
import { LIMITS } from '../../model/limits.js';
import { lineTypes } from '../kit/teams.js';

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

const GAME_MARKET = /^(alternate_)?(h2h_3_way|h2h_lay|h2h|spreads|totals|team_totals)(?:_([a-z0-9_]+))?$/;
const PLAYER_MARKET = /^(player|batter|pitcher)_[a-z0-9_]+$/;
const ALTERNATE_END = /_alternate$/;
/** Other counted units of a match: these replace the noun, while h1, q3, 1st_5_innings are parts of the game. */
const COUNTED = new Set(['corners', 'cards']);

/**
 * Parses a market key. `sport` is a catalogue sport id (soccer, hockey, baseball …). Periods stay as a suffix
 * (`totals_h1` -> `total_points_h1`). `h2h_3_way` settles on regular time while `h2h` includes overtime, so it is a
 * type of its own, `moneyline_3way`. Undefined if the key cannot be a market type.
 */
export function marketPlan(key: string, sport: string): MarketPlan | undefined {
  if (!/^[a-z0-9_]{1,56}$/.test(key)) return undefined;
  if (key === 'outrights' || key === 'outrights_lay') return { type: key, shape: 'outright', alternate: false };
  const game = GAME_MARKET.exec(key);
  if (game !== null) return gamePlan(game[2] ?? '', game[3], sport, game[1] !== undefined);
  if (PLAYER_MARKET.test(key)) return playerPlan(key);
  return { type: key, shape: 'other', alternate: key.startsWith('alternate_') };
}

function gamePlan(base: string, suffix: string | undefined, sport: string, alternate: boolean): MarketPlan {
  const part = suffix === undefined ? '' : `_${suffix}`;
  const counted = suffix !== undefined && COUNTED.has(suffix) ? suffix : undefined;
  switch (base) {
    case 'h2h':
      return { type: `moneyline${part}`, shape: 'sides', alternate };
    case 'h2h_3_way':
      return { type: `moneyline_3way${part}`, shape: 'sides', alternate };
    case 'h2h_lay':
      return { type: `moneyline${part}_lay`, shape: 'sides', alternate };
    case 'spreads':
      return { type: counted ? `${counted}_spread` : `${lineTypes(sport).spread}${part}`, shape: 'spread', alternate };
    case 'totals':
      return { type: counted ? `total_${counted}` : `${lineTypes(sport).total}${part}`, shape: 'total', alternate };
    default:
      return { type: `team_total${part}`, shape: 'team_total', alternate };
  }
}

/** Baseball's `batter_hits` and `pitcher_strikeouts` get the prefix `player_` of props; both kinds have strikeouts. */
function playerPlan(key: string): MarketPlan {
  const alternate = ALTERNATE_END.test(key);
  const plain = key.replace(ALTERNATE_END, '');
  const stat = plain.startsWith('player_') ? plain.slice('player_'.length) : plain;
  return { type: `player_${stat}`, shape: 'player', alternate, stat };
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

const BOOK_OF_KEY: ReadonlyMap<string, string> = new Map([
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
