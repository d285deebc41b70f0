// Fields that an upstream's documents do not have are noted by name, by every feed; documented ones are not.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../../src/base/model/clock.js';
import { BetfairReplayFeed } from '../../../src/intake/feeds/betfair/replay.js';
import type { Feed, FeedContext } from '../../../src/intake/feeds/feed.js';
import { KalshiFeed } from '../../../src/intake/feeds/kalshi/feed.js';
import { DocumentedFields } from '../../../src/intake/feeds/kit/documented-fields.js';
import { OpticOddsFeed } from '../../../src/intake/feeds/opticodds/feed.js';
import { PolymarketFeed } from '../../../src/intake/feeds/polymarket/feed.js';
import { DOCUMENTED as SHARP_API, SharpApiFeed } from '../../../src/intake/feeds/sharpapi/feed.js';
import { TheOddsApiFeed } from '../../../src/intake/feeds/the-odds-api/poller.js';
import { Odds } from '../../../src/schema/odds-items.js';
import { until } from '../../support/until.js';
import { newFolder } from '../../temp-folders.js';
import { KalshiVenue, KEY, KEY_ID } from './kalshi/venue.js';
import { catalogue } from './kit/served.js';
import { StreamServer } from './kit/stream-server.js';
import { OpticService } from './opticodds/optic-service.js';
import { PolymarketVenue } from './polymarket/venue.js';
import { bookmaker, event, LEAGUES, market } from './the-odds-api/answers.js';
import { json, stage, upstream } from './the-odds-api/upstream.js';

const random = Math.random;
const START = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 6 * 3_600_000).toISOString();

/** Runs the feed until it has noted the wanted fields; it may note no others. */
async function notes(t: TestContext, feed: Feed, wanted: readonly string[]): Promise<void> {
  const found = new Set<string>();
  const quiet = { info: () => {}, warn: () => {}, error: () => {} };
  const context: FeedContext = {
    clock: systemClock,
    log: quiet,
    sink: async (messages) => ({ accepted: messages.length, changed: 0, removed: 0, rejected: [] }),
    report: { succeeded: () => {}, failed: () => {}, unknownField: (name) => void found.add(name) },
  };
  const running = feed.run(context);
  t.after(async () => {
    feed.stop();
    await running;
  });
  await until('they are noted', () => wanted.every((name) => found.has(name)));
  assert.deepEqual([...found].sort(), [...wanted].sort());
}

test('SharpAPI: of rows in snapshots and changes', async (t) => {
  const atMs = Date.now();
  const row = {
    ...{ id: 'r1', sportsbook: 'fanduel', event_id: 'nba_1', sport: 'basketball', league: 'nba', is_live: false },
    ...{ home_team: 'Boston Celtics', away_team: 'Miami Heat', event_start_time: START, is_active: true },
    ...{ market_type: 'moneyline', selection: 'Boston Celtics', selection_type: 'home', odds_american: -110 },
    timestamp: new Date(atMs).toISOString(),
  };
  class Service extends StreamServer {
    override joined(): [string, unknown][] {
      const [snapshot, change] = [
        { ...row, new_fee: 0.01 },
        { id: 'r1', odds_american: -120, price_unit: 'cents' },
      ];
      return [
        ['connected', {}],
        ['snapshot', { odds: [snapshot] }],
        ['snapshot:complete', {}],
        ['odds:update', { odds: [change] }],
      ];
    }
    override answer(): unknown {
      return { data: [], meta: {} };
    }
  }
  const service = new Service();
  await service.listen();
  t.after(() => service.close());
  const feed = new SharpApiFeed({ url: `${service.url}/api/v1`, apiKey: 'secret', leagues: [], books: [], random });
  await notes(t, feed, ['odds.new_fee', 'odds.price_unit']);
});

test('SharpAPI: every field that overround itself sends is a documented one', () => {
  const known = new Set(SHARP_API.odds.fields.split(/\s+/));
  assert.deepEqual(
    Object.keys(Odds.properties).filter((name) => !known.has(name)),
    [],
  );
});

test('OpticOdds: of games and odds', async (t) => {
  class Service extends OpticService {
    override answer(url: URL): unknown {
      const body = super.answer(url) as { data: { odds?: object[] }[] };
      if (url.pathname.endsWith('/active')) return { ...body, data: body.data.map((game) => ({ ...game, pitch: 1 })) };
      for (const game of body.data) game.odds = game.odds?.map((odd) => ({ ...odd, price_unit: 'cents' })) ?? [];
      return body;
    }
  }
  const service = new Service();
  await service.listen();
  t.after(() => service.close());
  const feed = new OpticOddsFeed({
    ...{ url: `${service.url}/api/v3`, apiKey: 'secret', books: ['dk_us'], random },
    leagues: [{ id: 'nba', sport: 'basketball', opticId: 'nba' }],
    bookId: (name) => catalogue.bookId(name),
  });
  await notes(t, feed, ['fixture.pitch', 'odds.price_unit']);
});

