// The history of one outcome at its line, of every book: for the chart, and for what is shown beside a price.
import type { OddsRow, OverroundClient } from '../src/client/client.js';
import { isSameOutcome } from './model/outcome.js';
import type { HistoryRow } from './model/price-history.js';

/** Points of a page. */
const POINTS = 5_000;

/** Of other players and teams of the market, which have selections of the same names, nothing. Throws OverroundError. */
export async function historyOf(client: OverroundClient, row: OddsRow, pagesMax: number): Promise<HistoryRow[]> {
  const found = new Map<string, HistoryRow>();
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax; page++) {
    const { data, pagination } = await client.oddsHistory({
      event: row.event_id,
      market: row.market_type,
      selection: row.selection,
      ...(row.line === null ? {} : { line: row.line }),
      limit: POINTS,
      cursor,
    });
    for (const one of data as unknown as (HistoryRow & Pick<OddsRow, 'team'>)[]) {
      const team_name = one.team === undefined ? undefined : one.team === 'home' ? row.home_team : row.away_team;
      const of = { ...one, market_type: row.market_type, line: row.line, team_name };
      if (!isSameOutcome(of, row)) continue;
      const known = found.get(one.odds_id);
      if (known === undefined) found.set(one.odds_id, one);
      else known.points.push(...one.points);
    }
    cursor = pagination.next_cursor;
    if (cursor === undefined) break;
  }
  return [...found.values()];
}
