// The queue of deadlines, compared with a search of all entries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import v8 from 'node:v8';
import fc from 'fast-check';
import { DueQueue } from '../../src/detection/due-queue.js';

class Line {
  dueMs = Number.POSITIVE_INFINITY;
}

const leaves = (line: Line): void => {
  line.dueMs = Number.POSITIVE_INFINITY;
};

const step = fc.record({
  line: fc.nat({ max: 2_999 }),
  dueMs: fc.integer({ min: 0, max: 1_000 }),
  does: fc.constantFrom('put', 'put', 'put', 'leave', 'take'),
});

test('each entry is taken once, at its earliest deadline, unless it has left', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6_000, size: 'max' }), (steps) => {
      const queue = new DueQueue<Line>();
      const lines = Array.from({ length: 3_000 }, () => new Line());
      const due = new Map<Line, number>();
      const takeBefore = (nowMs: number): void => {
        let last = Number.NEGATIVE_INFINITY;
        for (let line = queue.take(nowMs); line !== undefined; line = queue.take(nowMs)) {
          const dueMs = due.get(line);
          assert.ok(dueMs !== undefined && dueMs < nowMs && dueMs >= last);
          last = dueMs;
          due.delete(line);
        }
        for (const dueMs of due.values()) assert.ok(dueMs >= nowMs);
      };
      for (const { line: no, dueMs, does } of steps) {
        const line = lines[no]!;
        if (does === 'put') {
          queue.put(line, dueMs);
          due.set(line, Math.min(dueMs, due.get(line) ?? dueMs));
        } else if (does === 'leave') {
          leaves(line);
          due.delete(line);
        } else takeBefore(dueMs / 10);
      }
      assert.equal(queue.nextMs, Math.min(Number.POSITIVE_INFINITY, ...due.values()));
      takeBefore(2_000);
      assert.equal(due.size, 0);
    }),
    { numRuns: 30 },
  );
});

test('entries that left are let go long before their deadline', () => {
  const queue = new DueQueue<Line>();
  const stays = new Line();
  queue.put(stays, 1_000_000);
  for (let i = 0; i < 100_000; i++) {
    const line = new Line();
    queue.put(line, 2_000_000 + i);
    leaves(line);
  }
  const held = v8.queryObjects(Line, { format: 'count' });
  assert.ok(held <= 1_100, `${held} are held`);
  assert.equal(queue.take(2_000_000), stays);
});
