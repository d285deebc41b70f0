import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OpportunityFilter, type OpportunityFilterParams } from '../../../src/answers/opportunities/filter.js';
import { type ListQuestion, list, lowHoldSummary, middlesSummary } from '../../../src/answers/opportunities/list.js';
import { BET_KINDS, type BetKind } from '../../../src/base/model/opportunity.js';
import { DEFAULT_LIMITS } from '../../../src/detection/kinds/caller-thresholds.js';
import type { Opportunity } from '../../../src/log/delta/opportunity.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { universeOf } from '../../../src/tables/filter/universe.js';
import { OddsTable } from '../../../src/tables/table.js';
import { example, idOf, NOW_MS } from './examples.js';

const catalogue = loadCatalogue(undefined);
const table = new OddsTable(catalogue);

const ask = (kind: BetKind, opportunities: Iterable<Opportunity>, change: Partial<ListQuestion> = {}) =>
  list({
    kind,
    opportunities,
    matches: () => true,
    limits: DEFAULT_LIMITS,
    sort: undefined,
    bestOfEvent: false,
    limit: 50,
    offset: 0,
    nowMs: NOW_MS,
    ...change,
  });

const matching = (opportunities: Opportunity[], params: OpportunityFilterParams): Opportunity[] => {
  const universe = universeOf(catalogue, 'pro', undefined, () => true);
  const filter = new OpportunityFilter(table, catalogue, universe, params, NOW_MS);
  return opportunities.filter((opportunity) => filter.matches(opportunity));
};

const SORTS: [BetKind, string | undefined][] = [
  ...[undefined, '-ev', 'ev', '-confidence', 'kelly', 'start_time', '-book_count'].map(
    (sort): [BetKind, string | undefined] => ['ev', sort],
  ),
  ...[undefined, 'profit', 'start_time', 'sport'].map((sort): [BetKind, string | undefined] => ['arbitrage', sort]),
  ...[undefined, 'quality', 'ev', 'probability', 'middle_size'].map((sort): [BetKind, string | undefined] => [
    'middle',
    sort,
  ]),
  ...[undefined, 'hold', 'market', 'sport'].map((sort): [BetKind, string | undefined] => ['low_hold', sort]),
];

test('pages of any sort and size together are the complete list: nothing twice, nothing missing', () => {
  const sample = fc.record({
    edge: fc.constantFrom(2, 3, 4),
    startMs: fc.constantFrom(NOW_MS, NOW_MS + 1),
    sport: fc.constantFrom('soccer', 'hockey'),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...SORTS),
      fc.array(sample, { maxLength: 40 }),
      fc.integer({ min: 1, max: 7 }),
      ([kind, sort], samples, limit) => {
        const all = samples.map((change, n) => example(kind, { ...change, id: idOf(n) }));
        const paged: string[] = [];
        for (let offset = 0; offset < all.length; offset += limit) {
          // The order of arrival must not matter.
          const shuffled = [...all].sort(() => (offset % 2 === 0 ? 1 : -1));
          paged.push(...ask(kind, shuffled, { sort, limit, offset }).page.map(({ id }) => id));
        }
        assert.deepEqual(
          paged,
          ask(kind, all, { sort, limit: 100 }).page.map(({ id }) => id),
        );
        assert.equal(new Set(paged).size, all.length);
      },
    ),
  );
});

test('by default the best are first: highest EV, highest profit, highest quality, lowest hold', () => {
  const edges = (kind: BetKind) =>
    ask(
      kind,
      [3, 2, 4].map((edge) => example(kind, { edge, id: idOf(edge), item: { quality_score: edge } })),
    ).page.map(({ edge }) => edge);
  assert.deepEqual(edges('ev'), [4, 3, 2]);
  assert.deepEqual(edges('arbitrage'), [4, 3, 2]);
  assert.deepEqual(edges('middle'), [4, 3, 2]);
  assert.deepEqual(edges('low_hold'), [2, 3, 4]);
});

test('sorting by confidence uses the present score: a confident price seen long ago is after a fresh one', () => {
  const old = example('ev', { id: idOf(1), oldestSeenMs: NOW_MS - 290_000, item: { confidence_score: 90 } });
  const fresh = example('ev', { id: idOf(2), oldestSeenMs: NOW_MS, item: { confidence_score: 70 } });
  assert.deepEqual(ask('ev', [old, fresh], { sort: '-confidence' }).page, [fresh, old]);
});

