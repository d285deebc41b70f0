// Middles of markets with many lines, and of markets in which no book has both sides.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startUniverses } from '../../src/detection/detection-limits.js';
import { MIDDLE_LINES_MAX, MIDDLES_MAX } from '../../src/detection/middle-finder.js';
import type { IngestMarket } from '../../src/intake/ingest/message.js';
import { catalogue } from '../writer/shard/rig.js';
import { of, show, sides, world } from './one-game.js';
import { comparable } from './published.js';
import type { ShardInMemory } from './shard-in-memory.js';

const UNIVERSES = startUniverses(catalogue);

/** Over and under at each line; 0 is no price. */
const totals = (quotes: readonly [line: number, over: number, under: number][]): IngestMarket =>
  sides(
    'total_points',
    quotes.flatMap(([line, over, under]) =>
      [
        { selection_type: 'over', line, odds_decimal: over, is_alternate_line: true },
        { selection_type: 'under', line, odds_decimal: under, is_alternate_line: true },
      ].filter(({ odds_decimal }) => odds_decimal > 0),
    ),
  );

/** `count` lines one point apart, at prices of which any two make a profit. */
const ladder = (count: number, price = 2.05, first = 200.5): IngestMarket =>
  totals(Array.from({ length: count }, (_, i) => [first + i, price, price]));

const linesOf = ({ item }: { item: Record<string, unknown> }): [number, number] => [
  (item['side1'] as { line: number }).line,
  (item['side2'] as { line: number }).line,
];

function assertAsFromScratch(shard: ShardInMemory): void {
  const scratch = shard.fromScratch(UNIVERSES);
  for (const { key } of UNIVERSES)
    assert.deepEqual(comparable(shard.published.of(key)), comparable(scratch.of(key)), key);
}

test('in a market with more middles than the limit the best are found, and the market is counted', () => {
  const shard = world();
  show(shard, { fanduel: [ladder(44)], draftkings: [ladder(44)] });
  assert.equal(of(shard, 'middle').length, (44 * 43) / 2);
  assert.equal(shard.shard.boundedMarkets, 0);
  show(shard, { fanduel: [ladder(50)], draftkings: [ladder(50)] });
  const middles = of(shard, 'middle');
  assert.equal(middles.length, MIDDLES_MAX);
  assert.ok(shard.shard.boundedMarkets > 0);
  // At equal prices the wider pair is worth more: with a pair of lines every pair around it must be found.
  const found = new Set(middles.map((middle) => linesOf(middle).join()));
  const worth = new Map(middles.map((middle) => [linesOf(middle).join(), middle.edge]));
  const least = Math.min(...worth.values());
  for (const middle of middles) {
    const [low, high] = linesOf(middle);
    for (const [wideLow, wideHigh] of [
      [low - 1, high],
      [low, high + 1],
    ] as const)
      if (wideLow >= 200.5 && wideHigh <= 249.5 && middle.edge > least)
        assert.ok(found.has(`${wideLow},${wideHigh}`), `${wideLow},${wideHigh}`);
  }
  assertAsFromScratch(shard);
  show(shard, { fanduel: [ladder(44)], draftkings: [ladder(44)] });
  assert.equal(of(shard, 'middle').length, (44 * 43) / 2);
  assertAsFromScratch(shard);
});

test('of a market with more lines than all books show those nearest to the centre are looked at', () => {
  const shard = world();
  const overs = Array.from({ length: MIDDLE_LINES_MAX + 10 }, (_, i): [number, number, number] => [
    100.5 + i,
    i === 50 ? 1.9 : 1.02,
    i === 50 ? 1.9 : 0,
  ]);
  // A sure middle at lines that nobody expects.
  const over = (count: number) => [totals([...overs.slice(0, count), [1_000.5, 2.2, 0]])];
  show(shard, { fanduel: over(MIDDLE_LINES_MAX - 2), draftkings: [totals([[1_001.5, 0, 2.2]])] });
  assert.equal(shard.shard.boundedMarkets, 0);
  assert.ok(of(shard, 'middle').length > 0);
  show(shard, { fanduel: over(overs.length) });
  assert.equal(of(shard, 'middle').length, 0);
  assert.ok(shard.shard.boundedMarkets > 0);
});

