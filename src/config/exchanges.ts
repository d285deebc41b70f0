// Addresses of the prediction markets. Each may be a base URL or already include the path.
import { LIMITS } from '../model/limits.js';
import { httpUrl, integer, text, webSocketUrl, word } from './parsers.js';
import type { Setting } from './setting.js';

export interface ExchangesConfig {
  polymarketGammaUrl: string;
  polymarketClobUrl: string;
  polymarketWsUrl: string;
  kalshiUrl: string;
  kalshiWsUrl: string;
  kalshiKeyId: string | undefined;
  /** Path of a file. */
  kalshiPrivateKey: string | undefined;
  /** Levels kept of each side of an order book. */
  depth: number;
}

export const EXCHANGES_SETTINGS: readonly Setting<ExchangesConfig>[] = [
  {
    name: 'depth',
    flag: 'depth',
    env: 'DEPTH',
    default: '5',
    unit: 'levels',
    description: 'levels of an order book that feeds of exchanges keep of each side (include=depth); 0 keeps none',
    parse: integer(0, LIMITS.depthLevels.max),
  },
  {
    name: 'polymarketGammaUrl',
    env: 'POLYMARKET_GAMMA_URL',
    default: 'https://gamma-api.polymarket.com',
    description: 'base URL from which the feed polymarket gets its games',
    parse: httpUrl,
  },
  {
    name: 'polymarketClobUrl',
    env: 'POLYMARKET_CLOB_URL',
    default: 'https://clob.polymarket.com',
    description: 'base URL from which the feed polymarket fetches order books',
    parse: httpUrl,
  },
  {
    name: 'polymarketWsUrl',
    env: 'POLYMARKET_WS_URL',
    default: 'wss://ws-subscriptions-clob.polymarket.com',
    description: 'WebSocket on which the feed polymarket receives changes, with or without /ws/market',
    parse: webSocketUrl,
  },
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

/** The address with `path` appended unless it already ends with the path or a beginning of it. */
export function withPath(url: string, path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  for (let there = parts.length; there > 0; there--) {
    const begun = `/${parts.slice(0, there).join('/')}`;
    if (url.endsWith(begun)) return url + path.slice(begun.length);
  }
  return url + path;
}
