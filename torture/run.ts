// What the parts of a run share: its findings, what disturbs the program now, and calls to it that are judged.
import type { PowerLoss } from './power.js';
import type { Program } from './program.js';
import type { SystemFaults } from './shim.js';
import type { ThreadFaults } from './threads.js';
import type { Truth } from './truth.js';

/** After a fault, so long may what is open still feel it (ms). */
const AFTERSHOCK_MS = 4_000;
const FINDINGS_MAX = 50;
const CALL_MS_MAX = 20_000;
/** Refusals that the documents promise, each with the time to come back. */
const REFUSALS = new Map([
  [503, new Set(['unavailable', 'behind', 'connection_limit'])],
  [507, new Set(['storage_full'])],
]);

export interface Finding {
  /** Since the start of the run (s). */
  atS: number;
  law: string;
  detail: string;
  /** Faults of the last seconds, the newest last. */
  after: string[];
}

export class Run {
  readonly program: Program;
  readonly truth: Truth;
  readonly system: SystemFaults | null;
  readonly threads: ThreadFaults;
  readonly power: PowerLoss | null;
  /** Told when what was acknowledged may be gone. */
  powerLost: () => void = () => undefined;
  readonly findings: Finding[] = [];
  readonly counts: Record<string, number> = {};
  readonly #begun = performance.now();
  readonly #faults: string[] = [];
  #disturbers = 0;
  #clockSetMs = Number.NEGATIVE_INFINITY;
  #calmAtMs = 0;

  constructor(
    program: Program,
    truth: Truth,
    system: SystemFaults | null,
    threads: ThreadFaults,
    power: PowerLoss | null,
  ) {
    this.power = power;
    this.threads = threads;
    this.program = program;
    this.truth = truth;
    this.system = system;
  }

  /** The clock of the machine the program believes to be on. */
  now(): number {
    return Date.now() + (this.system?.get('clockMs') ?? 0);
  }

  most(name: string, value: number): void {
    this.counts[`most ${name}`] = Math.max(this.counts[`most ${name}`] ?? 0, value);
  }

  /** Sets the program's clock off from the machine's. */
  setClock(offMs: number): void {
    this.#clockSetMs = performance.now();
    this.system!.set('clockMs', offMs);
  }

  get clockSetMsAgo(): number {
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

  get elapsedMs(): number {
    return performance.now() - this.#begun;
  }

  /** While `work` runs, and a little longer, the program may refuse and connections may end. */
  async disturb(fault: string, work: () => Promise<void>): Promise<void> {
    this.#faults.push(`${(this.elapsedMs / 1000).toFixed(1)} s ${fault}`);
    this.#disturbers++;
    try {
      await work();
    } finally {
      this.#disturbers--;
      this.#calmAtMs = performance.now() + AFTERSHOCK_MS;
    }
  }

  get calm(): boolean {
    return this.#disturbers === 0 && performance.now() > this.#calmAtMs;
  }

  /** Null where the connection failed, which is a finding in calm times. The answer's body is JSON, or undefined. */
  async call(path: string, key: string, init: RequestInit = {}): Promise<{ status: number; body: unknown } | null> {
    const calm = this.calm;
    this.count('requests');
    try {
      const headers = { 'x-api-key': key, ...(init.headers as Record<string, string> | undefined) };
      const signal = AbortSignal.timeout(CALL_MS_MAX);
      const response = await fetch(`${this.program.url}${path}`, { ...init, headers, signal });
      const text = await response.text();
      const body = text.startsWith('{') ? (JSON.parse(text) as { error?: { code?: string } }) : undefined;
      if (response.status >= 500) this.#judge(path, response, body, text);
      return { status: response.status, body };
    } catch (error) {
      this.count('connections lost');
      const cause = (error as Error).cause instanceof Error ? `: ${((error as Error).cause as Error).message}` : '';
      if (calm && this.calm) this.find('answers', `${path}: ${(error as Error).message}${cause}`);
      return null;
    }
  }

  #judge(path: string, response: Response, body: { error?: { code?: string } } | undefined, text: string): void {
    this.count(`status ${response.status}`);
    const code = body?.error?.code ?? '';
    const documented = REFUSALS.get(response.status)?.has(code) === true && response.headers.has('retry-after');
    if (!documented) this.find('no 5xx but the documented', `${path}: ${response.status} ${text.slice(0, 500)}`);
    else if (this.calm) this.find('no refusal in calm times', `${path}: ${response.status} ${text.slice(0, 500)}`);
  }
}

export function textOf({ atS, law, detail, after }: Finding): string {
  return `BROKEN at ${atS} s: ${law}: ${detail}\n  after ${after.join(', ')}`;
}
