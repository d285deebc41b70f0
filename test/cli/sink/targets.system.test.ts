// The other targets of a sink: SQLite, Parquet, lines; and what ends it at once.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { parseTimeUs } from '../../../src/base/model/time.js';
import { mortalServer } from '../../support/mortal-server.js';
import { eventually, until } from '../../support/until.js';
import { newFolder } from '../../temp-folders.js';
import { historyOf, messages, pushed, rowsOf, type SinkProcess, sinkProcess } from './rig.js';

type Rows = Record<string, unknown>[];
interface Database {
  prepare(text: string): { all(): Rows };
  close(): void;
}
const MODULE = 'node:sqlite';
const sqlite = (await import(MODULE).catch(() => undefined)) as
  | { DatabaseSync: new (path: string, options?: object) => Database }
  | undefined;

/** Kills it at many instants while prices move. */
async function storm(sink: SinkProcess, push: (round: number) => Promise<void>): Promise<void> {
  sink.begin();
  for (let round = 0; round < 40; round++) {
    await push(round);
    await pause(25);
    if (round % 5 !== 4) continue;
    await pause((round * 131) % 900);
    await sink.kill();
    sink.begin();
  }
}

const key = (row: Record<string, unknown>): string =>
  `${String(row['odds_id'])} ${Number(row['at'])} ${String(row['change'])}`;

/** As the server's history has it. */
const shownOf = ({ change, odds_american }: Rows[number]): unknown => (change === 'removed' ? change : odds_american);

test('Parquet files by hour have every change once, and a position', async (t) => {
  const server = await mortalServer(t);
  const dir = join(newFolder('overround-sink-'), 'lake');
  const args = [`parquet:${dir}`, '--from', server.url, '--key', server.key, '--every', '0.3'];
  const sink = sinkProcess(t, args);
  await storm(sink, (round) => pushed(server, ...messages(round)));
  await pushed(server, ...messages(1_000_001));
  const read = async (table: string): Promise<Rows> => {
    const folder = join(dir, table);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.parquet'),
    );
    assert.ok(
      files.every((name) => /^hour=\d{4}-\d\d-\d\dT\d\d[/\\]main(?:\+history)?\.\d+-\d+\.parquet$/.test(name)),
      files.join(),
    );
    const rows = await Promise.all(
      files.map(async (name) => {
        const file = await asyncBufferFromFile(join(folder, name));
        const { key_value_metadata } = await parquetMetadataAsync(file);
        const to = /-(\d+)\.parquet$/.exec(name)![1];
        assert.ok(key_value_metadata?.some(({ key, value }) => key === 'overround.position' && value === to));
        return (await parquetReadObjects({ file })) as Rows;
      }),
    );
    return rows.flat();
  };
  const standing = await rowsOf(server, '/odds?limit=200');
  const wanted = new Map(standing.map((row) => [row['id'], row['odds_american']]));
  const lastOf = (rows: Rows): Map<unknown, Record<string, unknown>> =>
    new Map(rows.sort((a, b) => Number(a['position']) - Number(b['position'])).map((row) => [row['odds_id'], row]));
  let changes: Rows = [];
  await until(
    () => `${sink.said()}${changes.length} changes`,
    async () => {
      changes = await read('odds_changes').catch(() => []);
      const last = lastOf(changes);
      return standing.every(({ id }) => {
        const row = last.get(id);
        return row?.['change'] !== 'removed' && row?.['odds_american'] === wanted.get(id);
      });
    },
  );
  // Every change of the server's history since the first snapshot is there.
  const state = () =>
    JSON.parse(readFileSync(join(dir, 'sink-main.json'), 'utf8')) as {
      position: number;
      changes: number;
      notes: { event: string; position: number }[];
    };
  // The files are there before what says up to where they are whole.
  await eventually(() => state().changes >= state().position);
  assert.equal(await sink.kill('SIGTERM'), 0, sink.said());
  changes = await read('odds_changes');
  const began = state().notes.find(({ event }) => event === 'started')!.position;
  // This reader has times in milliseconds; the position of a change is its instant.
  const since = changes.filter(({ position }) => Number(position) > began);
  assert.deepEqual(
    since.map((row) => `${row['odds_id']} ${row['position']} ${shownOf(row)}`).sort(),
    await historyOf(server, began + 1),
  );
  assert.equal(new Set(changes.map(key)).size, changes.length, 'nothing is there twice');
  assert.ok((await read('odds')).length > 0 && (await read('opportunities')).length > 0);
  assert.ok(state().position > 0);
  assert.deepEqual(
    readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.part')),
    [],
  );
});

