// A shard with its real store in a folder of its own and a table fed by its deltas: the pipeline without threads.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { BatchReceipt, NormalMessage, Rejection } from '../../../src/base/model/normal-message.js';
import { normalise } from '../../../src/intake/ingest/normalise.js';
import { type Delta, decodeDelta, encodeDelta } from '../../../src/log/delta/delta.js';
import type { Catalogue } from '../../../src/rules/catalogue/catalogue.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { openShardEnv, type ShardEnv } from '../../../src/store/shard-env.js';
import { loadTable } from '../../../src/tables/load.js';
import { type Applied, OddsTable } from '../../../src/tables/table.js';
import { restOf } from '../../../src/writer/pool/shard-queues.js';
import { type Retention, ShardWriter } from '../../../src/writer/pool/shard-writer.js';
import { Shard } from '../../../src/writer/shard/shard.js';
import type { ShardState } from '../../../src/writer/shard/shard-state.js';
import { latest } from '../../intake/ingest/messages.js';

export const catalogue: Catalogue = loadCatalogue();

const RETENTION: Retention = { logSeconds: 900, logBytesMax: 64 * 1024 * 1024, fileBytesMax: 4e9 };

export interface Sent {
  receipt: BatchReceipt;
  delta: Delta | null;
  applied: Applied | null;
}

/** A row as a client reads it. */
export interface ReadRow {
  [field: string]: unknown;
  id: string;
  event_id: string;
  sportsbook: string;
  market_type: string;
  selection: string;
  selection_type: string;
  line: number | null;
  odds_american: number;
  odds_decimal: number;
  is_live: boolean;
  is_alternate_line: boolean;
  last_seen_at: string;
  odds_changed_at: string;
  event_start_time: string;
  status: string;
}

/** Keeps the state that it loaded: the shard's, as long as that goes on. */
class WatchedWriter extends ShardWriter {
  state: ShardState | undefined;

  override load(state: ShardState): void {
    super.load(state);
    this.state = state;
  }
}

export class Rig {
  readonly dir: string;
  readonly retention: Retention;
  env: ShardEnv;
  writer: WatchedWriter;
  shard: Shard;
  table: OddsTable;
  /** Unix ms; the next batch is committed then, or a little later. */
  nowMs: number;
  /** New rows and games that a batch takes: what has more is applied again until all are taken. */
  newMax = Number.POSITIVE_INFINITY;
  #position = 0;
  readonly #ownDir: boolean;

  /** @param dir a folder of the caller's; by default a new one, removed by close(). */
  constructor(nowMs: number, retention: Partial<Retention> = {}, dir?: string) {
    this.dir = dir ?? mkdtempSync(join(tmpdir(), 'overround-shard-'));
    this.#ownDir = dir === undefined;
    this.nowMs = nowMs;
    this.retention = { ...RETENTION, ...retention };
    this.env = openShardEnv(this.dir, 0);
    this.writer = new WatchedWriter(this.env, catalogue, this.retention);
    this.shard = new Shard(0, catalogue, this.writer);
    this.table = newTable();
  }

  get position(): number {
    return this.#position;
  }

  /**
   * Applies messages as one batch at the rig's time; functions among them are called with the delta before the table
   * applies it.
   */
  send(...parts: readonly unknown[]): Sent {
    const raw = parts.filter((part) => typeof part !== 'function');
    const rejected: Rejection[] = [];
    const context = { catalogue, clock: latest, leagueOfEvent: (id: string) => this.table.events.get(id) };
    let messages: NormalMessage[] = [];
    for (const message of raw) {
      const normal = normalise(message, '', context, rejected);
      if (normal !== undefined) messages.push(normal);
    }
    const receipt: BatchReceipt = { accepted: 0, changed: 0, removed: 0, stale: 0, rejected };
    let bytes: Uint8Array | null;
    for (;;) {
      const answer = this.shard.apply(messages, this.#next(), undefined, { newMax: this.newMax });
      bytes = answer.delta;
      for (const each of answer.receipts) {
        receipt.accepted += each.accepted;
        receipt.changed += each.changed;
        receipt.removed += each.removed;
        receipt.stale += each.stale;
        receipt.rejected.push(...each.rejected);
      }
      const last = answer.receipts.at(-1);
      if (last?.rest === undefined) break;
      if (bytes !== null) this.table.apply(decodeDelta(Uint8Array.from(bytes)));
      const [first, ...others] = messages.slice(answer.receipts.length - 1);
      messages = [restOf(first!, last.rest), ...others];
    }
    if (bytes === null) return { receipt, delta: null, applied: null };
    // Decoded from a copy of the bytes, as in another thread.
    const delta = decodeDelta(Uint8Array.from(bytes));
    for (const part of parts) if (typeof part === 'function') part(delta);
    return { receipt, delta, applied: this.table.apply(delta) };
  }

  /** Another shard's batch, by its delta; null if it changed nothing. */
  fold(delta: Delta | null): void {
    this.#next();
    if (delta === null) return;
    const bytes = encodeDelta(delta);
    this.#position = delta.position;
    this.shard.fold(bytes);
    this.table.apply(decodeDelta(bytes));
  }

  /** A batch without messages: time passes. */
  tick(nowMs: number): Sent {
    this.nowMs = nowMs;
    return this.send();
  }

  /** The table's rows by odds id. */
  rows(): Map<string, ReadRow> {
    return rowsOf(this.table);
  }

  row(book: string, market: string, type: string, line?: number): ReadRow | undefined {
    for (const row of this.rows().values())
      if (
        row.sportsbook === book &&
        row.market_type === market &&
        row.selection_type === type &&
        (line === undefined || row.line === line)
      )
        return row;
    return undefined;
  }

  eventIds(): string[] {
    return this.table.events.ordered().map((event) => event.id);
  }

  /** A table loaded from the present store. */
  freshTable(): OddsTable {
    this.env.root.resetReadTxn();
    const table = newTable();
    loadTable(table, [this.env]);
    return table;
  }

  /** As after a restart of the process, which was killed by default: everything is read from disk. */
  async restart(end: 'closed' | 'killed' = 'killed'): Promise<void> {
    await (end === 'closed' ? this.writer.close() : this.env.root.close());
    this.env = openShardEnv(this.dir, 0);
    this.writer = new WatchedWriter(this.env, catalogue, this.retention);
    this.shard = new Shard(0, catalogue, this.writer);
    this.table = this.freshTable();
  }

  async close(): Promise<void> {
    await this.writer.close();
    if (this.#ownDir) rmSync(this.dir, { recursive: true, force: true });
  }

  #next(): number {
    this.#position = Math.max(this.#position + 1, this.nowMs * 1000);
    return this.#position;
  }
}

export function rig(t: TestContext, now = '2026-11-20T18:00:01Z', retention: Partial<Retention> = {}): Rig {
  const made = new Rig(Date.parse(now), retention);
  t.after(() => made.close());
  return made;
}

export function newTable(): OddsTable {
  return new OddsTable(catalogue);
}

export function rowsOf(table: OddsTable): Map<string, ReadRow> {
  const rows = new Map<string, ReadRow>();
  for (const [id, text] of textsOf(table)) rows.set(id, JSON.parse(text) as ReadRow);
  return rows;
}

/** Every row's bytes as text, by odds id. */
export function textsOf(table: OddsTable): Map<string, string> {
  const texts = new Map<string, string>();
  for (const event of table.events.ordered())
    for (const slot of event.rows.unsorted()) texts.set(table.columns.id.at(slot), table.json.text(slot));
  return texts;
}
