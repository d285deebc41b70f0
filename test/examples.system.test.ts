// Every example runs as its first lines describe, against a server in this process: code that users copy must work.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { WebSocket } from 'ws';
import { type RunningServer, startServer } from '../src/index.js';
import { RawWebSocket } from './client/ws-package.js';
import { VenueServer } from './intake/feeds/kit/venue-server.js';
import { shared } from './shared.js';
import { mortalServer } from './support/mortal-server.js';
import { eventually, until } from './support/until.js';
import { newFolder } from './temp-folders.js';

/** The package is not installed. */
const env = { ...process.env, PYTHONPATH: 'python/src' };
const compiled = (name: string): string => fileURLToPath(new URL(`../examples/${name}.js`, import.meta.url));
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

function folder(): string {
  const dir = newFolder('overround-examples-');
  // A browser's child processes outlive it by a moment, and still write there.
  return dir;
}

/** A poll of one book of tonight's game. */
function poll(
  book: string,
  home: number,
  away: number,
  atMs = Date.now(),
  [homeTeam, awayTeam]: readonly [string, string] = ['Boston Celtics', 'LA Lakers'],
) {
  const selections = [
    { selection: homeTeam, selection_type: 'home', odds_american: home },
    { selection: awayTeam, selection_type: 'away', odds_american: away },
  ];
  const game = { league: 'nba', home_team: homeTeam, away_team: awayTeam };
  return {
    book,
    polled_at: new Date(atMs).toISOString(),
    scope: 'event' as const,
    events: [
      {
        ...game,
        start_time: new Date(atMs + 7_200_000).toISOString(),
        markets: [{ market_type: 'moneyline', selections }],
      },
    ],
  };
}

/** Only read. */
const withArbitrage = shared(async (t): Promise<RunningServer> => {
  const settings = { port: '0', data: newFolder(), workers: '1', history: '0', log: 'silent' };
  const server = await startServer({ settings });
  t.after(() => server.close());
  await server.ingest([poll('draftkings', 130, -150), poll('fanduel', -110, 104)]);
  return server;
});

/** The program's output until it contains the text, or until the program ends; then the program is ended. */
function printed(t: TestContext, program: ChildProcess, until?: RegExp): Promise<string> {
  t.after(() => program.kill());
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      if (until?.test(text)) resolve(text);
    };
    program.stdout!.on('data', read);
    program.stderr!.on('data', read);
    program.on('error', reject);
    // Not at its exit: what it wrote last may not be read by then.
    program.on('close', () => resolve(text));
  });
}

test('the bot in TypeScript prints the stakes of each arbitrage', async (t) => {
  const server = await withArbitrage();
  const args = [compiled('bot'), server.url, server.ownKey('sharp')!, '100'];
  const text = await printed(t, spawn(process.execPath, args), /live: 1 arbitrages/);
  assert.match(text, /\d\.\d\d % {2}Los Angeles Lakers @ Boston Celtics {2}moneyline/);
  assert.match(text, /\d+\.\d\d on Boston Celtics at draftkings \(130\)/);
  const refused = await printed(t, spawn(process.execPath, [compiled('bot'), server.url, 'sk_test_nobody']));
  assert.match(refused, /^refused: unauthorized: /);
});

test('the bot in Python prints them', { skip: !has('python3') }, async (t) => {
  const server = await withArbitrage();
  const args = ['examples/bot.py', server.url, server.ownKey('sharp')!, '--once'];
  const text = await printed(t, spawn('python3', args, { env }));
  assert.match(text, /Los Angeles Lakers @ Boston Celtics {2}moneyline {2}\w+ .*%/);
  assert.match(text, /^1 arbitrages$/m);
});

const bots: [name: string, program: string, args: string[], needs: boolean][] = [
  ['TypeScript', process.execPath, [compiled('bot')], true],
  ['Python', 'python3', ['examples/bot.py'], has('python3')],
];
for (const [name, program, args, runs] of bots)
  test(`the bot in ${name} ends quietly once nobody reads what it prints`, { skip: !runs }, async (t) => {
    const server = await withArbitrage();
    const bot = spawn(program, [...args, server.url, server.ownKey('sharp')!], { env });
    t.after(() => bot.kill());
    bot.stdout.destroy();
    let complaints = '';
    bot.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    const [code] = await once(bot, 'close');
    assert.deepEqual([code, complaints], [0, '']);
  });

