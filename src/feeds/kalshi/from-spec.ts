// Makes the Kalshi feed from the command line and the environment.
import { withPath } from '../../config/parsers.js';
import type { FeedAccess } from '../feed-kind.js';
import { readPrivateKey } from '../kit/credentials.js';
import { type FeedSpec, listArg } from '../spec.js';
import { KalshiFeed } from './feed.js';
import type { KalshiSettings } from './settings.js';
import type { KalshiKey } from './signing.js';

/** `kalshi[:series=KXNBAGAME,…]`. Throws an Error with a one-line message if a series or the key is invalid. */
export function kalshiFromSpec(
  spec: FeedSpec,
  { settings: config, catalogue, depth, random }: FeedAccess<KalshiSettings>,
): KalshiFeed {
  const key = keyOf(config);
  return new KalshiFeed({
    series: listArg(spec, 'series'),
    restUrl: withPath(config.kalshiUrl, '/trade-api/v2'),
    wsUrl: withPath(config.kalshiWsUrl, '/trade-api/ws/v2'),
    ...(key === undefined ? {} : { key }),
    catalogue,
    random,
    depth,
  });
}

function keyOf({ kalshiKeyId: id, kalshiPrivateKey: path }: KalshiSettings): KalshiKey | undefined {
  if (id === undefined && path === undefined) return undefined;
  if (id === undefined) throw new Error('kalshi: KALSHI_PRIVATE_KEY is set, and KALSHI_KEY_ID is missing');
  if (path === undefined) throw new Error('kalshi: KALSHI_KEY_ID is set, and KALSHI_PRIVATE_KEY (a file) is missing');
  return { id, key: readPrivateKey('KALSHI_PRIVATE_KEY', path) };
}
