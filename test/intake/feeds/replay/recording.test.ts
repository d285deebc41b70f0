// Recordings are read poll by poll, whatever their format, and a bad line costs only itself.
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  type BadLine,
  type ReadOptions,
  type RecordedPoll,
  readRecording,
} from '../../../../src/intake/feeds/replay/recording.js';
import { newFolder } from '../../../temp-folders.js';
import { bookmaker, event, h2h, LEAGUES } from '../the-odds-api/answers.js';
import { BEGIN_MS, message, recording } from './recordings.js';

async function read(path: string, options: ReadOptions = {}): Promise<{ polls: RecordedPoll[]; bad: BadLine[] }> {
  const polls: RecordedPoll[] = [];
  const bad: BadLine[] = [];
  for await (const poll of readRecording(path, { leagues: LEAGUES, onBadLine: (line) => bad.push(line), ...options })) {
    polls.push(poll);
  }
  return { polls, bad };
}

const odds = [event('e1', [bookmaker('fanduel', [h2h(-142, 116)])])];

test('consecutive messages of one instant are one poll, plain or compressed, whatever the file is called', async () => {
  const lines = [message('fanduel', 0), message('betus', 0), message('fanduel', 30)];
  for (const [name, gzip] of [
    ['odds.ndjson', false],
    ['odds.ndjson.gz', true],
    ['odds', true],
    ['odds.gz', false],
  ] as const) {
    const { polls, bad } = await read(recording(lines, name, gzip));
    assert.deepEqual(bad, []);
    assert.deepEqual(polls, [
      { atMs: BEGIN_MS, messages: lines.slice(0, 2), line: 1 },
      { atMs: BEGIN_MS + 30_000, messages: lines.slice(2), line: 3 },
    ]);
  }
});

test('polls of The Odds API are recognised by their shape, bare, wrapped or historical', async () => {
  const poll = { last_updated: '2026-05-02T18:00:00.000123', sport: 'baseball_mlb', odds };
  const { polls, bad } = await read(
    recording([
      { commit: 'abc', commit_unix: 1, payload: poll },
      { ...poll, last_updated: '2026-05-02T19:00:00Z', odds: [] },
      { timestamp: '2026-05-02T20:00:00Z', previous_timestamp: null, data: odds },
      message('betus', 3 * 3600),
    ]),
  );
  assert.deepEqual(bad, []);
  assert.deepEqual(
    polls.map((each) => each.messages.map((one) => [one.book, one.polled_at, one.events?.length])),
    [
      [['fanduel', '2026-05-02T18:00:00.000123Z', 1]],
      [['fanduel', '2026-05-02T19:00:00Z', 0]],
      [['fanduel', '2026-05-02T20:00:00Z', 1]],
      [['betus', '2026-05-02T21:00:00.000Z', 1]],
    ],
  );
  assert.ok(Math.abs(polls[0]!.atMs - (BEGIN_MS + 0.123)) < 1e-3);
});

test('decimal polls are read as decimal', async () => {
  const decimal = [event('e1', [bookmaker('fanduel', [h2h(1.7, 2.16)])])];
  const { polls } = await read(recording([{ last_updated: '2026-05-02T18:00:00', odds: decimal }]));
  assert.equal(polls[0]?.messages[0]?.events?.[0]?.markets[0]?.selections[0]?.odds_decimal, 1.7);
});

test('an invalid line is reported with its number and reading continues', async () => {
  const { polls, bad } = await read(
    recording([
      '\ufeff',
      message('fanduel', 0),
      '{"book": "fanduel", "polled',
      '[]',
      '{}',
      { book: 'fanduel', polled_at: 'noon' },
      { last_updated: 'noon', odds: [] },
      { last_updated: '2026-05-02T18:00:00', odds: null },
      '',
      '   \r',
      message('fanduel', 60),
    ]),
  );
  assert.equal(polls.length, 2);
  assert.deepEqual(bad, [
    { line: 3, reason: 'not JSON' },
    { line: 4, reason: 'not an object' },
    { line: 5, reason: 'neither an ingest message, nor a poll of The Odds API, nor a line of an export' },
    { line: 6, reason: 'polled_at is not a time' },
    { line: 7, reason: 'the poll has no readable time' },
    { line: 8, reason: 'the poll has no list of events' },
  ]);
});

