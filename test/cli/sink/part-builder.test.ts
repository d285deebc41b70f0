// What a sink makes of a stream's events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ndjson } from '../../../src/cli/sink/ndjson.js';
import { PartBuilder, timeOf } from '../../../src/cli/sink/part-builder.js';
import type { ArbitrageOpportunity, OddsDelta, OddsRow, StreamEvent } from '../../../src/client/client.js';

const row = (id: string) => ({ id, event_id: 'e', odds_changed_at: '2026-11-29T00:17:26.500000Z' }) as OddsRow;
const delta = (id: string, odds_american: number) => ({ id, odds_american }) as OddsDelta;
const found = (id: string, profit_percent: number): StreamEvent => ({
  type: 'detected',
  channel: 'arbitrage',
  items: [{ id, profit_percent, event_id: 'e', detected_at: '2026-11-20T18:00:00Z' } as ArbitrageOpportunity],
});
const FRESH: StreamEvent = { type: 'started', resumed: false };

test('rows of one part can be put, then changed, then removed; what needs another order is in the next', () => {
  const builder = new PartBuilder('main', []);
  builder.take({ type: 'added', rows: [row('a')] });
  builder.take({ type: 'updated', deltas: [delta('a', 110), delta('b', 120)] });
  builder.take({ type: 'removed', ids: ['a'] });
  builder.take({ type: 'added', rows: [row('c')] });
  builder.take({ type: 'added', rows: [row('a')] });
  const { parts, position } = builder.cut(7);
  assert.equal(position, 7);
  assert.deepEqual(
    parts.map(({ put, changed, removed }) => [put.map(({ id }) => id), changed.map(({ id }) => id), removed]),
    [
      // It came again: its removal is just before that.
      [['a', 'c'], ['a', 'b'], [{ id: 'a', at: '2026-11-29T00:17:26.499999000Z' }]],
      [['a'], [], []],
    ],
  );
  assert.equal(builder.waiting, 0);
});

test('an opportunity is detected, updated and over in turn; sent again as it was it is nothing', () => {
  const builder = new PartBuilder('main', []);
  const changes = (position: number) =>
    builder.cut(position).parts.flatMap(({ opportunities }) => opportunities.map(({ change, at }) => [change, at]));
  builder.take(found('x', 1));
  assert.deepEqual(changes(1_795_000_000_000_001), [['detected', timeOf(1_795_000_000_000_001)]]);
  builder.take(found('x', 1));
  assert.deepEqual(changes(1_795_000_000_000_002), []);
  builder.take(found('x', 2));
  builder.take({ type: 'expired', channel: 'arbitrage', ids: ['x', 'never seen'] });
  assert.deepEqual(changes(1_795_000_000_000_003), [
    ['updated', timeOf(1_795_000_000_000_002)],
    ['expired', timeOf(1_795_000_000_000_003)],
  ]);
});

test('a pipe that goes on after a position is told of the end of what began before it', async () => {
  const { open } = await new Ndjson(async () => undefined, 1_795_000_000_000_000).open('{}');
  const builder = new PartBuilder('main', open);
  builder.take({ type: 'started', resumed: true });
  builder.take({ type: 'expired', channel: 'arbitrage', ids: ['x'] });
  builder.take({ type: 'expired', channel: 'moves', ids: ['m'] });
  const ends = builder
    .cut(1_795_000_000_000_001)
    .parts.flatMap(({ opportunities, movesOver }) => [
      ...opportunities.map(({ id, change }) => [id, change]),
      ...movesOver.map(({ id }) => id),
    ]);
  assert.deepEqual(ends, [['x', 'expired'], 'm']);
  // A snapshot says what there is: another id is of nothing that it told.
  builder.take(FRESH);
  builder.take({ type: 'expired', channel: 'arbitrage', ids: ['y'] });
  assert.equal(builder.cut(1_795_000_000_000_002).parts.flatMap(({ opportunities }) => opportunities).length, 0);
});

test('what a new snapshot does not tell is over', () => {
  const identity = { event_id: 'e', sport: 's', league: 'l', market_type: 'm' };
  const builder = new PartBuilder('main', [
    { kind: 'arbitrage', id: 'x', ...identity },
    { kind: 'arbitrage', id: 'y', ...identity },
    { kind: 'moves', id: 'm', ...identity },
  ]);
  builder.take({ type: 'snapshot_required', reason: 'too_old' });
  builder.take(FRESH);
  builder.take({ type: 'snapshot', rows: [row('a')] });
  const piece = builder.cut(null);
  assert.deepEqual([piece.position, piece.restarts, piece.reason], [null, true, 'too_old']);
  builder.take(found('x', 1));
  const { parts, restarts } = builder.cut(9);
  assert.equal(restarts, false);
  assert.deepEqual(
    parts.flatMap(({ opportunities }) => opportunities.map(({ id, change }) => [id, change])),
    [
      ['x', 'updated'],
      ['y', 'expired'],
    ],
  );
  assert.deepEqual(
    parts.flatMap(({ movesOver }) => movesOver),
    [{ id: 'm', at: timeOf(9) }],
  );
});

test('a piece of a snapshot has its prices alone: opportunities wait for the position, whose instant is theirs', () => {
  const builder = new PartBuilder('main', []);
  builder.take(FRESH);
  builder.take({ type: 'snapshot', rows: [row('a')] });
  builder.take(found('x', 1));
  const [piece] = builder.cut(null).parts;
  assert.deepEqual([piece?.put.map(({ id }) => id), piece?.opportunities], [['a'], []]);
  builder.take({ type: 'snapshot', rows: [row('b')] });
  const told = builder.cut(9).parts.flatMap(({ opportunities }) => opportunities);
  assert.deepEqual(
    told.map(({ id, change, at }) => [id, change, at]),
    [['x', 'detected', timeOf(9)]],
  );
});

test('where a snapshot begins anew nothing but its prices is forgotten', () => {
  const identity = { event_id: 'e', sport: 's', league: 'l', market_type: 'm' };
  const builder = new PartBuilder('main', [
    { kind: 'arbitrage', id: 'y', ...identity },
    { kind: 'moves', id: 'm', ...identity },
  ]);
  builder.take(found('x', 1));
  builder.take({ type: 'expired', channel: 'arbitrage', ids: ['y'] });
  builder.take({ type: 'expired', channel: 'moves', ids: ['m'] });
  builder.take({ type: 'added', rows: [row('a')] });
  builder.take(FRESH);
  builder.take({ type: 'snapshot', rows: [row('b')] });
  // As it was before: it is told once.
  builder.take(found('x', 1));
  const { parts } = builder.cut(9);
  assert.deepEqual(
    parts.flatMap(({ put }) => put.map(({ id }) => id)),
    ['b'],
  );
  assert.deepEqual(
    parts.flatMap(({ opportunities }) => opportunities.map(({ id, change }) => [id, change])),
    [
      ['x', 'detected'],
      ['y', 'expired'],
    ],
  );
  assert.deepEqual(
    parts.flatMap(({ movesOver }) => movesOver),
    [{ id: 'm', at: timeOf(9) }],
  );
});

test('a position is an instant in microseconds', () => {
  assert.equal(timeOf(1_795_911_446_523_914), '2026-11-29T00:17:26.523914000Z');
});
