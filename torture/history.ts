// Checks price history: true points in order, the last of which is the row's present price.
import { setTimeout as wait } from 'node:timers/promises';
import { parseTimeUs } from '../src/base/model/time.js';
import type { HistoryRow, OddsRow } from '../src/client/types.js';
import type { Run } from './run.js';

const ROWS = 12;
const RECORDED_MS_MAX = 30_000;

/** Not a candle. */
type Point = Extract<HistoryRow['points'][number], { odds_decimal: number }>;

/** @param rows the current rows; those that changed last are checked, later than `fromUs` */
export async function checkHistory(run: Run, key: string, rows: readonly OddsRow[], fromUs: number): Promise<void> {
  const changed = rows
    .filter((row) => (parseTimeUs(row.odds_changed_at) ?? 0) > fromUs)
    .sort((a, b) => (a.odds_changed_at < b.odds_changed_at ? 1 : -1));
  const every = Math.max(1, Math.floor(changed.length / ROWS));
  const late = run.patience(RECORDED_MS_MAX);
  for (let i = 0; i < changed.length; i += every) {
    const row = changed[i]!;
    let points = await pointsOf(run, key, row);
    while (points !== null && !isLast(points.at(-1), row) && !late()) {
      await wait(50);
      points = await pointsOf(run, key, row);
    }
    if (points === null) continue;
    run.count('history: rows compared');
    run.count('history: points', points.length);
    if (!isLast(points.at(-1), row))
      run.find('history ends where the row stands', `${JSON.stringify(points.at(-1))} of ${JSON.stringify(row)}`);
    for (const [n, point] of points.entries()) {
      const lie = run.truth.lie({ ...row, ...point });
      if (lie !== null) run.find('no state that never was', `history: ${lie}`);
      if (n > 0 && point.at <= points[n - 1]!.at)
        run.find('history is in order', `${row.id}: ${point.at} after ${points[n - 1]!.at}`);
    }
  }
}

/** The newest, oldest first; null if they could not be read. */
async function pointsOf(run: Run, key: string, { id }: OddsRow): Promise<Point[] | null> {
  const points: Point[] = [];
  let cursor = '';
  do {
    const answer = await run.call(`/api/v1/odds/history?odds_id=${id}&limit=1000${cursor}`, key);
    if (answer?.status === 404) return points;
    if (answer?.status !== 200) return null;
    const { data, pagination } = answer.body as {
      data: { points: Point[] }[];
      pagination: { next_cursor?: string | null };
    };
    for (const part of data) points.push(...part.points);
    cursor = pagination.next_cursor == null ? '' : `&cursor=${encodeURIComponent(pagination.next_cursor)}`;
  } while (cursor !== '');
  return points;
}

function isLast(point: Point | undefined, row: OddsRow): boolean {
  return (
    point !== undefined &&
    point.at === row.odds_changed_at &&
    point.odds_decimal === row.odds_decimal &&
    point.line === row.line &&
    point.is_active === (row.is_active ?? true)
  );
}
