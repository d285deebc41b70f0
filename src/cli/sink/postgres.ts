// PostgreSQL: a cut is a transaction. Rows travel as one JSON text a table and statement, which the database takes apart
// itself: as fast as COPY for rows of this width, and with conflicts resolved in the same statement.
import pg from 'pg';
import { type Fields, type Identity, type Part, type Removal, splitRemovals } from './part-builder.js';
import { type ColumnType, columnsOf, TABLE_NAMES, TABLES, type TableName } from './tables.js';
import { goneAt, type Kept, type Note, SinkError, type Target, TargetGone } from './target.js';

const TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  number: 'numeric',
  integer: 'bigint',
  boolean: 'boolean',
  time: 'timestamptz',
  json: 'jsonb',
};

const wholeSchema = (schema: string): string => `
  ${TABLE_NAMES.map((name) => tableOf(schema, name)).join(';\n')};
  CREATE INDEX odds_event ON ${schema}.odds (event_id);
  CREATE INDEX odds_changes_event ON ${schema}.odds_changes (event_id, at);
  CREATE INDEX opportunities_id ON ${schema}.opportunities (kind, id, at DESC);
  CREATE TABLE ${schema}.sink (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    event text NOT NULL,
    position bigint,
    reason text,
    before bigint,
    filters text,
    at timestamptz NOT NULL DEFAULT now(),
    changes_position bigint
  );
  CREATE UNIQUE INDEX sink_position ON ${schema}.sink (name) WHERE event = 'position'`;
/** What schemas of earlier releases lack: of version 1, of version 2 … */
const MIGRATIONS: readonly ((schema: string) => string)[] = [
  (schema) => `ALTER TABLE ${schema}.sink ADD COLUMN changes_position bigint`,
  (schema) => `ALTER TABLE ${schema}.odds ADD COLUMN commission jsonb`,
];
const VERSION = MIGRATIONS.length + 1;

function tableOf(schema: string, name: TableName): string {
  const { columns, key } = TABLES[name];
  const lines = Object.entries(columns).map(([column, type]) => `${column} ${TYPES[type]}`);
  return `CREATE TABLE ${schema}.${name} (${[...lines, `PRIMARY KEY (${key.join(', ')})`].join(', ')})`;
}

/** SQLSTATEs and codes of the system that pass: connection, resources, operator, lock. */
const PASSING =
  /^(?:08\w{3}|57P0[1-5]|53[03]\w{2}|40001|40P01|55P03|E(?:CONN\w+|PIPE|HOSTUNREACH|NETUNREACH|TIMEDOUT|AI_AGAIN|NOTFOUND))$/;
/** Of changes that are filled in. */
const STATEMENT_ROWS = 5_000;
/** A session that was killed lets go of its lock once the database has noticed. */
const LOCK_WAIT = '30s';

export class Postgres implements Target {
  readonly #url: string;
  readonly #name: string;
  readonly #schema: string;
  #client: pg.Client | undefined;
  #filters = '';
  /** Of the transaction under way, where there is one. */
  #begun = false;
  #restarted = false;

  constructor(url: string, name: string, schema: string) {
    this.#url = url;
    this.#name = name;
    this.#schema = pg.escapeIdentifier(schema);
  }

