// The data directory: its epoch and age, its number of shards, and the shards' environments as the front reads them.

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/model/clock.js';
import { OPEN_ID_SECRET } from '../base/model/identity.js';
import { LIMITS } from '../base/model/limits.js';
import { StorageDamaged } from '../base/model/storage-error.js';
import type { ControlStore } from '../log/control/entries.js';
import {
  bootId,
  Checkpoints,
  forgetCheckpoint,
  isOfEarlierBoot,
  restoreCheckpoint,
  syncDirectory,
} from './checkpoints.js';
import { controlPath, LmdbControlStore } from './control-store.js';
import { noteOpened, wasOpened } from './data-file.js';
import { takeInEarlierStores } from './earlier-stores.js';
import { migrate } from './migrate.js';
import { FILE_MODE, makeDirectory } from './private-files.js';
import { type Durability, openShardEnv, openShardEnvToRead, readMeta, type ShardEnv, shardPath } from './shard-env.js';
import { isInLog } from './shard-reader.js';

export interface DataDirectory {
  path: string;
  /** Keys the ids of opportunities, which else could be computed by anyone. */
  idSecret: string;
  /** Identifies this data directory: positions of another are outside its log. */
  epoch: string;
  /** First position: when it was created, or began a new epoch after a loss of power (Unix ms) × 1000. */
  createdPosition: number;
  /** Nothing was stored before the first position: a log that begins there is complete. */
  beganEmpty: boolean;
  shards: number;
  /** It holds simulated odds, and what was pushed beside them. */
  readonly simulated: boolean;
  envs: ShardEnv[];
  control: ControlStore;
  /** The machine lost power since: the shards are as of their last checkpoints, and the directory has a new epoch. */
  fellBack: boolean;
  /** Why a loss of power would now lose more than the last moments; null if it would not. */
  readonly unsafe: string | null;
  /**
   * False for a position that no batch of this log has: one of another directory, whatever its time. Of the log's
   * beginning, and of what was cut from it, it is not asked. Nodes of a cluster can tell only of those from before its log
   * began: each has positions of its own, at which nothing changed elsewhere.
   */
  hasPosition(position: number): boolean;
  /** Whether simulated odds may be stored: a directory without any odds holds such from now on. */
  takesSimulated(): boolean;
  close(): Promise<void>;
}

export interface DirectoryOptions {
  /** It follows a cluster's log; false by default. */
  ofCluster?: boolean;
  /** What a new directory will hold; by default what comes first. */
  simulated?: boolean | undefined;
  /** `commit` by default. */
  durability?: Durability;
  /** Of a new directory, in place of random ones. */
  named?: Pick<Identity, 'epoch' | 'idSecret'> | undefined;
  /** Its shards had this version of the store, which earlier releases read; they cannot read it any more. */
  onUpgraded?(from: number): void;
  /** The last flush of the shard's file failed: all of it, so many bytes, is written again before the directory is open. */
  onRewriting?(shard: number, bytes: number): void;
  /** A checkpoint could not be taken: after a loss of power the shard would be as of the previous one. */
  onUnsafe?(shard: number, error: unknown): void;
  /** Checkpoints of the shard can be taken again. */
  onSafe?(shard: number): void;
}

const SHARDS_MAX = LIMITS.shards.max;
/** The longest time that a loss of power may lose. */
const CHECKPOINT_EVERY_MS = 1_000;
/** Every lost position is within this distance of the checkpoint's, provided checkpoints could be taken. */
const LOST_POSITIONS_US = 10_000_000;

export interface Identity {
  epoch: string;
  /** Its first position. */
  createdPosition: number;
  shards: number;
  /** False if it replaced another epoch after a loss of power; absent in files of older releases. */
  beganEmpty?: boolean;
  /** Whether its odds are simulated; absent in files of older releases. */
  simulated?: boolean;
  /** 64 hex digits, or the secret of backtests where a recording is served; absent in files of older releases. */
  idSecret?: string;
  /**
   * Of a cluster whose log began with a directory that had odds: the last position of that, and the one at which the log
   * began. What a client has from between them, the directory was restored over.
   */
  restored?: readonly [last: number, begun: number];
}

/** As in its file, and in a cluster's state: one of its names is the format's. */
export type Stored<Kind extends Identity> = Omit<Kind, 'createdPosition'> & { birth: number };

export function toStored<Kind extends Identity>({ createdPosition: birth, ...identity }: Kind): Stored<Kind> {
  return { ...identity, birth };
}

