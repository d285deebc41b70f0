// History that follows a shard's log: what is cut too early or cannot be read is a gap, everything else is stored once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLargeStore } from '../../../bench/large-store.js';
import { systemClock } from '../../../src/base/model/clock.js';
import { LIMITS } from '../../../src/base/model/limits.js';
import { NO_DETAILS } from '../../../src/base/model/row-details.js';
import type { Delta, EventDelta } from '../../../src/log/delta/delta.js';
import { openDataDirectory } from '../../../src/store/data-directory.js';
import { memoryHistoryStore } from '../../../src/store/history/memory-store.js';
import { Recorder } from '../../../src/store/history/recorder.js';
import { HistoryLog } from '../../../src/store/history-log.js';
import { HistoryFile } from '../../../src/store/history-store.js';
import { WriteBehind } from '../../../src/store/write-behind.js';
import { newFolder } from '../../temp-folders.js';
import { eventOf, type Series, StoredLog, seriesOf } from './stored-log.js';

test('a log that was cut before it was read is a gap; prices continue from the present ones', (t) => {
  const stored = new StoredLog(t, 300);
  const known: Series = [];
  const { recorder, log } = stored.open(t);
  for (const american of [110, 120, 130]) known.push([stored.commit(american) / 1000, american]);
  log.read();
  recorder.flush();
  const before = recorder.cursors[0]!;
  log.close();
  // Ten minutes, of which the first five are gone from the log when it is read again.
  for (let american = 140; american < 240; american += 10) known.push([stored.commit(american) / 1000, american]);
  const again = stored.open(t);
  assert.equal(again.log.read(), true);
  assert.equal(stored.gaps.length, 1);
  const [gap] = stored.gaps;
  assert.equal(gap!.fromUs, before);
  // The present price is stored once, at its own time; nothing that was read before is stored again.
  assert.deepEqual(seriesOf(again.recorder, 0), [...known.slice(0, 3), known.at(-1)!]);
  const { shard } = eventOf(again.recorder, 0);
  assert.deepEqual(again.recorder.gaps.within(shard, before, gap!.toUs), [gap]);
  assert.deepEqual(again.recorder.gaps.within(shard, 0, before), []);
  again.recorder.flush();
  const last = stored.open(t);
  assert.deepEqual(last.recorder.gaps.list, [gap]);
  known.push([stored.commit(-150) / 1000, -150]);
  last.log.read();
  assert.deepEqual(seriesOf(last.recorder, 0), [...known.slice(0, 3), ...known.slice(-2)]);
});

test('a gap that is met while history is written is recorded after that', async (t) => {
  const stored = new StoredLog(t, 300);
  const commits = new WriteBehind();
  const { recorder, log } = stored.open(t, undefined, undefined, undefined, commits);
  const known: Series = [];
  for (const american of [110, 120, 130]) known.push([stored.commit(american) / 1000, american]);
  log.read();
  recorder.flush(true);
  for (let american = 140; american < 240; american += 10) known.push([stored.commit(american) / 1000, american]);
  assert.equal(log.read(), false);
  assert.deepEqual([seriesOf(recorder, 0), stored.gaps], [known.slice(0, 3), []]);
  await commits.ended();
  assert.equal(log.read(), true);
  assert.equal(stored.gaps.length, 1);
  assert.deepEqual(seriesOf(stored.open(t).recorder, 0), [...known.slice(0, 3), known.at(-1)!]);
});

test('what history has not written stays in the log, up to its maximum size; what is cut then is a gap', (t) => {
  const stored = new StoredLog(t, 300, 20_000);
  stored.open(t).log.close();
  stored.writer.recordedTo = 0;
  const known: Series = [];
  const commit = (n: number): void => {
    known.push([stored.commit(100 + n) / 1000, 100 + n]);
  };
  // Read by a process that died before it wrote.
  for (let n = 0; n < 12; n++) commit(n);
  stored.open(t).log.read();
  for (let n = 12; n < 20; n++) commit(n);
  const { log, recorder } = stored.open(t);
  assert.equal(log.read(), true);
  assert.deepEqual([stored.gaps, seriesOf(recorder, 0)], [[], known]);
  recorder.flush();
  stored.writer.recordedTo = recorder.cursors[0]!;
  for (let n = 20; n < 30; n++) commit(n);
  const entries = () => [...stored.env.log.getKeys()].length;
  assert.equal(entries(), 10, 'what is written is cut again');
  // Nothing can be written for a long time, as on a full disk.
  for (let n = 30; n < 150; n++) commit(n);
  const kept = entries();
  for (let n = 150; n < 200; n++) commit(n);
  assert.ok(kept > 10 && entries() <= kept + 2, `${kept}, then ${entries()}`);
  const last = stored.open(t);
  last.log.read();
  assert.equal(stored.gaps.length, 1);
  assert.deepEqual(seriesOf(last.recorder, 0).at(-1), known.at(-1));
});

