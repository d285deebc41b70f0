// The ticket: prices and opportunities that are about to be bet, each with the price at which it was added, and bets
// that were placed. What becomes of a price is seen in the rows.

import { DEFAULT_CURRENCY } from '../../src/base/model/money.js';
import type { OddsRow, OpportunityChannel, OpportunityItem, OpportunityItems } from '../../src/client/client.js';
import { laidType, layType } from '../../src/rules/markets/derive.js';
import type { Board } from './board.js';
import { outcomeAt } from './ladder.js';
import { decidedChance, type Leg, legAt } from './legs.js';
import { isSameOutcome, namesakesOf, outcomeText, type Subject, subjectOf } from './outcome.js';
import { type Play, type PlayTerms, playOf } from './play.js';
import { hasAccount, type Profile } from './profile.js';
import { NO_RESERVATIONS, reservationsOf } from './reservations.js';
import { playedResults } from './results.js';
import { isOffered } from './whole.js';

export interface TicketEntry {
  id: string;
  eventId: string;
  eventName: string;
  market: string;
  /** Player or team, if it is not about the game. */
  of: Subject;
  play: Play;
  /** What the viewer set for it. */
  terms?: PlayTerms;
  /** Absent where an earlier version of the page stored it. */
  teams?: Teams | undefined;
  /** Those that it was joined of. */
  parts?: TicketEntry[];
  /** The viewer wants it by itself. */
  apart?: boolean;
}

export type Teams = Pick<OddsRow, 'home_team' | 'away_team'>;

export type LegStatus = 'open' | 'moved' | 'suspended' | 'gone' | 'unknown';

export interface LegNow {
  status: LegStatus;
  /** The leg at its present price; of several books the best now is the first. */
  leg: Leg;
  row: OddsRow | undefined;
  /** The other books that had the price, as they are now. */
  others: OddsRow[];
  /** For how long its book was not seen with the price, ms, where that is too long for it to be compared. */
  unseenMs?: number;
}

/** What is known of the rows that a ticket is about. */
export interface TicketRows {
  rows: ReadonlyMap<string, OddsRow>;
  /** The rows are complete, so that a missing one is gone. */
  isComplete: boolean;
}

/** A bet that was placed. */
export interface PlacedBet {
  oddsId: string | null;
  eventId: string;
  eventName: string;
  market: string;
  outcome: string;
  selection: string;
  line: number | null;
  book: string;
  american: number;
  decimal: number;
  /** In `currency`. */
  stake: number;
  currency: string;
  /** RFC 3339. */
  at: string;
  /** On paper it is filled from what stands in the table; else it was placed elsewhere. */
  isPaper?: boolean;
  /** It is among the account's bets. */
  isLogged?: boolean;
  /** What the account says of it, other than that it was filled. */
  status?: string;
  /** What bounded a paper fill. */
  limitedBy?: string;
  /** Those that were bet together have the same. */
  ticket?: string;
  /** Whose market it is; absent where an earlier version of the page stored it, as the next. */
  of?: Subject;
  commission?: Leg['commission'];
}

export const ENTRIES_MAX = 30;
/** Of those that the account has; what is only here is never dropped. */
export const PLACED_MAX = 100;

export function entryOf(kind: OpportunityChannel, item: OpportunityItem): TicketEntry {
  const { id, event_id, event_name, market_type } = item;
  const play = playOf(kind, item);
  const teams = { home_team: item.home_team, away_team: item.away_team };
  return { id, eventId: event_id, eventName: event_name, market: market_type, of: subjectOf(item), play, teams };
}

/**
 * @param fair probability that it wins, 0-1; null if unknown
 * @param commission of the row's market, or the book
 */
