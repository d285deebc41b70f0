// A stranger with docs/get-started.md and nothing else gets real odds, an opportunity, a stream in a page, an alert in
// Discord and a replay, with the commands as they stand: venues, Discord and npm are local, everything else is as it is.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { BROWSER } from '../build/browser.js';
import { Receiver } from './alerts/receiver.js';
import { KalshiVenue } from './intake/feeds/kalshi/venue.js';
import { PolymarketVenue } from './intake/feeds/polymarket/venue.js';
import { freePort } from './support/free-port.js';
import { eventually } from './support/until.js';
import { newFolder } from './temp-folders.js';

const PAGE = readFileSync('docs/get-started.md', 'utf8');
const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url));
const shell = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

/** The commands of a step, as they stand. */
function step(no: number): string {
  const section = PAGE.split(/^## /m).find((text) => text.startsWith(`${no}. `))!;
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!).join('\n');
}

interface Machine {
  dir: string;
  /** Runs commands in one shell after the other, in which variables stay; returns what they print. */
  paste(text: string, until?: RegExp): Promise<string>;
  port: number;
  replayPort: number;
}

/** A folder in which npm and npx start the program, and the venues are local ones. */
async function machine(t: TestContext, env: Record<string, string>): Promise<Machine> {
  const dir = newFolder('overround-stranger-');
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  const program = `exec "${process.execPath}" "${MAIN}"`;
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\n${program} "$@"\n`, { mode: 0o755 });
  const npm = `#!/bin/sh\n[ "$1" = ci ] && exit 0\nshift 2\n${program} serve "$@"\n`;
  writeFileSync(join(bin, 'npm'), npm, { mode: 0o755 });
  const [port, replayPort] = [await freePort(), await freePort()];
  const path = [bin, join(process.execPath, '..'), process.env['PATH']].join(delimiter);
  const all = { ...env, PATH: path, HOME: dir, PORT: String(port), WORKERS: '1' };
  const running: ChildProcess[] = [];
  t.after(async () => {
    for (const child of running) {
      if (child.exitCode !== null) continue;
      // The shell and what it started.
      process.kill(-child.pid!, 'SIGTERM');
      await once(child, 'exit');
    }
  });
  const variables = join(dir, 'variables');
  writeFileSync(variables, '');
  const here = (text: string) =>
    text.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`).replaceAll('8081', String(replayPort));
  const paste = (text: string, until?: RegExp): Promise<string> => {
    const script = `. ${variables}\n${here(text)}\ndeclare -p KEY TOKEN HOOK > ${variables} 2>/dev/null`;
    if (until === undefined)
      return new Promise((resolve) =>
        execFile('bash', ['-c', script], { env: all, cwd: dir, maxBuffer: 2 ** 28 }, (_error, out, err) =>
          resolve(out + err),
        ),
      );
    const child = spawn('bash', ['-c', here(text)], { env: all, cwd: dir, detached: true });
    running.push(child);
    return new Promise((resolve, reject) => {
      let shown = '';
      const read = (bytes: Buffer): void => {
        shown += bytes.toString();
        if (until.test(shown)) resolve(shown);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.on('exit', () => reject(new Error(shown)));
    });
  };
  return { dir, paste, port, replayPort };
}

/** One game at both venues, whose over and under together cost less than they pay. */
async function venues(t: TestContext): Promise<{ env: Record<string, string>; move(): void }> {
  const polymarket = new PolymarketVenue();
  const kalshi = new KalshiVenue();
  await Promise.all([polymarket.listen(), kalshi.listen()]);
  t.after(() => Promise.all([polymarket.close(), kalshi.close()]));
  const start = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 6 * 3_600_000).toISOString();
  const { tokens } = polymarket.list({
    slug: `nba-bos-lal-${start.slice(0, 10)}`,
    series: '10345',
    start,
    title: 'Celtics vs. Lakers',
    markets: [{ kind: 'totals', outcomes: ['Over', 'Under'], line: 221.5 }],
  });
  const [over, under] = tokens[0]!;
  polymarket.set(over, 'asks', 48, 500);
  polymarket.set(under, 'asks', 55, 500);
  const strike = [{ code: '221', yes: 'Over', strike: 221.5 }];
  const [ticker] = kalshi.list('KXNBATOTAL', '26NOV22BOSLAL', 'Boston at Los Angeles L: Total', strike, start);
  kalshi.set(ticker!, 'yes', 54, 400);
  kalshi.set(ticker!, 'no', 40, 400);
  const at = (port: number) => `http://127.0.0.1:${port}`;
  const env = {
    POLYMARKET_GAMMA_URL: at(polymarket.port),
    POLYMARKET_CLOB_URL: at(polymarket.port),
    POLYMARKET_WS_URL: `ws://127.0.0.1:${polymarket.port}`,
    KALSHI_URL: at(kalshi.port),
  };
  let count = 100;
  return { env, move: () => polymarket.set(over, 'asks', 30 + (count++ % 15), 100) };
}

