// Active opportunities in a shard's store. A commit's changes of them are in its log entry; every few seconds those of
// each event are put in its slab, so that the store has them as of the last commit: slabs, and the log after them.
// Those that ended are in a table of their own, as long as the log, so that a start need not read it.

import { LIMITS } from '../base/model/limits.js';
import type { OpportunityKind } from '../base/model/opportunity.js';
import { eventNoAt, headOf, idBytesAt, idBytesOf, recordEnd } from '../base/model/opportunity-record.js';
import { decode, encode } from '../base/wire/codec.js';
import type { StoredOpportunities, StoredOpportunity, Times } from '../detection/stored-opportunities.js';
import { decodeDelta } from '../log/delta/codec.js';
import type { PackedNews } from '../log/delta/opportunity.js';
import type { Write } from './reserved-space.js';
import { readMeta, type ShardEnv } from './shard-env.js';
import { readLog } from './shard-reader.js';

const UNIVERSES_KEY = 'universes';
const PUT_EVERY_US = 5_000_000;

export interface StoredInUniverse extends StoredOpportunity {
  universe: string;
}

/** An opportunity that ended. */
export interface StoredEnd {
  position: number;
  universe: string;
  kind: OpportunityKind;
  id: string;
}

export type SlabEntry = [universe: number, detectedUs: number, updatedPosition: number, record: Uint8Array];
export type Slab = [universes: string[], entries: SlabEntry[]];
type EndEntry = [universe: string, ends: [kind: OpportunityKind, id: string][]];

interface Entry extends Times {
  universe: string;
  /** May be a view. */
  record: Uint8Array;
}

/** By universe and id. */
type OfEvent = Map<string, Entry>;

/** By event: read when it is needed. */
class Slabs {
  readonly touched = new Map<number, OfEvent>();
  readonly #env: ShardEnv;

  constructor(env: ShardEnv) {
    this.#env = env;
  }

  readAll(): void {
    for (const eventNo of this.#env.opportunities.getKeys()) this.#of(eventNo);
  }

  *all(): Iterable<StoredInUniverse> {
    for (const ofEvent of this.touched.values())
      for (const entry of ofEvent.values()) yield { ...entry, ...headOf(entry.record) };
  }

  /** The records must stay as they are. */
  apply({ records, universes }: PackedNews): void {
    const bytes = Buffer.from(records.buffer, records.byteOffset, records.length);
    for (const { universe, forgotten, put, expired } of universes) {
      if (forgotten) this.#forget(universe);
      // First: what came back is active.
      for (const { eventNo, id } of expired) this.#of(eventNo).delete(universe + idBytesOf(id));
      for (let i = 0; i < put.length; i += 3) {
        const at = put[i]!;
        const entry = {
          universe,
          detectedUs: put[i + 1]!,
          updatedPosition: put[i + 2]!,
          record: bytes.subarray(at, recordEnd(bytes, at)),
        };
        this.#of(eventNoAt(bytes, at)).set(universe + idBytesAt(bytes, at), entry);
      }
    }
  }

  #forget(universe: string): void {
    this.readAll();
    for (const ofEvent of this.touched.values())
      for (const [key, one] of ofEvent) if (one.universe === universe) ofEvent.delete(key);
  }

  #of(eventNo: number): OfEvent {
    let ofEvent = this.touched.get(eventNo);
    if (ofEvent === undefined) {
      ofEvent = readSlab(this.#env.opportunities.getBinary(eventNo));
      this.touched.set(eventNo, ofEvent);
    }
    return ofEvent;
  }
}

/** The writer's side. */
export class OpportunityStore {
  readonly #env: ShardEnv;
  /** Of commits since the slabs were written. */
  #news: PackedNews[] = [];
  /** Of the log entries with them. */
  #bytes = 0;
  #slabsTo = 0;
  #universes = new Map<string, number>();
  #universesChanged = false;
  #all: Slabs | undefined;

  constructor(env: ShardEnv) {
    this.#env = env;
  }

  /** Reads what the store has; what was noted and not committed is forgotten. */
  load(): void {
    this.#news = [...newsAfterSlabs(this.#env)];
    this.#slabsTo = readMeta(this.#env).slabsTo ?? 0;
    this.#bytes = 0;
    this.#universes = readUniverses(this.#env);
    this.#universesChanged = false;
    this.#all = undefined;
  }

  /** As of the last commit. */
  get stored(): StoredOpportunities {
    return {
      universes: () => this.#universes.keys(),
      of: (universe) => this.#of(universe),
    };
  }

