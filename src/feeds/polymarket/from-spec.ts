// Makes the Polymarket feed from the command line and the environment.
import { type ExchangesConfig, withPath } from '../../config/exchanges.js';
import { defined } from '../../model/defined.js';
import { type FeedSpec, listArg } from '../spec.js';
import { PolymarketFeed, type PolymarketOptions } from './feed.js';

/** `polymarket[:sports=nba,epl]`. Throws an Error with a one-line message if a sport is unknown. */
export function polymarketFromSpec(
  spec: FeedSpec,
  config: Pick<ExchangesConfig, 'polymarketGammaUrl' | 'polymarketClobUrl' | 'polymarketWsUrl'> &
    Partial<Pick<ExchangesConfig, 'depth'>>,
  catalogue: PolymarketOptions['catalogue'],
  random: () => number,
): PolymarketFeed {
  return new PolymarketFeed({
    sports: listArg(spec, 'sports'),
    gammaUrl: config.polymarketGammaUrl,
    clobUrl: config.polymarketClobUrl,
    wsUrl: withPath(config.polymarketWsUrl, '/ws/market'),
    catalogue,
    random,
    ...defined({ depth: config.depth }),
  });
}
