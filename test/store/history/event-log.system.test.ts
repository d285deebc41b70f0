// The change log cut by event: at every position it says what all deltas up to there say, with states in between, after
// reopening and after removals by age.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Delta, decodeDelta } from '../../../src/log/delta/delta.js';
import { decodePart, EventState, eventParts } from '../../../src/log/delta/event-part.js';
import { EventLogFile } from '../../../src/store/event-log-store.js';
import { EventLog } from '../../../src/store/history/event-log.js';
import { readLog } from '../../../src/store/shard-reader.js';
import { WriteBehind } from '../../../src/store/write-behind.js';
import { newFolder } from '../../temp-folders.js';
import { eventOf, type Series, StoredLog, seriesOf } from './stored-log.js';

/** What an event's rows are after these deltas, one after the other. */
function naive(deltas: readonly Delta[], atUs: number): string {
  const events = new Map<number, EventState>();
  for (const delta of deltas) {
    if (delta.position > atUs) break;
    for (const [no, part] of eventParts(delta)) {
      const state = events.get(no) ?? new EventState();
      events.set(no, state);
      state.apply(structuredClone(part));
    }
  }
  return JSON.stringify([...events.values()].map((state) => state.part()).filter(({ dropped }) => !dropped));
}

function told(log: EventLog, atUs: number): string {
  const { events } = log.at({ atUs, events: null, sports: null, leagues: null });
  return JSON.stringify(
    events.map((parts) => {
      const state = new EventState();
      for (const { bytes } of parts) state.apply(decodePart(bytes));
      return state.part();
    }),
  );
}

test('at every position the log of events says what all deltas say', async (t) => {
  const stored = new StoredLog(t);
  const steps = fc.array(
    fc.record({
      american: fc.integer({ min: 101, max: 300 }),
      games: fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 1 }),
      book: fc.constantFrom('draftkings', 'fanduel', 'bet365'),
      flush: fc.constantFrom('no', 'now', 'behind'),
      pack: fc.boolean(),
    }),
    { minLength: 40, maxLength: 40 },
  );
  const [made] = fc.sample(steps, { numRuns: 1, seed: 7 });
  const flushed = new Map<number, string>();
  const packed = new Set<number>();
  for (const { american, games, book, flush, pack } of made!) {
    const position = stored.commit(american, games, book);
    flushed.set(position, flush);
    if (pack) packed.add(position);
  }
  const deltas = [...readLog(stored.env, 0)].map(({ bytes }) => decodeDelta(bytes));
  const { epoch } = stored.directory;
  const folder = newFolder();
  const commits = new WriteBehind();
  let file = new EventLogFile(folder, commits);
  t.after(() => file.close());
  let log = new EventLog(file, epoch, 1, 5);
  log.restate(0, 0, () => undefined);
  const agree = (fromUs: number, toUs = Number.POSITIVE_INFINITY): void => {
    for (const { position } of deltas)
      if (position >= fromUs && position <= toUs)
        assert.equal(told(log, position), naive(deltas, position), `at ${position}`);
  };
  for (const [i, delta] of deltas.entries()) {
    log.take(delta);
    log.take(delta);
    // More may come before what is prepared is written.
    if (packed.has(delta.position)) log.pack(Number.POSITIVE_INFINITY);
    agree(delta.position, delta.position);
    const flush = flushed.get(delta.position);
    // What was written behind may still be under way.
    if (flush !== 'no') await commits.ended();
    if (flush !== 'no') log.flush(flush === 'behind');
    if (i === 25) {
      await commits.ended();
      log.flush();
      await file.close();
      file = new EventLogFile(folder, commits);
      log = new EventLog(file, epoch, 1, 5);
      assert.equal(log.cursor(0), delta.position);
    }
  }
  agree(0);
  await commits.ended();
  log.flush(true);
  agree(0);
  await commits.ended();
  agree(0);
  // A day is over in the middle.
  const middle = deltas[20]!.position;
  log.retain(1, Number.POSITIVE_INFINITY, middle + 86_400e6);
  const { sinceUs } = log.at({ atUs: middle, events: null, sports: null, leagues: null });
  assert.equal(sinceUs, middle);
  agree(middle);
  // Numbers of another epoch mean nothing: everything is restated.
  assert.equal(new EventLog(file, 'another', 1).cursor(0), -1);
});

