// A venue that falls silent, in each of the ways in which it can: within ten seconds no row is active.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Feed } from '../../../src/intake/feeds/feed.js';
import { KalshiFeed } from '../../../src/intake/feeds/kalshi/feed.js';
import { PolymarketFeed } from '../../../src/intake/feeds/polymarket/feed.js';
import { stopwatch } from '../../support/own-time.js';
import { until } from '../../support/until.js';
import { KalshiVenue, KEY, KEY_ID } from './kalshi/venue.js';
import { catalogue } from './kit/served.js';
import { feedBench, RECEIPT } from './kit/venue.js';
import { PolymarketVenue } from './polymarket/venue.js';

const START = new Date(Date.now() + 6 * 3_600_000).toISOString();

async function polymarket(): Promise<[PolymarketVenue, Feed]> {
  const made = new PolymarketVenue();
  await made.listen();
  const { tokens } = made.list({
    slug: `nba-bos-lal-${START.slice(0, 10)}`,
    series: '10345',
    start: START,
    title: 'Celtics vs. Lakers',
    markets: [{ kind: 'moneyline', outcomes: ['Celtics', 'Lakers'] }],
  });
  made.set(tokens[0]![0], 'asks', 56, 100);
  made.set(tokens[0]![0], 'bids', 53, 100);
  return [made, new PolymarketFeed({ ...made.settings, sports: ['nba'], catalogue, random: Math.random })];
}

async function kalshi(): Promise<[KalshiVenue, Feed]> {
  const made = new KalshiVenue();
  await made.listen();
  const markets = [
    { code: 'LAL', yes: 'Los Angeles L' },
    { code: 'BOS', yes: 'Boston' },
  ];
  for (const ticker of made.list('KXNBAGAME', '26NOV22LALBOS', 'Los Angeles L at Boston', markets, START))
    made.set(ticker, 'no', 42, 100);
  const key = { id: KEY_ID, key: KEY.privateKey };
  const options = { ...made.settings, series: ['KXNBAGAME'], catalogue, random: Math.random, key };
  return [made, new KalshiFeed(options)];
}

interface Silence {
  on(): void;
  off(): void;
}

/** Runs the feed until its venue is silent and no row is active; then until both are back. */
async function silenced(t: TestContext, feed: Feed, close: () => Promise<void>, silence: Silence): Promise<void> {
  const active = new Map<string, boolean>();
  const { context } = feedBench(async (messages) => {
    for (const { markets } of messages.flatMap(({ events = [] }) => events))
      for (const { selection_type, is_active } of markets.flatMap(({ selections }) => selections))
        active.set(String(selection_type), is_active !== false);
    return RECEIPT;
  });
  const running = feed.run(context);
  t.after(async () => {
    silence.off();
    await close();
    feed.stop();
    await running;
  });
  const shown = () => [...active.values()].filter((each) => each).length;
  await until('both rows', () => shown() === 2);
  silence.on();
  const passed = stopwatch(t);
  await until('no row', () => shown() === 0);
  const goneMs = passed();
  assert.ok(goneMs < 10_000, `${goneMs} ms`);
  // A socket that can be opened again, and answers to requests, do not bring them back.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  assert.equal(shown(), 0);
  silence.off();
  await until('both rows again', () => shown() === 2);
}

test('within 10 s of silence no row is active, whatever else still answers', { concurrency: true }, async (t) => {
  const set = (target: object, ...names: string[]): Silence => ({
    on: () => Object.assign(target, Object.fromEntries(names.map((name) => [name, true]))),
    off: () => Object.assign(target, Object.fromEntries(names.map((name) => [name, false]))),
  });
  const cases: [string, () => Promise<[PolymarketVenue | KalshiVenue, Feed]>, string[]][] = [
    ['Polymarket: nothing comes over sockets, requests are answered', polymarket, ['hangs']],
    ['Polymarket: the same, and a proxy answers pings', polymarket, ['hangs', 'isBehindProxy']],
    ['Polymarket: PING alone is answered, and no request', polymarket, ['isMute', 'isUnreachable']],
    ['Kalshi: nothing comes over sockets, requests are answered', kalshi, ['hangs']],
    ['Kalshi: the same, and a proxy answers pings', kalshi, ['hangs', 'isBehindProxy']],
  ];
  await Promise.all(
    cases.map(([name, make, faults]) =>
      t.test(name, async (t) => {
        const [venue, feed] = await make();
        await silenced(t, feed, () => venue.close(), set(venue, ...faults));
      }),
    ),
  );
});
