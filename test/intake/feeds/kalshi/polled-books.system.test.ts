import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { KalshiFeed } from '../../../../src/intake/feeds/kalshi/feed.js';
import type { PollingPace } from '../../../../src/intake/feeds/kalshi/polled-books.js';
import { Random } from '../../../../src/intake/feeds/sim/prng.js';
import { eventually } from '../../../support/until.js';
import { catalogue, type Served, served } from '../kit/served.js';
import { KalshiVenue } from './venue.js';

const START = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 6 * 3_600_000).toISOString();
const WINNERS = [
  { code: 'LAL', yes: 'Los Angeles L' },
  { code: 'BOS', yes: 'Boston' },
];

interface Rig {
  venue: KalshiVenue;
  world: Served;
  lal: string;
  bos: string;
  totals: string[];
}

/** A game with this many totals, followed without a key. */
async function rig(
  t: TestContext,
  contracts: number,
  polling: PollingPace = {},
  prepare: (venue: KalshiVenue) => void = () => {},
): Promise<Rig> {
  const venue = new KalshiVenue();
  await venue.listen();
  t.after(() => venue.close());
  const [lal, bos] = venue.list('KXNBAGAME', '26NOV22LALBOS', 'Los Angeles L at Boston', WINNERS, START);
  const ladder = Array.from({ length: contracts }, (_, i) => ({
    code: `${i}`,
    yes: `Over ${i + 150.5}`,
    strike: i + 150.5,
  }));
  const totals = venue.list('KXNBATOTAL', '26NOV22LALBOS', 'Los Angeles L at Boston: Total', ladder);
  venue.set(bos!, 'no', 42, 100);
  for (const [i, ticker] of totals.entries()) {
    venue.set(ticker, 'yes', 20 + (i % 29), 10);
    venue.set(ticker, 'no', 20 + (i % 31), 5);
  }
  prepare(venue);
  const feed = new KalshiFeed({
    ...venue.settings,
    series: ['KXNBAGAME', 'KXNBATOTAL'],
    catalogue,
    random: Math.random,
    discoverEveryMs: 300,
    polling: { requestsPerSecond: 40, ...polling },
  });
  return { venue, world: await served(t, feed), lal: lal!, bos: bos!, totals };
}

/** The active rows of the table equal those of the venue. */
async function agree({ venue, world, totals, lal, bos }: Rig): Promise<void> {
  const shown = (await world.rows('kalshi'))
    .filter(({ is_active }) => is_active !== false)
    .map((row) => `${row.selection_type} ${row.line} ${row.odds_decimal} x ${row.size}`);
  const expected: string[] = [];
  const say = (side: string, line: number | null, best: { price: number; size: number } | null): void => {
    if (best !== null) expected.push(`${side} ${line} ${Math.round(1e6 / best.price) / 1e6} x ${best.size}`);
  };
  for (const [i, ticker] of totals.entries()) {
    say('over', i + 150.5, venue.best(ticker, 'yes'));
    say('under', i + 150.5, venue.best(ticker, 'no'));
  }
  for (const [side, own, other] of [
    ['home', bos, lal],
    ['away', lal, bos],
  ] as const) {
    const [a, b] = [venue.best(own, 'yes'), venue.best(other, 'no')];
    say(side, null, a === null || b === null ? (a ?? b) : a.price <= b.price ? a : b);
  }
  assert.deepEqual(shown.sort(), expected.sort());
}

test('without a key books are polled, a hundred per request, and rows are as old as the answers', async (t) => {
  const r = await rig(t, 125);
  const { venue, world, bos, totals } = r;
  await eventually(() => agree(r));
  assert.equal(venue.clients.size, 0, 'the socket wants a key');
  const batches = venue.requests.filter((each) => each.includes('/markets/orderbooks?'));
  assert.ok(batches.every((each) => (each.match(/tickers=/g)?.length ?? 0) <= 100));
  venue.set(bos, 'no', 44, 7);
  for (let i = 0; i < 40; i++) venue.set(totals[i]!, 'no', 55, 3);
  venue.set(totals[50]!, 'yes', 20 + 50, 0);
  await eventually(() => agree(r));
  // If the answers lack a book, its row grows old: its last_seen_at does not change.
  venue.withheld.add(totals[7]!);
  await eventually(async () => {
    const rows = await world.rows('kalshi');
    const retained = rows.filter(({ line }) => line === 157.5);
    assert.deepEqual(
      retained.map(({ is_active }) => is_active),
      [false, false],
    );
  });
  venue.withheld.clear();
  await eventually(() => agree(r));
  const { feeds } = (await world.read('/health')) as {
    feeds: { state: string; last_success: string; error: unknown }[];
  };
  assert.deepEqual([feeds[0]!.state, feeds[0]!.error], ['running', null]);
});

