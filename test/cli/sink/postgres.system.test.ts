// A sink into a real PostgreSQL: while prices move, the sink, the database and the server are killed in turn, and in the end
// the database has what the server says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { timeOf } from '../../../src/cli/sink/part-builder.js';
import { Postgres } from '../../../src/cli/sink/postgres.js';
import { mortalServer } from '../../support/mortal-server.js';
import { blocksOf } from '../../support/page-blocks.js';
import { POSTGRES_MISSING, postgresServer } from '../../support/postgres.js';
import { until } from '../../support/until.js';
import { cutSnapshots } from './cut-snapshot.js';
import { historyOf, messages, pushed, rowsOf, sinkProcess } from './rig.js';

const skip = POSTGRES_MISSING;
const cutSnapshot = cutSnapshots();

test('killed at every instant of a storm, the sink loses and doubles nothing', { skip }, async (t) => {
  const [server, database] = await Promise.all([mortalServer(t), postgresServer(t)]);
  // As the page has it.
  const [command] = blocksOf('docs/guides/database.md', 'sh') as [string];
  const places = { 'postgres://me:secret@127.0.0.1/odds': database.url, 'http://127.0.0.1:8080': server.url };
  const values: Readonly<Record<string, string>> = { ...places, '"$KEY"': server.key };
  const [, , ...words] = command.trim().split(' ');
  const sink = sinkProcess(
    t,
    words.map((word) => values[word] ?? word),
  );
  sink.begin();
  let storm = true;
  const pushes = (async () => {
    for (let round = 0; storm; round++) {
      await pushed(server, ...messages(round));
      await pause(5);
    }
  })();
  const restart = async (what: { begin(): void | Promise<void>; kill(): Promise<unknown> }): Promise<void> => {
    await what.kill();
    await what.begin();
  };
  const committed = () => database.query("SELECT position FROM overround.sink WHERE event = 'position'").length > 0;
  await until(sink.said, () => attempted(committed));
  for (let round = 0; round < 24; round++) {
    await pause((round * 367) % 1_300);
    if (round % 6 === 2) await restart(database);
    else if (round % 6 === 5) await restart(server);
    else await restart(sink);
  }
  storm = false;
  await pushes;
  // A last message, by which to tell that all before it has come.
  const last = messages(1_000_001);
  await pushed(server, ...last);
  const told = `SELECT id, odds_american::float8, is_active,
    (extract(epoch FROM odds_changed_at) * 1000000)::bigint FROM overround.odds ORDER BY id`;
  const instant = (text: string): number =>
    Math.round(Date.parse(text) * 1_000) + Number(/\.\d{3}(\d{3})/.exec(text)?.[1] ?? 0);
  const standing = async () =>
    (await rowsOf(server, '/odds?limit=200'))
      .map((row) =>
        [row['id'], row['odds_american'], row['is_active'], instant(String(row['odds_changed_at']))].map(String),
      )
      .sort(byFirst);
  const wanted = await standing();
  const stored = () =>
    database
      .query(told)
      .map(([id, american, active, at]) => [id!, american!, active === 't' ? 'true' : 'false', at!])
      .sort(byFirst);
  await until(
    () => `${sink.said()}\n${JSON.stringify(attempted(stored))}\n${JSON.stringify(wanted)}`,
    () => attempted(() => JSON.stringify(stored()) === JSON.stringify(wanted)),
  );
  assert.ok(wanted.length > 10);

  // Each row's last change is how it stands, and what is gone has its removal as the last.
  assert.deepEqual(
    database.query(`SELECT o.id FROM overround.odds o JOIN LATERAL (SELECT * FROM overround.odds_changes c
      WHERE c.odds_id = o.id ORDER BY at DESC LIMIT 1) c ON true
      WHERE c.at <> o.odds_changed_at OR c.odds_american <> o.odds_american OR c.is_active <> o.is_active`),
    [],
  );
  assert.deepEqual(
    database.query(`SELECT odds_id FROM (SELECT DISTINCT ON (odds_id) odds_id, change FROM overround.odds_changes
      ORDER BY odds_id, at DESC) c WHERE (change = 'removed') = (odds_id IN (SELECT id FROM overround.odds))`),
    [],
  );

  // Every change of the server's history since the first snapshot is there, and nothing else.
  const [[began = '']] = database.query("SELECT position FROM overround.sink WHERE event = 'started'") as [[string]];
  const changesOf = () =>
    database
      .query(`SELECT odds_id, (extract(epoch FROM at) * 1000000)::bigint,
          CASE change WHEN 'removed' THEN change ELSE odds_american::float8::text END FROM overround.odds_changes
        WHERE (extract(epoch FROM at) * 1000000)::bigint > ${began}`)
      .map((change) => change.join(' '))
      .sort();
  const complete = "SELECT changes_position >= position FROM overround.sink WHERE event = 'position'";
  await until(sink.said, () => database.query(complete)[0]![0] === 't');
  const first = new Map(
    database
      .query(
        'SELECT odds_id, min((extract(epoch FROM at) * 1000000)::bigint) FROM overround.odds_changes GROUP BY odds_id',
      )
      .map(([id, at]) => [id!, Number(at)]),
  );
  // A row that went before the first snapshot told it was never here.
  const history = (await historyOf(server, Number(began) + 1)).filter((line) => {
    const [id = '', at, what] = line.split(' ');
    return what !== 'removed' || Number(at) > (first.get(id) ?? Number.POSITIVE_INFINITY);
  });
  assert.deepEqual(changesOf(), history);
  assert.ok(history.length > wanted.length);
  // Each says which price was before it.
  assert.deepEqual(
    database.query(`SELECT odds_id, at, odds_american_previous, before FROM (SELECT *, lag(odds_american) OVER own AS before,
        lag(change) OVER own AS change_before FROM overround.odds_changes WINDOW own AS (PARTITION BY odds_id ORDER BY at)) c
      WHERE change = 'updated' AND change_before <> 'removed' AND odds_american_previous <> before LIMIT 5`),
    [],
  );

  // Opportunities begin, change and end in turn; those that are not over are the server's.
  assert.deepEqual(
    database.query(`SELECT kind, id, change, before FROM (SELECT *, lag(change) OVER (PARTITION BY kind, id ORDER BY at,
      change = 'expired') AS before FROM overround.opportunities) o
      WHERE (change = 'detected') <> (before IS NULL OR before = 'expired')`),
    [],
  );
  const open = database.query(`SELECT id FROM (SELECT DISTINCT ON (id) id, change FROM overround.opportunities
    WHERE kind = 'arbitrage' ORDER BY id, at DESC, change = 'expired' DESC) o WHERE change <> 'expired' ORDER BY id`);
  const arbitrages = (await rowsOf(server, '/opportunities/arbitrage?limit=200')).map(({ id }) => [String(id)]);
  assert.deepEqual(open, arbitrages.sort(byFirst));
  // The page's own questions are answered.
  const [asked = ''] = blocksOf('docs/guides/database.md', 'sql');
  const questions = asked.split(/;\n/).filter((question) => question.trim() !== '');
  assert.equal(questions.length, 3);
  for (const [i, question] of questions.entries())
    assert.ok(database.query(question.replace('4611686018427387904', wanted[0]![0]!)).length > 0 || i === 2, question);
  const [[count]] = database.query(`SELECT count(*) FROM overround.opportunities WHERE change = 'detected'`) as [
    [string],
  ];
  assert.ok(Number(count) > 3);
  assert.equal(await sink.kill('SIGTERM'), 0, sink.said());
});

