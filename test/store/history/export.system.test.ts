// History as files: what a server stores while it runs, read with independent readers.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { exportCommand } from '../../../src/cli/export.js';
import { readRecording } from '../../../src/intake/feeds/replay/recording.js';
import { LAKERS, NOW } from '../../front/api/serving.js';
import { api, type Json } from '../../front/api.js';
import { eventually } from '../../support/until.js';
import { newFolder } from '../../temp-folders.js';
import { FLAGS, json, MINUTE, post, START } from './rig.js';

const BEGIN = Date.parse(NOW);

const MAIN = new URL('../../../src/main.js', import.meta.url).pathname;

test('a file has a row for each change that the server returns, in every format, while the server runs', async (t) => {
  const folder = newFolder();
  const data = join(folder, 'data');
  const made = await api(t, { ...FLAGS, data });
  await post(made, BEGIN, 'draftkings', { home: -110, away: -110 });
  await post(made, BEGIN + MINUTE, 'draftkings', { home: -105, away: -115, line: -4 });
  await post(made, BEGIN + 2 * MINUTE, 'fanduel', { home: 102, away: -122 });
  await post(made, Date.parse(START) + MINUTE, 'fanduel', { home: 150, away: -180 });
  await post(made, Date.parse(START) + 2 * MINUTE, 'betfair', { home: 140, away: -160, indicative: true });
  const { data: rows } = await json(made, `/odds/history?event=${LAKERS}`, made.key('enterprise'));
  const expected = rows
    .flatMap((row: Json) =>
      row.points.map(
        (point: Json) =>
          `${point.at} ${row.odds_id} ${row.sportsbook} ${point.odds_american} ${point.line} ${point.is_live}`,
      ),
    )
    .sort();
  const write = async (name: string, more: object = {}): Promise<string> => {
    let said = '';
    const out = join(folder, name);
    const err = (text: string): void => {
      said += text;
    };
    await exportCommand({ data, out, ...more }, { err, terminal: undefined });
    assert.match(said, /changes of \d+ events/);
    return out;
  };
  let lines: Json[] = [];
  // It is written every two seconds.
  await eventually(async () => {
    const ndjson = readFileSync(await write('all.ndjson'), 'utf8');
    lines = ndjson
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    assert.equal(lines.length, expected.length);
  });
  const shown = (line: Json): string =>
    `${line.at} ${line.odds_id} ${line.sportsbook} ${line.odds_american} ${line.line} ${line.is_live}`;
  assert.deepEqual(lines.map(shown).sort(), expected);
  assert.equal(lines.filter(({ is_prematch }) => is_prematch).length, 6);
  const traded = (book: unknown): true | undefined => (book === 'betfair' ? true : undefined);
  assert.deepEqual(
    lines.map(({ indicative }) => indicative),
    lines.map(({ sportsbook }) => traded(sportsbook)),
  );
  const csv = readFileSync(await write('all.csv'), 'utf8')
    .trimEnd()
    .split('\n');
  assert.deepEqual([csv.length, csv[0]!.split(',').slice(0, 3)], [expected.length + 1, ['at', 'odds_id', 'event_id']]);
  const place = csv[0]!.split(',').indexOf('indicative');
  const traits = csv.map((line) => line.split(',')[place]);
  assert.deepEqual(
    [traits[0], traits.filter((each) => each === 'true').length, traits.filter((each) => each === 'false').length],
    ['indicative', 2, lines.length - 2],
  );
  const before = readFileSync(join(folder, 'all.csv'), 'utf8');
  symlinkSync('/dev/full', join(folder, 'all.csv.part'));
  await assert.rejects(write('all.csv'), { message: /^.*all\.csv cannot be written: ENOSPC: no space left on device/ });
  assert.equal(readFileSync(join(folder, 'all.csv'), 'utf8'), before, 'the earlier file is as it was');
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.part')),
    [],
  );
  await assert.rejects(write('all.csv/x.csv'), { message: /x\.csv cannot be written: ENOTDIR/ });
  const parquet = await parquetReadObjects({ file: await asyncBufferFromFile(await write('all.parquet')) });
  assert.deepEqual(
    parquet
      .map((row: Json) => [row.at.getTime(), row.odds_id, row.line, row.odds_american, row.player_name, row.indicative])
      .sort(),
    lines
      .map((line) => [
        Date.parse(line.at),
        line.odds_id,
        line.line,
        line.odds_american,
        line.player_name,
        line.indicative === true,
      ])
      .sort(),
  );
  const args = [process.execPath, MAIN, 'export', '--data', data, '--out', '-', '--format', 'csv'];
  const piped = spawnSync(args[0]!, args.slice(1), { encoding: 'utf8' });
  assert.deepEqual(piped.stdout.trimEnd().split('\n').sort(), [...csv].sort());
  const unread = spawnSync('sh', ['-c', `exec 3>&1; { "$@"; echo "ended $?" >&3; } | exec 3>&- true`, 'sh', ...args], {
    encoding: 'utf8',
  });
  assert.deepEqual([unread.stdout, unread.stderr], ['ended 0\n', ''], 'a reader that has read enough is no error');
  const wrong = { league: ['nbaa'], sport: ['basketbal'], sportsbook: ['fanduell'], market: ['moneylin'] };
  await assert.rejects(write('none.csv', wrong), {
    message:
      /^neither .* has league nbaa \(nearest: nba\), or sport basketbal \(nearest: basketball[^)]*\), or sportsbook fanduell \(nearest: fanduel\), or market type moneylin \(nearest: moneyline/,
  });
  assert.ok(!existsSync(join(folder, 'none.csv')));
  // As other services call them.
  const ofDraftKings = lines.filter(({ sportsbook }) => sportsbook === 'draftkings').length;
  const aliases = {
    league: ['basketball_nba'],
    sport: ['Basketball'],
    sportsbook: ['Draft Kings'],
    market: ['spreads'],
  };
  assert.equal(readFileSync(await write('some.ndjson', aliases), 'utf8').split('\n').length, ofDraftKings + 1);
  assert.equal(readFileSync(await write('some.ndjson', { market: ['h2h'] }), 'utf8'), '');
  const some = readFileSync(await write('some.ndjson', { sportsbook: ['fanduel'], to: '2026-11-19' }), 'utf8');
  assert.equal(some, '');
  const day = NOW.slice(0, 10);
  const ofDay = readFileSync(await write('day.ndjson', { from: day, to: day }), 'utf8').split('\n').length - 1;
  assert.equal(ofDay, lines.filter(({ at }) => String(at).startsWith(day)).length, 'a day is all of it, in UTC');
  await assert.rejects(write('none.csv', { data: folder }), /has no history/);
  await assert.rejects(write('bad.csv', { from: 'yesterday' }), /--from must be/);
  await assert.rejects(write('bad.csv', { from: '2026-11-02', to: '2026-11-01' }), /--from is later than --to/);
  await assert.rejects(write('table.xlsx'), /^CommandError: --format ndjson\|csv\|parquet is needed/);
  assert.ok(!existsSync(join(folder, 'table.xlsx')));
  assert.equal(readFileSync(await write('table', { format: 'ndjson' }), 'utf8').split('\n').length, lines.length + 1);
});

