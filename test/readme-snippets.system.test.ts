// The shell commands in the README, the documents and the banner run beside a server with the simulated feed: each must
// do what the text says. Takes a few seconds because of processes and streams.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { startBanner } from '../src/cli/banner.js';
import { SimFeed } from '../src/intake/feeds/sim/feed.js';
import { simOptions } from '../src/intake/feeds/sim/market.js';
import type { Server } from '../src/server/server.js';
import { freePort } from './support/free-port.js';
import { startNats, WITHOUT_NATS } from './support/nats-server.js';
import { blocksOf } from './support/page-blocks.js';
import { boot } from './support/server.js';
import { eventually, until } from './support/until.js';
import { newFolder } from './temp-folders.js';
import { catalogue } from './writer/shard/rig.js';

const PAGES = ['README.md', 'docs/guides/feeds-and-ingest.md', 'docs/reference/mcp.md'];
const ADDRESS = '127.0.0.1:8080';
const shell = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);
const CLIENT = new URL('../src/client/client.js', import.meta.url).href;
const skip = shell ? false : 'bash or curl is missing';

/** The block of this language that holds the text. */
function snippet(language: string, text: string): string {
  const found = PAGES.flatMap((page) => blocksOf(page, language)).filter((block) => block.includes(text));
  assert.equal(found.length, 1, `blocks of ${language} with ${text}`);
  return found[0]!;
}

interface Beside {
  port: number;
  server: Server;
  dir: string;
  /** Runs a pasted command; returns its output. Streams are cut after two seconds. */
  paste(text: string, env?: Record<string, string>): Promise<string>;
  /** Runs pasted commands that do not end until they have printed it; they end with the test. */
  runs(text: string, said: RegExp, env?: Record<string, string>, cwd?: string): Promise<string>;
}

async function serving(t: TestContext, settings: Record<string, string> = {}): Promise<Beside> {
  const dir = newFolder('overround-readme-');
  const data = join(dir, 'data');
  const feeds = [new SimFeed(simOptions({ seed: 7, books: 4, events: 30, rate: 50 }), catalogue)];
  const { server, port } = await boot(t, { data, feeds, settings: { history: '30', ...settings } });
  const headers = { 'x-api-key': server.accounts.testKeys().at(-1)!.key };
  const rows = async () =>
    (await fetch(`http://127.0.0.1:${port}/api/v1/odds/best?sport=basketball`, { headers })).text();
  await until('the simulated feed brings prices', async () => (await rows()).includes('"best_book"'));
  // In a clone npx starts the program itself; and streams must end.
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  const main = fileURLToPath(new URL('../src/main.js', import.meta.url));
  const program = `exec "${process.execPath}" "${main}" "$@"\n`;
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\n${program}`, { mode: 0o755 });
  writeFileSync(join(bin, 'overround'), `#!/bin/sh\n${program}`, { mode: 0o755 });
  // It is installed and built.
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\n', { mode: 0o755 });
  for (const name of ['dist', 'examples']) symlinkSync(resolve(name), join(dir, name));
  writeFileSync(join(dir, '.curlrc'), 'max-time = 4\n');
  const path = [bin, join(process.execPath, '..'), process.env['PATH']].join(delimiter);
  const own = { PATH: path, DATA_DIR: data, CURL_HOME: dir, HOME: dir, PYTHONPATH: resolve('python/src') };
  const here = (text: string) => text.replaceAll(ADDRESS, `127.0.0.1:${port}`);
  const paste = (text: string, env: Record<string, string> = {}) =>
    new Promise<string>((resolve) => {
      const options = { cwd: dir, env: { ...env, ...own }, maxBuffer: 2 ** 28 };
      execFile('bash', ['-c', here(text)], options, (_error, out, err) => resolve(out + err));
    });
  const running = new Set<ChildProcess>();
  t.after(async () => {
    for (const child of running) {
      const exited = once(child, 'exit');
      // The shell and what it started.
      process.kill(-child.pid!, 'SIGKILL');
      await exited;
    }
  });
  const runs = (text: string, said: RegExp, env: Record<string, string> = {}, cwd = dir) =>
    new Promise<string>((resolve, reject) => {
      const child = spawn('bash', ['-c', here(text)], { cwd, env: { ...own, ...env }, detached: true });
      running.add(child);
      let shown = '';
      const late = setTimeout(() => reject(new Error(`${text} has not printed ${said}: ${shown}`)), 120_000);
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (bytes: Buffer) => {
          shown += bytes.toString();
          if (!said.test(shown)) return;
          clearTimeout(late);
          resolve(shown);
        });
      child.on('exit', () => {
        clearTimeout(late);
        running.delete(child);
        reject(new Error(`${text}: ${shown}`));
      });
    });
  return { port, server, dir, paste, runs };
}

