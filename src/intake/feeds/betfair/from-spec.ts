// Makes the Betfair feed of a specification: live, or a recorded stream.

import { readFileSync } from 'node:fs';
import { LIMITS } from '../../../base/model/limits.js';
import { present } from '../../../base/model/present.js';
import type { ValuesOf } from '../../../config/setting.js';
import type { Feed } from '../feed.js';
import type { FeedAccess } from '../feed-kind.js';
import { readSecretFile } from '../kit/credentials.js';
import { type FeedSpec, listArg, numberArg, wordArg } from '../spec.js';
import { readCatalogueFile } from './catalogue-api.js';
import { BetfairFeed, type BetfairFeedOptions, type BetfairLookup } from './feed.js';
import { SPORT_OF_EVENT_TYPE } from './names.js';
import { BetfairReplayFeed } from './replay.js';
import type { BetfairSettings } from './settings.js';

const SPEED_MAX = LIMITS.replaySpeed.max;
const API_PATH = '/exchange/betting/json-rpc/v1';
const CERTIFICATE_LOGIN = { base: 'https://identitysso-cert.betfair.com', path: '/api/certlogin' };
const PASSWORD_LOGIN = { base: 'https://identitysso.betfair.com', path: '/api/login' };

/**
 * `betfair-stream[:sports=soccer,basketball]` or `betfair-stream:replay=FILE[,catalogue=FILE][,speed=N]
 * [,timestamps=recorded|shift]`. Throws an Error with one line on what is missing or wrong.
 */
export function betfairFromSpec(
  spec: FeedSpec,
  { settings, catalogue: lookup, depth, random }: FeedAccess<BetfairSettings>,
): Feed {
  const path = spec.args['replay'];
  if (path !== undefined) return replayFromSpec(spec, path, lookup, depth);
  for (const name of ['catalogue', 'speed', 'timestamps'])
    if (spec.args[name] !== undefined) throw new Error(`betfair-stream: ${name} is for replay=FILE`);
  return new BetfairFeed({ ...liveOptions(spec, settings), lookup, random, depth });
}

function replayFromSpec(spec: FeedSpec, path: string, lookup: BetfairLookup, depth: number): BetfairReplayFeed {
  if (spec.args['sports'] !== undefined) throw new Error('betfair-stream: sports is not for a replay');
  const speed = numberArg(spec, 'speed', 0, SPEED_MAX);
  const timestamps = wordArg(spec, 'timestamps', ['recorded', 'shift'] as const);
  const catalogue = spec.args['catalogue'];
  const named = catalogue === undefined ? undefined : catalogueIn(catalogue);
  return new BetfairReplayFeed({ path, lookup, depth, ...present({ speed, timestamps, catalogue: named }) });
}

function catalogueIn(path: string) {
  try {
    return readCatalogueFile(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`betfair-stream: the catalogue cannot be read: ${code ?? message}`);
  }
}

function liveOptions(spec: FeedSpec, config: ValuesOf<BetfairSettings>): Omit<BetfairFeedOptions, 'lookup' | 'random'> {
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
