// The shell commands in the README, the documents and the banner run beside a server with the simulated feed: each must
// do what the text says. Takes a few seconds because of processes and streams.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startBanner } from '../src/cli/banner.js';
import { simFeed } from '../src/intake/feeds/sim/feed.js';
import { simOptions } from '../src/intake/feeds/sim/options.js';
import type { Server } from '../src/server/server.js';
import { boot } from './support/server.js';
import { eventually } from './support/until.js';
import { newFolder } from './temp-folders.js';
import { catalogue } from './writer/shard/rig.js';

const PAGES = ['README.md', 'docs/guides/feeds-and-ingest.md', 'docs/reference/mcp.md'];
/** The shell's blocks of a page. */
function blocksOf(page: string): string[] {
  return [...readFileSync(page, 'utf8').matchAll(/^```(?:ba)?sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
}

const README = PAGES.map((page) => readFileSync(page, 'utf8')).join('\n');
const ADDRESS = '127.0.0.1:8080';
const shell = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);
const skip = shell ? false : 'bash or curl is missing';

/** The block of this language that holds the text. */
function snippet(language: string, text: string): string {
  const blocks = [...README.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block]) => block!,
  );
  const found = blocks.filter((block) => block.includes(text));
  assert.equal(found.length, 1, `blocks of ${language} with ${text}`);
  return found[0]!;
}

interface Beside {
  port: number;
  server: Server;
  dir: string;
  /** Runs a pasted command; returns its output. Streams are cut after two seconds. */
  paste(text: string, env?: Record<string, string>): Promise<string>;
}

async function serving(t: TestContext): Promise<Beside> {
  const dir = newFolder('overround-readme-');
  const data = join(dir, 'data');
  const feeds = [simFeed(simOptions({ seed: 7, books: 4, events: 30, rate: 50 }), catalogue)];
  const { server, port } = await boot(t, { data, feeds, settings: { history: '30' } });
  const headers = { 'x-api-key': server.accounts.testKeys().at(-1)!.key };
  const rows = async () =>
    (await fetch(`http://127.0.0.1:${port}/api/v1/odds/best?sport=basketball`, { headers })).text();
  for (let tries = 0; !(await rows()).includes('"best_book"'); tries++) {
    assert.ok(tries < 200, 'the simulated feed brings nothing');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // In a clone npx starts the program itself; and streams must end.
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  const main = fileURLToPath(new URL('../src/main.js', import.meta.url));
  const program = `exec "${process.execPath}" "${main}" "$@"\n`;
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\n${program}`, { mode: 0o755 });
  writeFileSync(join(bin, 'overround'), `#!/bin/sh\n${program}`, { mode: 0o755 });
  writeFileSync(join(dir, '.curlrc'), 'max-time = 4\n');
  const paste = (text: string, env: Record<string, string> = {}) =>
    new Promise<string>((resolve) => {
      const path = [bin, join(process.execPath, '..'), process.env['PATH']].join(delimiter);
      const options = {
        cwd: dir,
        env: { ...env, PATH: path, DATA_DIR: data, CURL_HOME: dir, HOME: dir },
        maxBuffer: 2 ** 28,
      };
      execFile('bash', ['-c', text.replaceAll(ADDRESS, `127.0.0.1:${port}`)], options, (_error, out, err) =>
        resolve(out + err),
      );
    });
  return { port, server, dir, paste };
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
  const client = JSON.stringify(new URL('../src/client/client.js', import.meta.url).href);
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
    const blocks = blocksOf(`docs/guides/${page}.md`);
    assert.ok(blocks.length > 0, page);
    for (const block of blocks) assert.match(await paste(block, { KEY, OTHER }), /^\{"success":true,"data":/, block);
  }
});

test('history is exported, asked and backtested, and a whole copy made, as the pages say', { skip }, async (t) => {
  const { port, server, dir, paste } = await serving(t);
  const scopes: ('read' | 'backup')[] = ['read', 'backup'];
  const { key: KEY } = await server.accounts.create({ tier: 'enterprise', scopes });
  const [at, backtests, exports] = blocksOf('docs/reference/history.md');
  const moment = new Date().toISOString();
  assert.match(await paste(at!.replace(/at=\S+Z/, `at=${moment}`), { KEY }), /^\{"success":true,"data":\[/);
  const exported = await paste(exports!);
  for (const name of ['history.parquet', 'nba.csv', 'history.csv.gz']) assert.ok(existsSync(join(dir, name)), exported);
  // History is written every five seconds.
  await eventually(async () => {
    await paste('overround export --data ./data --out - --format ndjson | gzip > polls.ndjson.gz');
    assert.ok(statSync(join(dir, 'polls.ndjson.gz')).size > 1_000);
  }, 30_000);
  assert.match(await paste(backtests!), /"groups": \[[\s\S]*"groups": \[/);
  const [here, there] = blocksOf('docs/guides/backup-and-upgrade.md');
  const local = here!.replace('/var/lib/overround', './data').replace('/var/backups/', './beside-');
  assert.match(await paste(local), /^\{"out":".*","position":\d+,"bytes":\d+\}$/m);
  const remote = there!.replace('https://odds.example.com', `http://127.0.0.1:${port}`);
  assert.match(await paste(remote, { KEY }), /^\{"out":".*","position":\d+,"bytes":\d+\}$/m);
  const stream = await paste(blocksOf('docs/reference/streams.md')[0]!, { KEY });
  assert.match(stream, /^event: connected$/m);
});

test('the programs in the pages run as they stand', { skip }, async (t) => {
  const { port, server, dir, paste } = await serving(t);
  const KEY = server.accounts.testKeys().at(-1)!.key;
  const clientUrl = JSON.stringify(new URL('../src/client/client.js', import.meta.url).href);
  const wsUrl = JSON.stringify(import.meta.resolve('ws'));
  const run = async (name: string, head: string, page: string, language: string, tail: string): Promise<string> => {
    const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(readFileSync(page, 'utf8'))![1]!;
    const text = block.replace("'overround/client'", clientUrl).replace(ADDRESS, `127.0.0.1:${port}`);
    writeFileSync(join(dir, name), `${head}\n${text}\n${tail}\n`);
    return await paste(`node ${join(dir, name)}`, { KEY });
  };
  const bot = await run('bot.mjs', '', 'docs/guides/bot.md', 'ts', "console.log('ready'); stream.close();");
  assert.match(bot, /^ready$/m);
  // Node 20 has no WebSocket of its own.
  const head = `import ws from ${wsUrl}; globalThis.WebSocket ??= ws; const token = process.env.KEY;`;
  const tail = 'connect(); setTimeout(() => { console.log(rows.size > 0, position > 0); process.exit(); }, 2_500);';
  const rows = await run('socket.mjs', head, 'docs/reference/streams.md', 'js', tail);
  assert.match(rows, /^true true$/m);
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
