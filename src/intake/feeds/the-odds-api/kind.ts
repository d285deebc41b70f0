// The feed the-odds-api on the command line, and its settings.
// `the-odds-api:sports=…,regions=…[,markets=…][,bookmakers=…][,every=30][,scores=on][,url=…]`
import { httpUrl, word } from '../../../config/parsers.js';
import { feedKind, listArg, numberArg, wordArg } from '../feed-kind.js';

const DAY_S = 86_400;
const FEATURED_MARKETS = ['h2h', 'spreads', 'totals'];

export const feed = feedKind({
  kind: 'the-odds-api',
  parameters: {
    sports: 'list',
    regions: 'list',
    markets: 'list',
    bookmakers: 'list',
    every: 'value',
    scores: 'value',
    url: 'value',
  },
  settings: [
    {
      name: 'oddsApiKey',
      env: 'THE_ODDS_API_KEY',
      description: 'key for the feed the-odds-api',
      parse: word('a key without blanks'),
    },
    {
      name: 'oddsApiUrl',
      env: 'THE_ODDS_API_URL',
      default: 'https://api.the-odds-api.com',
      description: 'base URL of the feed the-odds-api, unless its url=… says another',
      parse: httpUrl,
    },
  ],
  check({ args }) {
    if (args['sports'] === undefined) throw new Error('the-odds-api: sports=… is missing');
    if (args['regions'] === undefined && args['bookmakers'] === undefined)
      throw new Error('the-odds-api: regions=… (or bookmakers=…) is missing');
  },
  async make(spec, { settings: { oddsApiKey: apiKey, oddsApiUrl }, catalogue, random }) {
    if (apiKey === undefined) throw new Error('the-odds-api needs the environment variable THE_ODDS_API_KEY');
    const { TheOddsApiFeed } = await import('./poller.js');
    const markets = listArg(spec, 'markets');
    return new TheOddsApiFeed({
      leagues: catalogue,
      apiKey,
      random,
      sports: listArg(spec, 'sports'),
      regions: listArg(spec, 'regions'),
      markets: markets.length > 0 ? markets : FEATURED_MARKETS,
      bookmakers: listArg(spec, 'bookmakers'),
      everyS: numberArg(spec, 'every', 1, DAY_S) ?? 30,
      scores: wordArg(spec, 'scores', ['on', 'off'] as const) === 'on',
      baseUrl: spec.args['url'] ?? oddsApiUrl,
    });
  },
});
