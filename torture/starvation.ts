// How starved the machine is: how long the program's threads were ready to run without a core, and how long the disk
// takes to flush a page. Time limits of the invariants are in time that the program was given, and the report states
// the ratio to wall-clock time.
import { closeSync, fdatasync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const SAMPLE_EVERY_MS = 500;
/** Maximum factor by which a limit is extended. */
const STRETCH_MAX = 30;
/** A program that hardly runs says little about its machine. */
const RUN_NS_MIN = 5e6;
/** Number of recent samples. */
const RECENT = { stretches: 10, flushes: 40, ofLastMinute: 120 };

/** How long threads ran, and how long they were ready to run without a core. */
type Times = Record<'runNs' | 'waitNs', number>;

export class Starvation {
  readonly #pids: () => readonly number[];
  readonly #timer: NodeJS.Timeout;
  readonly #disk: number;
  readonly #threads = new Map<string, Times>();
  readonly #lately: number[] = [];
  /** By sample: elapsed time, and that which the program was given (ms). */
  readonly #samples: { tookMs: number; givenMs: number }[] = [];
  readonly #flushes: number[] = [];
  readonly #waiting: { untilMs: number; end: () => void }[] = [];
  #flushing = false;
  #atMs = performance.now();
  #wallMs = 0;
  #givenMs = 0;
  #worst = 1;
  #slowestFlushMs = 0;

  /** @param pids the program's current processes */
  constructor(folder: string, pids: () => readonly number[]) {
    this.#pids = pids;
    this.#disk = openSync(join(folder, 'flushed'), 'w');
    this.#timer = setInterval(() => this.#sample(), SAMPLE_EVERY_MS);
  }

  /** Time the program was given since the beginning (ms): the elapsed time less its waiting for a core. */
  get givenMs(): number {
    return this.#givenMs + (performance.now() - this.#atMs) / this.stretch;
  }

  /** Wall-clock time since the beginning, and how much of it the program was given (ms). */
  get totals(): { wallMs: number; givenMs: number } {
    return { wallMs: this.#wallMs, givenMs: this.#givenMs };
  }

  /** How many times longer things took recently than with a core for every thread. */
  get stretch(): number {
    return this.#lately.length === 0 ? 1 : Math.max(...this.#lately);
  }

  /** How long ago it was that the program had this much less time (ms); at most a minute. */
  spanMs(givenMs: number): number {
    let spanMs = performance.now() - this.#atMs;
    let leftMs = givenMs - spanMs / this.stretch;
    for (const sample of [...this.#samples].reverse()) {
      if (leftMs <= 0) break;
      leftMs -= sample.givenMs;
      spanMs += sample.tookMs;
    }
    return spanMs;
  }

  /** Slowest recent flush of a page of the rig's own file (ms). */
  get flushMs(): number {
    return Math.max(0, ...this.#flushes);
  }

  /** Aborted after this much time given. */
  deadline(ms: number): { signal: AbortSignal; done(): void } {
    const ending = new AbortController();
    const waiting = {
      untilMs: this.givenMs + ms,
      end: () => ending.abort(new DOMException(`no answer within ${ms} ms of the program's time`, 'TimeoutError')),
    };
    this.#waiting.push(waiting);
    const done = (): void => {
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
    };
    return { signal: ending.signal, done };
  }

  report(): object {
    return {
      stretch_mean: rounded(this.#wallMs / Math.max(this.#givenMs, 1)),
      stretch_most: rounded(this.#worst),
      slowest_flush_ms: rounded(this.#slowestFlushMs),
    };
  }

  close(): void {
    clearInterval(this.#timer);
    if (!this.#flushing) closeSync(this.#disk);
  }

  #sample(): void {
    const nowMs = performance.now();
    const { runNs, waitNs } = this.#sinceLast();
    const stretch = runNs < RUN_NS_MIN ? 1 : Math.min((runNs + waitNs) / runNs, STRETCH_MAX);
    addRecent(this.#lately, stretch, RECENT.stretches);
    this.#worst = Math.max(this.#worst, stretch);
    const tookMs = nowMs - this.#atMs;
    addRecent(this.#samples, { tookMs, givenMs: tookMs / stretch }, RECENT.ofLastMinute);
    this.#wallMs += tookMs;
    this.#givenMs += tookMs / stretch;
    this.#atMs = nowMs;
    for (const { untilMs, end } of [...this.#waiting]) if (this.#givenMs >= untilMs) end();
    this.#flush();
  }

  /** Over all threads; new ones count from now on. */
  #sinceLast(): Times {
    const sum = { runNs: 0, waitNs: 0 };
    const seen = new Set<string>();
    for (const pid of this.#pids())
      for (const thread of threadsOf(pid)) {
        const times = timesOf(thread);
        if (times === null) continue;
        const before = this.#threads.get(thread) ?? times;
        sum.runNs += times.runNs - before.runNs;
        sum.waitNs += times.waitNs - before.waitNs;
        this.#threads.set(thread, times);
        seen.add(thread);
      }
    for (const thread of this.#threads.keys()) if (!seen.has(thread)) this.#threads.delete(thread);
    return sum;
  }

  #flush(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    const begunMs = performance.now();
    writeSync(this.#disk, Buffer.alloc(4_096, begunMs % 256), 0, 4_096, 0);
    fdatasync(this.#disk, () => {
      this.#flushing = false;
      const tookMs = performance.now() - begunMs;
      this.#slowestFlushMs = Math.max(this.#slowestFlushMs, tookMs);
      addRecent(this.#flushes, tookMs, RECENT.flushes);
    });
  }
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
  } catch {
    return [];
  }
}

/** Null if it has ended, or the system does not say. */
function timesOf(thread: string): Times | null {
  try {
    const [runNs, waitNs] = readFileSync(`${thread}/schedstat`, 'latin1').split(' ').map(Number);
    return { runNs: runNs!, waitNs: waitNs! };
  } catch {
    return null;
  }
}

function addRecent<Sample>(samples: Sample[], sample: Sample, max: number): void {
  samples.push(sample);
  if (samples.length > max) samples.shift();
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
