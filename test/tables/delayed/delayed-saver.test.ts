// The contents of the delayed table's store compared with the table when the save began, while deltas continue.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { StorageFull } from '../../../src/base/model/storage-error.js';
import { HOUR_MS } from '../../../src/base/model/time.js';
import type { Delta } from '../../../src/log/delta/delta.js';
import { type DelayedChanges, DelayedStore, rowOfDelayed } from '../../../src/store/delayed-store.js';
import { DelayedSaver } from '../../../src/tables/delayed/delayed-table.js';
import { runs } from '../../long.js';
import { newTable, Rig, rig, type Sent, textsOf } from '../../writer/shard/rig.js';

const START_MS = Date.UTC(2026, 10, 20, 18);
const silent = { info: () => {}, warn: () => {}, error: () => {} };

interface Poll {
  book: string;
  game: number;
  prices: number[];
}

const poll: fc.Arbitrary<Poll> = fc.record({
  book: fc.constantFrom('draftkings', 'fanduel'),
  game: fc.integer({ min: 1, max: 3 }),
  // Empty: the book removed all its prices of the game.
  prices: fc.array(fc.integer({ min: 100, max: 140 }), { maxLength: 2 }),
});

/** Deltas before the save begins, and those before and during its writes. */
const round = fc.record({
  first: fc.array(poll, { maxLength: 5 }),
  next: fc.array(poll, { maxLength: 3 }),
  later: fc.array(poll, { maxLength: 3 }),
});

function message({ book, game, prices }: Poll, nowMs: number): object {
  const markets = ['moneyline', 'draw_no_bet'].slice(0, prices.length).map((market_type, i) => ({
    market_type,
    selections: [{ selection: 'Home', selection_type: 'home', odds_american: prices[i] }],
  }));
  const start_time = new Date(START_MS + 40_000_000).toISOString();
  const event = { league: 'nba', home_team: `Home ${game}`, away_team: `Away ${game}`, start_time, markets };
  return { book, polled_at: new Date(nowMs).toISOString(), scope: 'event', events: [event] };
}

/** The rows of a table filled from the store. */
function stored(store: DelayedStore): Map<string, string> {
  const table = newTable();
  for (const { shard, ...event } of store.events()) table.events.upsert(shard, event, table.order);
  for (const key of store.slabKeys()) {
    const slab = store.slab(key)!;
    const event = table.events.find(slab.shard, slab.event)!;
    const book = table.books.number(slab.book);
    for (const row of slab.rows.map(rowOfDelayed)) table.insert(slab.shard, event, book, row, row, row);
  }
  return textsOf(table);
}

test('a save has the state when it began, whatever changes meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), async (rounds) => {
      const rig = new Rig(START_MS);
      const store = new DelayedStore(rig.dir);
      const saver = new DelayedSaver(rig.table, store, silent);
      const take = (polls: readonly Poll[]): void => {
        for (const each of polls) {
          rig.nowMs += 1_000;
          const { delta, applied } = rig.send(message(each, rig.nowMs), (coming: Delta) => saver.before(coming));
          if (delta !== null && applied !== null) saver.note(delta, applied);
        }
      };
      try {
        for (const { first, next, later } of rounds) {
          take(first);
          const { position } = rig.table;
          const rows = textsOf(rig.table);
          saver.begin(position);
          take(next);
          await turn();
          take(later);
          // With nothing to save, no save is made until the store has been idle for long.
          for (let i = 0; i < 500 && store.position !== position; i++) await turn();
          if (store.position === position) assert.deepEqual(stored(store), rows);
        }
        await saver.close(rig.table.position);
        assert.deepEqual(stored(store), textsOf(rig.table));
      } finally {
        await store.close();
        await rig.close();
      }
    }),
    { numRuns: runs(15) },
  );
});

/** Has no room for a while. */
class FullStore extends DelayedStore {
  isFull = true;

  override async write(changes: DelayedChanges): Promise<void> {
    if (this.isFull) throw new StorageFull('no room');
    await super.write(changes);
  }
}

test('a game that is over while a save fails is not in the next one', async (t) => {
  const game = rig(t, new Date(START_MS).toISOString());
  const store = new FullStore(game.dir);
  t.after(() => store.close());
  const saver = new DelayedSaver(game.table, store, silent);
  const note = ({ delta, applied }: Sent): void => saver.note(delta!, applied!);
  const before = (coming: Delta): void => saver.before(coming);
  note(game.send(message({ book: 'draftkings', game: 1, prices: [110] }, game.nowMs), before));
  saver.begin(game.table.position);
  game.nowMs += 60 * HOUR_MS;
  note(game.send(before));
  assert.equal(game.table.events.size, 0);
  for (let i = 0; i < 3; i++) await turn();
  store.isFull = false;
  await saver.close(game.table.position);
  assert.deepEqual([[...store.events()], store.slabKeys()], [[], []]);
});
