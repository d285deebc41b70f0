// The settings themselves, in groups by subject; config.ts says in which order they are shown.

import { parseCommissions } from '../base/model/commission.js';
import { LIMITS } from '../base/model/limits.js';
import { MATCHES, type OperatorSettings, parseCurrency, parseRates, type Rates } from '../base/model/money.js';
import { bytes, choice, httpUrl, instant, integer, list, MIB, onOff, text, word, yesNo } from './parsers.js';
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

/** The sources of odds. */
export const FEEDS_SETTINGS = [
  {
    name: 'feeds',
    flag: 'feed',
    env: 'FEED',
    default: 'sim',
    description:
      'a feed: sim (simulated odds), polymarket, kalshi, replay:FILE and others with their parameters (docs/guides/feeds-and-ingest.md), or none for pushed odds alone; may be given several times (in the environment: separated by semicolons)',
    repeatable: true,
    parse: feeds,
  },
  {
    name: 'ingestQueueMax',
    flag: 'ingest-queue',
    env: 'INGEST_QUEUE',
    default: '200000',
    unit: 'quotes',
    description: 'maximum number of quotes that wait for one shard; beyond it ingest answers 429',
    parse: integer(1, 10_000_000),
  },
  {
    name: 'depth',
    flag: 'depth',
    env: 'DEPTH',
    default: '5',
    unit: 'levels',
    description: 'levels of each side of an order book that feeds of exchanges keep, for include=depth; 0 keeps none',
    parse: integer(0, LIMITS.depthLevels.max),
  },
] as const satisfies readonly Setting[];

/** Whether the specification is the simulated market's. */
export function isSimulated(spec: string): boolean {
  return spec === 'sim' || spec.startsWith('sim:');
}

/** What each says is checked where the feeds are made. */
function feeds(value: string): string[] {
  const list = value.split(';').map((spec) => spec.trim());
  const kinds = list.map((spec) => spec.split(':', 1)[0]!);
  if (kinds.includes('none') && list.length > 1) throw new Error('none alone, or feeds without none');
  return list;
}

const NATIVE_CODE_CHOICES = ['pinned', 'any'] as const;

