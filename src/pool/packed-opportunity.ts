// An opportunity between threads: packed by the shard's, received by the front's. Fields that thresholds and sort
// orders use are sent as values, the item as bytes that are decoded on demand. A retained one applies its later states
// in its own memory, and is reused for another when it has ended: thousands change each second, and what outlives the
// young generation is left to a major GC.
import type { Opportunity, OpportunityHead } from '../delta/opportunity.js';
import { OPPORTUNITY_KINDS, type OpportunityKind } from '../model/opportunity.js';
import { decode } from '../wire/codec.js';

export type PackedOpportunity = [
  kind: number,
  /** Its id, in ASCII, precedes its item's bytes: a substring of the whole message would retain that. */
  idLength: number,
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
  /** End offset of its bytes. */
  end: number,
];

export function packOpportunity(one: OpportunityHead, end: number): PackedOpportunity {
  return [
    OPPORTUNITY_KINDS.indexOf(one.kind),
    one.id.length,
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
    end,
  ];
}

/** End offset of one's bytes, where the next one's begin. */
export function endOf(packed: PackedOpportunity): number {
  return packed[14];
}

/** The contents of its bytes. */
export type Opened = Pick<Opportunity, 'item' | 'books'>;

/** Memory is allocated in steps, so that an item that grows, or the next one in its place, fits. */
const ROOM_STEP = 256;

const roomFor = (bytes: number): Buffer => Buffer.allocUnsafe(Math.ceil((bytes + 1) / ROOM_STEP) * ROOM_STEP);

export class ReceivedOpportunity implements OpportunityHead {
  kind: OpportunityKind;
  id: string;
  eventId: string;
  sport: string;
  league: string;
  market: string;
  startMs: number;
  live: boolean;
  edge: number;
  detectedUs: number;
  updatedPosition: number;
  oldestSeenMs: number;
  seenMs: number[];
  suspicious: boolean;
  score: number;
  size: number;
  #memory: Uint8Array;
  #length: number;
  #opened: Opened | undefined;

  /**
   * @param memory of everything that came in a message; its own part begins at `from`. It is valid only as long as the
   * message until keep() is called.
   * @param known maps a text of the message to one that may be retained
   */
  constructor(
    packed: PackedOpportunity,
    detectedUs: number,
    updatedPosition: number,
    memory: Buffer,
    from: number,
    known: (text: string) => string,
  ) {
    const itemFrom = from + packed[1];
    this.kind = OPPORTUNITY_KINDS[packed[0]]!;
    this.id = memory.toString('latin1', from, itemFrom);
    this.eventId = known(packed[2]);
    this.sport = known(packed[3]);
    this.league = known(packed[4]);
    this.market = known(packed[5]);
    this.startMs = packed[6];
    this.live = packed[7];
    this.edge = packed[8];
    this.detectedUs = detectedUs;
    this.updatedPosition = updatedPosition;
    this.oldestSeenMs = packed[9];
    this.seenMs = packed[10] as number[];
    this.suspicious = packed[11];
    this.score = packed[12];
    this.size = packed[13];
    this.#memory = memory.subarray(itemFrom, endOf(packed));
    this.#length = this.#memory.length;
  }

  /** The bytes decoded on demand, as MessagePack; valid until its next state is applied. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  get item(): Opportunity['item'] {
    return this.#open().item;
  }

  get books(): readonly string[] {
    return this.#open().books;
  }

  /** Copies its bytes and its times into memory of its own. */
  keep(): void {
    this.seenMs = [...this.seenMs];
    const bytes = this.#memory;
    this.#memory = roomFor(this.#length);
    this.#memory.set(bytes.subarray(0, this.#length));
  }

  /** Takes the state of `other`, which is not needed any more. */
  become(other: ReceivedOpportunity): void {
    this.kind = other.kind;
    this.id = other.id;
    this.eventId = other.eventId;
    this.sport = other.sport;
    this.league = other.league;
    this.market = other.market;
    this.takeIn(other);
  }

  /** Takes the state of `later`, of the same id, which is not needed any more. */
  takeIn(later: ReceivedOpportunity): void {
    this.startMs = later.startMs;
    this.live = later.live;
    this.edge = later.edge;
    this.detectedUs = later.detectedUs;
    this.updatedPosition = later.updatedPosition;
    this.oldestSeenMs = later.oldestSeenMs;
    this.seenMs.length = later.seenMs.length;
    for (let i = 0; i < later.seenMs.length; i++) this.seenMs[i] = later.seenMs[i]!;
    this.suspicious = later.suspicious;
    this.score = later.score;
    this.size = later.size;
    if (later.#length > this.#memory.length) this.#memory = roomFor(later.#length);
    this.#memory.set(later.#memory.subarray(0, later.#length));
    this.#length = later.#length;
    this.#opened = undefined;
  }

  #open(): Opened {
    this.#opened ??= decode(this.#memory.subarray(0, this.#length)) as Opened;
    return this.#opened;
  }
}

/** For use beyond the message it came in. */
export function retained(opportunity: Opportunity): Opportunity {
  if (opportunity instanceof ReceivedOpportunity) opportunity.keep();
  return opportunity;
}

/** As kept(), in an object that is no longer needed if there is one. */
export function retainedInstead(ended: Opportunity | undefined, opportunity: Opportunity): Opportunity {
  if (!(ended instanceof ReceivedOpportunity && opportunity instanceof ReceivedOpportunity))
    return retained(opportunity);
  ended.become(opportunity);
  return ended;
}

/** The object to retain in place of `known`: the same one if it can apply the later state. */
export function retainedAs(known: Opportunity, later: Opportunity): Opportunity {
  if (!(known instanceof ReceivedOpportunity && later instanceof ReceivedOpportunity)) return retained(later);
  known.takeIn(later);
  return known;
}
