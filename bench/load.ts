// The load side: C programs compiled into the bench's temporary folder, run on the load's core.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, type CpuTime, cpuTime, LOAD_CORE, start } from './process.js';
import { programPath } from './programs.js';

const SOURCES = fileURLToPath(new URL('../../bench/load/', import.meta.url));
const ARRIVE_MS = 20_000;
const PROGRAMS = ['http-load', 'stream-load', 'snapshot-load', 'floor'] as const;

/** Compiles the load programs; returns the reason if they cannot be compiled. */
export function buildLoad(folder: string): string | undefined {
  if (process.platform !== 'linux') return 'its load programs need Linux';
  const compiler = programPath('gcc') ?? programPath('cc');
  if (compiler === undefined) return 'its load programs need a C compiler, and gcc is not installed';
  for (const program of PROGRAMS) {
    const args = ['-O2', '-Wno-unused-function', '-o', join(folder, program), join(SOURCES, `${program}.c`)];
    const { status, stderr } = spawnSync(compiler, args, { encoding: 'utf8' });
    if (status !== 0) return `${program}.c cannot be compiled: ${stderr.trim().split('\n')[0] ?? ''}`;
  }
  return undefined;
}

export interface Target {
  pid: number;
  port: number;
  /** Further processes whose CPU time counts as the server's. */
  others?: readonly number[];
}

export interface HttpLoad {
  requests: readonly { text: string | Uint8Array; counted?: boolean }[];
  connections: number;
  warmMs: number;
  measureMs: number;
  /** Requests a second over all connections; 0 is as fast as answers come. */
  rate?: number;
}

/** Times in µs; CPU in seconds within the measured time. */
export interface HttpResult {
  seconds: number;
  requests: number;
  others: number;
  bytes: number;
  p50: number;
  p99: number;
  p999: number;
  max: number;
  cpu: CpuTime;
}

let files = 0;

export async function httpLoad(folder: string, target: Target, load: HttpLoad): Promise<HttpResult> {
  const file = join(folder, `requests-${++files}`);
  const parts = load.requests.flatMap(({ text, counted }) => {
    const bytes = Buffer.from(text as string);
    return [Buffer.from(`${bytes.length} ${counted === false ? 1 : 0}\n`), bytes];
  });
  writeFileSync(file, Buffer.concat(parts));
  const { connections, warmMs, measureMs, rate = 0 } = load;
  const args = ['127.0.0.1', target.port, connections, warmMs, measureMs, rate, file].map(String);
  const child = start(join(folder, 'http-load'), args, LOAD_CORE);
  await expectLine(child, 'begin');
  const before = cpuTime(target.pid, target.others);
  await expectLine(child, 'end');
  const cpu = spent(before, cpuTime(target.pid, target.others));
  const result = JSON.parse(await child.line()) as Omit<HttpResult, 'cpu'> & { failures: number };
  if (result.failures > 0) throw new Error(`${result.failures} of ${result.requests} requests failed`);
  return { ...result, cpu };
}

export interface StreamLoad {
  connections: number;
  /** Of several, each ended by a blank line, the connections take one each in turn. */
  request: string | readonly string[];
  /** Seen by a connection once it is subscribed. */
  ready: string;
  /** Stands before the 16 digits of the time. */
  marker: string;
  counted?: string;
}

export interface StreamResult {
  seconds: number;
  messages: number;
  items: number;
  bytes: number;
  reads: number;
  least: number;
  most: number;
  p50: number;
  p99: number;
  p999: number;
  max: number;
  cpu: CpuTime;
}

export class StreamClients {
  readonly #child: Child;
  readonly #target: Target;
  #before: CpuTime = { process: 0, main: 0 };

  private constructor(child: Child, target: Target) {
    this.#child = child;
    this.#target = target;
  }

