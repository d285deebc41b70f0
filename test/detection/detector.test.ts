import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { UniverseSpec } from '../../src/base/model/opportunity.js';
import { startUniverses } from '../../src/detection/detection-limits.js';
import { runs } from '../long.js';
import { catalogue } from '../writer/shard/rig.js';
import { type MarketBatch, marketStorm, messagesOf, START_MS } from './market-storm.js';
import { comparable } from './published.js';
import { ShardInMemory } from './shard-in-memory.js';

const PAIR: UniverseSpec = { key: 'draftkings,fanduel', books: ['draftkings', 'fanduel'] };
const WIDE: UniverseSpec = {
  key: 'wide',
  books: null,
  kept: { minEv: -8, minMiddleEv: -3, minMiddleSize: 0, maxHold: 20 },
};
const SPECS = [...startUniverses(catalogue), PAIR, WIDE];

/** Runs a storm; `check` is called after every third batch and after the last, when no change is delayed any more. */
function play(batches: readonly MarketBatch[], check: (shard: ShardInMemory) => void): void {
  const shard = new ShardInMemory(START_MS, SPECS);
  for (const [i, batch] of batches.entries()) {
    const nowMs = shard.position / 1000 + batch.passMs;
    shard.apply(messagesOf(batch, nowMs), nowMs);
    if (i % 3 !== 2 && i !== batches.length - 1) continue;
    shard.flush();
    check(shard);
  }
}

const quote = (kind: number, side: number, line: number, price: number, suspended?: 'side') => ({
  kind,
  side,
  line,
  alternate: false,
  price,
  other: 0,
  suspended,
});
const poll = (book: string, game: number, quotes: (ReturnType<typeof quote> & { laid?: true })[]) => ({
  book,
  game,
  scope: 'event' as const,
  ageS: 0,
  quotes,
  live: undefined,
  status: undefined,
  state: undefined,
});
const FIVE_SCORED = { period: 'Q1', clock: null, home_score: 5, away_score: 0 };
/**
 * Two prices that the score has passed, beside a line that has no prices any more: it must not move the centre of the
 * market.
 */
const UNPRICED_LINE = [
  { passMs: 1, polls: [poll('draftkings', 1, [quote(3, 0, 2.5, 1.5, 'side')])] },
  { passMs: 310_000, polls: [poll('draftkings', 0, [quote(0, 0, -1.5, 1.5)])] },
  {
    passMs: 1,
    polls: [
      poll('pinnacle', 1, [quote(3, 0, 0, 2.1)]),
      { ...poll('draftkings', 1, [quote(3, 1, -1.5, 2.1)]), state: FIVE_SCORED },
    ],
  },
] as MarketBatch[];

/** A selection is laid at a book whose other lay price alone says whether it may charge a commission. */
const LAID_ELSEWHERE = [
  {
    passMs: 1,
    polls: [
      poll('corner_shop', 0, [
        { ...quote(0, 0, -1.5, 2.1), laid: true },
        { ...quote(0, 0, -1.5, 1.5), other: 3.3, laid: true },
      ]),
    ],
  },
  { passMs: 100, polls: [poll('ballybet', 0, [{ ...quote(0, 0, -1.5, 2.3), other: 1.8 }])] },
  {
    passMs: 30_000,
    polls: [poll('corner_shop', 0, [{ ...quote(0, 1, 1.5, 1.5), alternate: true, other: 2.1, laid: true }])],
  },
] as MarketBatch[];

test('after any batches the published opportunities equal an evaluation of the present prices from scratch', () => {
  const kinds = new Map<string, number>();
  fc.assert(
    fc.property(marketStorm, (batches) =>
      play(batches, (shard) => {
        const scratch = shard.fromScratch(SPECS);
        for (const { key } of SPECS) {
          assert.deepEqual(comparable(shard.published.of(key)), comparable(scratch.of(key)), key);
          for (const { kind } of shard.published.of(key)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        }
      }),
    ),
    {
      numRuns: runs(15),
      includeErrorInReport: true,
      interruptAfterTimeLimit: 60_000,
      examples: [[UNPRICED_LINE], [LAID_ELSEWHERE]],
    },
  );
  // The storm would prove nothing without opportunities.
  for (const kind of ['ev', 'arbitrage', 'middle', 'low_hold']) assert.ok((kinds.get(kind) ?? 0) > 0, kind);
});

test('a wider universe has all that the usual one has, and the usual one nothing beyond its limits', () => {
  let beyond = 0;
  fc.assert(
    fc.property(marketStorm, (batches) =>
      play(batches, (shard) => {
        const all = (key: string) => shard.published.of(key);
        const wide = new Set(comparable(all('wide')).map((one) => JSON.stringify(one)));
        for (const one of comparable(all('sharp'))) assert.ok(wide.has(JSON.stringify(one)), JSON.stringify(one));
        for (const one of all('sharp'))
          assert.ok(one.kind === 'low_hold' ? one.edge <= 5 : one.edge >= 0, JSON.stringify(one));
        beyond += wide.size - all('sharp').length;
      }),
    ),
    { numRuns: runs(12), includeErrorInReport: true, interruptAfterTimeLimit: 60_000 },
  );
  assert.ok(beyond > 10, String(beyond));
});

test('a universe registered late joins a market with each batch, and has all in the end, as from scratch', () => {
  const LATE: UniverseSpec[] = [
    { key: 'late', books: ['betmgm', 'bovada', 'draftkings', 'pinnacle'] },
    { key: 'later', books: null, kept: { minEv: -8 } },
  ];
  let joined = 0;
  let most = 0;
  fc.assert(
    fc.property(marketStorm, fc.nat({ max: 8 }), (batches, from) => {
      const shard = new ShardInMemory(START_MS, startUniverses(catalogue), undefined, 1);
      const waited = new Map<string, number>();
      const step = (raw: readonly unknown[], nowMs: number) => {
        shard.apply(raw, nowMs);
        for (const [key, batches] of waited) waited.set(key, batches + 1);
        most = Math.max(most, ...waited.values());
        if (shard.shard.joining) return;
        joined += waited.size;
        waited.clear();
      };
      for (const [i, batch] of batches.entries()) {
        const spec = LATE[i === from ? 0 : i === from + 1 ? 1 : 2];
        if (spec !== undefined) {
          shard.shard.registerUniverse(spec);
          waited.set(spec.key, 0);
        }
        const nowMs = shard.position / 1000 + batch.passMs;
        step(messagesOf(batch, nowMs), nowMs);
      }
      for (let i = 0; i < 200 && shard.shard.joining; i++) step([], shard.position / 1000 + 1);
      assert.equal(shard.shard.joining, false);
      shard.flush();
      const scratch = shard.fromScratch([...startUniverses(catalogue), ...LATE]);
      for (const key of [...shard.published.universes.keys()])
        assert.deepEqual(comparable(shard.published.of(key)), comparable(scratch.of(key)), key);
    }),
    { numRuns: runs(12), includeErrorInReport: true, interruptAfterTimeLimit: 60_000 },
  );
  assert.ok(joined > 0 && most > 1, `${joined} ${most}`);
});
