// The journal of a row's price compared with a list of all its changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LIMITS } from '../../../src/base/model/limits.js';
import { MOVE_LIMITS } from '../../../src/detection/moves/move-limits.js';
import { PriceChanges, PriceJournal, type PriceWindow } from '../../../src/detection/moves/price-journal.js';

const START_US = 1e15;
const WINDOWS_MS: Record<PriceWindow, number> = { steam: MOVE_LIMITS.steamWindowMs, drop: MOVE_LIMITS.dropWindowMs };
/** As few as fit into its first ring, so that changes are overwritten. */
const CHANGES_MAX = 1_024;

interface Change {
  no: number;
  us: number;
  before: number;
  lineBefore: number | null;
}

/** All changes of all rows, and what follows from them by walking. */
class Plain {
  readonly changes: Change[] = [];
  readonly rows = new Map<number, { decimal: number; line: number | null; from: number }>();

  note(no: number, decimal: number, line: number | null, us: number): void {
    const known = this.rows.get(no);
    if (known === undefined) this.rows.set(no, { decimal, line, from: this.changes.length });
    else if (known.decimal !== decimal || known.line !== line) {
      this.changes.push({ no, us, before: known.decimal, lineBefore: known.line });
      Object.assign(known, { decimal, line });
    }
  }

  move(no: number, sinceUs: number, remembered: ReadonlySet<Change>): unknown {
    const row = this.rows.get(no);
    if (row === undefined) return null;
    const own: Change[] = [];
    for (const change of this.changes.slice(row.from).reverse()) {
      if (change.no !== no) continue;
      if (change.us < sinceUs || change.lineBefore !== row.line || !remembered.has(change)) break;
      own.push(change);
    }
    const [last] = own;
    if (last === undefined) return null;
    const direction = last.before > row.decimal ? 1 : -1;
    const farthest = own.reduce((best, one) => ((one.before - best.before) * direction > 0 ? one : best));
    return [farthest.before, farthest.us, last.us, direction];
  }

  line(no: number, sinceUs: number): unknown {
    const row = this.rows.get(no);
    if (row === undefined) return null;
    const last = this.changes.slice(row.from).findLast((one) => one.no === no && one.lineBefore !== row.line);
    return last === undefined || last.us < sinceUs ? null : [last.lineBefore ?? Number.NaN, last.us];
  }

  /** The changes that a ring still has. */
  remembered(): ReadonlySet<Change> {
    const prices = this.changes.filter((change, i) => {
      const next = this.changes.slice(i + 1).find(({ no }) => no === change.no);
      const row = this.rows.get(change.no);
      return change.lineBefore === (next ?? { lineBefore: row?.line }).lineBefore;
    });
    return new Set(prices.slice(-CHANGES_MAX));
  }
}

function asked(journal: PriceJournal, no: number, window: PriceWindow, us: number): unknown {
  if (!journal.priceMove(no, window, us)) return null;
  return [journal.from, journal.sinceUs, journal.atUs, journal.direction];
}

const step = fc.record({
  no: fc.constantFrom(0, 1, 2, 1_500),
  waitMs: fc.oneof(fc.integer({ min: 0, max: 4_000 }), fc.integer({ min: 0, max: 200_000 })),
  decimal: fc.integer({ min: 11, max: 19 }).map((tenths) => tenths / 10),
  line: fc.constantFrom(null, null, null, null, 2.5),
  gone: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
  asks: fc.boolean(),
});

test('the farthest price of each window and the last move of the line are those of a walk over all changes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const journal = new PriceJournal(CHANGES_MAX);
      const plain = new Plain();
      let us = START_US;
      for (const { no, waitMs, decimal, line, gone, asks } of steps) {
        us += waitMs * 1000;
        if (gone) {
          journal.forget(no);
          plain.rows.delete(no);
        }
        journal.note(no, decimal, line, true, us);
        plain.note(no, decimal, line, us);
        if (!asks) continue;
        const all = new Set(plain.changes);
        for (const row of [0, 1, 2, 1_500]) {
          for (const window of ['steam', 'drop'] as const)
            assert.deepEqual(
              asked(journal, row, window, us),
              plain.move(row, us - WINDOWS_MS[window] * 1000, all),
              `${window} of ${row}`,
            );
          const lined = journal.lineMove(row, us - 60e6) ? [journal.from, journal.atUs] : null;
          assert.deepEqual(lined, plain.line(row, us - 60e6), `line of ${row}`);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('changes that were written over are forgotten, and no others', () => {
  const journal = new PriceJournal(CHANGES_MAX);
  const plain = new Plain();
  let us = START_US;
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  let compared = 0;
  for (let i = 0; i < 4_000; i++) {
    us += random(1_000_000);
    // Row 9 changes so rarely that all its changes are overwritten.
    const no = random(800) === 0 ? 9 : random(4);
    const decimal = 1 + (1 + random(60)) / 20;
    const line = random(400) === 0 ? 2.5 : (plain.rows.get(no)?.line ?? null);
    journal.note(no, decimal, line, true, us);
    plain.note(no, decimal, line, us);
    if (i < 3_000 || i % 10 > 0) continue;
    const remembered = plain.remembered();
    for (const row of [0, 1, 2, 3, 9]) {
      const expected = plain.move(row, us - WINDOWS_MS.drop * 1000, remembered);
      assert.deepEqual(asked(journal, row, 'drop', us), expected, `row ${row} after ${i}`);
      if (expected !== null) compared++;
    }
  }
  assert.ok(compared > 100, `${compared} compared`);
});

test('all changes of the longest window are remembered, at whatever pace they come', () => {
  const journal = new PriceJournal();
  const plain = new Plain();
  const paces: [changes: number, everyUs: number][] = [
    [3_000, 1_000_000],
    [6_000, 40_000],
    [1_500, 1_000_000],
    [3_000, 100_000],
  ];
  let us = START_US;
  let i = 0;
  for (const [changes, everyUs] of paces)
    for (const last = i + changes; i < last; i++) {
      us += everyUs;
      const no = (i * 7) % 5;
      const decimal = 1 + (1 + ((i * 7_919) % 61)) / 20;
      journal.note(no, decimal, null, true, us);
      plain.note(no, decimal, null, us);
      if (i % 97 !== 0) continue;
      const sinceUs = us - WINDOWS_MS.drop * 1000;
      const within = new Plain();
      within.changes.push(...plain.changes.slice(-16_000).filter((change) => change.us >= sinceUs));
      for (const [row, known] of plain.rows) within.rows.set(row, { ...known, from: 0 });
      const all = new Set(within.changes);
      for (let row = 0; row < 5; row++)
        assert.deepEqual(asked(journal, row, 'drop', us), within.move(row, sinceUs, all), `row ${row} after ${i}`);
    }
});

test('changes older than the longest window make room for others', () => {
  const changes = new PriceChanges(LIMITS.priceChanges.max, MOVE_LIMITS.dropWindowMs * 1000);
  for (let i = 0; i < 100_000; i++) {
    changes.makeRoom(START_US + i * 1e6);
    changes.add(0, START_US + i * 1e6, 2);
  }
  assert.equal(changes.size, 1_024);
});
