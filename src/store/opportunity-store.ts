// Active opportunities in a shard's store. A commit's changes of them are in its log entry; every few seconds those of
// each event are put in its slab, so that the store has them as of the last commit: slabs, and the log after them.
// Those that ended are in a table of their own, as long as the log, so that a start need not read it.

import { getOrInsert } from '../base/memory/get-or-insert.js';
import type { OpportunityKind } from '../base/model/opportunity.js';
import { eventNoAt, headOf, idBytesAt, idBytesOf, recordEnd } from '../base/model/opportunity-record.js';
import { decode, encode } from '../base/wire/codec.js';
import type { StoredOpportunities, StoredOpportunity, Times } from '../detection/watched-universe.js';
import type { PackedNews } from '../log/delta/opportunity.js';
import type { Write } from './reserved-space.js';
import type { ShardEnv } from './shard-env.js';

const UNIVERSES_KEY = 'universes';

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

/** By event: what the log has since its slab was put; null of an opportunity that ended. */
export class LaterOpportunities {
  readonly events = new Map<number, Map<string, Entry | null>>();
  readonly #env: ShardEnv;

  constructor(env: ShardEnv) {
    this.#env = env;
  }

  /** The records must stay as they are. Calls `touched` with each event's number, perhaps several times. */
  take({ records, universes }: PackedNews, touched: (eventNo: number) => void = () => undefined): void {
    const bytes = Buffer.from(records.buffer, records.byteOffset, records.length);
    const note = (eventNo: number, key: string, entry: Entry | null): void => {
      const event = getOrInsert(this.events, eventNo, () => new Map());
      event.set(key, entry);
      touched(eventNo);
    };
    for (const { universe, forgotten, put, expired } of universes) {
      if (forgotten)
        for (const [eventNo, ofEvent] of this.all())
          for (const [key, one] of ofEvent) if (one.universe === universe) note(eventNo, key, null);
      // First: what came back is active.
      for (const { eventNo, id } of expired) note(eventNo, universe + idBytesOf(id), null);
      for (let i = 0; i < put.length; i += 3) {
        const at = put[i]!;
        note(eventNoAt(bytes, at), universe + idBytesAt(bytes, at), {
          universe,
          detectedUs: put[i + 1]!,
          updatedPosition: put[i + 2]!,
          record: bytes.subarray(at, recordEnd(bytes, at)),
        });
      }
    }
  }

  /** All that are active, by event. */
  *all(): Iterable<[eventNo: number, ofEvent: OfEvent]> {
    const stored = [...this.#env.opportunities.getKeys()];
    for (const eventNo of new Set([...stored, ...this.events.keys()])) yield [eventNo, this.of(eventNo)];
  }

  *listed(): Iterable<StoredInUniverse> {
    for (const [, ofEvent] of this.all())
      for (const entry of ofEvent.values()) yield { ...entry, ...headOf(entry.record) };
  }

  /** Those of one event: of its slab and since. */
  of(eventNo: number): OfEvent {
    const ofEvent = readSlab(this.#env.opportunities.getBinary(eventNo));
    for (const [key, entry] of this.events.get(eventNo) ?? [])
      if (entry === null) ofEvent.delete(key);
      else ofEvent.set(key, entry);
    return ofEvent;
  }

  /** An event's slab; none if nothing of it changed since that was put. */
  slab(eventNo: number): Write[] {
    return this.events.has(eventNo) ? [slabWrite(this.#env, eventNo, this.of(eventNo))] : [];
  }
}

/** The writer's side. */
export class OpportunityStore {
  readonly #env: ShardEnv;
  #later: LaterOpportunities;
  #universes = new Map<string, number>();
  #universesChanged = false;
  #all: StoredInUniverse[] | undefined;

  constructor(env: ShardEnv) {
    this.#env = env;
    this.#later = new LaterOpportunities(env);
  }

  /** Reads what the store has; what was noted and not committed is forgotten. */
  load(later: LaterOpportunities): void {
    this.#later = later;
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

  /** A batch's changes, which are in its log entry. Returns what must be written in the batch's transaction. */
  note(news: PackedNews, position: number, touched: (eventNo: number) => void): Write[] {
    this.#all = undefined;
    const writes: Write[] = [];
    if (news.universes.length === 0) return writes;
    // Its records are valid until the next batch.
    this.#later.take({ records: Uint8Array.from(news.records), universes: news.universes }, touched);
    this.#noteUniverses(news);
    const ends = encodedEnds(news);
    if (ends !== null) writes.push({ bytes: ends.length, run: () => void this.#env.endings.put(position, ends) });
    if (!this.#universesChanged) return writes;
    const universes = encode([...this.#universes]);
    writes.push({ bytes: universes.length, run: () => void this.#env.meta.put(UNIVERSES_KEY, universes) });
    this.#universesChanged = false;
    return writes;
  }

  /** An event's slab; none if nothing of it changed since that was put. */
  slab(eventNo: number): Write[] {
    return this.#later.slab(eventNo);
  }

  /** The event's slab is put. */
  putOf(eventNo: number): void {
    this.#later.events.delete(eventNo);
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
    this.#all ??= [...this.#later.listed()];
    for (const one of this.#all) if (one.universe === universe) yield one;
  }
}

function slabWrite({ opportunities }: ShardEnv, eventNo: number, ofEvent: OfEvent): Write {
  if (ofEvent.size === 0) return { bytes: 0, run: () => void opportunities.remove(eventNo) };
  const slab = encodedSlab(ofEvent);
  return { bytes: slab.length, run: () => void opportunities.put(eventNo, slab) };
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
  const later = new LaterOpportunities(env);
  for (const one of news) later.take(one);
  for (const eventNo of later.events.keys()) for (const { run } of later.slab(eventNo)) run();
}

/** Those that ended, as far back as the log, oldest first. */
export function* readEnds(env: ShardEnv): Iterable<StoredEnd> {
  for (const { key: position, value } of env.endings.getRange())
    for (const [universe, ends] of decode(value) as EndEntry[])
      for (const [kind, id] of ends) yield { position, universe, kind, id };
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
