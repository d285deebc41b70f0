// The program's use of resources, read after every fault: memory, files and disk must stay within bounds, and the
// report has the series, which shows what grows.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from './run.js';

const MIB = 2 ** 20;
/** Per node, fronts included. */
const PSS_MAX = 1.5 * 2 ** 30;
/** 200 of them may be connections that a starved program has not closed yet. */
const FILES_MAX = { firstProcess: 400, furtherProcess: 100 };
/** Per node: log and history are bounded to 160 MiB by the rig's flags; LMDB's files never shrink. */
const DISK_MAX = 1.5 * 2 ** 30;

interface Reading {
  at_s: number;
  /** For each node, in order. */
  pss_mib: number[];
  files: number[];
  disk_mib: number[];
  messages: number;
}

export class Meter {
  readonly series: Reading[] = [];
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  read(): void {
    const run = this.#run;
    const reading: Reading = {
      at_s: Math.round(run.elapsedMs / 1_000),
      pss_mib: [],
      files: [],
      disk_mib: [],
      messages: run.counts['messages acknowledged'] ?? 0,
    };
    for (const { name, program } of run.deployment.nodes) {
      const { pss, files } = program.measure();
      const disk = bytesIn(program.dataDir);
      reading.pss_mib.push(Math.round(pss / MIB));
      reading.files.push(files);
      reading.disk_mib.push(Math.round(disk / MIB));
      if (pss > PSS_MAX) run.find('memory is bounded', `${name}: ${Math.round(pss / MIB)} MiB`);
      const filesMax = FILES_MAX.firstProcess + FILES_MAX.furtherProcess * Math.max(0, program.pids.length - 1);
      if (files > filesMax) run.find('files are bounded', `${name}: ${files} open`);
      if (disk > DISK_MAX) run.find('the disk is bounded', `${name}: ${Math.round(disk / MIB)} MiB`);
    }
    run.most('memory, MiB', Math.max(...reading.pss_mib));
    run.most('files', Math.max(...reading.files));
    run.most('disk, MiB', Math.max(...reading.disk_mib));
    this.series.push(reading);
  }
}

/** Allocated on the disk: LMDB's files are sparse. */
function bytesIn(folder: string): number {
  let sum = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    try {
      sum += statSync(join(folder, name)).blocks * 512;
    } catch {
      // It was removed meanwhile.
    }
  }
  return sum;
}
