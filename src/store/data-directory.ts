// The data directory: its name and age, its number of shards, and the shards' environments as the front reads them.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.js';
import { openShardEnv, type ShardEnv, shardPath } from './shard-env.js';
import { StorageDamaged } from './storage-error.js';

export interface DataDirectory {
  path: string;
  /** Names this data directory: positions of another are outside its log. */
  epoch: string;
  /** First position: Unix ms of its birth × 1000. */
  birth: number;
  shards: number;
  envs: ShardEnv[];
  close(): Promise<void>;
}

const SHARDS_MAX = 1_024;

interface Identity {
  epoch: string;
  birth: number;
  shards: number;
}

/** Opens the directory, or makes a new one with `shards` shards. */
export function openDataDirectory(path: string, shards: number, clock: Clock): DataDirectory {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new Error(`--data ${path} is not a directory that can be made: ${(error as Error).message}`);
  }
  const identity = readIdentity(path) ?? writeIdentity(path, shards, clock);
  const envs: ShardEnv[] = [];
  for (let shard = 0; shard < identity.shards; shard++) envs.push(openShardEnv(path, shard));
  return {
    ...identity,
    path,
    envs,
    close: async () => {
      await Promise.all(envs.map((env) => env.root.close()));
    },
  };
}

function readIdentity(path: string): Identity | undefined {
  const file = join(path, 'overround.json');
  if (!existsSync(file)) {
    // Shards without it are another program's, or a copy that was cut short: they must not be taken for new ones.
    if (existsSync(shardPath(path, 0))) throw new StorageDamaged(path, 'overround.json is missing');
    return undefined;
  }
  let identity: Partial<Identity> | null;
  try {
    identity = JSON.parse(readFileSync(file, 'utf8')) as Partial<Identity> | null;
  } catch (error) {
    throw new StorageDamaged(file, error);
  }
  const { epoch, birth, shards } = identity ?? {};
  if (
    typeof epoch !== 'string' ||
    !Number.isSafeInteger(birth) ||
    !Number.isInteger(shards) ||
    shards! < 1 ||
    shards! > SHARDS_MAX
  )
    throw new StorageDamaged(file, 'not the identity of a data directory');
  return { epoch, birth: birth!, shards: shards! };
}

function writeIdentity(path: string, shards: number, clock: Clock): Identity {
  const identity: Identity = {
    epoch: randomBytes(8).toString('hex'),
    birth: Math.floor(clock.now()) * 1000,
    shards,
  };
  const file = join(path, 'overround.json');
  // Written beside and renamed: a start that is killed leaves either no file or a whole one.
  writeFileSync(`${file}.new`, `${JSON.stringify(identity)}\n`);
  renameSync(`${file}.new`, file);
  return identity;
}