const byFirst = (a: readonly unknown[], b: readonly unknown[]): number => (String(a[0]) < String(b[0]) ? -1 : 1);

/** Undefined where the database is away. */
function attempted<T>(what: () => T): T | undefined {
  try {
    return what();
  } catch {
    return undefined;
  }
}

test('a position that the server does not remember any more leads to one restated snapshot, which is told', {
  skip,
}, async (t) => {
  const flags = ['--log-retention', '60'];
  const [server, database] = await Promise.all([mortalServer(t, flags), postgresServer(t)]);
  const sink = sinkProcess(t, [
    database.url,
    '--from',
    server.url,
    '--key',
    server.key,
    '--schema',
    'lines',
    '--name',
    'two',
  ]);
  await pushed(server, ...messages(1));
  sink.begin();
  const standing = async () => (await rowsOf(server, '/odds?limit=200')).length;
  const stored = () => attempted(() => Number(database.query('SELECT count(*) FROM lines.odds')[0]![0])) ?? 0;
  await until(sink.said, async () => stored() === (await standing()));
  await sink.kill();
  const [[before = '']] = database.query("SELECT position FROM lines.sink WHERE event = 'position'") as [[string]];
  const known = async (): Promise<boolean> => {
    const answer = await fetch(`${server.url}/api/v1/odds/delta?since=${timeOf(Number(before))}`, {
      headers: { 'x-api-key': server.key },
    });
    const { overflow } = (await answer.json()) as { overflow?: true };
    assert.equal(answer.status, 200);
    return overflow !== true;
  };
  assert.ok(await known());
  // What is logged is cut as more comes.
  for (let round = 2; await known(); round++) {
    await pushed(server, ...messages(round));
    await pause(500);
  }
  // The game that is gone meanwhile is gone after the snapshot, too.
  await pushed(server, ...messages(6));
  sink.begin();
  const notes = () =>
    database.query("SELECT event, name, before, reason FROM lines.sink WHERE event <> 'position' ORDER BY id");
  await until(sink.said, () => notes().length === 2);
  assert.deepEqual(notes(), [
    ['started', 'two', '', ''],
    ['restated', 'two', before, 'too_old'],
  ]);
  assert.equal(stored(), await standing());
  // What history has is read in steps: until the last, rows that came and went are there as they were.
  const complete = "SELECT changes_position >= position FROM lines.sink WHERE event = 'position'";
  await until(sink.said, () => database.query(complete)[0]![0] === 't');
  const last = `SELECT count(*) FROM (SELECT DISTINCT ON (odds_id) odds_id, change FROM lines.odds_changes
    ORDER BY odds_id, at DESC) c WHERE (change = 'removed') = (odds_id IN (SELECT id FROM lines.odds))`;
  assert.deepEqual(database.query(last), [['0']]);
  assert.match(
    sink.said(),
    new RegExp(
      `^overround: sink: what came after ${before} is not known any more \\(too_old\\): all is written anew$`,
      'm',
    ),
  );
});

