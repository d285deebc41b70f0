// The members of a group that stand at the same position. What comes next is the same for all of them, so their place in
// the stream is kept once, here, and a tick touches nothing of each but its socket: with a thousand clients their own
// objects would have to come from memory anew every time.
import type { ChangeFrames } from './change-frames.js';
import type { Chunk } from './frame-writer.js';
import type { Sink, SocketList } from './sink.js';

/** Where a member stands that leaves the others. */
export interface Place {
  position: number;
  told: number;
  /** A sequence of frames it has had a part of. */
  changeFrames: ChangeFrames | null;
  nextChunk: number;
  /** When all were last handed something (Unix ms). */
  sentMs: number;
}

export interface Handed {
  deliveries: number;
  bytes: number;
}

/** A stream as its cohort sees it. */
export interface CohortMember {
  /** Its place among the others; the cohort's to set. */
  seat: number;
  /** It is by itself from now on. */
  outOfStep(place: Place): void;
}

export class LiveCohort<Member extends CohortMember> {
  /** Everybody here has everything up to this position. */
  #position = 0;
  #told = 0;
  #sentMs = 0;
  #list: SocketList | null = null;
  readonly #members: Member[] = [];
  readonly #left: (member: Member) => void;
  /** The sequence of frames under way, its chunk, and the seat that was handed it last: those behind still wait for it. */
  #changeFrames: ChangeFrames | null = null;
  #chunk = 0;
  #at = -1;

  /** @param left told of everybody who leaves. */
  constructor(left: (member: Member) => void) {
    this.#left = left;
  }

  get size(): number {
    return this.#members.length;
  }

  get position(): number {
    return this.#position;
  }

  /** The last position that all were told they are complete up to; 0 before the first. */
  get told(): number {
    return this.#told;
  }

  /** A member that is complete up to `position`, as all others here. */
  add(member: Member, sink: Sink, position: number): void {
    this.#position = position;
    if (this.#list === null) {
      this.#list = sink.list();
      this.#list.filled = (seat) => this.remove(seat);
    }
    member.seat = this.#members.length;
    this.#members.push(member);
    this.#list.add(sink);
  }

  remove(seat: number): void {
    const member = this.#members[seat]!;
    const served = seat <= this.#at;
    const place = this.#placeOf(served);
    // What the walk has passed stays in front of what it has not.
    if (served) this.#swap(seat, this.#at--);
    this.#swap(member.seat, this.#members.length - 1);
    this.#members.pop();
    this.#list!.pop();
    member.outOfStep(place);
    this.#left(member);
  }

  /** There was nothing for this group. */
  passTo(position: number): void {
    this.#position = position;
  }

  /** Leads everybody through a sequence of frames; who is full goes on by himself. Answers what was handed out. */
  follow(changeFrames: ChangeFrames, nowMs: number): Handed {
    const handed = { deliveries: 0, bytes: 0 };
    this.#changeFrames = changeFrames;
    this.#sentMs = nowMs;
    for (this.#chunk = 0; this.#chunk < changeFrames.chunks && this.size > 0; this.#chunk++) {
      const chunk = changeFrames.chunk(this.#chunk);
      const deliveries = this.#handAll(chunk, this.#chunk + 1 === changeFrames.chunks);
      handed.deliveries += deliveries;
      handed.bytes += deliveries * chunk.bytes.length;
    }
    this.#changeFrames = null;
    this.#position = changeFrames.upTo;
    this.#told = changeFrames.upTo;
    return handed;
  }

  #handAll(chunk: Chunk, last: boolean): number {
    const members = this.#members;
    const list = this.#list!;
    const full: Member[] = [];
    let count = 0;
    list.load(chunk, last);
    // A socket that dies under its write leaves at once, and with it its seat.
    for (this.#at = 0; this.#at < members.length; this.#at++) {
      const member = members[this.#at]!;
      count++;
      if (!list.hand(this.#at)) full.push(member);
    }
    this.#at--;
    for (const member of full) if (members[member.seat] === member) this.remove(member.seat);
    this.#at = -1;
    return count;
  }

  #placeOf(served: boolean): Place {
    const changeFrames = this.#changeFrames;
    const nextChunk = this.#chunk + (served ? 1 : 0);
    const sentMs = this.#sentMs;
    if (changeFrames === null || nextChunk < changeFrames.chunks)
      return { position: this.#position, told: this.#told, changeFrames, nextChunk, sentMs };
    return { position: changeFrames.upTo, told: changeFrames.upTo, changeFrames: null, nextChunk: 0, sentMs };
  }

  #swap(one: number, other: number): void {
    if (one === other) return;
    const members = this.#members;
    const [a, b] = [members[one]!, members[other]!];
    members[one] = b;
    members[other] = a;
    b.seat = one;
    a.seat = other;
    this.#list!.swap(one, other);
  }
}
