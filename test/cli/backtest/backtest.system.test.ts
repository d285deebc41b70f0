import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ManualClock } from '../../../src/base/model/clock.js';
import { type BacktestOptions, runBacktest } from '../../../src/cli/backtest/backtest.js';
import { backtest } from '../../../src/cli/backtest.js';
import { CommandError } from '../../../src/cli/keys.js';
import { DEFAULT_LIMITS } from '../../../src/detection/kinds/caller-thresholds.js';
import { event, message, moneyline, total } from '../../intake/ingest/messages.js';
import { newFolder } from '../../temp-folders.js';
import { catalogue } from '../../writer/shard/rig.js';

const NOW_MS = Date.parse('2026-11-20T18:00:00Z');
const MLB = resolve(process.cwd(), '../shared/data/mlb_us_polls/polls.ndjson.gz');
/** Of 300 in the recording. */
const POLLS = 100;

interface Line {
  at: string;
  type: string;
  id?: string;
  data?: Record<string, unknown>;
}

function poll(book: string, home: number, away: number, atMs: number, startMs = NOW_MS + 7_200_000) {
  return message([event([moneyline(home, away)], { start_time: new Date(startMs).toISOString() })], {
    book,
    polled_at: new Date(atMs).toISOString(),
  });
}

function recording(messages: readonly object[]): string {
  const path = join(newFolder('overround-backtest-'), 'recording.ndjson');
  writeFileSync(path, messages.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return path;
}

async function run(file: string, more: Partial<BacktestOptions> = {}) {
  let text = '';
  const result = await runBacktest({
    file,
    catalogue,
    books: null,
    limits: DEFAULT_LIMITS,
    write: (lines) => {
      text += lines;
    },
    ...more,
  });
  const lines = text.split('\n').filter((line) => line !== '');
  return { text, result, lines: lines.map((line) => JSON.parse(line) as Line) };
}

const at = (ms: number) => new Date(NOW_MS + ms).toISOString();

test('an opportunity has the ids and the score of its game as they are, as it has live', async () => {
  const polled = (book: string, home: number, away: number, atMs: number, score: number) => {
    const game_state = { home_score: score, away_score: 0 };
    const game = { is_live: true, game_state, external_id: `${book}-1` };
    return message([event([moneyline(home, away)], game)], { book, polled_at: at(atMs) });
  };
  const { lines } = await run(
    recording([
      polled('pinnacle', -105, -105, 0, 1),
      polled('draftkings', 120, -140, 1_000, 1),
      polled('draftkings', 125, -145, 5_000, 2),
    ]),
  );
  const found = lines.filter(({ type }) => type === 'ev:detected').map(({ data }) => data!);
  assert.deepEqual(
    found.map((one) => [one['sportsbook'], one['external_event_id']]),
    [
      ['draftkings', 'draftkings-1'],
      ['draftkings', 'draftkings-1'],
    ],
  );
  const scores = lines
    .filter(({ type }) => type === 'arb:detected')
    .map(({ data }) => (data!['game_state'] as { home_score: number } | null)?.home_score);
  assert.deepEqual(scores, [1, 2]);
});

test('an opportunity is detected at its poll and expires at its own deadline, between polls', async () => {
  const file = recording([
    poll('draftkings', 110, -130, NOW_MS),
    poll('fanduel', -115, 105, NOW_MS + 60_000),
    poll('draftkings', 100, -120, NOW_MS + 3_600_000),
  ]);
  const { lines, result } = await run(file);
  assert.deepEqual(
    lines.filter(({ type }) => type.startsWith('arb')).map((line) => [line.at, line.type]),
    [
      [at(60_000), 'arb:detected'],
      [at(300_000), 'arb:expired'],
    ],
  );
  const [detected, expired] = lines.filter(({ type }) => type.startsWith('arb')) as [Line, Line];
  assert.equal(detected.data!['id'], expired.id);
  assert.equal(detected.data!['oldest_odds_age_seconds'], 60);
  assert.equal((detected.data!['detected_at'] as string).slice(0, 23), at(60_000).slice(0, 23));
  assert.deepEqual([result.polls, result.quotes], [3, 6]);
  const arbitrage = result.kinds.find(({ kind }) => kind === 'arbitrage')!;
  assert.deepEqual([arbitrage.count, arbitrage.meanLifeSeconds], [1, 240]);
  const profit = detected.data!['profit_percent'] as number;
  assert.ok(Math.abs(arbitrage.maxEdge - profit) < 1e-3);
});

test('a game that starts between polls expires opportunities with prices older than a minute at the start', async () => {
  const startMs = NOW_MS + 100_000;
  const file = recording([
    poll('draftkings', 110, -130, NOW_MS, startMs),
    poll('fanduel', -115, 105, NOW_MS, startMs),
    poll('betmgm', -115, -105, NOW_MS + 200_000, startMs),
  ]);
  const { lines } = await run(file);
  const ended = lines.find(({ type }) => type === 'arb:expired');
  assert.equal(ended?.at, at(100_000));
});

test('limits and books are those of one subscriber', async () => {
  const file = recording([
    poll('draftkings', 110, -130, NOW_MS),
    poll('fanduel', -130, 105, NOW_MS),
    poll('bovada', 112, -140, NOW_MS),
  ]);
  const arbs = (lines: readonly Line[]) =>
    lines
      .filter(({ type }) => type === 'arb:detected')
      .map(({ data }) => (data!['legs'] as { sportsbook: string }[]).map((leg) => leg.sportsbook));
  assert.deepEqual(arbs((await run(file)).lines), [['bovada', 'fanduel']]);
  const hobby = await run(file, { books: catalogue.tierBooks('hobby') });
  assert.deepEqual(arbs(hobby.lines), [['draftkings', 'fanduel']]);
  assert.deepEqual(arbs((await run(file, { limits: { ...DEFAULT_LIMITS, minProfit: 5 } })).lines), []);
});

test('low holds are shown up to the requested hold, also beyond the detection limits', async () => {
  const file = recording([poll('draftkings', -125, -125, NOW_MS)]);
  assert.deepEqual((await run(file)).lines, []);
  const { lines } = await run(file, { limits: { ...DEFAULT_LIMITS, maxHold: 12 } });
  assert.deepEqual(
    lines.map(({ type, data }) => [type, data!['hold_percentage']]),
    [['low_hold:detected', 11.1111]],
  );
});

test('thresholds below the detection limits apply: negative EV, and middles of a quarter point', async () => {
  const seen = (book: string, markets: readonly object[], teams: object = {}) =>
    message([event(markets, { start_time: at(7_200_000), ...teams })], { book, polled_at: at(0) });
  const EPL = { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea' };
  const goals = (line: number, over: number, under: number) => ({
    ...total(line, over, under),
    market_type: 'total_goals',
  });
  const file = recording([
    // The fair price is even: -105 has an EV of -2.4 %, -115 of -7 %.
    seen('pinnacle', [moneyline(-110, -110)]),
    seen('draftkings', [moneyline(-105, -115)]),
    seen('draftkings', [goals(2.25, 101, -130)], EPL),
    seen('fanduel', [goals(2.5, -130, 101)], EPL),
  ]);
  const edges = async (type: string, limits: object) =>
    (await run(file, { limits: { ...DEFAULT_LIMITS, ...limits } })).lines
      .filter((line) => line.type === type)
      .map(({ data }) => (data!['ev_percentage'] ?? data!['middle_size']) as number);
  assert.deepEqual(await edges('ev:detected', {}), []);
  assert.deepEqual((await edges('ev:detected', { minEv: -5 })).map(Math.round), [-2]);
  assert.deepEqual((await edges('ev:detected', { minEv: -100 })).map(Math.round).sort(), [-2, -7]);
  const { kinds } = (await run(file, { limits: { ...DEFAULT_LIMITS, minEv: -100 } })).result;
  const { meanEdge, maxEdge } = kinds.find(({ kind }) => kind === 'ev')!;
  assert.deepEqual([meanEdge, maxEdge].map(Math.round), [-4, -2], 'the best of them is no 0');
  assert.deepEqual(await edges('middles:detected', {}), []);
  assert.deepEqual(await edges('middles:detected', { minSize: 0 }), [0.25]);
});

test('the command writes to a file, sums up on standard error and refuses books outside the tier', async () => {
  const file = recording([poll('draftkings', 110, -130, NOW_MS), poll('fanduel', -115, 105, NOW_MS)]);
  const out = join(newFolder('overround-backtest-'), 'out.ndjson');
  let err = '';
  const context = {
    clock: new ManualClock(NOW_MS),
    write: async () => {},
    err: (text: string) => {
      err += text;
    },
    terminal: undefined,
  };
  const flags = { minEv: 2, minProfit: 0.5, maxHold: 5, minSize: 0.5 };
  await backtest(file, { ...flags, out, tier: 'hobby' }, context);
  assert.equal(readFileSync(out, 'utf8').includes('"type":"arb:detected"'), true);
  assert.match(err, /2 polls|1 polls/);
  assert.match(err, /arbitrage +1 /);
  const commission = { fanduel: { model: 'winnings', rate: 0.2 } } as const;
  await backtest(file, { ...flags, out, commission }, context);
  assert.equal(readFileSync(out, 'utf8').includes('"type":"arb:detected"'), false);
  await assert.rejects(backtest(file, { ...flags, tier: 'hobby', books: ['pinnacle'] }, context), CommandError);
  await assert.rejects(backtest(join(tmpdir(), 'no such file'), flags, context), CommandError);
  await assert.rejects(backtest(file, { ...flags, books: ['fanduel', 'nobook'] }, context), /no sportsbook nobook/);
});

test('a book that only the recording has can be selected', async () => {
  const file = recording([poll('cornershop', 110, -130, NOW_MS), poll('fanduel', -115, 105, NOW_MS)]);
  const { lines, result } = await run(file, { books: ['cornershop', 'fanduel'] });
  assert.ok(lines.some(({ type }) => type === 'arb:detected'));
  assert.deepEqual([...result.books], ['cornershop', 'fanduel']);
});

test('two runs of the recorded polls write the same bytes, and wider limits show more of the same', {
  skip: existsSync(MLB) ? false : 'no recorded polls here',
}, async () => {
  const file = join(newFolder('overround-backtest-'), 'polls.ndjson');
  const polls = gunzipSync(readFileSync(MLB)).toString('utf8').split('\n').slice(0, POLLS);
  writeFileSync(file, `${polls.join('\n')}\n`);
  const [first, second] = [await run(file), await run(file)];
  assert.equal(first.text, second.text);
  const limits = { ...DEFAULT_LIMITS, minEv: -5, minProfit: 0, maxHold: 20, minSize: 0 };
  const wide = await run(file, { limits });
  const detected = ({ lines }: typeof first) =>
    new Set(lines.filter(({ data }) => data !== undefined).map(({ at: when, data }) => `${when} ${data!['id']}`));
  const shown = detected(wide);
  for (const one of detected(first)) assert.ok(shown.has(one), one);
  const least = (name: string) =>
    Math.min(...wide.lines.map(({ data }) => (data?.[name] as number | undefined) ?? Number.POSITIVE_INFINITY));
  assert.ok(least('ev_percentage') < -4.5 && least('ev_percentage') >= -5);
  assert.ok(wide.lines.some(({ data }) => ((data?.['hold_percentage'] as number | undefined) ?? 0) > 6));
  assert.equal(first.result.polls, POLLS);
  const active = new Set<string>();
  let last = '';
  for (const { at: when, type, id, data } of first.lines) {
    assert.ok(when >= last, 'in the order of the recording’s time');
    last = when;
    if (type.endsWith(':detected')) active.add(data!['id'] as string);
    else assert.ok(active.delete(id!), 'expired only follows detected');
  }
});
