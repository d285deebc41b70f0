// How many futures a shard keeps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../../src/base/model/limits.js';
import type { Delta } from '../../../src/log/delta/delta.js';
import { FuturesBoard } from '../../../src/tables/futures.js';
import { message } from '../../intake/ingest/messages.js';
import { rig } from './rig.js';

const EACH = 20_000;
const MOST = LIMITS.futureSelections.max / EACH;

test('of futures those that were listed the longest ago are forgotten when there are too many', async (t) => {
  const shard = rig(t);
  const board = new FuturesBoard([]);
  let seconds = 0;
  const list = (no: number, selections: number): Delta => {
    const polled_at = new Date(shard.nowMs + ++seconds * 1000).toISOString();
    shard.nowMs += 1000;
    const names = Array.from({ length: selections }, (_, i) => ({ selection: `Team ${i}`, odds_american: 100 + i }));
    const futures = [{ league: 'nba', market: `winner_${no}`, selections: names }];
    const { receipt, delta } = shard.send({ ...message([], { polled_at }), scope: undefined, futures });
    assert.deepEqual(receipt.rejected, []);
    board.apply(delta!);
    return delta!;
  };
  const ids = (from: FuturesBoard): string[] => from.all().map(({ id }) => id);
  for (let no = 0; no < MOST; no++) list(no, EACH);
  assert.equal(board.all().length, MOST);
  // Listed again: the second one is now the oldest.
  list(0, EACH);
  const { futures } = list(MOST, EACH);
  assert.deepEqual(
    futures.map(({ future, forgotten }) => [future.market, forgotten === true]),
    [
      [`winner_${MOST}`, false],
      ['winner_1', true],
    ],
  );
  await shard.restart();
  assert.equal(board.all().length, MOST);
  assert.ok(!ids(board).includes('nba_winner_1'));
  assert.deepEqual(ids(new FuturesBoard([shard.env])), ids(board));
  // What is no longer listed takes next to nothing, and what is gone may come again.
  list(2, 0);
  list(1, EACH - 1);
  assert.equal(board.all().length, MOST);
  assert.ok(ids(board).includes('nba_winner_1'));
  // The last one stays, however large it is.
  list(7, LIMITS.futureSelections.max + 1);
  assert.deepEqual(ids(board), ['nba_winner_7']);
  assert.deepEqual(ids(new FuturesBoard([shard.env])), ids(board));
});
