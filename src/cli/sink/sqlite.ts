// SQLite, by Node's own module (22.5 and newer): a cut is a transaction of prepared statements.
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { formatUs, parseTimeUs } from '../../base/model/time.js';
import { type Fields, type Identity, type Part, splitRemovals } from './part-builder.js';
import { type ColumnType, columnsOf, TABLE_NAMES, TABLES, type TableName } from './tables.js';
import { goneAt, type Kept, type Note, SinkError, type Target } from './target.js';

type Value = string | number | null;

/** What is used of `node:sqlite`, which the oldest Node that is supported does not have. */
interface Statement {
  run(...values: Value[]): unknown;
  get(...values: Value[]): Record<string, unknown> | undefined;
  all(...values: Value[]): Record<string, unknown>[];
}
interface Database {
  exec(text: string): void;
  prepare(text: string): Statement;
  close(): void;
}
interface SqliteModule {
  DatabaseSync: new (path: string) => Database;
}
const MODULE = 'node:sqlite';

/** Times are texts in UTC, which sort as times do; true and false are 1 and 0. */
const TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'TEXT',
  number: 'REAL',
  integer: 'INTEGER',
  boolean: 'INTEGER',
  time: 'TEXT',
  json: 'TEXT',
};

const SCHEMA = `${TABLE_NAMES.map(tableOf).join(';\n')};
  CREATE INDEX odds_event ON odds (event_id);
  CREATE INDEX odds_changes_event ON odds_changes (event_id, at);
  CREATE TABLE sink (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, event TEXT NOT NULL, position INTEGER, reason TEXT, before INTEGER,
    filters TEXT, at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')), changes_position INTEGER
  );
  CREATE UNIQUE INDEX sink_position ON sink (name) WHERE event = 'position'`;
/** What files of earlier releases lack: of version 1, of version 2 … */
const MIGRATIONS: readonly string[] = [
  'ALTER TABLE sink ADD COLUMN changes_position INTEGER',
  'ALTER TABLE odds ADD COLUMN commission TEXT',
];
const VERSION = MIGRATIONS.length + 1;

function tableOf(name: TableName): string {
  const lines = Object.entries(TABLES[name].columns).map(([column, type]) => `${column} ${TYPES[type]}`);
  return `CREATE TABLE ${name} (${[...lines, `PRIMARY KEY (${TABLES[name].key.join(', ')})`].join(', ')})`;
}

/** How long another program may hold the file (ms). */
const BUSY_MS = 30_000;
const PRICE = ['line', 'odds_american', 'odds_decimal', 'odds_probability', 'is_live', 'is_active', 'odds_changed_at'];
const CHANGES = columnsOf('odds_changes');

export class Sqlite implements Target {
  readonly #path: string;
  readonly #name: string;
  #filters = '';
  #db: Database | undefined;
  readonly #statements = new Map<string, Statement>();
  #begun = false;
  #restarted = false;

  constructor(path: string, name: string) {
    this.#path = path;
    this.#name = name;
  }

