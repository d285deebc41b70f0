// What is remembered of opportunities over a restart: when each was first detected and last moved, and the numbers it
// had, so that nothing is forgotten, told anew or left alive. Those of one event lie in one slab: they move together, and
// a page written for each would be most of what a commit writes.
import { OPPORTUNITY_KINDS, type OpportunityKind } from '../detect/opportunity.js';
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

/** The writer's own copy of what the store remembers. */
export class OpportunityMemory {
  readonly #events = new Map<number, Map<string, Remembered>>();

  /** Starts from what the store holds. */
  load(env: ShardEnv): void {
    this.#events.clear();
    for (const { key, value } of env.opportunities.getRange())
      this.#events.set(key, new Map(unpackSlab(key, value).map((one) => [keyOf(one), one])));
  }

  *all(): Iterable<Remembered> {
    for (const ofEvent of this.#events.values()) yield* ofEvent.values();
  }

  /** Takes the changes in, and answers what of the store they change. Removals first: what came back is alive. */
  change({ put, remove }: RememberedChanges): EventSlab[] {
    const touched = new Set<number>();
    for (const one of remove) if (this.#events.get(one.eventNo)?.delete(keyOf(one)) === true) touched.add(one.eventNo);
    for (const one of put) {
      let ofEvent = this.#events.get(one.eventNo);
      if (ofEvent === undefined) {
        ofEvent = new Map();
        this.#events.set(one.eventNo, ofEvent);
      }
      ofEvent.set(keyOf(one), one);
      touched.add(one.eventNo);
    }
    return [...touched].map((eventNo) => {
      const ofEvent = this.#events.get(eventNo)!;
      if (ofEvent.size > 0) return [eventNo, packSlab(ofEvent.values())];
      this.#events.delete(eventNo);
      return [eventNo, null];
    });
  }
}

/** Within the running transaction. */
export function writeOpportunities(env: ShardEnv, slabs: readonly EventSlab[]): void {
  for (const [eventNo, slab] of slabs) {
    if (slab === null) void env.opportunities.remove(eventNo);
    else void env.opportunities.put(eventNo, slab);
  }
}

const keyOf = ({ universe, id }: Pick<Remembered, 'universe' | 'id'>): string => id + universe;

/** [u16 universes] ([u16 length] key as UTF-8)… entries… */
function packSlab(entries: Iterable<Remembered>): Buffer {
  const list = [...entries];
  const universes = [...new Set(list.map(({ universe }) => universe))];
  const names = universes.map((name) => Buffer.from(name));
  const headBytes = names.reduce((bytes, name) => bytes + 2 + name.length, 2);
  const slab = Buffer.alloc(headBytes + list.length * ENTRY_BYTES);
  let at = slab.writeUInt16LE(names.length, 0);
  for (const name of names) {
    at = slab.writeUInt16LE(name.length, at);
    at += name.copy(slab, at);
  }
  for (const one of list) {
    at = slab.writeUInt8(OPPORTUNITY_KINDS.indexOf(one.kind), at);
    at = slab.writeUInt16LE(universes.indexOf(one.universe), at);
    at += slab.write(one.id, at, 'hex');
    at = slab.writeDoubleLE(one.detectedUs, at);
    at = slab.writeDoubleLE(one.movedUs, at);
    at = slab.writeDoubleLE(one.n0, at);
    at = slab.writeDoubleLE(one.n1, at);
    at = slab.writeDoubleLE(one.n2, at);
    at = slab.writeDoubleLE(one.n3, at);
    at = slab.writeDoubleLE(one.tag, at);
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
