// The commands of docs/guides/worth-it.md as they stand: over the simulated market, and over a recorded season of which a
// second reading of the source knows every result.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { loadCatalogue } from '../src/catalogue/load.js';
import type { ClvGroup } from '../src/clv/summary.js';
import { SimMarket } from '../src/feeds/sim/market.js';
import { eventually } from './support/until.js';
import { newFolder } from './temp-folders.js';

const PAGE = readFileSync('docs/guides/worth-it.md', 'utf8');
const [RECORD, RESULTS, GRADE, LUCK, SERVE, ASK] = [...PAGE.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
  ([, block]) => block!,
) as [string, string, string, string, string, string];
const SEASON = resolve(process.cwd(), '../shared/data/soccer/2025-26_E0.csv');
const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url));
const tools = ['bash', 'curl', 'gzip', 'grep', 'sed'];
const missing = tools.find((tool) => spawnSync(tool, ['--version']).status !== 0);
const skip = missing === undefined ? false : `${missing} is missing`;
const HOUR_MS = 3_600_000;
/** How many games of the season are graded: the first half. */
const GAMES = 190;
const catalogue = loadCatalogue();

/** A folder in which `overround` is the program. */
function machine() {
  const dir = newFolder('overround-worth-');
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  const shim = `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`;
  writeFileSync(join(bin, 'overround'), shim, { mode: 0o755 });
  const path = [bin, join(process.execPath, '..'), process.env['PATH']].join(delimiter);
  const options = { cwd: dir, env: { PATH: path, HOME: dir }, maxBuffer: 2 ** 28 };
  const paste = (text: string, env: Record<string, string> = {}) =>
    new Promise<string>((done) =>
      execFile('bash', ['-c', text], { ...options, env: { ...options.env, ...env } }, (_error, out, err) =>
        done(out + err),
      ),
    );
  return { dir, options, paste };
}

/** Looked at for some seconds twice an hour, for half a day: what a recorder brings home in that time. */
function simulatedSeason(): Buffer {
  const begin = Date.parse('2026-11-20T16:00:00Z');
  const market = new SimMarket({ seed: 5, books: 8, events: 12, rate: 40, depth: 0 }, catalogue, begin);
  const lines: string[] = [];
  for (let look = begin; look < begin + 12 * HOUR_MS; look += HOUR_MS / 2)
    for (let at = look; at <= look + 8_000; at += 1_000)
      for (const message of market.step(at)) lines.push(JSON.stringify({ simulated: true, ...message }));
  return gzipSync(`${lines.join('\n')}\n`, { level: 1 });
}

function groupsIn(dir: string): ClvGroup[] {
  return (JSON.parse(readFileSync(join(dir, 'worth.json'), 'utf8')) as { groups: ClvGroup[] }).groups;
}

const sum = (groups: readonly ClvGroup[], field: 'total_settled' | 'total_graded' | 'total_predictions') =>
  groups.reduce((all, group) => all + group[field], 0);

/** What runs until it is told to end, started by a pasted command, in a group of its own with the shell. */
function running(t: TestContext, text: string, options: ReturnType<typeof machine>['options']) {
  const child: ChildProcess = spawn('bash', ['-c', text], { ...options, detached: true });
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid!, 'SIGTERM');
    await once(child, 'exit');
  });
  let shown = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (bytes: Buffer) => (shown += bytes));
  return { child, output: () => shown };
}

test('a simulated season is recorded, graded and asked for with the commands of the page', { skip }, async (t) => {
  const { dir, options, paste } = machine();
  const file = join(dir, 'season.ndjson.gz');
  const recording = running(t, RECORD, options);
  await eventually(() => assert.ok(existsSync(file) && statSync(file).size > 0, recording.output()), 60_000);
  // As Ctrl-C does.
  process.kill(-recording.child.pid!, 'SIGINT');
  await once(recording.child, 'close');
  assert.match(recording.output(), /recorded [1-9]\d* messages/);
  const [first] = gunzipSync(readFileSync(file)).toString().split('\n');
  assert.equal((JSON.parse(first!) as { simulated: boolean }).simulated, true);
  // Games take hours.
  writeFileSync(file, simulatedSeason());
  assert.equal(await paste(RESULTS), '');
  await paste(GRADE);
  const groups = groupsIn(dir);
  assert.ok(sum(groups, 'total_settled') > 10 && sum(groups, 'total_graded') > 10, JSON.stringify(groups));
  const lines = (await paste(LUCK)).trim().split('\n');
  const settled = groups.filter(({ total_settled }) => total_settled > 0);
  assert.deepEqual(
    lines,
    settled.map(
      ({ group_key, total_settled, roi_percent, expected_roi_percent }) =>
        `${group_key}: ${total_settled} bets, ROI ${roi_percent} % ± ${(100 / Math.sqrt(total_settled)).toFixed(1)}, expected ${expected_roi_percent} %`,
    ),
  );

  const { output } = running(t, SERVE.replace('8081', '0'), options);
  await eventually(() => assert.match(output(), /"msg":"listening"/), 60_000);
  const port = /"msg":"listening".*"port":(\d+)/.exec(output())![1]!;
  const KEY = /sk_(?:live|test)_[\w-]+/.exec(output())![0];
  const ask = () => paste(ASK.replaceAll('8081', port), { KEY });
  await eventually(async () => {
    const [clv, predictions] = (await ask()).split(/(?<=\})(?=\{"success")/).map((text) => JSON.parse(text));
    const served = clv.data.groups as ClvGroup[];
    assert.equal(sum(served, 'total_settled'), sum(groups, 'total_settled'));
    assert.ok(predictions.data.length > 0 && predictions.data[0].result !== undefined, JSON.stringify(predictions));
  }, 60_000);
});

