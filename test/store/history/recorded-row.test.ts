// Rows that bets name or describe, as history finds them: what a game changed is read once, however many ask.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Timeline } from '../../../src/cli/backtest/timeline.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { Grader } from '../../../src/store/clv/grader.js';
import { memoryHistoryStore } from '../../../src/store/history/memory-store.js';
import { recordedRows, rowsDescribed } from '../../../src/store/history/recorded-row.js';
import { Recorder } from '../../../src/store/history/recorder.js';
import { event, message, total } from '../../intake/ingest/messages.js';

const BEGIN_MS = Date.parse('2026-11-20T18:00:00Z');

function countingStore() {
  const stored = memoryHistoryStore();
  const store = {
    ...stored,
    walks: 0,
    pages: (...of: Parameters<typeof stored.pages>) => {
      store.walks++;
      return stored.pages(...of);
    },
  };
  return store;
}

function begun() {
  const catalogue = loadCatalogue();
  const store = countingStore();
  const recorder = new Recorder(store);
  recorder.begin('test', 1);
  const timeline = new Timeline(catalogue, { key: 'all', books: null, kept: { minEv: 0 } }, () => undefined, recorder);
  return { catalogue, store, recorder, timeline };
}

/** A game whose total went from 220.5 over 221.5 to 222.5. */
function world() {
  const { catalogue, store, recorder, timeline } = begun();
  for (const [i, line] of [220.5, 221.5, 222.5].entries()) {
    const atMs = BEGIN_MS + i * 60_000;
    const said = { book: 'draftkings', polled_at: new Date(atMs).toISOString() };
    timeline.play({ atMs, messages: [message([event([total(line, -110, -110)], {})], said)] });
  }
  recorder.flush();
  store.walks = 0;
  return { catalogue, store, recorder, game: recorder.event(1)! };
}

test('bets at lines of the past, at those that stand and at none that was are found in one walk of their game', () => {
  const { catalogue, store, recorder, game } = world();
  const bet = (selection: string, line: number | undefined) => ({
    ...{ event: game.id, market: 'total_points', selection, sportsbook: 'draftkings', line },
    ...{ player: null, team: null },
  });
  const found = rowsDescribed(recorder, catalogue, [
    bet('over', 220.5),
    bet('over', 221.5000001),
    bet('under', 222.5),
    bet('under', undefined),
    ...Array.from({ length: 500 }, (_, i) => bet('over', 230.5 + i)),
    { ...bet('over', 220.5), event: 'unknown' },
  ]);
  const id = (type: string) => game.rows.find(({ selectionType }) => selectionType === type)!.id;
  assert.deepEqual(found.slice(0, 4), [id('over'), id('over'), id('under'), id('under')]);
  assert.deepEqual(new Set(found.slice(4)), new Set([null]));
  assert.equal(store.walks, 1);
});

test('rows by their ids are read with their last line, a game at once', () => {
  const { store, recorder, game } = world();
  const ids = game.rows.map(({ id }) => id);
  const rows = recordedRows(recorder, [...ids, '1', ...ids]);
  const lines = ids.map(() => 222.5);
  assert.deepEqual(
    rows.map((row) => row?.line ?? null),
    [...lines, null, ...lines],
  );
  assert.equal(store.walks, 1);
});

test('a bet that is described is graded in as many walks of its game, however many lines its book has there', () => {
  const walks = [4, 40].map((lines) => {
    const { catalogue, store, recorder, timeline } = begun();
    const totals = Array.from(
      { length: lines },
      (_, i) => total(200.5 + i, 100 + i, -110 - i, i > 0).selections,
    ).flat();
    const markets = [{ ...total(200.5, -110, -110), selections: totals }];
    const said = { book: 'draftkings', polled_at: new Date(BEGIN_MS).toISOString() };
    timeline.play({ atMs: BEGIN_MS, messages: [message([event(markets, {})], said)] });
    recorder.flush();
    store.walks = 0;
    const bet = {
      ...{ oddsId: null, event: recorder.event(1)!.id, market: 'total_points', selection: 'over' },
      ...{ sportsbook: 'draftkings', line: 203.5, american: null, atUs: (BEGIN_MS + 1_000) * 1_000 },
    };
    const grade = new Grader(recorder, catalogue).gradeBet(bet, (BEGIN_MS + 2_000) * 1_000);
    assert.deepEqual([grade.line, grade.american, grade.reason], [203.5, 103, 'not_closed']);
    return store.walks;
  });
  assert.deepEqual(walks, [2, 2]);
});