  /**
   * A batch's changes, which are in its log entry. Returns the position that the slabs are as of, and what must be written
   * in the batch's transaction.
   */
  note(news: PackedNews, position: number, logBytes: number): { slabsTo: number; writes: Write[] } {
    this.#all = undefined;
    const writes: Write[] = [];
    if (news.universes.length > 0) {
      // Its records are valid until the next batch.
      this.#news.push({ records: Uint8Array.from(news.records), universes: news.universes });
      this.#bytes += logBytes;
      this.#noteUniverses(news);
      const ends = encodedEnds(news);
      if (ends !== null) writes.push({ bytes: ends.length, run: () => void this.#env.endings.put(position, ends) });
      if (this.#universesChanged) {
        const universes = encode([...this.#universes]);
        writes.push({ bytes: universes.length, run: () => void this.#env.meta.put(UNIVERSES_KEY, universes) });
        this.#universesChanged = false;
      }
    }
    const isDue = position - this.#slabsTo >= PUT_EVERY_US || this.#bytes >= LIMITS.logAfterSlabs.max;
    if (this.#news.length > 0 && !isDue) return { slabsTo: this.#slabsTo, writes };
    writes.push(...this.#slabs(position));
    return { slabsTo: position, writes };
  }

  /** Slabs of what was committed up to a position, in a transaction of its own. */
  slabsNow(position: number): Write[] {
    this.load();
    return this.#slabs(position);
  }

  #slabs(position: number): Write[] {
    const slabs = new Slabs(this.#env);
    for (const one of this.#news) slabs.apply(one);
    this.#news = [];
    this.#bytes = 0;
    this.#slabsTo = position;
    return [...slabs.touched].map(([eventNo, ofEvent]) => {
      if (ofEvent.size === 0) return { bytes: 0, run: () => void this.#env.opportunities.remove(eventNo) };
      const slab = encodedSlab(ofEvent);
      return { bytes: slab.length, run: () => void this.#env.opportunities.put(eventNo, slab) };
    });
  }

  #noteUniverses({ universes }: PackedNews): void {
    for (const { universe, from, forgotten } of universes) {
      if (forgotten) this.#universes.delete(universe);
      else if (from === undefined || this.#universes.has(universe)) continue;
      else this.#universes.set(universe, from);
      this.#universesChanged = true;
    }
  }

  *#of(universe: string): Iterable<StoredOpportunity> {
    this.#all ??= allOf(this.#env, this.#news);
    for (const one of this.#all.all()) if (one.universe === universe) yield one;
  }
}

/** Universes of which anything is known, with the position from which on all of their ends are. */
export function readUniverses(env: ShardEnv): Map<string, number> {
  const bytes = env.meta.getBinary(UNIVERSES_KEY);
  return new Map(bytes === undefined ? [] : (decode(bytes) as [key: string, fromPosition: number][]));
}

/** Of what ended by a position nothing is known any more. */
export function forgetUniverses(env: ShardEnv, position: number): void {
  const universes = [...readUniverses(env).keys()].map((key) => [key, position]);
  void env.meta.put(UNIVERSES_KEY, encode(universes));
}

/** Puts changes that the slabs do not have yet in them, in the caller's transaction. */
export function putNews(env: ShardEnv, news: Iterable<PackedNews>): void {
  const slabs = new Slabs(env);
  for (const one of news) slabs.apply(one);
  for (const [eventNo, ofEvent] of slabs.touched)
    if (ofEvent.size === 0) void env.opportunities.remove(eventNo);
    else void env.opportunities.put(eventNo, encodedSlab(ofEvent));
}

/** All that are active as of the last commit. */
export function* readOpportunities(env: ShardEnv): Iterable<StoredInUniverse> {
  yield* allOf(env, newsAfterSlabs(env)).all();
}

/** Those that ended, as far back as the log, oldest first. */
export function* readEnds(env: ShardEnv): Iterable<StoredEnd> {
  for (const { key: position, value } of env.endings.getRange())
    for (const [universe, ends] of decode(value) as EndEntry[])
      for (const [kind, id] of ends) yield { position, universe, kind, id };
}

function allOf(env: ShardEnv, news: Iterable<PackedNews>): Slabs {
  const slabs = new Slabs(env);
  slabs.readAll();
  for (const one of news) slabs.apply(one);
  return slabs;
}

function* newsAfterSlabs(env: ShardEnv): Iterable<PackedNews> {
  for (const { bytes } of readLog(env, readMeta(env).slabsTo ?? 0)) {
    const { opportunities } = decodeDelta(Uint8Array.from(bytes));
    if (opportunities.universes.length > 0) yield opportunities;
  }
}

function encodedEnds({ universes }: PackedNews): Buffer | null {
  const entries: EndEntry[] = [];
  for (const { universe, expired } of universes)
    if (expired.length > 0) entries.push([universe, expired.map(({ kind, id }) => [kind, id])]);
  return entries.length === 0 ? null : encode(entries);
}

function encodedSlab(ofEvent: OfEvent): Buffer {
  const universes: string[] = [];
  const entries: SlabEntry[] = [];
  for (const { universe, detectedUs, updatedPosition, record } of ofEvent.values()) {
    let no = universes.indexOf(universe);
    if (no < 0) no = universes.push(universe) - 1;
    entries.push([no, detectedUs, updatedPosition, record]);
  }
  return encode([universes, entries] satisfies Slab);
}

function readSlab(slab: Buffer | undefined): OfEvent {
  const ofEvent: OfEvent = new Map();
  if (slab === undefined) return ofEvent;
  // The memory is LMDB's, and a record is a view of it.
  const [universes, entries] = decode(Buffer.from(slab)) as Slab;
  for (const [no, detectedUs, updatedPosition, bytes] of entries) {
    const record = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const universe = universes[no]!;
    ofEvent.set(universe + idBytesAt(record, 0), { universe, detectedUs, updatedPosition, record });
  }
  return ofEvent;
}