  async open(filters: string): Promise<Kept> {
    this.#filters = filters;
    const client = new pg.Client({ connectionString: this.#url, application_name: 'overround sink', keepAlive: true });
    // Its loss is told by the next query.
    client.on('error', () => undefined);
    this.#client = client;
    await this.#tried(() => client.connect());
    await this.#query(`SET lock_timeout = '${LOCK_WAIT}'; SET client_min_messages = warning`);
    await this.#migrate();
    await this.#tried(async () => {
      const key = `overround sink ${this.#schema} ${this.#name}`;
      await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [key]);
    });
    const schema = this.#schema;
    const [kept] = await this.#query(
      `SELECT position::text, filters, changes_position::text AS changes FROM ${schema}.sink WHERE name = $1 AND event = 'position'`,
      [this.#name],
    );
    const identity = 'kind, id, event_id, sport, league, market_type';
    const open = await this.#query(
      `SELECT ${identity} FROM (SELECT DISTINCT ON (kind, id) ${identity}, change FROM ${schema}.opportunities
         WHERE sink = $1 ORDER BY kind, id, at DESC, change <> 'expired') AS last WHERE change <> 'expired'
       UNION ALL SELECT 'moves', id, event_id, sport, league, market_type FROM ${schema}.moves
         WHERE sink = $1 AND expired_at IS NULL`,
      [this.#name],
    );
    const numberOf = (column: string) => ((kept?.[column] ?? null) === null ? null : Number(kept![column]));
    return {
      position: numberOf('position'),
      changes: numberOf('changes'),
      filters: (kept?.['filters'] as string | null | undefined) ?? null,
      open: open as unknown as Identity[],
    };
  }

  async #migrate(): Promise<void> {
    const schema = this.#schema;
    await this.#query(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('overround sink migration', 0))`);
    await this.#query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await this.#query(`CREATE TABLE IF NOT EXISTS ${schema}.sink_version (version integer NOT NULL)`);
    const [found] = await this.#query(`SELECT max(version) AS version FROM ${schema}.sink_version`);
    const version = Number(found?.['version'] ?? 0);
    if (version > VERSION) throw new SinkError(`the schema is of a newer release (version ${version})`);
    for (const migration of version === 0 ? [wholeSchema] : MIGRATIONS.slice(version - 1))
      await this.#query(migration(schema));
    if (version < VERSION) await this.#query(`INSERT INTO ${schema}.sink_version VALUES (${VERSION})`);
    const timescale = await this.#query(`SELECT 1 FROM pg_extension WHERE extname = 'timescaledb'`);
    if (timescale.length > 0)
      for (const name of TABLE_NAMES) {
        const { time } = TABLES[name] as { time?: string };
        if (time === undefined) continue;
        await this.#query(`SELECT create_hypertable($1, $2, if_not_exists => true, migrate_data => true)`, [
          `${schema}.${name}`,
          time,
        ]);
      }
    await this.#query('COMMIT');
  }

  async restart(): Promise<void> {
    await this.#begin();
    const odds = `${this.#schema}.odds`;
    if (!this.#restarted)
      await this.#query(`CREATE TEMP TABLE before_restart ON COMMIT DROP AS SELECT * FROM ${odds} WHERE false`);
    // Where a snapshot was not finished: what of it was written may be gone, too.
    await this.#query(`DELETE FROM before_restart AS g USING ${odds} AS o WHERE o.id = g.id AND o.sink = $1`, [
      this.#name,
    ]);
    await this.#query(
      `WITH gone AS (DELETE FROM ${odds} WHERE sink = $1 RETURNING *) INSERT INTO before_restart SELECT * FROM gone`,
      [this.#name],
    );
    this.#restarted = true;
  }

  async write(part: Part): Promise<void> {
    await this.#begin();
    if (part.put.length > 0) await this.#put(part.put.map((row) => ({ ...row, sink: this.#name })));
    if (part.changed.length > 0) await this.#change(part.changed);
    if (part.removed.length > 0) await this.#remove(part.removed);
    await this.#insert('opportunities', part.opportunities, 'DO NOTHING');
    await this.#insert('moves', lastOf(part.moves, 'id'), updating('moves'));
    if (part.movesOver.length > 0)
      await this.#query(
        `UPDATE ${this.#schema}.moves AS m SET expired_at = r.at
           FROM json_to_recordset($1) AS r(id text, at timestamptz) WHERE m.id = r.id`,
        [JSON.stringify(part.movesOver)],
      );
    await this.#insert('results', lastOf(part.results, 'event_id', 'revision'), updating('results'));
  }

  async #put(rows: readonly object[]): Promise<void> {
    const schema = this.#schema;
    const odds = columnsOf('odds');
    const events = columnsOf('events');
    const changes = columnsOf('odds_changes');
    const change = changes.map(
      (column) => ({ at: 'odds_changed_at', odds_id: 'id', change: `'added'` })[column] ?? column,
    );
    const types = { ...TABLES.events.columns, ...TABLES.odds.columns, odds_american_previous: 'number' as const };
    // A row that went and came again before the position that told it: its removal was before it came.
    await this.#query(
      `WITH told AS MATERIALIZED (SELECT * FROM json_to_recordset($1) AS r(id text, odds_changed_at timestamptz)),
       late AS (DELETE FROM ${schema}.odds_changes AS c USING told
         WHERE c.odds_id = told.id AND c.change = 'removed' AND c.at >= told.odds_changed_at
         RETURNING c.*, told.odds_changed_at - interval '1 microsecond' AS left_at)
       INSERT INTO ${schema}.odds_changes (${changes.join(', ')})
         SELECT ${changes.map((column) => (column === 'at' ? 'left_at' : column)).join(', ')} FROM late
         ON CONFLICT DO NOTHING`,
      [JSON.stringify(rows)],
    );
    await this.#query(
      `WITH told AS MATERIALIZED (SELECT * FROM json_to_recordset($1) AS r(${recordOf(types)})),
       rows AS MATERIALIZED (SELECT DISTINCT ON (id) * FROM told ORDER BY id, odds_changed_at DESC),
       games AS (INSERT INTO ${schema}.events (${events.join(', ')})
         SELECT DISTINCT ON (event_id) ${events.join(', ')} FROM rows ORDER BY event_id, odds_changed_at DESC
         ON CONFLICT (event_id) DO UPDATE SET ${excluded(events, ['event_id'])}),
       prices AS (INSERT INTO ${schema}.odds (${odds.join(', ')}) SELECT ${odds.join(', ')} FROM rows
         ON CONFLICT (id) DO UPDATE SET ${excluded(odds, ['id'])})
       INSERT INTO ${schema}.odds_changes (${changes.join(', ')}) SELECT ${change.join(', ')} FROM told
         ON CONFLICT DO NOTHING`,
      [JSON.stringify(rows)],
    );
  }

  async #change(deltas: readonly object[]): Promise<void> {
    const schema = this.#schema;
    const moved = ['line', 'odds_american', 'odds_decimal', 'odds_probability', 'is_live', 'is_active'];
    const changes = columnsOf('odds_changes');
    const value = (column: string): string => {
      if (column === 'at') return 'd.odds_changed_at';
      if (column === 'change') return `'updated'`;
      if (column === 'odds_id' || moved.includes(column) || column === 'odds_american_previous')
        return `d.${column === 'odds_id' ? 'id' : column}`;
      return `o.${column}`;
    };
    const types = { ...pickTypes(['id', ...moved, 'odds_changed_at']), odds_american_previous: 'number' as const };
    await this.#query(
      `WITH told AS MATERIALIZED (SELECT * FROM json_to_recordset($1) AS r(${recordOf(types)})),
       last AS (SELECT DISTINCT ON (id) * FROM told ORDER BY id, odds_changed_at DESC),
       prices AS (UPDATE ${schema}.odds AS o SET odds_changed_at = last.odds_changed_at,
         ${moved.map((column) => `${column} = last.${column}`).join(', ')} FROM last WHERE o.id = last.id)
       INSERT INTO ${schema}.odds_changes (${changes.join(', ')})
         SELECT ${changes.map(value).join(', ')} FROM told AS d JOIN ${schema}.odds AS o ON o.id = d.id
         ON CONFLICT DO NOTHING`,
      [JSON.stringify(deltas)],
    );
  }

  async #remove(removed: readonly Removal[]): Promise<void> {
    const changes = columnsOf('odds_changes');
    await this.#query(
      `WITH told AS MATERIALIZED (SELECT DISTINCT ON (id) * FROM json_to_recordset($1) AS r(id text, at timestamptz)),
       gone AS (DELETE FROM ${this.#schema}.odds AS o USING told WHERE o.id = told.id RETURNING o.*, told.at)
       INSERT INTO ${this.#schema}.odds_changes (${changes.join(', ')}) SELECT ${leaving('g.at')} FROM gone AS g
         ON CONFLICT DO NOTHING`,
      [JSON.stringify(removed)],
    );
  }

  async fill(rows: readonly Fields[], upTo: number | null, notes: readonly Note[]): Promise<void> {
    await this.#begin();
    const schema = this.#schema;
    const changes = columnsOf('odds_changes');
    const previous = `coalesce(lag(r.odds_american) OVER (PARTITION BY r.odds_id ORDER BY r.at),
      (SELECT c.odds_american FROM ${schema}.odds_changes AS c WHERE c.odds_id = r.odds_id AND c.at < r.at
        ORDER BY c.at DESC LIMIT 1))`;
    const value = (column: string) => (column === 'odds_american_previous' ? previous : `r.${column}`);
    const [removed, told] = splitRemovals(rows);
    for (let from = 0; from < told.length; from += STATEMENT_ROWS)
      await this.#query(
        `WITH r AS MATERIALIZED (SELECT * FROM json_to_recordset($1) AS r(${recordOf(TABLES.odds_changes.columns)})),
         late AS (DELETE FROM ${schema}.odds_changes AS c USING r
           WHERE c.odds_id = r.odds_id AND c.change = 'removed' AND c.at = r.at - interval '1 microsecond')
         INSERT INTO ${schema}.odds_changes (${changes.join(', ')})
           SELECT ${changes.map(value).join(', ')} FROM r
           ON CONFLICT DO NOTHING`,
        [JSON.stringify(told.slice(from, from + STATEMENT_ROWS))],
      );
    // Of one that a snapshot lacked, or a position told late, the instant is known only now.
    for (let from = 0; from < removed.length; from += STATEMENT_ROWS)
      await this.#query(
        `WITH r AS MATERIALIZED (SELECT * FROM json_to_recordset($1) AS r(odds_id text, at timestamptz)),
         late AS (DELETE FROM ${schema}.odds_changes AS c USING r
           WHERE c.odds_id = r.odds_id AND c.change = 'removed' AND c.at <> r.at
             AND NOT EXISTS (SELECT 1 FROM r AS q WHERE q.odds_id = c.odds_id AND q.at = c.at)
             AND c.at > coalesce((SELECT max(p.at) FROM ${schema}.odds_changes AS p
               WHERE p.odds_id = r.odds_id AND p.at < r.at AND p.change <> 'removed'), '-infinity')
             AND c.at < coalesce((SELECT min(n.at) FROM ${schema}.odds_changes AS n
               WHERE n.odds_id = r.odds_id AND n.at > r.at AND n.change <> 'removed'), 'infinity'))
         INSERT INTO ${schema}.odds_changes (${changes.join(', ')})
           SELECT ${leaving('r.at', 'g.odds_id')} FROM r CROSS JOIN LATERAL (SELECT * FROM ${schema}.odds_changes AS c
             WHERE c.odds_id = r.odds_id AND c.at < r.at AND c.change <> 'removed' ORDER BY c.at DESC LIMIT 1) AS g
           ON CONFLICT DO NOTHING`,
        [JSON.stringify(removed.slice(from, from + STATEMENT_ROWS))],
      );
    await this.#note(upTo, notes);
    await this.#query(`UPDATE ${schema}.sink SET changes_position = $2 WHERE name = $1 AND event = 'position'`, [
      this.#name,
      upTo,
    ]);
    await this.#query('COMMIT');
    this.#over();
  }

  async #note(position: number | null, notes: readonly Note[]): Promise<void> {
    for (const { event, reason, before } of notes)
      await this.#query(
        `INSERT INTO ${this.#schema}.sink (name, event, position, reason, before, filters) VALUES ($1, $2, $3, $4, $5, $6)`,
        [this.#name, event, position, reason, before, this.#filters],
      );
  }

  async commit(position: number, notes: readonly Note[]): Promise<void> {
    await this.#begin();
    if (this.#restarted)
      await this.#query(
        `INSERT INTO ${this.#schema}.odds_changes (${columnsOf('odds_changes').join(', ')})
           SELECT ${leaving('$1::timestamptz')} FROM before_restart AS g
           WHERE NOT EXISTS (SELECT 1 FROM ${this.#schema}.odds AS o WHERE o.id = g.id) ON CONFLICT DO NOTHING`,
        [goneAt(position, notes)],
      );
    await this.#note(position, notes);
    await this.#query(
      `INSERT INTO ${this.#schema}.sink (name, event, position, filters) VALUES ($1, 'position', $2, $3)
         ON CONFLICT (name) WHERE event = 'position' DO UPDATE SET position = $2, filters = $3, at = clock_timestamp()`,
      [this.#name, position, this.#filters],
    );
    await this.#query('COMMIT');
    this.#over();
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#over();
    // A connection that is gone has nothing more to end.
    await client?.end().catch(() => undefined);
  }

  #over(): void {
    this.#begun = false;
    this.#restarted = false;
  }

  async #begin(): Promise<void> {
    if (this.#begun) return;
    await this.#query('BEGIN');
    this.#begun = true;
  }

  async #insert(table: TableName, rows: readonly object[], conflict: string): Promise<void> {
    if (rows.length === 0) return;
    const columns = columnsOf(table);
    const { key } = TABLES[table];
    await this.#query(
      `INSERT INTO ${this.#schema}.${table} (${columns.join(', ')})
         SELECT ${columns.join(', ')} FROM json_to_recordset($1) AS r(${recordOf(TABLES[table].columns)})
         ON CONFLICT (${key.join(', ')}) ${conflict}`,
      [JSON.stringify(rows)],
    );
  }

  async #query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
    return await this.#tried(async () => {
      const client = this.#client;
      if (client === undefined) throw new TargetGone('the database was let go');
      const answer = await client.query(text, values);
      return (answer.rows ?? []) as Record<string, unknown>[];
    });
  }

  async #tried<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof SinkError || thrown instanceof TargetGone) throw thrown;
      const { code = '', message } = thrown as Error & { code?: string };
      if (PASSING.test(code) || /^(?:Connection terminated|Client has encountered|timeout expired)/.test(message))
        throw new TargetGone(message || code);
      throw new SinkError(`the database refuses: ${message}`);
    }
  }
}

