// Opportunities on their way from a shard's thread to the front. Thousands move each second and few of them are ever
// served: what thresholds and orders look at goes over as values, the item as bytes that are opened where it is shown.
import { OPPORTUNITY_KINDS, type Opportunity, type OpportunityKind, type UniverseNews } from '../detect/opportunity.js';
import { decode, encode } from '../wire/codec.js';

type Opened = Pick<Opportunity, 'item' | 'books'>;

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

/** On the front. Keeps nothing of the message it came in. */
export function unpackNews(news: readonly PackedNews[]): UniverseNews[] {
  return news.map((one) => ({ ...one, detected: unpackOpportunities(one.detected) }));
}

export function packOpportunities(opportunities: readonly Opportunity[]): PackedOpportunity[] {
  return opportunities.map(pack);
}

export function unpackOpportunities(packed: readonly PackedOpportunity[]): Opportunity[] {
  return packed.map((one) => new ReceivedOpportunity(one));
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

class ReceivedOpportunity implements Opportunity {
  readonly kind: OpportunityKind;
  readonly id: string;
  readonly eventId: string;
  readonly sport: string;
  readonly league: string;
  readonly market: string;
  readonly startMs: number;
  readonly live: boolean;
  readonly edge: number;
  readonly detectedUs: number;
  readonly movedUs: number;
  oldestSeenMs: number;
  seenMs: readonly number[];
  readonly suspicious: boolean;
  readonly score: number;
  readonly size: number;
  readonly #bytes: Buffer;
  #opened: Opened | undefined;

  constructor(packed: PackedOpportunity) {
    this.kind = OPPORTUNITY_KINDS[packed[0]]!;
    this.id = packed[1];
    this.eventId = packed[2];
    this.sport = packed[3];
    this.league = packed[4];
    this.market = packed[5];
    this.startMs = packed[6];
    this.live = packed[7];
    this.edge = packed[8];
    this.detectedUs = packed[9];
    this.movedUs = packed[10];
    this.oldestSeenMs = packed[11];
    this.seenMs = packed[12];
    this.suspicious = packed[13];
    this.score = packed[14];
    this.size = packed[15];
    this.#bytes = Buffer.from(packed[16]);
  }

  get item(): Record<string, unknown> {
    return this.#open().item;
  }

  get books(): readonly string[] {
    return this.#open().books;
  }

  #open(): Opened {
    this.#opened ??= decode(this.#bytes) as Opened;
    return this.#opened;
  }
}
