// When the server last saw prices that stay as they are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Board } from '../../dashboard/model/board.js';
import { PriceAges } from '../../dashboard/model/price-ages.js';
import { OverroundClient } from '../../src/client/client.js';
import { oddsRoutes } from '../../src/front/api/odds.js';
import { pastOf, serving } from '../front/api/serving.js';

const BOOKS = 36;
const GAMES = 12;
const LINES = 4;

test('every price in sight is confirmed before it counts as too old, however many books and lines there are', async (t) => {
  const server = await serving(t, (deps) => oddsRoutes(deps, pastOf(deps)));
  const totals = Array.from({ length: LINES }, (_, i) =>
    ['over', 'under'].map((selection_type) => {
      const line = 210.5 + i;
      return { selection: selection_type, selection_type, line, is_alternate_line: i > 0, odds_american: -110 };
    }),
  );
  const events = Array.from({ length: GAMES }, (_, i) => ({
    ...{ league: 'ncaab', home_team: `Home ${i}`, away_team: `Away ${i}`, is_live: true },
    start_time: '2026-11-20T17:00:00Z',
    markets: [{ market_type: 'total_points', selections: totals.flat() }],
  }));
  const poll = async (): Promise<void> => {
    const polled_at = new Date(server.clock.now()).toISOString();
    for (let i = 0; i < BOOKS; i++) await server.ingest({ book: `book${i}`, polled_at, events } as never);
  };
  await poll();
  const fetch = (url: unknown): Promise<Response> => {
    const { pathname, search } = url as URL;
    return server.get(pathname.replace('/api/v1', '') + search, 'enterprise');
  };
  const client = new OverroundClient({ url: 'http://localhost', fetch });
  const board = new Board();
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const { data, pagination } = await client.odds({ limit: 500, cursor });
    for (const row of data) board.put(row);
    cursor = pagination.next_cursor;
  }
  assert.equal(board.size, BOOKS * GAMES * LINES * 2);
  const ages = new PriceAges({ client, clock: server.clock, isTight: false }, board);
  // Seen again every 15 s, and asked for as often.
  for (let turn = 0; turn < 6; turn++) {
    server.clock.set(server.clock.now() + 15_000);
    await poll();
    await ages.ask(board.blocks.values());
    const old = board.rows().filter((row) => board.staleAtMs(row) < server.clock.now());
    assert.equal(old.length, 0, `turn ${turn}`);
  }
});