/** Whether the machine lost power since the directory was last open: opening it restores the shards to their checkpoints. */
export function lostPower(path: string): boolean {
  const boot = bootId();
  const { shards = 0 } = readIdentity(path) ?? {};
  return storePaths(path, shards).some((dir) => isOfEarlierBoot(dir, boot));
}

/** Opens the directory, or creates one with `shards` shards. */
export function openDataDirectory(
  path: string,
  shards: number,
  clock: Clock,
  options: DirectoryOptions = {},
): DataDirectory {
  const { durability = 'commit' } = options;
  makeDirectory(path);
  let identity =
    readIdentity(path) ??
    writeIdentity(path, { ...makeIdentity(shards, options.simulated ?? false, clock), ...options.named });
  if (identity.idSecret === undefined) identity = writeIdentity(path, { ...identity, idSecret: makeIdSecret() });
  const boot = bootId();
  const paths = storePaths(path, identity.shards);
  const fellBack = paths.map((dir) => restoreCheckpoint(dir, boot)).includes(true);
  if (wasOpened(path)) for (let shard = 0; shard < identity.shards; shard++) checkIsThere(shardPath(path, shard));
  const envs = Array.from({ length: identity.shards }, (_, shard) => openShardEnv(path, shard, durability));
  const control = new LmdbControlStore(controlPath(path), 'write', durability);
  noteOpened(path);
  const removeEarlier = takeInEarlierStores(path, control);
  const before = migrate(envs);
  if (before !== undefined) options.onUpgraded?.(before);
  if (fellBack) {
    const known = [control.position, ...envs.map((env) => readMeta(env).position)];
    identity = writeIdentity(path, identityAfterLoss(identity, clock, Math.max(...known)));
  }
  const checkpoints: Checkpoints[] = [];
  for (const [shard, dir] of paths.entries()) {
    const { root } = envs[shard] ?? control;
    const onRewriting = (bytes: number): void => options.onRewriting?.(shard, bytes);
    const onFailed = (error: unknown): void => options.onUnsafe?.(shard, error);
    const onRecovered = (): void => options.onSafe?.(shard);
    if (durability === 'flush' || boot === null) forgetCheckpoint(dir, root, onRewriting);
    else checkpoints.push(new Checkpoints(dir, root, { boot, onRewriting, onFailed, onRecovered }));
  }
  removeEarlier();
  const timer = setInterval(() => {
    for (const points of checkpoints) void points.take();
  }, CHECKPOINT_EVERY_MS);
  timer.unref();
  return {
    ...shown(identity),
    get simulated() {
      return identity.simulated === true;
    },
    path,
    envs,
    control,
    fellBack,
    takesSimulated: () => {
      const isOpen = options.simulated === undefined && options.ofCluster !== true;
      if (identity.simulated !== true && isOpen && envs.every(isWithoutOdds))
        identity = writeIdentity(path, { ...identity, simulated: true });
      return identity.simulated === true;
    },
    hasPosition: (position) =>
      options.ofCluster === true ? !isRestoredOver(identity, position) : isInLog(envs, position),
    get unsafe() {
      return checkpoints.map(({ failure }) => failure).find((failure) => failure !== null) ?? null;
    },
    close: async () => {
      clearInterval(timer);
      await Promise.all(checkpoints.map((points) => points.close()));
      await Promise.all([control.close(), ...envs.map((env) => env.root.close())]);
    },
  };
}

function isWithoutOdds(env: ShardEnv): boolean {
  const { nextEventNo, bookNames } = readMeta(env);
  return nextEventNo === 1 && bookNames.length === 0;
}

/** Of a directory whose stores were all open once. */
function checkIsThere(dir: string): void {
  const file = join(dir, 'data.mdb');
  if (!existsSync(file)) throw new StorageDamaged(file, 'it is missing');
}

/**
 * Opens the control store of a directory that no server uses, so that a loss of power after a commit loses nothing of
 * it. The caller has locked the directory.
 */
export function openControlAlone(dataDir: string): LmdbControlStore {
  const path = controlPath(dataDir);
  restoreCheckpoint(path, bootId());
  const control = new LmdbControlStore(path, 'write', 'flush');
  const removeEarlier = takeInEarlierStores(dataDir, control, ['accounts']);
  forgetCheckpoint(path, control.root);
  removeEarlier();
  return control;
}

/** Of the shards, and last the control store's. */
function storePaths(path: string, shards: number): string[] {
  return [...Array.from({ length: shards }, (_, shard) => shardPath(path, shard)), controlPath(path)];
}

