// Clients that do nothing wrong while others attack: how long their requests take, and ingest's acknowledgements.

import { setTimeout as wait } from 'node:timers/promises';
import type { Run } from './run.js';

const EVERY_MS = 40;
/** During an attack, on a machine that is not starved without it. */
const P95_MS_MAX = 250;
const PATHS = ['/api/v1/odds?limit=50', '/api/v1/events', '/healthz', '/api/v1/opportunities/arbitrage'] as const;
const INGEST = '/api/v1/ingest';

type Phase = 'control' | 'attack';

export class Neighbours {
  readonly #run: Run;
  readonly #key: string;
  readonly #took: Record<Phase, { reads: number[]; acknowledgements: number[] }> = {
    control: { reads: [], acknowledgements: [] },
    attack: { reads: [], acknowledgements: [] },
  };
  /** Time of the phases without an attack, and what the program was given of it. */
  readonly #control = { wallMs: 0, givenMs: 0 };
  /** Undefined: nothing is recorded. */
  #phase: Phase | undefined;
  #open = true;
  readonly #reading: Promise<void>;

  constructor(run: Run, key: string) {
    this.#run = run;
    this.#key = key;
    run.onCall = (path, ms) => {
      if (path === INGEST && this.#phase !== undefined) this.#took[this.#phase].acknowledgements.push(ms);
    };
    this.#reading = this.#read();
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
    this.#open = false;
    await this.#reading;
  }

  async #read(): Promise<void> {
    for (let turn = 0; this.#open; turn++) {
      const phase = this.#phase;
      const begunMs = performance.now();
      const answer = await this.#run.call(PATHS[turn % PATHS.length]!, this.#key);
      if (phase !== undefined && answer !== null) this.#took[phase].reads.push(performance.now() - begunMs);
      await wait(EVERY_MS);
    }
  }
}

function p95(times: readonly number[]): number {
  if (times.length === 0) return 0;
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)]!;
}
