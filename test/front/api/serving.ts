// A real engine in a temporary folder behind a real server, with a manual clock.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../../../src/base/model/clock.js';
import { Engine } from '../../../src/engine/engine.js';
import type { EngineOptions } from '../../../src/engine/engine-options.js';
import { costlyQueue } from '../../../src/front/api/cost.js';
import type { RouteDeps } from '../../../src/front/api/deps.js';
import { PastAnswers } from '../../../src/front/api/past.js';
import type { Route } from '../../../src/front/http/context.js';
import type { IngestMessage } from '../../../src/intake/ingest/message.js';
import type { Tier } from '../../../src/rules/catalogue/types.js';
import { engineOptions } from '../../engine-rig.js';
import { schemaErrors } from '../../schema-errors.js';
import type { Ending } from '../../shared.js';
import { running } from '../http/harness.js';

export const NOW = '2026-11-20T18:00:00.000Z';

/** An engine with its clock at NOW, closed after the test; its folder is removed. */
export function engineFor(
  t: Ending,
  dataDir = mkdtempSync(join(tmpdir(), 'overround-routes-')),
  options: Partial<EngineOptions> = {},
): { engine: Engine; clock: ManualClock } {
  const clock = new ManualClock(Date.parse(NOW));
  const engine = new Engine({ ...engineOptions(dataDir), clock, workers: 1, ...options });
  t.after(async () => {
    await engine.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { engine, clock };
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, read field by field
export type Body = Record<string, any>;

export interface Serving {
  engine: Engine;
  clock: ManualClock;
  /** Ingests messages, none of which may be rejected. */
  ingest(...messages: Partial<IngestMessage>[]): Promise<void>;
  /** A 200 answer, checked against its route's schema. */
  ok(path: string, tier?: Tier): Promise<Body>;
  /** Status, error code and message of an error. */
  refused(path: string, tier?: Tier): Promise<[status: number, code: string, message: string]>;
  get(path: string, tier?: Tier): Promise<Response>;
}

/** As serving(), and the Free tier sees what was just committed: batches of one instant have positions after it. */
export function servingUndelayed(t: Ending, makeRoutes: (deps: RouteDeps) => Route[]): Promise<Serving> {
  return serving(t, makeRoutes, {}, undefined, engineFor(t, undefined, { delaySeconds: -1 }));
}

export async function serving(
  t: Ending,
  makeRoutes: (deps: RouteDeps) => Route[],
  deps: Partial<RouteDeps> = {},
  dataDir?: string,
  /** Used instead of a new engine. */
  existing?: ReturnType<typeof engineFor>,
): Promise<Serving> {
  const { engine, clock } = existing ?? engineFor(t, dataDir);
  const routes = makeRoutes({ engine, feeds: () => [], version: '0.0.1', ...deps });
  const server = await running(t, routes);
  const keys = new Map<Tier, string>();
  const get = (path: string, tier?: Tier): Promise<Response> => {
    if (tier !== undefined && !keys.has(tier)) keys.set(tier, server.key(tier, { requestsPerMinute: 100_000 }));
    return server.get(`/api/v1${path}`, tier === undefined ? undefined : keys.get(tier));
  };
  const checks = routes.map((route) => ({
    pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`),
    schema: route.response!,
  }));
  return {
    engine,
    clock,
    get,
    ingest: async (...messages) => {
      const receipt = await engine.ingest(messages.map((message) => ({ polled_at: NOW, scope: 'event', ...message })));
      assert.deepEqual([receipt.rejected, receipt.unread], [[], 0]);
      engine.tick();
    },
    ok: async (path, tier) => {
      const response = await get(path, tier);
      const body = (await response.json()) as Body;
      assert.equal(response.status, 200, JSON.stringify(body));
      const { schema } = checks.find(({ pattern }) => pattern.test(`/api/v1${path.split('?')[0]}`))!;
      assert.deepEqual(schemaErrors(schema, body), [], path);
      return body;
    },
    refused: async (path, tier) => {
      const response = await get(path, tier);
      const body = (await response.json()) as { error: { code: string; message: string } };
      return [response.status, body.error.code, body.error.message];
    },
  };
}

export const moneyline = (home: number, away: number, draw?: number) => ({
  market_type: 'moneyline',
  selections: [
    { selection: 'home', selection_type: 'home', odds_american: home },
    { selection: 'away', selection_type: 'away', odds_american: away },
    ...(draw === undefined ? [] : [{ selection: 'draw', selection_type: 'draw', odds_american: draw }]),
  ],
});

export const overUnder = (market_type: string, line: number, more: object = {}, alternate = false) => ({
  market_type,
  ...more,
  selections: ['Over', 'Under'].map((selection) => ({
    selection,
    selection_type: selection.toLowerCase(),
    line,
    odds_american: -110,
    ...(alternate ? { is_alternate_line: true } : {}),
  })),
});

const lakersGame = {
  league: 'nba',
  home_team: 'Boston Celtics',
  away_team: 'Los Angeles Lakers',
  start_time: '2026-11-21T00:30:00Z',
};
export const LAKERS = 'nba_celtics_lakers_2026-11-20';
export const BULLS = 'nba_heat_bulls_2026-11-20';
export const ARSENAL = 'epl_arsenal_chelsea_2026-11-20';
/** As answers show it. */
export const ARSENAL_STATE = {
  home_score: 1,
  away_score: 0,
  score_home: 1,
  score_away: 0,
  period: '1H',
  clock: '27:10',
};
export const STREET = 'street-league_north_south_2026-11-21';
export const BRUINS = 'nhl_bruins_rangers_2026-11-19';
export const YANKEES = 'mlb_yankees_red-sox_2026-11-20';

/** A small world with every kind of event that the endpoints distinguish. */
export const WORLD: Partial<IngestMessage>[] = [
  {
    book: 'draftkings',
    events: [
      {
        ...lakersGame,
        external_id: 'dk-1',
        markets: [
          moneyline(-150, 130),
          overUnder('total_points', 220.5),
          overUnder('player_points', 25.5, { player_name: 'LeBron James', stat_category: 'points' }),
        ],
      },
      // Finished, and removed by the book.
      {
        league: 'nhl',
        home_team: 'Boston Bruins',
        away_team: 'New York Rangers',
        start_time: '2026-11-20T00:00:00Z',
        status: 'ended',
        markets: [],
      },
    ],
  },
  {
    book: 'fanduel',
    polled_at: '2026-11-20T17:59:58.500Z',
    events: [
      {
        ...lakersGame,
        away_team: 'LA Lakers',
        external_id: 'fd-1',
        markets: [
          moneyline(-145, 125),
          overUnder('total_points', 221.5),
          overUnder('player_points', 25.5, { player_name: 'Lebron James', stat_category: 'points' }),
          overUnder('player_points', 27.5, { player_name: 'Lebron James', stat_category: 'points' }, true),
        ],
      },
    ],
    game_states: [
      {
        league: 'mlb',
        home_team: 'New York Yankees',
        away_team: 'Boston Red Sox',
        start_time: '2026-11-20T17:05:00Z',
        home_score: 2,
        away_score: 1,
        period: '3',
      },
    ],
  },
  {
    book: 'pinnacle',
    events: [
      { ...lakersGame, external_id: 'p-1', markets: [moneyline(-148, 134)] },
      {
        league: 'nba',
        home_team: 'Miami Heat',
        away_team: 'Chicago Bulls',
        start_time: '2026-11-21T01:00:00Z',
        markets: [moneyline(-110, -105)],
      },
    ],
  },
  {
    book: 'betmgm',
    events: [
      {
        league: 'epl',
        home_team: 'Arsenal',
        away_team: 'Chelsea',
        start_time: '2026-11-20T17:30:00Z',
        is_live: true,
        game_state: { home_score: 1, away_score: 0, period: '1H', clock: '27:10' },
        markets: [moneyline(-120, 300, 240)],
      },
    ],
  },
  {
    book: 'corner_store',
    events: [
      {
        league: 'street-league',
        home_team: 'North',
        away_team: 'South',
        start_time: '2026-11-21T03:00:00Z',
        markets: [
          {
            market_type: 'coin_toss',
            selections: [
              { selection: 'Heads', selection_type: 'heads', odds_american: 100 },
              { selection: 'Tails', selection_type: 'tails', odds_american: -110 },
            ],
          },
        ],
      },
    ],
  },
];

/** For routes with `at=`. */
export function pastOf(deps: RouteDeps): PastAnswers {
  return new PastAnswers(deps, costlyQueue());
}
