// Files that commands write: none is one that they read, and an earlier one is as it was where a command refuses.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock } from '../../src/base/model/clock.js';
import { backtest } from '../../src/cli/backtest.js';
import { type ImportFlags, importFiles } from '../../src/cli/import.js';
import type { BacktestFlags } from '../../src/cli/program.js';
import { simulate } from '../../src/cli/simulate.js';
import { newFolder } from '../temp-folders.js';

const GAME = {
  league: 'nba',
  home_team: 'Boston Celtics',
  away_team: 'Miami Heat',
  start_time: '2026-11-22T00:00:00Z',
};

function poll(book: string, home: number, away: number): string {
  const selections = [home, away].map((odds_american, i) => ({
    selection: i === 0 ? 'Boston Celtics' : 'Miami Heat',
    selection_type: i === 0 ? 'home' : 'away',
    odds_american,
  }));
  const events = [{ ...GAME, markets: [{ market_type: 'moneyline', selections }] }];
  return `${JSON.stringify({ book, polled_at: '2026-11-20T18:00:00Z', scope: 'event', events })}\n`;
}

const TABLE =
  'at,sportsbook,league,home_team,away_team,event_start_time,market_type,selection_type,odds_decimal\n' +
  '2026-11-20T18:00:00Z,fanduel,nba,Boston Celtics,Miami Heat,2026-11-22T00:00:00Z,moneyline,home,1.9\n';

/** A recording with an arbitrage, results, a table, an empty table, and an earlier output. */
function folder() {
  const dir = newFolder('overround-outputs-');
  const at = (name: string) => join(dir, name);
  const result = { ...GAME, event_start_time: GAME.start_time, status: 'final', home_score: 101, away_score: 99 };
  writeFileSync(at('r.ndjson'), poll('betmgm', 110, -130) + poll('fanduel', -105, 120));
  writeFileSync(at('results.ndjson'), `${JSON.stringify(result)}\n`);
  writeFileSync(at('prices.csv'), TABLE);
  writeFileSync(at('empty.csv'), TABLE.slice(0, TABLE.indexOf('\n') + 1));
  writeFileSync(at('out'), 'earlier\n');
  return { dir, at };
}

const BACKTEST: BacktestFlags = { minEv: 2, minProfit: 0.5, maxHold: 5, minSize: 0.5 };

async function tested(file: string, flags: Partial<BacktestFlags>): Promise<string> {
  let said = '';
  const err = (text: string) => {
    said += text;
  };
  const context = { clock: new ManualClock(0), write: async (text: string) => err(text), err, terminal: undefined };
  await backtest(file, { ...BACKTEST, ...flags }, context);
  return said;
}

async function imported(paths: readonly string[], flags: ImportFlags): Promise<void> {
  await importFiles(paths, flags, { out: () => undefined, terminal: undefined });
}

test('one file is not the target of both prices and results, nor one of those that are read', async () => {
  const { dir, at } = folder();
  const same = { message: /(?:out|new) is the file for results, too: write to another file$/ };
  await assert.rejects(imported([at('prices.csv')], { out: at('out'), results: at('./out') }), same);
  await assert.rejects(
    imported([at('prices.csv')], { out: at('new'), results: join(dir, '..', dir.split('/').at(-1)!, 'new') }),
    same,
  );
  const read = { message: /prices\.csv is one of the files to import: write to another file$/ };
  await assert.rejects(imported([at('prices.csv')], { out: at('out'), results: at('prices.csv') }), read);
  const results = { clv: true as const, results: at('results.ndjson'), out: at('results.ndjson') };
  await assert.rejects(tested(at('r.ndjson'), results), {
    message: /results\.ndjson is the file with the results: write/,
  });
  await assert.rejects(tested(at('r.ndjson'), { out: at('r.ndjson') }), { message: /is the recording itself: write/ });
  assert.match(readFileSync(at('results.ndjson'), 'utf8'), /"final"/);
  assert.equal(readFileSync(at('out'), 'utf8'), 'earlier\n');
  assert.ok(!existsSync(at('new')));
});

test('a backtest that refuses leaves an earlier file as it was; one that runs takes its place', async () => {
  const { dir, at } = folder();
  const out = at('out');
  const refused: [file: string, flags: Partial<BacktestFlags>, message: RegExp][] = [
    ['empty.csv', {}, /is no recording/],
    [
      'r.ndjson',
      { books: ['nobook'] },
      /^there is no sportsbook nobook, neither in the catalogue nor in the recording$/,
    ],
    ['r.ndjson', { books: ['fanduell'] }, /no sportsbook fanduell, .* nor in the recording \(nearest: fanduel\)$/],
    ['r.ndjson', { devigBook: 'pinnacle' }, /^--devig-book: pinnacle is not in the recording$/],
    ['r.ndjson', { commission: { betfiar: { model: 'winnings', rate: 0.02 } } }, /betfiar, .* \(nearest: betfair/],
  ];
  for (const [file, flags, message] of refused) {
    await assert.rejects(tested(at(file), { ...flags, out }), { message });
    await assert.rejects(tested(at(file), { ...flags, out, clv: true }), { message });
    assert.equal(readFileSync(out, 'utf8'), 'earlier\n', message.source);
  }
  await tested(at('r.ndjson'), { out, commission: { betfair: { model: 'winnings', rate: 0.02 } } });
  assert.match(readFileSync(out, 'utf8'), /^\{.*"low_hold:detected"/);
  assert.deepEqual(
    readdirSync(dir).filter((name) => name.endsWith('.part')),
    [],
  );
});

test('an import says of what it cannot do which flag or file it is', async () => {
  const { at } = folder();
  const out = at('out');
  const refused: [path: string, flags: Partial<ImportFlags>, message: RegExp][] = [
    ['r.ndjson', {}, /r\.ndjson is a recording already: it can be used as it is$/],
    ['prices.csv', { at: 'nonsense' }, /^--at nonsense is no time: as 2026-11-20T18:00:00Z$/],
    [
      'prices.csv',
      { columns: new Map([['odds_decimel', 'price']]) },
      /^--map price=odds_decimel: odds_decimel is no column of ours \(did you mean odds_decimal\?\)$/,
    ],
    [
      'prices.csv',
      { columns: new Map([['qqq', 'x']]) },
      /^--map x=qqq: qqq is no column of ours \(there are at, .*player_name/,
    ],
  ];
  for (const [path, flags, message] of refused)
    await assert.rejects(imported([at(path)], { out, ...flags }), { message });
  assert.equal(readFileSync(out, 'utf8'), 'earlier\n');
});

test('a simulation says before it runs which file it cannot read or write', async () => {
  const { dir, at } = folder();
  const context = { env: {}, version: '0', out: () => undefined, err: () => undefined, onSignal: () => undefined };
  const run = (flags: object) => simulate(at('r.ndjson'), ['true'], { bankroll: 1, ...flags }, {}, context);
  const none = /--results .*nofile\.csv cannot be read: there is no such file$/;
  await assert.rejects(run({ results: at('nofile.csv') }), { message: none });
  await assert.rejects(run({ html: at('no/x.html') }), { message: /^--html .*x\.html cannot be written: ENOENT/ });
  await assert.rejects(run({ html: at('r.ndjson') }), { message: /r\.ndjson is the recording itself/ });
  await assert.rejects(run({ results: at('nofile.csv'), html: at('out') }), { message: none });
  assert.equal(readFileSync(at('out'), 'utf8'), 'earlier\n');
  assert.deepEqual(
    readdirSync(dir).filter((name) => name.endsWith('.part')),
    [],
  );
});
