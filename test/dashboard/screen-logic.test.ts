// The parts of the dashboard that need no browser: URL, formats, clock, visible window and alert rules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEFAULTS, queryOf, rememberedOf, type ScreenState, stateOf } from '../../dashboard/model/address.js';
import {
  type AlertRule,
  edgeOf,
  leastFor,
  ruleMatches,
  rulesOf,
  unheardText,
} from '../../dashboard/model/alert-rules.js';
import {
  abbreviation,
  abbreviations,
  ageText,
  americanOf,
  ODDS_FORMATS,
  priceText,
  sideLineText,
  timeText,
  zeroAsShown,
} from '../../dashboard/model/odds-format.js';
import { seriesOf } from '../../dashboard/model/price-history.js';
import { parsePrice, readPrice } from '../../dashboard/model/price-input.js';
import { RowWindow } from '../../dashboard/model/row-window.js';
import { ServerClock } from '../../dashboard/model/server-clock.js';
import { americanFromDecimal } from '../../src/base/model/price.js';
import type { OpportunityItem } from '../../src/client/client.js';

const id = fc.stringMatching(/^[a-z0-9_é&=%+ -]{1,20}$/);
const anyState = fc.record({
  view: fc.constantFrom('board', 'event', 'opportunities'),
  market: id,
  leagues: fc.uniqueArray(id, { maxLength: 4 }),
  live: fc.constantFrom('all', 'live', 'prematch'),
  hours: fc.constantFrom(0, 12),
  q: id,
  books: fc.uniqueArray(id, { maxLength: 5 }),
  edge: fc.double({ min: 0, max: 100, noNaN: true }),
  event: id,
  open: id,
  format: fc.constantFrom('american', 'decimal', 'fractional', 'probability'),
  theme: fc.constantFrom('auto', 'dark', 'light'),
});

test('a URL restores the state from which it was made', () => {
  fc.assert(
    fc.property(anyState, (given) => {
      const state = { ...DEFAULTS, ...given, edge: given.edge + 0 } as ScreenState;
      assert.deepEqual(stateOf(`?${queryOf(state)}`), state);
    }),
  );
});

test('a link overrides what the browser has stored, and an empty URL shows that', () => {
  const remembered = rememberedOf({ ...DEFAULTS, market: 'total', books: ['fanduel'], format: 'decimal', q: 'x' });
  const fresh = stateOf('', remembered);
  assert.deepEqual([fresh.market, fresh.books, fresh.format, fresh.q], ['total', ['fanduel'], 'decimal', '']);
  const linked = stateOf(queryOf(DEFAULTS), remembered);
  assert.deepEqual([linked.market, linked.books, linked.format], ['moneyline', [], 'decimal']);
});

test('invalid parts of a URL are ignored', () => {
  assert.deepEqual(stateOf('?view=nowhere&edge=-4&format=roman&hours=&kelly=0'), DEFAULTS);
});

test('prices are read in four formats', () => {
  const texts = (decimal: number, american?: number) =>
    (['american', 'decimal', 'fractional', 'probability'] as const).map((format) =>
      priceText(american === undefined ? { decimal } : { decimal, american }, format),
    );
  assert.deepEqual(texts(1.909091, -110), ['-110', '1.91', '10/11', '52.4%']);
  assert.deepEqual(texts(2.5), ['+150', '2.50', '3/2', '40.0%']);
  assert.deepEqual(texts(2), ['+100', '2.00', '1/1', '50.0%']);
  assert.deepEqual(texts(101), ['+10000', '101', '100/1', '1.0%']);
  assert.equal(sideLineText(-3.5, { selection_type: 'home', market_type: 'point_spread' }), '-3.5');
  assert.equal(sideLineText(3.5, { selection_type: 'away', market_type: 'run_line' }), '+3.5');
  assert.equal(sideLineText(219.5, { selection_type: 'over', market_type: 'total_points' }), 'o219.5');
  assert.deepEqual([ageText(4_000), ageText(130_000), ageText(7_300_000)], ['4 s', '2 min', '2 h']);
  assert.deepEqual(
    abbreviations([
      'BetRivers',
      'BetRight',
      'Betsafe',
      'Betsson',
      'TAB',
      'TABtouch',
      'book1',
      'book2',
      'x',
      'x',
      'x',
      'אבגד',
    ]),
    ['BR', 'BetR', 'Bets', 'Beto', 'TAB', 'TABt', 'book', 'boo2', 'x', 'x2', 'x3', 'אבגד'],
  );
  assert.deepEqual(['DraftKings', 'BetMGM', 'Caesars', '888sport'].map(abbreviation), ['DK', 'BMGM', 'Caes', '888']);
});

