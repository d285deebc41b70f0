// The machine of a run, as shown in the report.
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';

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

/** Numbers of the cores this process may run on. */
export function allowedCores(): number[] {
  const path = '/proc/self/status';
  const list = existsSync(path) ? /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync(path, 'utf8'))?.[1] : undefined;
  if (list === undefined) return Array.from({ length: availableParallelism() }, (_, core) => core);
  return list.split(',').flatMap((range) => {
    const [first, last] = range.split('-').map(Number) as [number, number | undefined];
    return Array.from({ length: (last ?? first) - first + 1 }, (_, i) => first + i);
  });
}

/** CPU time of the whole machine so far, in ticks: all of it, and what other guests of its host took. */
export function machineTicks(): { all: number; stolen: number } {
  if (!existsSync('/proc/stat')) return { all: 0, stolen: 0 };
  const fields = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.split(/ +/).slice(1, 9).map(Number);
  return { all: fields.reduce((sum, ticks) => sum + ticks, 0), stolen: fields[7] ?? 0 };
}