  async open(filters: string): Promise<Kept> {
    this.#filters = filters;
    const module = (await import(MODULE).catch(() => undefined)) as SqliteModule | undefined;
    if (module === undefined) {
      const needs = 'Node 22.13 or newer, or 22.5 with NODE_OPTIONS=--experimental-sqlite';
      throw new SinkError(`sqlite: needs ${needs}, and this is ${process.versions.node}`);
    }
    return this.#tried(() => {
      const db = new module.DatabaseSync(this.#path);
      this.#db = db;
      db.exec(
        `PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN IMMEDIATE`,
      );
      const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
      if (version > VERSION) throw new SinkError(`${this.#path} is of a newer release (version ${version})`);
      for (const migration of version === 0 ? [SCHEMA] : MIGRATIONS.slice(version - 1)) db.exec(migration);
      db.exec(`PRAGMA user_version = ${VERSION}; COMMIT`);
      const kept = db
        .prepare(`SELECT position, filters, changes_position FROM sink WHERE name = ? AND event = 'position'`)
        .get(this.#name);
      const open = db
        .prepare(
          `SELECT kind, id, event_id, sport, league, market_type FROM (
             SELECT *, row_number() OVER (PARTITION BY kind, id ORDER BY at DESC, change <> 'expired') AS place
             FROM opportunities WHERE sink = ?1) WHERE place = 1 AND change <> 'expired'
           UNION ALL SELECT 'moves', id, event_id, sport, league, market_type FROM moves
             WHERE sink = ?1 AND expired_at IS NULL`,
        )
        .all(this.#name);
      return {
        position: (kept?.['position'] as number | undefined) ?? null,
        changes: (kept?.['changes_position'] as number | null | undefined) ?? null,
        filters: (kept?.['filters'] as string | undefined) ?? null,
        open: open as unknown as Identity[],
      };
    });
  }

  async restart(): Promise<void> {
    this.#tried(() => {
      this.#begin();
      if (!this.#restarted) this.#run('CREATE TEMP TABLE before_restart AS SELECT * FROM odds WHERE false');
      // Where a snapshot was not finished: what of it was written may be gone, too.
      this.#run('DELETE FROM before_restart WHERE id IN (SELECT id FROM odds WHERE sink = ?)', this.#name);
      this.#run('INSERT INTO before_restart SELECT * FROM odds WHERE sink = ?', this.#name);
      this.#run('DELETE FROM odds WHERE sink = ?', this.#name);
      this.#restarted = true;
    });
  }

