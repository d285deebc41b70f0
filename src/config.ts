// The one table of settings. The checks, the command's options, --help and the README's table are all made from it.
// Pure: flags and environment are passed in. A flag beats the environment, which beats the default.
import { availableParallelism } from 'node:os';
import { type Commissions, parseCommissions } from './model/commission.js';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export const HTTP10_CHOICES = ['auto', 'yes', 'no'] as const;
export const DURABILITIES = ['commit', 'flush'] as const;

export interface Config {
  host: string;
  /** 0 is any free port. */
  port: number;
  dataDir: string;
  /** Feed specifications, in the order given. */
  feeds: string[];
  /** Shard worker threads. */
  workers: number;
  logLevel: (typeof LOG_LEVELS)[number];
  durability: (typeof DURABILITIES)[number];
  logRetentionS: number;
  logBytesMax: number;
  /** Per shard. */
  mapBytesMax: number;
  /** Undefined is the catalogue that comes with the program. */
  catalogueDir: string | undefined;
  commissions: Commissions;
  /** Quotes that may wait for one shard. */
  ingestQueueMax: number;
  bodyBytesMax: number;
  oddsApiKey: string | undefined;
  oddsApiUrl: string;
  /** Host names, or `*` alone. */
  deeplinkFallbackHosts: string[];
  trustProxy: boolean;
  /** Whether HTTP/1.0 is answered, too; auto: where the system lets it. */
  http10: (typeof HTTP10_CHOICES)[number];
  /** Null is as many as the limit of open files allows. */
  maxConnections: number | null;
}

/** A bad setting: its message is the one line the start ends with. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

export interface Setting<Name extends keyof Config = keyof Config> {
  name: Name;
  /** Without the dashes; undefined for what may only come from the environment (secrets). */
  flag?: string;
  env: string;
  /** As shown; undefined where there is none. */
  default?: string;
  unit?: string;
  description: string;
  repeatable?: true;
  /** Turns the text into the value, or throws an Error that ends the sentence "… must be". */
  parse(text: string): Config[Name];
}

/** What the flags are read into: by flag name, an array for repeatable ones. */
export type FlagValues = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

const MIB = 1024 * 1024;

function setting<Name extends keyof Config>(entry: Setting<Name>): Setting<Name> {
  return entry;
}

