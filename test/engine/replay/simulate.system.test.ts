import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { type SimulateFlags, simulate } from '../../../src/cli/simulate.js';
import { reportTable, type SimulationReport } from '../../../src/cli/simulation-report.js';
import type { FlagValues } from '../../../src/config/config.js';
import { recording } from '../../intake/feeds/replay/recordings.js';
import { newFolder } from '../../temp-folders.js';
import { at, wandering } from './recordings.js';

/** A bot: backs every price that a stream of +EV shows, once. */
const BOT = `
import { OverroundClient } from '${resolve('dist/src/client/client.js')}';
const client = new OverroundClient({ url: process.env.OVERROUND_URL, apiKey: process.env.OVERROUND_KEY });
const bet = (item) => ({ client_id: item.odds_id, odds_id: item.odds_id, stake: 20, odds_american: item.odds_american, mode: 'paper' });
`;
const STREAMING = `${BOT}
process.on('SIGTERM', () => process.exit(0));
const seen = new Set();
const onEvent = ({ type, channel, items }) => {
  if (type !== 'detected' || channel !== 'ev') return;
  const fresh = items.filter((item) => !seen.has(item.odds_id));
  for (const item of fresh) seen.add(item.odds_id);
  if (fresh.length > 0) client.placeBets(fresh.map(bet)).catch((error) => console.log(error.message));
};
client.stream('opportunities', { min_ev: 0.5 }, { onEvent });
`;
const STEPPING = `${BOT}
for (let s = 25; s <= 200; s += 25) {
  await client.replay({ action: 'step', until: new Date(Date.parse('${at(0)}') + s * 1000).toISOString() });
  const { data } = await client.opportunities('ev', { min_ev: 0.5 });
  if (data.length > 0) await client.placeBets(data.map((item) => ({ ...bet(item), client_id: s + item.odds_id })));
}
console.log('done');
process.exitCode = 3;
`;

function finals(): string {
  const games = [
    ['Boston Celtics', 'Los Angeles Lakers', 20_000],
    ['Miami Heat', 'Chicago Bulls', 20_000],
    ['Denver Nuggets', 'Utah Jazz', 100],
  ] as const;
  const lines = games.map(([home_team, away_team, s], i) => ({
    league: 'nba',
    home_team,
    away_team,
    start_time: at(s),
    status: 'final',
    home_score: 110 + i,
    away_score: 108,
    at: at(30_000),
    source: 'desk',
  }));
  return recording(lines, 'results.ndjson');
}

interface Given {
  settings?: FlagValues;
  env?: Record<string, string>;
}

async function run(program: string, flags: Partial<SimulateFlags>, file = wandering(7, 200), given: Given = {}) {
  const script = join(newFolder('overround-'), 'bot.mjs');
  writeFileSync(script, program);
  let [text, said] = ['', ''];
  const context = {
    env: { PATH: process.env['PATH'], ...given.env },
    version: '0',
    out: (more: string) => {
      text += more;
    },
    err: (more: string) => {
      said += more;
    },
    onSignal: () => undefined,
  };
  const all = { bankroll: 5_000, results: finals(), json: true as const, ...flags };
  const code = await simulate(file, [process.execPath, script], all, given.settings ?? {}, context);
  return { code, text, said };
}

