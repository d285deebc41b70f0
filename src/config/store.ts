// Store, threads and catalogue.
import { type Commissions, parseCommissions } from '../base/model/commission.js';
import { MATCHES, type OperatorSettings, parseCurrency, parseRates, type Rates } from '../base/model/money.js';
import { bytes, choice, integer, MIB, text } from './parsers.js';
import type { Setting } from './setting.js';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const DURABILITIES = ['commit', 'flush'] as const;

/** Where simulated odds are stored if no directory is given: apart from real ones. */
const SIMULATED_DATA = './data-simulated';
/** As simulated as the odds. Some books' currencies have none, so that what is said then is seen. */
const SIMULATED_RATES: Rates = { GBP: 1.31, EUR: 1.08 };
const REAL_DATA = './data';

export interface StoreConfig {
  dataDir: string;
  /** False if nothing was given: then the directory depends on the odds (withKindDefaults). */
  dataDirGiven: boolean;
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
  /** By book: the currency of the operator's account. */
  currencies?: Readonly<Record<string, string>>;
  rates: Rates;
  match?: (typeof MATCHES)[number];
}

/** What the operator states beside the catalogue: of books' money, and of how games meet. */
export function moneyOf({ commissions, currencies = {}, rates, match = 'names' }: StoreConfig): OperatorSettings {
  return { commissions, currencies, rates, match };
}

/** The configuration with what is usual for odds of this kind, unless it was given: the data directory, and rates. */
export function withKindDefaults<Of extends StoreConfig>(config: Of, simulated: boolean): Of {
  const rates = simulated && Object.keys(config.rates).length === 0 ? SIMULATED_RATES : config.rates;
  const dataDir = simulated ? SIMULATED_DATA : REAL_DATA;
  return { ...config, rates, ...(config.dataDirGiven ? {} : { dataDir }) };
}

export const STORE_SETTINGS: readonly Setting<Omit<StoreConfig, 'dataDirGiven'>>[] = [
  {
    name: 'dataDir',
    flag: 'data',
    env: 'DATA_DIR',
    description: `data directory, of simulated odds or of real ones; default: ${REAL_DATA}, or ${SIMULATED_DATA} with the simulated market`,
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
  {
    name: 'currencies',
    flag: 'betfair-currency',
    env: 'BETFAIR_CURRENCY',
    description: "currency of the account at Betfair, in which its sizes and stakes are; default: the catalogue's, GBP",
    parse: (value) => ({ betfair: parseCurrency(value) }),
  },
  {
    name: 'rates',
    flag: 'fx',
    env: 'FX',
    default: '',
    description:
      'value of a currency in US dollars, as GBP=1.31; may be given several times (in the environment: separated by semicolons); the simulated market has GBP=1.31 and EUR=1.08 unless any is given',
    repeatable: true,
    parse: parseRates,
  },
  {
    name: 'match',
    flag: 'match',
    env: 'MATCH',
    default: 'names',
    description:
      "how games of different books meet: names, by their teams' names; roster, also by who plays: a game of a team that is known is the one of that team in that league that begins then, whatever the other team is called",
    parse: choice(MATCHES),
  },
];
