// Store, threads and catalogue.
import { parseCommissions } from '../base/model/commission.js';
import { MATCHES, type OperatorSettings, parseCurrency, parseRates, type Rates } from '../base/model/money.js';
import { bytes, choice, integer, MIB, text } from './parsers.js';
import type { Setting, ValuesOf } from './setting.js';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const DURABILITIES = ['commit', 'flush'] as const;

/** Where simulated odds are stored if no directory is given: apart from real ones. */
const SIMULATED_DATA = './data-simulated';
/** As simulated as the odds. Some books' currencies have none, so that what is said then is seen. */
const SIMULATED_RATES: Rates = { GBP: 1.31, EUR: 1.08 };
const REAL_DATA = './data';

export const STORE_SETTINGS = [
  {
    name: 'dataDir',
    flag: 'data',
    env: 'DATA_DIR',
    description: `data directory; simulated and real odds need different ones; default: ${REAL_DATA}, or ${SIMULATED_DATA} with the simulated market`,
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
] as const satisfies readonly Setting[];

/** What the operator states beside the built-in catalogue. */
export const OPERATOR_SETTINGS = [
  {
    name: 'catalogueDir',
    flag: 'catalogue',
    env: 'CATALOGUE_DIR',
    description:
      'directory with your files of the catalogue (sports, leagues, books, markets, teams), which replace built-in files or change single entries of them',
    parse: text('a directory'),
  },
  {
    name: 'commissions',
    flag: 'commission',
    env: 'COMMISSION',
    default: '',
    description:
      "commission of a book, in place of the catalogue's: betfair=0.02 is 2 % of net winnings, kalshi=contract:0.07 is 0.07 × p × (1 − p) for a contract at price p; may be given several times (in the environment: separated by semicolons)",
    repeatable: true,
    parse: parseCommissions,
  },
  {
    name: 'currencies',
    flag: 'betfair-currency',
    env: 'BETFAIR_CURRENCY',
    description: 'currency of your account at Betfair, in which its sizes and stakes are given; default: GBP',
    parse: (value) => ({ betfair: parseCurrency(value) }),
  },
  {
    name: 'rates',
    flag: 'fx',
    env: 'FX',
    default: '',
    description:
      'value of one unit of a currency in US dollars, as GBP=1.31; may be given several times (in the environment: separated by semicolons); default: none, with the simulated market GBP=1.31 and EUR=1.08',
    repeatable: true,
    parse: parseRates,
  },
  {
    name: 'match',
    flag: 'match',
    env: 'MATCH',
    default: 'names',
    description:
      "how games of different books are matched: names, by both teams' names; roster, also by one known team, if league and start (within 30 minutes) are the same",
    parse: choice(MATCHES),
  },
] as const satisfies readonly Setting[];

/** What the operator states beside the catalogue: of books' money, and of how games meet. */
export function moneyOf(config: ValuesOf<typeof OPERATOR_SETTINGS>): OperatorSettings {
  const { commissions, currencies, rates, match } = config;
  return { commissions, currencies: currencies ?? {}, rates, match };
}

/** The configuration with what is usual for odds of this kind, unless it was given: the data directory, and rates. */
export function withKindDefaults<Of extends { dataDirGiven: boolean; rates: Rates }>(
  config: Of,
  simulated: boolean,
): Of {
  const rates = simulated && Object.keys(config.rates).length === 0 ? SIMULATED_RATES : config.rates;
  const dataDir = simulated ? SIMULATED_DATA : REAL_DATA;
  return { ...config, rates, ...(config.dataDirGiven ? {} : { dataDir }) };
}