test('a server without history is told of once, and the changes are those of the stream', async (t) => {
  const server = await mortalServer(t, ['--history', '0']);
  const dir = join(newFolder('overround-sink-'), 'lake');
  const sink = sinkProcess(t, [`parquet:${dir}`, '--from', server.url, '--key', server.key, '--every', '0.1']);
  await pushed(server, ...messages(1));
  for (let begun = 0; begun < 2; begun++) {
    sink.begin();
    await pushed(server, ...messages(2 + begun));
    const noted = () => {
      const { changes, notes } = JSON.parse(readFileSync(join(dir, 'sink-main.json'), 'utf8')) as {
        changes: number | null;
        notes: { event: string; reason: string | null }[];
      };
      return [changes, ...notes.map(({ event, reason }) => `${event}: ${reason}`)];
    };
    const reason = 'this server keeps no history (--history 0)';
    await until(sink.said, () => {
      try {
        return isDeepStrictEqual(noted(), [null, `no_history: ${reason}`, 'started: null']);
      } catch {
        return false;
      }
    });
    const told = () => sink.said().match(/no history \(this server keeps no history/g)?.length;
    await until(sink.said, () => told() === begun + 1);
    await pause(300);
    assert.equal(told(), begun + 1, 'once each time it begins');
    assert.equal(await sink.kill('SIGTERM'), 0, sink.said());
  }
  assert.ok(readdirSync(join(dir, 'odds_changes')).length > 0);
});

test('SQLite has what the server says after kills at any instant', {
  skip: !sqlite && 'this Node has no node:sqlite',
}, async (t) => {
  const server = await mortalServer(t);
  const file = join(newFolder('overround-sink-'), 'odds.db');
  const sink = sinkProcess(t, [`sqlite:${file}`, '--from', server.url, '--key', server.key]);
  await storm(sink, (round) => pushed(server, ...messages(round)));
  await pushed(server, ...messages(1_000_001));
  const query = (text: string): Rows => {
    const database = new sqlite!.DatabaseSync(file, { readOnly: true });
    try {
      // After a kill the next writer holds readers up while it recovers the write-ahead log.
      database.prepare('PRAGMA busy_timeout = 60000').all();
      return database.prepare(text).all();
    } finally {
      database.close();
    }
  };
  const wanted = (await rowsOf(server, '/odds?limit=200'))
    .map((row) => [row['id'], row['odds_american']].join(' '))
    .sort();
  await until(
    () => sink.said(),
    () => {
      if (!existsSync(file)) return false;
      const rows = query('SELECT id, odds_american FROM odds');
      return (
        JSON.stringify(rows.map((row) => [row['id'], row['odds_american']].join(' ')).sort()) === JSON.stringify(wanted)
      );
    },
  );
  const wrong = `SELECT o.id FROM odds o JOIN odds_changes c ON c.odds_id = o.id
    WHERE c.at = (SELECT max(at) FROM odds_changes WHERE odds_id = o.id) AND c.at <> o.odds_changed_at`;
  assert.deepEqual(query(wrong), []);
  assert.deepEqual(
    query(`SELECT event FROM sink ORDER BY event`).map(({ event }) => event),
    ['position', 'started'],
  );
  // Every change of the server's history since the first snapshot is there.
  await until(
    () => sink.said(),
    () => query(`SELECT 1 FROM sink WHERE event = 'position' AND changes_position >= position`).length > 0,
  );
  const [{ began } = { began: 0 }] = query(`SELECT position AS began FROM sink WHERE event = 'started'`);
  const changes = query('SELECT odds_id, at, odds_american, change FROM odds_changes')
    .filter(({ at }) => parseTimeUs(at)! > Number(began))
    .map((row) => `${row['odds_id']} ${parseTimeUs(row['at'])} ${shownOf(row)}`);
  assert.deepEqual(changes.sort(), await historyOf(server, Number(began) + 1));
  assert.equal(await sink.kill('SIGTERM'), 0, sink.said());
});

test('an older Node says in one line that it has no SQLite', {
  skip: sqlite && 'this Node has node:sqlite',
}, async (t) => {
  const server = await mortalServer(t);
  const sink = sinkProcess(t, ['sqlite:odds.db', '--from', server.url, '--key', server.key]);
  sink.begin();
  assert.equal(await sink.ended(), 1);
  assert.match(sink.said(), /^overround: sqlite: needs Node 22\.13 or newer, .*\n$/);
});

test('lines are for any pipe, and go on after a position; --status shows it', async (t) => {
  const server = await mortalServer(t);
  const from = ['--from', server.url, '--key', server.key];
  const first = sinkProcess(t, ['ndjson:-', ...from, '--league', 'nba', '--status', '0']);
  await pushed(server, ...messages(1));
  first.begin();
  const lines = (sink: SinkProcess): Rows =>
    sink
      .printed()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const reached = (sink: SinkProcess) =>
    lines(sink).filter(({ table, event }) => table === 'sink' && event === 'position');
  await until(first.said, () => reached(first).length > 0);
  const rows = lines(first).filter(({ table }) => table === 'odds');
  assert.equal(rows.length, (await rowsOf(server, '/odds?limit=200')).length);
  const position = Number(reached(first).at(-1)!['position']);
  const shown = /status at (http:\S+)/.exec(first.said())![1]!;
  const status = async () => (await (await fetch(shown)).json()) as Record<string, unknown>;
  // Position, lag and counts are those of what is written: all lines but those of the table `sink`.
  let said: Record<string, unknown> = {};
  const agrees = async (): Promise<boolean> => {
    said = await status();
    const { commits, ...rest } = said;
    const at = reached(first);
    const rows = lines(first).filter(({ table }) => table !== 'sink').length;
    const position = at.at(-1)!['position'];
    const whole = { name: 'main', state: 'following', position, changes_position: null, lag_ms: 0, rows, restated: 0 };
    return commits === at.length && isDeepStrictEqual(rest, whole);
  };
  const shows = () => `${first.said()}${JSON.stringify(said)}`;
  await until(shows, agrees);
  await server.kill();
  await until(shows, async () => (await status())['state'] === 'waiting for the server');
  await server.begin();
  await until(shows, agrees);
  assert.ok(Number(said['position']) >= position);
  assert.equal(await first.kill('SIGTERM'), 0);

  await pushed(server, ...messages(2));
  const second = sinkProcess(t, ['ndjson:-', ...from, '--league', 'nba', '--after', String(position)]);
  second.begin();
  await until(second.said, () => reached(second).some((line) => Number(line['position']) > position));
  await until(second.said, () => lines(second).some(({ table }) => table === 'odds_changes'));
  assert.ok(!lines(second).some(({ event }) => event === 'snapshot'));
});

test('what cannot go on ends with one line', async (t) => {
  const server = await mortalServer(t);
  const cases: [args: string[], line: RegExp][] = [
    [['ndjson:-', '--from', server.url, '--key', 'sk_test_nobody'], /^overround: unauthorized: .*\n$/],
    [['mysql://x', '--from', server.url, '--key', server.key], /^overround: mysql:\/\/x is no target: .*\n$/],
    [['ndjson:-', '--from', 'nowhere', '--key', server.key], /^overround: --from nowhere is no address .*\n$/],
    [
      ['ndjson:-', '--from', server.url, '--key', server.key, '--league', 'nbaa'],
      /^overround: the server refuses: .*nbaa: league nbaa \(nearest: nba\)\n$/,
    ],
  ];
  for (const [args, line] of cases) {
    const sink = sinkProcess(t, args);
    sink.begin();
    assert.equal(await sink.ended(), 1, args.join(' '));
    assert.match(sink.said(), line);
  }
});
