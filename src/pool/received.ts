// An opportunity as it came from a shard: what thresholds and orders look at, and the item as bytes that are opened where
// it is shown. One that is kept takes its later states in, in its own memory, and its place is taken by another when it has
// ended: thousands move each second, and objects that outlive the collection of the young are what a collector pays for.
import type { Opportunity, OpportunityKind } from '../model/opportunity.js';
import { decode } from '../wire/codec.js';

/** What its bytes hold. */
export type Opened = Pick<Opportunity, 'item' | 'books'>;

type Head = Omit<Opportunity, keyof Opened>;

/** Room is given in steps, so that an item that grows, or the next one in its place, finds enough of it. */
const ROOM_STEP = 256;

const roomFor = (bytes: number): Buffer => Buffer.allocUnsafe(Math.ceil((bytes + 1) / ROOM_STEP) * ROOM_STEP);

export class ReceivedOpportunity implements Opportunity {
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
  movedUs: number;
  oldestSeenMs: number;
  seenMs: number[];
  suspicious: boolean;
  score: number;
  size: number;
  #memory: Uint8Array;
  #length: number;
  #opened: Opened | undefined;

  /** @param bytes Opened as MessagePack; may be part of a message, until keep() is called */
  constructor(head: Head, bytes: Uint8Array) {
    this.kind = head.kind;
    this.id = head.id;
    this.eventId = head.eventId;
    this.sport = head.sport;
    this.league = head.league;
    this.market = head.market;
    this.startMs = head.startMs;
    this.live = head.live;
    this.edge = head.edge;
    this.detectedUs = head.detectedUs;
    this.movedUs = head.movedUs;
    this.oldestSeenMs = head.oldestSeenMs;
    this.seenMs = head.seenMs as number[];
    this.suspicious = head.suspicious;
    this.score = head.score;
    this.size = head.size;
    this.#memory = bytes;
    this.#length = bytes.length;
  }

  /** What is opened where it is shown, as MessagePack; good until its next state is taken in. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  get item(): Record<string, unknown> {
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
    this.movedUs = later.movedUs;
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
export function kept(opportunity: Opportunity): Opportunity {
  if (opportunity instanceof ReceivedOpportunity) opportunity.keep();
  return opportunity;
}

/** As kept(), in the place of one that nobody needs any more where there is such a place. */
export function keptInstead(ended: Opportunity | undefined, opportunity: Opportunity): Opportunity {
  if (!(ended instanceof ReceivedOpportunity && opportunity instanceof ReceivedOpportunity)) return kept(opportunity);
  ended.become(opportunity);
  return ended;
}

/** What is to be kept where `known` was: the same object where it can take the later state in. */
export function keptAs(known: Opportunity, later: Opportunity): Opportunity {
  if (!(known instanceof ReceivedOpportunity && later instanceof ReceivedOpportunity)) return kept(later);
  known.takeIn(later);
  return known;
}
