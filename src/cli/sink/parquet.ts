// Parquet files by table and hour: DIR/odds_changes/hour=2026-11-29T18/FROM-TO.parquet, between two positions. A file is
// complete when it has its name. DIR/sink.json says up to which position files count; what an unfinished run left beyond
// it is removed at the next start. Changes of prices that come from the server's history are in files of their own.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteFile } from 'hyparquet-writer';
import { parseTimeUs } from '../../base/model/time.js';
import { type Fields, type Identity, type Part, timeOf } from './part-builder.js';
import { type ColumnType, TABLE_NAMES, TABLES, type TableName } from './tables.js';
import { type Kept, type Note, SinkError, type Target } from './target.js';

type Schema = NonNullable<Parameters<typeof parquetWriteFile>[0]['schema']>;

const TYPES: Readonly<Record<ColumnType, Omit<Schema[number], 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  time: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON' },
};

/** A file of fewer rows than these waits for more, so long (ms). */
const FILE_ROWS = 100_000;

/** After the name in that of a file of such changes: no name contains it, as it is encoded. */
const OF_HISTORY = '+history';

interface State {
  name: string;
  position: number;
  /** The last TO in the names of files; absent if that is the position. A server may begin again at an earlier one. */
  named?: number;
  /** Up to there every change is written; absent if it is not known to be. */
  changes?: number | null;
  filters: string;
  open: Identity[];
  /** Rows that were told as they stood after the position already, and when they changed (µs): they may come again. */
  ahead: [id: string, us: number][];
  notes: (Note & { position: number; at: string })[];
}

type Hours = Map<string, { table: TableName; hour: string; rows: Fields[] }>;

export class Parquet implements Target {
  readonly #dir: string;
  readonly #name: string;
  readonly #everyMs: number;
  readonly #now: () => number;
  #state: State | undefined;
  /** What this process read or wrote last: where its file has another one, somebody else writes, too. */
  #stateText: string | undefined;
  #filters = '';
  /** Rows of whole cuts, by table and hour. */
  #rows: Hours = new Map();
  /** Changes from the server's history: while they come, those of the stream are not written. */
  #history: Hours = new Map();
  #changes: number | null = null;
  #count = 0;
  /** Rows of the cut under way. */
  #cut: [table: TableName, row: Fields][] = [];
  readonly #open = new Map<string, Identity>();
  /** The newest change of each row that was written (µs). */
  readonly #seen = new Map<string, number>();
  /** A snapshot tells again what was written up to here. */
  #before = 0;
  #reached: number | null = null;
  #notes: State['notes'] = [];
  #writtenMs: number;

  /** @param everyMs at most so long is between a change and the file that has it */
  constructor(dir: string, name: string, everyMs: number, now: () => number) {
    this.#dir = dir;
    this.#name = name;
    this.#everyMs = everyMs;
    this.#now = now;
    this.#writtenMs = now();
  }

  get #stateFile(): string {
    return join(this.#dir, `sink-${encodeURIComponent(this.#name)}.json`);
  }