test('too many bytes are made fewer however many events there are', (t) => {
  const stored = new StoredLog(t);
  const file = new EventLogFile(newFolder());
  t.after(() => file.close());
  const { epoch } = stored.directory;
  const nowUs = stored.clock.now() * 1000;
  const gone = { sport: 'tennis', league: 'atp', startMs: 0, shard: 0, no: -1, changes: 0 };
  const events = Array.from({ length: 130_000 }, (_, i) => {
    const firstUs = nowUs - 1000 * i;
    return { key: i + 1, bytes: file.packedEvent({ ...gone, id: `game-${i}`, firstUs, lastUs: firstUs }) };
  });
  file.write({ epoch, keptFromUs: 0, cursors: [nowUs], events, chunks: [], states: [], cut: [], dropped: [] });
  new EventLog(file, epoch, 1).retain(30, 0, nowUs);
  // The oldest tenth.
  assert.equal([...file.events()].length, 117_000);
});

test('what changed nothing of an event is written as read: a start restates no table for it', async (t) => {
  const stored = new StoredLog(t);
  stored.commit(150);
  // The same prices, seen again.
  const last = stored.commit(150);
  const folder = newFolder();
  const file = new EventLogFile(folder);
  t.after(() => file.close());
  const log = new EventLog(file, stored.directory.epoch, 1);
  const [first, second] = [...readLog(stored.env, 0)].map(({ bytes }) => decodeDelta(bytes));
  log.take(first!);
  log.flush();
  assert.equal(eventParts(second!).size, 0);
  log.take(second!);
  log.flush();
  assert.equal(new EventLog(file, stored.directory.epoch, 1).cursor(0), last);
});

test('the log of events is written before the prices, also where these are written for being too many', async (t) => {
  const stored = new StoredLog(t);
  const games = Array.from({ length: 1_700 }, (_, game) => game);
  const positions = Array.from({ length: 17 }, (_, i) => stored.commit(110 + i, games));
  const file = new EventLogFile(newFolder());
  t.after(() => file.close());
  const events = new EventLog(file, stored.directory.epoch, 1);
  const { store, log } = stored.open(t, undefined, undefined, events);
  log.read();
  const [prices] = store.state()!.cursors;
  const [ofEvents] = file.state()!.cursors;
  // Not everything, or it would say nothing: the rest is in memory, and lost if the process is killed.
  assert.ok(positions.includes(prices!) && prices! < positions.at(-1)!, String(prices));
  assert.ok(ofEvents! >= prices!, `prices up to ${prices}, events up to ${ofEvents}`);
});

test('while both are written, questions see what is committed, up to what is held in memory; the rest follows', async (t) => {
  const stored = new StoredLog(t);
  const games = Array.from({ length: 1_700 }, (_, game) => game);
  const known: Series = [];
  const commit = (american: number): void => {
    known.push([stored.commit(american, games) / 1000, american]);
  };
  commit(110);
  const commits = new WriteBehind();
  const file = new EventLogFile(newFolder(), commits);
  t.after(() => file.close());
  const events = new EventLog(file, stored.directory.epoch, 1);
  const { store, log, recorder } = stored.open(t, undefined, undefined, events, commits);
  log.read();
  const agree = (count: number): void => {
    for (const game of [0, 1_699]) assert.deepEqual(seriesOf(recorder, game), known.slice(0, count));
    const { events: parts } = events.at({
      atUs: Number.MAX_SAFE_INTEGER,
      events: [eventOf(recorder, 7).id],
      sports: null,
      leagues: null,
    });
    assert.deepEqual(
      parts[0]!.map(({ position }) => position / 1000),
      known.slice(0, count).map(([atMs]) => atMs),
    );
  };
  const flush = (): void => {
    events.flush(true);
    recorder.flush(true);
  };
  flush();
  agree(1);
  for (let n = 1; n < 18; n++) commit(110 + n);
  // LMDB's thread has not even begun.
  assert.equal(log.read(), false);
  const read = known.findIndex(([atMs]) => atMs * 1000 === recorder.cursors[0]) + 1;
  assert.ok(read > 10 && read < known.length, String(read));
  agree(read);
  await commits.ended();
  agree(read);
  const [ofPrices, ofEvents] = [store.state()!.cursors, file.state()!.cursors];
  assert.deepEqual([ofPrices, ofEvents], [[known[0]![0] * 1000], [known[0]![0] * 1000]]);
  assert.equal(log.read(), true);
  flush();
  agree(known.length);
  await commits.ended();
  agree(known.length);
  assert.deepEqual(seriesOf(stored.open(t).recorder, 0), known);
});