/** Where and how the server listens. */
export const SERVING_SETTINGS = [
  {
    name: 'host',
    flag: 'host',
    env: 'HOST',
    default: '127.0.0.1',
    description: 'address to listen on',
    parse: word('a host name or address'),
  },
  {
    name: 'port',
    flag: 'port',
    env: 'PORT',
    default: '8080',
    description: 'port to listen on; 0 is any free port',
    parse: integer(0, 65_535),
  },
  {
    name: 'bodyBytesMax',
    flag: 'body-limit',
    env: 'BODY_LIMIT',
    default: '8MiB',
    unit: 'bytes',
    description: 'largest body of POST /ingest, after decompression; other bodies have at most 256 KiB',
    parse: bytes(1024, 256 * MIB),
  },
  {
    name: 'deeplinkFallbackHosts',
    flag: 'deeplink-fallback-hosts',
    env: 'DEEPLINK_FALLBACK_HOSTS',
    default: '',
    description: 'hosts, separated by commas, to which fallback= of a deep link may lead; * is any; default: none',
    repeatable: true,
    parse: list(/^(?:\*|[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?)$/, 'host names separated by commas, or *'),
  },
  {
    name: 'trustProxy',
    flag: 'trust-proxy',
    env: 'TRUST_PROXY',
    default: 'no',
    description: 'yes, behind a proxy: the client address is the last one in X-Forwarded-For',
    parse: yesNo,
  },
  {
    name: 'maxConnections',
    flag: 'max-connections',
    env: 'MAX_CONNECTIONS',
    description:
      'maximum number of open connections; further ones are refused with 503; default: what the limit of open files (ulimit -n) allows',
    parse: integer(1, 10_000_000),
  },
  {
    name: 'compress',
    flag: 'compress',
    env: 'COMPRESS',
    default: 'on',
    description:
      'on: streams are compressed for clients that accept it, once for all with the same subscription (SSE: gzip, changes only from 20 such clients on; WebSocket: overround.deflate, overround.msgpack.deflate); off: never',
    parse: onOff,
  },
  {
    name: 'nativeCode',
    flag: 'native-code',
    env: 'NATIVE_CODE',
    default: 'pinned',
    description:
      'pinned: the uWebSockets binary must be the one this version was built with (SHA-256); any: any binary is loaded',
    parse: choice(NATIVE_CODE_CHOICES),
  },
] as const satisfies readonly Setting[];

/** How long, and how much, history is retained. */
export const HISTORY_SETTINGS = [
  {
    name: 'historyDays',
    flag: 'history',
    env: 'HISTORY_DAYS',
    default: '7',
    unit: 'days',
    description: 'how long price changes, opening and closing prices are kept; 0 keeps none',
    parse: integer(0, 3_650),
  },
  {
    name: 'historyBytesMax',
    flag: 'history-bytes',
    env: 'HISTORY_BYTES',
    default: '4GiB',
    unit: 'bytes',
    description: 'maximum size of the history; the oldest part is dropped first',
    parse: bytes(16 * MIB, 1024 * 1024 * MIB),
  },
  {
    name: 'resultSources',
    flag: 'result-sources',
    env: 'RESULT_SOURCES',
    default: '',
    description:
      'sources of results, separated by commas, the most trusted first; of all others the latest result counts; default: none',
    repeatable: true,
    parse: list(/^/, 'names separated by commas'),
  },
] as const satisfies readonly Setting[];

/** How bets are judged on paper. */
export const BETS_SETTINGS = [
  {
    name: 'betDelays',
    flag: 'bet-delay',
    env: 'BET_DELAY',
    default: '',
    unit: 's',
    description:
      "how long a bet in play waits at a book before it is filled or rejected, in place of the catalogue's: betfair=5; may be given several times (in the environment: separated by semicolons)",
    repeatable: true,
    parse: delays,
  },
  {
    name: 'paperMax',
    flag: 'paper-max',
    env: 'PAPER_MAX',
    default: '100',
    description:
      "the most that all paper bets of an account get at one price whose book states no limit, size or ladder, in the row's currency",
    parse: amount,
  },
] as const satisfies readonly Setting[];

function delays(value: string): Record<string, number> {
  const delays: Record<string, number> = {};
  for (const entry of value.split(/[;,]/).flatMap((each) => each.trim() || [])) {
    const [, book, seconds] = /^([a-z0-9_]+)=(\d{1,2}(?:\.\d{1,3})?)$/.exec(entry) ?? [];
    if (book === undefined) throw new Error('BOOK=SECONDS, as betfair=5');
    delays[book] = Number(seconds);
  }
  return delays;
}

function amount(value: string): number {
  const amount = /^\d{1,13}(\.\d{1,2})?$/.test(value) ? Number(value) : Number.NaN;
  if (!(amount >= 0 && amount <= LIMITS.money.max)) throw new Error('an amount of money');
  return amount;
}

/** The targets that alerts may be sent to. */
export const ALERTS_SETTINGS = [
  {
    name: 'alertHosts',
    flag: 'alert-hosts',
    env: 'ALERT_HOSTS',
    default: '',
    description:
      'hosts of private networks (host or host:port, separated by commas) to which alerts may be sent; * is any; default: none',
    repeatable: true,
    parse: list(/^[^\s/@]*$/, 'hosts, as host or host:port, with commas between'),
  },
  {
    name: 'telegramApiUrl',
    env: 'TELEGRAM_API_URL',
    default: 'https://api.telegram.org',
    description: 'base URL to which alerts for Telegram are sent',
    parse: httpUrl,
  },
  {
    name: 'telegramBotToken',
    env: 'TELEGRAM_BOT_TOKEN',
    description: 'token of the bot that sends them; without it there are no alerts for Telegram',
    parse: word('the token of a bot'),
  },
] as const satisfies readonly Setting[];

/** Serving a recording on its own clock. */
export const REPLAY_SETTINGS = [
  {
    name: 'replay',
    flag: 'replay',
    env: 'REPLAY',
    description:
      'file to serve on its own clock, in place of feeds: a recording of `overround record`, polls of The Odds API, or exported history (NDJSON); without --data in a temporary data directory',
    parse: text('a file'),
  },
  {
    name: 'replaySpeed',
    flag: 'speed',
    env: 'REPLAY_SPEED',
    default: '1',
    description: 'with --replay: recorded seconds per second, or max',
    parse: speed,
  },
  {
    name: 'replayFrom',
    flag: 'from',
    env: 'REPLAY_FROM',
    description: 'with --replay: a day or an RFC 3339 time; everything before it is played before the server listens',
    parse: instant,
  },
  {
    name: 'replayResults',
    flag: 'results',
    env: 'REPLAY_RESULTS',
    description: 'with --replay: file with the results of its games, as for `overround results`',
    parse: text('a file'),
  },
  {
    name: 'lockstep',
    flag: 'lockstep',
    bare: 'yes',
    env: 'LOCKSTEP',
    default: 'no',
    description: 'with --replay, yes: time moves only by steps (POST /api/v1/replay), and two runs are the same',
    parse: yesNo,
  },
] as const satisfies readonly Setting[];

function speed(value: string): number {
  const number = value === 'max' ? Number.POSITIVE_INFINITY : Number(value);
  if (!(number > 0) || (value !== 'max' && number > LIMITS.replaySpeed.max))
    throw new Error(`max, or a number above 0 and at most ${LIMITS.replaySpeed.max}`);
  return number;
}

const ROLES = ['engine', 'front', 'all'] as const;

/** Several processes: the fronts of one machine; or the cluster that this process belongs to, and its role there. */
export const PROCESSES_SETTINGS = [
  {
    name: 'fronts',
    flag: 'fronts',
    env: 'FRONTS',
    default: '0',
    description:
      'number of front processes that share the port and serve the odds of one engine process (Linux only); 0: one process does both',
    parse: integer(0, LIMITS.fronts.max),
  },
  {
    name: 'cluster',
    flag: 'cluster',
    env: 'CLUSTER',
    default: '',
    description:
      'NATS servers through which several processes share one log, as nats://h1:4222,nats://h2:4222 (tls:// for TLS); default: none, a single process',
    repeatable: true,
    parse: servers,
  },
  {
    name: 'role',
    flag: 'role',
    env: 'ROLE',
    default: 'all',
    description: 'with --cluster: engine (ingests and detects), front (serves), or all (both)',
    parse: choice(ROLES),
  },
  {
    name: 'clusterName',
    flag: 'cluster-name',
    env: 'CLUSTER_NAME',
    default: 'overround',
    description: 'with --cluster: name of the cluster; clusters on the same NATS servers need different ones',
    parse: clusterName,
  },
  {
    name: 'natsCreds',
    env: 'NATS_CREDS',
    description: 'with --cluster: file with NATS credentials',
    parse: text('a file'),
  },
  {
    name: 'natsUser',
    env: 'NATS_USER',
    description: 'with --cluster: NATS user',
    parse: word('a name without blanks'),
  },
  {
    name: 'natsPassword',
    env: 'NATS_PASSWORD',
    description: 'with --cluster: NATS password',
    parse: word('a password without blanks'),
  },
] as const satisfies readonly Setting[];

function servers(value: string): string[] {
  const list = value.split(/[,;]/).flatMap((server) => server.trim() || []);
  const good = list.every((server) =>
    /^(?:nats|tls):\/\/[A-Za-z0-9._-]+(?::\d{1,5})?$|^(?:nats|tls):\/\/\[[0-9a-fA-F:]+\](?::\d{1,5})?$/.test(server),
  );
  if (!good) throw new Error('addresses like nats://host:4222 or tls://host:4222, separated by commas');
  return list;
}

function clusterName(value: string): string {
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(value)) throw new Error('1 to 32 letters, digits, - or _');
  return value;
}
