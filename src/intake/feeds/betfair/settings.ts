// Settings of the feed betfair: from the environment alone, most of them are secret.
import { host, httpUrl, text, word, yesNo } from '../../../config/parsers.js';
import type { Setting } from '../../../config/setting.js';

export const BETFAIR_SETTINGS = [
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
export type BetfairSettings = typeof BETFAIR_SETTINGS;
