// A real engine with its threads, in a folder of its own.
import type { TestContext } from 'node:test';
import { systemClock } from '../src/base/model/clock.js';
import { Engine } from '../src/engine/engine.js';
import type { EngineOptions } from '../src/engine/engine-options.js';
import { newFolder } from './temp-folders.js';

export function engineOptions(dataDir: string): EngineOptions {
  return {
    dataDir,
    clock: systemClock,
    catalogueDir: undefined,
    workers: 2,
    durability: 'commit',
    retention: { logSeconds: 900, logBytesMax: 64 * 1024 * 1024, fileBytesMax: 4e9 },
    queueQuotesMax: 1_000_000,
    log: { info() {}, warn() {}, error() {} },
  };
}

/** Closed after the test. */
export function openEngine(t: TestContext, options: Partial<EngineOptions> = {}): Engine {
  const engine = new Engine({ ...engineOptions(options.dataDir ?? newFolder()), ...options });
  t.after(() => engine.close());
  return engine;
}
