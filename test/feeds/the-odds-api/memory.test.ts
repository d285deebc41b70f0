// What is remembered of the last answer may save work, never change what comes out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OddsApiMapper } from '../../../src/feeds/the-odds-api/mapper.js';
import { mapPoll } from '../../../src/feeds/the-odds-api/mapping.js';
import { NormalMemory } from '../../../src/ingest/memory.js';
import type { Rejection } from '../../../src/ingest/normal.js';
import { normalise } from '../../../src/ingest/normalise.js';
import { catalogue } from '../../shard/rig.js';
import { bookmaker, event, h2h, LEAGUES, POLLED_AT } from './answers.js';

const SOURCE = 'baseball_mlb';
const poll = (events: unknown) => ({ events, polledAt: POLLED_AT, complete: true, source: SOURCE });

/** As if it had come over the wire: no object twice. */
const sent = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

const times = fc.constantFrom('2026-04-01T17:59:00Z', '2026-04-01T18:00:00Z', undefined, 'no time');
const outcome = fc.record(
  {
    name: fc.constantFrom('Chicago Cubs', 'Chicago White Sox', 'Over', 'Under', 'Draw', 'A', null),
    price: fc.constantFrom(-142, 116, '+104', 5),
    point: fc.constantFrom(undefined, 8.5, '9', 'x'),
    link: fc.constantFrom(undefined, undefined, 'https://a.example/1'),
    sid: fc.constantFrom(undefined, undefined, 7, 'x'),
  },
  { requiredKeys: ['name', 'price'] },
);
const market = fc.record({
  key: fc.constantFrom('h2h', 'totals', 'h2h_lay', 'outrights', 'alternate_totals'),
  last_update: times,
  link: fc.constantFrom(undefined, undefined, 'https://b.example/2'),
  outcomes: fc.oneof(
    {
      weight: 9,
      arbitrary: fc.array(fc.oneof({ weight: 9, arbitrary: outcome }, fc.constant(null)), { maxLength: 3 }),
    },
    fc.constant(null),
  ),
});
const book = fc.record({
  key: fc.constantFrom('fanduel', 'draftkings', 'williamhill_us', 'caesars', null),
  last_update: times,
  link: fc.constantFrom(undefined, undefined, 'https://c.example/3'),
  markets: fc.oneof({ weight: 9, arbitrary: fc.array(market, { maxLength: 3 }) }, fc.constant('none')),
});
const game = fc.record({
  id: fc.constantFrom('e1', 'e2', 'e3'),
  sport_key: fc.constantFrom('baseball_mlb', 'baseball_mlb', 'basketball_nba'),
  commence_time: fc.constantFrom('2026-04-01T20:00:00Z', '2026-04-01T20:00:00Z', '2026-04-01T21:00:00Z'),
  home_team: fc.constant('Chicago Cubs'),
  away_team: fc.constantFrom('Chicago White Sox', 'Chicago White Sox', null),
  bookmakers: fc.array(book, { maxLength: 4 }),
});

/** Answers each of which repeats most of the one before it. */
const answers = fc
  .array(fc.array(fc.oneof(fc.constant(null), game), { minLength: 3, maxLength: 3 }), { minLength: 2, maxLength: 5 })
  .map((rounds) => {
    let events: unknown[] = [];
    return rounds.map((round) => {
      events = round.map((one, i) => one ?? events[i] ?? null);
      return sent(events);
    });
  });

test('an answer is mapped and normalised to the same whatever the answers before it were', () => {
  fc.assert(
    fc.property(answers, (all) => {
      const mapper = new OddsApiMapper(LEAGUES);
      const memory = new NormalMemory();
      for (const events of all) {
        const mapped = mapper.map(poll(events));
        const alone = mapPoll(poll(sent(events)), LEAGUES);
        // Books that are cleared come after those that are listed.
        const listed = mapped.messages.slice(0, alone.messages.length);
        assert.equal(JSON.stringify(listed), JSON.stringify(alone.messages));
        assert.deepEqual(mapped.skipped, alone.skipped);
        memory.turn();
        for (const message of listed) {
          const rejected: Rejection[] = [];
          const rejectedAlone: Rejection[] = [];
          const context = { catalogue, leagueOfEvent: () => undefined };
          assert.deepEqual(
            normalise(message, '', { ...context, memory }, rejected),
            normalise(sent(message), '', context, rejectedAlone),
          );
          assert.deepEqual(rejected, rejectedAlone);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('a book that says the same again is the same object, one price later it is not, and others are left alone', () => {
  const mapper = new OddsApiMapper(LEAGUES);
  const books = (price: number) => [
    event('e1', [bookmaker('fanduel', [h2h(price, 116)]), bookmaker('betus', [h2h(-130, 110)])]),
  ];
  const eventsOf = (price: number) => mapper.map(poll(sent(books(price)))).messages.map(({ events }) => events![0]);
  const [fanduel, betus] = eventsOf(-142);
  assert.deepEqual(
    eventsOf(-142).map((one, i) => one === [fanduel, betus][i]),
    [true, true],
  );
  const later = eventsOf(-143);
  assert.deepEqual(
    later.map((one, i) => one === [fanduel, betus][i]),
    [false, true],
  );
  assert.equal(later[0]!.markets[0]!.selections[0]!.odds_american, -143);
  assert.equal(fanduel!.markets[0]!.selections[0]!.odds_american, -142);
});
