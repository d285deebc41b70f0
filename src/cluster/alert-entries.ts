// Entries of alerts in a cluster's state: small ones that change and are fenced by their revision, and texts beside them
// that never change, in as many parts as the servers' largest message requires. Requests are repeated until the servers
// have answered.
import { randomBytes } from 'node:crypto';
import { decode, encode } from '../wire/codec.js';
import { inTime, isWrongSequence, pause } from './attempts.js';
import { cut } from './frame.js';
import type { ClusterNats } from './nats.js';

/** What entries have in common. */
export interface Fenced {
  /** The term of the writer that wrote it. */
  term: number;
  /** Different in everything that is written. */
  mark?: string;
}

/** A text beside an entry. */
export interface Text {
  name: string;
  parts: number;
}

/** A later term has written: this one is over. */
export class Superseded extends Error {
  constructor() {
    super('another writer stores the alerts');
    this.name = 'Superseded';
  }
}

const ALL = 'alerts.>';
const INDEX = 'alerts.index';
const RULE = 'alerts.rule.';
const TEXT = 'alerts.text.';
const AGAIN_MS = 250;
const ANSWER_MS = 5_000;

export class AlertEntries {
  readonly #nats: ClusterNats;
  readonly #onTrouble: (error: unknown) => void;
  /** Part of names and marks. */
  readonly #name = randomBytes(6).toString('hex');
  #count = 0;
  #closed = false;

  constructor(nats: ClusterNats, onTrouble: (error: unknown) => void) {
    this.#nats = nats;
    this.#onTrouble = onTrouble;
  }

  /** Maximum bytes of an entry. */
  get bytesMax(): number {
    return this.#nats.payloadMax;
  }

  /** What has not been answered yet rejects with Superseded. */
  close(): void {
    this.#closed = true;
  }

  index<Entry extends Fenced>(): Promise<{ entry: Entry; revision: number } | null> {
    return this.#read(INDEX);
  }

  writeIndex(entry: Fenced, revision: number): Promise<number> {
    return this.#write(INDEX, entry, revision);
  }

  rule<Entry extends Fenced>(id: string): Promise<{ entry: Entry; revision: number } | null> {
    return this.#read(`${RULE}${id}`);
  }

  /**
   * Replaces an entry that has a revision, 0 if there is none; resolves to the new one. Rejects with Superseded if it
   * has another, unless that is this very entry.
   */
  writeRule(id: string, entry: Fenced, revision: number): Promise<number> {
    return this.#write(`${RULE}${id}`, entry, revision);
  }

  /** A text of a rule. Rejects if it is not there. */
  async text(id: string, { name, parts }: Text): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for (let part = 0; part < parts; part++) {
      const entry = await this.#patiently(() => this.#nats.state.get(textKey(id, name, part)));
      if (entry === null) throw new Error(`a text of the alert ${id} is missing`);
      pieces.push(entry.value);
    }
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }

  async writeText(id: string, bytes: Uint8Array): Promise<Text> {
    const name = this.#unused();
    const pieces = cut(bytes, this.bytesMax);
    await Promise.all(
      pieces.map((piece, part) => this.#patiently(() => this.#nats.state.put(textKey(id, name, part), piece))),
    );
    return { name, parts: pieces.length };
  }

  /** Not repeated if it fails: clean() finds what is left. */
  async dropTexts(id: string, texts: readonly Text[]): Promise<void> {
    for (const { name } of texts) await this.#erase(`${TEXT}${id}.${name}.>`);
  }

  /** Erases a rule's entry and texts. Not repeated if it fails. */
  async drop(id: string): Promise<void> {
    await this.#erase(`${RULE}${id}`);
    await this.#erase(`${TEXT}${id}.>`);
  }

  /** The keys there are. */
  async keys(): Promise<string[]> {
    const filter = this.#subjectOf(ALL);
    const { state } = await this.#patiently(() =>
      this.#nats.streams.streams.info(this.#bucket, { subjects_filter: filter }),
    );
    const prefix = this.#subjectOf('');
    return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(prefix.length));
  }

  /**
   * Erases what belongs to no rule: it is of a writer that ended in the middle of a change.
   * @param keys from before the rules were read: what was written since may be another writer's
   * @param rules their texts by their ids
   */
  async clean(keys: readonly string[], rules: ReadonlyMap<string, readonly Text[]>): Promise<void> {
    const foreign = new Set<string>();
    for (const key of keys) {
      const [, kind, id, name] = key.split('.') as [string, string, string?, string?];
      if (id === undefined) continue;
      if (kind === 'rule' && !rules.has(id)) foreign.add(key);
      if (kind === 'text' && rules.get(id)?.some((text) => text.name === name) !== true)
        foreign.add(`${TEXT}${id}.${name}.>`);
    }
    for (const key of foreign) await this.#erase(key);
  }

  async #read<Entry extends Fenced>(key: string): Promise<{ entry: Entry; revision: number } | null> {
    const found = await this.#patiently(() => this.#nats.state.get(key));
    if (found === null || found.operation !== 'PUT') return null;
    return { entry: decode(found.value) as Entry, revision: found.revision };
  }

  async #write(key: string, entry: Fenced, revision: number): Promise<number> {
    const { state } = this.#nats;
    const mark = this.#unused();
    const bytes = encode({ ...entry, mark });
    if (bytes.length > this.bytesMax) throw new Error(`the entry ${key} has ${bytes.length} bytes`);
    const write = async (): Promise<number> => {
      try {
        return await (revision === 0 ? state.create(key, bytes) : state.update(key, bytes, revision));
      } catch (error) {
        if (!isWrongSequence(error)) throw error;
        // An answer may have been lost: then the stored entry is this one.
        const stored = await this.#read<Fenced>(key);
        if (stored?.entry.mark !== mark) throw new Superseded();
        return stored.revision;
      }
    };
    return await this.#patiently(write);
  }

  async #patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    while (!this.#closed)
      try {
        const result = await inTime(work(), ANSWER_MS);
        if (!this.#closed) return result;
      } catch (error) {
        if (error instanceof Superseded) throw error;
        if (this.#closed) break;
        this.#onTrouble(error);
        await pause(AGAIN_MS);
      }
    throw new Superseded();
  }

  #unused(): string {
    return `${this.#name}-${++this.#count}`;
  }

  /** A deleted key of the bucket would leave a marker for ever: the messages themselves are removed. */
  async #erase(key: string): Promise<void> {
    if (!this.#closed) await this.#nats.streams.streams.purge(this.#bucket, { filter: this.#subjectOf(key) });
  }

  get #bucket(): string {
    return `KV_${this.#nats.names.state}`;
  }

  #subjectOf(key: string): string {
    return `$KV.${this.#nats.names.state}.${key}`;
  }
}

function textKey(id: string, name: string, part: number): string {
  return `${TEXT}${id}.${name}.${part}`;
}
