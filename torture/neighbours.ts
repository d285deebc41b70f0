// Clients that do nothing wrong while others attack: how long their requests take, and ingest's acknowledgements. The
// reader has a thread of its own, as what keeps the rig's event loop busy is no delay of the program's.

import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Run } from './run.js';

const EVERY_MS = 40;
/** During an attack, on a machine that is not starved without it. */
const P95_MS_MAX = 250;
const PATHS = ['/api/v1/odds?limit=50', '/api/v1/events', '/healthz', '/api/v1/opportunities/arbitrage'] as const;
const INGEST = '/api/v1/ingest';

type Phase = 'control' | 'attack';

interface Reader {
  url: string;
  key: string;
}

/** An answer complete after `ms`, or none. */
type Read = { ms: number } | { failed: string };

export class Neighbours {
  readonly #run: Run;
  readonly #reader: Worker;
  readonly #took: Record<Phase, { reads: number[]; acknowledgements: number[] }> = {
    control: { reads: [], acknowledgements: [] },
    attack: { reads: [], acknowledgements: [] },
  };
  /** Time of the phases without an attack, and what the program was given of it. */
  readonly #control = { wallMs: 0, givenMs: 0 };
  /** Undefined: nothing is recorded. */
  #phase: Phase | undefined;

  constructor(run: Run, key: string) {
    this.#run = run;
    run.onCall = (path, ms) => {
      if (path === INGEST && this.#phase !== undefined) this.#took[this.#phase].acknowledgements.push(ms);
    };
    this.#reader = new Worker(new URL(import.meta.url), {
      workerData: { url: run.deployment.url, key } satisfies Reader,
    });
    this.#reader.on('message', (read: Read) => {
      if ('failed' in read) run.find('others are answered', read.failed);
      else if (this.#phase !== undefined) this.#took[this.#phase].reads.push(read.ms);
    });
  }

  async during(phase: Phase, work: () => Promise<void>): Promise<void> {
    const before = this.#run.starvation.totals;
    this.#phase = phase;
    await work();
    this.#phase = undefined;
    if (phase === 'attack') return;
    const { wallMs, givenMs } = this.#run.starvation.totals;
    this.#control.wallMs += wallMs - before.wallMs;
    this.#control.givenMs += givenMs - before.givenMs;
  }

  /** Of all so far. */
  check(): void {
    // What else the machine does, rather than what the attack makes the program do.
    const max = P95_MS_MAX * Math.max(1, this.#control.wallMs / Math.max(this.#control.givenMs, 1));
    this.#run.counts['p95 allowed, ms'] = Math.round(max);
    for (const kind of ['reads', 'acknowledgements'] as const) {
      const control = p95(this.#took.control[kind]);
      const attack = p95(this.#took.attack[kind]);
      this.#run.counts[`p95 of ${kind}, control, ms`] = Math.round(control);
      this.#run.counts[`p95 of ${kind}, attack, ms`] = Math.round(attack);
      if (attack > max)
        this.#run.find(
          'others are not slowed',
          `p95 of ${kind} ${attack.toFixed(0)} ms, ${control.toFixed(0)} ms without the attack`,
        );
    }
  }

  async close(): Promise<void> {
    await this.#reader.terminate();
  }
}

async function read({ url, key }: Reader): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let turn = 0; ; turn++) {
    const path = PATHS[turn % PATHS.length]!;
    const begunMs = performance.now();
    const failed = await new Promise<string | null>((resolve) => {
      get(`${url}${path}`, { agent, headers: { 'x-api-key': key } }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode === 200 ? null : `status ${answer.statusCode}`));
      }).on('error', ({ message }) => resolve(message));
    });
    const report: Read = failed === null ? { ms: performance.now() - begunMs } : { failed: `${path}: ${failed}` };
    parentPort!.postMessage(report);
    await wait(EVERY_MS);
  }
}

function p95(times: readonly number[]): number {
  if (times.length === 0) return 0;
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)]!;
}

if (!isMainThread) await read(workerData as Reader);
