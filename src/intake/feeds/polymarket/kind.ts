// The feed polymarket on the command line, and its settings: `polymarket[:sports=nba,epl]`.
import { httpUrl, webSocketUrl, withPath } from '../../../config/parsers.js';
import { feedKind, listArg } from '../feed-kind.js';

export const feed = feedKind({
  kind: 'polymarket',
  parameters: { sports: 'list' },
  settings: [
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
  ],
  once: true,
  async make(spec, { settings, catalogue, depth, random }) {
    const { PolymarketFeed } = await import('./feed.js');
    return new PolymarketFeed({
      sports: listArg(spec, 'sports'),
      gammaUrl: settings.polymarketGammaUrl,
      clobUrl: settings.polymarketClobUrl,
      wsUrl: withPath(settings.polymarketWsUrl, '/ws/market'),
      catalogue,
      random,
      depth,
    });
  },
});
