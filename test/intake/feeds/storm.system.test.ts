// Random order books at local venues that lose messages, send bad ones, hang, restart, answer slowly, with 429 and with
// half an answer: in the end the table equals the venues' own state. A few seconds here; ten minutes with
// OVERROUND_LONG_TESTS=1.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { KalshiFeed } from '../../../src/intake/feeds/kalshi/feed.js';
import { PolymarketFeed } from '../../../src/intake/feeds/polymarket/feed.js';
import { Random } from '../../../src/intake/feeds/sim/prng.js';
import { LONG } from '../../long.js';
import { eventually } from '../../support/until.js';
import { KalshiVenue, KEY, KEY_ID } from './kalshi/venue.js';
import { PLACES, TEAMS } from './kit/nba-teams.js';
import { catalogue, type ShownRow, served } from './kit/served.js';
import type { VenueServer } from './kit/venue-server.js';
import { PolymarketVenue } from './polymarket/venue.js';

const STORM_MS = LONG ? Number(process.env['STORM_SECONDS'] ?? 600) * 1_000 : 2_000;
const SEED = Number(process.env['STORM_SEED'] ?? 7);
const START = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 6 * 3_600_000).toISOString();
const DAY = START.slice(0, 10);
type Best = { price: number; size: number } | null;
/** The venue's best price by market type, side, line and token or game. */
type World = Map<string, () => Best>;
type Side = readonly [ticker: string, side: 'yes' | 'no'];
/** The contracts' sides that offer each bet. */
const SIDES = new Map<string, readonly Side[]>();

function polymarketGame(venue: PolymarketVenue, i: number, world: World): { id: string; tokens: string[] } {
  const [away, home] = [TEAMS[2 * i]!, TEAMS[2 * i + 1]!];
  const { id, tokens } = venue.list({
    slug: `nba-a${i}-h${i}-${DAY}`,
    series: '10345',
    start: START,
    title: `${away} vs. ${home}`,
    markets: [
      { kind: 'moneyline', outcomes: [away, home] },
      { kind: 'spreads', outcomes: [home, away], line: -3.5 },
      { kind: 'totals', outcomes: ['Over', 'Under'], line: 220.5 },
      { kind: 'totals', outcomes: ['Over', 'Under'], line: 222.5 },
    ],
  });
  for (const token of tokens.flat()) world.set(token, () => venue.best(token));
  return { id, tokens: tokens.flat() };
}

function kalshiGame(venue: KalshiVenue, i: number, world: World): string[] {
  const [away, home] = [PLACES[2 * i]!, PLACES[2 * i + 1]!];
  const suffix = `26NOV22A${i}H${i}`;
  const title = `${away} at ${home}`;
  const [a, h] = venue.list(
    'KXNBAGAME',
    suffix,
    title,
    [
      { code: 'A', yes: away },
      { code: 'H', yes: home },
    ],
    START,
  );
  const [spread] = venue.list('KXNBASPREAD', suffix, `${title}: Spread`, [
    { code: 'H3', yes: `${home} wins by over 3.5 Points`, strike: 3.5 },
  ]);
  const [total] = venue.list('KXNBATOTAL', suffix, `${title}: Total`, [
    { code: '220', yes: 'Over 220.5', strike: 220.5 },
  ]);
  const key = (what: string) => `${home}|${what}`;
  const offered = (what: string, ...sides: Side[]): void => {
    world.set(key(what), () => sides.map(([ticker, side]) => venue.best(ticker, side)).reduce(cheaper));
    SIDES.set(key(what), sides);
  };
  offered('moneyline away null', [a!, 'yes'], [h!, 'no']);
  offered('moneyline home null', [h!, 'yes'], [a!, 'no']);
  offered('point_spread home -3.5', [spread!, 'yes']);
  offered('point_spread away 3.5', [spread!, 'no']);
  offered('total_points over 220.5', [total!, 'yes']);
  offered('total_points under 220.5', [total!, 'no']);
  return [a!, h!, spread!, total!];
}

function cheaper(one: Best, other: Best): Best {
  if (one === null || other === null) return one ?? other;
  if (one.price === other.price) return { price: one.price, size: Math.round((one.size + other.size) * 1e6) / 1e6 };
  return one.price < other.price ? one : other;
}

function check(rows: readonly ShownRow[], world: World, keyOf: (row: ShownRow) => string): void {
  const shown = new Map<string, string>();
  for (const row of rows) if (row.is_active !== false) shown.set(keyOf(row), `${row.odds_decimal} x ${row.size}`);
  const expected = new Map<string, string>();
  for (const [key, best] of world) {
    const now = best();
    if (now !== null) expected.set(key, `${Math.round(1e6 / now.price) / 1e6} x ${now.size}`);
  }
  assert.deepEqual([...shown].sort(), [...expected].sort());
}

/** Every contract's ladder is the venue's: its messages are numbered, so that a lost one is seen. */
function checkLadders(rows: readonly ShownRow[], venue: KalshiVenue): void {
  for (const row of rows) {
    if (row.is_active === false) continue;
    const side = (what: 'back' | 'lay', floor: number) => {
      const stakes = new Map<number, number>();
      for (const [ticker, name] of SIDES.get(kalshiKey(row))!)
        for (const [odds, stake] of venue.offers(ticker, name, what))
          if (odds >= floor) stakes.set(odds, Math.round(((stakes.get(odds) ?? 0) + stake) * 1e6) / 1e6);
      return [...stakes].sort(([a], [b]) => (what === 'back' ? b - a : a - b)).slice(0, 5);
    };
    assert.deepEqual(row.depth, { back: side('back', 0), lay: side('lay', side('back', 0)[0]![0]) }, kalshiKey(row));
  }
}

