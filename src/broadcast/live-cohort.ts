// The members of a group that are at the same position. The next changes are the same for all of them, so their
// position in the stream is stored once, here, and a tick touches only each member's socket: with a thousand clients
// their own objects would have to be fetched from memory every time.
import type { ChangeFrames } from './change-frames.js';
import type { Chunk } from './frame-writer.js';
import type { TickPacker } from './packed-chunks.js';
import type { Sink, SocketList } from './sink.js';

/** The position of a member that leaves the cohort. */
export interface MemberState {
  position: number;
  lastSentPosition: number;
  /** A sequence of frames of which it has had a part. */
  changeFrames: ChangeFrames | null;
  nextChunk: number;
  /** When all were last handed something, by the broadcaster's measure of elapsed time. */
  sentMs: number;
}

export interface Deliveries {
  deliveries: number;
  bytes: number;
}

/** A stream from its cohort's point of view. */
export interface CohortMember {
  /** Its index in the cohort; set by the cohort. */
  index: number;
  /** It has left the cohort. */
  leftCohort(state: MemberState): void;
}

export class LiveCohort<Member extends CohortMember> {
  /** Every member has everything up to this position. */
  #position = 0;
  #lastSentPosition = 0;
  #sentMs = 0;
  #list: SocketList | null = null;
  readonly #members: Member[] = [];
  readonly #onLeave: (member: Member) => void;
  readonly #packer: TickPacker | null;
  /**
   * The sequence of frames under way, its chunk, and the last index that was handed it: those after it still wait for
   * it.
   */
  #changeFrames: ChangeFrames | null = null;
  #chunk = 0;
  #sentIndex = -1;

  /**
   * @param onLeave called with every member that leaves
   * @param packer for compressed streams
   */
  constructor(onLeave: (member: Member) => void, packer: TickPacker | null = null) {
    this.#onLeave = onLeave;
    this.#packer = packer;
  }

  get size(): number {
    return this.#members.length;
  }

  get position(): number {
    return this.#position;
  }

  /** The last position sent to all as complete; 0 before the first. */
  get lastSentPosition(): number {
    return this.#lastSentPosition;
  }

  /** A member that is complete up to `position`, as all others here. */
  add(member: Member, sink: Sink, position: number): void {
    this.#position = position;
    if (this.#list === null) {
      this.#list = sink.list();
      this.#list.onFull = (index) => this.remove(index);
      this.#list.onOwn = () => this.#packer?.cut();
    }
    this.#packer?.cut();
    member.index = this.#members.length;
    this.#members.push(member);
    this.#list.add(sink);
  }

  remove(index: number): void {
    const member = this.#members[index]!;
    const served = index <= this.#sentIndex;
    const state = this.#stateAt(served);
    // Members that the walk has passed stay before those it has not.
    if (served) this.#swap(index, this.#sentIndex--);
    this.#swap(member.index, this.#members.length - 1);
    this.#members.pop();
    this.#list!.pop();
    member.leftCohort(state);
    this.#onLeave(member);
  }

  /** Everyone leaves. */
  dissolve(): void {
    while (this.size > 0) this.remove(this.size - 1);
  }

  /** Nothing changed for this group. */
  passTo(position: number): void {
    this.#position = position;
  }

  /** Leads everyone through a sequence of frames; a member whose socket is full leaves. Returns what was sent. */
  follow(changeFrames: ChangeFrames, elapsedMs: number): Deliveries {
    const sent = { deliveries: 0, bytes: 0 };
    this.#changeFrames = changeFrames;
    this.#sentMs = elapsedMs;
    for (this.#chunk = 0; this.#chunk < changeFrames.chunks && this.size > 0; this.#chunk++) {
      const plain = changeFrames.chunk(this.#chunk);
      const chunk = this.#packer === null ? plain : this.#packer.next(plain, this.size);
      const deliveries = this.#sendAll(chunk, this.#chunk + 1 === changeFrames.chunks);
      sent.deliveries += deliveries;
      sent.bytes += deliveries * chunk.bytes.length;
    }
    this.#changeFrames = null;
    this.#position = changeFrames.upTo;
    this.#lastSentPosition = changeFrames.upTo;
    return sent;
  }

  #sendAll(chunk: Chunk, last: boolean): number {
    const members = this.#members;
    const list = this.#list!;
    const full: Member[] = [];
    let count = 0;
    list.load(chunk, last);
    // A socket that dies during its write leaves at once, and its index with it.
    for (this.#sentIndex = 0; this.#sentIndex < members.length; this.#sentIndex++) {
      const member = members[this.#sentIndex]!;
      count++;
      if (!list.send(this.#sentIndex)) full.push(member);
    }
    this.#sentIndex--;
    for (const member of full) if (members[member.index] === member) this.remove(member.index);
    this.#sentIndex = -1;
    return count;
  }

  #stateAt(served: boolean): MemberState {
    const changeFrames = this.#changeFrames;
    const nextChunk = this.#chunk + (served ? 1 : 0);
    const sentMs = this.#sentMs;
    if (changeFrames === null || nextChunk < changeFrames.chunks)
      return { position: this.#position, lastSentPosition: this.#lastSentPosition, changeFrames, nextChunk, sentMs };
    return {
      position: changeFrames.upTo,
      lastSentPosition: changeFrames.upTo,
      changeFrames: null,
      nextChunk: 0,
      sentMs,
    };
  }

  #swap(one: number, other: number): void {
    if (one === other) return;
    const members = this.#members;
    const [a, b] = [members[one]!, members[other]!];
    members[one] = b;
    members[other] = a;
    b.index = one;
    a.index = other;
    this.#list!.swap(one, other);
  }
}
