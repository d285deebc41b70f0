// The data directory: its name and age, its number of shards, and the shards' environments as the front reads them.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.js';
import { openShardEnv, type ShardEnv } from './shard-env.js';

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

interface Identity {
  epoch: string;
  birth: number;
  shards: number;
}

/** Opens the directory, or makes a new one with `shards` shards. */
export function openDataDirectory(path: string, shards: number, clock: Clock): DataDirectory {
  mkdirSync(path, { recursive: true });
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
  if (!existsSync(file)) return undefined;
  const identity = JSON.parse(readFileSync(file, 'utf8')) as Identity;
  if (typeof identity.epoch !== 'string' || !Number.isInteger(identity.birth) || !Number.isInteger(identity.shards))
    throw new Error(`${file} is damaged: restore it, or start with another --data`);
  return identity;
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