test('a price that is shown is read as the same price, in every format, and American odds are rounded as the server does', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_010, max: 999_000 }), fc.constantFrom(...ODDS_FORMATS), (thousandths, format) => {
      const decimal = thousandths / 1_000;
      const read = parsePrice(priceText({ decimal }, format), format);
      assert.ok(read !== undefined, priceText({ decimal }, format));
      // A probability has one decimal of a percent.
      const error =
        format === 'probability' ? Math.abs(1 / read - 1 / decimal) / 0.00051 : Math.abs(read / decimal - 1) / 0.01;
      assert.ok(error <= 1, `${decimal} ${priceText({ decimal }, format)} ${read}`);
      assert.equal(americanOf(decimal), americanFromDecimal(decimal));
    }),
  );
  const read = (...texts: string[]) => texts.map((text) => parsePrice(text, 'american'));
  assert.deepEqual(read('150', '+150', '-200', '2.05', '2,05', '1.952'), [2.5, 2.5, 1.5, 2.05, 2.05, 1.952]);
  assert.deepEqual(read('+1,200', '\u2212110', 'EVEN', '10/10', '1,200', '+50', '0x10', '1e3'), [
    ...[13, 210 / 110, 2, 2],
    ...[undefined, undefined, undefined, undefined],
  ]);
  assert.deepEqual(
    ['150', '101', '+150', '151'].map((text) => readPrice(text, 'decimal')),
    [{ decimal: 150 }, { decimal: 101 }, { decimal: 2.5, american: 150 }, { decimal: 151 }],
  );
  const likely = ['52.4', '52.4%', '52.4 %', '2.05', '+900'].map((text) => parsePrice(text, 'probability'));
  assert.deepEqual(likely, [undefined, 100 / 52.4, 100 / 52.4, 2.05, 10]);
  assert.deepEqual([1.32, 2.025].map(americanOf), [-313, 103]);
});

test('a fraction is never further than one part in two hundred from its price', () => {
  fc.assert(
    fc.property(fc.double({ min: 1.02, max: 500, noNaN: true }), (decimal) => {
      const [above, below] = priceText({ decimal }, 'fractional').split('/').map(Number);
      assert.ok(Math.abs(above! / below! - (decimal - 1)) <= Math.max((decimal - 1) * 0.005, 0.005));
    }),
  );
});

test('the window shows exactly the rows in sight', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 60 }),
      fc.integer({ min: -50, max: 3_000 }),
      (heights, top) => {
        const window = new RowWindow();
        window.set(heights);
        const { from, to } = window.range(top, 400, 0);
        for (let i = 0; i < heights.length; i++) {
          const inSight = window.bottom(i) > top && window.top(i) < top + 400;
          if (inSight) assert.ok(i >= from && i < to, `row ${i} of ${from} to ${to}`);
        }
        assert.ok(to - from <= 402 && to <= heights.length);
      },
    ),
  );
});

test("a clock that is wrong by hours shows the server's time", () => {
  let now = 1_000_000;
  const clock = new ServerClock(() => now);
  assert.equal(clock.now(), now);
  clock.take({ sentMs: now - 900, receivedMs: now, serverMs: now + 7_200_000 + 300 });
  clock.take({ sentMs: now - 20, receivedMs: now, serverMs: now + 7_200_000 - 10 });
  clock.take({ sentMs: now - 2_000, receivedMs: now, serverMs: now + 7_200_000 });
  now += 5_000;
  assert.equal(clock.now(), now + 7_200_000);
  // Four minutes of it are set right.
  now += 240_000;
  clock.take({ sentMs: now - 60, receivedMs: now, serverMs: now + 6_960_000 - 30 });
  assert.equal(clock.now(), now + 6_960_000);
});

