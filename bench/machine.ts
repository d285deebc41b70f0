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
    cpu: `${all[0]?.model.trim() ?? 'unknown'}${kind()}`,
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    kernel: release(),
  };
}

/** Family, model and stepping, where the system says them: hypervisors give several processors one name. */
function kind(): string {
  const text = existsSync('/proc/cpuinfo') ? readFileSync('/proc/cpuinfo', 'utf8') : '';
  const numbers = ['cpu family', 'model', 'stepping'].flatMap(
    (field) => new RegExp(`^${field}\\s*: (\\d+)$`, 'm').exec(text)?.[1] ?? [],
  );
  return numbers.length === 0 ? '' : ` (${numbers.join('-')})`;
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

/**
 * CPU time of the whole machine so far, or of one core, in ticks: all of it, what nobody used, and what other guests of
 * its host took.
 */
export function machineTicks(core?: number): Ticks {
  const text = existsSync('/proc/stat') ? readFileSync('/proc/stat', 'utf8') : '';
  const line = text.split('\n').find((line) => line.startsWith(`cpu${core ?? ''} `));
  if (line === undefined) return { all: 0, idle: 0, stolen: 0 };
  const fields = line.split(/ +/).slice(1, 9).map(Number);
  const [, , , idle = 0, waiting = 0, , , stolen = 0] = fields;
  return { all: fields.reduce((sum, ticks) => sum + ticks, 0), idle: idle + waiting, stolen };
}

const LOOK_MS = 1_000;
const LOOKS = 60;
/** Of a core's time; what is left is the system's own. */
const CALM_IDLE_MIN = 0.85;

/** Waits for a second in which nothing has work for any of these cores; false if there is none within a minute. */
export async function isCalm(cores: readonly number[]): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    const before = cores.map((core) => machineTicks(core));
    await setTimeout(LOOK_MS);
    const calm = cores.every((core, i) => {
      const { all, idle } = machineTicks(core);
      return idle - before[i]!.idle >= CALM_IDLE_MIN * (all - before[i]!.all);
    });
    if (calm) return true;
  }
  return false;
}
