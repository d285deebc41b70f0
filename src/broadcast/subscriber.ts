// One client's stream as a small state machine: snapshot → active items → complete → live. It holds a position and at
// most one sequence of frames under way, never bytes: whatever a full socket misses is in the next sequence of frames,
// merged by row. Once it is live and has everything it joins the cohort of its group, which then stores its position.
import type { ChangeFrames } from './change-frames.js';
import type { Sink } from './frame-encoder.js';
import type { Chunk } from './frame-writer.js';
import type { Group, LiveCohort, MemberState } from './group.js';
import { packedAlone } from './packed-chunks.js';
import type { SendBudget, TurnTaker } from './send-budget.js';

type Phase =
  /** It is not known yet whether it can resume. */
  | 'waiting'
  /** A snapshot's chunks are being sent, then the changes between it and the opening of the stream. */
  | 'snapshot'
  /** The rows are sent; active opportunities come next. */
  | 'active'
  /** A resumed client's missed changes. */
  | 'replay'
  /** Only `snapshot:complete` is missing. */
  | 'complete'
  | 'live'
  | 'closed';

export class Subscriber implements TurnTaker {
  readonly #sink: Sink;
  readonly #budget: SendBudget;
  #group: Group<Subscriber>;
  #phase: Phase = 'live';
  #resumed = false;
  /** Resumed, and the missed changes have not been looked up yet. */
  #resuming = false;
  /** Subscribed to nothing: its positions mean nothing. */
  #idle = false;
  #changeFrames: ChangeFrames | null = null;
  #nextChunk = 0;
  #rowsSent = 0;
  /**
   * The position when a snapshot was requested: the client gets everything up to it before it is notified that it is
   * complete.
   */
  #openedAt = 0;
  /** Complete up to here, once the sequence under way is finished. */
  #cursor = 0;
  /** The same for items other than odds: a snapshot's rows and its opportunities are not of one moment. */
  #newsCursor = 0;
  /** The last position sent to the client as complete. */
  #lastSentPosition = 0;
  /** The same over all subscriptions of the connection. */
  #maxSentPosition = 0;
  /** When the socket last accepted something, or was filled, by `#elapsedMs`. */
  #takenMs: number;
  readonly #elapsedMs: () => number;
  /** What was sent last is to be followed by more at once. */
  #endless = false;
  readonly #endMs: number;
  #cohort: LiveCohort<Subscriber> | null = null;
  /** Its index in the cohort; set by the cohort. */
  index = -1;

  /**
   * Needs snapshotFrom() or resumeFrom(), then pump().
   * @param elapsedMs measures how long a socket takes nothing
   * @param endMs when its right to stream ends (Unix ms)
   */
  constructor(group: Group<Subscriber>, sink: Sink, budget: SendBudget, elapsedMs: () => number, endMs: number) {
    this.#group = group;
    this.#sink = sink;
    this.#budget = budget;
    this.#elapsedMs = elapsedMs;
    this.#takenMs = elapsedMs();
    this.#endMs = endMs;
  }

  get group(): Group<Subscriber> {
    return this.#group;
  }

  get closed(): boolean {
    return this.#phase === 'closed';
  }

  get full(): boolean {
    return this.#sink.full;
  }