test('histories of books with changes at different times share one axis', () => {
  const point = (s: number, odds_decimal: number, is_active = true) => ({
    at: new Date(s * 1_000).toISOString(),
    odds_decimal,
    line: null,
    is_active,
  });
  const history = (sportsbook: string, ...points: ReturnType<typeof point>[]) => ({
    odds_id: sportsbook,
    sportsbook,
    selection: 'x',
    line: null,
    points,
  });
  const { times, series } = seriesOf(
    [history('a', point(10, 2), point(30, 2.2)), history('b', point(20, 1.9), point(30, 1.9, false))],
    40,
  );
  assert.deepEqual(times, [10, 20, 30, 40]);
  assert.deepEqual(
    series.map(({ values }) => values),
    [
      [2, 2, 2.2, 2.2],
      [null, 1.9, null, null],
    ],
  );
});

test('a rule begun from an opportunity hears it, and one that cannot hear all it says is refused', () => {
  const hold = { hold_percentage: 0.34, league: 'nba' } as unknown as OpportunityItem;
  const ev = { ev_percentage: 3.47, league: 'nba' } as unknown as OpportunityItem;
  for (const [kind, item] of [
    ['low_hold', hold],
    ['ev', ev],
  ] as const) {
    const least = leastFor(kind, edgeOf(kind, item));
    const rule: AlertRule = { id: 'a', kind, least, leagues: [], books: [], live: 'all', sound: true, notify: false };
    assert.ok(ruleMatches(rule, kind, item), `${kind} ${least}`);
    assert.equal(unheardText(kind, least), '');
  }
  assert.deepEqual(
    [unheardText('ev', 0.4), unheardText('low_hold', 5.1), unheardText('arbitrage', -1)],
    ['This page hears +EV from 0.5 %.', 'This page hears low holds up to 5 %.', 'This page hears Arbitrage from 0 %.'],
  );
});

test('a rule matches exactly its filter; a low hold up to its percentage', () => {
  const rule: AlertRule = {
    id: '1',
    kind: 'ev',
    least: 3,
    leagues: ['nba'],
    books: [],
    live: 'all',
    sound: true,
    notify: false,
  };
  const item = {
    ev_percentage: 3,
    hold_percentage: 3,
    league: 'nba',
    is_live: false,
    sportsbook: 'fanduel',
  } as unknown as OpportunityItem;
  assert.equal(ruleMatches(rule, 'ev', item), true);
  assert.equal(ruleMatches({ ...rule, least: 3.1 }, 'ev', item), false);
  assert.equal(ruleMatches({ ...rule, leagues: ['nhl'] }, 'ev', item), false);
  assert.equal(ruleMatches({ ...rule, books: ['draftkings'] }, 'ev', item), false);
  assert.equal(ruleMatches({ ...rule, live: 'live' }, 'ev', item), false);
  assert.equal(ruleMatches({ ...rule, kind: 'low_hold' }, 'low_hold', item), true);
  assert.equal(ruleMatches({ ...rule, kind: 'low_hold', least: 2 }, 'low_hold', item), false);
  assert.deepEqual(rulesOf(JSON.stringify([rule, { kind: 'toString' }, 4])), [rule]);
  assert.deepEqual(rulesOf('{'), []);
});

test('a date that could be of another year has it', () => {
  const nowMs = Date.parse('2026-11-20T18:00:00Z');
  const texts = ['2025-11-20T18:00:00Z', '2026-09-20T18:00:00Z', '2027-10-20T18:00:00Z'].map((at) =>
    timeText(at, nowMs),
  );
  assert.deepEqual(
    texts.map((text) => /20\d\d/.exec(text)?.[0]),
    ['2025', undefined, '2027'],
  );
});

test('what is shown as 0 has no sign', () => {
  assert.deepEqual([-0.04, 0.04, -0.05, 1.2, null].map(zeroAsShown), [0, 0, -0.05, 1.2, null]);
});
