// Bets that name their event, market, selection and book in place of odds_id: the rows they mean, of the table or, once
// they have left it, of history.

import { ApiError } from '../../base/model/errors.js';
import type { Engine } from '../../engine/engine.js';
import { atItsLine, type DescribedBet, describedRows, lineMeant } from '../../rules/catalogue/described-bet.js';
import type { AskHistory } from '../../store/clv/queries.js';
import { readRow } from '../../tables/columns.js';
import type { OddsTable } from '../../tables/table.js';

/** The names that fields of a bet have in one route or another; the first is that of rows. */
const NAMES = {
  event: ['event_id', 'event'],
  market: ['market_type', 'market'],
  selection: ['selection_type', 'selection'],
  sportsbook: ['sportsbook', 'book'],
  player: ['player_name', 'player'],
} as const;
const ERRORS_SHOWN = 10;

/** A field of a bet by any of its names; undefined if it has none of them. */
export function statedField(bet: Readonly<Record<string, unknown>>, field: keyof typeof NAMES): unknown {
  for (const name of NAMES[field]) if (bet[name] !== undefined && bet[name] !== null) return bet[name];
  return undefined;
}

/** Undefined if it lacks what it needs. Of a selection that has a name and a type, the name says more. */
export function descriptionOf(bet: Readonly<Record<string, unknown>>): DescribedBet | undefined {
  const event = statedField(bet, 'event');
  const market = statedField(bet, 'market');
  const selection = statedField(bet, 'selection');
  const sportsbook = statedField(bet, 'sportsbook');
  const given = [event, market, selection, sportsbook];
  if (given.some((value) => typeof value !== 'string' || value === '')) return undefined;
  const [eventId, type, name, book] = given as string[];
  const { line, team } = bet;
  return {
    event: eventId!,
    market: type!,
    selection: name!,
    sportsbook: book!,
    line: typeof line === 'number' ? line : undefined,
    player: (statedField(bet, 'player') as string | undefined) ?? null,
    team: team === 'home' || team === 'away' ? team : null,
  };
}

export interface Described {
  bet: DescribedBet;
  /** Of the bet in the request. */
  where: string;
}

/** Their odds ids. Throws ApiError `invalid_request` that names each without a row, or with more than one. */
export async function rowsOf(
  { table, catalogue }: Engine,
  history: AskHistory | undefined,
  described: readonly Described[],
): Promise<string[]> {
  const ids = described.map(({ bet }) => rowInTable(table, catalogue, bet));
  const gone = described.filter((_, i) => ids[i] === null).map(({ bet }) => bet);
  const found = gone.length === 0 || history === undefined ? [] : await history('described', gone);
  let next = 0;
  const all = ids.map((id) => id ?? found[next++] ?? null);
  const wrong = described.filter((_, i) => all[i] === null).map(({ bet, where }) => `${where}: ${noRow(bet)}`);
  const more = wrong.length - ERRORS_SHOWN;
  if (more > 0) wrong.splice(ERRORS_SHOWN, more, `and ${more} more`);
  if (wrong.length > 0) throw new ApiError('invalid_request', wrong.join('; '));
  return all as string[];
}

function noRow({ event, market, selection, sportsbook, line }: DescribedBet): string {
  const at = line == null ? ' as its main line' : ` at ${line}`;
  return `${sportsbook} has no ${market} ${selection}${at} of ${event}`.slice(0, 400);
}

function rowInTable(table: OddsTable, catalogue: Engine['catalogue'], bet: DescribedBet): string | null {
  const event = table.events.get(bet.event);
  const slots = event?.byBook.get(table.books.find(catalogue.bookId(bet.sportsbook)));
  if (event === undefined || slots === undefined) return null;
  const book = catalogue.bookId(bet.sportsbook);
  const meant = { ...bet, line: lineMeant(catalogue, event, bet.market, bet.line) };
  const rows = slots.map((slot) => ({ ...readRow(table, slot), book }));
  return atItsLine(describedRows(catalogue, event, meant, rows), meant.line, (row) => row.line)?.id ?? null;
}
