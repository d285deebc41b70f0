// A large file: imported as a stream, whose memory does not grow with it, with a progress bar where a terminal is.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../temp-folders.js';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));
const ROWS = 360_000;
const RESIDENT_MAX = 300 * 1024;
const TEAMS = ['Arsenal', 'Chelsea', 'Everton', 'Fulham', 'Liverpool', 'Brentford', 'Leeds', 'Burnley'];
const BOOKS = ['pinnacle', 'bet365', 'betmgm', 'draftkings'];

/** Three prices of a book and minute behind each other, as exports of odds have them. */
function* table(): Generator<string> {
  yield 'at,sportsbook,league,home_team,away_team,event_start_time,market_type,selection_type,odds_decimal\n';
  const firstMs = Date.parse('2025-08-01T00:00:00Z');
  for (let poll = 0; poll * 3 < ROWS; poll++) {
    const game = Math.floor(poll / 400);
    const at = new Date(firstMs + poll * 30_000).toISOString();
    const start = new Date(firstMs + (game + 2) * 400 * 30_000).toISOString();
    const home = game % TEAMS.length;
    const teams = `${TEAMS[home]},${TEAMS[(home + 1 + (game % 7)) % TEAMS.length]}`;
    const before = `${at},${BOOKS[poll % BOOKS.length]},epl,${teams},${start},moneyline`;
    const price = (1.5 + (poll % 300) / 100).toFixed(2);
    yield `${before},home,${price}\n${before},draw,3.4\n${before},away,2.9\n`;
  }
}

/** The most memory that the process ever had resident, in KiB, asked until it ends. */
async function peakOf(child: ChildProcess): Promise<number> {
  let peak = 0;
  const ask = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0));
    } catch {
      // It has ended.
    }
  }, 50);
  await once(child, 'close');
  clearInterval(ask);
  return peak;
}

const skip = process.platform !== 'linux' && 'the kernel tells the peak of a process on Linux alone';

test('a file of hundreds of thousands of prices is imported in less than 300 MB', { skip }, async () => {
  const folder = newFolder('overround-large-import-');
  const prices = join(folder, 'prices.csv');
  await pipeline(Readable.from(table()), createWriteStream(prices));
  const child = spawn(process.execPath, [MAIN, 'import', prices, '--out', join(folder, 'out.ndjson.gz'), '--json']);
  let shown = '';
  child.stdout.on('data', (bytes: Buffer) => {
    shown += bytes;
  });
  const peak = await peakOf(child);
  assert.equal(JSON.parse(shown).prices, ROWS);
  assert.ok(peak > 0 && peak < RESIDENT_MAX, `${Math.round(peak / 1024)} MB`);
});

const noScript = spawnSync('script', ['--version']).status !== 0 && 'script, which makes a terminal, is missing';

test('on a terminal a progress bar is drawn, and none elsewhere', { skip: noScript }, async () => {
  const folder = newFolder('overround-import-bar-');
  const prices = join(folder, 'prices.csv');
  let rows = 0;
  const some = function* (): Generator<string> {
    for (const text of table()) if (rows++ < 5_000) yield text;
  };
  await pipeline(Readable.from(some()), createWriteStream(prices));
  const command = [process.execPath, MAIN, 'import', prices, '--out', join(folder, 'out.ndjson')];
  const onTerminal = spawnSync('script', ['-qec', command.map((part) => `'${part}'`).join(' '), '/dev/null']);
  assert.match(onTerminal.stdout.toString(), /\d+ % \| .* left/);
  const piped = spawnSync(command[0]!, command.slice(1));
  assert.deepEqual([piped.status, piped.stderr.toString()], [0, '']);
});
