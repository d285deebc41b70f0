// Makes the feeds of the command line from their specifications.
import type { Catalogue } from '../catalogue/catalogue.js';
import { type Config, ConfigError } from '../config/config.js';
import { betfairFromSpec } from '../feeds/betfair/from-spec.js';
import type { Feed } from '../feeds/feed.js';
import { replayFromSpec, theOddsApiFromSpec } from '../feeds/from-spec.js';
import { kalshiFromSpec } from '../feeds/kalshi/from-spec.js';
import { polymarketFromSpec } from '../feeds/polymarket/from-spec.js';
import { simFeed } from '../feeds/sim/feed.js';
import { simOptions } from '../feeds/sim/options.js';
import { numberArg, parseFeedSpec } from '../feeds/spec.js';
import { recordingSize } from './recording-file.js';

const SINGLE_KINDS = ['polymarket', 'kalshi', 'betfair-stream'];

/** Throws ConfigError for an invalid specification. */
export function makeFeeds(config: Config, catalogue: Catalogue): Feed[] {
  const feeds: Feed[] = [];
  // Each states complete leagues of its book: two of a kind would each remove what the other lists.
  const twice = SINGLE_KINDS.find((kind) => config.feeds.filter((text) => text.split(':', 1)[0] === kind).length > 1);
  if (twice !== undefined) throw new ConfigError(`--feed: ${twice} is given twice; name all of its lists in one`);
  for (const text of config.feeds) {
    try {
      const feed = makeFeed(text, config, catalogue);
      if (feed !== null) feeds.push(feed);
    } catch (error) {
      throw new ConfigError(`--feed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return feeds;
}

function makeFeed(text: string, config: Config, catalogue: Catalogue): Feed | null {
  const spec = parseFeedSpec(text);
  switch (spec.kind) {
    case 'none':
      return null;
    case 'sim': {
      const given: Record<string, number> = {};
      for (const name of ['seed', 'books', 'events', 'rate']) {
        const value = numberArg(spec, name, 0, Number.MAX_SAFE_INTEGER);
        if (value !== undefined) given[name] = value;
      }
      return simFeed(simOptions(given), catalogue);
    }
    case 'replay':
      if (spec.path !== undefined) recordingSize(spec.path);
      return replayFromSpec(spec, catalogue);
    case 'betfair-stream':
      return betfairFromSpec(spec, config, catalogue, Math.random);
    case 'the-odds-api': {
      if (config.oddsApiKey === undefined)
        throw new Error('the-odds-api needs the environment variable THE_ODDS_API_KEY');
      return theOddsApiFromSpec(spec, {
        leagues: catalogue,
        apiKey: config.oddsApiKey,
        baseUrl: config.oddsApiUrl,
        random: Math.random,
      });
    }
    case 'polymarket':
      return polymarketFromSpec(spec, config, catalogue, Math.random);
    case 'kalshi':
      return kalshiFromSpec(spec, config, catalogue, Math.random);
  }
}