const COLUMNS = {
  B365: 'bet365',
  BFD: 'betfred',
  BMGM: 'betmgm',
  BV: 'betvictor',
  BW: 'bwin',
  CL: 'coral',
  PS: 'pinnacle',
};

/** Prices of the day before and at the close, and the results, as files of a recorder and of a source of results. */
function recordedSeason(dir: string): Record<string, string>[] {
  const season = parse(readFileSync(SEASON), { columns: true, bom: true, skip_empty_lines: true }) as Record<
    string,
    string
  >[];
  const rows = season.slice(0, GAMES);
  const polls: { polled_at: string }[] = [];
  const results = ['league,home_team,away_team,start_time,status,home_score,away_score,at'];
  for (const row of rows) {
    const [day, month, year] = row['Date']!.split('/');
    const startMs = Date.parse(`${year}-${month}-${day}T${row['Time']}:00Z`);
    const [home_team, away_team] = [row['HomeTeam']!, row['AwayTeam']!];
    const start_time = new Date(startMs).toISOString();
    for (const [before, close] of [
      [24 * HOUR_MS, ''],
      [HOUR_MS / 6, 'C'],
    ] as const)
      for (const [column, book] of Object.entries(COLUMNS)) {
        const prices = ['H', 'D', 'A'].map((side) => row[`${column}${close}${side}`]!);
        if (prices.includes('')) continue;
        const selections = ['home', 'draw', 'away'].map((side, i) => ({
          selection: side,
          selection_type: side,
          odds_decimal: Number(prices[i]),
        }));
        const markets = [{ market_type: 'moneyline_3way', selections }];
        const events = [{ league: 'epl', home_team, away_team, start_time, markets }];
        polls.push({ book, polled_at: new Date(startMs - before).toISOString(), scope: 'event', events } as never);
      }
    const at = new Date(startMs + 3 * HOUR_MS).toISOString();
    results.push(['epl', home_team, away_team, start_time, 'final', row['FTHG'], row['FTAG'], at].join(','));
  }
  polls.sort((a, b) => (a.polled_at < b.polled_at ? -1 : 1));
  writeFileSync(join(dir, 'season.ndjson.gz'), gzipSync(polls.map((poll) => `${JSON.stringify(poll)}\n`).join('')));
  writeFileSync(join(dir, 'results.csv'), `${results.join('\n')}\n`);
  return rows;
}

interface Detected {
  event_id: string;
  home_team: string;
  start_time: string;
  selection: string;
  sportsbook: string;
  odds_decimal: number;
}

test('a recorded season is graded with the same commands as its source says', {
  skip: skip || (existsSync(SEASON) ? false : 'the recorded season is not here'),
}, async () => {
  const { dir, paste } = machine();
  const rows = recordedSeason(dir);
  await paste(GRADE.replace('results.ndjson', 'results.csv').replace('edge', 'sportsbook'));
  const groups = groupsIn(dir);
  // What was detected, each price once at its first, and the winner by the source's own letter.
  await paste('overround backtest season.ndjson.gz --min-ev 0 --out found.ndjson');
  const winners = new Map(
    rows.map((row) => {
      const { name } = catalogue.resolveTeam('epl', row['HomeTeam']!);
      return [`${name} ${row['Date']!.split('/').reverse().join('-')}`, row['FTR']!];
    }),
  );
  const profits = new Map<string, Map<string, number>>();
  for (const line of readFileSync(join(dir, 'found.ndjson'), 'utf8').trim().split('\n')) {
    const { type, data } = JSON.parse(line) as { type: string; data: Detected };
    if (type !== 'ev:detected') continue;
    const of = profits.get(data.sportsbook) ?? new Map<string, number>();
    profits.set(data.sportsbook, of);
    const key = `${data.event_id} ${data.selection}`;
    if (of.has(key)) continue;
    const winner = winners.get(`${data.home_team} ${data.start_time.slice(0, 10)}`)!;
    const side = data.selection === 'Draw' ? 'D' : data.selection === data.home_team ? 'H' : 'A';
    of.set(key, side === winner ? data.odds_decimal - 1 : -1);
  }
  const rounded = (value: number) => Math.round(value * 1e4) / 1e4;
  const wanted = [...profits].map(([book, of]) => {
    const ended = [...of.values()];
    const won = ended.filter((profit) => profit > 0).length;
    const roi = (100 * ended.reduce((all, profit) => all + profit, 0)) / ended.length;
    return [book, ended.length, rounded(won / ended.length), rounded(roi)];
  });
  const said = groups.map(({ group_key, total_settled, win_rate, roi_percent }) => [
    group_key,
    total_settled,
    win_rate,
    roi_percent,
  ]);
  assert.deepEqual(said.sort(), wanted.sort());
  assert.ok(sum(groups, 'total_settled') > 100, JSON.stringify(said));
});
