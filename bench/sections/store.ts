// The store: quotes through one shard worker, bytes a row, growth of the log, what reads and commits cost each other, and
// the start from disk.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/base/model/clock.js';
import { type Bench, format, type Section } from '../bench.js';
import { makeLargeStore } from '../large-store.js';
import { dataFolder, Overround } from '../overround.js';
import { residentBytes, start } from '../process.js';
import { median } from '../statistics.js';
import { readsMeanwhile } from './reads-meanwhile.js';

const ENGINE = fileURLToPath(new URL('../engine-process.js', import.meta.url));
const MIB = 1024 * 1024;

interface Rate {
  quotes: number;
  changed: number;
  seconds: number;
}

export interface EngineFigures {
  rows: number;
  seen: Rate;
  changed: Rate;
  bytesFilled: number;
  bytesAfter: number;
  logBytesPerChange: number;
  commits: number;
  tableBytes: number;
}

export const store: Section = {
  name: 'store',
  about: 'one shard worker, its file, reads meanwhile, and the start from disk',
  underLoad: false,
  run: async (bench) => {
    const [rounds, size] = bench.full
      ? [3, { events: 1_500, books: 10, ms: 4_000 }]
      : [1, { events: 700, books: 10, ms: 1_200 }];
    const runs: EngineFigures[] = [];
    for (let round = 0; round < rounds; round++) runs.push(await engineFigures(bench, `store-${round}`, size));
    const of = (pick: (run: EngineFigures) => number): number => median(runs.map(pick));
    bench.say(`  ${format(runs[0]!.rows)} rows, one shard worker`);
    bench.figure(
      'quotes seen, 5 % of them changed',
      of(({ seen }) => seen.quotes / seen.seconds),
      'quotes/s',
    );
    bench.figure(
      'of these changed and committed',
      of(({ seen }) => seen.changed / seen.seconds),
      'quotes/s',
    );
    bench.figure(
      'quotes, every one changed and committed',
      of(({ changed }) => changed.changed / changed.seconds),
      'quotes/s',
    );
    bench.figure(
      'file, after filling',
      of((run) => run.bytesFilled / run.rows),
      'bytes per row',
    );
    bench.figure(
      'change log',
      of((run) => run.logBytesPerChange),
      'bytes of rows per change',
    );
    bench.figure(
      'encoded rows in memory',
      of((run) => run.tableBytes / run.rows),
      'bytes per row',
    );
    await readsMeanwhile(bench);
    await restart(bench);
  },
};

/** Runs the engine in a process that may use both cores. */
export async function engineFigures(
  bench: Bench,
  name: string,
  size: { events: number; books: number; ms: number; sent?: number },
): Promise<EngineFigures> {
  const flags = Object.entries(size).flatMap(([flag, value]) => [`--${flag}`, String(value)]);
  const child = start(process.execPath, [ENGINE, '--data', dataFolder(bench.folder, name), ...flags], null);
  for (;;) {
    const line = await child.line();
    if (!line.startsWith('{"rows"')) continue;
    await child.stop();
    return JSON.parse(line) as EngineFigures;
  }
}

export interface Start {
  rows: number;
  ms: number;
  residentBytes: number;
}

/** A start from a directory as a day of 28 books leaves it. */
export async function startFrom(bench: Bench, events: number): Promise<Start> {
  const dir = join(bench.folder, `large-${events}`);
  mkdirSync(dir, { recursive: true });
  const rows = await makeLargeStore({ dir, books: 28, events, shards: 1, clock: systemClock });
  const times: number[] = [];
  let resident = 0;
  for (let round = 0; round < (bench.full ? 3 : 2); round++) {
    const begun = performance.now();
    const server = await Overround.start({ dataDir: dir, core: null });
    times.push(performance.now() - begun);
    resident = existsSync('/proc') ? residentBytes(server.pid) : Number.NaN;
    await server.stop();
  }
  return { rows, ms: median(times), residentBytes: resident };
}

async function restart(bench: Bench): Promise<void> {
  const { rows, ms, residentBytes: resident } = await startFrom(bench, bench.full ? 600 : 60);
  bench.figure(`start from disk to serving, ${format(rows)} rows`, ms / 1000, 's');
  if (Number.isNaN(resident)) bench.skip('resident after it', 'it is read from /proc, which is not here');
  else bench.figure('resident after it', resident / MIB, 'MiB');
}
