// The program under torture, as its users start it: a process of its own on one data directory and one port.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test/support/free-port.js';

const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url));
const START_MS_MAX = 60_000;
const END_MS_MAX = 30_000;
/** The delay of a supervisor. */
const START_AGAIN_MS = 500;
/** What is retained of its output. */
const OUTPUT = { lines: 10, lineCharacters: 300 };
const LAST_WORDS_MS = 100;

export interface ProgramOptions {
  dataDir: string;
  fronts: number;
  /** Flags of `serve` in place of no feed and two workers. */
  base?: readonly string[];
  /** Further flags of `serve`. */
  flags?: readonly string[];
  /** Flags of `keys create` besides the directory's. */
  keyFlags?: readonly string[];
  env: Readonly<Record<string, string>>;
  /** A line of its log that no run should have. */
  complain(line: string): void;
  /** Called with every line of its output. */
  onLine?(line: string): void;
  /** It ended unexpectedly. */
  endedByItself?(how: string): void;
  /** Whether it is restarted then, as by a supervisor. */
  supervised?: boolean;
  /** Resolves after this much time (ms); wall-clock time by default. */
  patience?(ms: number): () => boolean;
}

function wallPatience(ms: number): () => boolean {
  const untilMs = performance.now() + ms;
  return () => performance.now() > untilMs;
}

export class Program {
  readonly port: number;
  readonly #options: ProgramOptions;
  #child: ChildProcess | undefined;
  /** Its last lines. */
  readonly #lines: string[] = [];
  #wanted = false;
  /** LMDB could not complete a commit: the process is ending. */
  #givenUp = false;
  readonly #secrets: string[] = [];
  /** Number of starts. */
  starts = 0;
  /** Longest start so far, to the first answered request (ms). */
  startMsMost = 0;

  private constructor(options: ProgramOptions, port: number) {
    this.#options = options;
    this.port = port;
  }

