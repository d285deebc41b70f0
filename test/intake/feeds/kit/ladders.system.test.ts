// A second reading of the venues' messages, by plain maps: after every message the ladder of each outcome is the one that
// the feeds make of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ladderOf, topOdds } from '../../../../src/intake/feeds/kit/ladder.js';
import { TokenBook } from '../../../../src/intake/feeds/polymarket/token-book.js';
import { feedIn } from '../access.js';
import { isRecorded, RUNNERS, recordedFile, recordedLines } from '../betfair/recorded.js';
import { feedBench } from './venue.js';

const IDS = RUNNERS;
const KEPT = 5;

type Book = Map<number, number>;
type Offers = (readonly [odds: number, size: number])[];

const six = (value: number): number => Math.round(value * 1e6) / 1e6;

/** The best offers, those at equal odds added up, in parts of a currency; `sign` 1: the highest odds first. */
function best(offers: Offers, sign: 1 | -1, parts = 1e6): Offers {
  const sizes = new Map<number, number>();
  for (const [odds, size] of offers) sizes.set(six(odds), (sizes.get(six(odds)) ?? 0) + size);
  const levels = [...sizes].map(([odds, size]) => [odds, Math.round(size * parts) / parts] as const);
  return levels
    .filter(([, size]) => size > 0)
    .sort(([a], [b]) => (b - a) * sign)
    .slice(0, KEPT);
}

interface Recorded {
  pt: number;
  mc: {
    marketDefinition?: { status: string; runners: { id: number; status: string }[] };
    rc?: { id: number; atb?: [number, number][]; atl?: [number, number][] }[];
  }[];
}

/** By time of the message, the ladder of each of the two runners as text. */
function* secondReading(): Generator<[at: string, ladders: string[]]> {
  const books = new Map(
    IDS.flatMap((id) => ['atb', 'atl'].map((side): [string, Book] => [`${id} ${side}`, new Map()])),
  );
  let status = '';
  for (const line of recordedLines()) {
    const { pt, mc } = JSON.parse(line) as Recorded;
    for (const { marketDefinition, rc = [] } of mc) {
      status = marketDefinition?.status ?? status;
      for (const runner of rc)
        for (const side of ['atb', 'atl'] as const)
          for (const [price, size] of runner[side] ?? [])
            if (size === 0) books.get(`${runner.id} ${side}`)!.delete(price);
            else books.get(`${runner.id} ${side}`)!.set(price, size);
    }
    const ladders = IDS.map((id, i) => {
      const own = (side: string): Offers => [...books.get(`${id} ${side}`)!];
      const turned = (side: string): Offers =>
        [...books.get(`${IDS[1 - i]} ${side}`)!].map(([odds, size]) => [odds / (odds - 1), size * (odds - 1)]);
      const back = best([...own('atb'), ...turned('atl')], 1, 100);
      const floor = back[0]?.[0] ?? 0;
      const lay = best([...own('atl'), ...turned('atb')].filter(([odds]) => six(odds) >= floor), -1, 100); // biome-ignore format: one line
      if (status !== 'OPEN' || back.length === 0) return 'none';
      return JSON.stringify({ back, lay });
    });
    yield [new Date(pt).toISOString(), ladders];
  }
}

test('the ladders of a recorded market are those of the recording at every message', {
  skip: !isRecorded && 'no recorded stream',
}, async () => {
  const bench = feedBench();
  const feed = await feedIn(`betfair-stream:replay=${recordedFile(recordedLines())},speed=0`, {}, { depth: KEPT });
  await feed.run(bench.context);
  const published = new Map<string, string[]>();
  let last = ['none', 'none'];
  for (const { polled_at, events = [] } of bench.batches.flat()) {
    for (const { markets } of events)
      for (const { selections } of markets)
        for (const { selection_type, is_active, depth } of selections) {
          last = [...last];
          last[selection_type === 'home' ? 0 : 1] = is_active === false ? 'none' : JSON.stringify(depth ?? null);
        }
    published.set(polled_at, last);
  }
  // Messages of one time are one state in the end.
  let compared = 0;
  for (const [at, ladders] of new Map(secondReading()))
    if (published.has(at)) {
      assert.deepEqual(published.get(at), ladders, at);
      compared++;
    }
  assert.ok(compared > 5_000, `${compared} compared`);
});

const change = fc.record({
  side: fc.constantFrom<'bid' | 'ask'>('bid', 'ask'),
  priceMicros: fc.integer({ min: 1, max: 40 }),
  countMicros: fc.constantFrom(0, 0, 1_500_000, 7_000_000, 12_250_000),
});
/** Asks above half, bids below: venues match what crosses. */
const placed = ({ side, priceMicros, countMicros }: { side: 'bid' | 'ask'; priceMicros: number; countMicros: number }) => ({
  side,
  countMicros,
  priceMicros: (side === 'ask' ? 50 + priceMicros : 50 - priceMicros) * 10_000,
}); // biome-ignore format: as the type

test('a token’s ladder is that of its order book after every change', () => {
  let levels = 0;
  fc.assert(
    fc.property(fc.array(change, { maxLength: 80 }), (changes) => {
      const book = new TokenBook();
      book.replace({ bids: [], asks: [] }, 0);
      const truth = { bid: new Map() as Book, ask: new Map() as Book };
      for (const one of changes.map(placed)) {
        book.change([one], 0);
        if (one.countMicros === 0) truth[one.side].delete(one.priceMicros);
        else truth[one.side].set(one.priceMicros, one.countMicros);
        const odds = (side: Book): Offers =>
          [...side].map(([price, count]) => [1e6 / price, Math.round((price / 1e6) * count) / 1e6]);
        const [back, lay] = [best(odds(truth.ask), 1), best(odds(truth.bid), -1)];
        const shown = ladderOf([topOdds(book.asks, KEPT)], [topOdds(book.bids, KEPT)], KEPT);
        assert.deepEqual(shown, back.length + lay.length === 0 ? null : { back, lay });
        levels += back.length + lay.length;
      }
    }),
    { numRuns: 60 },
  );
  assert.ok(levels > 300, `${levels} levels`);
});