test('middles of many lines begin, stay and end as from scratch, line by line and book by book', () => {
  const shard = world();
  const books = ['fanduel', 'draftkings', 'pinnacle', 'betmgm'];
  show(shard, Object.fromEntries(books.map((book) => [book, [ladder(14)]])));
  const show1 = (book: string, market: IngestMarket): void => {
    show(shard, { [book]: [market] });
    assertAsFromScratch(shard);
  };
  show1('fanduel', ladder(14, 2.06));
  show1('pinnacle', ladder(10, 2.01, 203.5));
  show1('draftkings', ladder(16, 2.1, 198.5));
  show1('betmgm', ladder(3, 2.2));
  show1('fanduel', ladder(9, 2.03, 202.5));
  show1('draftkings', ladder(2, 2.1));
  show1('pinnacle', ladder(18, 2.12, 197.5));
});

test('if no book has both sides of a line only middles that cannot lose are found, with a warning about their probability', () => {
  const shard = world();
  const shown = (overs: readonly [number, number, number][], unders: readonly [number, number, number][]) =>
    show(shard, { fanduel: [totals(overs)], draftkings: [totals(unders)] });
  // Over 215.5 with under 219.5 returns 2.5 % at least; with 2.0 it would lose half a percent.
  shown(
    [
      [215.5, 2.05, 0],
      [217.5, 1.99, 0],
    ],
    [[219.5, 0, 2]],
  );
  const middles = of(shard, 'middle');
  assert.deepEqual(middles.map(linesOf), [[215.5, 219.5]]);
  const { item } = middles[0]!;
  assert.deepEqual(item['warnings'], ['ONE_SIDED_PRICES']);
  assert.equal(item['is_guaranteed_profit'], true);
  const chance = item['middle_probability'] as number;
  assert.ok(chance > 0.05 && chance < 0.15, String(chance));
  assertAsFromScratch(shard);
  // A book with both sides shows where the centre is.
  show(shard, { pinnacle: [totals([[217.5, 1.9, 1.9]])] });
  const published = of(shard, 'middle');
  assert.deepEqual(published.map(linesOf).sort(), [
    [215.5, 217.5],
    [215.5, 219.5],
    [217.5, 219.5],
  ]);
  for (const { item: each } of published) assert.deepEqual(each['warnings'], []);
});

test('a sure middle is found even if the score has passed a line of which one side is still shown', () => {
  const shard = world();
  show(
    shard,
    { fanduel: [totals([[2.5, 2.1, 0]])], draftkings: [totals([[3.5, 0, 2.1]])] },
    { is_live: true, game_state: { period: 'Q1', clock: '5:00', home_score: 10, away_score: 8 } },
  );
  const [middle] = of(shard, 'middle');
  assert.deepEqual(middle!.item['warnings'], ['ONE_SIDED_PRICES']);
  assert.ok(Number.isFinite(middle!.edge) && middle!.edge > 0);
});

test('legs have the ids that their feeds tell, of all kinds with one book a leg', () => {
  const shard = world();
  const told = (type: string, book: string, quotes: readonly [number, number, number][]): IngestMarket => {
    const market = totals(quotes);
    const selections = market.selections.map((each) => ({ ...each, selection_id: `${book}-${each.selection_type}` }));
    return { ...market, market_type: type, market_id: `${book}.1`, selections };
  };
  show(shard, {
    fanduel: [told('total_points', 'fd', [[210.5, 2.2, 1.8]])],
    draftkings: [
      told('total_points', 'dk', [
        [210.5, 1.8, 2.2],
        [214.5, 1.5, 2.3],
      ]),
    ],
  });
  const ids = ({ market_id, selection_id }: Record<string, unknown>) => `${market_id} ${selection_id}`;
  const arbitrage = of(shard, 'arbitrage')[0]!.item['legs'] as Record<string, unknown>[];
  assert.deepEqual(arbitrage.map(ids).sort(), ['dk.1 dk-under', 'fd.1 fd-over']);
  const middle = of(shard, 'middle')[0]!.item;
  assert.deepEqual(['side1', 'side2'].map((side) => ids(middle[side] as Record<string, unknown>)).sort(), [
    'dk.1 dk-under',
    'fd.1 fd-over',
  ]);
});
