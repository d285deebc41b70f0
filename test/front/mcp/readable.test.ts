import assert from 'node:assert/strict';
import { test } from 'node:test';
import { american, booksOf, each, field, flag, joined, readable, score } from '../../../src/front/mcp/readable.js';

const line = joined(' · ', field('team'), american('odds.american'), flag('is_live', 'live'));
const row = (team: string, american: number, is_live = false) => ({ team, odds: { american }, is_live });

test('a list is a heading, a line per row, and how to continue', () => {
  const pagination = { total: 9, has_more: true, next_offset: 2 };
  const body = { data: [row('Celtics', -110), row('Heat', 150, true)], pagination };
  assert.equal(readable(body, { line }), '2 of 9; next page: offset 2\nCeltics · -110\nHeat · +150 · live');
  const byCursor = readable({ ...body, pagination: { ...pagination, next_cursor: 'abc' } }, { line });
  assert.match(byCursor, /^2 of 9; next page: cursor abc\n/);
});

test('notes about an answer are shown: unknown values, ignored arguments, removed rows, overflow', () => {
  const meta = { unknown: ['xfl'], ignored: ['colour'], server_time: '2026-11-20T18:00:00Z' };
  const text = readable({ data: [], removed: ['1', '2'], overflow: true, meta }, { line });
  assert.deepEqual(text.split('\n'), [
    '0 of 0',
    '2 removed',
    'overflow: beyond 10,000; ask for less by league, event or market, and after get_odds_delta read get_odds anew',
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

test('as many complete rows are shown as fit into the text, and the text says that there are more', () => {
  const data = Array.from({ length: 500 }, (_, i) => row(`${'team '.repeat(20)}${i}`, 100));
  const lines = readable({ data }, { line }).split('\n');
  const shown = lines.length - 2;
  assert.ok(shown > 150 && shown < 300, `${shown}`);
  assert.equal(lines.at(-1), `… ${500 - shown} more in the structured content; ask for less to read them here`);
});

test('a score is shown with the away team first, as far as it is known', () => {
  const state = { home_score: 54, away_score: 51, period: 'Q3', clock: '07:12' };
  assert.equal(score({ game_state: state }), 'score 51-54 Q3 07:12');
  assert.equal(score({ game_state: { ...state, home_score: null, clock: '' } }), 'score Q3');
  assert.equal(score({ game_state: { home_score: 0, away_score: 0 } }), 'score 0-0');
  assert.deepEqual(
    [score({ game_state: {} }), score({ game_state: null }), score({})],
    [undefined, undefined, undefined],
  );
});

test('every book of a selection is shown, best price first, and stale ones are marked', () => {
  const books = {
    fanduel: { odds_american: -120, odds_decimal_net: 1.83 },
    betmgm: { odds_american: 105, odds_decimal_net: 2.05, possibly_stale: true },
    caesars: { odds_american: 100, odds_decimal_net: 2, possibly_stale: false },
    bovada: { odds_american: -130, odds_decimal_net: 1.77, possibly_stale: true, is_active: false },
  };
  assert.equal(booksOf('books')({ books }), 'betmgm +105 (old), caesars +100, fanduel -120, bovada -130 (suspended)');
});

test('one object is its own head and the rows within it; rows of another shape are shown as they are', () => {
  const within = { rows: 'markets', head: field('name') };
  const body = { data: { name: 'A @ B', markets: [{ legs: [row('A', 100), row('B', -120)] }, { odd: 1 }] } };
  const legs = each('legs', line);
  assert.equal(readable(body, { line: legs, within }), 'A @ B\nA · +100 + B · -120\n{"odd":1}');
  assert.equal(readable(undefined, { line }), '');
});