test('a recording whose writer was killed is read as far as it goes', async () => {
  const lines = Array.from({ length: 400 }, (_, i) =>
    JSON.stringify({ ...message('fanduel', i), nonce: String(i).repeat(40) }),
  );
  const whole = gzipSync(lines.join('\n'));
  const path = join(newFolder('overround-'), 'torn.gz');
  writeFileSync(path, whole.subarray(0, whole.length >> 1));
  const { polls, bad } = await read(path);
  assert.ok(polls.length > 50 && polls.length < 400, `${polls.length} polls`);
  assert.ok(bad.length <= 1);
});

test('compressed recordings put one behind the other are one recording', async () => {
  const path = recording([message('fanduel', 0), ''], 'odds.gz');
  appendFileSync(path, readFileSync(recording([message('fanduel', 30)], 'more.gz')));
  assert.equal((await read(path)).polls.length, 2);
});

test('a line beyond the limit is skipped without being buffered', async () => {
  const path = recording([message('fanduel', 0), `{"x":"${'y'.repeat(33 * 1024 * 1024)}"}`, message('fanduel', 30)]);
  const { polls, bad } = await read(path);
  assert.deepEqual([polls.length, bad.map((each) => each.line)], [2, [2]]);
});

test('a missing file and a damaged one reject', async () => {
  await assert.rejects(read(join(newFolder('overround-'), 'none.ndjson')), /ENOENT/);
  const damaged = gzipSync(JSON.stringify(message('fanduel', 0)));
  damaged.fill(0xff, 12, 40);
  const path = join(newFolder('overround-'), 'damaged.gz');
  writeFileSync(path, damaged);
  await assert.rejects(read(path));
});

test('a reader may stop early, and progress is in bytes of the file', async () => {
  const path = recording(
    Array.from({ length: 50 }, (_, i) => message('fanduel', i)),
    'odds.gz',
  );
  let bytes = 0;
  for await (const poll of readRecording(path, { onRead: (read) => (bytes = read) })) {
    assert.equal(poll.line, 1);
    break;
  }
  assert.equal(bytes, readFileSync(path).length);
});

test('an export of history is read in the order of time, one message for each instant, book and game', async () => {
  const row = (s: number, id: string, sportsbook: string, american: number, decimal: number, more: object = {}) => ({
    at: new Date(BEGIN_MS + s * 1000).toISOString(),
    odds_id: id,
    league: 'mlb',
    home_team: 'River City Herons',
    away_team: 'Port Vale Otters',
    event_start_time: new Date(BEGIN_MS + 9e6).toISOString(),
    sportsbook,
    market_type: 'moneyline',
    selection: 'River City Herons',
    selection_type: id.startsWith('h') ? 'home' : 'away',
    player_name: null,
    line: null,
    is_alternate_line: false,
    odds_american: american,
    odds_decimal: decimal,
    is_live: false,
    is_active: true,
    is_prematch: true,
    ...more,
  });
  const file = recording([
    row(1, 'h1', 'fanduel', 150, 2.5),
    row(5, 'h1', 'fanduel', 140, 2.4, { is_active: false, indicative: true }),
    row(1, 'a1', 'fanduel', -170, 1.588235),
    row(3, 'h2', 'betmgm', 149, 2.485, { is_live: true }),
    { ...row(4, 'h3', 'betmgm', 100, 2), at: 'soon' },
  ]);
  const bad: number[] = [];
  const polls: unknown[] = [];
  for await (const { atMs, messages } of readRecording(file, { onBadLine: ({ line }) => void bad.push(line) }))
    polls.push([
      (atMs - BEGIN_MS) / 1000,
      messages.map(({ book, events }) => [
        book,
        events!.flatMap(({ is_live, markets }) =>
          markets[0]!.selections.map((selection) => [is_live ?? false, selection]),
        ),
      ]),
    ]);
  const home = { selection: 'River City Herons', selection_type: 'home' };
  assert.deepEqual(bad, [5]);
  assert.deepEqual(polls, [
    [
      1,
      [
        [
          'fanduel',
          [
            [false, { ...home, odds_american: 150 }],
            [false, { ...home, selection_type: 'away', odds_american: -170 }],
          ],
        ],
      ],
    ],
    [3, [['betmgm', [[true, { ...home, odds_decimal: 2.485 }]]]]],
    [5, [['fanduel', [[false, { ...home, odds_american: 140, is_active: false, indicative: true }]]]]],
  ]);
});
