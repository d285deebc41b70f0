// Makes the Polymarket feed from the command line and the environment.
import { withPath } from '../../config/parsers.js';
import type { FeedAccess } from '../feed-kind.js';
import { type FeedSpec, listArg } from '../spec.js';
import { PolymarketFeed } from './feed.js';
import type { PolymarketSettings } from './settings.js';

/** `polymarket[:sports=nba,epl]`. Throws an Error with a one-line message if a sport is unknown. */
export function polymarketFromSpec(
  spec: FeedSpec,
  { settings: config, catalogue, depth, random }: FeedAccess<PolymarketSettings>,
): PolymarketFeed {
  return new PolymarketFeed({
    sports: listArg(spec, 'sports'),
    gammaUrl: config.polymarketGammaUrl,
    clobUrl: config.polymarketClobUrl,
    wsUrl: withPath(config.polymarketWsUrl, '/ws/market'),
    catalogue,
    random,
    depth,
  });
}
