// The rows of a key that may not stream, followed by asking again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PolledOdds } from '../../dashboard/model/polled-odds.js';
import { OverroundClient } from '../../src/client/client.js';
import { deltaRoutes } from '../../src/front/api/delta.js';
import { oddsRoutes } from '../../src/front/api/odds.js';
import { moneyline, pastOf, serving } from '../front/api/serving.js';
import { until } from '../support/until.js';

const GAME = { league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers' };

test('a game that begins keeps its prices, and one that a book takes back is gone in play and before it', async (t) => {
  const server = await serving(t, (deps) => [...oddsRoutes(deps, pastOf(deps)), ...deltaRoutes(deps)]);
  const poll = async (book: string, live: boolean, ...markets: object[]): Promise<void> => {
    server.clock.set(server.clock.now() + 1_000);
    const polled_at = new Date(server.clock.now()).toISOString();
    const events = [{ ...GAME, start_time: '2026-11-20T18:00:00Z', is_live: live, markets }];
    await server.ingest({ book, polled_at, events } as never);
  };
  await poll('draftkings', false, moneyline(120, -130));
  await poll('fanduel', false, moneyline(125, -135));
  const client = new OverroundClient({
    url: 'http://localhost',
    fetch: (url) => {
      const { pathname, search } = url as URL;
      return server.get(pathname.replace('/api/v1', '') + search, 'hobby');
    },
  });
  let turns = 0;
  const polled = new PolledOdds(
    client,
    {},
    {
      everyMs: 5,
      onEvent: ({ type }) => {
        if (type === 'heartbeat') turns++;
      },
      onLost: assert.fail,
      onRefused: assert.fail,
    },
  );
  t.after(() => polled.close());
  /** What was committed before is in both answers of the second turn from here. */
  const rows = async (): Promise<string[]> => {
    const asked = turns;
    await until('two turns', () => turns >= asked + 2);
    return [...polled.table.odds.values()]
      .map((row) => `${row.sportsbook} ${row.selection_type} ${row.is_live}`)
      .sort();
  };
  assert.equal((await rows()).length, 4);
  await poll('draftkings', true, moneyline(120, -130));
  const both = ['draftkings away true', 'draftkings home true', 'fanduel away true', 'fanduel home true'];
  assert.deepEqual(await rows(), both);
  // What a whole list of its book does not have any more.
  await poll('fanduel', true);
  await until('removed', async () => (await rows()).length === 2);
});
