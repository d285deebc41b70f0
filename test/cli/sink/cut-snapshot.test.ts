// A connection that is lost within a large snapshot: what was written of it is begun anew, in the same transaction.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatUs } from '../../../src/base/model/time.js';
import { Ndjson } from '../../../src/cli/sink/ndjson.js';
import { Part } from '../../../src/cli/sink/part-builder.js';
import { Sqlite } from '../../../src/cli/sink/sqlite.js';
import type { OddsRow } from '../../../src/client/client.js';
import { newFolder } from '../../temp-folders.js';
import { cutSnapshots } from './cut-snapshot.js';

type Fields = Record<string, unknown>;
interface Database {
  prepare(text: string): { all(): Fields[] };
  close(): void;
}
const MODULE = 'node:sqlite';
const sqlite = (await import(MODULE).catch(() => undefined)) as
  | { DatabaseSync: new (path: string, options?: object) => Database }
  | undefined;

const cutSnapshot = cutSnapshots();

test('lines: a snapshot that is begun anew is told of once, and its last telling is whole', async (t) => {
  let lines: Fields[] = [];
  const target = new Ndjson(async (text) => {
    lines = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Fields);
  }, null);
  const { standing } = await cutSnapshot(t, target, 'lines');
  const told = lines.filter(({ table }) => table === 'sink').map(({ event }) => event);
  assert.deepEqual(told, ['snapshot', 'snapshot', 'started', 'position']);
  const anew = lines.findLastIndex(({ event }) => event === 'snapshot');
  const ids = lines.slice(anew).filter(({ table }) => table === 'odds');
  assert.equal(new Set(ids.map(({ id }) => id)).size, standing);
});

test('SQLite: it has what stands, and the removal of what was told and went meanwhile', {
  skip: !sqlite && 'this Node has no node:sqlite',
}, async (t) => {
  const file = join(newFolder('overround-sink-'), 'odds.db');
  const { standing } = await cutSnapshot(t, new Sqlite(file, 'main'), 'main');
  const database = new sqlite!.DatabaseSync(file, { readOnly: true });
  t.after(() => database.close());
  const query = (text: string): Fields[] =>
    database
      .prepare(text)
      .all()
      .map((row) => ({ ...row }));
  assert.deepEqual(query('SELECT count(*) AS count FROM odds'), [{ count: standing }]);
  assert.deepEqual(query('SELECT event, count(*) AS count FROM sink GROUP BY event ORDER BY event'), [
    { event: 'position', count: 1 },
    { event: 'started', count: 1 },
  ]);
  const [{ told, gone } = {}] = query(`SELECT count(*) AS told, sum(change = 'removed') AS gone FROM odds_changes c
    WHERE at = (SELECT max(at) FROM odds_changes WHERE odds_id = c.odds_id)`);
  assert.ok(Number(gone) > 0);
  assert.equal(Number(told) - Number(gone), standing);
  assert.deepEqual(
    query("SELECT odds_id FROM odds_changes WHERE change = 'removed' AND odds_id IN (SELECT id FROM odds)"),
    [],
  );
});

test('SQLite: what a server from a backup lacks was removed after all that was told of it', {
  skip: !sqlite && 'this Node has no node:sqlite',
}, async (t) => {
  const file = join(newFolder('overround-sink-'), 'odds.db');
  const target = new Sqlite(file, 'main');
  const begin = 1_795_197_600_000_000;
  await target.open('{}');
  const part = new Part();
  part.put.push({ id: '1', odds_changed_at: formatUs(begin + 9) } as OddsRow);
  await target.write(part);
  await target.commit(begin + 9, []);
  await target.restart();
  await target.commit(begin + 5, [{ event: 'restated', reason: 'unknown_position', before: begin + 9 }]);
  await target.close();
  const database = new sqlite!.DatabaseSync(file, { readOnly: true });
  t.after(() => database.close());
  const changes = database.prepare('SELECT change FROM odds_changes ORDER BY at').all();
  assert.deepEqual(
    changes.map(({ change }) => change),
    ['added', 'removed'],
  );
});
