// `overround serve --fronts N` as real processes in a folder of its own, with keys made by the command.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { openAccounts } from '../../src/accounts/accounts.js';
import type { NewKey } from '../../src/accounts/key-commands.js';
import { systemClock } from '../../src/base/model/clock.js';
import { atOnce } from '../accounts/keys-at-once.js';
import { newFolder } from '../temp-folders.js';
import { until } from './until.js';

const MAIN = new URL('../../src/main.js', import.meta.url).pathname;

export interface Running {
  url: string;
  supervisor: ChildProcess;
  /** All log lines so far. */
  lines(): Record<string, unknown>[];
  /** The process of a label as it is now. */
  pid(label: string): number;
  /** Waits for a process of that label other than the one given. */
  replaced(label: string, pid: number): Promise<number>;
  get(path: string, key: string, headers?: Record<string, string>): Promise<Response>;
  post(messages: object[], key: string): Promise<Response>;
  /** An SSE stream; `front` identifies the process that serves it. */
  stream(path: string, key: string, headers?: Record<string, string>): Promise<Sse>;
  until(what: string, condition: () => boolean | Promise<boolean>): Promise<unknown>;
}

export interface Sse {
  status: number;
  front: string;
  /** Type, id and data of each event so far. */
  events: { type: string; id: string; data: string }[];
  /** True once the server ended it. */
  readonly ended: boolean;
  close(): void;
}

/** Each process begins its requests' ids with characters of its own. */
export const frontOf = (response: Response): string => response.headers.get('x-request-id')!.split('-')[0]!;

export async function follow(response: Response, abort: AbortController): Promise<Sse> {
  const events: Sse['events'] = [];
  let ended = false;
  const read = async (): Promise<void> => {
    let text = '';
    for await (const bytes of response.body!.pipeThrough(new TextDecoderStream() as never)) {
      text += String(bytes);
      const parts = text.split('\n\n');
      text = parts.pop()!;
      for (const part of parts) {
        const type = /^event: (.*)$/m.exec(part)?.[1];
        if (type === undefined) continue;
        const [id = '', data = ''] = [/^id: (.*)$/m, /^data: (.*)$/m].map((field) => field.exec(part)?.[1]);
        events.push({ type, id, data });
      }
    }
  };
  if (response.status !== 200) await response.body?.cancel();
  else
    read()
      .catch(() => undefined)
      .finally(() => {
        ended = true;
      });
  return {
    status: response.status,
    front: frontOf(response),
    events,
    get ended() {
      return ended;
    },
    close: () => abort.abort(),
  };
}

/** Without ages, which depend on the moment of the answer. */
export function withoutAges(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, each) => (/age|freshness|confidence|quality/.test(name) ? undefined : each)),
  );
}

/** Ended, and all its children with it, after the test. */
export async function startFronts(
  t: TestContext,
  fronts: number,
  keys: readonly NewKey[],
  flags: readonly string[] = [],
): Promise<Running & { keys: string[]; dataDir: string }> {
  const dataDir = newFolder();
  const accounts = openAccounts(dataDir, systemClock);
  const made = keys.map((key) => atOnce(accounts).create(key).key);
  await accounts.close();
  const own = ['--port', '0', '--data', dataDir, '--workers', '1', '--feed', 'none', '--fronts', String(fronts)];
  const supervisor = spawn(process.execPath, [MAIN, 'serve', ...own, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => supervisor.kill('SIGKILL'));
  let text = '';
  for (const stream of [supervisor.stdout!, supervisor.stderr!]) stream.on('data', (bytes: Buffer) => (text += bytes));
  const lines = () =>
    text
      .split('\n')
      // The last one may not be whole yet.
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const wait = (what: string, condition: () => boolean | Promise<boolean>) =>
    until(
      () => `${what}\n${text}`,
      async () => {
        assert.equal(supervisor.exitCode, null, text);
        return condition();
      },
    );
  const listening = () => lines().find(({ msg }) => msg === 'listening');
  await wait('it listens', () => listening() !== undefined);
  const url = `http://127.0.0.1:${listening()!['port']}/api/v1`;
  const pid = (label: string): number =>
    lines().findLast(({ msg, from }) => msg === 'a process is ready' && from === label)!['pid'] as number;
  return {
    url,
    supervisor,
    keys: made,
    dataDir,
    lines,
    pid,
    until: wait,
    replaced: async (label, before) => {
      await wait(`${label} is replaced`, () => pid(label) !== before);
      return pid(label);
    },
    // A new connection for each request, so that the system chooses a front for each.
    get: (path, key, headers = {}) =>
      fetch(url + path, { headers: { 'x-api-key': key, connection: 'close', ...headers } }),
    stream: async (path, key, headers = {}) => {
      const abort = new AbortController();
      t.after(() => abort.abort());
      const sent = { 'x-api-key': key, connection: 'close', ...headers };
      return follow(await fetch(url + path, { headers: sent, signal: abort.signal }), abort);
    },
    post: (messages, key) =>
      fetch(`${url}/ingest`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson', connection: 'close' },
        body: messages.map((message) => JSON.stringify(message)).join('\n'),
      }),
  };
}

/** Ends it as an operator does; returns its exit code and signal, and whether any process of it is left. */
export async function end(
  { supervisor, pid }: Running,
  labels: readonly string[],
): Promise<{ exit: unknown[]; left: string[] }> {
  const pids = labels.map((label) => [label, pid(label)] as const);
  const exit = once(supervisor, 'exit');
  supervisor.kill('SIGTERM');
  return { exit: await exit, left: pids.filter(([, each]) => isAlive(each)).map(([label]) => label) };
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
