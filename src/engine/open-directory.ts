// Opens (or creates) an engine's data directory, and says in the log what its operator must know of it.

import { DELTA_VERSION } from '../log/delta/delta.js';
import { type DataDirectory, openDataDirectory } from '../store/data-directory.js';
import type { EngineOptions } from './engine-options.js';

export function openDirectory({ dataDir, workers, clock, log, ...options }: EngineOptions): DataDirectory {
  const directory = openDataDirectory(dataDir, workers, clock, {
    durability: options.durability,
    simulated: options.simulated ?? false,
    ofCluster: options.standby === true,
    named: options.named,
    onUpgraded: (from) =>
      log.warn(
        { from, to: DELTA_VERSION },
        'the data directory was upgraded: earlier releases of overround cannot open it any more',
      ),
    onRewriting: (shard, bytes) =>
      log.warn({ shard, bytes }, 'the disk refused to flush this file: it is written again before the start'),
    onUnsafe: (shard, err) =>
      log.error({ shard, err }, 'the disk refused a checkpoint: losing power now would lose more than a second'),
    onSafe: (shard) => log.info({ shard }, 'the disk takes checkpoints again'),
  });
  if (directory.fellBack)
    log.warn({ epoch: directory.epoch }, 'the machine lost power: the store is as of its last checkpoint');
  if (directory.shards !== workers)
    log.warn(
      { shards: directory.shards, workers },
      'the data directory was made with another number of workers and keeps it',
    );
  return directory;
}
