// Makes this folder's feeds from the command line's specifications. The key comes from the caller, never from the
// specification.
import { LIMITS } from '../model/limits.js';
import { ReplayFeed } from './replay/replay-feed.js';
import { type FeedSpec, listArg, numberArg, wordArg } from './spec.js';
import type { LeagueLookup } from './the-odds-api/payload.js';
import { TheOddsApiFeed } from './the-odds-api/poller.js';

const SPEED_MAX = LIMITS.replaySpeed.max;
const DAY_S = 86_400;
const FEATURED_MARKETS = ['h2h', 'spreads', 'totals'];

/** `replay:FILE[,speed=N][,timestamps=recorded|shift]`; speed defaults to 1. */
export function replayFromSpec(spec: FeedSpec, leagues: LeagueLookup, simulated: boolean): ReplayFeed {
  if (spec.path === undefined) throw new Error('replay: the recording is missing (replay:FILE)');
  const speed = numberArg(spec, 'speed', 0, SPEED_MAX);
  const timestamps = wordArg(spec, 'timestamps', ['recorded', 'shift'] as const);
  return new ReplayFeed({
    path: spec.path,
    leagues,
    simulated,
    ...(speed === undefined ? {} : { speed }),
    ...(timestamps === undefined ? {} : { timestamps }),
  });
}

export interface OddsApiAccess {
  leagues: LeagueLookup;
  /** From THE_ODDS_API_KEY. */
  apiKey: string;
  /** Overridden by the spec's `url`. */
  baseUrl?: string;
  /** Uniform in [0, 1). */
  random: () => number;
}

/** `the-odds-api:sports=…,regions=…[,markets=…][,bookmakers=…][,every=30][,url=…]`. */
export function theOddsApiFromSpec(spec: FeedSpec, access: OddsApiAccess): TheOddsApiFeed {
  const { baseUrl: configuredUrl, ...rest } = access;
  const markets = listArg(spec, 'markets');
  const baseUrl = spec.args['url'] ?? configuredUrl;
  return new TheOddsApiFeed({
    ...rest,
    sports: listArg(spec, 'sports'),
    regions: listArg(spec, 'regions'),
    markets: markets.length > 0 ? markets : FEATURED_MARKETS,
    bookmakers: listArg(spec, 'bookmakers'),
    everyS: numberArg(spec, 'every', 1, DAY_S) ?? 30,
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });
}