test('changes that were cut before history’s first write are a gap as well', (t) => {
  const stored = new StoredLog(t, 300);
  stored.open(t).log.close();
  let last: Series[number] = [0, 0];
  for (let american = 140; american < 240; american += 10) last = [stored.commit(american) / 1000, american];
  const { log, recorder } = stored.open(t);
  assert.equal(log.read(), true);
  assert.deepEqual(stored.gaps, [{ shard: 0, fromUs: stored.directory.createdPosition, toUs: last[0] * 1000 }]);
  assert.deepEqual(seriesOf(recorder, 0), [last]);
});

test('a delta that failed halfway is read again: nothing is lost, nothing duplicated', (t) => {
  const stored = new StoredLog(t);
  let fails = 0;
  class Failing extends Recorder {
    override take(delta: Delta): void {
      const half = { ...delta, books: delta.books.slice(0, 1) };
      if (delta.books.length > 1 && fails++ === 0) {
        super.take(half);
        throw new Error('a page could not be read');
      }
      super.take(delta);
    }
  }
  const { recorder, log } = stored.open(t, (store) => new Failing(store));
  const known: Series = [];
  for (let n = 0; n < 4; n++) known.push([stored.commit(110 + n * 10) / 1000, 110 + n * 10]);
  log.read();
  recorder.flush();
  for (let n = 4; n < 8; n++) known.push([stored.commit(110 + n * 10, [0, 1]) / 1000, 110 + n * 10]);
  assert.equal(log.read(), false);
  assert.deepEqual([stored.readErrors.length, fails], [1, 1]);
  assert.equal(log.read(), true);
  assert.deepEqual(seriesOf(recorder, 0), known);
  assert.deepEqual(seriesOf(recorder, 1), known.slice(4));
  assert.deepEqual(stored.gaps, []);
});

test('an unreadable part of the log is a gap, and the prices after it are stored once', (t) => {
  const stored = new StoredLog(t);
  const { recorder, log } = stored.open(t);
  const known: Series = [];
  const positions: number[] = [];
  for (let n = 0; n < 6; n++) {
    positions.push(stored.commit(110 + n * 10, [0, 1]));
    known.push([positions[n]! / 1000, 110 + n * 10]);
  }
  stored.env.log.putSync(positions[3]!, Buffer.from([0xc1]));
  // Read once, and again from where the last write ended; then it is skipped.
  for (const read of [false, false, true]) assert.equal(log.read(), read);
  assert.deepEqual(stored.readErrors, [positions[2], positions[2]]);
  assert.deepEqual(stored.gaps, [{ shard: 0, fromUs: positions[2], toUs: positions[5] }]);
  for (const game of [0, 1]) assert.deepEqual(seriesOf(recorder, game), [...known.slice(0, 3), known[5]]);
  known.push([stored.commit(-200) / 1000, -200]);
  assert.equal(log.read(), true);
  recorder.flush();
  const again = stored.open(t);
  again.log.read();
  assert.deepEqual(seriesOf(again.recorder, 0), [...known.slice(0, 3), ...known.slice(5)]);
});

test('a directory with a new epoch after a loss of power continues with its history, in order', (t) => {
  const stored = new StoredLog(t);
  const first = stored.open(t);
  const known: Record<string, Series> = { draftkings: [], fanduel: [] };
  const commit = (american: number, book: string): void => {
    known[book]!.push([stored.commit(american, [0], book) / 1000, american]);
  };
  for (let n = 0; n < 3; n++) commit(110 + n * 10, 'draftkings');
  for (let n = 0; n < 3; n++) commit(150 + n * 10, 'fanduel');
  first.log.read();
  first.recorder.flush();
  first.log.close();
  // One row is unchanged since before the other's changes.
  const again = stored.open(t, undefined, 'another epoch');
  again.log.read();
  again.recorder.flush();
  const check = (recorder: Recorder): void => {
    for (const book of ['draftkings', 'fanduel']) assert.deepEqual(seriesOf(recorder, 0, book), known[book], book);
  };
  check(again.recorder);
  commit(-140, 'draftkings');
  again.log.read();
  again.recorder.flush();
  check(stored.open(t, undefined, 'another epoch').recorder);
});