export const SETTINGS = [
  setting({
    name: 'host',
    flag: 'host',
    env: 'HOST',
    default: '127.0.0.1',
    description: 'address to listen on',
    parse: word('a host name or address'),
  }),
  setting({
    name: 'port',
    flag: 'port',
    env: 'PORT',
    default: '8080',
    description: 'port to listen on; 0 is any free port',
    parse: integer(0, 65_535),
  }),
  setting({
    name: 'dataDir',
    flag: 'data',
    env: 'DATA_DIR',
    default: './data',
    description: 'directory of the data',
    parse: text('a directory'),
  }),
  setting({
    name: 'feeds',
    flag: 'feed',
    env: 'FEED',
    default: 'sim',
    description: 'where odds come from; may be given several times (in the environment: separated by semicolons)',
    repeatable: true,
    parse: feeds,
  }),
  setting({
    name: 'workers',
    flag: 'workers',
    env: 'WORKERS',
    description: 'shard worker threads; cores - 1, at least 1, where not set',
    parse: integer(1, 256),
  }),
  setting({
    name: 'logLevel',
    flag: 'log',
    env: 'LOG_LEVEL',
    default: 'info',
    description: `least level logged: ${LOG_LEVELS.join(', ')}`,
    parse: choice(LOG_LEVELS),
  }),
  setting({
    name: 'durability',
    flag: 'durability',
    env: 'DURABILITY',
    default: 'commit',
    description:
      'commit: what was acknowledged survives the death of the process (a loss of power may take the last second or two); flush: and the loss of power, at a price in speed',
    parse: choice(DURABILITIES),
  }),
  setting({
    name: 'logRetentionS',
    flag: 'log-retention',
    env: 'LOG_RETENTION_S',
    default: '900',
    unit: 's',
    description: 'how long the change log is kept, for deltas and resumed streams',
    parse: integer(60, 7 * 86_400),
  }),
  setting({
    name: 'logBytesMax',
    flag: 'log-bytes',
    env: 'LOG_BYTES',
    default: '512MiB',
    unit: 'bytes',
    description: 'most the change log of a shard may take; its oldest part goes first',
    parse: bytes(MIB, 1024 * 1024 * MIB),
  }),
  setting({
    name: 'mapBytesMax',
    flag: 'map-size',
    env: 'MAP_SIZE',
    default: '4GiB',
    unit: 'bytes',
    description: 'most the data of a shard may take; ingest is refused beyond it',
    parse: bytes(16 * MIB, 1024 * 1024 * MIB),
  }),
  setting({
    name: 'catalogueDir',
    flag: 'catalogue',
    env: 'CATALOGUE_DIR',
    description:
      'directory with files of a catalogue (sports, leagues, books, markets, teams) in place of built-in ones, or overlays that change single entries',
    parse: text('a directory'),
  }),
  setting({
    name: 'commissions',
    flag: 'commission',
    env: 'COMMISSION',
    default: '',
    description:
      'what a book takes of a bet, as betfair=0.02 (of net winnings) or kalshi=contract:0.07; may be given several times (in the environment: separated by semicolons)',
    repeatable: true,
    parse: parseCommissions,
  }),
  setting({
    name: 'ingestQueueMax',
    flag: 'ingest-queue',
    env: 'INGEST_QUEUE',
    default: '200000',
    unit: 'quotes',
    description: 'quotes that may wait for a shard before ingest answers 429',
    parse: integer(1, 10_000_000),
  }),
  setting({
    name: 'bodyBytesMax',
    flag: 'body-limit',
    env: 'BODY_LIMIT',
    default: '8MiB',
    unit: 'bytes',
    description: 'largest request body, after decompression',
    parse: bytes(1024, 256 * MIB),
  }),
  setting({
    name: 'oddsApiKey',
    env: 'THE_ODDS_API_KEY',
    description: 'key for the feed the-odds-api',
    parse: word('a key without blanks'),
  }),
  setting({
    name: 'oddsApiUrl',
    flag: 'the-odds-api-url',
    env: 'THE_ODDS_API_URL',
    default: 'https://api.the-odds-api.com',
    description: 'base URL of the feed the-odds-api',
    parse: httpUrl,
  }),
  setting({
    name: 'deeplinkFallbackHosts',
    flag: 'deeplink-fallback-hosts',
    env: 'DEEPLINK_FALLBACK_HOSTS',
    default: '',
    description: 'hosts a deep link may fall back to, separated by commas; * is any',
    parse: hosts,
  }),
  setting({
    name: 'trustProxy',
    flag: 'trust-proxy',
    env: 'TRUST_PROXY',
    default: 'no',
    description: 'yes: the client address is the last one in X-Forwarded-For',
    parse: yesNo,
  }),
  setting({
    name: 'http10',
    flag: 'http10',
    env: 'HTTP10',
    default: 'auto',
    description:
      'whether HTTP/1.0 is answered, too, for proxies that speak it (nginx without proxy_http_version 1.1): yes, no, or auto, where the system lets it (Linux); where it is, errors in the head of a first request are JSON, too',
    parse: choice(HTTP10_CHOICES),
  }),
  setting({
    name: 'maxConnections',
    flag: 'max-connections',
    env: 'MAX_CONNECTIONS',
    description:
      'connections open at once, further ones are refused with 503; where not set, what the limit of open files (ulimit -n) allows',
    parse: integer(1, 10_000_000),
  }),
] as const;

/**
 * Checks every setting. Throws ConfigError for an unknown flag or a bad value. An empty environment variable counts as
 * not set; an empty flag does not.
 */
export function parseConfig(
  flags: FlagValues,
  env: Readonly<Record<string, string | undefined>>,
  cores: number = availableParallelism(),
): Config {
  const known = new Set<string>(SETTINGS.flatMap((entry) => ('flag' in entry ? [entry.flag] : [])));
  for (const name of Object.keys(flags)) {
    if (!known.has(name)) throw new ConfigError(`unknown setting --${name} (overround --help lists them)`);
  }
  const config: Partial<Record<keyof Config, unknown>> = {};
  for (const entry of SETTINGS as readonly Setting[]) {
    const given = entry.flag === undefined ? undefined : flagText(entry, flags[entry.flag]);
    const value = given ?? (env[entry.env] || undefined) ?? entry.default;
    if (value === undefined) continue;
    try {
      config[entry.name] = entry.parse(value);
    } catch (error) {
      const source = given === undefined ? entry.env : `--${entry.flag}`;
      // A secret that is merely mistyped must not end up in a log.
      const shown = entry.flag === undefined ? '' : `, not "${value}"`;
      throw new ConfigError(`${source} must be ${(error as Error).message}${shown}`);
    }
  }
  return {
    workers: Math.max(1, cores - 1),
    catalogueDir: undefined,
    oddsApiKey: undefined,
    maxConnections: null,
    ...(config as Omit<Config, 'workers' | 'catalogueDir' | 'oddsApiKey' | 'maxConnections'>),
  };
}

