// What is remembered of opportunities over a restart: when each was first detected and last moved, and the numbers it
// had, so that nothing is forgotten, told anew or left alive. Those of one event lie in one slab: they move together, and
// a page written for each would be most of what a commit writes.

import type { Forgotten, KnownUniverses, Remembered, RememberedChanges } from '../detect/remembered.js';
import type { Arena } from '../memory/arena.js';
import { OPPORTUNITY_KINDS } from '../model/opportunity.js';
import { decode, encode } from '../wire/codec.js';
import type { ShardEnv } from './shard-env.js';

const UNIVERSES_KEY = 'universes';

export function readUniverses(env: ShardEnv): KnownUniverses {
  const bytes = env.meta.getBinary(UNIVERSES_KEY);
  return new Map(bytes === undefined ? [] : (decode(bytes) as [key: string, sinceUs: number][]));
}

/** An event's slab as it is to be written, or null where nothing of it is alive any more. */
export type EventSlab = [eventNo: number, slab: Buffer | null];

const ID_BYTES = 8;
const NUMBERS = 7;
/** [u8 kind][u16 universe][id][f64 detectedUs, movedUs, n0-n3, tag] */
const ENTRY_BYTES = 3 + ID_BYTES + NUMBERS * 8;

/** As the writer keeps it. */
interface Kept extends Remembered {
  /** The same opportunity in another universe. */
  next: Kept | null;
}

/** Of one event, by id. */
type OfEvent = Map<string, Kept>;

/** Forgotten ones kept to be used again: one made anew for each that begins would outlive its collection's youth. */
const SPARE_MAX = 4_096;

/** The writer's own copy of what the store remembers. */
export class OpportunityMemory {
  readonly #events = new Map<number, OfEvent>();
  readonly #spare: Kept[] = [];

  /** Starts from what the store holds. */
  load(env: ShardEnv): void {
    this.#events.clear();
    for (const { key, value } of env.opportunities.getRange()) {
      const ofEvent: OfEvent = new Map();
      for (const one of unpackSlab(key, value)) this.#keep(ofEvent, one);
      this.#events.set(key, ofEvent);
    }
  }

