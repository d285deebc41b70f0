// Simulated and real odds never share a data directory.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Feed } from '../../src/intake/feeds/feed.js';
import { SimFeed } from '../../src/intake/feeds/sim/feed.js';
import { simOptions } from '../../src/intake/feeds/sim/market.js';
import type { IngestMessage } from '../../src/intake/ingest/message.js';
import { loadCatalogue } from '../../src/rules/catalogue/load.js';
import { createLog } from '../../src/server/observe/log.js';
import { type RunningServer, startServer } from '../../src/server/start.js';
import { takeDirectory } from '../../src/store/held-odds.js';
import { atOnce } from '../accounts/keys-at-once.js';
import { newFolder } from '../temp-folders.js';
import { earlierStore } from './earlier-store.js';

const log = createLog('silent');
const quiet: Feed = { name: 'sim', simulated: true, run: async () => {}, stop: () => {} };
const real: Feed = { name: 'venue', simulated: false, run: async () => {}, stop: () => {} };

function start(data: string, ...feeds: Feed[]): Promise<RunningServer> {
  return startServer({ settings: { data, port: '0', workers: '1' }, feeds, log });
}

function pushed(book: string, extra: object = {}): IngestMessage {
  return {
    book,
    polled_at: new Date().toISOString(),
    scope: 'event',
    events: [
      {
        league: 'nba',
        home_team: 'Boston Celtics',
        away_team: 'Los Angeles Lakers',
        start_time: new Date(Date.now() + 3_600_000).toISOString(),
        markets: [
          {
            market_type: 'moneyline',
            selections: [
              { selection: 'Boston Celtics', selection_type: 'home', odds_american: -150 },
              { selection: 'Los Angeles Lakers', selection_type: 'away', odds_american: 130 },
            ],
          },
        ],
      },
    ],
    ...extra,
  };
}

async function rows({ url }: RunningServer, key: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/odds?limit=1`, { headers: { 'x-api-key': key } });
  return ((await answer.json()) as { pagination: { total: number } }).pagination.total;
}

async function saysSimulated({ url }: RunningServer): Promise<boolean> {
  return ((await (await fetch(`${url}/api/v1/health`)).json()) as { simulated: boolean }).simulated;
}

test('a directory of one kind is refused by the other in one line that says what to do, and keeps its odds', async () => {
  const data = newFolder();
  const pushing = await start(data);
  const { key } = atOnce(pushing.server.accounts).create({ tier: 'enterprise' });
  await pushing.ingest([pushed('draftkings')]);
  await pushing.close();
  await assert.rejects(start(data, quiet), (error: Error) => {
    assert.match(error.message, /^the data directory .* holds real odds, .*--data \.\/data-simulated.*--feed none/);
    return !error.message.includes('\n');
  });
  const again = await start(data);
  assert.equal(await rows(again, key), 2, 'nothing was removed');
  await again.close();

  const other = newFolder();
  const simulated = await start(other, quiet);
  await simulated.ingest([pushed('draftkings')]);
  assert.equal(await saysSimulated(simulated), true);
  await simulated.close();
  await assert.rejects(start(other, real), /holds simulated odds, .*--data \.\/data\).*--feed sim$/);
  const still = await start(other);
  assert.equal(await saysSimulated(still), true, 'without feeds it opens as what it is');
  await still.close();
  await (await start(other, quiet)).close();
});

test('a recorded simulated market can be posted to a server without feeds that has no odds yet', async () => {
  const data = newFolder();
  const server = await start(data);
  const { key } = atOnce(server.server.accounts).create({ tier: 'enterprise' });
  assert.equal(await saysSimulated(server), false);
  await server.ingest([pushed('draftkings', { simulated: true })]);
  assert.deepEqual([await rows(server, key), await saysSimulated(server)], [2, true]);
  await server.close();
  await assert.rejects(start(data, real), /holds simulated odds/);
  const again = await start(data);
  assert.deepEqual([await rows(again, key), await saysSimulated(again)], [2, true]);
  await again.close();

  const venue = await start(newFolder(), real);
  const refused = await venue.ingest([pushed('draftkings', { simulated: true })]);
  assert.deepEqual(
    [refused.accepted, await saysSimulated(venue)],
    [0, false],
    'where a feed brings real odds none are',
  );
  await venue.close();
});

test('a message that says it is simulated is refused where odds are real', async (t) => {
  const server = await start(newFolder());
  t.after(() => server.close());
  const { key } = atOnce(server.server.accounts).create({ tier: 'enterprise', scopes: ['ingest'] });
  const push = async (...messages: IngestMessage[]) =>
    (await (
      await fetch(`${server.url}/api/v1/ingest`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson' },
        body: messages.map((message) => JSON.stringify(message)).join('\n'),
      })
    ).json()) as { accepted: number; rejected: { path: string; reason: string }[]; error?: { message: string } };
  await push(pushed('fanduel'));
  const mixed = await push(pushed('draftkings', { simulated: true }), pushed('fanduel'));
  assert.deepEqual(
    [mixed.accepted, mixed.rejected],
    [2, [{ path: '[0].simulated', reason: 'odds of a simulated market, and this server has real ones' }]],
  );
  assert.match((await push(pushed('draftkings', { simulated: true }))).error!.message, /odds of a simulated market/);
  assert.equal(await rows(server, key), 2);
});

test('what an earlier release made is of the kind its keys tell, unless its file says otherwise', async () => {
  for (const [tested, held] of [
    [true, 'simulated'],
    [false, 'real'],
  ] as const) {
    const data = newFolder();
    await (await start(data)).close();
    await earlierStore(data, { keys: { ab: { hash: 'ab', masked: tested ? 'sk_test_a…b' : 'sk_live_a…b' } } });
    const file = join(data, 'overround.json');
    const { simulated: _unknown, ...old } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify(old));
    await assert.rejects(
      takeDirectory(data, !tested),
      new RegExp(`holds ${held} odds.*add "simulated":${!tested} to its overround.json$`),
    );
    await (await takeDirectory(data, tested))();
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).simulated, tested, 'from now on it is known');
    writeFileSync(file, JSON.stringify({ ...old, simulated: !tested }));
    await (await takeDirectory(data, !tested))();
  }
});

test('odds pushed into a simulated market stay until it starts again, which says what it removes', async (t) => {
  const data = newFolder();
  const first = await start(data, quiet);
  await first.ingest([pushed('draftkings'), pushed('a_book_of_mine')]);
  await first.close();
  const lines: string[] = [];
  const market = new SimFeed(simOptions({ books: 2, events: 2, rate: 10 }), loadCatalogue());
  const again = await startServer({
    settings: { data, port: '0', workers: '1' },
    feeds: [market],
    log: createLog('warn', { write: (line: string) => lines.push(line) }),
  });
  t.after(() => again.close());
  while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const { removed, msg } = JSON.parse(lines[0]!) as { removed: number; msg: string };
  assert.equal(removed, 2, 'those of its own books alone');
  assert.match(msg, /prices of an earlier market were removed, and with them any that were pushed/);
});
