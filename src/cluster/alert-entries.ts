// Entries of alerts in a cluster's state: small ones that change and are fenced by their revision, and texts beside them
// that never change, in as many parts as the servers' largest message requires. Requests are repeated until the servers
// have answered.
import { randomBytes } from 'node:crypto';
import { decode, encode } from '../wire/codec.js';
import { inTime, isWrongSequence, pause } from './attempts.js';
import { type BucketEntry, readBucket } from './bucket-reader.js';
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

  async rule(id: string): Promise<{ bytes: Uint8Array; revision: number } | null> {
    const found = await this.#get(ruleKey(id));
    return found === null ? null : { bytes: found.value, revision: found.revision };
  }

  /**
   * Replaces an entry that has a revision, 0 if there is none; resolves to the new one. Rejects with Superseded if it
   * has another, unless that is this very entry.
   */
  writeRule(id: string, entry: Fenced, revision: number): Promise<number> {
    return this.#write(ruleKey(id), entry, revision);
  }

  /** Entries of rules, and parts of texts, in batches; what the servers do not deliver in time is left out. */
  rules(): AsyncGenerator<BucketEntry[]> {
    return this.#all(RULE);
  }

  texts(): AsyncGenerator<BucketEntry[]> {
    return this.#all(TEXT);
  }

  /** A text of a rule; null if it is not there. */
  async text(id: string, { name, parts }: Text): Promise<Uint8Array | null> {
    const pieces: Uint8Array[] = [];
    for (let part = 0; part < parts; part++) {
      const entry = await this.#get(textKey(id, name, part));
      if (entry === null) return null;
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

  /** Not repeated if it fails: the next writer finds what is left. */
  async dropTexts(id: string, texts: readonly Text[]): Promise<void> {
    for (const { name } of texts) await this.#erase(partsOf(id, name));
  }

  /** Erases a rule's entry and texts. Not repeated if it fails. */
  async drop(id: string): Promise<void> {
    await this.#erase(ruleKey(id));
    await this.#erase(textsKey(id));
  }

  /** Erases what belongs to no rule: it is of a writer that ended in the middle of a change. */
  async clean(keys: Iterable<string>): Promise<void> {
    for (const key of keys) await this.#erase(key);
  }

  async *#all(prefix: string): AsyncGenerator<BucketEntry[]> {
    try {
      yield* readBucket(this.#nats, prefix);
    } catch (error) {
      this.#onTrouble(error);
    }
  }

  async #read<Entry extends Fenced>(key: string): Promise<{ entry: Entry; revision: number } | null> {
    const found = await this.#get(key);
    return found === null ? null : { entry: decode(found.value) as Entry, revision: found.revision };
  }

  /** From the stream's leader: any other replica may lag behind, and what it lacks is not missing. */
  async #get(key: string): Promise<{ value: Uint8Array; revision: number } | null> {
    const { streams } = this.#nats.streams;
    const query = { last_by_subj: this.#subjectOf(key) };
    const found = await this.#patiently(() => streams.getMessage(this.#bucket, query));
    return found === null || found.header?.get('KV-Operation') ? null : { value: found.data, revision: found.seq };
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
        const stored = await this.#get(key);
        if (stored === null || Buffer.compare(stored.value, bytes) !== 0) throw new Superseded();
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

export function ruleKey(id: string): string {
  return `${RULE}${id}`;
}

/** The key of all texts of a rule. */
export function textsKey(id: string): string {
  return `${TEXT}${id}.>`;
}

/** A rule's id in the key of its entry. */
export function ruleOf(key: string): string {
  return key.slice(RULE.length);
}

/** A rule's id, a text's name and the number of a part in the key of that part. */
export function textOf(key: string): [id: string, name: string, part: number] {
  const [id, name, part] = key.slice(TEXT.length).split('.');
  return [id!, name!, Number(part)];
}

/** The key of all parts of a text. */
export function partsOf(id: string, name: string): string {
  return `${TEXT}${id}.${name}.>`;
}

function textKey(id: string, name: string, part: number): string {
  return `${TEXT}${id}.${name}.${part}`;
}
