// Books of kind model: what is found among the others is the same with and without them, but where their prices are asked for
// as the fair ones.
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

const UNIVERSES = startUniverses(catalogue);
const JUDGED: UniverseSpec = { key: 'judged', books: null, moves: false, devigBook: 'mymodel' };

/** The batch's polls, and those of a model with the prices that one of its books has. */
function withModel(batch: MarketBatch, nowMs: number): object[] {
  const messages = messagesOf(batch, nowMs);
  return messages.flatMap((message) => {
    const events = message.events!.map(({ is_live, status, game_state, ...event }) => event);
    return message.book === 'pinnacle' ? [message, { ...message, book: 'mymodel', kind: 'model', events }] : [message];
  });
}

test('with a model and without, the same is found among all other books', () => {
  let found = 0;
  let judged = 0;
  fc.assert(
    fc.property(marketStorm, (batches) => {
      const without = new ShardInMemory(START_MS, UNIVERSES);
      const withOne = new ShardInMemory(START_MS, [...UNIVERSES, JUDGED]);
      for (const batch of batches) {
        const nowMs = Math.max(without.position, withOne.position) / 1000 + batch.passMs;
        without.apply(messagesOf(batch, nowMs), nowMs);
        withOne.apply(withModel(batch, nowMs), nowMs);
        for (const { key } of UNIVERSES) {
          const expected = comparable(without.published.of(key));
          assert.deepEqual(comparable(withOne.published.of(key)), expected);
          found += expected.length;
        }
        for (const { item, books } of withOne.published.of('judged')) {
          assert.ok(!books.includes('mymodel'), 'no leg is at a model');
          if (item['sharp_book'] === 'mymodel') judged++;
        }
      }
      withOne.flush();
      assert.deepEqual(
        comparable(withOne.published.of('judged')),
        comparable(withOne.fromScratch([...UNIVERSES, JUDGED]).of('judged')),
        'as it is found from scratch',
      );
    }),
    { numRuns: runs(10), includeErrorInReport: true },
  );
  assert.ok(found > 30 && judged > 5, `${found} found, ${judged} judged by the model`);
});

const GAME = { league: 'nba', home_team: 'Los Angeles Lakers', away_team: 'Boston Celtics' };

function poll(book: string, nowMs: number, home: object, away: object, more: object = {}): object {
  const start_time = new Date(START_MS + 3_600_000).toISOString();
  const selections = [
    { selection: 'home', selection_type: 'home', ...home },
    { selection: 'away', selection_type: 'away', ...away },
  ];
  const events = [{ ...GAME, start_time, markets: [{ market_type: 'moneyline', selections }] }];
  return { book, polled_at: new Date(nowMs).toISOString(), scope: 'event', ...more, events };
}

test("a model's probabilities are the fair ones of those who name it, as they change and until they are too old", () => {
  const shard = new ShardInMemory(START_MS, [...UNIVERSES, JUDGED]);
  const model = { kind: 'model' };
  let nowMs = START_MS;
  const evOf = (universe: string) => shard.published.of(universe).filter(({ kind }) => kind === 'ev');
  const judged = () => evOf('judged').map(({ item }) => [item['sportsbook'], item['fair_probability']]);
  const say = (...messages: object[]) => {
    shard.apply(messages, nowMs);
    shard.flush();
  };
  say(poll('fanduel', nowMs, { odds_american: 120 }, { odds_american: -140 }));
  assert.deepEqual(judged(), []);
  nowMs += 2_000;
  say(poll('mymodel', nowMs, { probability: 0.55 }, { probability: 0.45 }, model));
  assert.deepEqual(judged(), [['fanduel', 0.55]]);
  // Its own price is none that could be bet, however good.
  nowMs += 2_000;
  say(poll('mymodel', nowMs, { odds_decimal: 2 }, { odds_decimal: 2 }, model));
  assert.deepEqual(judged(), [['fanduel', 0.5]]);
  assert.deepEqual(evOf('sharp'), []);
  // Rounded prices are no margin.
  nowMs += 2_000;
  say(poll('mymodel', nowMs, { odds_decimal: 1.98 }, { odds_decimal: 2 }, model));
  assert.equal((judged()[0]![1] as number).toFixed(4), '0.5025');
  nowMs += 20 * 60_000;
  say(poll('fanduel', nowMs, { odds_american: 120 }, { odds_american: -140 }));
  assert.deepEqual(judged(), [], 'it was not seen for long');
  say(poll('mymodel', nowMs, { odds_decimal: 1.98 }, { odds_decimal: 2 }, model));
  assert.equal(judged().length, 1, 'seen again it counts');
});

test('a model is refused what only a book has', () => {
  const shard = new ShardInMemory(START_MS, UNIVERSES);
  const reasons = (...messages: object[]): string[] => {
    shard.rejected.length = 0;
    shard.apply(messages, START_MS);
    return shard.rejected.map(({ path, reason }) => `${path}: ${reason}`);
  };
  const prices = [{ odds_american: 120 }, { odds_american: -140 }] as const;
  assert.match(reasons(poll('fanduel', START_MS, ...prices, { kind: 'model' }))[0]!, /^kind: fanduel is a sportsbook/);
  assert.match(reasons(poll('mine', START_MS, ...prices, { kind: 'bookie' }))[0]!, /^kind: not one of/);
  assert.match(
    reasons(poll('mine', START_MS, ...prices, { private: true }))[0]!,
    /^private: only a book of kind model/,
  );
  assert.match(
    reasons(poll('mine', START_MS, ...prices, { kind: 'model', private: true }))[0]!,
    /^private: needs an account/,
  );
  assert.match(
    reasons(poll('mine', START_MS, { probability: 1.2 }, { probability: 0.4 }, { kind: 'model' }))[0]!,
    /probability: not a number/,
  );
  assert.match(reasons(poll('fanduel', START_MS, { probability: 0.5 }, { probability: 0.5 }))[0]!, /no price/);
});
