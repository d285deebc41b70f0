// What is remembered of opportunities over a restart: when each was first detected and last moved, and the numbers it
// had, so that nothing is forgotten, told anew or left alive. Those of one event lie in one slab: they move together, and
// a page written for each would be most of what a commit writes.
import { OPPORTUNITY_KINDS, type OpportunityKind } from '../detect/opportunity.js';
import type { Arena } from './arena.js';
import type { ShardEnv } from './shard-env.js';

export interface Remembered {
  /** Number of the event in the shard. */
  eventNo: number;
  /** Key of the universe. */
  universe: string;
  id: string;
  kind: OpportunityKind;
  /** Positions. */
  detectedUs: number;
  movedUs: number;
  /** The numbers that were last told, as detection folds them. */
  n0: number;
  n1: number;
  n2: number;
  n3: number;
  tag: number;
}

export interface Forgotten {
  eventNo: number;
  universe: string;
  id: string;
}

export interface RememberedChanges {
  put: Remembered[];
  remove: Forgotten[];
}

/** An event's slab as it is to be written, or null where nothing of it is alive any more. */
export type EventSlab = [eventNo: number, slab: Buffer | null];

const ID_BYTES = 8;
const NUMBERS = 7;
/** [u8 kind][u16 universe][id][f64 detectedUs, movedUs, n0-n3, tag] */
const ENTRY_BYTES = 3 + ID_BYTES + NUMBERS * 8;

/** Of one event, by id: one for each universe that has it. */
type OfEvent = Map<string, Remembered[]>;

/** The writer's own copy of what the store remembers. */
export class OpportunityMemory {
  readonly #events = new Map<number, OfEvent>();

  /** Starts from what the store holds. */
  load(env: ShardEnv): void {
    this.#events.clear();
    for (const { key, value } of env.opportunities.getRange()) {
      const ofEvent: OfEvent = new Map();
      for (const one of unpackSlab(key, value)) keep(ofEvent, one);
      this.#events.set(key, ofEvent);
    }
  }

  *all(): Iterable<Remembered> {
    for (const ofEvent of this.#events.values()) for (const known of ofEvent.values()) yield* known;
  }

  /**
   * Takes the changes in, and answers what of the store they change, as memory of `arena`. Removals first: what came back
   * is alive.
   */
  change({ put, remove }: RememberedChanges, arena: Arena): EventSlab[] {
    const touched = new Set<number>();
    for (const one of remove) {
      const ofEvent = this.#events.get(one.eventNo);
      if (ofEvent !== undefined && forget(ofEvent, one)) touched.add(one.eventNo);
    }
    for (const one of put) {
      let ofEvent = this.#events.get(one.eventNo);
      if (ofEvent === undefined) {
        ofEvent = new Map();
        this.#events.set(one.eventNo, ofEvent);
      }
      keep(ofEvent, one);
      touched.add(one.eventNo);
    }
    return [...touched].map((eventNo) => {
      const ofEvent = this.#events.get(eventNo)!;
      if (ofEvent.size > 0) return [eventNo, packSlab(ofEvent, arena)];
      this.#events.delete(eventNo);
      return [eventNo, null];
    });
  }
}

/** One that is known takes the later state in: a new object for each move would outlive its collection's youth. */
function keep(ofEvent: OfEvent, one: Remembered): void {
  const known = ofEvent.get(one.id);
  if (known === undefined) {
    ofEvent.set(one.id, [one]);
    return;
  }
  for (const other of known)
    if (other.universe === one.universe) {
      other.detectedUs = one.detectedUs;
      other.movedUs = one.movedUs;
      other.n0 = one.n0;
      other.n1 = one.n1;
      other.n2 = one.n2;
      other.n3 = one.n3;
      other.tag = one.tag;
      return;
    }
  known.push(one);
}

function forget(ofEvent: OfEvent, { id, universe }: Forgotten): boolean {
  const known = ofEvent.get(id);
  const at = known?.findIndex((other) => other.universe === universe) ?? -1;
  if (at < 0) return false;
  known!.splice(at, 1);
  if (known!.length === 0) ofEvent.delete(id);
  return true;
}

/** Within the running transaction. */
export function writeOpportunities(env: ShardEnv, slabs: readonly EventSlab[]): void {
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
  for (const known of ofEvent.values()) {
    entries += known.length;
    for (const { universe } of known)
      if (!universes.includes(universe)) {
        universes.push(universe);
        headBytes += 2 + Buffer.byteLength(universe);
      }
  }
  const slab = arena.take(headBytes + entries * ENTRY_BYTES);
  let at = slab.writeUInt16LE(universes.length, 0);
  for (const name of universes) {
    const length = slab.write(name, at + 2);
    at = slab.writeUInt16LE(length, at) + length;
  }
  const view = new DataView(slab.buffer, slab.byteOffset, slab.length);
  for (const known of ofEvent.values())
    for (const one of known) {
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
