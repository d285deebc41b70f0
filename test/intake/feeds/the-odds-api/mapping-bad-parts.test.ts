// Invalid parts of an answer of The Odds API are omitted one by one; valid parts are never lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mapPoll } from '../../../../src/intake/feeds/the-odds-api/mapper.js';
import type { RawOutcome } from '../../../../src/intake/feeds/the-odds-api/payload.js';
import { bookmaker, event, h2h, LEAGUES, mapEvents, market, marketsOf, POLLED_AT } from './answers.js';

test('a bad part is left out alone, with its path and reason', () => {
  const good = { name: 'River City Herons', price: -110 };
  const bad: [unknown, string][] = [
    [{ name: 'Port Vale Otters', price: null }, 'not a price'],
    [{ name: 'Port Vale Otters', price: 'abc' }, 'not a price'],
    [{ name: 'Port Vale Otters', price: -50 }, 'not a price'],
    [{ price: 120 }, 'no name'],
    [{ name: 'Elsewhere', price: 120 }, 'name is neither of the teams'],
    [null, 'not an object'],
    [{ name: 'Port Vale Otters', price: 110, point: {} }, 'point is not a number'],
    [good, 'the same selection twice'],
  ];
  for (const [outcome, reason] of bad) {
    const { messages, skipped } = mapEvents([event('e1', [bookmaker('fanduel', [market('h2h', [good, outcome])])])]);
    assert.deepEqual(skipped, [{ path: '[0].bookmakers[0].markets[0].outcomes[1]', reason }]);
    assert.equal(messages[0]?.events?.[0]?.markets[0]?.selections.length, 1);
  }
});

test('a book that ingest would refuse is left out alone', () => {
  const books = [bookmaker('constructor', [h2h(-142, 116)]), bookmaker('fanduel', [h2h(-142, 116)])];
  const { messages, skipped } = mapEvents([event('e1', books)]);
  assert.deepEqual(skipped, [{ path: '[0].bookmakers[0].key', reason: 'missing or not a book' }]);
  assert.deepEqual(
    messages.map(({ book }) => book),
    ['fanduel'],
  );
});

test('a price of -100000 is a price', () => {
  assert.equal(marketsOf([h2h(-100000, 2500)]).markets[0]?.selections[0]?.odds_american, -100000);
});

test('an event without teams, start or sport is left out alone', () => {
  const books = [bookmaker('fanduel', [h2h(-142, 116)])];
  const bad: [object, string][] = [
    [{ home_team: null }, 'a team is missing'],
    [{ away_team: 'river city herons' }, 'home and away are one team'],
    [{ commence_time: '2026-02-30T00:00:00Z' }, 'commence_time is not a time'],
    [{ sport_key: 7 }, 'missing or not a sport key'],
    [{ sport_key: 'constructor' }, 'not a sport key'],
  ];
  for (const [more, reason] of bad) {
    const { messages, skipped } = mapEvents([event('e1', books), event('e2', books, more)]);
    assert.deepEqual(
      skipped.map((part) => part.reason),
      [reason],
    );
    assert.equal(messages[0]?.events?.length, 1);
  }
  assert.equal(mapEvents([event('e1', books), event('e1', books)]).skipped[0]?.reason, 'the same event twice');
});

test('outrights become futures that clear no games', () => {
  const { messages, skipped } = mapEvents([
    event('o1', [bookmaker('fanduel', [market('outrights', [{ name: 'Herons', price: 450 }, { name: 'Otters' }])])], {
      home_team: null,
      away_team: null,
      sport_key: 'baseball_mlb_world_series_winner',
      sport_title: 'World Series Winner',
    }),
  ]);
  assert.deepEqual(messages, [
    {
      book: 'fanduel',
      polled_at: POLLED_AT,
      scope: 'none',
      futures: [
        {
          league: 'baseball-mlb-world-series-winner',
          market: 'baseball_mlb_world_series_winner',
          display_name: 'World Series Winner',
          future_type: 'TEAM',
          event_start_time: '2026-05-02T20:05:00Z',
          selections: [{ selection: 'Herons', odds_american: 450 }],
        },
      ],
    },
  ]);
  assert.deepEqual(
    skipped.map((part) => part.reason),
    ['not a price'],
  );
});

test('decimal answers stay in decimal', () => {
  const poll = { events: [event('e1', [bookmaker('a', [h2h(1.91, '2.05')])])], polledAt: POLLED_AT, complete: true };
  const { messages } = mapPoll({ ...poll, oddsFormat: 'decimal' }, LEAGUES);
  const selections = messages[0]?.events?.[0]?.markets[0]?.selections;
  assert.deepEqual(
    selections?.map((each) => [each.odds_decimal, each.odds_american]),
    [
      [1.91, undefined],
      ['2.05', undefined],
    ],
  );
});

test('no JSON makes the mapping throw', () => {
  const any = fc.jsonValue({ maxDepth: 1 });
  const list = <T>(of: fc.Arbitrary<T>) => fc.oneof({ weight: 5, arbitrary: fc.array(of, { maxLength: 3 }) }, any);
  const either = (...good: unknown[]) => fc.oneof(fc.constantFrom(...good), any);
  const record = (shape: Record<string, fc.Arbitrary<unknown>>) =>
    fc.oneof(fc.record(shape, { requiredKeys: [] }), any);
  const outcome = record({
    name: either('A', 'B', 'Over', 'Yes', '!'),
    description: either('A', 'Ann Lee'),
    price: either(-110, 150),
    point: either(1.5, '2'),
    link: any,
    sid: any,
  });
  const key = either('h2h', 'totals', 'player_points', 'outrights', 'team_totals', 'btts');
  const markets = list(record({ key, last_update: any, link: any, outcomes: list(outcome) }));
  const bookmakers = list(record({ key: either('fanduel'), last_update: any, link: any, markets }));
  const answer = list(
    record({
      id: any,
      sport_key: either('baseball_mlb', 'golf_open_winner'),
      home_team: either('A'),
      away_team: either('B'),
      commence_time: either('2026-05-02T20:05:00Z'),
      bookmakers,
    }),
  );
  fc.assert(
    fc.property(answer, (events) => {
      for (const message of mapEvents(events).messages) JSON.stringify(message);
    }),
    { numRuns: 300 },
  );
});

test('every valid outcome is mapped exactly once, whatever garbage surrounds it', () => {
  const good = fc
    .integer({ min: 100, max: 900 })
    .map((price): RawOutcome => ({ name: 'Over', price, point: price / 2 }));
  const garbage = fc.constantFrom<unknown>(null, 7, {}, { name: 'Over' }, { name: 'Over', price: 5, point: 1 }, []);
  const outcomes = fc.array(fc.oneof(good, garbage), { maxLength: 12 });
  fc.assert(
    fc.property(outcomes, (list) => {
      const { markets, reasons } = marketsOf([market('alternate_totals', list)]);
      const selections = markets.flatMap((each) => each.selections);
      assert.equal(selections.length + reasons.length, list.length);
      const prices = new Set(list.filter(isGood).map((outcome) => outcome.price));
      assert.deepEqual(new Set(selections.map((selection) => selection.odds_american)), prices);
    }),
  );
});

function isGood(outcome: unknown): outcome is RawOutcome {
  return typeof outcome === 'object' && outcome !== null && 'price' in outcome && (outcome.price as number) >= 100;
}
