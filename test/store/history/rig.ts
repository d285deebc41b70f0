// A market whose prices move on a manual clock, and a client's answers about it.
import assert from 'node:assert/strict';
import type { Api, Json } from '../../front/api.js';

export const START = '2026-11-21T00:00:00Z';
const GAME = { league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers', start_time: START };

export interface Quote {
  home: number;
  away: number;
  line?: number;
  live?: boolean;
  start?: string;
  active?: boolean;
  indicative?: true;
  /** What can be had at each price. */
  size?: number;
  status?: string;
  /** Home and away, of another game. */
  teams?: readonly [string, string];
}

export async function post(
  made: Api,
  atMs: number,
  book: string,
  { home, away, line = -3.5, live, start, active, indicative, size, status, teams }: Quote,
) {
  made.clock.set(atMs);
  const price = (selection_type: string, at: number, odds_american: number) => ({
    selection: selection_type,
    selection_type,
    line: at,
    odds_american,
    ...(active === false ? { is_active: false } : {}),
    ...(indicative ? { indicative } : {}),
    ...(size === undefined ? {} : { size }),
  });
  await made.ingest({
    book,
    polled_at: new Date(atMs).toISOString(),
    events: [
      {
        ...GAME,
        ...(teams === undefined ? {} : { home_team: teams[0], away_team: teams[1] }),
        ...(start === undefined ? {} : { start_time: start }),
        ...(live === undefined ? {} : { is_live: live }),
        ...(status === undefined ? {} : { status }),
        markets: [{ market_type: 'point_spread', selections: [price('home', line, home), price('away', -line, away)] }],
      },
    ],
  });
}

export async function json(made: Api, path: string, key: string, status = 200): Promise<Json> {
  const response = await made.fetch(path, { key });
  const body = (await response.json()) as Json;
  assert.equal(response.status, status, JSON.stringify(body));
  return body;
}

/** The clock of these tests jumps: the log must not be cut before its readers have followed. */
export const FLAGS = { history: '7', 'log-retention': '604800' };
export const MINUTE = 60_000;
