// Remembering the last answer saves work, but never changes the result.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Rejection } from '../../../../src/base/model/normal-message.js';
import { RecentMarkets } from '../../../../src/cli/backtest/timeline.js';
import { mapPoll, OddsApiMapper } from '../../../../src/intake/feeds/the-odds-api/mapper.js';
import { normalise } from '../../../../src/intake/ingest/normalise.js';
import { catalogue } from '../../../writer/shard/rig.js';
import { latest } from '../../ingest/messages.js';
import { bookmaker, event, h2h, LEAGUES, market, POLLED_AT } from './answers.js';

const SOURCE = 'baseball_mlb';
const poll = (events: unknown) => ({ events, polledAt: POLLED_AT, complete: true, source: SOURCE });

/** As received over the wire: no object occurs twice. */
const sent = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

type Raw = Record<string, unknown>;

/** Valid games; each random change makes them worse or better. */
function soundGames(): Raw[] {
  const markets = () => [h2h(-142, 116), totals(8.5, -110)];
  const books = () => ['fanduel', 'caesars', 'williamhill_us'].map((key) => bookmaker(key, markets()));
  return sent(['e1', 'e2'].map((id) => event(id, books()))) as Raw[];
}

function totals(point: number, price: number): object {
  return market('totals', [
    { name: 'Over', price, point },
    { name: 'Under', price: -105, point },
  ]);
}

const FIELDS = {
  event: {
    commence_time: ['2026-05-02T21:00:00Z', 'no time'],
    home_team: ['Port Vale Otters', 'River City Herons', null],
    sport_key: ['baseball_mlb', 'icehockey_nhl', 'no key!'],
    bookmakers: [null],
  },
  book: {
    key: ['fanduel', 'caesars', null],
    last_update: ['2026-05-02T17:58:00Z', 'no time', null],
    link: ['https://c.example/3', 'nonsense', null],
    markets: ['none'],
  },
  market: {
    key: ['h2h', 'totals', 'h2h_lay', 'outrights', null],
    last_update: ['2026-05-02T17:57:00Z', null],
    link: ['https://b.example/2', null],
    outcomes: [null],
  },
  outcome: {
    name: ['Over', 'Under', 'River City Herons', 'Draw', null],
    price: [-120, '+104', 5],
    point: [9, '9.5', 'x', null],
    link: ['https://a.example/1', null],
    sid: [7, 'x', null],
    bet_limit: [500, 20, null],
  },
} as const;

const change = fc.record({
  event: fc.nat(1),
  book: fc.nat(2),
  market: fc.nat(1),
  outcome: fc.nat(1),
  set: fc.constantFrom(
    ...Object.entries(FIELDS).flatMap(([level, fields]) =>
      Object.entries(fields).flatMap(([field, values]) =>
        (values as readonly unknown[]).map((value) => ({ level, field, value })),
      ),
    ),
  ),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const at = (list: unknown, i: number): Raw | undefined => (Array.isArray(list) ? (list[i] as Raw) : undefined);

/** The games with one field of one part changed; unchanged if there is no such part. */
function changed(games: readonly Raw[], { set, ...places }: Change): Raw[] {
  const copy = sent([...games]);
  const game = at(copy, places.event);
  const book = at(game?.['bookmakers'], places.book);
  const ofBook = at(book?.['markets'], places.market);
  const parts: Record<string, Raw | undefined> = {
    event: game,
    book,
    market: ofBook,
    outcome: at(ofBook?.['outcomes'], places.outcome),
  };
  const part = parts[set.level];
  if (part !== undefined) part[set.field] = set.value;
  return copy;
}

/** Successive answers, each mostly equal to the one before it. */
const answers = fc.array(change, { minLength: 2, maxLength: 8 }).map((changes) => {
  const all = [soundGames()];
  for (const one of changes) all.push(changed(all.at(-1)!, one));
  return all;
});

test('an answer is mapped and normalised to the same result whatever the previous answers were', () => {
  fc.assert(
    fc.property(answers, (all) => {
      const mapper = new OddsApiMapper(LEAGUES);
      const memory = new RecentMarkets();
      for (const events of all) {
        const mapped = mapper.map(poll(events));
        const alone = mapPoll(poll(sent(events)), LEAGUES);
        // Books whose prices are removed come after those that are listed.
        const listed = mapped.messages.slice(0, alone.messages.length);
        assert.equal(JSON.stringify(listed), JSON.stringify(alone.messages));
        assert.deepEqual(mapped.skipped, alone.skipped);
        memory.turn();
        for (const message of listed) {
          const rejected: Rejection[] = [];
          const rejectedAlone: Rejection[] = [];
          const context = { catalogue, clock: latest, leagueOfEvent: () => undefined };
          assert.deepEqual(
            normalise(message, '', { ...context, memory }, rejected),
            normalise(sent(message), '', context, rejectedAlone),
          );
          assert.deepEqual(rejected, rejectedAlone);
        }
      }
    }),
    { numRuns: 1_000 },
  );
});

test('an unchanged book is the same object, one with a changed price is not, and others are unaffected', () => {
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