const kalshiKey = (row: ShownRow): string => `${homeOf(row)}|${row.market_type} ${row.selection_type} ${row.line}`;

/** Injects one random fault of a venue. */
async function trouble(venue: VenueServer, random: () => number, pause: (ms: number) => Promise<void>): Promise<void> {
  const pick = Math.floor(random() * 9);
  if (pick === 0) venue.lose = 1 + Math.floor(random() * 3);
  else if (pick === 1)
    for (const client of venue.clients)
      venue.send(client, ['{"type":"order', '[1,2', '{}', 'null'][Math.floor(random() * 4)]);
  else if (pick === 2) venue.cut();
  else if (pick === 3) venue.statuses.push(429, 500, -1);
  else if (pick === 4) venue.delayMs = Math.floor(random() * 400);
  else if (pick === 5) venue.delayMs = 0;
  else if (pick === 6 && LONG) {
    venue.hangs = true;
    await pause(random() * 9_000);
    venue.hangs = false;
  } else if (pick === 7) {
    await venue.close();
    await pause(random() * (LONG ? 5_000 : 300));
    await venue.listen();
  }
}

test('after a storm the table equals the venues’ state', (t) => storm(t, true));
// A short run without a key is in kalshi/polled-books.system.test.ts.
test('without a key, too', { skip: !LONG }, (t) => storm(t, false));

async function storm(t: TestContext, keyed: boolean): Promise<void> {
  const chance = new Random(SEED);
  const random = () => chance.next();
  const [polymarket, kalshi] = [new PolymarketVenue(), new KalshiVenue()];
  await Promise.all([polymarket.listen(), kalshi.listen()]);
  t.after(() => Promise.all([polymarket.close(), kalshi.close()]));
  const worlds = { polymarket: new Map() as World, kalshi: new Map() as World };
  const games = [0, 1, 2, 3, 4];
  let tokens = games.slice(0, 4).flatMap((i) => polymarketGame(polymarket, i, worlds.polymarket).tokens);
  const contracts = games.flatMap((i) => kalshiGame(kalshi, i, worlds.kalshi));
  const feeds = [
    new PolymarketFeed({ ...polymarket.settings, sports: ['nba'], catalogue, random, discoverEveryMs: 700 }),
    new KalshiFeed({
      ...kalshi.settings,
      series: ['KXNBAGAME', 'KXNBASPREAD', 'KXNBATOTAL'],
      ...(keyed ? { key: { id: KEY_ID, key: KEY.privateKey } } : {}),
      catalogue,
      random,
      discoverEveryMs: 700,
    }),
  ];
  const world = await served(t, feeds);
  const move = (): void => {
    const token = tokens[Math.floor(random() * tokens.length)]!;
    // Asks stay above bids: venues match what crosses.
    const ask = random() < 0.6;
    polymarket.set(
      token,
      ask ? 'asks' : 'bids',
      ask ? 51 + Math.floor(random() * 30) : 20 + Math.floor(random() * 29),
      Math.floor(random() * 3) * 12.5,
    );
    const contract = contracts[Math.floor(random() * contracts.length)]!;
    kalshi.set(contract, random() < 0.5 ? 'yes' : 'no', 20 + Math.floor(random() * 29), Math.floor(random() * 4) * 7);
  };
  const endMs = Date.now() + STORM_MS;
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const troubles = (venue: VenueServer) =>
    (async () => {
      while (Date.now() < endMs) {
        await pause(random() * (LONG ? 3_000 : 300));
        await trouble(venue, random, pause);
      }
    })();
  const moves = (async () => {
    while (Date.now() < endMs) {
      for (let i = 0; i < 3; i++) move();
      await pause(5);
    }
  })();
  await Promise.all([troubles(polymarket), troubles(kalshi), moves]);
  for (const venue of [polymarket, kalshi]) {
    venue.lose = 0;
    venue.delayMs = 0;
    venue.statuses.length = 0;
  }
  // Nothing tells of a lost message before the next one, or before whole books are compared, which the short run does not
  // wait for.
  const reveal = (level: number): void => {
    if (LONG) return;
    for (const [token] of worlds.polymarket) polymarket.set(token, 'bids', level, 1);
    for (const contract of contracts) kalshi.set(contract, 'yes', level, 11);
  };
  reveal(2);
  // A game that is listed after all others.
  tokens = polymarketGame(polymarket, 4, worlds.polymarket).tokens;
  polymarket.set(tokens[0]!, 'asks', 60, 5);
  const agree = () =>
    eventually(async () => {
      check(await world.rows('polymarket'), worlds.polymarket, (row) => row.exchange_token_id!);
      const rows = await world.rows('kalshi');
      check(rows, worlds.kalshi, kalshiKey);
      checkLadders(rows, kalshi);
    });
  await agree();
  // The faults are over, except for lost messages.
  for (const venue of [polymarket, kalshi]) venue.lose = 6;
  for (let i = 0; i < 6; i++) move();
  for (const venue of [polymarket, kalshi]) venue.lose = 0;
  reveal(3);
  await agree();
}

function homeOf({ event_id }: ShownRow): string {
  const [, home] = event_id.split('_');
  return PLACES[TEAMS.findIndex((team) => team.toLowerCase() === home)] ?? event_id;
}
