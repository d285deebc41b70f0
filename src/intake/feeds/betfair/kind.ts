// The feed betfair-stream on the command line, and its settings: from the environment alone, most of them are secret.

import { readFileSync } from 'node:fs';
import { LIMITS } from '../../../base/model/limits.js';
import { present } from '../../../base/model/present.js';
import { host, httpUrl, text, word, yesNo } from '../../../config/parsers.js';
import type { Setting, ValuesOf } from '../../../config/setting.js';
import type { Feed } from '../feed.js';
import { type FeedSpec, feedKind, listArg, numberArg, readSecretFile, wordArg } from '../feed-kind.js';
import type { BetfairFeedOptions, BetfairLookup } from './feed.js';

const SPEED_MAX = LIMITS.replaySpeed.max;
const API_PATH = '/exchange/betting/json-rpc/v1';
const CERTIFICATE_LOGIN = { base: 'https://identitysso-cert.betfair.com', path: '/api/certlogin' };
const PASSWORD_LOGIN = { base: 'https://identitysso.betfair.com', path: '/api/login' };

const SETTINGS = [
  {
    name: 'betfairStream',
    env: 'BETFAIR_STREAM',
    default: 'stream-api.betfair.com:443',
    description: 'host:port of the Betfair Exchange stream',
    parse: host,
  },
  {
    name: 'betfairStreamTls',
    env: 'BETFAIR_STREAM_TLS',
    default: 'yes',
    description: 'whether that stream uses TLS; `no` is for tests',
    parse: yesNo,
  },
  {
    name: 'betfairApiUrl',
    env: 'BETFAIR_API_URL',
    default: 'https://api.betfair.com/exchange/betting/json-rpc/v1',
    description: "URL of Betfair's JSON-RPC API, with or without its path",
    parse: httpUrl,
  },
  {
    name: 'betfairLoginUrl',
    env: 'BETFAIR_LOGIN_URL',
    description:
      "URL of the Betfair login, with or without its path; default: Betfair's own, for the login by certificate or by password",
    parse: httpUrl,
  },
  {
    name: 'betfairAppKey',
    env: 'BETFAIR_APP_KEY',
    description: 'Betfair application key',
    parse: word('a key without blanks'),
  },
  { name: 'betfairUsername', env: 'BETFAIR_USERNAME', description: 'Betfair user', parse: text('a name') },
  { name: 'betfairPassword', env: 'BETFAIR_PASSWORD', description: 'password of that user', parse: text('a password') },
  {
    name: 'betfairCert',
    env: 'BETFAIR_CERT',
    description: 'file with the client certificate (PEM); if set, the login uses it',
    parse: text('a file'),
  },
  {
    name: 'betfairCertKey',
    env: 'BETFAIR_CERT_KEY',
    description: "file with that certificate's private key (PEM)",
    parse: text('a file'),
  },
] as const satisfies readonly Setting[];

export const feed = feedKind({
  kind: 'betfair-stream',
  parameters: { sports: 'list', replay: 'value', catalogue: 'value', speed: 'value', timestamps: 'value' },
  settings: SETTINGS,
  once: true,
  /** Live, or a recorded stream. */
  async make(spec, { settings, catalogue: lookup, depth, random }) {
    const path = spec.args['replay'];
    if (path !== undefined) return recorded(spec, path, lookup, depth);
    for (const name of ['catalogue', 'speed', 'timestamps'])
      if (spec.args[name] !== undefined) throw new Error(`betfair-stream: ${name} is for replay=FILE`);
    const { BetfairFeed } = await import('./feed.js');
    return new BetfairFeed({ ...(await liveOptions(spec, settings)), lookup, random, depth });
  },
});

async function recorded(spec: FeedSpec, path: string, lookup: BetfairLookup, depth: number): Promise<Feed> {
  if (spec.args['sports'] !== undefined) throw new Error('betfair-stream: sports is not for a replay');
  const speed = numberArg(spec, 'speed', 0, SPEED_MAX);
  const timestamps = wordArg(spec, 'timestamps', ['recorded', 'shift'] as const);
  const catalogue = spec.args['catalogue'];
  const named = catalogue === undefined ? undefined : await catalogueIn(catalogue);
  const { BetfairReplayFeed } = await import('./replay.js');
  return new BetfairReplayFeed({ path, lookup, depth, ...present({ speed, timestamps, catalogue: named }) });
}

async function catalogueIn(path: string) {
  const { readCatalogueFile } = await import('./catalogue-api.js');
  try {
    return readCatalogueFile(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`betfair-stream: the catalogue cannot be read: ${code ?? message}`);
  }
}

async function liveOptions(
  spec: FeedSpec,
  config: ValuesOf<typeof SETTINGS>,
): Promise<Omit<BetfairFeedOptions, 'lookup' | 'random'>> {
  const { SPORT_OF_EVENT_TYPE } = await import('./names.js');
  const { betfairAppKey: appKey, betfairUsername: username, betfairPassword: password } = config;
  const { betfairCert: cert, betfairCertKey: certKey, betfairLoginUrl: loginUrl } = config;
  const known = [...new Set(Object.values(SPORT_OF_EVENT_TYPE))];
  const requested = listArg(spec, 'sports');
  if (!requested.every((sport) => known.includes(sport)))
    throw new Error(`betfair-stream: sports are ${known.join(', ')}`);
  const needed = { BETFAIR_APP_KEY: appKey, BETFAIR_USERNAME: username, BETFAIR_PASSWORD: password };
  const ofCertificate = cert === certKey ? {} : { BETFAIR_CERT: cert, BETFAIR_CERT_KEY: certKey };
  const missing = Object.entries({ ...needed, ...ofCertificate }).flatMap(([name, value]) =>
    value === undefined ? name : [],
  );
  if (appKey === undefined || username === undefined || password === undefined || missing.length > 0)
    throw new Error(`betfair-stream needs the environment variables ${missing.join(', ')}`);
  const login = cert === undefined ? PASSWORD_LOGIN : CERTIFICATE_LOGIN;
  const certificate =
    cert === undefined || certKey === undefined
      ? undefined
      : { cert: readSecretFile('BETFAIR_CERT', cert), key: readSecretFile('BETFAIR_CERT_KEY', certKey) };
  return {
    sports: requested.length > 0 ? requested : known,
    stream: { ...config.betfairStream, tls: config.betfairStreamTls },
    apiUrl: completed(config.betfairApiUrl, API_PATH).href,
    loginUrl: loginUrl === undefined ? new URL(login.path, login.base) : completed(loginUrl, login.path),
    appKey,
    username,
    password,
    ...present({ certificate }),
  };
}

/** The address with the required path appended; an address that has it, or another path for a login, is unchanged. */
function completed(address: string, path: string): URL {
  const url = new URL(address);
  const given = url.pathname.replace(/\/+$/, '');
  // If the address ends with the beginning of the path, only the rest is added.
  if (path.startsWith(`${given}/`)) url.pathname = path;
  return url;
}