  static async make(options: ProgramOptions): Promise<Program> {
    return new Program(options, await freePort());
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get dataDir(): string {
    return this.#options.dataDir;
  }

  get running(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  /** A key made with `overround keys create`, which must not appear in any line of the log from now on. */
  key(tier: string, ...flags: string[]): string {
    const { dataDir, keyFlags = [] } = this.#options;
    const args = [MAIN, 'keys', 'create', '--data', dataDir, '--tier', tier, ...keyFlags, ...flags];
    const { key } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as { key: string };
    this.hide(key);
    return key;
  }

  /** It must not appear in any line of the log from now on. */
  hide(secret: string): void {
    this.#secrets.push(secret);
  }

  /** Settles when it answers; rejects if it ends before and is not restarted, or takes too long. */
  async start(): Promise<void> {
    const late = (this.#options.patience ?? wallPatience)(START_MS_MAX);
    const begun = performance.now();
    this.#wanted = true;
    if (!this.running) this.#spawn();
    for (;;) {
      if (!this.running && this.#options.supervised !== true)
        throw new Error(`the program ended at its start (${this.#ending}): ${this.#lastWords()}`);
      if (late()) throw new Error(`the program did not start: ${this.#lastWords()}`);
      if (await this.#answers()) break;
      await wait(25);
    }
    this.startMsMost = Math.max(this.startMsMost, performance.now() - begun);
  }

  #spawn(): void {
    const { dataDir, fronts, env, flags = [], base = ['--feed', 'none', '--workers', '2'] } = this.#options;
    const args = ['serve', '--data', dataDir, '--port', String(this.port), ...base];
    if (fronts > 0) args.push('--fronts', String(fronts));
    const child = spawn(process.execPath, [MAIN, ...args, ...flags], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#givenUp = false;
    this.starts++;
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => this.#read(line));
    child.once('exit', () => {
      // What it said last is read after it has ended.
      if (this.#wanted) setTimeout(() => this.#ended(child), LAST_WORDS_MS);
    });
  }

  #ended({ exitCode, signalCode }: ChildProcess): void {
    const { endedByItself, supervised } = this.#options;
    endedByItself?.(`${exitCode ?? signalCode}: ${this.#lastWords()}`);
    if (supervised !== true) return;
    setTimeout(() => {
      if (this.#wanted && !this.running) this.#spawn();
    }, START_AGAIN_MS);
  }

  get #ending(): string {
    return String(this.#child!.exitCode ?? this.#child!.signalCode);
  }

  async #answers(): Promise<boolean> {
    try {
      const { status } = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(2_000) });
      return status === 200;
    } catch {
      return false;
    }
  }

  /** Settles when it has ended by itself: with its exit code, or null if a signal ended it. */
  async gone(): Promise<number | null> {
    const [code] = (await once(this.#child!, 'exit')) as [number | null];
    return code;
  }

  /** kill -9; settles when it has ended. */
  async kill(): Promise<void> {
    this.#wanted = false;
    if (!this.running) return;
    const child = this.#child!;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** kill -9 of all its processes, none of which sees another's end; settles when they have ended. */
  async killAll(): Promise<void> {
    this.#wanted = false;
    this.signal('SIGSTOP');
    for (const pid of childrenOf(this.pid)) process.kill(pid, 'SIGKILL');
    await this.kill();
  }

  /** Ends it as a supervisor would. Rejects if it does not end, or with another code than 0. */
  async terminate(): Promise<void> {
    this.#wanted = false;
    if (!this.running) return;
    const child = this.#child!;
    const late = (this.#options.patience ?? wallPatience)(END_MS_MAX);
    child.kill('SIGTERM');
    while (this.running) {
      if (late()) {
        await this.kill();
        throw new Error(`the program did not end in time: ${this.#lastWords()}`);
      }
      await wait(10);
    }
    if (child.exitCode !== 0) throw new Error(`the program ended with ${this.#ending}: ${this.#lastWords()}`);
  }

  signal(name: NodeJS.Signals): void {
    this.#child!.kill(name);
  }

  /** The process and its children; none while it does not run. */
  get pids(): number[] {
    return this.running ? [this.pid, ...childrenOf(this.pid)] : [];
  }

  /**
   * Bytes of memory in use, what the process and its children share counted once (`pss`), and their open files.
   * `anonymous` is without the pages of mapped files, which the kernel may take back at any time.
   */
  measure(): { pss: number; anonymous: number; files: number } {
    let pss = 0;
    let anonymous = 0;
    let files = 0;
    for (const pid of this.pids) {
      try {
        const memory = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
        pss += bytesIn(memory, 'Pss');
        anonymous += bytesIn(memory, 'Anonymous');
        files += filesOf(pid);
      } catch {
        // It has ended meanwhile.
      }
    }
    return { pss, anonymous, files };
  }

  #lastWords(): string {
    return this.#lines.join(' | ');
  }

  #read(line: string): void {
    this.#lines.push(line.slice(0, OUTPUT.lineCharacters));
    if (this.#lines.length > OUTPUT.lines) this.#lines.shift();
    this.#options.onLine?.(line);
    for (const secret of this.#secrets)
      if (line.includes(secret)) this.#options.complain(`a key is in the log: ${line.replaceAll(secret, '…')}`);
    if (line.includes('the store cannot be used until')) this.#givenUp = true;
    // A thread whose transaction fails while it is being stopped: the process was ending with an error anyway.
    if (this.#givenUp && line.includes('ThrowAsJavaScriptException')) return;
    if (/"level":"?(?:60|fatal)|[Uu]nhandled|[Uu]ncaught|Assertion|FATAL/.test(line)) this.#options.complain(line);
  }
}

/** Number of open files of a running process. */
export const filesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

export function childrenOf(pid: number): number[] {
  try {
    const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
    return own.flatMap((child) => [child, ...childrenOf(child)]);
  } catch {
    return [];
  }
}

function bytesIn(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
}
