// Opportunities on their way from a shard's thread to the front. Thousands move each second and few of them are ever
// served: what thresholds and orders look at goes over as values, the item as bytes that are opened where it is shown.
import { OPPORTUNITY_KINDS, type Opportunity, type UniverseNews } from '../detect/opportunity.js';
import { type Opened, ReceivedOpportunity } from '../opportunities/received.js';
import { encode } from '../wire/codec.js';

export type PackedOpportunity = [
  kind: number,
  id: string,
  eventId: string,
  sport: string,
  league: string,
  market: string,
  startMs: number,
  live: boolean,
  edge: number,
  detectedUs: number,
  movedUs: number,
  oldestSeenMs: number,
  seenMs: readonly number[],
  suspicious: boolean,
  score: number,
  size: number,
  opened: Uint8Array,
];

export interface PackedNews extends Omit<UniverseNews, 'detected'> {
  detected: PackedOpportunity[];
}

/** On the shard's thread. */
export function packNews(news: readonly UniverseNews[]): PackedNews[] {
  return news.map((one) => ({ ...one, detected: packOpportunities(one.detected) }));
}

/** On the front. What is to be kept must be told so: it stands in the message it came in. */
export function unpackNews(news: readonly PackedNews[]): UniverseNews[] {
  return news.map((one) => ({ ...one, detected: unpackOpportunities(one.detected) }));
}

export function packOpportunities(opportunities: readonly Opportunity[]): PackedOpportunity[] {
  return opportunities.map(pack);
}

export function unpackOpportunities(packed: readonly PackedOpportunity[]): Opportunity[] {
  return packed.map(unpack);
}

function pack(one: Opportunity): PackedOpportunity {
  // The codec writes into one buffer after another: bytes within bytes must be a copy.
  const opened = Uint8Array.from(encode({ item: one.item, books: one.books } satisfies Opened));
  return [
    OPPORTUNITY_KINDS.indexOf(one.kind),
    one.id,
    one.eventId,
    one.sport,
    one.league,
    one.market,
    one.startMs,
    one.live,
    one.edge,
    one.detectedUs,
    one.movedUs,
    one.oldestSeenMs,
    one.seenMs,
    one.suspicious,
    one.score,
    one.size,
    opened,
  ];
}

function unpack(packed: PackedOpportunity): Opportunity {
  const head = {
    kind: OPPORTUNITY_KINDS[packed[0]]!,
    id: packed[1],
    eventId: packed[2],
    sport: packed[3],
    league: packed[4],
    market: packed[5],
    startMs: packed[6],
    live: packed[7],
    edge: packed[8],
    detectedUs: packed[9],
    movedUs: packed[10],
    oldestSeenMs: packed[11],
    seenMs: packed[12],
    suspicious: packed[13],
    score: packed[14],
    size: packed[15],
  };
  return new ReceivedOpportunity(head, packed[16]);
}
