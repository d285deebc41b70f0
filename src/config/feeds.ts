// The sources of odds.
import { httpUrl, integer, word } from './parsers.js';
import type { Setting } from './setting.js';

export interface FeedsConfig {
  /** Feed specifications, in the order given. */
  feeds: string[];
  /** Maximum number of quotes that may wait for one shard. */
  ingestQueueMax: number;
  oddsApiKey: string | undefined;
  oddsApiUrl: string;
}

export const FEEDS_SETTINGS: readonly Setting<FeedsConfig>[] = [
  {
    name: 'feeds',
    flag: 'feed',
    env: 'FEED',
    default: 'sim',
    description: 'where odds come from; may be given several times (in the environment: separated by semicolons)',
    repeatable: true,
    parse: feeds,
  },
  {
    name: 'ingestQueueMax',
    flag: 'ingest-queue',
    env: 'INGEST_QUEUE',
    default: '200000',
    unit: 'quotes',
    description: 'maximum number of quotes waiting for a shard; beyond it ingest answers 429',
    parse: integer(1, 10_000_000),
  },
  {
    name: 'oddsApiKey',
    env: 'THE_ODDS_API_KEY',
    description: 'key for the feed the-odds-api',
    parse: word('a key without blanks'),
  },
  {
    name: 'oddsApiUrl',
    flag: 'the-odds-api-url',
    env: 'THE_ODDS_API_URL',
    default: 'https://api.the-odds-api.com',
    description: 'base URL of the feed the-odds-api',
    parse: httpUrl,
  },
];

const FEED_KINDS = ['sim', 'replay', 'the-odds-api', 'polymarket', 'kalshi', 'betfair-stream', 'none'];

/** Whether the specification is the simulated market's. */
export function isSimulated(spec: string): boolean {
  return spec === 'sim' || spec.startsWith('sim:');
}

/** Only the kinds are checked here; each feed checks its own options. */
function feeds(value: string): string[] {
  const list = value.split(';').map((spec) => spec.trim());
  const kinds = list.map((spec) => spec.split(':', 1)[0]!);
  if (!kinds.every((kind) => FEED_KINDS.includes(kind))) {
    throw new Error(`${FEED_KINDS.join(', ')}, or one of these with :options`);
  }
  if (kinds.includes('none') && list.length > 1) throw new Error('none alone, or feeds without none');
  return list;
}
