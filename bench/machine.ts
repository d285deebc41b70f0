// The machine of a run, as shown in the report.
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { setTimeout } from 'node:timers/promises';

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

interface Ticks {
  all: number;
  idle: number;
  stolen: number;
}

/** CPU time of the whole machine so far, in ticks: all of it, what nobody used, and what other guests of its host took. */
export function machineTicks(): Ticks {
  if (!existsSync('/proc/stat')) return { all: 0, idle: 0, stolen: 0 };
  const fields = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.split(/ +/).slice(1, 9).map(Number);
  const [, , , idle = 0, waiting = 0, , , stolen = 0] = fields;
  return { all: fields.reduce((sum, ticks) => sum + ticks, 0), idle: idle + waiting, stolen };
}

const LOOK_MS = 1_000;
const LOOKS = 60;
/** Of the machine's time; what is left is the system's own. */
const CALM_IDLE_MIN = 0.85;

/** Waits for a second in which nothing else has work for the machine; false if there is none within a minute. */
export async function isCalm(): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    const before = machineTicks();
    await setTimeout(LOOK_MS);
    const after = machineTicks();
    if (after.idle - before.idle >= CALM_IDLE_MIN * (after.all - before.all)) return true;
  }
  return false;
}