test('a bot that streams is run to the end of the recording, and its bets are filled, graded and summed up', async () => {
  const html = join(newFolder('overround-'), 'report.html');
  const { code, text, said } = await run(STREAMING, { speed: '100', html });
  const report = JSON.parse(text) as SimulationReport;
  assert.equal(code, 0, said);
  assert.ok(report.total.bets > 3, `${report.total.bets} bets; ${said}`);
  assert.equal(report.total.open_exposure, 0);
  assert.equal(Math.round(100 * report.cash), Math.round(100 * (5_000 + report.total.profit)));
  assert.equal(report.curve.length, report.total.bets);
  const sums = (groups: SimulationReport['by_market']) => groups.reduce((sum, group) => sum + group.bets, 0);
  assert.deepEqual([sums(report.by_market), sums(report.by_sportsbook)], [report.total.bets, report.total.bets]);
  assert.equal(report.settled, report.total.bets);
  const page = readFileSync(html, 'utf8');
  assert.match(page, /<path class="curve" d="M/);
  assert.equal(page.match(/<circle /g)?.length, report.bets.length);
  for (const { group_key } of [...report.by_market, ...report.by_sportsbook])
    assert.ok(page.includes(`<tr><td>${group_key}</td>`), group_key);
  assert.doesNotMatch(page, /NaN|Infinity|undefined|https?:/);
});

test('in lockstep two runs of a bot have the same report, and the exit code is the command’s', async () => {
  const runs = [await run(STEPPING, { lockstep: true }), await run(STEPPING, { lockstep: true })];
  assert.equal(runs[0]!.text, runs[1]!.text);
  assert.ok((JSON.parse(runs[0]!.text) as SimulationReport).total.bets > 3, runs[0]!.said);
  assert.deepEqual([runs[0]!.code, runs[0]!.said], [3, 'done\n']);
  assert.match(
    reportTable(JSON.parse(runs[0]!.text) as SimulationReport),
    /^all +\d+ .*\n[\s\S]*deposits 5000\.00, cash/m,
  );
});

test('a run takes the settings of a server, also from the environment, and says why bets were rejected', async () => {
  const british = join(newFolder('overround-'), 'british.ndjson');
  writeFileSync(british, readFileSync(wandering(7, 200), 'utf8').replaceAll('"draftkings"', '"williamhill"'));
  const reported = async (given: Given): Promise<SimulationReport> => {
    const { text } = await run(STEPPING, { lockstep: true }, british, given);
    return JSON.parse(text) as SimulationReport;
  };
  const without = await reported({});
  assert.ok(without.rejected_by_reason.no_rate! > 0);
  const told = `${without.rejected} rejected (${without.rejected_by_reason.no_rate} no_rate`;
  assert.ok(reportTable(without).includes(told), reportTable(without));
  for (const given of [{ settings: { fx: ['GBP=1.3'] } }, { env: { FX: 'GBP=1.3', PORT: 'nonsense' } }]) {
    const { total, rejected_by_reason } = await reported(given);
    assert.equal(rejected_by_reason.no_rate, undefined);
    assert.ok(total.bets > without.total.bets);
  }
  await assert.rejects(run(STEPPING, { lockstep: true }, undefined, { settings: { fx: 'GBP' } }), /--fx must be/);
});

const WEEK_S = 7 * 86_400;

/** A game a week, with what became of it on the evening. */
function weeks(count: number): { file: string; results: string } {
  const polls: object[] = [];
  const results: object[] = [];
  for (let week = 0; week < count; week++) {
    const begin = week * WEEK_S;
    const game = { league: 'nba', home_team: 'Utah Jazz', away_team: 'Miami Heat', start_time: at(begin + 3_600) };
    const selections = [
      { selection: 'Utah Jazz', selection_type: 'home', odds_decimal: 2.1 },
      { selection: 'Miami Heat', selection_type: 'away', odds_decimal: 1.8 },
    ];
    const events = [{ ...game, markets: [{ market_type: 'moneyline', selections }] }];
    polls.push({ book: 'draftkings', polled_at: at(begin), scope: 'league', league: 'nba', events });
    const score = { home_score: 100 + (week % 2), away_score: 100 + ((week + 1) % 2) };
    results.push({ ...game, status: 'final', source: 'desk', at: at(begin + 14_400), ...score });
  }
  polls.push({ book: 'draftkings', polled_at: at(count * WEEK_S), scope: 'league', league: 'nba', events: [] });
  return { file: recording(polls), results: recording(results, 'results.ndjson') };
}

test('over weeks, of which history keeps one, everything that settled is reported as settled', async () => {
  const count = 6;
  const program = `${BOT}
for (let week = 0; week < ${count}; week++) {
  const until = new Date(Date.parse('${at(0)}') + (week * ${WEEK_S} + 60) * 1000).toISOString();
  await client.replay({ action: 'step', until });
  const { data } = await client.odds({ market: 'moneyline' });
  const home = data.filter((row) => row.selection_type === 'home' && row.status === 'upcoming');
  await client.placeBets(home.map((item) => ({ ...bet({ ...item, odds_id: item.id }), client_id: "week" + week })));
}
`;
  const { file, results } = weeks(count);
  const { code, text, said } = await run(program, { lockstep: true, results }, file);
  assert.equal(code, 0, said);
  const report = JSON.parse(text) as SimulationReport;
  assert.deepEqual([report.total.bets, report.settled, report.rejected], [count, count, 0]);
  assert.equal(report.total.profit, 3 * 22 - 3 * 20);
  assert.equal(report.total.open_exposure, 0);
});

test('a process that the command leaves behind does not hold the report up; what was printed is whole', async () => {
  const done = join(newFolder('overround-'), 'done');
  const waits = `const { existsSync } = require('node:fs'); setInterval(() => existsSync('${done}') && process.exit(), 100)`;
  const program = `
import { spawn } from 'node:child_process';
spawn(process.execPath, ['-e', ${JSON.stringify(waits)}], { stdio: ['ignore', 'inherit', 'ignore'], detached: true }).unref();
console.log('x${'🏀'.repeat(30_000)}');
`;
  const { code, said } = await run(program, {});
  writeFileSync(done, '');
  assert.deepEqual([code, said], [0, `x${'🏀'.repeat(30_000)}\n`]);
});
