// Lines whose relevant prices did not change are not evaluated: their opportunities, and when each was detected and
// changed, must be those of evaluating every line after every batch.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { UniverseSpec } from '../../src/base/model/opportunity.js';
import { type Row, RowChange } from '../../src/base/model/row.js';
import type { BookQuotes } from '../../src/base/model/state.js';
import { startUniverses } from '../../src/detection/detection-limits.js';
import { composed } from '../../src/detection/kinds/recorded-opportunity.js';
import { Moves } from '../../src/detection/moves/moves.js';
import type { WatchedPrices } from '../../src/detection/price-watcher.js';
import type { WatchedUniverse } from '../../src/detection/watched-universe.js';
import type { IngestMarket, IngestMessage } from '../../src/intake/ingest/message.js';
import type { UniverseNews } from '../../src/log/delta/opportunity.js';
import { catalogue } from '../writer/shard/rig.js';
import { marketStorm, messagesOf, START_MS } from './market-storm.js';
import { world as game, of, show, sides } from './one-game.js';
import { ShardInMemory } from './shard-in-memory.js';

const longTests = Number(process.env['OVERROUND_LONG_TESTS'] ?? 0) > 0;

const SPECS: UniverseSpec[] = [
  ...startUniverses(catalogue),
  { key: 'four', books: ['draftkings', 'betmgm', 'bovada', 'betfair'] },
];
const WIDE: UniverseSpec[] = [
  ...SPECS,
  { key: 'wide', books: null, kept: { minEv: -3, minMiddleEv: -3, minMiddleSize: 0, maxHold: 20 } },
];

/** Counts changed prices whose lines are not evaluated for it; with `every` set, every line is. */
class Watcher extends Moves {
  changed = 0;
  ignored = 0;
  #prices!: WatchedPrices;
  readonly #every: boolean;

  constructor(every: boolean) {
    super();
    this.#every = every;
  }

  override reset(prices: WatchedPrices): void {
    super.reset(prices);
    this.#prices = prices;
  }

  override noted(row: Row, quotes: BookQuotes): void {
    super.noted(row, quotes);
    if (row.change === RowChange.added) return;
    this.changed++;
    if (this.#prices.index.marketLineOf(row.no)?.dirty === false) this.ignored++;
  }

  override evaluate(position: number, nowMs: number, universes: readonly WatchedUniverse[]): void {
    const { index } = this.#prices;
    if (this.#every)
      for (const event of index.events.keys())
        for (const marketLine of index.marketLinesOf(event)) index.touch(marketLine);
    super.evaluate(position, nowMs, universes);
  }
}

class Pair {
  readonly relevant = new Watcher(false);
  readonly #shards: ShardInMemory[];
  #batches = 0;

  constructor(specs: readonly UniverseSpec[]) {
    this.#shards = [this.relevant, new Watcher(true)].map((watcher) => new ShardInMemory(START_MS, specs, watcher));
  }

  apply(messages: (nowMs: number) => readonly unknown[], passMs: number): void {
    // No two batches are whole milliseconds apart: an update that waits for its second would be sent by whatever else
    // is evaluated at that very moment.
    const nowMs = this.#shards[0]!.position / 1000 + passMs + 0.001;
    this.#batches++;
    const [relevant, every] = this.#shards.map((shard) => sorted(shard.apply(messages(nowMs), nowMs)));
    assert.deepEqual(relevant, every, `batch ${this.#batches}`);
  }
}

/** In an order that does not depend on that of the evaluation. */
function sorted(news: readonly UniverseNews[]): unknown[] {
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  return news
    .map(({ detected, expired, ...rest }) => ({
      ...rest,
      detected: detected.map(composed).toSorted(byId),
      expired: expired.toSorted(byId),
    }))
    .sort((a, b) => (a.universe < b.universe ? -1 : 1));
}

const BOOKS = ['draftkings', 'betmgm', 'bovada', 'fanduel', 'betfair', 'betrivers', 'pinnacle'];
const SHARP = BOOKS.indexOf('pinnacle');
const MARKETS = [
  { market_type: 'moneyline_3way', types: ['home', 'away', 'draw'], line: null, fair: [2.4, 3, 3.4] },
  { market_type: 'total_points', types: ['over', 'under'], line: 220.5, fair: [2, 2] },
  { market_type: 'total_points', types: ['over', 'under'], line: 221.5, fair: [2.04, 1.96] },
] as const;

interface Quote {
  book: number;
  market: number;
  side: number;
  /** Percent of the fair price. */
  level: number;
  ageS: number;
  active: boolean;
}

const level = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 84, max: 93 }) },
  { weight: 2, arbitrary: fc.integer({ min: 94, max: 98 }) },
  { weight: 1, arbitrary: fc.integer({ min: 99, max: 104 }) },
);
const quote: fc.Arbitrary<Quote> = fc.record({
  // The last one, sharp, more often.
  book: fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 6, 6),
  market: fc.nat(MARKETS.length - 1),
  side: fc.nat(2),
  level,
  ageS: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 10, 250, 320),
  active: fc.integer({ min: 0, max: 15 }).map((one) => one > 0),
});
/** The prices of a market at every book, and one after the other of its changes. */
const world = fc.record({
  first: fc.array(level, { minLength: 7 * 7, maxLength: 7 * 7 }),
  /** Whether the sharp book quotes, and whether it has a main line: the centre of a market is that of main lines. */
  sharp: fc.constantFrom('main', 'main', 'alternate', 'none'),
  changes: fc.array(
    fc.record({ passMs: fc.constantFrom(50, 1_500, 1_500, 1_500, 1_500, 1_500, 1_500, 1_500, 1_500, 30_000), quote }),
    {
      minLength: 30,
      maxLength: 40,
      size: 'max',
    },
  ),
});