test('a stranger gets odds, an opportunity, a page, an alert and a replay', {
  skip: !shell && 'bash or curl is missing',
}, async (t) => {
  const discord = new Receiver();
  const bodies: string[] = [];
  discord.onBody = (text) => void bodies.push(text);
  await discord.listen();
  t.after(() => discord.stop());
  const { env, move } = await venues(t);
  const { dir, paste, replayPort } = await machine(t, {
    ...env,
    ALERT_HOSTS: new URL(discord.url).host,
  });

  const [start, ask] = step(1).split(/\n(?=KEY=)/);
  await paste(start!, /"msg":"listening"/);
  let rows = await paste(ask!);
  await eventually(async () => {
    rows = await paste(ask!.replace(/^KEY=.*$/m, ''));
    assert.match(rows, /"sportsbook":"(?:kalshi|polymarket)"/);
  });

  const [lowHold, arbitrage] = step(2).trim().split('\n');
  await eventually(async () => assert.match(await paste(arbitrage!), /"data":\[\{.*"legs":\[/));
  assert.match(await paste(lowHold!), /^\{"success":true,"data":\[/);

  await t.test('the page shows prices', { skip: BROWSER === undefined && 'needs chromium' }, async () => {
    await paste(step(3));
    const browser = await chromium.launch({ executablePath: BROWSER!, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      await page.goto(`file://${join(dir, 'page.html')}`);
      await page.waitForSelector('#prices li');
      assert.match((await page.textContent('#prices'))!, /(?:Over|Under) \d\.\d+ at (?:kalshi|polymarket)/);
      assert.match((await page.textContent('#state'))!, /^[1-9]\d* prices$/);
    } finally {
      await browser.close();
    }
  });

  // The message for now: prices; the arbitrage began before the rule.
  const alert = step(4).replace(/^HOOK=.*$/m, `HOOK=${discord.url}`);
  assert.match(await paste(alert), /"id":.*"secret":/);
  const other = /`("channel": "odds"[^`]*)`/.exec(PAGE)![1]!.replaceAll('"', '\\"').replace('60', '0');
  assert.match(await paste(alert.replace(/\\"channel\\".*\\"min_profit\\": 0/, other)), /"id":.*"secret":/);

  await eventually(() => {
    move();
    assert.match(bodies.join('\n'), /"(?:content|embeds)":.*(?:Over|Lakers)/);
  });

  const [exported, replay] = step(5).trim().split('\n');
  await eventually(async () => {
    const said = await paste(exported!);
    assert.ok(existsSync(join(dir, 'night.ndjson')), said);
    assert.ok(readFileSync(join(dir, 'night.ndjson'), 'utf8').split('\n').length > 4);
  });
  const shown = await paste(replay!, /sk_\w+_[\w-]+[\s\S]*"msg":"listening"|"msg":"listening"[\s\S]*sk_\w+_[\w-]+/);
  const key = /sk_(?:live|test)_[\w-]+/.exec(shown)![0];
  await eventually(async () => {
    const answer = await paste(`curl -s -H 'X-API-Key: ${key}' http://127.0.0.1:${replayPort}/api/v1/odds?limit=1`);
    assert.match(answer, /"market_type":"total_points"/);
  });
});
