// The shared state of a run: its findings, the current disturbance, and calls whose results are checked.
import { readFileSync } from 'node:fs';
import type { Deployment } from './deployment.js';
import type { Starvation } from './starvation.js';
import type { Truth } from './truth.js';

/** How long open connections may still feel a fault, in time given to the program (ms). */
const AFTERSHOCK_MS = 4_000;
/** In a cluster that is starved for longer than this, the writer's lease may expire. */
const LEASE_STRETCH = 2;
const POLL_MS_MAX = 5_000;
const FINDINGS_MAX = 50;
const CALL_MS_MAX = 20_000;
const STATE_MS_MAX = 5_000;
/** Of the metrics: requests, connections and batches. */
const STATE =
  /^overround_(http_requests_in_flight|http_connections|ingest_queue|ingest_batch_seconds_count|deltas_total)/;
/** Documented refusals, each with the time to retry. */
const REFUSALS = new Map([
  [503, new Set(['unavailable', 'behind', 'connection_limit'])],
  [507, new Set(['storage_full'])],
]);

/** JSON-RPC's code is a number, with ours beside it. */
interface ErrorBody {
  error?: { code?: string | number; data?: { code?: string } };
}

export interface Finding {
  /** Since the start of the run (s). */
  atS: number;
  law: string;
  detail: string;
  /** Faults of the last seconds, newest last. */
  after: string[];
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Of JSON; else undefined. */
  body: unknown;
}

/** How long Free may be refused after an upgrade, and with these words. */
const DELAYED_ANEW_MS = 75_000;
const NOT_YET = 'the odds of a minute ago are not known yet';

export class Run {
  readonly deployment: Deployment;
  readonly truth: Truth;
  readonly starvation: Starvation;
  /** A loss of power takes nothing that was acknowledged. */
  readonly flushed: boolean;
  /** The table's position after the last loss of power (Unix µs); 0 if there was none. */
  fellBackUs = 0;
  /** Position up to which everything acknowledged lies (Unix µs); reads that name it show at least that. */
  position = 0;
  /** Called with each of run.call()'s answers, and how long it took. */
  onCall: ((path: string, ms: number) => void) | undefined;
  readonly findings: Finding[] = [];
  readonly counts: Record<string, number> = {};
  readonly #begun = performance.now();
  readonly #faults: string[] = [];
  #disturbers = 0;
  #clockSetMs = Number.NEGATIVE_INFINITY;
  #delayedAnewMs = Number.NEGATIVE_INFINITY;
  #calmAtMs = 0;

  constructor(deployment: Deployment, truth: Truth, starvation: Starvation, flushed: boolean) {
    this.flushed = flushed;
    this.deployment = deployment;
    this.truth = truth;
    this.starvation = starvation;
  }

  /** The clock of the simulated machine. */
  now(): number {
    return Date.now() + (this.deployment.nodes[0]!.system?.get('clockMs') ?? 0);
  }

  /** Resolves when the program has been given this much time (ms). */
  patience(ms: number): () => boolean {
    const untilMs = this.starvation.givenMs + ms;
    return () => this.starvation.givenMs > untilMs;
  }

  /** Time between two polls of a reader (ms): longer on a starved machine, to leave it to the program. */
  pollMs(ms: number): number {
    return Math.min(ms * this.starvation.stretch, POLL_MS_MAX);
  }

  most(name: string, value: number): void {
    this.counts[`most ${name}`] = Math.max(this.counts[`most ${name}`] ?? 0, value);
  }

  /** Sets the offset of all nodes' clocks from the machine's. */
  setClock(offMs: number): void {
    this.agesUnsure();
    for (const { system } of this.deployment.nodes) system!.set('clockMs', offMs);
  }

  /** Data a minute old may be considered younger or older now. */
  agesUnsure(): void {
    this.#clockSetMs = performance.now();
  }

  /** After an upgrade Free is refused until data a minute old is known. */
  delayedAnew(): void {
    this.agesUnsure();
    this.#delayedAnewMs = performance.now();
  }

  get agesSureMs(): number {
    return performance.now() - this.#clockSetMs;
  }

  count(name: string, by = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }

