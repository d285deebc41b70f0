// A server in a process of its own that is killed as by a lack of memory, and begun again in the same place.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Ending } from '../shared.js';
import { newFolder } from '../temp-folders.js';
import { freePort } from './free-port.js';

const MAIN = resolve('dist/src/main.js');

export interface MortalServer {
  url: string;
  /** Of an enterprise key that may stream and send odds. */
  key: string;
  /** Settles when the messages are committed; throws where the server is gone. */
  push(...messages: object[]): Promise<void>;
  begin(): Promise<void>;
  kill(): Promise<void>;
}

/** Ended after the test. */
export async function mortalServer(t: Ending, flags: readonly string[] = []): Promise<MortalServer> {
  const data = newFolder();
  const port = String(await freePort());
  let child: ChildProcess | undefined;
  const begin = async (): Promise<void> => {
    const args = [MAIN, 'serve', '--feed', 'none', '--data', data, '--port', port, '--workers', '1', '--log', 'info'];
    child = spawn(process.execPath, [...args, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
    await listening(child);
  };
  const kill = async (): Promise<void> => {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  t.after(kill);
  await begin();
  const url = `http://127.0.0.1:${port}`;
  const rights = ['--tier', 'enterprise', '--streaming', '--scope', 'ingest', '--data', data];
  const made = spawnSync(process.execPath, [MAIN, 'keys', 'create', ...rights], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
  const { key } = JSON.parse(made.stdout) as { key: string };
  const push = async (...messages: object[]): Promise<void> => {
    const answer = await fetch(`${url}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson' },
      body: messages.map((message) => JSON.stringify(message)).join('\n'),
    });
    assert.equal(answer.status, 200, await answer.text());
  };
  return { url, key, push, begin, kill };
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((found, failed) => {
    let text = '';
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      if (/"msg":"listening"|http:\/\/127\.0\.0\.1:\d/.test(text)) found();
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.on('error', failed);
    child.on('exit', () => failed(new Error(text)));
  });
}
