// Objects of which there are tens of thousands share their hidden class: V8 gives each copy of an object with many fields
// one of its own, which takes as much memory again, and more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import type { Row } from '../../../src/base/model/row.js';
import { type Found, newMove, tailOf } from '../../../src/detection/moves/move.js';
import { eventOf, StoredLog } from '../../store/history/stored-log.js';

setFlagsFromString('--allow-natives-syntax');
const haveSameMap = new Function('a', 'b', 'return %HaveSameMap(a, b)') as (a: object, b: object) => boolean;

test('rows of history share theirs', (t) => {
  const stored = new StoredLog(t);
  const { log, recorder } = stored.open(t);
  for (let n = 0; n < 40; n++) stored.commit(110 + n, [n, n + 1]);
  log.read();
  const rows = Array.from({ length: 41 }, (_, game) => eventOf(recorder, game).rows).flat();
  assert.equal(rows.length, 82);
  const others = rows.filter((row) => !haveSameMap(row, rows.at(-1)!));
  // The first ones may be from before V8 knew the kinds of values that the fields have.
  assert.ok(others.length <= 8, `${others.length} of ${rows.length}`);
});

test('moves share theirs', () => {
  const found = { event: { id: 'e', no: 1, startMs: 1, live: false } } as unknown as Found;
  const row = { market: 'moneyline', player: null, line: null } as unknown as Row;
  const drop = {
    kind: 'drop',
    key: 'k',
    direction: 1,
    lineFrom: null,
    lineTo: null,
    movers: [],
    startedUs: 1,
  } as const;
  const moves = Array.from({ length: 50 }, (_, no) =>
    newMove('secret', { ...found, tail: tailOf(row, undefined, 0, { ...drop, movers: [], lastUs: no }) }),
  );
  for (const move of moves.slice(10))
    assert.ok(haveSameMap(move, moves.at(-1)!) && haveSameMap(move.tail, moves.at(-1)!.tail));
});
