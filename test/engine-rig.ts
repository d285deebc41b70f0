// A real engine with its threads, in a folder of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Engine } from '../src/engine/engine.js';
import type { EngineOptions } from '../src/engine/engine-options.js';
import { systemClock } from '../src/model/clock.js';
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

export function tempFolder(_: TestContext): string {
  return newFolder('overround-engine-');
}

/** Closed and removed after the test. */
export function openEngine(t: TestContext, options: Partial<EngineOptions> = {}): Engine {
  const path = options.dataDir ?? mkdtempSync(join(tmpdir(), 'overround-engine-'));
  const engine = new Engine({ ...engineOptions(path), ...options });
  t.after(async () => {
    await engine.close();
    if (options.dataDir === undefined) rmSync(path, { recursive: true, force: true });
  });
  return engine;
}