test('the commands in the README do what it says', { skip }, async (t) => {
  const { port, server, dir, paste } = await serving(t);
  const KEY = server.accounts.testKeys().at(-1)!.key;
  const pushed = await paste(snippet('sh', 'keys create'));
  assert.match(pushed, /^\{"success":true,"accepted":2,"changed":2,"removed":0,"rejected":\[\],/);
  const [rows, stream] = (await paste(snippet('sh', '/odds?').replace(/^KEY=.*$/m, ''), { KEY })).split(/(?=retry: )/);
  assert.match(rows!, /^\{"success":true,"data":\[\{"id":/);
  assert.match(stream!, /^event: snapshot:complete$/m);
  const [list, found] = (await paste(snippet('sh', 'MCP()'), { KEY })).split(/(?<=\})(?=\{"result"|\{"jsonrpc")/);
  assert.match(list!, /"name":"find_arbitrage"/);
  assert.match(found!, /"structuredContent":\{"data":\[/);
  const client = JSON.stringify(CLIENT);
  const program = snippet('js', 'overround/client')
    .replace("'overround/client'", client)
    .replace(ADDRESS, `127.0.0.1:${port}`);
  writeFileSync(join(dir, 'program.mjs'), `${program}\nstream.close();\n`);
  const printed = await paste(`node ${join(dir, 'program.mjs')}`, { KEY });
  assert.match(printed, /^complete$/m);
  assert.match(printed, /remaining: \d+/);
});

test('the requests in the guides are answered', { skip }, async (t) => {
  const { server, paste } = await serving(t);
  const { key: KEY } = await server.accounts.create({ tier: 'enterprise', scopes: ['read', 'ingest'] });
  const { key: OTHER } = await server.accounts.create({ tier: 'enterprise' });
  for (const page of ['screen', 'board', 'unmatched', 'alerts', 'discord-bot', 'bets', 'sheets-and-n8n']) {
    const blocks = blocksOf(`docs/guides/${page}.md`, 'sh');
    assert.ok(blocks.length > 0, page);
    for (const block of blocks) assert.match(await paste(block, { KEY, OTHER }), /^\{"success":true,"data":/, block);
  }
});

test('history is exported, asked and backtested, and a whole copy made, as the pages say', { skip }, async (t) => {
  const { port, server, dir, paste } = await serving(t);
  const scopes: ('read' | 'backup')[] = ['read', 'backup'];
  const { key: KEY } = await server.accounts.create({ tier: 'enterprise', scopes });
  const [at, backtests, exports] = blocksOf('docs/reference/history.md', 'sh');
  const moment = new Date().toISOString();
  assert.match(await paste(at!.replace(/at=\S+Z/, `at=${moment}`), { KEY }), /^\{"success":true,"data":\[/);
  const exported = await paste(exports!);
  for (const name of ['history.parquet', 'nba.csv', 'history.csv.gz']) assert.ok(existsSync(join(dir, name)), exported);
  // History is written every five seconds.
  await eventually(async () => {
    await paste('overround export --data ./data --out - --format ndjson | gzip > polls.ndjson.gz');
    assert.ok(statSync(join(dir, 'polls.ndjson.gz')).size > 1_000);
  });
  assert.match(await paste(backtests!), /"groups": \[[\s\S]*"groups": \[/);
  const [here, there] = blocksOf('docs/guides/backup-and-upgrade.md', 'sh');
  const local = here!.replace('/var/lib/overround', './data').replace('/var/backups/', './beside-');
  assert.match(await paste(local), /^\{"out":".*","position":\d+,"bytes":\d+\}$/m);
  const remote = there!.replace('https://odds.example.com', `http://127.0.0.1:${port}`);
  assert.match(await paste(remote, { KEY }), /^\{"out":".*","position":\d+,"bytes":\d+\}$/m);
  const stream = await paste(blocksOf('docs/reference/streams.md', 'sh')[0]!, { KEY });
  assert.match(stream, /^event: connected$/m);
});

test('the programs in the pages run as they stand', { skip }, async (t) => {
  const { port, server, dir, paste } = await serving(t);
  const KEY = server.accounts.testKeys().at(-1)!.key;
  const clientUrl = JSON.stringify(CLIENT);
  const wsUrl = JSON.stringify(import.meta.resolve('ws'));
  const run = async (name: string, head: string, page: string, language: string, tail: string): Promise<string> => {
    const text = blocksOf(page, language)[0]!
      .replace("'overround/client'", clientUrl)
      .replace(ADDRESS, `127.0.0.1:${port}`);
    writeFileSync(join(dir, name), `${head}\n${text}\n${tail}\n`);
    return await paste(`node ${join(dir, name)}`, { KEY });
  };
  const bot = await run('bot.mjs', '', 'docs/guides/bot.md', 'ts', "console.log('ready'); stream.close();");
  assert.match(bot, /^ready$/m);
  // Node 20 has no WebSocket of its own.
  const head = `import ws from ${wsUrl}; globalThis.WebSocket ??= ws; const token = process.env.KEY;`;
  const tail = `connect(); setInterval(() => {
    if (rows.size > 0 && position > 0) { console.log('rows and a position'); process.exit(); }
  }, 50); setTimeout(() => { console.log(rows.size, position); process.exit(); }, 120_000);`;
  const rows = await run('socket.mjs', head, 'docs/reference/streams.md', 'js', tail);
  assert.match(rows, /^rows and a position$/m);
});

test("the banner's lines answer", { skip }, async (t) => {
  const { port, server, paste } = await serving(t);
  const testKeys = server.accounts.testKeys();
  const banner = startBanner({ host: '127.0.0.1', port, simulated: true, testKeys, makeKey: '' });
  const lines = [...banner.matchAll(/^ +(curl .*)$/gm)].map(([, line]) => line!);
  const answers = await Promise.all(lines.map((line) => paste(line)));
  const wanted = [
    /^\{"success":true,"data":\[\{/,
    /^event: connected$/m,
    /"type":"connected"/,
    /"tools":\[/,
    /"openapi":"3/,
  ];
  assert.equal(answers.length, wanted.length);
  for (const [i, answer] of answers.entries()) assert.match(answer, wanted[i]!, lines[i]);
});

test('the receivers of alerts take what is signed and nothing else', { skip }, async (t) => {
  const { port, server, dir, runs, paste } = await serving(t, { 'alert-hosts': '127.0.0.1' });
  const { key: KEY } = await server.accounts.create({ tier: 'enterprise' });
  const [rule] = blocksOf('docs/guides/alerts.md', 'sh') as [string];
  const ruled = async () => {
    const hook = `http://127.0.0.1:${await freePort()}/hook`;
    const { data } = JSON.parse(await paste(rule.replace('https://example.com/hook', hook), { KEY })) as {
      data: { id: string; secret: string };
    };
    return { ...data, hook, hookPort: new URL(hook).port };
  };
  const [javascript, python] = [await ruled(), await ruled()];
  const [inJavascript] = blocksOf('docs/guides/alerts.md', 'js') as [string];
  const [inPython] = blocksOf('docs/guides/from-python.md', 'py').filter((block) => block.includes('verify_webhook'));
  const from = JSON.stringify(import.meta.resolve('standardwebhooks'));
  const text = inJavascript.replace("'standardwebhooks'", from).replace('3000', javascript.hookPort);
  writeFileSync(join(dir, 'receiver.mjs'), text);
  writeFileSync(join(dir, 'receiver.py'), inPython!.replace('whsec_…', python.secret).replace('9000', python.hookPort));
  const received = [
    runs('node receiver.mjs', /^arbitrage\.detected 1$/m, { WEBHOOK_SECRET: javascript.secret }),
    runs('python3 -u receiver.py', /^\S+ .*'?type'?.*arbitrage\.detected/m),
  ];
  const unsigned = (hook: string) =>
    fetch(hook, { method: 'POST', body: '{}' }).then(
      ({ status }) => status,
      ({ cause }: { cause: { code: string } }) => cause.code,
    );
  for (const { hook } of [javascript, python]) await eventually(async () => assert.equal(await unsigned(hook), 400));
  for (const { id } of [javascript, python]) {
    const url = `http://127.0.0.1:${port}/api/v1/account/alerts/${id}/test`;
    const sent = await fetch(url, { method: 'POST', headers: { 'x-api-key': KEY } });
    assert.equal(sent.status, 200, await sent.text());
  }
  await Promise.all(received);
});

test('the commands and programs of the guides that do not end do what they are for', { skip }, async (t) => {
  const { server, dir, paste, runs } = await serving(t);
  const { key: KEY } = await server.accounts.create({ tier: 'enterprise', streaming: true });
  const [bot, bets, database, embedding] = ['bot', 'bets', 'database', 'embedding'].map(
    (name) => `docs/guides/${name}.md`,
  );

  // One arbitrage.
  const start_time = new Date(Date.now() + 7_200_000).toISOString();
  const quoted = (selection: string, selection_type: string, odds_american: number) => ({
    book: selection_type === 'home' ? 'betrivers' : 'bovada',
    polled_at: new Date().toISOString(),
    scope: 'none' as const,
    events: [
      {
        ...{ league: 'nba', home_team: 'Boston Celtics', away_team: 'LA Lakers', start_time },
        markets: [{ market_type: 'moneyline', selections: [{ selection, selection_type, odds_american }] }],
      },
    ],
  });
  const sides = [quoted('Boston Celtics', 'home', 130), quoted('LA Lakers', 'away', 110)];
  assert.deepEqual((await server.engine.ingest(sides)).rejected, []);

  const [, typescript, python] = blocksOf(bot!, 'sh')[0]!.split('\n');
  const bots = [
    runs(typescript!, /^live: [1-9]\d* arbitrages/m, { KEY }),
    runs(python!, /Lakers @ Boston Celtics/, { KEY, PYTHONUNBUFFERED: '1' }),
  ];

  // The page's bet is on a row that there is not, and is rejected: this is told, too.
  const client = [
    `import { OverroundClient } from ${JSON.stringify(CLIENT)};`,
    `const client = new OverroundClient({ url: 'http://${ADDRESS}', apiKey: process.env.KEY });`,
    blocksOf(bets!, 'ts')[0]!.replace('client.stream', 'const followed = client.stream'),
    "await followed.ready; console.log('follows');",
  ];
  const program = client.join('\n').replaceAll("'", "'\\''");
  const follows = runs(`node --input-type=module -e '${program}' & wait`, /^filled \[/m, { KEY });
  let placing = 0;
  const placed = eventually(async () => {
    assert.match(
      await paste(blocksOf(bets!, 'sh')[0]!.replace('bot-1', `bot-${placing++}`), { KEY }),
      /^\{"success":true/,
    );
    await Promise.race([follows, pause(200).then(() => assert.fail('nothing is told yet'))]);
  });

  const sinks = blocksOf(database!, 'sh').filter((block) => /sink (?:sqlite|parquet):/.test(block));
  assert.equal(sinks.length, 2);
  // Until the file is there, or it has ended by itself.
  const written = (block: string, file: string) => {
    const poll = `for i in $(seq 600); do test -e ${file} && break; kill -0 $! || break; sleep 0.1; done`;
    return paste(`${block.trimEnd()} &\n${poll} 2> /dev/null; kill $! 2> /dev/null; wait $!`, { KEY });
  };
  const sqlite = written(sinks[0]!, 'odds.db');
  const parquet = written(sinks[1]!, 'lake/sink-main.json');

  const head = `class OneBook { name = 'one'; simulated = false; async run() {} async stop() {} }
const message = { book: 'draftkings', polled_at: new Date().toISOString(), scope: 'none', events: [{ league: 'nba',
  home_team: 'Boston Celtics', away_team: 'LA Lakers', start_time: new Date(Date.now() + 7.2e6).toISOString(), markets: [
  { market_type: 'moneyline', selections: ['home', 'away'].map((side, i) =>
    ({ selection: side, selection_type: side, odds_american: [130, -150][i] })) }] }] };`;
  const [start, diagnostics] = blocksOf(embedding!, 'ts').map((block) =>
    block
      .replace("'overround'", JSON.stringify(new URL('../src/index.js', import.meta.url).href))
      .replace('./data', './own'),
  ) as [string, string];
  const ends = 'await server.close();\n';
  assert.ok(start.endsWith(ends));
  const changed =
    'message.events[0].markets[0].selections[0].odds_american = 140; await server.ingest([message]); end();';
  writeFileSync(join(dir, 'own.mjs'), [head, start.slice(0, -ends.length), diagnostics, changed, ends].join('\n'));
  const embedded = await paste('node own.mjs');
  assert.match(embedded, /^http:\/\/127\.0\.0\.1:\d+ sk_live_\S+$/m);
  assert.match(embedded, /^\d{16} [1-9]\d*$/m);

  await Promise.all([...bots, placed]);
  const told = await sqlite;
  if (/needs Node 22/.test(told)) t.diagnostic('sqlite: needs Node 22');
  else assert.ok(existsSync(join(dir, 'odds.db')), told);
  assert.ok(existsSync(join(dir, 'lake')), await parquet);
  assert.ok(readdirSync(join(dir, 'lake', 'odds'), { recursive: true }).length > 0);
});

test('servers of the guides start as they say, and recordings are served and played', { skip }, async (t) => {
  const { dir, paste, runs } = await serving(t);
  const nowhere = 'http://127.0.0.1:9';
  const urls = { MY_FEED_URL: nowhere, POLYMARKET_GAMMA_URL: nowhere, KALSHI_URL: nowhere };
  const env = { ...urls, PORT: '0', WORKERS: '1' };
  const listening = /"msg":"listening"/;
  const [home] = blocksOf('docs/guides/at-home.md', 'sh') as [string];
  const [feed] = blocksOf('examples/feed-template/README.md', 'sh') as [string];
  const started = [
    runs(home, listening, env),
    runs(
      feed.replace('http://127.0.0.1:9000', nowhere),
      listening,
      { ...env, DATA_DIR: join(dir, 'template') },
      'examples/feed-template',
    ),
  ];

  const [played, simulated] = blocksOf('docs/guides/replay.md', 'sh') as [string, string];
  // Of a recording its first second.
  const recording = join(dir, 'night.ndjson.gz');
  const recorded = await paste(
    'overround record --feed sim:seed=3,books=3,events=8,rate=50,hours=1 --out night.ndjson.gz',
  );
  assert.ok(existsSync(recording), recorded);
  const lines = gunzipSync(readFileSync(recording)).toString().split('\n');
  writeFileSync(recording, gzipSync(lines.slice(0, 30).join('\n')));
  const serve = played.split('\n').find((line) => line.startsWith('overround serve'))!;
  started.push(runs(serve, listening, { ...env, DATA_DIR: '' }));
  writeFileSync(
    join(dir, 'night.csv'),
    'league,home_team,away_team,start_time,status,home_score,away_score\nnba,Boston Celtics,LA Lakers,2026-11-20T18:00:00Z,final,100,90\n',
  );
  symlinkSync(resolve('dist/examples/paper-bot.js'), join(dir, 'bot.js'));
  symlinkSync(resolve('examples/paper-bot.py'), join(dir, 'bot.py'));
  const [table, report] = simulated
    .trim()
    .split('\n')
    .map((line) => paste(line));
  assert.match(await table!, /^deposits 10000\.00, cash /m);
  assert.match(await report!, /"deposits": 10000/);
  assert.match(readFileSync(join(dir, 'report.html'), 'utf8'), /^<!doctype html>/i);
  await Promise.all(started);
});

test("the cluster's engine, front and key begin as the page says", { skip: skip || WITHOUT_NATS }, async (t) => {
  const { dir, paste, runs } = await serving(t);
  const [nats] = await startNats(t);
  const [engine, front, key] = blocksOf('docs/guides/cluster.md', 'sh')[0]!
    .trim()
    .split('\n')
    .map((line) => line.replace(/(?<=--cluster )\S+/, nats!.url));
  const env = { PORT: '0', WORKERS: '1', FEED: 'none' };
  await runs(engine!, /"msg":"listening"/, env);
  await runs(front!, /"msg":"listening"/, env);
  assert.match(await paste(key!), /"key":"sk_live_/);
  assert.ok(existsSync(join(dir, 'engine')) && existsSync(join(dir, 'front')));
});
