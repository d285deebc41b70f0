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
  oldestSeenMs: number,
  seenMs: readonly number[],
  suspicious: boolean,
  score: number,
  size: number,
  opened: Uint8Array,
];

/** Most opportunities are the same in several universes but for when they were detected and moved there: they go over once. */
export interface PackedNews {
  told: PackedOpportunity[];
  news: PackedUniverseNews[];
}

export interface PackedUniverseNews extends Omit<UniverseNews, 'detected'> {
  /** Of each: its place in `told`, detectedUs, movedUs. */
  detected: number[];
}

/** On the shard's thread. */
export function packNews(news: readonly UniverseNews[]): PackedNews {
  const told: PackedOpportunity[] = [];
  const places = new Map<object, number>();
  const packed = news.map((one) => {
    const detected: number[] = [];
    for (const opportunity of one.detected) {
      let place = places.get(opportunity.item);
      if (place === undefined) {
        place = told.length;
        places.set(opportunity.item, place);
        told.push(pack(opportunity));
      }
      detected.push(place, opportunity.detectedUs, opportunity.movedUs);
    }
    return { ...one, detected };
  });
  return { told, news: packed };
}

/** On the front. What is to be kept must be told so: it stands in the message it came in. */
export function unpackNews({ told, news }: PackedNews): UniverseNews[] {
  return news.map((one) => {
    const detected: Opportunity[] = [];
    for (let i = 0; i < one.detected.length; i += 3)
      detected.push(unpack(told[one.detected[i]!]!, one.detected[i + 1]!, one.detected[i + 2]!));
    return { ...one, detected };
  });
}

/** Opportunities that no universe keeps. */
export function packOpportunities(opportunities: readonly Opportunity[]): PackedNews {
  return packNews([{ universe: '', whole: false, detected: [...opportunities], expired: [], refreshed: [] }]);
}

export function unpackOpportunities(packed: PackedNews): Opportunity[] {
  return unpackNews(packed)[0]!.detected;
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
    one.oldestSeenMs,
    one.seenMs,
    one.suspicious,
    one.score,
    one.size,
    opened,
  ];
}

function unpack(packed: PackedOpportunity, detectedUs: number, movedUs: number): Opportunity {
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
    detectedUs,
    movedUs,
    oldestSeenMs: packed[9],
    seenMs: packed[10],
    suspicious: packed[11],
    score: packed[12],
    size: packed[13],
  };
  return new ReceivedOpportunity(head, packed[14]);
}