export function entryOfRow(row: OddsRow, fair: number | null, commission: Leg['commission'] = null): TicketEntry {
  const { selection, line, odds_american: american, odds_decimal: decimal } = row;
  const isLay = laidType(row.market_type) !== undefined;
  const leg: Leg = {
    outcome: `${isLay ? 'lay ' : ''}${outcomeText(row)}`,
    selection,
    line,
    books: [row.sportsbook],
    american,
    decimal,
    net: decimal,
    commission,
    links: { [row.sportsbook]: row.deep_link },
    oddsId: row.id,
    stakePercent: null,
    fair,
    isLay,
    currency: row.currency,
    stakeMax: stakeMaxOf(row, isLay),
  };
  return {
    id: row.id,
    eventId: row.event_id,
    eventName: `${row.away_team} @ ${row.home_team}`,
    market: row.market_type,
    of: subjectOf(row),
    teams: { home_team: row.home_team, away_team: row.away_team },
    play: {
      kind: 'single',
      legs: [legAt(leg, { american, decimal })],
      played: playedResults([leg], row),
      decided: 1,
      reservations: NO_RESERVATIONS,
    },
  };
}

/** As the server: what the book takes, or what stands there if that is less; of a lay what backers may stake, as liability. */
function stakeMaxOf({ max_bet, size, odds_decimal }: OddsRow, isLay: boolean): number | null {
  const most = Math.min(max_bet ?? Number.POSITIVE_INFINITY, size ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(most) ? most * (isLay ? odds_decimal - 1 : 1) : null;
}

/** The market types whose rows say what became of its legs: what is laid is of a type of its own. */
export function typesOf({ market, play }: TicketEntry): string[] {
  const isLaid = laidType(market) === undefined && play.legs.some(({ isLay }) => isLay);
  return isLaid ? [market, layType(market)] : [market];
}

/** What became of a leg. */
export function legNow(entry: TicketEntry, leg: Leg, { rows, isComplete }: TicketRows, profile: Profile): LegNow {
  // Whatever became of the price: the bet stands.
  if (leg.placed !== undefined) return { status: 'open', leg, row: undefined, others: [] };
  const [row, ...others] = leg.oddsId === null ? rowsLike(entry, leg, rows, profile) : [rows.get(leg.oddsId)];
  const now = { leg, row, others: others.flatMap((one) => one ?? []) };
  if (row === undefined) return { ...now, status: isComplete ? 'gone' : 'unknown' };
  const { odds_decimal: decimal, odds_american: american, sportsbook, currency } = row;
  const stakeMax = stakeMaxOf(row, leg.isLay);
  now.leg = { ...leg, currency, stakeMax, books: [sportsbook, ...leg.books.filter((book) => book !== sportsbook)] };
  if (!isOffered(row)) return { ...now, status: 'suspended' };
  if (row.line !== leg.line) return { ...now, status: 'gone' };
  if (decimal === leg.decimal) return { ...now, status: 'open' };
  return { ...now, status: 'moved', leg: { ...legAt(now.leg, { american, decimal }), stakeMax } };
}

/** A low hold names books, not rows. The one to bet at is the first: with an account, open, at the best price. */
function rowsLike(entry: TicketEntry, leg: Leg, rows: TicketRows['rows'], profile: Profile): OddsRow[] {
  const outcome = { ...entry.of, market_type: entry.market, selection: leg.selection, line: leg.line };
  const worth = (row: OddsRow): number =>
    (hasAccount(profile, row.sportsbook) ? 2e6 : 0) + (isOffered(row) ? 1e6 : 0) + row.odds_decimal;
  const known = [...rows.values()].filter((row) => row.event_id === entry.eventId);
  const namesakes = outcome.player_name ? namesakesOf(known) : [];
  return known
    .filter((row) => leg.books.includes(row.sportsbook) && isSameOutcome(row, outcome, namesakes))
    .sort((a, b) => worth(b) - worth(a) || leg.books.indexOf(a.sportsbook) - leg.books.indexOf(b.sportsbook));
}

/**
 * The bets at their present prices and, of a single one, with the fair price as it is now: an opportunity's as the server
 * states it, a price's as the board computes it.
 * @param standing the opportunity as it stands; null if it stands no more, undefined if that is unknown
 */
export function playNow(
  { play, market, teams }: TicketEntry,
  legs: readonly LegNow[],
  board: Board | undefined,
  standing: OpportunityItem | null | undefined,
  nowMs: number,
): Play {
  const now = { ...play, legs: legs.map(({ leg }) => leg) };
  const [first] = legs;
  if (play.kind !== 'single' && standing != null) now.reservations = reservationsOf(play.kind, standing);
  // What stands no more guarantees nothing, whatever its prices are now.
  else if (standing === null) now.reservations = { ...play.reservations, isGuaranteed: false };
  if (play.kind === 'ev' && standing !== undefined) {
    const item = standing as OpportunityItems['ev'] | null;
    now.legs = now.legs.map((leg) => ({ ...leg, fair: item?.fair_probability ?? null }));
    now.decided = item === null ? 1 : decidedChance(item);
  } else if (play.kind === 'single' && first?.row !== undefined && board !== undefined) {
    const outcome = outcomeAt(first.row, board, nowMs);
    if (outcome !== undefined) now.legs = now.legs.map((leg) => ({ ...leg, fair: outcome.fair }));
    const { row } = first;
    // Only the other rows say whether its book offers a draw beside it.
    if (teams !== undefined)
      now.played = playedResults(now.legs, { market_type: market, sport: row.sport, ...teams }, board.isThreeWay(row));
  }
  return now;
}

/** From stored text; what is invalid is dropped. */
export function entriesOf(stored: string | null): TicketEntry[] {
  return listOf<TicketEntry>(stored)
    .filter(isEntry)
    .map((entry) => ({ ...entry, play: withDefaults(entry.play) }));
}

const KINDS: ReadonlySet<unknown> = new Set<Play['kind']>(['single', 'ev', 'arbitrage', 'middles', 'low_hold']);

function isEntry(given: unknown): given is TicketEntry {
  const { id, eventId, market, of, play, terms, parts } = fieldsOf(given);
  const { kind, legs, played } = fieldsOf(play);
  return (
    [id, eventId, market].every((text) => typeof text === 'string') &&
    isObject(of) &&
    KINDS.has(kind) &&
    Array.isArray(legs) &&
    legs.length > 0 &&
    legs.every(isLeg) &&
    (played === undefined ||
      (Array.isArray(played) && played.every((one) => Array.isArray(fieldsOf(one)['grades'])))) &&
    (terms === undefined || Array.isArray(fieldsOf(terms)['legs'])) &&
    (parts === undefined || (Array.isArray(parts) && parts.every(isEntry)))
  );
}

function isLeg(given: unknown): given is Leg {
  const { outcome, selection, books, decimal, net, links, line } = fieldsOf(given);
  return (
    [outcome, selection].every((text) => typeof text === 'string') &&
    [decimal, net].every((price) => typeof price === 'number' && price > 1) &&
    (line === null || typeof line === 'number') &&
    Array.isArray(books) &&
    books.length > 0 &&
    books.every((book) => typeof book === 'string') &&
    isObject(links)
  );
}

const isObject = (given: unknown): given is object => typeof given === 'object' && given !== null;
const fieldsOf = (given: unknown): Record<string, unknown> => (isObject(given) ? { ...given } : {});

/** What an earlier version of the page did not store. */
function withDefaults(play: Play): Play {
  const legs = play.legs.map((leg) => ({ ...leg, currency: leg.currency ?? DEFAULT_CURRENCY }));
  return { ...play, legs, reservations: play.reservations ?? NO_RESERVATIONS };
}

export function placedOf(stored: string | null): PlacedBet[] {
  return listOf<PlacedBet>(stored)
    .filter(
      ({ eventId, decimal, stake }) =>
        typeof eventId === 'string' && typeof decimal === 'number' && typeof stake === 'number',
    )
    .map((bet) => ({ ...bet, currency: bet.currency ?? DEFAULT_CURRENCY }));
}

/** The newest first. Beyond the bound those leave that the account has: what is only here stays. */
export function withPlaced(known: readonly PlacedBet[], added: readonly PlacedBet[]): PlacedBet[] {
  const all = [...added, ...known];
  let over = all.length - PLACED_MAX;
  const dropped = new Set<PlacedBet>();
  for (let i = all.length - 1; i >= 0 && over > 0; i--)
    if (all[i]!.isLogged === true) {
      dropped.add(all[i]!);
      over--;
    }
  return all.filter((bet) => !dropped.has(bet));
}

function listOf<T extends object>(stored: string | null): T[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter((one): one is T => isObject(one)) : [];
  } catch {
    // Written by another program.
    return [];
  }
}
