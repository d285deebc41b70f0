// Settings of the feed polymarket: addresses and keys.
import { httpUrl, webSocketUrl } from '../../config/parsers.js';
import type { Setting } from '../../config/setting.js';

export interface PolymarketSettings {
  polymarketGammaUrl: string;
  polymarketClobUrl: string;
  polymarketWsUrl: string;
}

export const POLYMARKET_SETTINGS: readonly Setting<PolymarketSettings>[] = [
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
];
