// The commands of docs/guides/season.md as they stand, over a season of that shape that is made here; and over a recorded
// one, graded as its own columns say.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { loadCatalogue } from '../src/rules/catalogue/load.js';
import type { ClvGroup } from '../src/schema/clv.js';
import { blocksOf } from './support/page-blocks.js';
import { eventually } from './support/until.js';
import { newFolder } from './temp-folders.js';

const [IMPORT, FIND, GRADE, SERVE] = blocksOf('docs/guides/season.md', 'sh') as [string, string, string, string];
const SEASON = resolve(process.cwd(), '../shared/data/soccer/2025-26_E0.csv');
const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url));
const missing = ['bash'].find((tool) => spawnSync(tool, ['--version']).status !== 0);
const skip = missing === undefined ? false : `${missing} is missing`;
const catalogue = loadCatalogue();

/** A folder in which `overround` is the program. */
function machine() {
  const dir = newFolder('overround-season-');
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  const shim = `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`;
  writeFileSync(join(bin, 'overround'), shim, { mode: 0o755 });
  const path = [bin, join(process.execPath, '..'), process.env['PATH']].join(delimiter);
  const options = { cwd: dir, env: { PATH: path, HOME: dir }, maxBuffer: 2 ** 28 };
  const paste = (text: string) =>
    new Promise<string>((done) => execFile('bash', ['-c', text], options, (_error, out, err) => done(out + err)));
  return { dir, options, paste };
}

/** What runs until the test is over, in a group of its own with the shell. */
function running(t: TestContext, text: string, options: ReturnType<typeof machine>['options']) {
  const child: ChildProcess = spawn('bash', ['-c', text], { ...options, detached: true });
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid!, 'SIGTERM');
    await once(child, 'exit');
  });
  let shown = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (bytes: Buffer) => (shown += bytes));
  return () => shown;
}

const BOOKS = ['B365', 'BW', 'PS', 'WH'];
const DAY_MS = 86_400_000;

/** Ten teams, each against each, at prices around chances that differ; bookmakers err by a little. */
function madeSeason(): string {
  const teams = ['Arsenal', 'Chelsea', 'Liverpool', 'Man City', 'Tottenham', 'Everton', 'Fulham', 'Brentford'];
  let seed = 7;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const sides = ['H', 'D', 'A'];
  const columns = ['', 'C'].flatMap((close) => BOOKS.flatMap((book) => sides.map((side) => book + close + side)));
  const rows = [`Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HTHG,HTAG,${columns.join(',')},MaxH,MaxD,MaxA`];
  let day = Date.parse('2025-08-16T00:00:00Z');
  for (const home of teams)
    for (const away of teams) {
      if (home === away) continue;
      const chances = [0.3 + random() * 0.3, 0.22, 0] as [number, number, number];
      chances[2] = 1 - chances[0] - chances[1];
      const prices = columns.map((name) => {
        const chance = chances[sides.indexOf(name.at(-1)!)]!;
        return (1 / (chance * (1.03 + (random() - 0.5) * 0.12))).toFixed(2);
      });
      const won = random();
      const score = won < chances[0] ? '2,1,H,1,0' : won < chances[0] + chances[1] ? '1,1,D,0,1' : '0,2,A,0,1';
      const [year, month, date] = new Date(day).toISOString().slice(0, 10).split('-');
      rows.push(`E0,${date}/${month}/${year},15:00,${home},${away},${score},${prices.join(',')},9,9,9`);
      day += 3 * DAY_MS;
    }
  return rows.join('\r\n');
}

function groupsIn(dir: string): ClvGroup[] {
  return (JSON.parse(readFileSync(join(dir, 'worth.json'), 'utf8')) as { groups: ClvGroup[] }).groups;
}

