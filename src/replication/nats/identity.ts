// Which log a data directory belongs to, and how far it has it. A directory of a cluster stores its position in the log
// beside it; one that cannot continue from there is filled again from a snapshot.
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { KV } from '@nats-io/kv';
import { type Clock, monotonicMs } from '../../base/model/clock.js';
import { decode, encode } from '../../base/wire/codec.js';
import {
  type Identity,
  lastPosition,
  lostPower,
  makeIdentity,
  makeIdSecret,
  readIdentity,
  type Stored,
  toStored,
  writeIdentity,
} from '../../store/data-directory.js';
import { OtherOdds } from '../../store/held-odds.js';
import { FILE_MODE } from '../../store/private-files.js';
import type { LogPlace } from './replica.js';
import { answered, NatsUnavailable, PATIENCE_MS, pause, TRY_AGAIN_MS } from './retries.js';

const KEY = 'identity';
const FILE = 'cluster.json';
const INVALID = -1;
/** Everything of a directory that comes from the log. */
const OF_THE_LOG = /^(?:shard-\d+|control|delayed|overround\.json|cluster\.json)$/;

export interface ClusterIdentity extends Identity {
  /** The log began with it: there was nothing before its first message. */
  empty: boolean;
}

/** A data directory that cannot be this cluster's: its message is the line with which the start fails. */
export class ForeignDirectory extends Error {
  constructor(path: string) {
    super(
      `the data directory ${path} is not this cluster's and has odds of its own: start with another --data or --cluster-name`,
    );
    this.name = 'ForeignDirectory';
  }
}

/**
 * The cluster's identity: the existing one, or made from this directory's, which may be new. Rejects with
 * OtherOdds if it has those of the other kind, and with NatsUnavailable, also if the servers lose what they store.
 */
export async function settleIdentity(
  state: Pick<KV, 'get' | 'create' | 'update'>,
  dataDir: string,
  { shards, simulated }: Pick<Identity, 'shards'> & { simulated: boolean },
  clock: Clock,
  patienceMs = PATIENCE_MS,
): Promise<ClusterIdentity> {
  const known = await answered(() => readClusterIdentity(state));
  if (known !== null) return ofKind(await withSecret(state, known), simulated);
  for (const untilMs = monotonicMs() + patienceMs; monotonicMs() < untilMs; await pause(TRY_AGAIN_MS)) {
    const own = readIdentity(dataDir);
    const identity = own === undefined ? makeIdentity(shards, simulated, clock) : await begunWith(dataDir, own, clock);
    try {
      await state.create(KEY, encode(toStored({ ...identity, empty: own === undefined })));
    } catch {
      // Another node was first: its identity is used.
    }
    const stored = await answered(() => readClusterIdentity(state));
    if (stored !== null) return ofKind(await withSecret(state, stored), simulated);
  }
  throw new NatsUnavailable(
    "the NATS servers store the cluster's identity and then do not have it: their state is damaged (docs/guides/cluster.md)",
  );
}

async function begunWith(dataDir: string, own: Identity, clock: Clock): Promise<Identity> {
  return { ...own, restored: [await lastPosition(dataDir), Math.floor(clock.now() * 1000)] };
}

/** The cluster's identity with a secret, which those of earlier releases lack. */
async function withSecret(state: Pick<KV, 'get' | 'update'>, identity: ClusterIdentity): Promise<ClusterIdentity> {
  if (identity.idSecret !== undefined) return identity;
  return answered(async () => {
    const entry = await state.get(KEY);
    if (entry === null) return identity;
    const stored = decodeIdentity(entry.value);
    if (stored.idSecret !== undefined) return stored;
    const made = { ...stored, idSecret: makeIdSecret() };
    await state.update(KEY, encode(toStored(made)), entry.revision);
    return made;
  });
}

/** Ids are the same at every node: the directory's secret becomes the cluster's, as does what its log was begun with. */
export function adopt(dataDir: string, { idSecret, restored }: ClusterIdentity): void {
  const own = readIdentity(dataDir);
  if (own === undefined || (own.idSecret === idSecret && isDeepStrictEqual(own.restored, restored))) return;
  const { restored: _earlier, ...rest } = own;
  writeIdentity(dataDir, { ...rest, idSecret: idSecret!, ...(restored === undefined ? {} : { restored }) });
}

/** Throws OtherOdds. What the clusters of earlier releases hold is not known. */
function ofKind(identity: ClusterIdentity, simulated: boolean): ClusterIdentity {
  if (identity.simulated !== undefined && identity.simulated !== simulated)
    throw new OtherOdds('the cluster', simulated);
  return { ...identity, simulated };
}

/** Null if no engine was ever started. */
export async function readClusterIdentity(state: Pick<KV, 'get'>): Promise<ClusterIdentity | null> {
  const entry = await state.get(KEY);
  return entry === null || entry.value.length === 0 ? null : decodeIdentity(entry.value);
}

function decodeIdentity(bytes: Uint8Array): ClusterIdentity {
  const { birth: createdPosition, ...identity } = decode(bytes) as Stored<ClusterIdentity>;
  return { ...identity, createdPosition };
}

interface StoredPlace extends LogPlace {
  epoch: string;
}

/** The position from which a directory can continue; null if it must be filled again. Throws ForeignDirectory. */
export function placeOf(dataDir: string, { epoch, empty }: ClusterIdentity): LogPlace | null {
  const file = join(dataDir, FILE);
  const own = readIdentity(dataDir);
  const stored = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as StoredPlace) : null;
  if (own === undefined) return empty && stored === null ? { sequence: 0, mark: { term: 0, counter: 0 } } : null;
  if (stored === null) {
    if (own.epoch !== epoch) throw new ForeignDirectory(dataDir);
    // It became the cluster's with all it has, and nothing was written since.
    return { sequence: 0, mark: { term: 0, counter: 0 } };
  }
  if (stored.epoch !== epoch) throw new ForeignDirectory(dataDir);
  // A directory restored to a checkpoint after a loss of power lacks what its position says: one that is to be restored when
  // it is opened, or was, and has another epoch since.
  if (own.epoch !== epoch || stored.sequence === INVALID || lostPower(dataDir)) return null;
  return { sequence: stored.sequence, mark: stored.mark };
}

/** The directory does not equal the log: it must be filled again, whatever its position. */
export function invalidatePlace(dataDir: string, epoch: string): void {
  const place = { sequence: INVALID, mark: { term: 0, counter: 0 } };
  try {
    keepPlace(dataDir, epoch, place);
  } catch {
    // A full disk has no room for another file, but allows an existing one to be overwritten.
    const file = openSync(join(dataDir, FILE), 'r+');
    try {
      const { size } = fstatSync(file);
      writeSync(file, textOf(epoch, place).padEnd(size), 0);
    } finally {
      closeSync(file);
    }
  }
}

export function keepPlace(dataDir: string, epoch: string, place: LogPlace): void {
  const file = join(dataDir, FILE);
  writeFileSync(`${file}.new`, textOf(epoch, place), { mode: FILE_MODE });
  renameSync(`${file}.new`, file);
}

function textOf(epoch: string, place: LogPlace): string {
  return `${JSON.stringify({ epoch, ...place } satisfies StoredPlace)}\n`;
}

/** Prepares the directory to be filled. */
export function clearDirectory(dataDir: string, entries: readonly string[]): void {
  for (const entry of entries)
    if (OF_THE_LOG.test(entry)) rmSync(join(dataDir, entry), { recursive: true, force: true });
}
