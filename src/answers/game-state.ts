// GET /gamestate and GET /gamestate/{sport}: scores of the games that are not over.

import { compareText } from '../base/model/compare.js';
import { sportState } from '../base/model/game-state.js';
import type { GameStateItem } from '../schema/game-state.js';
import type { TableEvent } from '../tables/events.js';
import type { OddsTable } from '../tables/table.js';

/** A score whose book has been silent for longer is marked as stale. */
const STATE_STALE_MS = 60_000;

/** Sports with games that have a state, by id. */
export function gameStateSports(table: OddsTable): { sport: string; event_count: number }[] {
  const counts = new Map<string, number>();
  for (const event of table.events.ordered())
    if (hasState(event)) counts.set(event.sport, (counts.get(event.sport) ?? 0) + 1);
  return [...counts]
    .map(([sport, event_count]) => ({ sport, event_count }))
    .sort((a, b) => compareText(a.sport, b.sport));
}

export interface GameStateParams {
  sport: string;
  leagues: readonly string[] | null;
  live: boolean | undefined;
}

/** By event id, in the order of the starts. */
export function gameStates(
  table: OddsTable,
  { sport, leagues, live }: GameStateParams,
  nowMs: number,
): Record<string, GameStateItem> {
  const states: Record<string, GameStateItem> = {};
  for (const event of table.events.ordered()) {
    if (event.sport !== sport || !hasState(event)) continue;
    if (live !== undefined && event.live !== live) continue;
    if (leagues !== null && !leagues.includes(event.league)) continue;
    states[event.id] = gameStateItem(table, event, nowMs);
  }
  return states;
}

function hasState(event: TableEvent): boolean {
  return event.state !== null && event.status !== 'ended';
}

function polledMs(table: OddsTable, event: TableEvent): number {
  const primary = event.stateBooks?.[0];
  return primary === undefined ? 0 : (table.bookPolledMs[table.books.find(primary)] ?? 0);
}

function gameStateItem(table: OddsTable, event: TableEvent, nowMs: number): GameStateItem {
  const state = event.state ?? {};
  const books = event.stateBooks ?? [];
  const stale = event.live && nowMs - polledMs(table, event) > STATE_STALE_MS;
  return {
    home_team: event.home,
    away_team: event.away,
    sport: event.sport,
    league: event.league,
    is_live: event.live,
    home_score: state.home_score ?? null,
    away_score: state.away_score ?? null,
    score_home: state.home_score ?? null,
    score_away: state.away_score ?? null,
    game_period: state.period ?? null,
    period: state.period ?? null,
    game_clock: state.clock ?? null,
    clock: state.clock ?? null,
    score_type: state.score_type ?? null,
    possession: state.possession ?? null,
    is_timeout: state.is_timeout ?? null,
    fouls_home: state.fouls_home ?? null,
    fouls_away: state.fouls_away ?? null,
    power_play: state.power_play ?? null,
    last_play: state.last_play ?? null,
    ...sportState(state),
    primary_book: books[0] ?? null,
    book_count: books.length,
    ...(stale ? { stale: true as const } : {}),
  };
}
