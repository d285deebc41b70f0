// Child processes of the bench: servers on one core, load on another, each ended by its own handle; and their CPU time
// and memory according to the kernel.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { allowedCores } from './machine.js';
import { programPath } from './programs.js';

/** As seen before the bench pins itself. A container may have others than the first two. */
const CORES = allowedCores();
export const SERVER_CORE = CORES[0] ?? 0;
export const LOAD_CORE = CORES[1] ?? SERVER_CORE;
const START_MS = 60_000;
const STOP_MS = 12_000;
const TICKS_PER_SECOND = 100;

const taskset = CORES.length > 1 ? programPath('taskset') : undefined;
const running = new Set<ChildProcess>();

export interface Child {
  process: ChildProcess;
  pid: number;
  /** Next line of standard output. Rejects where the process ends first. */
  line(): Promise<string>;
  stop(): Promise<void>;
}

/** `core` null leaves the process free to use every core. */
export function start(command: string, args: readonly string[], core: number | null): Child {
  // A child inherits the bench's own pinning: a free one must be unpinned.
  const child =
    taskset === undefined
      ? spawn(command, [...args], { stdio: ['pipe', 'pipe', 'pipe'] })
      : spawn(taskset, ['-c', coreList(core), command, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  running.add(child);
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => {
    stderr = (stderr + data.toString()).slice(-4000);
  });
  const lines: string[] = [];
  const waiting: { resolve(line: string): void; reject(error: Error): void }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const next = waiting.shift();
    if (next === undefined) lines.push(line);
    else next.resolve(line);
  });
  const ended = new Promise<void>((resolve) => {
    const gone = (why: string): void => {
      running.delete(child);
      for (const { reject } of waiting.splice(0)) reject(new Error(`${command} ${args[0] ?? ''}: ${why}\n${stderr}`));
      resolve();
    };
    child.on('exit', (code, signal) => gone(`ended with ${code ?? signal}`));
    child.on('error', (error) => gone(error.message));
  });
  return {
    process: child,
    pid: child.pid ?? 0,
    line: () => {
      const ready = lines.shift();
      if (ready !== undefined) return Promise.resolve(ready);
      if (!running.has(child)) return Promise.reject(new Error(`${command}: has ended\n${stderr}`));
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    stop: async () => {
      if (!running.has(child)) return;
      child.kill('SIGTERM');
      const hard = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(hard);
    },
  };
}

export interface Listening {
  port: number;
  [name: string]: unknown;
}

/** Waits for the line `{"msg":"listening","port":…}` that every server here prints. */
export async function listening(child: Child): Promise<Listening> {
  const late = setTimeout(() => child.process.kill('SIGKILL'), START_MS);
  try {
    for (;;) {
      const line = await child.line();
      if (!line.startsWith('{')) continue;
      const listening = JSON.parse(line) as { msg?: string; port: number };
      if (listening.msg === 'listening') return { ...listening };
    }
  } finally {
    clearTimeout(late);
  }
}

/** Ends whatever is still running, at once (the bench itself is ending). */
export function killAll(): void {
  for (const child of running) {
    for (const pid of childrenOf(child.pid ?? -1)) killIfThere(pid);
    child.kill('SIGKILL');
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Moves this process, with all its threads, to the load's core. */
export function pinSelf(): boolean {
  return pin(process.pid, LOAD_CORE);
}

/** Moves a process, with all its threads, to one core, or (null) lets it use every core; false where that cannot be done. */
export function pin(pid: number, core: number | null): boolean {
  if (taskset === undefined) return false;
  execFileSync(taskset, ['-a', '-p', '-c', coreList(core), String(pid)], { stdio: 'ignore' });
  return true;
}

function coreList(core: number | null): string {
  return core === null ? CORES.join(',') : String(core);
}

export interface CpuTime {
  /** Seconds of user and system time of the whole process. */
  process: number;
  /** Of its main thread alone. */
  main: number;
}

/** Of a process, or of the first and all others it works through. */
export function cpuTime(pid: number, others: readonly number[] = []): CpuTime {
  let whole = processSeconds(pid);
  for (const other of others) whole += processSeconds(other);
  return { process: whole, main: threadSeconds(pid, pid) };
}

/** Of all threads there are. (The process's own clock would also count those that have ended, but in ticks of 10 ms.) */
function processSeconds(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadSeconds(pid, Number(thread)), 0);
}

/** In nanoseconds where the kernel tells them: what is taken off of it must not drown in clock ticks. */
function threadSeconds(pid: number, thread: number): number {
  const path = `/proc/${pid}/task/${thread}`;
  if (!existsSync(`${path}/schedstat`)) return existsSync(`${path}/stat`) ? tickSeconds(`${path}/stat`) : 0;
  return Number(readFileSync(`${path}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e9;
}

function tickSeconds(path: string): number {
  // The command's name may hold blanks: fields are counted behind its closing bracket.
  const fields = readFileSync(path, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Processes a server has forked. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => {
      try {
        return (
          Number(
            readFileSync(`/proc/${candidate}/stat`, 'utf8')
              .replace(/^.*\) /s, '')
              .split(' ')[1],
          ) === pid
        );
      } catch {
        return false;
      }
    });
}

/** Resident memory in bytes. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

/** Memory that no other process has: what each further process of the kind takes. */
export function privateBytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return (
    [...rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)].reduce((sum, [, kB]) => sum + Number(kB), 0) * 1024
  );
}

/** Memory that is the process's own: without pages of mapped files (LMDB's), which the kernel may take back. */
export function anonymousBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
