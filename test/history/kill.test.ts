// kill -9 while prices change and history writes: after the restart it holds every change that was acknowledged, once and
// in order, those of before its last write and those it had to read from the log again.
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseConfig } from '../../src/config/config.js';
import { systemClock } from '../../src/model/clock.js';
import { createLog } from '../../src/observe/log.js';
import { Server } from '../../src/server/server.js';
import { tempFolder } from '../engine-rig.js';
import type { Json } from '../front/api.js';
import { LONG } from '../long.js';
import type { FromServer, ToServer } from './child.js';

const CHILD = fileURLToPath(new URL('./child.js', import.meta.url));
const ROUNDS = LONG ? 6 : 2;
/** Messages that each of the games' prices still moves by once history has written. */
const FURTHER = 5;
const LEAGUES = ['nba', 'nhl', 'mlb', 'nfl'];
/** Each has its prices told one after the other: a batch then holds one of its prices at most. */
const LANES = 8;

interface Lane {
  league: string;
  event: string;
  /** The price told last; acknowledged but for the very last before a kill. */
  sent: number;
}

/** Another one than before and after. */
const price = (n: number): number => 101 + (n % 800);

function messageOf({ league, sent }: Lane, lane: number): object {
  return {
    book: 'draftkings',
    polled_at: new Date().toISOString(),
    scope: 'event',
    events: [
      {
        league,
        home_team: `Home ${lane}`,
        away_team: `Away ${lane}`,
        start_time: '2090-01-02T00:00:00Z',
        markets: [
          {
            market_type: 'moneyline',
            selections: [
              { selection: 'Home', selection_type: 'home', odds_american: price(sent) },
              { selection: 'Away', selection_type: 'away', odds_american: -1000 },
            ],
          },
        ],
      },
    ],
  };
}

/** Storms until history has written, and a little on; then the process is dead. */
async function storm(dir: string, lanes: readonly Lane[]): Promise<void> {
  const child: ChildProcess = fork(CHILD, [dir], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const send = (lane: number, again = false): void => {
    if (!again) lanes[lane]!.sent++;
    child.send({ lane, message: messageOf(lanes[lane]!, lane) } satisfies ToServer);
  };
  let left = Number.POSITIVE_INFINITY;
  child.on('message', (told: FromServer) => {
    // What was under way at the last kill may or may not be there: told again it is the same price.
    if (told.kind === 'ready') for (const lane of lanes.keys()) send(lane, true);
    if (told.kind === 'written') left = LANES * FURTHER;
    if (told.kind !== 'done') return;
    if (--left <= 0) child.kill('SIGKILL');
    else send(told.lane);
  });
  const [code, signal] = await once(child, 'exit');
  assert.deepEqual([code, signal], [null, 'SIGKILL']);
}

test('killed while it writes, history holds every acknowledged change once and in order', {
  timeout: 120_000,
}, async (t) => {
  const dir = tempFolder(t);
  const lanes = Array.from({ length: LANES }, (_, lane): Lane => {
    const league = LEAGUES[lane % LEAGUES.length]!;
    return { league, event: `${league}_home-${lane}_away-${lane}_2090-01-01`, sent: 1 };
  });
  for (let round = 0; round < ROUNDS; round++) await storm(dir, lanes);
  const config = parseConfig({ port: '0', data: dir, workers: '2', history: '7' }, {});
  const server = new Server({ config, feeds: [], clock: systemClock, log: createLog('error'), version: '0.0.1' });
  const url = `http://127.0.0.1:${await server.listen()}/api/v1`;
  t.after(() => server.close());
  const { key } = server.accounts.create({ tier: 'enterprise', requestsPerMinute: 100_000 });
  for (const { event, sent } of lanes) {
    assert.ok(sent > 20, `${sent} prices of ${event}`);
    const told: number[] = [];
    const times: string[] = [];
    for (let cursor = ''; ; ) {
      const answer = await fetch(`${url}/odds/history?event=${event}&selection=home&limit=10000${cursor}`, {
        headers: { 'x-api-key': key },
      });
      const { data, pagination, meta, error } = (await answer.json()) as Json;
      assert.equal(error, undefined);
      assert.equal(meta.gaps, undefined);
      for (const point of data[0].points) {
        told.push(point.odds_american);
        times.push(point.at);
      }
      if (!pagination.has_more) break;
      cursor = `&cursor=${pagination.next_cursor}`;
    }
    const all = Array.from({ length: sent }, (_, n) => price(n + 1));
    // The last one was told and not acknowledged.
    assert.deepEqual(told, told.length === all.length ? all : all.slice(0, -1), event);
    assert.deepEqual(times, [...new Set(times)].sort());
  }
});
