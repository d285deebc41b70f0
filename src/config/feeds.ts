// The sources of odds.
import { LIMITS } from '../base/model/limits.js';
import { integer } from './parsers.js';
import type { Setting } from './setting.js';

export const FEEDS_SETTINGS = [
  {
    name: 'feeds',
    flag: 'feed',
    env: 'FEED',
    default: 'sim',
    description:
      'a feed: sim (simulated odds), polymarket, kalshi, replay:FILE and others with their parameters (docs/guides/feeds-and-ingest.md), or none for pushed odds alone; may be given several times (in the environment: separated by semicolons)',
    repeatable: true,
    parse: feeds,
  },
  {
    name: 'ingestQueueMax',
    flag: 'ingest-queue',
    env: 'INGEST_QUEUE',
    default: '200000',
    unit: 'quotes',
    description: 'maximum number of quotes that wait for one shard; beyond it ingest answers 429',
    parse: integer(1, 10_000_000),
  },
  {
    name: 'depth',
    flag: 'depth',
    env: 'DEPTH',
    default: '5',
    unit: 'levels',
    description: 'levels of each side of an order book that feeds of exchanges keep, for include=depth; 0 keeps none',
    parse: integer(0, LIMITS.depthLevels.max),
  },
] as const satisfies readonly Setting[];

/** Whether the specification is the simulated market's. */
export function isSimulated(spec: string): boolean {
  return spec === 'sim' || spec.startsWith('sim:');
}

/** What each says is checked where the feeds are made. */
function feeds(value: string): string[] {
  const list = value.split(';').map((spec) => spec.trim());
  const kinds = list.map((spec) => spec.split(':', 1)[0]!);
  if (kinds.includes('none') && list.length > 1) throw new Error('none alone, or feeds without none');
  return list;
}
