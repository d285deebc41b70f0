// `--feed`: every form of the contract, clear errors, and no secret in any of them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../../../src/base/model/clock.js';
import { makeFeeds } from '../../../src/cli/feeds.js';
import { ConfigError, parseConfig } from '../../../src/config/config.js';
import { listArg, numberArg } from '../../../src/intake/feeds/feed-kind.js';
import type { IngestMessage } from '../../../src/intake/ingest/message.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { newFolder } from '../../temp-folders.js';
import { specIn } from './access.js';

test('every form of the contract is read', () => {
  assert.deepEqual(specIn('sim'), { kind: 'sim', args: {} });
  assert.deepEqual(specIn('sim:seed=7,books=28,events=400,rate=5000'), {
    kind: 'sim',
    args: { seed: '7', books: '28', events: '400', rate: '5000' },
  });
  assert.deepEqual(specIn('replay:odds.ndjson.gz,speed=60'), {
    kind: 'replay',
    argument: 'odds.ndjson.gz',
    args: { speed: '60' },
  });
});

test('lists contain commas, and so may the name of a recording', () => {
  const spec = specIn('the-odds-api:sports=baseball_mlb,basketball_nba,regions=us,us2,markets=h2h,every=45');
  assert.deepEqual(listArg(spec, 'sports'), ['baseball_mlb', 'basketball_nba']);
  assert.deepEqual(listArg(spec, 'regions'), ['us', 'us2']);
  assert.equal(numberArg(spec, 'every', 1, 100), 45);
  assert.equal(specIn('replay:C:\\my odds, may.gz,speed=2').argument, 'C:\\my odds, may.gz');
});

test('an invalid feed is refused with the valid ones', () => {
  for (const [text, reason] of [
    ['simm', /unknown feed "simm"; known: .*kalshi, .*sim, the-odds-api, none$/],
    ['', /unknown feed; known/],
    ['sim:sead=7', /sim: unknown parameter "sead"; known: seed, books, events, rate/],
    ['sim:seed', /sim: expected name=value/],
    ['sim:seed=1,2', /sim: expected name=value/],
    ['sim:seed=1,seed=2', /sim: seed is given twice/],
    ['sim:seed=', /sim: seed is empty/],
    ['sim:toString=1', /sim: unknown parameter/],
    ['replay', /replay: the recording is missing/],
    ['replay:,speed=60', /replay: the recording is missing/],
    ['replay:f,sped=60', /replay: unknown parameter "sped"/],
    ['the-odds-api:regions=us', /sports=… is missing/],
    ['the-odds-api:sports=a', /regions=… \(or bookmakers=…\) is missing/],
    ['the-odds-api:sports=a,,regions=us', /expected name=value/],
  ] as [string, RegExp][])
    assert.throws(() => specIn(text), { message: reason }, text);
});

test('a key on the command line is refused without being repeated', () => {
  const key = '0123456789abcdef0123456789abcdef';
  for (const text of [
    `the-odds-api:sports=a,regions=us,apiKey=${key}`,
    `the-odds-api:${key}`,
    `the-odds-api:${key}=1`,
    `sim:seed=1,${key}`,
    key,
    'sk_live_abcdef',
  ])
    assert.throws(
      () => specIn(text),
      (error: Error) => {
        return !error.message.includes(key) && !error.message.includes('sk_live');
      },
    );
  assert.throws(() => specIn(`the-odds-api:sports=a,regions=us,key=${key}`), /set THE_ODDS_API_KEY/);
});

test('no text makes it throw anything but one clear line', () => {
  const part = fc.constantFrom(
    'sim',
    'replay',
    'the-odds-api',
    'none',
    ':',
    ',',
    '=',
    'seed',
    'sports',
    'speed',
    'a',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      try {
        const spec = specIn(parts.join(''));
        for (const value of Object.values(spec.args)) assert.equal(typeof value, 'string');
      } catch (error) {
        assert.match((error as Error).message, /^(unknown feed|sim|replay|the-odds-api|none)/);
        assert.ok(!(error as Error).message.includes('\n'));
      }
    }),
  );
});

const made = (feed: string, env: Record<string, string> = {}) =>
  makeFeeds(parseConfig({ feed: [feed] }, {}), loadCatalogue(), env).then(([only]) => only!);

