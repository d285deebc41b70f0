// How a new writer continues an earlier one's alerts: it replaces the entry of each rule by one of its own term, so that
// an earlier writer is refused from then on, and fills its store with what they refer to. What cannot be found costs
// that part alone, not the other rules.
import type { AlertProgress, AlertRule, Delivery } from '../model/alert.js';
import { LIMITS } from '../model/limits.js';
import type { EngineLog } from '../model/log.js';
import type { AlertStore, RulePart } from '../store/alert-store.js';
import { decode } from '../wire/codec.js';
import {
  type AlertEntries,
  type Fenced,
  partsOf,
  ruleKey,
  ruleOf,
  Superseded,
  type Text,
  textOf,
  textsKey,
} from './alert-entries.js';
import { atOnce } from './attempts.js';
import type { BucketEntry } from './bucket-reader.js';

/** A rule's entry. */
export interface RuleEntry extends Fenced {
  rule: Text;
  progress: AlertProgress | null;
  delivery: Delivery | null;
  /** Ids reported: this list without those ended since, and with those begun since. */
  reported: Text | null;
  begun: readonly string[];
  ended: readonly string[];
  queue: readonly QueuedText[];
}

export interface QueuedText {
  seq: number;
  queuedMs: number;
  body: Text;
}

/** An entry with the revision under which it is stored. */
export interface StoredEntry {
  entry: RuleEntry;
  revision: number;
}

export interface TakeoverOptions {
  entries: AlertEntries;
  term: number;
  /** The rules there are, and the revision of the index that says so. */
  ids: readonly string[];
  indexRevision: number;
  /** Empty. */
  store: AlertStore;
  log: EngineLog;
}

/** A text of a rule. */
interface Wanted {
  id: string;
  text: Text;
  /** What becomes of it in the store; throws if it cannot be decoded. */
  part(bytes: Uint8Array): RulePart;
  /** It is not there, or cannot be read. */
  onMissing(): void;
  /** Its parts so far; null once it was read. */
  pieces: (Uint8Array | undefined)[] | null;
}

export class AlertTakeover {
  /** The rules that were taken over. */
  readonly rules = new Map<string, StoredEntry>();
  /** Keys of what belongs to no rule. */
  readonly foreign = new Set<string>();
  readonly #options: TakeoverOptions;
  /** By rule and name: all texts of the rules taken over. */
  readonly #wanted = new Map<string, Wanted>();
  /** Of texts that are incomplete. */
  #pieceBytes = 0;
  readonly #lost = new Set<string>();

  constructor(options: TakeoverOptions) {
    this.#options = options;
  }

  /** Rejects with Superseded. Rules without an entry or text are not among those taken over. */
  async run(): Promise<void> {
    const { entries, ids, store } = this.#options;
    const found = await this.#readEntries();
    await atOnce(ids, LIMITS.alertEntries.max, async (id) => {
      const taken = await this.#claim(id, found.get(id) ?? (await this.#entry(id)));
      if (taken === null) return this.#lose(id, 'state');
      this.rules.set(id, taken);
      this.#wantTexts(id, taken.entry);
    });
    for await (const batch of entries.texts()) await this.#take(batch);
    const missing = [...this.#wanted.values()].filter(({ pieces }) => pieces !== null);
    await atOnce(missing, LIMITS.alertEntries.max, (wanted) => this.#readText(wanted));
    if (this.#lost.size > 0) await store.forget([...this.#lost]);
  }

  async #readEntries(): Promise<Map<string, StoredEntry>> {
    const { entries, ids, indexRevision } = this.#options;
    const known = new Set(ids);
    const found = new Map<string, StoredEntry>();
    for await (const batch of entries.rules())
      for (const { key, bytes, revision } of batch) {
        const id = ruleOf(key);
        const entry = known.has(id) ? readEntry(bytes) : null;
        if (entry !== null) found.set(id, { entry, revision });
        // What is newer than the index may be a later writer's.
        else if (!known.has(id) && revision < indexRevision) this.foreign.add(key);
      }
    return found;
  }

  async #entry(id: string): Promise<StoredEntry | null> {
    const found = await this.#options.entries.rule(id);
    const entry = found === null ? null : readEntry(found.bytes);
    return entry === null ? null : { entry, revision: found!.revision };
  }

  /** Makes an entry this term's: no earlier writer changes it from now on. Null if it is not there. */
  async #claim(id: string, known: StoredEntry | null): Promise<StoredEntry | null> {
    const { entries, term } = this.#options;
    for (let found = known; found !== null; found = await this.#entry(id)) {
      if (found.entry.term > term) throw new Superseded();
      const entry = { ...found.entry, term };
      try {
        return { entry, revision: await entries.writeRule(id, entry, found.revision) };
      } catch (error) {
        if (!(error instanceof Superseded)) throw error;
      }
    }
    return null;
  }

