// A feed of a user's own that throws where nothing catches it: it fails alone, /health says so, and it begins again.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Json } from '../../front/api.js';
import { until } from '../../support/until.js';
import { newFolder } from '../../temp-folders.js';

const MAIN = new URL('../../../src/main.js', import.meta.url).pathname;

/** Sends one game; the first instances then throw as `fault` says. */
const feedOf = (fault: string, faulty = 1): string => `
let made = 0;
export const feed = {
  kind: 'faulty',
  make: () => {
    const no = ++made;
    let end;
    const ended = new Promise((resolve) => { end = resolve; });
    return {
      name: 'faulty',
      simulated: false,
      stop: () => end(),
      run: async ({ sink }) => {
        await sink([{ book: 'fanduel', polled_at: new Date().toISOString(), scope: 'none', events: [{
          league: 'nba', home_team: 'Los Angeles Lakers', away_team: 'Boston Celtics',
          start_time: new Date(Date.now() + 86400000).toISOString(),
          markets: [{ market_type: 'moneyline', selections: [
            { selection: 'Lakers', selection_type: 'home', odds_american: -100 - no }] }] }] }]);
        if (no <= ${faulty}) { ${fault} }
        await ended;
      },
    };
  },
};
`;

const FAULTS = {
  'a promise that it forgot': "void Promise.resolve().then(() => { throw new Error('stray'); });",
  'a timer': "setTimeout(() => { throw new Error('stray'); }, 20);",
  'a promise made in a timer, without an Error': "setTimeout(() => { Promise.reject('stray'); }, 20);",
};

for (const [from, fault] of Object.entries(FAULTS))
  test(`what a feed throws from ${from} fails that feed alone, and it begins again`, async (t) => {
    const folder = newFolder();
    const module = join(folder, 'faulty.mjs');
    // Twice: after the second one it waits longer, so that a busy machine sees it fail.
    writeFileSync(module, feedOf(fault, 2));
    const args = [MAIN, 'serve', '--port', '0', '--data', join(folder, 'data'), '--workers', '1', '--feed', module];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    t.after(() => child.kill('SIGKILL'));
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (text += bytes));
    const found = await until('it listens', () => /"msg":"listening".*"port":(\d+)/.exec(text) ?? false);
    assert.ok(found);
    const port = /"msg":"listening".*"port":(\d+)/.exec(text)![1];
    const feedNow = async (): Promise<Json> =>
      ((await (await fetch(`http://127.0.0.1:${port}/api/v1/health`)).json()) as Json).data.feeds[0];
    const failing = await until('the fault is seen', async () => {
      const feed = await feedNow();
      return feed.state === 'failing' && feed;
    });
    assert.match(failing.error, /stray/);
    await until('it is told', () => /it begins again/.test(text));
    await until('it runs again', async () => (await feedNow()).state === 'running');
    assert.equal(child.exitCode, null, text);
  });

/** A program that embeds a server with one feed, which throws as `fault` says; it prints its port, and ends with it. */
const programOf = (fault: string, after = ''): string => `
import { startServer } from ${JSON.stringify(new URL('../../../src/index.js', import.meta.url).href)};
${feedOf(fault).replace('export const', 'const')}
const server = await startServer({
  settings: { port: '0', data: process.argv[2], workers: '1' },
  feeds: [feed.make()],
});
console.log('port ' + server.port + ' end');
${after}
process.once('SIGTERM', () => server.close());
`;

function embedding(t: TestContext, program: string) {
  const folder = newFolder();
  const module = join(folder, 'program.mjs');
  writeFileSync(module, program);
  const child = spawn(process.execPath, [module, join(folder, 'data')], { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (text += bytes));
  return { child, said: () => text, ended: once(child, 'close') };
}

for (const [from, fault] of Object.entries(FAULTS))
  test(`what a feed of an embedding program throws from ${from} fails that feed alone`, async (t) => {
    const { child, said, ended } = embedding(t, programOf(fault));
    const port = await until('it listens', () => child.exitCode !== null || /port (\d+) end/.exec(said())?.[1]);
    await until('the fault is seen', () => child.exitCode !== null || said().includes('goes on without it'));
    assert.equal(child.exitCode, null, said());
    const { data } = (await (await fetch(`http://127.0.0.1:${port}/api/v1/health`)).json()) as Json;
    assert.equal(data.feeds[0].state, 'failed');
    assert.match(data.feeds[0].error, /stray/);
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null], said());
  });

test('what a feed throws after its end is logged', async (t) => {
  const late = "setTimeout(() => { throw new Error('stray'); }, 50); return;";
  const { child, said } = embedding(t, programOf(late));
  await until('it is logged', () => child.exitCode !== null || said().includes('after its end'));
  assert.equal(child.exitCode, null, said());
  assert.match(said(), /feed ended[\s\S]*stray/);
});

test('an error of the embedding program itself ends it, as without a server', async (t) => {
  const { said, ended } = embedding(t, programOf('', "setTimeout(() => { throw new Error('its own'); }, 50);"));
  assert.notDeepEqual(await ended, [0, null]);
  assert.match(said(), /Error: its own/);
});