for (const [name, program, args, runs] of bots)
  test(`the bot in ${name} outlives a server that is killed twice, and goes on`, { skip: !runs }, async (t) => {
    const { url, key, push, begin, kill } = await mortalServer(t);
    const bot = spawn(program, [...args, url, key], { env });
    let text = '';
    bot.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    bot.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    t.after(() => bot.kill());
    const shows = (what: RegExp) =>
      until(
        () => `${what} in ${text}`,
        () => {
          assert.equal(bot.exitCode, null, text);
          return what.test(text);
        },
      );
    const games = [
      ['Boston Celtics', 'LA Lakers'],
      ['Miami Heat', 'Golden State Warriors'],
      ['Chicago Bulls', 'Denver Nuggets'],
    ] as const;
    for (const [round, teams] of games.entries()) {
      if (round > 0) {
        await kill();
        await begin();
      }
      await push(poll('draftkings', 130, -160, Date.now(), teams), poll('fanduel', -110, 104, Date.now(), teams));
      await shows(new RegExp(`@ ${teams[0]} {2}moneyline`));
    }
  });

/** A server that is only refusals: the answers in turn, then the last one for ever. */
async function refusing(t: TestContext, answers: readonly [status: number, retryAfter?: string][]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const [status, retryAfter] = answers[Math.min(asked.length, answers.length - 1)]!;
    asked.push(request.url!);
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
    response.end('{"error":{"code":"unauthorized","message":"over"}}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const waiting: [name: string, program: string, args: string[], needs: boolean][] = [
  ...bots,
  ['Python on paper', 'python3', ['examples/paper-bot.py'], has('python3')],
];
for (const [name, program, args, runs] of waiting)
  test(`the bot in ${name} waits for a server without room, and ends where its key is refused`, {
    skip: !runs,
  }, async (t) => {
    const { url, asked } = await refusing(t, [[429, '0'], [502, '0'], [503, '0'], [401]]);
    const text = await printed(t, spawn(program, [...args, url, 'sk_test_nobody'], { env }));
    assert.equal(asked.length, 4, text);
    assert.match(text, /^refused: /m);
  });

test('the cluster’s script makes its key once an engine can', async () => {
  const dir = folder();
  const said = join(dir, 'said');
  const program = (name: string, text: string) =>
    writeFileSync(join(dir, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  program('nats-server', 'exec sleep 60');
  program('curl', `echo "asked $*" >>${said}`);
  // The first key ends the script, as a refusal would.
  program('overround', `[ "$1" = keys ] || exec sleep 60\necho "keys $*" >>${said}\nexit 3`);
  const found = { PATH: `${dir}:${process.env['PATH']}`, OVERROUND: join(dir, 'overround') };
  const script = spawn('bash', ['examples/cluster/run.sh', join(dir, 'data')], { env: found, stdio: 'ignore' });
  const [code] = (await once(script, 'exit')) as [number];
  const lines = readFileSync(said, 'utf8').trim().split('\n');
  assert.equal(code, 3);
  for (const port of [8081, 8082])
    assert.ok(
      lines.slice(0, -1).some((line) => line.includes(`:${port}/readyz`)),
      said,
    );
  assert.match(lines.at(-1)!, /^keys keys create/);
});

test('a feed of your own brings its rows', async (t) => {
  const program = spawn(process.execPath, [compiled('own-feed'), join(folder(), 'data')]);
  const text = await printed(t, program, /key: sk_test_[\w-]+[\s\S]*\d rows written/);
  const [, url, key] = /(http:\S+)\/api\/v1\/odds {2}\(key: (\S+)\)/.exec(text)!;
  const headers = { 'x-api-key': key! };
  await until(
    () => text,
    async () => {
      const { data } = (await (await fetch(`${url}/api/v1/odds`, { headers })).json()) as { data: unknown[] };
      return data.length === 2;
    },
  );
  program.kill('SIGTERM');
  await new Promise((resolve) => program.on('exit', resolve));
  assert.equal(program.exitCode ?? program.signalCode, 0);
});

test('a feed on the kit delivers a venue’s rows, and they are inactive once the venue is gone', async (t) => {
  const venue = new (class extends VenueServer {
    override answer(): unknown {
      return [
        { id: 'g1', home: 'Boston Celtics', away: 'LA Lakers', start: new Date(Date.now() + 7.2e6).toISOString() },
      ];
    }

    override received(client: WebSocket): void {
      this.send(client, { seq: 1, game: 'g1', home: 1.9, away: 2.05, size: 250 });
    }
  })();
  await venue.listen();
  const at = `127.0.0.1:${venue.port}`;
  const args = [compiled('venue-feed'), join(folder(), 'data'), `http://${at}`, `ws://${at}`];
  const text = await printed(t, spawn(process.execPath, args), /key: sk_live_[\w-]+/);
  const [, url, key] = /(http:\S+) {2}\(key: (\S+)\)/.exec(text)!;
  const shown = async () => {
    const answer = await fetch(url!, { headers: { 'x-api-key': key! } });
    const { data } = (await answer.json()) as { data: { odds_decimal: number; size: number; is_active: boolean }[] };
    return data.map(({ odds_decimal, size, is_active }) => [odds_decimal, size, is_active]).sort();
  };
  await eventually(async () =>
    assert.deepEqual(await shown(), [
      [1.9, 250, true],
      [2.05, 250, true],
    ]),
  );
  await venue.close();
  await eventually(async () =>
    assert.deepEqual(
      (await shown()).map(([, , active]) => active),
      [false, false],
    ),
  );
});

test('the backtest sums up a recording by kind', async (t) => {
  const file = join(folder(), 'recording.ndjson');
  const startMs = Date.parse('2026-11-20T18:00:00Z');
  const polls = [poll('draftkings', 130, -150, startMs), poll('fanduel', -110, 104, startMs + 1_000)];
  writeFileSync(file, polls.map((message) => `${JSON.stringify(message)}\n`).join(''));
  const text = await printed(t, spawn(process.execPath, [compiled('backtest'), file]));
  assert.match(text, /^2 polls, 4 quotes$/m);
  assert.match(text, /"kind":"arbitrage"/);
});

const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find(has);

test('the browser page shows the prices of a viewer token', { skip: chromium === undefined }, async (t) => {
  const server = await withArbitrage();
  const headers = { 'x-api-key': server.ownKey('sharp')!, 'content-type': 'application/json' };
  const body = JSON.stringify({ ttl_s: 60, channels: ['odds'] });
  const answer = await fetch(`${server.url}/api/v1/account/tokens`, { method: 'POST', headers, body });
  const { token } = ((await answer.json()) as { data: { token: string } }).data;
  const page = `file://${process.cwd()}/examples/page.html?url=${encodeURIComponent(server.url)}&token=${token}`;
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${folder()}`];
  const browser = spawn(chromium!, [...flags, '--remote-debugging-port=0', page]);
  const exited = once(browser, 'exit');
  let text = '';
  try {
    const listening = await printed(t, browser, /DevTools listening on ws:\/\/\S+/);
    const port = /DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(listening)![1]!;
    await until(
      () => text,
      async () => {
        text = await shownText(port);
        return text.includes('draftkings');
      },
    );
  } finally {
    // Hooks run in order: the browser's folder would be removed before the browser has ended.
    browser.kill('SIGKILL');
    await exited;
  }
  assert.match(text, /^live$/m);
  assert.match(text, /Los Angeles Lakers @ Boston Celtics\tmoneyline\tBoston Celtics\t\tdraftkings\t130/);
});

/** The text of the browser's page, by its own debugging protocol. */
async function shownText(port: string): Promise<string> {
  const list = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    type: string;
    webSocketDebuggerUrl: string;
  }[];
  const page = list.find(({ type }) => type === 'page');
  if (page === undefined) return '';
  const socket = new RawWebSocket(page.webSocketDebuggerUrl);
  const message = await new Promise<Buffer>((resolve, reject) => {
    const params = { expression: 'document.body?.innerText ?? ""' };
    socket.on('open', () => socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params })));
    socket.on('message', resolve);
    socket.on('error', reject);
  });
  socket.terminate();
  return (JSON.parse(message.toString()) as { result: { result: { value: string } } }).result.result.value;
}
