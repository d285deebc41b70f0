// What is remembered of opportunities over a restart: when each was first detected and last moved, and the numbers it
// had, so that nothing is forgotten, told anew or left alive.
import { createHash } from 'node:crypto';
import { OPPORTUNITY_KINDS, type OpportunityKind } from '../detect/opportunity.js';
import type { ShardEnv } from './shard-env.js';

export interface Remembered {
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

export interface RememberedChanges {
  put: Remembered[];
  remove: { universe: string; id: string }[];
}

const NUMBERS = 7;
const HEAD_BYTES = 1 + NUMBERS * 8;

/** Universe keys may be long lists of books: a key of the store has 16 hex of each. */
function storeKey(universe: string, id: string): string {
  let prefix = prefixes.get(universe);
  if (prefix === undefined) {
    prefix = createHash('sha256').update(universe).digest('hex').slice(0, 16);
    if (prefixes.size >= PREFIXES_MAX) prefixes.clear();
    prefixes.set(universe, prefix);
  }
  return prefix + id;
}

const prefixes = new Map<string, string>();
const PREFIXES_MAX = 1_000;

/** Within the running transaction. Removals go first: what ended and began again in one batch is alive. */
export function writeOpportunities(env: ShardEnv, { put, remove }: RememberedChanges): void {
  for (const { universe, id } of remove) void env.opportunities.remove(storeKey(universe, id));
  for (const one of put) void env.opportunities.put(storeKey(one.universe, one.id), pack(one));
}

export function* readOpportunities(env: ShardEnv): Iterable<Remembered> {
  for (const { key, value } of env.opportunities.getRange()) yield unpack(key.slice(16), value);
}

/** [u8 kind][f64 detectedUs, movedUs, n0-n3, tag] universe as UTF-8. */
function pack(one: Remembered): Buffer {
  const universe = Buffer.from(one.universe);
  const bytes = Buffer.alloc(HEAD_BYTES + universe.length);
  bytes[0] = OPPORTUNITY_KINDS.indexOf(one.kind);
  const numbers = [one.detectedUs, one.movedUs, one.n0, one.n1, one.n2, one.n3, one.tag];
  for (const [i, number] of numbers.entries()) bytes.writeDoubleLE(number, 1 + i * 8);
  universe.copy(bytes, HEAD_BYTES);
  return bytes;
}

function unpack(id: string, bytes: Buffer): Remembered {
  const number = (i: number) => bytes.readDoubleLE(1 + i * 8);
  return {
    universe: bytes.toString('utf8', HEAD_BYTES),
    id,
    kind: OPPORTUNITY_KINDS[bytes[0] ?? 0]!,
    detectedUs: number(0),
    movedUs: number(1),
    n0: number(2),
    n1: number(3),
    n2: number(4),
    n3: number(5),
    tag: number(6),
  };
}