  find(law: string, detail: string): void {
    this.count(`broken: ${law}`);
    if (this.findings.length >= FINDINGS_MAX) return;
    const atS = Math.round((performance.now() - this.#begun) / 100) / 10;
    const finding = { atS, law, detail: detail.slice(0, 4_000), after: this.#faults.slice(-6) };
    this.findings.push(finding);
    process.stdout.write(`${textOf(finding)}\n`);
  }

  /** A program whose disk fails may end, a node of a cluster abandon its data: but not without a fault. */
  endedByItself(how: string): void {
    this.count('nodes that ended by themselves');
    process.stdout.write(
      `${(this.elapsedMs / 1_000).toFixed(1).padStart(7)} s  ended by itself: ${how.slice(0, 1_500)}\n`,
    );
    const mayAbandon = this.deployment.clustered && this.starvation.stretch > LEASE_STRETCH;
    if (this.calm && !mayAbandon) this.find('the program goes on in calm times', how);
  }

  get elapsedMs(): number {
    return performance.now() - this.#begun;
  }

  /** While `work` runs, and a little longer, the program may refuse requests and connections may end. */
  async disturb(fault: string, work: () => Promise<void>): Promise<void> {
    this.#faults.push(`${(this.elapsedMs / 1000).toFixed(1)} s ${fault}`);
    this.#disturbers++;
    try {
      await work();
    } finally {
      this.#disturbers--;
      this.#calmAtMs = this.starvation.givenMs + AFTERSHOCK_MS;
    }
  }

  get calm(): boolean {
    return this.#disturbers === 0 && this.starvation.givenMs > this.#calmAtMs;
  }

  /** Null if the connection failed, which is a finding in calm times. The answer's body is JSON, or undefined. */
  async call(path: string, key: string, init: RequestInit = {}, base = this.deployment.url): Promise<Answer | null> {
    const calm = this.calm;
    this.count('requests');
    const begunMs = performance.now();
    const { signal, done } = this.starvation.deadline(CALL_MS_MAX);
    try {
      const headers = { 'x-api-key': key, ...(init.headers as Record<string, string> | undefined) };
      const response = await fetch(`${base}${path}`, { ...init, headers, signal });
      const text = await response.text();
      this.onCall?.(path, performance.now() - begunMs);
      if (response.status >= 500) this.#judge(path, response, text);
      return { status: response.status, headers: response.headers, body: bodyOf(text) };
    } catch (error) {
      this.count('connections lost');
      const cause = (error as Error).cause instanceof Error ? `: ${((error as Error).cause as Error).message}` : '';
      if (calm && this.calm) {
        const state = (error as Error).name === 'TimeoutError' ? await stateOf(base) : '';
        this.find('answers', `${path}: ${(error as Error).message}${cause}${state}`);
      }
      return null;
    } finally {
      done();
    }
  }

  /** An answer that somebody else reads. */
  async judge(path: string, response: Response): Promise<void> {
    if (response.status >= 500) this.#judge(path, response, await response.clone().text());
  }

  #judge(path: string, response: Response, text: string): void {
    this.count(`status ${response.status}`);
    const { code: own = '', data } = bodyOf(text)?.error ?? {};
    const code = data?.code ?? String(own);
    const documented = REFUSALS.get(response.status)?.has(code) === true && response.headers.has('retry-after');
    if (!documented) this.find('no 5xx but the documented', `${path}: ${response.status} ${text.slice(0, 500)}`);
    else if (
      code === 'unavailable' &&
      performance.now() - this.#delayedAnewMs < DELAYED_ANEW_MS &&
      text.includes(NOT_YET)
    )
      return;
    else if (!this.calm || (code === 'behind' && path.includes('min_position'))) return;
    else if (this.deployment.clustered && this.starvation.stretch > LEASE_STRETCH) this.count('refusals, starved');
    else this.find('no refusal in calm times', `${path}: ${response.status} ${text.slice(0, 500)}`);
  }
}

/** What the program has under way, to see where a request without an answer is. */
async function stateOf(base: string): Promise<string> {
  const sockets = socketsOf(Number(new URL(base).port));
  try {
    const text = await (await fetch(`${base}/metrics`, { signal: AbortSignal.timeout(STATE_MS_MAX) })).text();
    const lines = text.split('\n').filter((line) => STATE.test(line));
    return `; ${lines.join('; ')}; sockets (own port, queues): ${sockets}`;
  } catch (error) {
    return `; no metrics: ${(error as Error).message}; sockets (own port, queues): ${sockets}`;
  }
}

/** Connections of which a side has not read or sent everything: the client's port, state, bytes to send and to read. */
function socketsOf(port: number): string {
  const ofPort = (address: string): number => Number.parseInt(address.split(':')[1]!, 16);
  return readFileSync('/proc/net/tcp', 'latin1')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, own = '', other = '']) => own !== '' && (ofPort(own) === port || ofPort(other) === port))
    .filter(([, , , , queues]) => queues !== '00000000:00000000')
    .map(([, own, other, state, queues]) => `${ofPort(own!)}-${ofPort(other!)} ${state} ${queues}`)
    .join(', ');
}

function bodyOf(text: string): ErrorBody | undefined {
  return text.startsWith('{') ? (JSON.parse(text) as ErrorBody) : undefined;
}

export function textOf({ atS, law, detail, after }: Finding): string {
  return `BROKEN at ${atS} s: ${law}: ${detail}\n  after ${after.join(', ')}`;
}