test('feeds are created from specs, with defaults and limits', async () => {
  const key = { THE_ODDS_API_KEY: 'k' };
  const feed = await made('the-odds-api:sports=a,b,regions=us', key);
  assert.equal(feed.name, 'the-odds-api:sports=a,b,regions=us,markets=h2h,spreads,totals,every=30');
  await assert.rejects(made('the-odds-api:sports=a,regions=us'), /THE_ODDS_API_KEY/);
  await assert.rejects(made('the-odds-api:sports=a,regions=us,every=0', key), /every is not a number from 1 to 86400/);
  await assert.rejects(made('the-odds-api:sports=a,regions=us', { ...key, THE_ODDS_API_URL: 'file:///etc/passwd' }), {
    message: 'THE_ODDS_API_URL must be a URL that begins with https:// or http://',
  });
  const file = join(newFolder(), 'f');
  writeFileSync(file, '');
  assert.equal((await made(`replay:${file}`)).name, `replay:${file},speed=1`);
  assert.equal((await made(`replay:${file},timestamps=shift,speed=0`)).name, `replay:${file},speed=0,timestamps=shift`);
  await assert.rejects(made(`replay:${file},timestamps=now`), /one of recorded, shift/);
  await assert.rejects(made('polymarket:sports=constructor'), /sports has a name that is not one of nba/);
  await assert.rejects(made('replay:/nowhere'), /there is no such file/);
  await assert.rejects(
    makeFeeds(parseConfig({ feed: ['kalshi', 'sim', 'kalshi:series=KXNBAGAME'] }, {}), loadCatalogue(), {}),
    /kalshi is given twice/,
  );
});

const OWN = `
export const feed = {
  kind: 'mine',
  parameters: { league: 'value' },
  settings: [{ name: 'key', env: 'MINE_KEY', description: 'a key', parse: (text) => text }],
  make({ args }, { settings, catalogue }) {
    if (settings.key === undefined) throw new Error('mine needs the environment variable MINE_KEY');
    const name = \`mine:\${catalogue.leagueOf(args.league).id} \${settings.key}\`;
    return { name, simulated: false, run: async () => {}, stop() {} };
  },
};`;

test("a module of a user's own is a feed like the others: its parameters, settings and errors are its own", async () => {
  const file = join(newFolder(), 'my-feed.mjs');
  writeFileSync(file, OWN);
  assert.equal((await made(`${file}:league=NBA`, { MINE_KEY: 'k' })).name, 'mine:nba k');
  for (const [feed, reason] of [
    [`${file}:league=nba`, /^--feed: mine needs the environment variable MINE_KEY$/],
    [`${file}:team=x`, /^--feed: mine: unknown parameter "team"; known: league$/],
    [`${file}:key=x`, /^--feed: mine: a key does not belong on the command line; set MINE_KEY$/],
    ['./nowhere.mjs', /^--feed: \.\/nowhere\.mjs: Cannot find module/],
  ] as const)
    await assert.rejects(made(feed, {}), (error: Error) => error instanceof ConfigError && reason.test(error.message));
  writeFileSync(join(file, '../other.mjs'), 'export const feed = { kind: 1 };');
  await assert.rejects(made(join(file, '../other.mjs')), /it must export feed \{kind, make\}/);
});

test('a folder of feeds is listed nowhere: each with a kind.ts is known by its name', () => {
  const folders = readdirSync('src/intake/feeds', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const kinds = folders.filter(({ name }) => existsSync(`src/intake/feeds/${name}/kind.ts`));
  assert.ok(kinds.length >= 8);
  for (const { name } of kinds) {
    const kind = /kind: '([\w-]+)'/.exec(readFileSync(`src/intake/feeds/${name}/kind.ts`, 'utf8'))![1]!;
    assert.throws(() => specIn(`${kind}:,nonsense=1`), new RegExp(`^Error: ${kind}: `));
  }
});

test("the template of a feed of one's own polls, sends what it was told, and reports what fails", async (t) => {
  let answers: (() => unknown)[] = [];
  const server = createServer((_request, response) => {
    const answer = answers.shift()?.();
    response.writeHead(answer === undefined ? 500 : 200).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const game = {
    home: 'Boston Celtics',
    away: 'Miami Heat',
    start: '2026-11-22T00:00:00Z',
    homeOdds: -110,
    awayOdds: 100,
  };
  answers = [() => [game]];
  const { port } = server.address() as AddressInfo;
  const feed = await made('./examples/feed-template/my-feed.js:league=NBA,every=0', {
    MY_FEED_URL: `http://127.0.0.1:${port}`,
  });
  assert.equal(feed.name, 'my-feed:league=nba');
  const batches: IngestMessage[][] = [];
  const failures: string[] = [];
  const failed = (part: string, reason: string): void => {
    failures.push(`${part}: ${reason}`);
    feed.stop();
  };
  await feed.run({
    clock: systemClock,
    sink: async (messages) => {
      batches.push(messages);
      return { accepted: 2, changed: 2, unchanged: 0, removed: 0, stale: 0, rejected: [] } as never;
    },
    log: { info() {}, warn() {}, error() {} },
    report: { succeeded() {}, failed },
  });
  assert.deepEqual(failures, ['nba: 500 from the venue']);
  assert.deepEqual(
    batches.map(([message]) => message?.events?.[0]?.home_team),
    ['Boston Celtics'],
  );
});
