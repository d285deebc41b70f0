// The LMDB environment of alerts: rules, how far each was evaluated, its active matches, waiting messages and delivery
// state. Rules are written by the thread that answers requests, the rest by the thread that sends.
import { type Database, open, type RootDatabase } from 'lmdb';
import type { AlertProgress, AlertRule, Delivery, QueuedMessage } from '../model/alert.js';
import { decode, encode } from '../wire/codec.js';
import { makeStoreDirectory } from './free-space.js';
import { decoded, keysOf, MAP_BYTES, raiseGeneration, readGeneration } from './lmdb-table.js';
import { PRIVATE_STORE } from './private-files.js';
import { committed, REPORT_FAILURES, written } from './storage-error.js';

/** Digits of a message's number, so that keys sort in the order of numbers. */
const SEQ_DIGITS = 12;

const EMPTY = Buffer.alloc(1);

/** The matches of a rule since its last evaluation. */
export interface Findings {
  position: number;
  /** Ids reported from now on, and those that are over. */
  begun: readonly string[];
  ended: readonly string[];
  bodies: readonly Uint8Array[];
}

/** A change of a rule's state that is about to be stored. */
export type RuleChange =
  /** Matches; their messages follow the one numbered `after`. */
  | { kind: 'found'; ruleId: string; after: number; queuedMs: number; findings: Findings }
  /** The delivery state; `taken` is the message that the target accepted with it. One that is off has no messages. */
  | { kind: 'delivery'; ruleId: string; taken: number | null; delivery: Delivery };

/** Everything that is stored of a rule. */
export interface StoredRule {
  rule: AlertRule;
  progress: AlertProgress | null;
  delivery: Delivery | null;
  reported: readonly string[];
  queue: readonly QueuedMessage[];
}

/** A rule's id, and some of what is stored of it. */
export type RulePart = Partial<StoredRule> & { id: string };

type Table = Database<Buffer, string>;

export class AlertStore {
  readonly #root: RootDatabase<Buffer, string>;
  readonly #rules: Table;
  readonly #progress: Table;
  readonly #reported: Table;
  readonly #queue: Table;
  readonly #deliveries: Table;
  readonly #meta: Table;