test('a connection that is lost within a snapshot: what was written of it is begun anew', { skip }, async (t) => {
  const database = await postgresServer(t);
  const { standing } = await cutSnapshot(t, new Postgres(database.url, 'main', 'overround'), 'main');
  const count = (from: string) => Number(database.query(`SELECT count(*) FROM ${from}`)[0]![0]);
  assert.equal(count('overround.odds'), standing);
  assert.deepEqual(database.query('SELECT event FROM overround.sink ORDER BY event'), [['position'], ['started']]);
  const last = 'SELECT DISTINCT ON (odds_id) odds_id, change FROM overround.odds_changes ORDER BY odds_id, at DESC';
  const gone = count(`(${last}) c WHERE change = 'removed'`);
  assert.ok(gone > 0);
  assert.equal(count(`(${last}) c`) - gone, standing);
  assert.equal(count(`(${last}) c WHERE change = 'removed' AND odds_id IN (SELECT id FROM overround.odds)`), 0);
});

test('a schema of an earlier release gets what it lacks: what a market alone charges', { skip }, async (t) => {
  const [server, database] = await Promise.all([mortalServer(t), postgresServer(t)]);
  const before = new Postgres(database.url, 'main', 'overround');
  await before.open('');
  await before.close();
  database.query('ALTER TABLE overround.odds DROP COLUMN commission; UPDATE overround.sink_version SET version = 2');
  const [told] = messages(1) as { events: { markets: object[] }[] }[];
  const { markets } = told!.events[0]!;
  markets[0] = { ...markets[0], commission: { model: 'winnings', rate: 0.02 } };
  await pushed(server, told!);
  sinkProcess(t, [database.url, '--from', server.url, '--key', server.key]).begin();
  const charged = "SELECT count(*) FROM overround.odds WHERE commission->>'rate' = '0.02'";
  const added =
    "SELECT 1 FROM information_schema.columns WHERE table_schema = 'overround' AND column_name = 'commission'";
  await until(
    'both of its prices say so',
    () => database.query(added).length > 0 && database.query(charged)[0]![0] === '2',
  );
});

test('what the database refuses for ever ends it with one line', { skip }, async (t) => {
  const [server, database] = await Promise.all([mortalServer(t), postgresServer(t)]);
  const from = ['--from', server.url, '--key', server.key];
  const nowhere = sinkProcess(t, [database.url.replace(/postgres$/, 'nowhere'), ...from]);
  database.query('CREATE SCHEMA overround; CREATE TABLE overround.odds (id int)');
  const taken = sinkProcess(t, [database.url, ...from]);
  for (const [sink, line] of [
    [nowhere, /^overround: the database refuses: database "nowhere" does not exist\n$/],
    [taken, /^overround: the database refuses: relation "odds" already exists\n$/],
  ] as const) {
    sink.begin();
    assert.equal(await sink.ended(), 1);
    assert.match(sink.said(), line);
  }
});