  async write(part: Part): Promise<void> {
    this.#tried(() => {
      this.#begin();
      for (const row of part.put) {
        // A row that went and came again before the position that told it: its removal was before it came.
        const leftAt = formatUs((parseTimeUs(row.odds_changed_at) ?? 0) - 1);
        const late = "odds_id = ? AND change = 'removed' AND at >= ?";
        this.#run(`UPDATE OR IGNORE odds_changes SET at = ? WHERE ${late}`, leftAt, row.id, row.odds_changed_at);
        this.#put('events', row);
        this.#put('odds', { ...row, sink: this.#name });
        const change = { ...row, at: row.odds_changed_at, odds_id: row.id, change: 'added' };
        this.#put('odds_changes', change, 'DO NOTHING');
      }
      const moved = PRICE.map((column) => `${column} = ?`).join(', ');
      for (const delta of part.changed) {
        const fields = delta as Fields;
        this.#run(`UPDATE odds SET ${moved} WHERE id = ?`, ...PRICE.map((name) => stored(fields[name])), delta.id);
        this.#run(
          `INSERT INTO odds_changes (${CHANGES.join(', ')}) SELECT ${CHANGES.map(changeColumn).join(', ')}
             FROM odds WHERE id = ? ON CONFLICT DO NOTHING`,
          delta.odds_changed_at,
          'updated',
          stored(delta.odds_american_previous),
          delta.id,
        );
      }
      for (const { id, at } of part.removed) {
        this.#left('odds WHERE id = ?', at, id);
        this.#run('DELETE FROM odds WHERE id = ?', id);
      }
      for (const row of part.opportunities) this.#put('opportunities', row, 'DO NOTHING');
      for (const row of part.moves) this.#put('moves', row);
      for (const row of part.results) this.#put('results', row);
      for (const { id, at } of part.movesOver) this.#run('UPDATE moves SET expired_at = ? WHERE id = ?', at, id);
    });
  }

  async fill(rows: readonly Fields[], upTo: number | null, notes: readonly Note[]): Promise<void> {
    this.#tried(() => {
      this.#begin();
      const value = (column: string) =>
        column === 'odds_american_previous'
          ? '(SELECT odds_american FROM odds_changes WHERE odds_id = ? AND at < ? ORDER BY at DESC LIMIT 1)'
          : '?';
      const insert = `INSERT INTO odds_changes (${CHANGES.join(', ')}) VALUES (${CHANGES.map(value).join(', ')})
        ON CONFLICT DO NOTHING`;
      const [removed, told] = splitRemovals(rows);
      for (const row of told) {
        const { odds_id, at } = row;
        const values = CHANGES.flatMap((column) =>
          column === 'odds_american_previous' ? [stored(odds_id), stored(at)] : [stored(row[column])],
        );
        this.#run(insert, ...values);
        const justBefore = formatUs((parseTimeUs(at) ?? 0) - 1);
        this.#run(
          `DELETE FROM odds_changes WHERE odds_id = ? AND at = ? AND change = 'removed'`,
          ...[stored(odds_id), justBefore],
        );
      }
      for (const { odds_id, at } of removed) {
        const id = stored(odds_id);
        this.#run(
          `DELETE FROM odds_changes WHERE odds_id = ? AND change = 'removed' AND at > coalesce(
             (SELECT max(at) FROM odds_changes WHERE odds_id = ? AND at < ? AND change <> 'removed'), '') AND at < coalesce(
             (SELECT min(at) FROM odds_changes WHERE odds_id = ? AND at > ? AND change <> 'removed'), '9999')`,
          ...[id, id, stored(at), id, stored(at)],
        );
        const before = `odds_changes WHERE odds_id = ? AND at < ? AND change <> 'removed' ORDER BY at DESC LIMIT 1`;
        this.#left(`(SELECT odds_id AS id, * FROM ${before}) WHERE true`, String(at), id, stored(at));
      }
      this.#note(upTo, notes);
      this.#run(`UPDATE sink SET changes_position = ? WHERE name = ? AND event = 'position'`, upTo, this.#name);
      this.#run('COMMIT');
      this.#over();
    });
  }

  async commit(position: number, notes: readonly Note[]): Promise<void> {
    this.#tried(() => {
      this.#begin();
      if (this.#restarted) {
        this.#left('before_restart WHERE id NOT IN (SELECT id FROM odds)', goneAt(position, notes));
        this.#run('DROP TABLE before_restart');
        this.#statements.clear();
      }
      this.#note(position, notes);
      this.#run(
        `INSERT INTO sink (name, event, position, filters) VALUES (?, 'position', ?, ?)
           ON CONFLICT (name) WHERE event = 'position'
           DO UPDATE SET position = excluded.position, filters = excluded.filters, at = strftime('%Y-%m-%dT%H:%M:%fZ')`,
        ...[this.#name, position, this.#filters],
      );
      this.#run('COMMIT');
      this.#over();
    });
  }

  async close(): Promise<void> {
    this.#statements.clear();
    this.#db?.close();
    this.#db = undefined;
    this.#over();
  }

  #note(position: number | null, notes: readonly Note[]): void {
    for (const { event, reason, before } of notes)
      this.#run(
        'INSERT INTO sink (name, event, position, reason, before, filters) VALUES (?, ?, ?, ?, ?, ?)',
        ...[this.#name, event, position, reason, before, this.#filters],
      );
  }

  #over(): void {
    this.#begun = false;
    this.#restarted = false;
  }

  #begin(): void {
    if (!this.#begun) this.#run('BEGIN IMMEDIATE');
    this.#begun = true;
  }

  /** The last change of rows that are not there any more. */
  #left(from: string, at: string, ...values: Value[]): void {
    this.#run(
      `INSERT INTO odds_changes (${CHANGES.join(', ')}) SELECT ${CHANGES.map(changeColumn).join(', ')} FROM ${from} ON CONFLICT DO NOTHING`,
      ...[at, 'removed', null, ...values],
    );
  }

  #put(table: TableName, row: object, conflict?: string): void {
    const columns = columnsOf(table);
    const { key } = TABLES[table];
    const others = columns.filter((column) => !(key as readonly string[]).includes(column));
    const update = `DO UPDATE SET ${others.map((column) => `${column} = excluded.${column}`).join(', ')}`;
    this.#run(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
         ON CONFLICT (${key.join(', ')}) ${conflict ?? update}`,
      ...columns.map((column) => stored((row as Fields)[column])),
    );
  }

  #run(text: string, ...values: Value[]): void {
    const statement = getOrInsert(this.#statements, text, () => this.#db!.prepare(text));
    statement.run(...values);
  }

  #tried<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw error instanceof SinkError ? error : new SinkError(`${this.#path}: ${(error as Error).message}`);
    }
  }
}

/** A column of a change as read from its row: time, kind and the price before are given. */
function changeColumn(column: string): string {
  if (column === 'at' || column === 'change' || column === 'odds_american_previous') return '?';
  return column === 'odds_id' ? 'id' : column;
}

function stored(value: unknown): Value {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number);
}
