// Settings of the feed kalshi: addresses and keys.
import { httpUrl, text, webSocketUrl, word } from '../../config/parsers.js';
import type { Setting } from '../../config/setting.js';

export interface KalshiSettings {
  kalshiUrl: string;
  kalshiWsUrl: string;
  kalshiKeyId?: string;
  /** Path of a file. */
  kalshiPrivateKey?: string;
}

export const KALSHI_SETTINGS: readonly Setting<KalshiSettings>[] = [
  {
    name: 'kalshiUrl',
    env: 'KALSHI_URL',
    default: 'https://api.elections.kalshi.com',
    description: 'URL from which the feed kalshi gets its games, with or without /trade-api/v2',
    parse: httpUrl,
  },
  {
    name: 'kalshiWsUrl',
    env: 'KALSHI_WS_URL',
    default: 'wss://api.elections.kalshi.com',
    description: 'WebSocket on which the feed kalshi receives order books, with or without /trade-api/ws/v2',
    parse: webSocketUrl,
  },
  {
    name: 'kalshiKeyId',
    env: 'KALSHI_KEY_ID',
    description: "id of the key that signs the feed kalshi's requests",
    parse: word('an id without blanks'),
  },
  {
    name: 'kalshiPrivateKey',
    env: 'KALSHI_PRIVATE_KEY',
    description: 'file with the private key (PEM) of that id',
    parse: text('a file'),
  },
];