  /** Fresh state of a group: all rows, then changes. Returns the position of the rows. */
  snapshotFrom(group: Group<Subscriber>, nowMs: number): number {
    // Positions never decrease, even if others still read an older snapshot; what the whole cohort was sent counts as
    // well.
    this.#leaveCohort();
    const snapshot = group.snapshot(nowMs, this.#maxSentPosition);
    this.#start(group, 'snapshot', snapshot.upTo);
    this.#openedAt = group.head;
    this.#follow(snapshot);
    return snapshot.upTo;
  }

  /** The client has everything of the group up to this position. */
  resumeFrom(group: Group<Subscriber>, position: number): void {
    this.#start(group, group.encoder.completesResume ? 'replay' : 'live', position);
    this.#resumed = true;
    this.#resuming = true;
    this.#noteSent(position);
  }

  /** Nothing but heartbeats, until it is started. */
  waitIn(group: Group<Subscriber>): void {
    this.#start(group, 'waiting', group.head);
  }

  /** Nothing but heartbeats, unless it has left. */
  idleIn(group: Group<Subscriber>): void {
    if (this.closed) return;
    this.#start(group, 'live', group.head);
    this.#lastSentPosition = group.head;
    this.#idle = true;
  }

  /** It was sent everything there is, and its socket took it. */
  get settled(): boolean {
    return this.closed || (!this.#sink.full && this.#standsAt(this.#group.head));
  }

  /** True if it is on its own and could join the cohort of members at a position. */
  isLive(position: number): boolean {
    return this.#cohort === null && this.#standsAt(position) && !this.#sink.full;
  }

  joinCohort(others: LiveCohort<Subscriber>): void {
    this.#cohort = others;
    others.add(this, this.#sink, this.#cursor);
  }

  /** It has left the cohort. */
  leftCohort({ position, lastSentPosition, changeFrames, nextChunk, sentMs }: MemberState): void {
    this.#cohort = null;
    // What the cohort was sent before it joined went to others.
    if (lastSentPosition > this.#cursor) this.#noteSent(Math.max(lastSentPosition, this.#lastSentPosition));
    this.#passTo(position);
    this.#changeFrames = changeFrames;
    this.#nextChunk = nextChunk;
    this.#takenMs = Math.max(this.#takenMs, sentMs);
  }

  /** The socket has room again, or there is something new to send. */
  pump(nowMs: number): void {
    // Changes reach all members of the cohort with the next tick.
    if (this.#cohort !== null) return;
    while (!this.#sink.full && !this.closed) {
      if (this.#budget.over) {
        this.#budget.request(this);
        return;
      }
      if (!this.#sendNext(nowMs)) return;
    }
  }

  /**
   * As pump(), but after the current callback. Data that a socket refuses while uWebSockets is reporting that it is
   * writable is never offered again: a frame of 16 KiB is sent by a write that makes the poll for writability forget
   * it.
   */
  requestTurn(): void {
    if (this.#cohort === null && !this.closed) this.#budget.request(this);
  }

  turn(nowMs: number): void {
    if (this.#cohort === null && !this.#sink.full && !this.closed && this.#sendNext(nowMs)) this.#budget.request(this);
  }

  /** The socket accepted some of its pending data. */
  progressed(): void {
    this.#takenMs = this.#elapsedMs();
  }

  /** A heartbeat; `chunkOf` gives the group's, with or without a position. */
  beat(chunkOf: (position: number | null) => Chunk): void {
    if (this.#sink.full || this.closed) return;
    const { head } = this.#group;
    const position = !this.#idle && this.#lastSent() < head && this.#standsAt(head) ? head : null;
    if (position !== null) this.#noteSent(position);
    this.#send(chunkOf(position));
  }

  /**
   * Closes a client whose socket accepted nothing for `stuckMs` although data is pending. A socket only reports that it
   * is writable when a third of its buffer is free, which takes a slow reader longer than that if buffers are large; it
   * accepts data earlier, so the pending data is offered each time.
   */
  expireIfStuck(nowMs: number, stuckMs: number): boolean {
    if (!this.#sink.full || this.closed) return false;
    if (this.#sink.offer()) {
      this.progressed();
      this.pump(nowMs);
      return false;
    }
    if (this.#elapsedMs() - this.#takenMs < stuckMs) return false;
    this.#sink.fail('backpressure', `nothing was read for ${stuckMs / 1000} s while data was waiting`);
    return true;
  }

  /** Closes a client whose right to stream has ended. */
  expireIfOver(nowMs: number): void {
    if (nowMs >= this.#endMs && !this.closed)
      this.#sink.fail('trial_expired', 'the streaming trial of this key has ended');
  }

  close(): void {
    this.#leaveCohort();
    this.#phase = 'closed';
    this.#changeFrames = null;
    this.#budget.forget(this);
  }

  #start(group: Group<Subscriber>, phase: Phase, position: number): void {
    this.#leaveCohort();
    this.#group = group;
    this.#phase = phase;
    this.#resumed = false;
    this.#resuming = false;
    this.#idle = false;
    this.#changeFrames = null;
    this.#cursor = position;
    this.#newsCursor = position;
    this.#rowsSent = 0;
    this.#lastSentPosition = 0;
  }

  #leaveCohort(): void {
    this.#cohort?.remove(this.index);
  }

  #standsAt(position: number): boolean {
    if (this.#cohort !== null) return this.#cohort.position === position;
    return (
      this.#phase === 'live' &&
      this.#changeFrames === null &&
      this.#cursor === position &&
      this.#newsCursor === position
    );
  }

  #lastSent(): number {
    const sent = this.#cohort?.lastSentPosition ?? 0;
    return sent > this.#cursor ? Math.max(sent, this.#lastSentPosition) : this.#lastSentPosition;
  }

  #passTo(position: number): void {
    this.#cursor = position;
    this.#newsCursor = position;
  }

  /** Sends the next piece or waits for its next turn; false if there is nothing to do. */
  #sendNext(nowMs: number): boolean {
    const changeFrames = this.#changeFrames;
    if (changeFrames !== null) {
      if (changeFrames.lost(this.#nextChunk)) {
        this.#restart(nowMs);
        return true;
      }
      if (changeFrames.waits?.(this.#nextChunk)) return this.#rest();
      const chunk = changeFrames.chunk(this.#nextChunk);
      const sent = this.#packed(chunk);
      const { room } = this.#sink;
      if (room !== undefined && sent.bytes.length > room) {
        this.#budget.request(this);
        return false;
      }
      this.#rowsSent += chunk.rows;
      // What leaves with the head of the answer is no write of its own.
      this.#budget.spend(sent.made ?? (room === undefined ? sent.bytes.length : 0));
      this.#send(sent, this.#phase === 'live' && this.#nextChunk + 1 === changeFrames.chunks);
      // The socket may have died during the write.
      if (!this.closed) this.#advance(changeFrames);
      return true;
    }
    const group = this.#group;
    switch (this.#phase) {
      case 'snapshot':
        this.#phase = 'active';
        if (this.#cursor < this.#openedAt) this.#sinceSnapshot(nowMs);
        return true;
      case 'active':
        if (!group.ready) return this.#rest();
        this.#newsCursor = group.head;
        this.#phase = 'complete';
        this.#follow(group.active(nowMs));
        return true;
      case 'complete':
        this.#phase = 'live';
        this.#noteSent(this.#cursor);
        this.#send(group.completion(this.#cursor, this.#resumed ? null : this.#rowsSent));
        return true;
      case 'replay':
      case 'live':
        return this.#catchUp(nowMs);
      case 'waiting':
      case 'closed':
        return false;
    }
  }

  /** The changes since a snapshot that was made before this stream was opened. */
  #sinceSnapshot(nowMs: number): void {
    const group = this.#group;
    if (!group.remembersOdds(this.#cursor)) {
      this.#restart(nowMs);
      return;
    }
    const changeFrames = group.sinceSnapshot(this.#cursor, nowMs);
    this.#cursor = group.head;
    if (changeFrames !== null) this.#rowsSent = group.countRows();
    this.#follow(changeFrames);
  }

  /** So slow that the log no longer has what it missed. */
  #restart(nowMs: number): void {
    this.#send(this.#group.snapshotRequired('too_old'));
    if (!this.closed) this.snapshotFrom(this.#group, nowMs);
  }

  #catchUp(nowMs: number): boolean {
    const group = this.#group;
    const replay = this.#phase === 'replay';
    if (!replay && !this.#resuming && group.rests(nowMs)) return false;
    const behind = this.#cursor < group.head || this.#newsCursor < group.head;
    if (behind && !group.ready) return false;
    if (behind && !group.reaches(this.#cursor, this.#newsCursor)) {
      this.#restart(nowMs);
      return true;
    }
    if (replay) this.#phase = 'complete';
    if (!behind) return replay;
    const changeFrames = this.#resuming
      ? group.missedSince(this.#cursor, this.#newsCursor, nowMs)
      : group.changes(this.#cursor, this.#newsCursor, nowMs, false);
    this.#resuming = false;
    this.#passTo(group.head);
    this.#follow(changeFrames);
    return replay || changeFrames !== null;
  }

  #follow(changeFrames: ChangeFrames | null): void {
    this.#changeFrames = changeFrames !== null && changeFrames.chunks > 0 ? changeFrames : null;
    this.#nextChunk = 0;
  }

  #advance(changeFrames: ChangeFrames): void {
    if (++this.#nextChunk < changeFrames.chunks) return;
    this.#changeFrames = null;
    if (this.#phase !== 'live') return;
    this.#passTo(changeFrames.upTo);
    this.#noteSent(changeFrames.upTo);
  }

  #noteSent(position: number): void {
    this.#lastSentPosition = position;
    this.#maxSentPosition = position;
  }

  #packed(chunk: Chunk): Chunk {
    return this.#group.encoder.packing === null || chunk.packed ? chunk : packedAlone(chunk);
  }

  #send(chunk: Chunk, last = true): void {
    this.#sink.send(this.#packed(chunk), last);
    this.progressed();
    this.#endless = !last;
  }

  /** Nothing follows for now although more was to: the client must not wait for the end of what it was sent. */
  #rest(): false {
    if (this.#endless && !this.#sink.full) this.#sink.offer();
    this.#endless = false;
    return false;
  }
}
