// What history removes when its days are over or its space is used up, and what stays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closingLines, openingLines } from '../../../src/store/history/answers.js';
import { retain } from '../../../src/store/history/retention.js';
import { eventOf, MINUTE_MS, StoredLog, seriesOf } from './stored-log.js';

const DAY_US = 86_400e6;
const DAY_MS = DAY_US / 1000;

test('pages beyond the retention are removed; the opening price and the last one before the close stay', (t) => {
  const stored = new StoredLog(t);
  const { store, recorder, log } = stored.open(t);
  const first = stored.commit(110);
  stored.commit(120, [0, 1]);
  stored.clock.set(stored.clock.now() + 2 * DAY_MS);
  stored.commit(130, [1]);
  stored.clock.set(stored.clock.now() + 2 * DAY_MS);
  const last = stored.commit(140, [1]);
  log.read();
  recorder.flush();
  const gone = (days: number): number => {
    const count = retain(recorder, store, { days, bytesMax: 1e9 }, last);
    recorder.flush();
    return count;
  };
  assert.equal(gone(5), 0);
  // Two pages of the first day, of two games.
  assert.equal(gone(3), 2);
  assert.deepEqual(seriesOf(recorder, 0), []);
  assert.deepEqual(
    seriesOf(recorder, 1).map(([, american]) => american),
    [130, 140],
  );
  assert.equal(gone(3), 0);
  const again = stored.open(t);
  const event = eventOf(again.recorder, 0);
  const homes = (lines: ReturnType<typeof openingLines>) =>
    lines.filter(({ row }) => row.selectionType === 'home').map(({ point }) => [point.american, point.atUs]);
  assert.deepEqual(homes(openingLines(event)), [[110, first]]);
  const closes = closingLines(again.recorder, event, event.startMs * 1000, () => false);
  assert.deepEqual(homes(closes), [[120, first + MINUTE_MS * 1000]]);
});

test('if history exceeds its size, the oldest pages are removed first', (t) => {
  const stored = new StoredLog(t);
  const { store, recorder, log } = stored.open(t);
  const games = Array.from({ length: 40 }, (_, game) => game);
  for (const game of games) {
    stored.clock.set(stored.clock.now() + 60 * MINUTE_MS);
    for (let n = 0; n < 5; n++) stored.commit(110 + n * 10, [game]);
  }
  log.read();
  recorder.flush();
  const now = stored.clock.now() * 1000;
  assert.equal(retain(recorder, store, { days: 30, bytesMax: store.usedBytes() }, now), 0);
  const count = retain(recorder, store, { days: 30, bytesMax: store.usedBytes() - 1 }, now);
  recorder.flush();
  assert.ok(count >= 4 && count < 8, `${count} pages went`);
  const left = games.filter((game) => seriesOf(recorder, game).length > 0);
  assert.deepEqual(left, games.slice(-left.length));
});

test('a game that comes back after history removed it is known again', (t) => {
  const stored = new StoredLog(t);
  const { store, recorder, log } = stored.open(t);
  const retainAt = (at: string): void => {
    stored.clock.set(Date.parse(at));
    stored.commit(110, [1]);
    log.read();
    recorder.flush();
    if (retain(recorder, store, { days: 3, bytesMax: 1e9 }, stored.clock.now() * 1000) > 0) recorder.flush();
  };
  stored.commit(110);
  stored.commit(null);
  // It has left the table; first its pages are past, then two days since its start.
  retainAt('2026-11-26T15:00:00Z');
  retainAt('2026-11-27T15:00:00Z');
  stored.commit(150);
  log.read();
  recorder.flush();
  assert.deepEqual(stored.readErrors, []);
  const { recorder: again } = stored.open(t);
  assert.deepEqual(
    seriesOf(again, 0).map(([, american]) => american),
    [150],
  );
});
