// The numbers of a shard's rows are indexed by row number, and numbers are reused: nothing of a removed row may show.
import assert from 'node:assert/strict';
import test from 'node:test';
import { packActivity } from '../../../src/base/model/activity.js';
import { type Row, RowChange } from '../../../src/base/model/row.js';
import { NO_DETAILS } from '../../../src/base/model/row-details.js';
import { ShardRow, ShardRowNumbers } from '../../../src/base/model/shard-row.js';

function plain(no: number, over: Partial<Row> = {}): Row {
  return {
    no,
    id: '9999999999999999999',
    key: 'total_points|over|211.5',
    market: 'total_points',
    selection: 'Over',
    selectionType: 'over',
    player: 'A. Player',
    stat: 'points',
    team: 'away',
    alternate: true,
    line: 211.5,
    american: -110.5,
    decimal: 1.9047619047619047,
    ...activityOf(false, -112.5),
    seenMs: 1_795_300_000_123.25,
    changedUs: 1_795_300_000_123_456,
    createdPosition: 1_795_300_000_123_455,
    updatedPosition: 1_795_300_000_123_457,
    deepLink: 'https://book.example/a',
    externalId: 'x1',
    marketId: 'm1',
    details: { maxBet: 250, publicBetPct: 61, exchange: [40, null, 7, 'KX-1'] },
    lastSeenSerial: 2 ** 40,
    change: RowChange.added,
    ...over,
  };
}

function activityOf(
  active: boolean,
  previous: number | null,
  pregame = false,
): Pick<Row, 'activity' | 'active' | 'previous' | 'pregame'> {
  return { activity: packActivity(active, previous, pregame), active, previous, pregame };
}

function stored(numbers: ShardRowNumbers, row: Row): ShardRow {
  const made = new ShardRow(numbers, row, row, row, row.details);
  made.lastSeenSerial = row.lastSeenSerial;
  made.change = row.change;
  return made;
}

function fieldsOf(row: Row): Row {
  const fields: Record<string, unknown> = {};
  for (const field of Object.keys(plain(0)) as (keyof Row)[]) fields[field] = row[field];
  return fields as unknown as Row;
}

test('a stored row equals its source, to the last bit', () => {
  const numbers = new ShardRowNumbers();
  for (const fields of [
    plain(0),
    plain(1, { id: '1000000000000000000', line: null, player: null, stat: null, team: null, details: NO_DETAILS }),
    plain(2, { line: -0, american: 100, lastSeenSerial: 0, ...activityOf(true, null) }),
    plain(3, { ...activityOf(true, -1e8, true) }),
    plain(4, { ...activityOf(false, 1e8) }),
    plain(5, { ...activityOf(false, null) }),
  ])
    assert.deepStrictEqual(fieldsOf(stored(numbers, fields)), fields);
});

test('every number can be set, and only that of the row itself', () => {
  const numbers = new ShardRowNumbers();
  const [before, row, after] = [6, 7, 8].map((no) => stored(numbers, plain(no)));
  const fields = [
    'american',
    'decimal',
    'line',
    'seenMs',
    'changedUs',
    'createdPosition',
    'updatedPosition',
    'lastSeenSerial',
  ] as const;
  for (const [i, field] of fields.entries()) row![field] = i + 0.5;
  const set = Object.fromEntries(fields.map((field, i) => [field, i + 0.5]));
  assert.deepStrictEqual(fieldsOf(row!), plain(7, set));
  row!.line = null;
  assert.equal(row!.line, null);
  assert.deepStrictEqual(fieldsOf(before!), plain(6));
  assert.deepStrictEqual(fieldsOf(after!), plain(8));
});

test('rows keep their numbers when many more are added', () => {
  const numbers = new ShardRowNumbers();
  const first = stored(numbers, plain(5));
  const far = stored(numbers, plain(100_000, { id: '1234567890123456789', decimal: 3 }));
  stored(numbers, plain(250_001, { id: '1000000000000000001', decimal: 4 }));
  assert.deepStrictEqual(fieldsOf(first), plain(5));
  assert.deepStrictEqual(fieldsOf(far), plain(100_000, { id: '1234567890123456789', decimal: 3 }));
});

test('a reused number has nothing of its previous row', () => {
  const numbers = new ShardRowNumbers();
  stored(numbers, plain(3));
  const next = plain(3, {
    id: '1000000000000000002',
    line: null,
    american: 120,
    decimal: 2.2,
    seenMs: 1,
    lastSeenSerial: 0,
  });
  const later = { ...next, changedUs: 2, createdPosition: 3, updatedPosition: 4, change: 0 };
  assert.deepStrictEqual(fieldsOf(stored(numbers, later)), later);
});

test('an id that is not a number is refused', () => {
  assert.throws(() => stored(new ShardRowNumbers(), plain(0, { id: 'none' })), SyntaxError);
});