test('a reading that was begun before a commit is followed by what was committed since', (t) => {
  const stored = new StoredLog(t);
  const { log, recorder } = stored.open(t);
  const known: Series = [[stored.commit(110) / 1000, 110]];
  log.begin();
  known.push([stored.commit(120) / 1000, 120]);
  assert.equal(log.read(), true);
  assert.deepEqual(seriesOf(recorder, 0), known);
  // Left open after one entry.
  known.push([stored.commit(130) / 1000, 130], [stored.commit(140) / 1000, 140]);
  assert.equal(log.read(0), false);
  known.push([stored.commit(150) / 1000, 150]);
  assert.equal(log.read(), true);
  assert.deepEqual(seriesOf(recorder, 0), known);
});

test('a start reads the rows of no game; one that changes is read with what the numbers of its rows mean', () => {
  const read: number[] = [];
  const stored = memoryHistoryStore();
  const store = {
    ...stored,
    rows: (hno: number) => {
      read.push(hno);
      return stored.rows(hno);
    },
  };
  const recorder = new Recorder(store);
  recorder.begin('one', 1);
  for (const no of [1, 2]) {
    const event = { id: `game-${no}`, sport: 'basketball', league: 'nba', home: 'Home', away: 'Away', startMs: 0 };
    recorder.stated(0, { ...event, no, status: 'upcoming', live: false } as EventDelta, 10);
    const price = {
      atUs: 10,
      american: -110,
      decimal: 1.909091,
      line: null,
      live: false,
      active: true,
      indicative: false,
    };
    const names = { market: 'moneyline', selection: 'Home', selectionType: 'home', player: null, stat: null };
    const kept = { place: -1, removedUs: 0, opening: price, seenMs: 0, lastBeforeClose: null };
    const identity = { ...names, id: String(no).padStart(19, '1'), team: null, alternate: false };
    const row = { ...identity, ...kept, book: 'draftkings', no: no + 10 };
    recorder.standing(0, no, [{ row, price, details: NO_DETAILS }], 0, 10);
  }
  recorder.flush();
  const again = new Recorder(store);
  read.length = 0;
  assert.ok(again.load());
  assert.deepEqual(read, []);
  again.take({
    shard: 0,
    position: 20,
    events: [],
    dropped: [],
    books: [[2, 'draftkings', 20, [], [12], []]],
  } as never);
  assert.deepEqual(read, [2]);
  assert.equal(again.find('game-2')!.rows[0]!.removedUs, 20);
  assert.equal(again.find('game-1')!.rows[0]!.removedUs, 0);
  again.flush();
  read.length = 0;
  const laterUs = 20 + 61e6;
  again.take({
    shard: 0,
    position: laterUs,
    events: [],
    dropped: [],
    books: [[1, 'draftkings', 20, [], [11], []]],
  } as never);
  again.flush();
  assert.equal(again.find('game-2')!.rows[0]!.removedUs, 20);
  assert.equal(again.find('game-1')!.rows[0]!.removedUs, laterUs);
  assert.deepEqual(read, [2], 'a game that did not change for a minute is read again');
});

test('what is restated of a large table is written in pieces, and is complete', async () => {
  const dir = newFolder();
  const rows = await makeLargeStore({ dir, books: 28, events: 62, shards: 1, clock: systemClock });
  const directory = openDataDirectory(dir, 1, systemClock);
  class Watched extends Recorder {
    most = 0;
    override standing(...of: Parameters<Recorder['standing']>): void {
      super.standing(...of);
      this.most = Math.max(this.most, this.pending);
    }
  }
  const file = new HistoryFile(dir);
  const recorder = new Watched(file);
  const never = (): never => assert.fail('nothing is lost');
  const { envs, epoch, createdPosition } = directory;
  const log = new HistoryLog({ envs, recorder, epoch, createdPosition, onGap: never, onReadError: never });
  assert.ok(log.read());
  recorder.flush();
  log.close();
  assert.ok(rows > LIMITS.historyUnwritten.max && recorder.most <= LIMITS.historyUnwritten.max + rows / 62);
  const again = new Recorder(file);
  assert.ok(again.load());
  let recorded = 0;
  for (const { hno } of [...file.events()])
    for (const row of again.event(hno)!.rows) if (row.no >= 0 && row.removedUs === 0) recorded++;
  assert.equal(recorded, rows);
  await file.close();
  await directory.close();
});
