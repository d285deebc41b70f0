// What the writer of a cluster does for its log, against servers that remember what they were told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogKeeper, type LogKeeperOptions } from '../../../src/replication/nats/engine-node.js';
import type { SnapshotHead } from '../../../src/replication/nats/snapshots.js';
import { eventually } from '../../support/until.js';

test('a snapshot after which an earlier release wrote the log is followed by another at once, and only then', async () => {
  const before: SnapshotHead = { name: 'old-7', sequence: 7, mark: {} as never, position: 1, epoch: 'e', shards: 1 };
  const taken: SnapshotHead[] = [];
  let looked = 0;
  const keeper = (newest: SnapshotHead) =>
    new LogKeeper({
      nats: {
        names: { stream: 'log' },
        streams: {
          streams: {
            info: async () => ({ state: { first_seq: 1, last_seq: 8, messages: 8, bytes: 8 } }),
            purge: async () => void looked++,
          },
        },
      },
      snapshots: {
        newest: async () => newest,
        put: async (head: SnapshotHead) => void taken.push(head),
        reserved: async () => {
          looked++;
          return null;
        },
      },
      node: 'a',
      place: () => ({ sequence: 8, mark: {} }),
      head: () => ({ position: 2, epoch: 'e', shards: 1 }),
      dump: function* () {},
      retentionMs: 900_000,
      bytesMax: 1e9,
      log: { info: () => undefined, warn: (fields: object) => assert.fail(JSON.stringify(fields)) },
    } as unknown as LogKeeperOptions);
  const first = keeper(before);
  await eventually(() => assert.ok(looked > 0));
  first.close();
  assert.deepEqual(
    taken.map(({ sequence }) => sequence),
    [8],
  );
  looked = 0;
  const second = keeper(taken[0]!);
  await eventually(() => assert.ok(looked > 0));
  second.close();
  assert.equal(taken.length, 1);
});
