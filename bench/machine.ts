// The machine a run is from, as the report names it.
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';

export interface Machine {
  cpu: string;
  cores: number;
  memoryGiB: number;
  node: string;
  kernel: string;
}

export function thisMachine(): Machine {
  const all = cpus();
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    kernel: release(),
  };
}

/** CPU time of the whole machine so far, in ticks: all of it, and what other guests of its host took. */
export function machineTicks(): { all: number; stolen: number } {
  const fields = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.split(/ +/).slice(1, 9).map(Number);
  return { all: fields.reduce((sum, ticks) => sum + ticks, 0), stolen: fields[7] ?? 0 };
}