  /** Settles when every client is subscribed. */
  static async open(folder: string, target: Target, load: StreamLoad): Promise<StreamClients> {
    const file = join(folder, `stream-${++files}`);
    writeFileSync(file, typeof load.request === 'string' ? load.request : load.request.join(''));
    const { connections, ready, marker, counted } = load;
    const args = ['127.0.0.1', String(target.port), String(connections), file, ready, marker];
    const child = start(join(folder, 'stream-load'), counted === undefined ? args : [...args, counted], LOAD_CORE);
    await expectLine(child, 'ready');
    return new StreamClients(child, target);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /**
   * `offsetUs` is taken off every latency (a server whose clock is ahead). A client that spins costs the server no
   * wake-up, so its CPU time is its own; one that sleeps leaves its core to others, as latencies want it.
   */
  async begin(offsetUs = 0, spin = true): Promise<void> {
    this.#child.process.stdin?.write(`begin ${Math.round(offsetUs)} ${spin ? 1 : 0}\n`);
    await expectLine(this.#child, 'begun');
    this.#before = cpuTime(this.#target.pid, this.#target.others);
  }

  /**
   * Settles when so many items (messages, where none are counted) have come since `begin`; rejects where they do not in
   * this time.
   */
  async arrived(count: number, waitMs = ARRIVE_MS): Promise<void> {
    this.#child.process.stdin?.write(`await ${count} ${waitMs}\n`);
    await expectLine(this.#child, 'arrived');
  }

  async end(): Promise<StreamResult> {
    const cpu = spent(this.#before, cpuTime(this.#target.pid, this.#target.others));
    this.#child.process.stdin?.write('end\n');
    return { ...(JSON.parse(await this.#child.line()) as Omit<StreamResult, 'cpu'>), cpu };
  }

  close(): Promise<void> {
    return this.#child.stop();
  }
}

export interface SnapshotLoad {
  connections: number;
  request: string;
  /** Stands in the last bytes a client is sent. */
  ready: string;
  /** So many read nothing for so long once they have had so many bytes. */
  stalled: number;
  stallAtBytes: number;
  stallMs: number;
  /** A small page, asked for all the time. */
  probe: string;
}

/** Latencies of the probe in µs: before (`alone`) and while the clients read. */
export interface SnapshotResult {
  /** Until those that never stalled were complete. */
  seconds: number;
  allSeconds: number;
  bytes: number;
  /** Of the server, from the first connection to the last client's end. */
  cpu: CpuTime;
  alone: number;
  aloneMax: number;
  probes: number;
  p50: number;
  p99: number;
  max: number;
}

/** Settles when every client has its whole snapshot; calls `begun` when they set off. */
export async function snapshotLoad(
  folder: string,
  target: Target,
  load: SnapshotLoad,
  begun: () => void,
): Promise<SnapshotResult> {
  const [request, probe] = [join(folder, `snapshot-${++files}`), join(folder, `probe-${files}`)];
  writeFileSync(request, load.request);
  writeFileSync(probe, load.probe);
  const { connections, stalled, stallAtBytes, stallMs, ready } = load;
  const counts = [target.port, connections, stalled, stallAtBytes, stallMs].map(String);
  const child = start(join(folder, 'snapshot-load'), ['127.0.0.1', ...counts, request, probe, ready], LOAD_CORE);
  await expectLine(child, 'begun');
  const before = cpuTime(target.pid, target.others);
  begun();
  const result = JSON.parse(await child.line()) as Omit<SnapshotResult, 'cpu'> & { failures: number };
  const cpu = spent(before, cpuTime(target.pid, target.others));
  if (result.failures > 0) throw new Error(`${result.failures} of ${result.probes} probes failed`);
  return { ...result, cpu };
}

async function expectLine(child: Child, wanted: string): Promise<void> {
  const line = await child.line();
  if (line !== wanted) throw new Error(`the load program said "${line}" in place of "${wanted}"`);
}

function spent(before: CpuTime, after: CpuTime): CpuTime {
  return { process: after.process - before.process, main: after.main - before.main };
}

/** A GET as sent on the wire. */
export function getRequest(path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\n${lines.join('')}\r\n`;
}

export function postRequest(path: string, headers: Readonly<Record<string, string>>, body: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\nHost: bench\r\n${lines.join('')}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

export function upgradeRequest(path: string, headers: Readonly<Record<string, string>> = {}): string {
  return getRequest(path, {
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'YmVuY2htYXJrLWJlbmNobQ==',
    ...headers,
  });
}
