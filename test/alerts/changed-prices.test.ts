// Changed prices shared by rules, compared with each rule walking the table by itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ChangedPrices } from '../../src/alerts/matches.js';
import { filterOf } from '../../src/alerts/rules.js';
import type { AlertRule } from '../../src/base/model/alert.js';
import type { StreamFilter } from '../../src/tables/filter/stream-filter.js';
import type { OddsTable } from '../../src/tables/table.js';
import { catalogue, Rig, rig } from '../writer/shard/rig.js';

const BOOKS = ['pinnacle', 'draftkings', 'fanduel'];
const LEAGUES = ['nba', 'wnba', 'nfl'];
const GAMES = 6;
const START_MS = Date.parse('2026-11-20T18:00:00Z');

let polls = 0;

function poll(book: string, game: number, american: number, spread: boolean): object {
  const priced = (line?: number) =>
    ['home', 'away'].map((side, i) => ({
      selection: side,
      selection_type: side,
      ...(line === undefined ? {} : { line: i === 0 ? line : -line }),
      odds_american: i === 0 ? american : 110 - american,
    }));
  return {
    book,
    polled_at: new Date(START_MS + polls++).toISOString(),
    scope: 'none',
    events: [
      {
        league: LEAGUES[game % LEAGUES.length],
        home_team: `Homers ${game}`,
        away_team: `Visitors ${game}`,
        start_time: '2026-11-21T00:30:00Z',
        markets: [
          { market_type: 'moneyline', selections: priced() },
          ...(spread ? [{ market_type: 'point_spread', selections: priced(-3.5) }] : []),
        ],
      },
    ],
  };
}

/** The rows that a single rule would find. */
function walked(table: OddsTable, after: number, filter: StreamFilter, least: number, most: number): number[] {
  const { columns, events, recency } = table;
  return recency.since(after).filter((slot) => {
    const decimal = columns.decimal[slot]!;
    const event = events.at(columns.event[slot]!);
    const isWanted = decimal >= least && decimal <= most && filter.hasRow(slot) && filter.hasEvent(event);
    return columns.changedUs[slot]! > after && isWanted;
  });
}

const change = fc.record({
  book: fc.constantFrom(...BOOKS),
  game: fc.integer({ min: 0, max: GAMES - 1 }),
  american: fc.constantFrom(-250, -180, -140, -120, -105),
  spread: fc.boolean(),
});
const some = <T>(...values: T[]) => fc.option(fc.subarray(values, { minLength: 1 }), { nil: undefined });

test('rules that share one walk find the changes that each would find by itself, oldest first', () => {
  const made = new Rig(START_MS + 60_000);
  try {
    for (const book of BOOKS) for (let game = 0; game < GAMES; game++) made.send(poll(book, game, -110, true));
    const ids = made.eventIds();
    const engine = { table: made.table, catalogue };
    const prices = new ChangedPrices(engine);
    const rule = fc.record({
      filters: fc.record(
        {
          sportsbooks: some(...BOOKS),
          sports: some('basketball', 'football'),
          leagues: some(...LEAGUES),
          markets: some('moneyline', 'point_spread'),
          eventIds: some(...ids, 'nba_nobody_nowhere_2026-11-20'),
        },
        { requiredKeys: [] },
      ),
      least: fc.constantFrom(0, 1.5, 2.2),
      most: fc.constantFrom(Number.POSITIVE_INFINITY, 1.8, 1.1),
      back: fc.integer({ min: 0, max: 12 }),
    });
    const positions = [0];
    let found = 0;
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), fc.array(rule, { maxLength: 8 }), (changes, rules) => {
        for (const { book, game, american, spread } of changes) {
          positions.push(made.table.position);
          made.send(poll(book, game, american, spread));
        }
        prices.clear();
        for (const { filters, least, most, back } of rules) {
          const after = positions.at(-1 - back) ?? 0;
          const asked = { filters } as unknown as Pick<AlertRule, 'filters'>;
          const filter = filterOf(engine, { tier: 'sharp', account: 'acc_one' }, asked);
          const expected = walked(made.table, after, filter, least, most);
          assert.deepEqual(prices.since(after, filter, least, most), expected);
          found += expected.length;
          for (const slot of expected) assert.equal(prices.text(slot), made.table.json.text(slot));
        }
      }),
      { numRuns: 100 },
    );
    assert.ok(found > 50, `${found} found`);
  } finally {
    void made.close();
  }
});

test('a thousand rules at the same position cost one walk of the changes', (t) => {
  const made = rig(t, '2026-11-20T18:01:00Z');
  for (let game = 0; game < GAMES; game++) made.send(poll('fanduel', game, -110, true));
  const engine = { table: made.table, catalogue };
  const prices = new ChangedPrices(engine);
  const walks = t.mock.method(made.table.recency, 'since');
  const filter = filterOf(engine, { tier: 'sharp', account: 'acc_one' }, { filters: {} } as unknown as Pick<
    AlertRule,
    'filters'
  >);
  for (let i = 0; i < 1_000; i++) assert.equal(prices.since(0, filter, 0, 10).length, GAMES * 4);
  assert.equal(walks.mock.callCount(), 1);
  // In a later turn of the loop the table may have changed.
  prices.clear();
  made.send(poll('fanduel', GAMES, -110, false));
  assert.equal(prices.since(0, filter, 0, 10).length, GAMES * 4 + 2);
  assert.equal(walks.mock.callCount(), 2);
});