test('limits are exact', () => {
  const passes = (kind: BetKind, edge: number, limits = {}, item = {}) =>
    ask(kind, [example(kind, { edge, item })], { limits: { ...DEFAULT_LIMITS, ...limits } }).matching.length === 1;
  assert.ok(passes('ev', 2));
  assert.ok(!passes('ev', 1.999));
  assert.ok(!passes('ev', 5.01, { maxEv: 5 }));
  assert.ok(passes('arbitrage', 0.5));
  assert.ok(!passes('arbitrage', 0.4999));
  assert.ok(passes('arbitrage', 10));
  assert.ok(!passes('arbitrage', 10.01));
  assert.ok(passes('arbitrage', 10.01, { suspicious: true }));
  assert.ok(passes('low_hold', 5));
  assert.ok(!passes('low_hold', 5.001));
  assert.ok(!passes('low_hold', 0));
  assert.ok(passes('middle', 0));
  assert.ok(!passes('middle', -0.01));
  assert.ok(passes('middle', -0.01, { minMiddleEv: -1 }));
  assert.ok(!passes('middle', 1, {}, { middle_size: 0.25 }));
});

test('group=best returns the best one of each event, whatever the sort order', () => {
  const of = (n: number, eventId: string, edge: number) => example('arbitrage', { id: idOf(n), eventId, edge });
  const all = [of(1, 'a', 1), of(2, 'a', 3), of(3, 'b', 2), of(4, 'a', 3)];
  const { matching } = ask('arbitrage', all, { bestOfEvent: true, sort: 'sport' });
  assert.deepEqual(matching.map(({ id }) => id).sort(), [idOf(2), idOf(3)]);
});

test('a day is the day of the league: a game at 22:00 in New York is today there, although tomorrow in UTC', () => {
  const at = (n: number, startMs: number) => example('ev', { id: idOf(n), startMs });
  const games = [
    at(1, Date.UTC(2026, 10, 21, 3)),
    at(2, Date.UTC(2026, 10, 21, 6)),
    at(3, Date.UTC(2026, 10, 22, 20)),
    at(5, Date.UTC(2026, 10, 26, 20)),
    at(4, Date.UTC(2026, 10, 27, 20)),
  ];
  const days = (date_range: 'today' | 'tomorrow' | 'week') =>
    matching(games, { date_range }).map(({ id }) => Number(id));
  assert.deepEqual(days('today'), [1]);
  assert.deepEqual(days('tomorrow'), [2]);
  assert.deepEqual(days('week'), [1, 2, 3, 5]);
});

test('filters: team by alias or words, market by alias, price, age, live, event', () => {
  const one = example('ev');
  const hit = (params: OpportunityFilterParams) => matching([one], params).length === 1;
  assert.ok(hit({ team: 'lakers' }));
  assert.ok(hit({ team: 'BOS' }));
  assert.ok(hit({ team: 'los angeles lakers' }));
  assert.ok(!hit({ team: 'knicks' }));
  assert.ok(!hit({ team: 'kers' }));
  assert.ok(hit({ market: 'main' }));
  assert.ok(hit({ market: 'moneyline,props' }));
  assert.ok(!hit({ market: 'props' }));
  assert.ok(hit({ min_odds: 150, max_odds: 150 }));
  assert.ok(!hit({ min_odds: 151 }));
  assert.ok(hit({ max_odds_age: 10 }));
  assert.ok(!hit({ max_odds_age: 9 }));
  assert.ok(!hit({ live: true }));
  assert.ok(hit({ live: false, sport: 'basketball', league: 'nba', event: one.eventId }));
  assert.ok(!hit({ league: 'nfl' }));
});

test('summaries count the matches, and are empty without any', () => {
  const middles = [
    example('middle', {
      id: idOf(1),
      edge: 3,
      books: ['a', 'b'],
      item: { key_numbers: [3], is_guaranteed_profit: true },
    }),
    example('middle', { id: idOf(2), edge: 0, books: ['a', 'c'], sport: 'soccer', item: { middle_size: 1 } }),
  ];
  const summary = middlesSummary(middles);
  assert.deepEqual(summary.by_sportsbook, { a: 2, b: 1, c: 1 });
  assert.deepEqual(summary.best_ev, { ev: 3, sport: 'basketball', market: 'total_points' });
  assert.deepEqual(
    [summary.total, summary.positive_ev_count, summary.guaranteed_profit_count, summary.has_key_numbers_count],
    [2, 1, 1, 1],
  );
  assert.deepEqual([summary.avg_ev, summary.avg_middle_size], [1.5, 2.5]);
  assert.equal(middlesSummary([]).best_ev, null);
  const holds = lowHoldSummary([1, 2, 4].map((edge) => example('low_hold', { edge, id: idOf(edge) })));
  assert.deepEqual([holds.count, holds.avg_hold, holds.min_hold], [3, 2.3333, 1]);
  assert.deepEqual(lowHoldSummary([]), { count: 0, avg_hold: null, min_hold: null, by_market: {}, by_sport: {} });
});

test('each kind is listed on its own', () => {
  const all = BET_KINDS.map((kind, n) => example(kind, { id: idOf(n) }));
  for (const kind of BET_KINDS)
    assert.deepEqual(
      ask(kind, all).page.map((o) => o.kind),
      [kind],
    );
});