test('an export that is played again leaves what the server had: no price that was taken away, whose team total it is', async (t) => {
  const folder = newFolder();
  const data = join(folder, 'data');
  const live = await api(t, { ...FLAGS, data });
  const polled = async (atMs: number, book: string, markets: object[]) => {
    live.clock.set(atMs);
    const game = { league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers', start_time: START };
    await live.ingest({ book, polled_at: new Date(atMs).toISOString(), events: [{ ...game, markets }] });
  };
  const pair = (types: readonly [string, string], one: number, other: number, more: object = {}) => ({
    ...more,
    selections: types.map((type, i) => ({
      selection: type,
      selection_type: type,
      odds_american: i === 0 ? one : other,
    })),
  });
  const moneyline = (home: number, away: number) => pair(['home', 'away'], home, away, { market_type: 'moneyline' });
  const ofTeam = (team: string, line: number, over: number) => ({
    market_type: 'team_total',
    team,
    selections: ['over', 'under'].map((type) => ({
      ...{ selection: type, selection_type: type, line },
      odds_american: type === 'over' ? over : -130,
    })),
  });
  const totals = [ofTeam('home', 110.5, 104), ofTeam('away', 106.5, 101)];
  await polled(BEGIN, 'caesars', [moneyline(105, -125), ...totals]);
  // It goes before the other book has the price that would make an arbitrage with it, and comes again later.
  await polled(BEGIN + 1_000, 'caesars', totals);
  await polled(BEGIN + 2_000, 'draftkings', [moneyline(-125, 105)]);
  await polled(BEGIN + 3_000, 'draftkings', [moneyline(-130, -110)]);
  await polled(BEGIN + 4_000, 'caesars', [moneyline(105, -125), ...totals]);
  await polled(BEGIN + 5_000, 'fanduel', [moneyline(106, -128)]);
  await polled(BEGIN + 6_000, 'fanduel', []);
  const rowsOf = async (server: typeof live): Promise<string[]> => {
    const { data: rows } = await json(server, '/odds?limit=200', server.key('enterprise'));
    const shown = ({ id, sportsbook, team, line, odds_american, is_active }: Json) =>
      [id, sportsbook, team, line, odds_american, is_active].join(' ');
    return rows.map(shown).sort();
  };
  const standing = await rowsOf(live);
  assert.equal(standing.length, 8);
  const written = async (name: string): Promise<string> => {
    const out = join(folder, name);
    await exportCommand({ data, out }, { err: () => undefined, terminal: undefined });
    return out;
  };
  let lines: Json[] = [];
  await eventually(async () => {
    const text = readFileSync(await written('night.ndjson'), 'utf8').trimEnd();
    lines = text.split('\n').map((line) => JSON.parse(line) as Json);
    assert.equal(lines.filter(({ is_removed }) => is_removed).length, 4);
  });
  // Also the one before it came again; with its last price, and nothing on offer.
  const [gone] = lines.filter(({ sportsbook, is_removed }) => sportsbook === 'caesars' && is_removed);
  assert.deepEqual([gone.odds_american === 105 || gone.odds_american === -125, gone.is_active], [true, false]);
  assert.deepEqual(new Set(lines.map(({ team }) => team)), new Set(['home', 'away', undefined]));
  const parquet = await parquetReadObjects({ file: await asyncBufferFromFile(await written('night.parquet')) });
  const cells = (row: Json) => [row.odds_id, row.odds_american, row.is_removed === true, row.team ?? null].join(' ');
  assert.deepEqual(parquet.map(cells).sort(), lines.map(cells).sort());
  const later = lines.filter(({ at }) => Date.parse(at) >= BEGIN + 1_000);
  await exportCommand(
    { data, out: join(folder, 'later.ndjson'), from: new Date(BEGIN + 1_000).toISOString() },
    { err: () => undefined, terminal: undefined },
  );
  const fromThen = readFileSync(join(folder, 'later.ndjson'), 'utf8').trimEnd().split('\n');
  assert.deepEqual(fromThen.map((line) => cells(JSON.parse(line))).sort(), later.map(cells).sort());
  for (const name of ['night.ndjson', 'night.csv']) {
    const again = await api(t);
    let arbitrages = 0;
    for await (const { atMs, messages } of readRecording(await written(name))) {
      again.clock.set(atMs);
      await again.ingest(...messages);
      const { pagination } = await json(again, '/opportunities/arbitrage', again.key('enterprise'));
      arbitrages = Math.max(arbitrages, pagination.total);
    }
    assert.deepEqual([await rowsOf(again), arbitrages], [standing, 0], name);
    await again.close();
  }
});
