// Prices that an exchange shows without orders move nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startUniverses } from '../../../src/detection/detection-limits.js';
import { Moves } from '../../../src/detection/moves/moves.js';
import { event, market, message, selection } from '../../intake/ingest/messages.js';
import { catalogue } from '../../writer/shard/rig.js';
import { ShardInMemory } from '../shard-in-memory.js';

const NOW_MS = Date.parse('2026-03-01T12:00:00Z');
const EPL = { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea', start_time: '2026-03-01T15:00:00Z' };

function world() {
  let nowMs = NOW_MS;
  const shard = new ShardInMemory(NOW_MS, startUniverses(catalogue), new Moves());
  const poll = (book: string, prices: readonly (number | null)[], size?: number): void => {
    nowMs += 5_000;
    const types = ['home', 'draw', 'away'] as const;
    const selections = prices.flatMap((odds_decimal, i) =>
      odds_decimal === null
        ? []
        : [
            selection({
              selection: types[i],
              selection_type: types[i],
              odds_decimal,
              ...(size === undefined ? {} : { size }),
            }),
          ],
    );
    const raw = message([event([market(selections)], EPL)], { book, polled_at: new Date(nowMs).toISOString() });
    shard.apply([raw], nowMs);
    assert.deepEqual(shard.rejected, []);
  };
  const moves = () =>
    shard.published
      .of('sharp')
      .filter(({ kind }) => kind === 'move')
      .map(({ item }) => `${item['kind']} ${item['selection']} ${item['direction']}`);
  return { poll, moves };
}

test('stub prices of an exchange are no drop, nor is the return from them, and there are no laggards of it', () => {
  const { poll, moves } = world();
  for (const book of ['draftkings', 'fanduel', 'betmgm', 'caesars']) poll(book, [2.1, 3.4, 3.6]);
  poll('betfair', [2.14, 3.5, 3.7], 900);
  poll('betfair', [1.01, 3.5, 3.7], 2);
  poll('betfair', [1.01, 1.01, 1.01], 2);
  poll('betfair', [1000, 1000, 1000], 2);
  poll('betfair', [1000, 1000, 1000], 900);
  poll('betfair', [2.14, 3.5, 3.7], 900);
  assert.deepEqual(moves(), []);
  // A price that is meant is compared with the last one that was.
  poll('betfair', [1.01, 1.01, 1.01], 2);
  poll('betfair', [1.8, 3.9, 4.8], 900);
  assert.deepEqual(moves().sort(), ['drop Arsenal up', 'drop Chelsea down', 'drop Draw down']);
});

test('a side that changed while its book did not mean it counts once the others make it meant', () => {
  const { poll, moves } = world();
  poll('betfair', [2.14, 3.5, 3.7], 900);
  poll('betfair', [1.8, 1.01, 1.01], 900);
  assert.deepEqual(moves(), []);
  poll('betfair', [1.8, 3.9, 4.8], 900);
  assert.deepEqual(moves().sort(), ['drop Arsenal up', 'drop Chelsea down', 'drop Draw down']);
});

test('a book that does not quote every side may move, an exchange only with a stake behind it', () => {
  const { poll, moves } = world();
  poll('draftkings', [2.1, null, 3.6]);
  poll('draftkings', [1.8, null, 3.6]);
  poll('betfair', [2.1, null, 3.6], 2);
  poll('betfair', [1.8, null, 3.6], 2);
  assert.deepEqual(moves(), ['drop Arsenal up']);
});
