// An opportunity between threads: packed by the shard's, received by the front's. What thresholds and orders look at goes
// over as values, the item as bytes that are opened where it is shown. One that is kept takes its later states in, in its
// own memory, and its place is taken by another when it has ended: thousands move each second, and what outlives the young
// generation is left to a major GC.
import type { Opportunity, OpportunityHead } from '../delta/opportunity.js';
import { OPPORTUNITY_KINDS, type OpportunityKind } from '../model/opportunity.js';
import { decode } from '../wire/codec.js';

export type PackedOpportunity = [
  kind: number,
  /** Its id, in ASCII, stands before its item's bytes: a text cut out of the whole message would keep that alive. */
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
  /** Where its bytes end. */
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

/** Where the bytes of one end, and those of the next begin. */
export function endOf(packed: PackedOpportunity): number {
  return packed[14];
}

/** What its bytes hold. */
export type Opened = Pick<Opportunity, 'item' | 'books'>;

/** Room is given in steps, so that an item that grows, or the next one in its place, finds enough of it. */
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
   * @param memory of all that came in a message; its own part begins at `from`. It may be kept no longer than the message
   * until keep() is called.
   * @param known gives a text that is the message's own as one to be kept
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

  /** What is opened where it is shown, as MessagePack; good until its next state is taken in. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  get item(): Opportunity['item'] {
    return this.#open().item;
  }

  get books(): readonly string[] {
    return this.#open().books;
  }

  /** Puts its bytes and its times into memory of its own. */
  keep(): void {
    this.seenMs = [...this.seenMs];
    const bytes = this.#memory;
    this.#memory = roomFor(this.#length);
    this.#memory.set(bytes.subarray(0, this.#length));
  }

  /** Becomes what `other` is, which is not needed any more. */
  become(other: ReceivedOpportunity): void {
    this.kind = other.kind;
    this.id = other.id;
    this.eventId = other.eventId;
    this.sport = other.sport;
    this.league = other.league;
    this.market = other.market;
    this.takeIn(other);
  }

  /** Becomes what `later`, of the same id, is; that one is not needed any more. */
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

/** For keeping longer than the message it came in. */
export function retained(opportunity: Opportunity): Opportunity {
  if (opportunity instanceof ReceivedOpportunity) opportunity.keep();
  return opportunity;
}

/** As kept(), in the place of one that nobody needs any more where there is such a place. */
export function retainedInstead(ended: Opportunity | undefined, opportunity: Opportunity): Opportunity {
  if (!(ended instanceof ReceivedOpportunity && opportunity instanceof ReceivedOpportunity))
    return retained(opportunity);
  ended.become(opportunity);
  return ended;
}

/** What is to be kept where `known` was: the same object where it can take the later state in. */
export function retainedAs(known: Opportunity, later: Opportunity): Opportunity {
  if (!(known instanceof ReceivedOpportunity && later instanceof ReceivedOpportunity)) return retained(later);
  known.takeIn(later);
  return known;
}
