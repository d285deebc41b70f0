// Maps the settings to an engine's options.
import type { Config } from '../config/config.js';
import type { EngineOptions } from './engine.js';

type Given = Pick<EngineOptions, 'clock' | 'log' | 'workers' | 'delaySeconds'>;

export function engineOptions(config: Config, given: Given): EngineOptions {
  return {
    ...given,
    dataDir: config.dataDir,
    catalogueDir: config.catalogueDir,
    commissions: config.commissions,
    durability: config.durability,
    retention: {
      logSeconds: config.logRetentionS,
      logBytesMax: config.logBytesMax,
      fileBytesMax: config.mapBytesMax,
    },
    queueQuotesMax: config.ingestQueueMax,
  };
}