  /** Copies: its own objects become others' when they are forgotten. */
  *all(): Iterable<Remembered> {
    for (const ofEvent of this.#events.values())
      for (const known of ofEvent.values())
        for (let one: Kept | null = known; one !== null; one = one.next) {
          const { next: _next, ...copy } = one;
          yield copy;
        }
  }

  /**
   * Takes the changes in, and answers what of the store they change, as memory of `arena`. Removals first: what came back
   * is alive.
   */
  change({ put, remove }: Pick<RememberedChanges, 'put' | 'remove'>, arena: Arena): EventSlab[] {
    const touched = new Set<number>();
    for (const one of remove) {
      const ofEvent = this.#events.get(one.eventNo);
      if (ofEvent !== undefined && this.#forget(ofEvent, one)) touched.add(one.eventNo);
    }
    for (const one of put) {
      let ofEvent = this.#events.get(one.eventNo);
      if (ofEvent === undefined) {
        ofEvent = new Map();
        this.#events.set(one.eventNo, ofEvent);
      }
      this.#keep(ofEvent, one);
      touched.add(one.eventNo);
    }
    return [...touched].map((eventNo) => {
      const ofEvent = this.#events.get(eventNo)!;
      if (ofEvent.size > 0) return [eventNo, packSlab(ofEvent, arena)];
      this.#events.delete(eventNo);
      return [eventNo, null];
    });
  }

  #keep(ofEvent: OfEvent, one: Remembered): void {
    const first = ofEvent.get(one.id);
    let last: Kept | undefined;
    for (let known: Kept | null = first ?? null; known !== null; known = known.next) {
      if (known.universe === one.universe) {
        assign(known, one);
        return;
      }
      last = known;
    }
    const kept = this.#spare.pop() ?? blank();
    assign(kept, one);
    if (last === undefined) ofEvent.set(one.id, kept);
    else last.next = kept;
  }

  #forget(ofEvent: OfEvent, { id, universe }: Forgotten): boolean {
    let before: Kept | undefined;
    for (let known = ofEvent.get(id) ?? null; known !== null; known = known.next) {
      if (known.universe !== universe) {
        before = known;
        continue;
      }
      const { next } = known;
      if (before !== undefined) before.next = next;
      else if (next !== null) ofEvent.set(id, next);
      else ofEvent.delete(id);
      known.next = null;
      if (this.#spare.length < SPARE_MAX) this.#spare.push(known);
      return true;
    }
    return false;
  }
}

/** Each field is named: a spread makes objects that are several times as slow to read. */
function blank(): Kept {
  return {
    eventNo: 0,
    universe: '',
    id: '',
    kind: 'ev',
    detectedUs: 0,
    movedUs: 0,
    n0: 0,
    n1: 0,
    n2: 0,
    n3: 0,
    tag: 0,
    next: null,
  };
}

/** Everything but `next`. */
function assign(kept: Kept, one: Remembered): void {
  kept.eventNo = one.eventNo;
  kept.universe = one.universe;
  kept.id = one.id;
  kept.kind = one.kind;
  kept.detectedUs = one.detectedUs;
  kept.movedUs = one.movedUs;
  kept.n0 = one.n0;
  kept.n1 = one.n1;
  kept.n2 = one.n2;
  kept.n3 = one.n3;
  kept.tag = one.tag;
}

/** Within the running transaction. */
export function writeOpportunities(env: ShardEnv, slabs: readonly EventSlab[], universes: KnownUniverses | null): void {
  if (universes !== null) void env.meta.put(UNIVERSES_KEY, encode([...universes]));
  for (const [eventNo, slab] of slabs) {
    if (slab === null) void env.opportunities.remove(eventNo);
    else void env.opportunities.put(eventNo, slab);
  }
}

/** [u16 universes] ([u16 length] key as UTF-8)… entries… */
function packSlab(ofEvent: OfEvent, arena: Arena): Buffer {
  const universes: string[] = [];
  let headBytes = 2;
  let entries = 0;
  for (const known of ofEvent.values())
    for (let one: Kept | null = known; one !== null; one = one.next) {
      entries++;
      if (universes.includes(one.universe)) continue;
      universes.push(one.universe);
      headBytes += 2 + Buffer.byteLength(one.universe);
    }
  const slab = arena.take(headBytes + entries * ENTRY_BYTES);
  let at = slab.writeUInt16LE(universes.length, 0);
  for (const name of universes) {
    const length = slab.write(name, at + 2);
    at = slab.writeUInt16LE(length, at) + length;
  }
  const view = new DataView(slab.buffer, slab.byteOffset, slab.length);
  for (const known of ofEvent.values())
    for (let one: Kept | null = known; one !== null; one = one.next) {
      slab[at] = OPPORTUNITY_KINDS.indexOf(one.kind);
      view.setUint16(at + 1, universes.indexOf(one.universe), true);
      slab.write(one.id, at + 3, 'hex');
      at += 3 + ID_BYTES;
      view.setFloat64(at, one.detectedUs, true);
      view.setFloat64(at + 8, one.movedUs, true);
      view.setFloat64(at + 16, one.n0, true);
      view.setFloat64(at + 24, one.n1, true);
      view.setFloat64(at + 32, one.n2, true);
      view.setFloat64(at + 40, one.n3, true);
      view.setFloat64(at + 48, one.tag, true);
      at += NUMBERS * 8;
    }
  return slab;
}

function unpackSlab(eventNo: number, slab: Buffer): Remembered[] {
  const universes: string[] = [];
  const count = slab.readUInt16LE(0);
  let at = 2;
  for (let i = 0; i < count; i++) {
    const end = at + 2 + slab.readUInt16LE(at);
    universes.push(slab.toString('utf8', at + 2, end));
    at = end;
  }
  const entries: Remembered[] = [];
  for (; at < slab.length; at += ENTRY_BYTES) {
    const numbersAt = at + 3 + ID_BYTES;
    const number = (i: number): number => slab.readDoubleLE(numbersAt + i * 8);
    entries.push({
      eventNo,
      universe: universes[slab.readUInt16LE(at + 1)]!,
      id: slab.toString('hex', at + 3, numbersAt),
      kind: OPPORTUNITY_KINDS[slab[at]!]!,
      detectedUs: number(0),
      movedUs: number(1),
      n0: number(2),
      n1: number(3),
      n2: number(4),
      n3: number(5),
      tag: number(6),
    });
  }
  return entries;
}
