// The ticket: prices and opportunities that are about to be bet, each with the price at which it was added, and bets
// that were placed. What becomes of a price is seen in the rows.
import type { OddsRow, OpportunityChannel, OpportunityItem } from '../../src/client/client.js';
import type { Leg } from './legs.js';
import { lineText } from './odds-format.js';
import { type Play, playOf } from './reckon.js';
import { playedResults } from './results.js';

export interface TicketEntry {
  id: string;
  eventId: string;
  eventName: string;
  market: string;
  play: Play;
}

export type LegStatus = 'open' | 'moved' | 'suspended' | 'gone' | 'unknown';

export interface LegNow {
  status: LegStatus;
  /** The leg at its present price. */
  leg: Leg;
  row: OddsRow | undefined;
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
  stake: number;
  /** RFC 3339. */
  at: string;
  /** On paper it is filled from what stands in the table; else it was placed elsewhere. */
  isPaper?: boolean;
  /** It is among the account's bets. */
  isLogged?: boolean;
  /** What the account says of it, other than that it was filled. */
  status?: string;
}

export const ENTRIES_MAX = 30;
export const PLACED_MAX = 100;

export function entryOf(kind: OpportunityChannel, item: OpportunityItem): TicketEntry {
  const { id, event_id, event_name, market_type } = item;
  return { id, eventId: event_id, eventName: event_name, market: market_type, play: playOf(kind, item) };
}

/** @param fair probability that it wins, 0-1; null if unknown */
export function entryOfRow(row: OddsRow, fair: number | null): TicketEntry {
  const who = row.player_name ?? (row.selection.includes(row.team_name ?? '') ? '' : row.team_name);
  const { selection, line } = row;
  const leg: Leg = {
    outcome: [who, selection, lineText(line, row.market_type)].filter(Boolean).join(' '),
    selection,
    line,
    books: [row.sportsbook],
    american: row.odds_american,
    decimal: row.odds_decimal,
    net: row.odds_decimal,
    commission: null,
    links: { [row.sportsbook]: row.deep_link },
    oddsId: row.id,
    stakePercent: null,
    fair,
    isLay: false,
    stakeMax: row.max_bet ?? null,
  };
  return {
    id: row.id,
    eventId: row.event_id,
    eventName: `${row.away_team} @ ${row.home_team}`,
    market: row.market_type,
    play: { kind: 'single', legs: [leg], played: playedResults([leg], row), decided: 1 },
  };
}

/** What became of a leg. `known`: the rows are complete, so that a missing one is gone. */
export function legNow(entry: TicketEntry, leg: Leg, rows: ReadonlyMap<string, OddsRow>, known: boolean): LegNow {
  const row = leg.oddsId === null ? rowLike(entry, leg, rows) : rows.get(leg.oddsId);
  if (row === undefined) return { status: known ? 'gone' : 'unknown', leg, row };
  // A lay is not among the prices of the rows that back.
  const { odds_decimal: decimal, odds_american: american } = row;
  const isSame = leg.isLay || (decimal === leg.decimal && row.line === leg.line);
  if (!row.is_active) return { status: 'suspended', leg, row };
  if (isSame) return { status: 'open', leg, row };
  if (row.line !== leg.line) return { status: 'gone', leg, row };
  return { status: 'moved', leg: { ...leg, decimal, american, net: decimal }, row };
}

/** A low hold names books, not rows. */
function rowLike(entry: TicketEntry, leg: Leg, rows: ReadonlyMap<string, OddsRow>): OddsRow | undefined {
  for (const row of rows.values())
    if (
      row.event_id === entry.eventId &&
      row.market_type === entry.market &&
      row.selection === leg.selection &&
      row.line === leg.line &&
      leg.books.includes(row.sportsbook)
    )
      return row;
  return undefined;
}

/** From stored text; what is invalid is dropped. */
export function entriesOf(stored: string | null): TicketEntry[] {
  return listOf<TicketEntry>(stored).filter(
    ({ id, eventId, play }) => typeof id === 'string' && typeof eventId === 'string' && Array.isArray(play?.legs),
  );
}

export function placedOf(stored: string | null): PlacedBet[] {
  return listOf<PlacedBet>(stored).filter(
    ({ eventId, decimal, stake }) =>
      typeof eventId === 'string' && typeof decimal === 'number' && typeof stake === 'number',
  );
}

function listOf<T extends object>(stored: string | null): T[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
  } catch {
    // Written by another program.
    return [];
  }
}