/** The settings as a Markdown table, for the README. */
export function settingsTable(): string {
  const rows = (SETTINGS as readonly Setting[]).map((entry) => {
    const flag = entry.flag === undefined ? '' : `\`--${entry.flag}\``;
    const unit = entry.unit === undefined ? '' : ` (${entry.unit})`;
    return `| ${flag} | \`${entry.env}\` | ${entry.default ? `\`${entry.default}\`` : ''} | ${entry.description}${unit} |`;
  });
  return ['| flag | environment | default | meaning |', '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}

/** The settings for --help: one line each. */
export function settingsHelp(): string {
  const lines = (SETTINGS as readonly Setting[]).map((entry) => {
    const flag = entry.flag === undefined ? '' : `--${entry.flag}`;
    const unit = entry.unit === undefined ? '' : ` (${entry.unit})`;
    const preset = entry.default ? ` [${entry.default}]` : '';
    return `  ${flag.padEnd(26)} ${entry.env.padEnd(24)} ${entry.description}${unit}${preset}`;
  });
  return ['Settings of serve (flag, environment, meaning, [default]):', ...lines, ''].join('\n');
}

function flagText(entry: Setting, given: FlagValues[string]): string | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'boolean') throw new ConfigError(`--${entry.flag} needs a value`);
  if (typeof given === 'string') return given;
  return given.length === 0 ? undefined : given.join(';');
}

function text(what: string): (value: string) => string {
  return (value) => {
    if (value.trim() === '' || value.includes('\0')) throw new Error(what);
    return value;
  };
}

function word(what: string): (value: string) => string {
  return (value) => {
    if (!/^[\x21-\x7e]+$/.test(value)) throw new Error(what);
    return value;
  };
}

function integer(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most)) throw new Error(`a whole number from ${least} to ${most}`);
    return number;
  };
}

const BYTE_UNITS = { '': 1, KiB: 1024, MiB: MIB, GiB: 1024 * MIB } as const;

function bytes(least: number, most: number): (value: string) => number {
  return (value) => {
    const match = /^(\d{1,15})(KiB|MiB|GiB|)$/.exec(value);
    const size = match === null ? Number.NaN : Number(match[1]) * BYTE_UNITS[match[2] as keyof typeof BYTE_UNITS];
    if (!(size >= least && size <= most)) {
      throw new Error(`a number of bytes (KiB, MiB and GiB may follow) from ${least} to ${most}`);
    }
    return size;
  };
}

function choice<const Values extends readonly string[]>(values: Values): (value: string) => Values[number] {
  return (value) => {
    if (!values.includes(value)) throw new Error(`one of ${values.join(', ')}`);
    return value;
  };
}

function yesNo(value: string): boolean {
  if (value === 'yes' || value === 'true' || value === '1') return true;
  if (value === 'no' || value === 'false' || value === '0') return false;
  throw new Error('yes or no');
}

function httpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !(url.protocol === 'https:' || url.protocol === 'http:')) {
    throw new Error('a URL that begins with https:// or http://');
  }
  return value.replace(/\/+$/, '');
}

const FEED_KINDS = ['sim', 'replay', 'the-odds-api', 'none'];

/** Only the kinds are checked here; each feed checks its own options. */
function feeds(value: string): string[] {
  const list = value.split(';').map((spec) => spec.trim());
  const kinds = list.map((spec) => spec.split(':', 1)[0]!);
  if (!kinds.every((kind) => FEED_KINDS.includes(kind))) {
    throw new Error(`${FEED_KINDS.join(', ')}, or one of these with :options`);
  }
  if (kinds.includes('none') && list.length > 1) throw new Error('none alone, or feeds without none');
  return list;
}

function hosts(value: string): string[] {
  const list = value.split(',').flatMap((host) => host.trim().toLowerCase() || []);
  const good = list.every((host) => host === '*' || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/.test(host));
  if (!good) throw new Error('host names separated by commas, or *');
  return list;
}