/** The last change of rows `g` that are not there any more. */
function leaving(at: string, id = 'g.id'): string {
  const own = new Map([
    ['at', at],
    ['odds_id', id],
    ['change', "'removed'"],
    ['odds_american_previous', 'NULL'],
  ]);
  return columnsOf('odds_changes')
    .map((column) => own.get(column) ?? `g.${column}`)
    .join(', ');
}

function recordOf(columns: Readonly<Record<string, ColumnType>>): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${TYPES[type]}`)
    .join(', ');
}

function pickTypes(names: readonly string[]): Record<string, ColumnType> {
  const known: Readonly<Record<string, ColumnType>> = TABLES.odds.columns;
  return Object.fromEntries(names.map((name) => [name, known[name]!]));
}

function excluded(columns: readonly string[], without: readonly string[]): string {
  return columns
    .filter((column) => !without.includes(column))
    .map((column) => `${column} = excluded.${column}`)
    .join(', ');
}

function updating(table: TableName): string {
  return `DO UPDATE SET ${excluded(columnsOf(table), TABLES[table].key)}`;
}

/** A statement may touch a row once. */
export function lastOf(rows: readonly Readonly<Record<string, unknown>>[], ...key: string[]): object[] {
  return [...new Map(rows.map((row) => [key.map((name) => String(row[name])).join(' '), row])).values()];
}