test('Polymarket: of listed events and markets, and of the market channel', async (t) => {
  const venue = new PolymarketVenue();
  await venue.listen();
  t.after(() => venue.close());
  const { tokens } = venue.list({
    ...{ slug: `nba-bos-lal-${START.slice(0, 10)}`, series: '10345', start: START, title: 'Celtics vs. Lakers' },
    markets: [{ kind: 'moneyline', outcomes: ['Celtics', 'Lakers'], more: { feeSchedule: { rate: 0.05, floor: 1 } } }],
    more: { overtimeRule: 'x' },
  });
  const [[token]] = tokens as [[string, string]];
  venue.set(token, 'asks', 55, 100);
  const feed = new PolymarketFeed({ ...venue.settings, sports: ['nba'], catalogue, random, discoverEveryMs: 300 });
  const level = { asset_id: token, price: '0.4', size: '5', side: 'BUY', lot: 1 };
  const timer = setInterval(
    () => venue.tell({ event_type: 'price_change', timestamp: '1', price_changes: [level] }),
    50,
  );
  t.after(() => clearInterval(timer));
  await notes(t, feed, ['event.overtimeRule', 'fee_schedule.floor', 'price_changes.lot']);
});

test('Kalshi: of listed events and contracts, and of the channel of order books', async (t) => {
  const venue = new KalshiVenue();
  await venue.listen();
  t.after(() => venue.close());
  const [lal] = venue.list(
    'KXNBAGAME',
    '26NOV22LALBOS',
    'Los Angeles L at Boston',
    [
      { code: 'LAL', yes: 'Los Angeles L', more: { new_rule: 'x' } },
      { code: 'BOS', yes: 'Boston' },
    ],
    START,
  );
  const feed = new KalshiFeed({
    ...{ ...venue.settings, series: ['KXNBAGAME'], catalogue, random, discoverEveryMs: 300 },
    key: { id: KEY_ID, key: KEY.privateKey },
  });
  const msg = { market_ticker: lal, side: 'yes', price_dollars: '0.4000', delta_fp: '1.00', lot: 1 };
  const timer = setInterval(() => venue.tell({ type: 'orderbook_delta', msg }), 50);
  t.after(() => clearInterval(timer));
  await notes(t, feed, ['market.new_rule', 'orderbook_delta.lot']);
});

test('Betfair: of changes, definitions and runners', async (t) => {
  const path = join(newFolder('overround-fields-'), 'stream.ndjson');
  const runners = [{ id: 5, sortPriority: 1, status: 'ACTIVE', name: 'Team A', colour: 'red' }];
  const marketDefinition = { status: 'OPEN', marketType: 'MATCH_ODDS', runners, newRule: true };
  const mc = [{ id: '1.1', img: true, marketDefinition, rc: [{ id: 5, batb: [[0, 2, 100]], lot: 1 }] }];
  writeFileSync(path, `${JSON.stringify({ op: 'mcm', id: 1, clk: 'a', pt: Date.now(), mc })}\n`);
  const feed = new BetfairReplayFeed({ path, lookup: catalogue, speed: 0 });
  await notes(t, feed, ['marketDefinition.newRule', 'runners.colour', 'rc.lot']);
});

test('The Odds API: of events, bookmakers, markets and outcomes', async (t) => {
  const outcome = { name: 'River City Herons', price: 110, each_way: true };
  const book = bookmaker('fanduel', [market('h2h', [outcome], { rules: 'x' })], { licence: 'x' });
  const body = [event('e1', [book], { venue: 'x' })];
  const server = await upstream((_request, response) => json(response, 200, body));
  t.after(() => server.close());
  const { wait } = stage(Number.POSITIVE_INFINITY, () => {});
  const feed = new TheOddsApiFeed({
    ...{ sports: ['baseball_mlb'], regions: ['us'], markets: ['h2h'], everyS: 3_600, apiKey: 'k', baseUrl: server.url },
    ...{ leagues: LEAGUES, random, wait: (ms, signal) => (ms === 0 ? wait(ms, signal) : pause(signal)) },
  });
  await notes(t, feed, ['event.venue', 'bookmaker.licence', 'market.rules', 'outcome.each_way']);
});

/** Until the feed is stopped. */
function pause(signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }));
}

test('the first objects of a kind are looked at, then a few of many; of a list other objects each time', () => {
  const seen: string[] = [];
  const documented = { row: { fields: 'id', within: { legs: 'leg' } }, leg: { fields: 'id' } };
  const report = { succeeded: () => {}, failed: () => {}, unknownField: (name: string) => void seen.push(name) };
  const fields = new DocumentedFields(documented, report);
  for (let i = 0; i < 100_000; i++) fields.look('row', { id: i, extra: 1 });
  assert.ok(seen.length > 64 && seen.length < 1_000, String(seen.length));
  seen.length = 0;
  const legs = Array.from({ length: 40 }, (_, i) => (i === 39 ? { id: i, fee: 1 } : { id: i }));
  const others = new DocumentedFields(documented, report);
  for (let i = 0; i < 64; i++) others.look('row', { id: i, legs });
  assert.ok(seen.includes('leg.fee'));
  seen.length = 0;
  for (const value of [null, 5, 'text', [], [[]], undefined, [null]]) others.look('row', value);
  assert.deepEqual(seen, []);
});