  constructor(path: string) {
    // It contains the secrets of webhooks: the directory is accessible to its owner alone.
    makeStoreDirectory(path);
    this.#root = open({
      path,
      encoding: 'binary',
      mapSize: MAP_BYTES,
      maxDbs: 8,
      ...REPORT_FAILURES,
      ...PRIVATE_STORE,
    });
    const table = (name: string): Table => this.#root.openDB(name, { encoding: 'binary' });
    this.#rules = table('rules');
    this.#progress = table('progress');
    this.#reported = table('told');
    this.#queue = table('queue');
    this.#deliveries = table('deliveries');
    this.#meta = table('meta');
  }

  /** Changes whenever any process changed a rule. */
  generation(): number {
    this.#root.resetReadTxn();
    return readGeneration(this.#meta);
  }

  rules(): AlertRule[] {
    this.#root.resetReadTxn();
    return [...this.#rules.getRange()].map(({ value }) => decode(value) as AlertRule);
  }

  /** Adds a rule if `allowed` returns true for the existing ones; else returns false. On disk when it returns. */
  addRule(rule: AlertRule, allowed: (rules: readonly AlertRule[]) => boolean): boolean {
    return this.#root.transactionSync(() => {
      const rules = [...this.#rules.getRange()].map(({ value }) => decode(value) as AlertRule);
      if (!allowed(rules)) return false;
      void this.#rules.put(rule.id, encode(rule));
      this.#changed();
      return true;
    });
  }

  /** Removes a rule with everything that belongs to it. */
  removeRule(id: string): void {
    this.#root.transactionSync(() => this.#remove(id));
  }

  /** As removeRule, for several rules. Settles once that is committed; rejects with the disk's reason. */
  async forget(ids: readonly string[]): Promise<void> {
    await this.#commit(() => {
      for (const id of ids) this.#remove(id);
    });
  }

  /** Removes everything. Settles once that is committed; rejects with the disk's reason. */
  async clear(): Promise<void> {
    await this.#commit(() => {
      for (const table of [this.#rules, this.#progress, this.#reported, this.#queue, this.#deliveries])
        written(table.clearAsync());
      this.#changed();
    });
  }

  /** Adds to rules what another process had of them. Settles once it is committed; rejects with the disk's reason. */
  async fill(parts: readonly RulePart[]): Promise<void> {
    await this.#commit(() => {
      for (const { id, rule, progress, delivery, reported = [], queue = [] } of parts) {
        if (rule !== undefined) written(this.#rules.put(id, encode(rule)));
        if (progress != null) written(this.#progress.put(id, encode(progress)));
        if (delivery != null) written(this.#deliveries.put(id, encode(delivery)));
        for (const one of reported) written(this.#reported.put(`${id}|${one}`, EMPTY));
        for (const message of queue) written(this.#queue.put(queueKey(id, message.seq), encode(message)));
      }
      this.#changed();
    });
  }

  progress(id: string): AlertProgress | undefined {
    this.#root.resetReadTxn();
    return decoded(this.#progress.getBinary(id)) as AlertProgress | undefined;
  }

  reported(id: string): string[] {
    this.#root.resetReadTxn();
    return [...this.#reported.getKeys(keysOf(id))].map((key) => key.slice(id.length + 1));
  }

  delivery(id: string): Delivery | undefined {
    return decoded(this.#deliveries.getBinary(id)) as Delivery | undefined;
  }

  /** Waiting messages, oldest first. */
  queue(id: string, limit: number): QueuedMessage[] {
    this.#root.resetReadTxn();
    return [...this.#queue.getRange({ ...keysOf(id), limit })].map(({ value }) => decode(value) as QueuedMessage);
  }

  queueLength(id: string): number {
    this.#root.resetReadTxn();
    return this.#queue.getKeysCount(keysOf(id));
  }

  /** Stores a rule's matches atomically; false if the rule was removed. Settles once they are committed. */
  async put(id: string, findings: Findings, nowMs: number): Promise<boolean> {
    let known = false;
    await this.#commit(() => {
      known = this.#rules.getBinary(id) !== undefined;
      if (!known) return;
      const before = this.progress(id);
      let seq = before?.seq ?? 0;
      const queuedMs = findings.bodies.length > 0 ? nowMs : before?.queuedMs;
      for (const one of findings.ended) written(this.#reported.remove(`${id}|${one}`));
      for (const one of findings.begun) written(this.#reported.put(`${id}|${one}`, EMPTY));
      for (const body of findings.bodies) {
        const message: QueuedMessage = { seq: ++seq, queuedMs: nowMs, body };
        written(this.#queue.put(queueKey(id, seq), encode(message)));
      }
      const progress: AlertProgress = {
        position: findings.position,
        seq,
        ...(queuedMs === undefined ? {} : { queuedMs }),
      };
      written(this.#progress.put(id, encode(progress)));
    });
    return known;
  }

  /** Its target accepted a message. Settles once that is committed. */
  async taken(id: string, seq: number, delivery: Delivery): Promise<void> {
    await this.#commit(() => {
      written(this.#queue.remove(queueKey(id, seq)));
      this.#putDelivery(id, delivery);
    });
  }

  /** Settles once it is committed. */
  async putDelivery(id: string, delivery: Delivery): Promise<void> {
    await this.#commit(() => this.#putDelivery(id, delivery));
  }

  /** The target is off: its waiting messages are dropped. */
  async switchOff(id: string, delivery: Delivery): Promise<void> {
    await this.#commit(() => {
      this.#clear(this.#queue, id);
      this.#putDelivery(id, delivery);
    });
  }

  async close(): Promise<void> {
    await this.#root.close();
  }

  /** Unless the rule was removed. */
  #putDelivery(id: string, delivery: Delivery): void {
    if (this.#rules.getBinary(id) !== undefined) written(this.#deliveries.put(id, encode(delivery)));
  }

  #remove(id: string): void {
    for (const table of [this.#rules, this.#progress, this.#deliveries]) written(table.remove(id));
    this.#clear(this.#reported, id);
    this.#clear(this.#queue, id);
    this.#changed();
  }

  async #commit(work: () => void): Promise<void> {
    await committed(this.#root.transaction(work));
  }

  #clear(table: Table, id: string): void {
    for (const key of [...table.getKeys(keysOf(id))]) written(table.remove(key));
  }

  #changed(): void {
    written(raiseGeneration(this.#meta));
  }
}

function queueKey(id: string, seq: number): string {
  return `${id}|${String(seq).padStart(SEQ_DIGITS, '0')}`;
}
