// What the engine refuses of a recording, of results and of imported tables: counted by reason, with the first of each.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock } from '../../src/base/model/clock.js';
import { backtest } from '../../src/cli/backtest.js';
import { type Imported, importFiles } from '../../src/cli/import.js';
import type { BacktestFlags } from '../../src/cli/program.js';
import { parseConfig } from '../../src/config/config.js';
import { loadCatalogue } from '../../src/rules/catalogue/load.js';
import { createLog } from '../../src/server/observe/log.js';
import { openServedRecording } from '../../src/server/served-recording.js';
import { newFolder } from '../temp-folders.js';

const FLAGS: BacktestFlags = { minEv: 2, minProfit: 0.5, maxHold: 5, minSize: 0.5 };
const ROWS = [
  'at,sportsbook,league,home_team,away_team,event_start_time,market_type,selection,line,odds_decimal',
  ...['home_team_total,Over,110.5', 'team_total,Over,110.5', 'total_points,Over 220.5,', 'moneyline,Utah Jazz,'].map(
    (bet) => `2026-11-20T18:00:00Z,betmgm,nba,Utah Jazz,Orlando Magic,2026-11-21T00:00:00Z,${bet},1.91`,
  ),
].join('\n');

async function told(file: string, flags: Partial<BacktestFlags>): Promise<string[]> {
  const said: string[] = [];
  const err = (text: string): void => void said.push(text);
  await backtest(
    file,
    { ...FLAGS, ...flags },
    { clock: new ManualClock(0), write: async () => {}, err, terminal: undefined },
  );
  return said.join('').split('\n');
}

test('an import counts the prices that the engine will take, and why it will not take others', async () => {
  const folder = newFolder('overround-refusals-');
  const [table, out] = [join(folder, 'm.csv'), join(folder, 'm.ndjson')];
  writeFileSync(table, ROWS);
  const shown: string[] = [];
  const context = { out: (text: string) => void shown.push(text), err: () => {}, terminal: undefined };
  await importFiles([table], { out, json: true }, context);
  const { rows, prices, left_out } = JSON.parse(shown.join('')) as Imported;
  const at = 'betmgm at 2026-11-20T18:00:00.000Z';
  assert.deepEqual(
    [rows, prices, left_out],
    [
      4,
      2,
      [
        { reason: 'team_total needs "home" or "away"', count: 1, first: `${at}, events[0].markets[1].team` },
        { reason: 'total_points needs a line', count: 1, first: `${at}, events[0].markets[2].selections[0].line` },
      ],
    ],
  );
  const lines = await told(out, {});
  assert.match(lines[0]!, /^1 polls, 2 quotes/);
  assert.deepEqual(lines.slice(1, 4), [
    '0 lines and 2 parts of messages could not be read',
    `left out: 1 team_total needs "home" or "away" (first: ${at}, events[0].markets[1].team)`,
    `left out: 1 total_points needs a line (first: ${at}, events[0].markets[2].selections[0].line)`,
  ]);
});

test('a removal in a table is no price, needs none, and says nothing of other rows', async () => {
  const folder = newFolder('overround-removals-');
  const [table, out] = [join(folder, 'm.csv'), join(folder, 'm.ndjson')];
  const row = (minute: number, bet: string): string =>
    `2026-11-20T18:0${minute}:00Z,betmgm,nba,Utah Jazz,Orlando Magic,2026-11-21T00:00:00Z,moneyline,${bet}`;
  const [head] = ROWS.replace('line,', '').split('\n');
  const gone = row(1, 'Utah Jazz,,true');
  const rows = [
    row(0, 'Utah Jazz,1.91,'),
    row(0, 'Orlando Magic,1.91,'),
    gone,
    gone.replace('Orlando Magic', 'Miami Heat'),
  ];
  writeFileSync(table, [`${head},is_removed`, ...rows].join('\n'));
  const shown: string[] = [];
  const context = { out: (text: string) => void shown.push(text), err: () => {}, terminal: undefined };
  await importFiles([table], { out, json: true }, context);
  const { prices, games, left_out } = JSON.parse(shown.join('')) as Imported;
  assert.deepEqual([prices, games, left_out], [2, 1, []]);
  const last = JSON.parse(readFileSync(out, 'utf8').trim().split('\n').at(-1)!);
  assert.deepEqual(
    [last.scope, last.events[0].markets[0].selections],
    ['none', [{ selection: 'Utah Jazz', selection_type: 'home', is_removed: true }]],
  );
});

test('results are no quotes, and those that are refused are told by reason', async () => {
  const folder = newFolder('overround-refusals-');
  const [file, results] = [join(folder, 'r.ndjson'), join(folder, 'results.csv')];
  const game = {
    league: 'nba',
    home_team: 'Utah Jazz',
    away_team: 'Orlando Magic',
    start_time: '2026-11-21T00:00:00Z',
  };
  const selections = [{ selection: 'Utah Jazz', selection_type: 'home', odds_american: -110 }];
  const events = [{ ...game, markets: [{ market_type: 'moneyline', selections }] }];
  writeFileSync(file, JSON.stringify({ book: 'betmgm', polled_at: '2026-11-20T18:00:00Z', scope: 'event', events }));
  const head = 'league,home_team,away_team,start_time,status,home_score,away_score';
  const lineOf = (start: string): string => `nba,Utah Jazz,Orlando Magic,${start},final,100,90`;
  writeFileSync(results, [head, lineOf(game.start_time), lineOf('2026-11-21')].join('\n'));
  const lines = await told(file, { clv: true, results });
  assert.deepEqual(lines.slice(0, 2), [
    '1 polls, 1 quotes',
    'left out: 1 missing or not an RFC 3339 time (first: a result at 2026-11-20T18:00:00.000Z, results[0].start_time)',
  ]);
  writeFileSync(results, `${head.replace(',status', '')}\nnba,Utah Jazz,Orlando Magic,${game.start_time},100,90\n`);
  const refused = /results\.csv has no results \(line 1: no column status beside league/;
  await assert.rejects(told(file, { clv: true, results }), refused);
  const served = parseConfig({ replay: file, results, log: 'silent' }, {});
  await assert.rejects(
    openServedRecording(served, loadCatalogue(), createLog('silent'), {}).then(({ remove }) => remove()),
    refused,
  );
});