test('if requests for several books are refused, books are requested one by one, those with other best prices first', async (t) => {
  const r = await rig(t, 45, { requestsPerSecond: 15, listEveryMs: 500 }, (venue) => {
    venue.noBatch = 401;
  });
  const { venue, world } = r;
  await eventually(() => agree(r));
  assert.ok(world.log.some((line) => line.includes('one by one')));
  // The book requested last: its own turn is a whole round away.
  const asks = venue.requests.filter((each) => each.endsWith('/orderbook') && each.includes('KXNBATOTAL'));
  const last = asks.at(-1)!.split('/').at(-2)!;
  venue.set(last, 'no', 60, 9);
  const from = venue.requests.length;
  await eventually(() => agree(r));
  const asked = venue.requests.slice(from).filter((each) => each.endsWith('/orderbook'));
  const before = asked.findIndex((each) => each.includes(last));
  assert.ok(before >= 0 && before < 30, `${before} books were asked for before it`);
  // A row is as old as the answer with its book.
  const rows = (await world.rows('kalshi')) as unknown as { last_seen_at: string }[];
  const ages = rows.map(({ last_seen_at }) => Date.now() - Date.parse(last_seen_at));
  assert.ok(Math.max(...ages) > 1_500, 'nothing polled one by one is of now throughout');
});

test('after 429, truncated and invalid answers the books are right; an unreachable venue has no prices', async (t) => {
  const r = await rig(t, 125, { goneMs: 2_500 });
  const { venue, totals, world } = r;
  await eventually(() => agree(r));
  const random = new Random(5);
  venue.statuses.push(429, -1, 500, 429, -1);
  let spoiled = false;
  for (let i = 0; i < 30 || !spoiled || venue.badBooks > 0; i++) {
    // After the refusals: an invalid book in an answer that is cut would never be read.
    if (i >= 15 && !spoiled && venue.statuses.length === 0) {
      venue.badBooks = 150;
      spoiled = true;
    }
    for (let k = 0; k < 5; k++) {
      const ticker = totals[Math.floor(random.next() * 125)]!;
      venue.set(
        ticker,
        random.next() < 0.5 ? 'yes' : 'no',
        20 + Math.floor(random.next() * 29),
        Math.floor(random.next() * 3) * 4,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  await eventually(() => agree(r));
  // While others are answered.
  venue.broken.add(totals[0]!);
  await eventually(async () => {
    const rows = await world.rows('kalshi');
    assert.ok(rows.every(({ line, is_active }) => line !== 150.5 || is_active === false));
    assert.ok(rows.some(({ is_active }) => is_active !== false));
  });
  venue.broken.clear();
  await eventually(() => agree(r));
  // One that cannot be read is not asked for all the time.
  const [, bad] = totals;
  venue.unreadable.add(bad!);
  await eventually(async () => {
    const rows = await world.rows('kalshi');
    assert.ok(rows.every(({ line, is_active }) => line !== 151.5 || is_active === false));
  });
  const from = venue.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const asked = venue.requests.slice(from).filter((each) => new RegExp(`${bad}(?!\\d)`).test(each)).length;
  assert.ok(asked <= 4, `${asked} requests`);
  venue.unreadable.clear();
  await eventually(() => agree(r));
  const metrics = await (await fetch(`${world.server.url}/metrics`)).text();
  assert.match(metrics, /what="bad_messages"\} [1-9]/);
  await venue.close();
  await eventually(async () => {
    const rows = await world.rows('kalshi');
    assert.ok(rows.length > 0 && rows.every(({ is_active }) => is_active === false));
  });

  await eventually(async () => {
    const { feeds } = (await world.read('/health')) as { feeds: { state: string; error: string }[] };
    assert.equal(feeds[0]!.state, 'failing');
  });
  venue.set(totals[0]!, 'no', 61, 2);
  await venue.listen();
  await eventually(() => agree(r));
});