/** Every price a book shows there: a market that is listed with some sides only would lose the others. */
class Prices {
  readonly #levels: number[];
  readonly #active: boolean[];
  readonly #sharpMain: boolean;

  constructor(levels: readonly number[], sharpMain: boolean) {
    this.#sharpMain = sharpMain;
    this.#levels = [...levels];
    this.#active = levels.map(() => true);
  }

  set({ book, market, side, level, active }: Quote): void {
    const at = place(book, market, side % MARKETS[market]!.types.length);
    this.#levels[at] = level;
    this.#active[at] = active;
  }

  message(book: number, markets: readonly number[], nowMs: number, ageS = 0): IngestMessage {
    return {
      book: BOOKS[book]!,
      polled_at: new Date(nowMs).toISOString(),
      scope: 'none',
      events: [
        {
          league: 'nba',
          home_team: 'Los Angeles Lakers',
          away_team: 'Boston Celtics',
          start_time: new Date(START_MS + 86_400_000).toISOString(),
          markets: markets.map((market) => this.#market(book, market, nowMs - ageS * 1_000)),
        },
      ],
    };
  }

  #market(book: number, market: number, seenMs: number): IngestMarket {
    const { market_type, types, line, fair } = MARKETS[market]!;
    return {
      market_type,
      last_seen_at: new Date(seenMs).toISOString(),
      selections: types.map((type, side) => {
        const at = place(book, market, side);
        return {
          selection: type,
          selection_type: type,
          odds_decimal: Math.round(fair[side]! * this.#levels[at]!) / 100,
          ...(this.#active[at] ? {} : { is_active: false }),
          ...(line === null ? {} : { line, is_alternate_line: line !== 220.5 || (book === SHARP && !this.#sharpMain) }),
        };
      }),
    };
  }
}

const SIDES = MARKETS.map(({ types }) => types.length);
const ALL = MARKETS.map((_, market) => market);

/** Index of a price, book by book. */
function place(book: number, market: number, side: number): number {
  const sides = SIDES.reduce((sum, count) => sum + count, 0);
  return book * sides + SIDES.slice(0, market).reduce((sum, count) => sum + count, 0) + side;
}

test('one price after the other: where it is not relevant, evaluating its line would have changed nothing', () => {
  let changed = 0;
  let ignored = 0;
  fc.assert(
    fc.property(world, fc.constantFrom(SPECS, SPECS, SPECS, WIDE), ({ first, sharp, changes }, specs) => {
      const pair = new Pair(specs);
      const prices = new Prices(first, sharp === 'main');
      const books = BOOKS.length - (sharp === 'none' ? 1 : 0);
      pair.apply((nowMs) => BOOKS.slice(0, books).map((_, book) => prices.message(book, ALL, nowMs)), 1);
      for (const { passMs, quote } of changes) {
        const book = quote.book % books;
        prices.set({ ...quote, book });
        pair.apply((nowMs) => [prices.message(book, [quote.market], nowMs, quote.ageS)], passMs);
      }
      changed += pair.relevant.changed;
      ignored += pair.relevant.ignored;
    }),
    { numRuns: longTests ? 100 : 8, includeErrorInReport: true },
  );
  // Where everything is evaluated the law says nothing. A few runs may happen to have only relevant changes.
  if (longTests) assert.ok(ignored > changed / 50, `${ignored} of ${changed}`);
});

test('after any batches news are those of evaluating every line', () => {
  fc.assert(
    fc.property(marketStorm, (batches) => {
      const pair = new Pair(WIDE);
      for (const batch of batches) pair.apply((nowMs) => messagesOf(batch, nowMs), batch.passMs);
    }),
    { numRuns: longTests ? 100 : 5, includeErrorInReport: true },
  );
});

const moneyline = (home: number, away: number) =>
  sides('moneyline', [
    { selection_type: 'home', odds_decimal: home },
    { selection_type: 'away', odds_decimal: away },
  ]);

test('the second best price counts where one book has the best of both sides of an arbitrage', () => {
  const shard = game();
  // Both best prices are of one book: the arbitrage needs the second best price of one of the sides.
  show(shard, { draftkings: [moneyline(2.05, 2.05)], betmgm: [moneyline(1.9, 2)] });
  assert.deepEqual(legsOf(of(shard, 'arbitrage')), [['draftkings 2.05', 'betmgm 2']]);
  show(shard, { betmgm: [moneyline(1.9, 1.99)] });
  assert.deepEqual(legsOf(of(shard, 'arbitrage')), [['draftkings 2.05', 'betmgm 1.99']]);
  show(shard, { betmgm: [moneyline(1.9, 1.92)] });
  assert.deepEqual(of(shard, 'arbitrage'), []);
});

test('a best price that falls counts, also where its book states no newer time', () => {
  const shard = game();
  const at = '2026-11-20T17:59:58Z';
  const seenThen = (home: number) => ({ ...moneyline(home, 1.9), last_seen_at: at });
  show(shard, { draftkings: [seenThen(2.05)], betmgm: [moneyline(1.8, 1.95)] });
  const [before] = of(shard, 'low_hold');
  assert.deepEqual(before!.books, ['draftkings', 'betmgm']);
  show(shard, { draftkings: [seenThen(1.7)] });
  assert.deepEqual(of(shard, 'low_hold'), []);
});

function legsOf(arbitrages: readonly { item: Record<string, unknown> }[]): string[][] {
  return arbitrages.map(({ item }) =>
    (item['legs'] as Record<string, unknown>[]).map((leg) => `${leg['sportsbook']} ${leg['odds_decimal']}`),
  );
}