test('a season as it was downloaded is imported, graded and looked at with the commands of the page', {
  skip,
}, async (t) => {
  const { dir, options, paste } = machine();
  writeFileSync(join(dir, 'E0.csv'), madeSeason());
  const said = await paste(IMPORT);
  assert.match(
    said,
    /^1 file, 56 rows: 1,344 prices of 56 games in season\.ndjson\.gz, 56 results in results\.ndjson\n/,
  );
  assert.match(said, /left out: 168 Max, Avg and Bb… are nobody's prices \(first: E0\.csv:2\)\n/);
  assert.doesNotMatch(said, /unknown/);
  const times = gunzipSync(readFileSync(join(dir, 'season.ndjson.gz')))
    .toString()
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { polled_at: string }).polled_at);
  assert.deepEqual(times, [...times].sort());
  assert.match(await paste(FIND), /\nev +[1-9]/);
  const graded = await paste(GRADE);
  const settled = groupsIn(dir).filter(({ total_settled }) => total_settled > 0);
  assert.ok(settled.length > 1 && settled.some(({ total_graded }) => total_graded > 0), JSON.stringify(settled));
  for (const { group_key, total_settled, roi_percent } of settled)
    assert.match(
      graded,
      new RegExp(`\\n${group_key} .* ${total_settled} .* ${roi_percent!.toFixed(2)} +\\d+\\.\\d\\d `),
    );
  // The files as they are say the same of their bets; the last game has closed by then, too.
  await paste(GRADE.replace('season.ndjson.gz', 'E0.csv').replace('--results results.ndjson', ''));
  const betsOf = (groups: readonly ClvGroup[]) =>
    groups.map(({ group_key, total_settled, roi_percent }) => [group_key, total_settled, roi_percent]);
  assert.deepEqual(betsOf(groupsIn(dir).filter(({ total_settled }) => total_settled > 0)), betsOf(settled));
  const output = running(t, SERVE.replace('8081', '0'), options);
  await eventually(() => assert.match(output(), /"msg":"listening"/), 60_000);
  const port = /"msg":"listening".*"port":(\d+)/.exec(output())![1]!;
  const KEY = /sk_(?:live|test)_[\w-]+/.exec(output())![0];
  await eventually(async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/results?status=final&limit=100`, {
      headers: { 'X-API-Key': KEY },
    });
    // Those of the last days: what is older has left the table.
    assert.ok(((await answer.json()) as { data: unknown[] }).data.length > 0);
  }, 60_000);
});

interface Detected {
  event_id: string;
  home_team: string;
  start_time: string;
  market_type: string;
  selection: string;
  sportsbook: string;
  odds_decimal: number;
  ev_percentage: number;
}

/** Stakes won per stake by the columns of the source: a winner of the game by its letter, a total by its goals. */
function profitOf({ market_type, selection, home_team, odds_decimal: odds }: Detected, row: Record<string, string>) {
  if (market_type === 'total_goals') {
    const isOver = Number(row['FTHG']) + Number(row['FTAG']) > 2.5;
    return selection.startsWith('Over') === isOver ? odds - 1 : -1;
  }
  const side = selection === 'Draw' ? 'D' : selection === home_team ? 'H' : 'A';
  return side === row['FTR'] ? odds - 1 : -1;
}

test('a recorded season is imported whole and graded as its own columns say', {
  skip: skip || (existsSync(SEASON) ? false : 'the recorded season is not here'),
}, async () => {
  const { dir, paste } = machine();
  const rows = parse(readFileSync(SEASON), { columns: true, bom: true, skip_empty_lines: true }) as Record<
    string,
    string
  >[];
  const said = JSON.parse(
    await paste(`overround import ${SEASON} --out season.ndjson.gz --results results.ndjson --json`),
  ) as { rows: number; games: number; results: number; left_out: unknown[]; unknown: Record<string, unknown[]> };
  assert.deepEqual([said.rows, said.games, said.results], [rows.length, rows.length, rows.length]);
  assert.equal(said.left_out.length, 1, JSON.stringify(said.left_out));
  assert.deepEqual(Object.values(said.unknown).flat(), []);
  for (const [market, least] of [
    ['moneyline', 50],
    ['total_goals', 20],
  ] as const) {
    const lines = gunzipSync(readFileSync(join(dir, 'season.ndjson.gz')))
      .toString()
      .trim()
      .split('\n');
    const narrowed = lines.map((line) => {
      const message = JSON.parse(line) as { events: { markets: { market_type: string }[] }[] };
      for (const event of message.events)
        event.markets = event.markets.filter(({ market_type }) => market_type === market);
      return JSON.stringify(message);
    });
    writeFileSync(join(dir, 'one.ndjson'), narrowed.join('\n'));
    // The columns know of no commission.
    const free = '--commission betfair=0';
    await paste(GRADE.replace('season.ndjson.gz', `one.ndjson ${free}`));
    await paste(`overround backtest one.ndjson --min-ev 0 --out found.ndjson ${free}`);
    const rowOf = new Map(
      rows.map((row) => {
        const { name } = catalogue.resolveTeam('epl', row['HomeTeam']!);
        return [`${name} ${row['Date']!.split('/').reverse().join('-')}`, row];
      }),
    );
    const profits = new Map<string, Map<string, number>>();
    for (const line of readFileSync(join(dir, 'found.ndjson'), 'utf8').trim().split('\n')) {
      const { type, data } = JSON.parse(line) as { type: string; data: Detected };
      if (type !== 'ev:detected' || data.ev_percentage <= 0) continue;
      const of = profits.get(data.sportsbook) ?? new Map<string, number>();
      profits.set(data.sportsbook, of);
      const key = `${data.event_id} ${data.selection}`;
      // Each price once, at its first.
      if (!of.has(key)) of.set(key, profitOf(data, rowOf.get(`${data.home_team} ${data.start_time.slice(0, 10)}`)!));
    }
    const rounded = (value: number) => Math.round(value * 1e4) / 1e4;
    const wanted = [...profits].map(([book, of]) => {
      const ended = [...of.values()];
      const won = ended.filter((profit) => profit > 0).length;
      const roi = (100 * ended.reduce((all, profit) => all + profit, 0)) / ended.length;
      return [book, ended.length, rounded(won / ended.length), rounded(roi)];
    });
    const graded = groupsIn(dir).map(({ group_key, total_settled, win_rate, roi_percent }) => [
      group_key,
      total_settled,
      win_rate,
      roi_percent,
    ]);
    assert.deepEqual(graded.sort(), wanted.sort(), market);
    const settled = groupsIn(dir).reduce((all, { total_settled }) => all + total_settled, 0);
    assert.ok(settled > least, `${settled} ${market}`);
  }
});

test('a year of tennis is imported and graded with the commands of its page', { skip }, async () => {
  const { dir, paste } = machine();
  const [year, grade, surebets] = blocksOf('docs/guides/tennis.md', 'sh') as [string, string, string];
  const head = 'ATP,Location,Tournament,Date,Surface,Round,Best of,Winner,Loser,W1,L1,W2,L2,Wsets,Lsets,Comment';
  const rows = Array.from({ length: 40 }, (_, i) => {
    const day = new Date(Date.parse('2024-01-01') + i * DAY_MS).toISOString().slice(0, 10);
    const [won, lost] = i % 2 === 0 ? ['Young A.', 'Adams B.'] : ['Adams B.', 'Young A.'];
    const end = i % 10 === 9 ? '6,4,2,1,1,0,Retired' : '6,4,6,4,2,0,Completed';
    const match = `1,Paris,Paris,${day.split('-').reverse().join('/')},Clay,Final,3,${won},${lost},${end}`;
    return `${match},1.5,2.7,1.5,2.7,1.5,2.7,${i % 4 === 0 ? '1.75,2.1' : '1.48,2.65'}`;
  });
  writeFileSync(join(dir, '2024.csv'), [`${head},B365W,B365L,PSW,PSL,LBW,LBL,UBW,UBL`, ...rows].join('\n'));
  assert.match(await paste(year.replace('.xlsx', '.csv')), /^1 file, 40 rows: 320 prices of 40 games .*, 40 results/);
  await paste(grade);
  const [unibet, ...others] = groupsIn(dir).filter(({ total_settled }) => total_settled > 0);
  assert.deepEqual([unibet?.group_key, unibet?.total_settled, unibet?.win_rate, others], ['unibet', 10, 1, []]);
  assert.match(await paste(surebets), /\narbitrage +[1-9]/);
});
