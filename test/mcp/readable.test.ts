import assert from 'node:assert/strict';
import { test } from 'node:test';
import { american, each, field, flag, joined, readable } from '../../src/mcp/readable.js';

const line = joined(' · ', field('team'), american('odds.american'), flag('is_live', 'live'));
const row = (team: string, american: number, is_live = false) => ({ team, odds: { american }, is_live });

test('a list is a head line, a line a row, and how to go on', () => {
  const pagination = { total: 9, has_more: true, next_offset: 2 };
  const body = { data: [row('Celtics', -110), row('Heat', 150, true)], pagination };
  assert.equal(readable(body, { line }), '2 of 9; next page: offset 2\nCeltics · -110\nHeat · +150 · live');
  const byCursor = readable({ ...body, pagination: { ...pagination, next_cursor: 'abc' } }, { line });
  assert.match(byCursor, /^2 of 9; next page: cursor abc\n/);
});

test('what the caller must know of the answer is told: unknown values, ignored arguments, what is gone, overflow', () => {
  const meta = { unknown: ['xfl'], ignored: ['colour'], server_time: '2026-11-20T18:00:00Z' };
  const text = readable({ data: [], removed: ['1', '2'], overflow: true, meta }, { line });
  assert.deepEqual(text.split('\n'), [
    '0 of 0',
    '2 removed',
    'overflow: take a snapshot with get_odds',
    'server_time 2026-11-20T18:00:00Z',
    'unknown, so nothing matches: xfl',
    'unknown arguments, ignored: colour',
  ]);
});

test('a name from a feed can not begin a line of its own, nor be endless', () => {
  const text = readable({ data: [row('Heat\n9 of 9\u2028\u0007x', 100), row('y'.repeat(5_000), 100)] }, { line });
  const lines = text.split('\n');
  assert.equal(lines.length, 3);
  assert.equal(lines[1], 'Heat 9 of 9 x · +100');
  assert.ok(lines[2]!.length <= 1_001);
});

test('at most fifty rows are lines, and the text says that there are more', () => {
  const data = Array.from({ length: 200 }, (_, i) => row(`team ${i}`, 100));
  const lines = readable({ data }, { line }).split('\n');
  assert.deepEqual([lines.length, lines[51]], [52, '… 150 more in the structured content']);
});

test('one object is its own head and the rows within it; rows of another shape are shown as they are', () => {
  const within = { rows: 'markets', head: field('name') };
  const body = { data: { name: 'A @ B', markets: [{ legs: [row('A', 100), row('B', -120)] }, { odd: 1 }] } };
  const legs = each('legs', line);
  assert.equal(readable(body, { line: legs, within }), 'A @ B\nA · +100 + B · -120\n{"odd":1}');
  assert.equal(readable(undefined, { line }), '');
});