  #wantTexts(id: string, entry: RuleEntry): void {
    const want = (text: Text, part: Wanted['part'], onMissing: Wanted['onMissing']): void => {
      this.#wanted.set(`${id}.${text.name}`, { id, text, part, onMissing, pieces: [] });
    };
    const { progress, delivery } = entry;
    want(
      entry.rule,
      (bytes) => ({ id, rule: decode(bytes) as AlertRule, progress, delivery, reported: reportedBy(entry, []) }),
      () => {
        this.rules.delete(id);
        this.#lose(id, 'text');
      },
    );
    if (entry.reported !== null)
      want(
        entry.reported,
        (bytes) => ({ id, reported: reportedBy(entry, decode(bytes) as string[]) }),
        () => {
          entry.reported = null;
          this.#miss(id, 'what it reported is missing: it may report that again');
        },
      );
    for (const { seq, queuedMs, body } of entry.queue)
      want(
        body,
        (bytes) => ({ id, queue: [{ seq, queuedMs, body: bytes }] }),
        () => {
          entry.queue = entry.queue.filter((queued) => queued.seq !== seq);
          this.#miss(id, 'a message is missing: it is not sent');
        },
      );
  }

  /** Stores the texts that are complete with these parts. */
  async #take(batch: readonly BucketEntry[]): Promise<void> {
    const parts: RulePart[] = [];
    for (const { key, bytes, revision } of batch) {
      const [id, name, no] = textOf(key);
      const wanted = this.#wanted.get(`${id}.${name}`);
      if (wanted === undefined) {
        // What is newer than the index may be a later writer's.
        if (revision < this.#options.indexRevision) this.foreign.add(partsOf(id, name));
        continue;
      }
      const whole = this.#whole(wanted, no, bytes);
      const part = whole === null ? null : partOf(wanted, whole);
      if (part !== null) parts.push(part);
    }
    if (parts.length > 0) await this.#options.store.fill(parts);
  }

  /** The text, if this is the last of its parts. */
  #whole({ text, pieces }: Wanted, no: number, bytes: Uint8Array): Uint8Array | null {
    if (pieces === null || pieces[no] !== undefined) return null;
    if (text.parts === 1) return bytes;
    // Those that do not fit are requested on their own.
    if (this.#pieceBytes + bytes.length > LIMITS.alertPieces.max) return null;
    pieces[no] = Uint8Array.from(bytes);
    this.#pieceBytes += bytes.length;
    for (let i = 0; i < text.parts; i++) if (pieces[i] === undefined) return null;
    const whole = Buffer.concat(pieces as Uint8Array[]);
    this.#pieceBytes -= whole.length;
    return whole;
  }

  /** One that was not delivered with the others. */
  async #readText(wanted: Wanted): Promise<void> {
    const { id, text } = wanted;
    const { entries, store } = this.#options;
    if (this.#lost.has(id)) return;
    const bytes = await entries.text(id, text);
    const part = bytes === null ? null : partOf(wanted, bytes);
    if (part === null) wanted.onMissing();
    else await store.fill([part]);
  }

  #lose(id: string, what: 'state' | 'text'): void {
    this.#lost.add(id);
    this.foreign.add(ruleKey(id));
    this.foreign.add(textsKey(id));
    this.#options.log.error({ alert: id }, `an alert has no ${what} in the cluster any more and is dropped`);
  }

  #miss(id: string, what: string): void {
    this.#options.log.error({ alert: id }, `an alert is incomplete in the cluster: ${what}`);
  }
}

/** Null if it cannot be read. */
function partOf(wanted: Wanted, bytes: Uint8Array): RulePart | null {
  try {
    const part = wanted.part(bytes);
    wanted.pieces = null;
    return part;
  } catch {
    return null;
  }
}

/** Null if it cannot be read. */
function readEntry(bytes: Uint8Array): RuleEntry | null {
  try {
    const entry = decode(bytes) as RuleEntry | null;
    return typeof entry?.rule?.name === 'string' ? entry : null;
  } catch {
    return null;
  }
}

function reportedBy({ begun, ended }: RuleEntry, before: readonly string[]): string[] {
  const reported = new Set(before);
  for (const one of ended) reported.delete(one);
  for (const one of begun) reported.add(one);
  return [...reported];
}
