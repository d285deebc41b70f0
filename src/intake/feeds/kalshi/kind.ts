// The feed kalshi on the command line, and its settings: `kalshi[:series=KXNBAGAME,…]`.
import { present } from '../../../base/model/present.js';
import { httpUrl, text, webSocketUrl, withPath, word } from '../../../config/parsers.js';
import { feedKind, listArg, readPrivateKey } from '../feed-kind.js';
import type { KalshiKey } from './feed.js';

export const feed = feedKind({
  kind: 'kalshi',
  parameters: { series: 'list' },
  settings: [
    {
      name: 'kalshiUrl',
      env: 'KALSHI_URL',
      default: 'https://external-api.kalshi.com',
      description: 'URL from which the feed kalshi gets its games, with or without /trade-api/v2',
      parse: httpUrl,
    },
    {
      name: 'kalshiWsUrl',
      env: 'KALSHI_WS_URL',
      default: 'wss://external-api-ws.kalshi.com',
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
  ],
  once: true,
  async make(spec, { settings, catalogue, depth, random }) {
    const { KalshiFeed } = await import('./feed.js');
    return new KalshiFeed({
      series: listArg(spec, 'series'),
      restUrl: withPath(settings.kalshiUrl, '/trade-api/v2'),
      wsUrl: withPath(settings.kalshiWsUrl, '/trade-api/ws/v2'),
      ...present({ key: keyOf(settings.kalshiKeyId, settings.kalshiPrivateKey) }),
      catalogue,
      random,
      depth,
    });
  },
});

/** @param path of the file with the private key */
function keyOf(id: string | undefined, path: string | undefined): KalshiKey | undefined {
  if (id === undefined && path === undefined) return undefined;
  if (id === undefined) throw new Error('kalshi: KALSHI_PRIVATE_KEY is set, and KALSHI_KEY_ID is missing');
  if (path === undefined) throw new Error('kalshi: KALSHI_KEY_ID is set, and KALSHI_PRIVATE_KEY (a file) is missing');
  return { id, key: readPrivateKey('KALSHI_PRIVATE_KEY', path) };
}
