// Store, threads and catalogue.
import { type Commissions, parseCommissions } from '../model/commission.js';
import { bytes, choice, integer, MIB, text } from './parsers.js';
import type { Setting } from './setting.js';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const DURABILITIES = ['commit', 'flush'] as const;

export interface StoreConfig {
  dataDir: string;
  /** Number of shard threads. */
  workers: number;
  logLevel: (typeof LOG_LEVELS)[number];
  durability: (typeof DURABILITIES)[number];
  logRetentionS: number;
  logBytesMax: number;
  /** Per shard. */
  mapBytesMax: number;
  /** Undefined means the built-in catalogue. */
  catalogueDir: string | undefined;
  commissions: Commissions;
}

export const STORE_SETTINGS: readonly Setting<StoreConfig>[] = [
  {
    name: 'dataDir',
    flag: 'data',
    env: 'DATA_DIR',
    default: './data',
    description: 'data directory',
    parse: text('a directory'),
  },
  {
    name: 'workers',
    flag: 'workers',
    env: 'WORKERS',
    description: 'number of shard threads; default: cores - 1, at least 1',
    parse: integer(1, 256),
  },
  {
    name: 'logLevel',
    flag: 'log',
    env: 'LOG_LEVEL',
    default: 'info',
    description: `lowest level logged: ${LOG_LEVELS.join(', ')}`,
    parse: choice(LOG_LEVELS),
  },
  {
    name: 'durability',
    flag: 'durability',
    env: 'DURABILITY',
    default: 'commit',
    description:
      'commit: acknowledged data survives the death of the process (a loss of power may lose the last second or two); flush: it survives a loss of power as well, but commits are slower',
    parse: choice(DURABILITIES),
  },
  {
    name: 'logRetentionS',
    flag: 'log-retention',
    env: 'LOG_RETENTION_S',
    default: '900',
    unit: 's',
    description: 'how long changes stay in the change log, for deltas and resumed streams',
    parse: integer(60, 7 * 86_400),
  },
  {
    name: 'logBytesMax',
    flag: 'log-bytes',
    env: 'LOG_BYTES',
    default: '512MiB',
    unit: 'bytes',
    description: "maximum size of a shard's change log; the oldest part is dropped first",
    parse: bytes(MIB, 1024 * 1024 * MIB),
  },
  {
    name: 'mapBytesMax',
    flag: 'map-size',
    env: 'MAP_SIZE',
    default: '4GiB',
    unit: 'bytes',
    description: "maximum size of a shard's data; ingest is refused beyond it",
    parse: bytes(16 * MIB, 1024 * 1024 * MIB),
  },
  {
    name: 'catalogueDir',
    flag: 'catalogue',
    env: 'CATALOGUE_DIR',
    description:
      'directory with catalogue files (sports, leagues, books, markets, teams) that replace built-in ones, or overlays that change single entries',
    parse: text('a directory'),
  },
  {
    name: 'commissions',
    flag: 'commission',
    env: 'COMMISSION',
    default: '',
    description:
      'commission of a book, as betfair=0.02 (of net winnings) or kalshi=contract:0.07; may be given several times (in the environment: separated by semicolons)',
    repeatable: true,
    parse: parseCommissions,
  },
];