  async open(filters: string): Promise<Kept> {
    this.#filters = filters;
    try {
      mkdirSync(this.#dir, { recursive: true });
      this.#stateText = this.#storedState();
      this.#state = this.#stateText === undefined ? undefined : (JSON.parse(this.#stateText) as State);
      this.#removeBeyond(this.#named ?? Number.NEGATIVE_INFINITY, this.#state?.changes ?? undefined);
    } catch (error) {
      throw new SinkError((error as Error).message);
    }
    const { position = null, open = [], notes = [], ahead = [] } = this.#state ?? {};
    this.#forget();
    this.#open.clear();
    this.#seen.clear();
    for (const [id, us] of ahead) this.#seen.set(id, us);
    this.#before = 0;
    for (const identity of open) this.#open.set(`${identity.kind} ${identity.id}`, identity);
    this.#notes = notes;
    this.#changes = this.#state?.changes ?? null;
    return { position, changes: this.#changes, filters: this.#state?.filters ?? null, open };
  }

  #storedState(): string | undefined {
    return existsSync(this.#stateFile) ? readFileSync(this.#stateFile, 'utf8') : undefined;
  }

  get #named(): number | undefined {
    return this.#state?.named ?? this.#state?.position;
  }

  /** What a run wrote and did not come to count. */
  #removeBeyond(position: number, changes = position): void {
    for (const table of TABLE_NAMES) {
      const folder = join(this.#dir, table);
      if (!existsSync(folder)) continue;
      for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        const [, name, to] = /([^/\\]+)\.\d+-(\d+)\.parquet(?:\.part)?$/.exec(path) ?? [];
        const own = encodeURIComponent(this.#name);
        const reached = name === own ? position : name === own + OF_HISTORY ? changes : Number.POSITIVE_INFINITY;
        const isOwn = name === own || name === own + OF_HISTORY;
        if (isOwn && (Number(to) > reached || path.endsWith('.part'))) rmSync(join(folder, path));
      }
    }
  }

  async restart(): Promise<void> {
    this.#cut = [];
    const same = this.#state?.filters === this.#filters;
    this.#before = same ? (this.#reached ?? this.#state?.position ?? 0) : 0;
  }

  /** Rows are told as they stand, so that a change may come twice: with its own instant. */
  #isNew({ id, odds_changed_at }: { id: string; odds_changed_at: string }): boolean {
    if (this.#changes !== null) return false;
    const us = parseTimeUs(odds_changed_at) ?? 0;
    if (us <= (this.#seen.get(id) ?? this.#before)) return false;
    this.#seen.set(id, us);
    return true;
  }

  async write(part: Part): Promise<void> {
    for (const row of part.put) {
      const fields = row as unknown as Fields;
      this.#cut.push(['events', fields], ['odds', { ...fields, sink: this.#name }]);
      if (!this.#isNew(row)) continue;
      this.#cut.push(['odds_changes', { ...fields, at: row.odds_changed_at, odds_id: row.id, change: 'added' }]);
    }
    for (const delta of part.changed)
      if (this.#isNew(delta))
        this.#cut.push(['odds_changes', { ...delta, at: delta.odds_changed_at, odds_id: delta.id, change: 'updated' }]);
    for (const row of part.opportunities) this.#cut.push(['opportunities', row]);
    for (const row of part.moves) this.#cut.push(['moves', row]);
    for (const row of part.results) this.#cut.push(['results', row]);
    for (const { id, at } of part.removed) {
      this.#seen.delete(id);
      if (this.#changes === null) this.#cut.push(['odds_changes', { at, odds_id: id, change: 'removed' }]);
    }
    for (const { id, at } of part.movesOver) this.#cut.push(['moves', { id, expired_at: at }]);
  }

  async commit(position: number, notes: readonly Note[]): Promise<void> {
    const at = timeOf(position);
    const hour = hourOf(position);
    for (const [table, row] of this.#cut) {
      add(this.#rows, table, hour, { ...row, position });
      this.#follow(table, row);
    }
    this.#count += this.#cut.length;
    this.#cut = [];
    this.#reached = position;
    this.#notes.push(...notes.map((note) => ({ ...note, position, at })));
    const oldest = this.#rows.values().next().value?.hour ?? hour;
    // A new hour begins its own files, and what was told of a restart lasts at once.
    if (
      notes.length > 0 ||
      this.#count >= FILE_ROWS ||
      oldest !== hour ||
      this.#now() - this.#writtenMs >= this.#everyMs
    )
      await this.#flush();
  }

  async fill(rows: readonly Fields[], upTo: number | null, notes: readonly Note[]): Promise<void> {
    const at = new Date(this.#now()).toISOString();
    for (const row of rows) {
      const us = parseTimeUs(row['at']) ?? 0;
      add(this.#history, 'odds_changes', hourOf(us), { ...row, position: us });
    }
    this.#count += rows.length;
    // What begins or ends lasts at once: which changes of the stream are written depends on it.
    const turns = (upTo === null) !== (this.#changes === null);
    if (turns) await this.#flush();
    this.#changes = upTo;
    this.#notes.push(...notes.map((note) => ({ ...note, position: upTo ?? this.#reached ?? 0, at })));
    if (turns || this.#count >= FILE_ROWS) await this.#flush();
  }

  async rest(): Promise<void> {
    const isNew = this.#rows.size + this.#history.size > 0 || this.#changes !== (this.#state?.changes ?? null);
    if (isNew && this.#now() - this.#writtenMs >= this.#everyMs) await this.#flush();
  }

  #follow(table: TableName, row: Fields): void {
    const kind = table === 'moves' ? 'moves' : String(row['kind']);
    const key = `${kind} ${String(row['id'])}`;
    if (table !== 'opportunities' && table !== 'moves') return;
    if (row['change'] === 'expired' || (row['expired_at'] ?? null) !== null) this.#open.delete(key);
    else {
      const { event_id, sport, league, market_type } = row as unknown as Identity;
      this.#open.set(key, { kind, id: String(row['id']), event_id, sport, league, market_type });
    }
  }

  async #flush(): Promise<void> {
    const position = this.#reached ?? this.#state?.position;
    if (position === undefined) return;
    const name = encodeURIComponent(this.#name);
    try {
      if (this.#storedState() !== this.#stateText)
        throw new Error(`another sink named ${this.#name} writes into ${this.#dir}: give each a --name of its own`);
      const from = this.#named ?? 0;
      const named = Math.max(position, this.#rows.size === 0 ? from : from + 1);
      await this.#writeFiles(this.#rows, `${name}.${from}-${named}`, position);
      const changes = this.#changes;
      if (changes !== null)
        await this.#writeFiles(this.#history, `${name}${OF_HISTORY}.${this.#state?.changes ?? 0}-${changes}`, changes);
      const open = [...this.#open.values()];
      const ahead = [...this.#seen].filter(([, us]) => us > position);
      this.#state = {
        name: this.#name,
        position,
        named,
        changes,
        filters: this.#filters,
        open,
        ahead,
        notes: this.#notes,
      };
      const text = `${JSON.stringify(this.#state)}\n`;
      writeFileSync(`${this.#stateFile}.part`, text, { flush: true });
      renameSync(`${this.#stateFile}.part`, this.#stateFile);
      this.#stateText = text;
    } catch (error) {
      throw new SinkError((error as Error).message);
    }
    this.#rows = new Map();
    this.#history = new Map();
    this.#count = 0;
    this.#writtenMs = this.#now();
  }

  async #writeFiles(hours: Hours, name: string, position: number): Promise<void> {
    for (const { table, hour, rows } of hours.values()) {
      const folder = join(this.#dir, table, `hour=${hour}`);
      mkdirSync(folder, { recursive: true });
      const file = join(folder, `${name}.parquet`);
      await writeRows(`${file}.part`, table, rows, position);
      renameSync(`${file}.part`, file);
    }
  }

  /** At the end what is whole is written, too. */
  async close(): Promise<void> {
    if (this.#rows.size + this.#history.size > 0) await this.#flush();
    this.#forget();
  }

  #forget(): void {
    this.#rows = new Map();
    this.#history = new Map();
    this.#count = 0;
    this.#cut = [];
    this.#reached = null;
  }
}

/** Never as a server words it: it names a folder. */
function hourOf(us: number): string {
  return timeOf(us).slice(0, 13);
}

function add(hours: Hours, table: TableName, hour: string, row: Fields): void {
  const key = `${table} ${hour}`;
  const known = hours.get(key);
  if (known === undefined) hours.set(key, { table, hour, rows: [row] });
  else known.rows.push(row);
}

async function writeRows(filename: string, table: TableName, rows: readonly Fields[], position: number): Promise<void> {
  // The order of what was told: a removal has the instant of its position, which may be after the row came again.
  const columns = [...Object.entries(TABLES[table].columns), ['position', 'integer']] as [string, ColumnType][];
  const columnData = columns.map(([name, type]) => ({ name, data: rows.map((row) => stored(type, row[name])) }));
  const fields = columns.map(([name, type]) => ({ name, ...TYPES[type], repetition_type: 'OPTIONAL' as const }));
  const schema: Schema = [{ name: 'root', num_children: columns.length }, ...fields];
  const kvMetadata = [{ key: 'overround.position', value: String(position) }];
  await parquetWriteFile({ filename, columnData, schema, kvMetadata });
}

function stored(type: ColumnType, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (type === 'time') return BigInt(parseTimeUs(value) ?? 0);
  return type === 'integer' ? BigInt(value as number) : value;
}