/** Opens a directory that another process writes, read-only; that process must have opened it before. */
export function openDataDirectoryToRead(path: string): DataDirectory {
  const identity = readIdentity(path);
  if (identity === undefined) throw new StorageDamaged(path, 'overround.json is missing');
  const envs = Array.from({ length: identity.shards }, (_, shard) => openShardEnvToRead(path, shard));
  const control = new LmdbControlStore(controlPath(path), 'read');
  return {
    ...shown(identity),
    get simulated() {
      // The process that writes may have taken the first odds since.
      return readIdentity(path)?.simulated === true;
    },
    path,
    envs,
    control,
    fellBack: false,
    takesSimulated: () => false,
    hasPosition: (position) => isInLog(envs, position),
    unsafe: null,
    close: async () => {
      await Promise.all([control.close(), ...envs.map((env) => env.root.close())]);
    },
  };
}

/** As an open directory shows it, which has a secret. */
export function shown(identity: Identity): Required<Omit<Identity, 'restored'>> {
  const { beganEmpty = true, simulated = false, idSecret = '', restored: _restored, ...rest } = identity;
  return { ...rest, beganEmpty, simulated, idSecret };
}

/** Undefined if there is none yet. Throws StorageDamaged. */
export function readIdentity(path: string): Identity | undefined {
  const file = join(path, 'overround.json');
  if (!existsSync(file)) {
    // Shards without it are another program's, or an incomplete copy: they must not be taken for new ones.
    if (existsSync(shardPath(path, 0))) throw new StorageDamaged(path, 'overround.json is missing');
    return undefined;
  }
  let identity: Partial<Stored<Identity>> | null;
  try {
    identity = JSON.parse(readFileSync(file, 'utf8')) as Partial<Stored<Identity>> | null;
  } catch (error) {
    throw new StorageDamaged(file, error);
  }
  const { epoch, birth, shards, beganEmpty = true, simulated, idSecret, restored } = identity ?? {};
  if (
    typeof epoch !== 'string' ||
    !Number.isSafeInteger(birth) ||
    !Number.isInteger(shards) ||
    shards! < 1 ||
    shards! > SHARDS_MAX ||
    (simulated !== undefined && typeof simulated !== 'boolean') ||
    (idSecret !== undefined && idSecret !== OPEN_ID_SECRET && !/^[0-9a-f]{64}$/.test(idSecret))
  )
    throw new StorageDamaged(file, 'not the identity of a data directory');
  return {
    epoch,
    createdPosition: birth!,
    shards: shards!,
    beganEmpty,
    ...(simulated === undefined ? {} : { simulated }),
    ...(idSecret === undefined ? {} : { idSecret }),
    ...(restored === undefined ? {} : { restored }),
  };
}

export function isRestoredOver({ restored }: Pick<Identity, 'restored'>, position: number): boolean {
  return restored !== undefined && position > restored[0] && position < restored[1];
}

/** The last position of what the directory has; 0 if it cannot be told before it is opened for writing. */
export async function lastPosition(path: string): Promise<number> {
  if (lostPower(path)) return 0;
  try {
    const directory = openDataDirectoryToRead(path);
    const { control, envs, createdPosition } = directory;
    const last = Math.max(createdPosition, control.position, ...envs.map((env) => readMeta(env).position));
    await directory.close();
    return last;
  } catch {
    return 0;
  }
}

/**
 * Clients may have been sent commits that are lost: their positions must be invalid here from now on.
 * @param knownTo the highest position in the stores
 */
function identityAfterLoss(lost: Identity, clock: Clock, knownTo: number): Identity {
  const made = makeIdentity(lost.shards, lost.simulated ?? false, clock);
  // The clock may have been set back since.
  const createdPosition = Math.max(made.createdPosition, knownTo + LOST_POSITIONS_US);
  return {
    ...made,
    createdPosition,
    beganEmpty: false,
    ...(lost.idSecret === undefined ? {} : { idSecret: lost.idSecret }),
  };
}

export function makeIdentity(shards: number, simulated: boolean, clock: Clock): Identity {
  const createdPosition = Math.floor(clock.now()) * 1000;
  return { epoch: randomBytes(8).toString('hex'), createdPosition, shards, simulated, idSecret: makeIdSecret() };
}

export function makeIdSecret(): string {
  return randomBytes(32).toString('hex');
}

export function writeIdentity(path: string, identity: Identity): Identity {
  const file = join(path, 'overround.json');
  // Written beside it and renamed: a start that is killed leaves either no file or a complete one.
  writeFileSync(`${file}.new`, `${JSON.stringify(toStored(identity))}\n`, { flush: true, mode: FILE_MODE });
  renameSync(`${file}.new`, file);
  syncDirectory(path);
  return identity;
}
