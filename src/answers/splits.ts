// GET /splits and GET /splits/history. The two use different names, as the specification requires: for a game
// spread.away_odds and home_odds are the lines and the source is `sportsbook`; in history they are away_line and
// home_line, and `book`.

import { formatMs } from '../base/model/time.js';
import type { SplitsDelta } from '../log/delta/delta.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { SplitsQuery } from '../schema/splits.js';
import { SPLITS_HISTORY_MS } from '../store/extras-store.js';
import { RowFilter } from '../tables/filter/filter.js';
import { splitList, type Universe } from '../tables/filter/universe.js';
import type { SplitsBoard } from '../tables/splits.js';
import type { OddsTable } from '../tables/table.js';

export type SplitsGame = ReturnType<typeof splitsGame>;
export type SplitsHistoryEntry = ReturnType<typeof historyEntry>;

/** By start, event and source; events that are over only if requested by id. */
export function listSplits(
  { table, catalogue, board }: { table: OddsTable; catalogue: Catalogue; board: SplitsBoard },
  universe: Universe,
  { sport, league, sportsbook, event, market, limit, offset }: SplitsQuery,
): { items: SplitsGame[]; total: number; unknown: readonly string[] } {
  const filter = new RowFilter(table, catalogue, universe, { sport, league, event });
  const { sources, unknown } = sourcesOf(catalogue, sportsbook);
  const items: SplitsGame[] = [];
  let total = 0;
  for (const game of filter.matchingEvents()) {
    if (event === undefined && game.status === 'ended') continue;
    for (const entry of board.of(game.id)) {
      if (sources !== null && !sources.has(entry.splits.source)) continue;
      if (market !== undefined && !market.some((name) => entry.splits[name] !== null)) continue;
      if (total >= offset && items.length < limit) items.push(splitsGame(entry));
      total++;
    }
  }
  return { items, total, unknown: [...filter.unknown, ...unknown] };
}

export interface HistoryParams {
  sportsbook?: string | undefined;
  /** Unix ms, both inclusive. */
  startMs: number;
  endMs: number;
  limit: number;
  offset: number;
}

/** A page of the entries, oldest first, and the summary of all matches. */
export function splitsHistory(
  catalogue: Catalogue,
  entries: readonly SplitsDelta[],
  nowMs: number,
  { sportsbook, startMs, endMs, limit, offset }: HistoryParams,
) {
  const { sources, unknown } = sourcesOf(catalogue, sportsbook);
  const from = Math.max(startMs, nowMs - SPLITS_HISTORY_MS);
  const matching = entries.filter(
    ({ splits }) =>
      splits.fetchedMs >= from && splits.fetchedMs <= endMs && (sources === null || sources.has(splits.source)),
  );
  matching.sort((a, b) => a.splits.fetchedMs - b.splits.fetchedMs || (a.splits.source < b.splits.source ? -1 : 1));
  const [oldest, newest] = [matching[0], matching.at(-1)];
  return {
    items: matching.slice(offset, offset + limit).map(historyEntry),
    total: matching.length,
    books: [...new Set(matching.map(({ splits }) => splits.source))].sort(),
    oldest: oldest === undefined ? null : formatMs(oldest.splits.fetchedMs),
    newest: newest === undefined ? null : formatMs(newest.splits.fetchedMs),
    unknown,
  };
}

/** The requested sources, null if all, and names without a match. */
function sourcesOf(
  catalogue: Catalogue,
  sportsbook: string | undefined,
): { sources: Set<string> | null; unknown: string[] } {
  if (sportsbook === undefined) return { sources: null, unknown: [] };
  const names = splitList(sportsbook);
  return {
    sources: new Set(names.map((name) => catalogue.bookId(name))),
    unknown: names.filter((name) => catalogue.book(name) === undefined),
  };
}

function splitsGame({ eventId, sport, league, home, away, splits }: SplitsDelta) {
  const { spread } = splits;
  return {
    event_id: eventId,
    sport,
    league,
    sportsbook: splits.source,
    away_team: away,
    home_team: home,
    spread: spread && {
      away_odds: spread.awayLine,
      home_odds: spread.homeLine,
      handle_pct: spread.handle,
      bets_pct: spread.bets,
    },
    ...totalAndMoneyline(splits),
    fetched_at: formatMs(splits.fetchedMs),
  };
}

function historyEntry({ splits }: SplitsDelta) {
  const { spread, fetchedMs } = splits;
  return {
    book: splits.source,
    ts: formatMs(fetchedMs),
    timestamp: fetchedMs / 1000,
    spread: spread && {
      away_line: spread.awayLine,
      home_line: spread.homeLine,
      handle_pct: spread.handle,
      bets_pct: spread.bets,
    },
    ...totalAndMoneyline(splits),
    fetched_at: formatMs(fetchedMs),
  };
}

function totalAndMoneyline({ total, moneyline }: SplitsDelta['splits']) {
  return {
    total: total && { line: total.line, handle_pct: total.handle, bets_pct: total.bets },
    moneyline: moneyline && {
      away_odds: moneyline.awayOdds,
      home_odds: moneyline.homeOdds,
      handle_pct: moneyline.handle,
      bets_pct: moneyline.bets,
    },
  };
}
