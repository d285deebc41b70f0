// Subscribers with the same subscription and transport: changes are filtered and encoded once for all of them.

import type { OpportunityView, OpportunityViews } from '../answers/opportunities/views.js';
import { formatMs } from '../base/model/time.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { OddsTable } from '../tables/table.js';
import { type ChangeFrames, type CutSizes, type NewsSource, NO_NEWS_SOURCE, sharedFrames } from './change-frames.js';
import type { FrameEncoder, Sink, SocketList } from './frame-encoder.js';
import { type Chunk, FrameWriter, RowWriter } from './frame-writer.js';
import { SubscribedItems } from './keyed-channels.js';
import type { KeyedChannels } from './keyed-items.js';
import type { OpeningPrices } from './opening-prices.js';
import { packedAlone, TickPacker } from './packed-chunks.js';
import { activeAsFrames, changesAsFrames, type FrameParts, snapshotSuffix } from './section-frames.js';
import { Snapshot } from './snapshot.js';
import { kindsOf, type Subscription } from './subscription.js';

/** Clients that join within this time of each other share a snapshot. */
const SNAPSHOT_SHARED_MS = 1_000;
const MS_PER_SECOND = 1_000;

export interface GroupSources {
  table: OddsTable;
  catalogue: Catalogue;
  opportunities: OpportunityViews;
  keyed: KeyedChannels;
  /** Null if there is no history. */
  openings: OpeningPrices | null;
  sizes: CutSizes;
}

const writer = new FrameWriter();

/** A stream from the group's point of view. */
export interface GroupMember<Member extends GroupMember<Member>> extends CohortMember {
  /** True if it is on its own and could join the cohort at a position. */
  isLive(position: number): boolean;
  joinCohort(others: LiveCohort<Member>): void;
}

export class Group<Member extends GroupMember<Member>> {
  readonly key: string;
  readonly encoder: FrameEncoder;
  readonly members = new Set<Member>();
  /** Members at the position of the last tick. */
  readonly cohort: LiveCohort<Member>;
  /** All others: joining, catching up, full. */
  readonly catchingUp = new Set<Member>();
  /** How long it rests after a tick, for a chosen rate; 0 if it does not. */
  readonly restMs: number;
  /** Until when it rests (Unix ms). */
  restsUntilMs = 0;
  /** Position of its last tick. */
  tickedTo: number;
  readonly #sources: GroupSources;
  readonly #subscription: Subscription;
  readonly #rows: RowWriter;
  /** Of snapshots. */
  readonly #snapshotRows: RowWriter;
  readonly #wantsOdds: boolean;
  readonly #view: OpportunityView | null;
  readonly #textOf = (id: string): string | undefined => this.#view?.text(id);
  readonly #items: SubscribedItems;
  readonly #itemOf: FrameParts['itemOf'] = (name, id) => this.#items.text(name, id);
  #snapshot: Snapshot | null = null;
  #missed: { after: number; newsAfter: number; upTo: number; changeFrames: ChangeFrames } | null = null;
  /** What was active at the head at a time: all who join then share the list. */
  #active: { position: number; nowMs: number; changeFrames: ChangeFrames | null } | null = null;
  /** Number of rows of the filter at a position. */
  #counted = { position: -1, rows: 0 };

  constructor(key: string, sources: GroupSources, subscription: Subscription, encoder: FrameEncoder) {
    this.key = key;
    this.restMs = subscription.maxHz === undefined ? 0 : MS_PER_SECOND / subscription.maxHz;
    this.encoder = encoder;
    const { packing } = encoder;
    const packer = packing === null ? null : new TickPacker(packing.fromClients);
    this.cohort = new LiveCohort<Member>((member) => this.catchingUp.add(member), packer);
    this.#sources = sources;
    this.#subscription = subscription;
    const { table, catalogue, openings } = sources;
    const { depth } = subscription;
    this.#rows = new RowWriter(table, catalogue, subscription.state, { depth });
    this.#snapshotRows = subscription.openings
      ? new RowWriter(table, catalogue, subscription.state, { openings, depth })
      : this.#rows;
    this.#wantsOdds = subscription.channels.has('odds');
    const { filter, thresholds, state } = subscription;
    this.#items = new SubscribedItems(sources.keyed, subscription.channels, filter, subscription.caller?.account ?? '');
    const kinds = kindsOf(subscription.channels);
    this.#view =
      kinds.length === 0
        ? null
        : sources.opportunities.open({
            ...thresholds,
            universe: filter.universe,
            kinds,
            state,
            caller: subscription.caller,
            hasEvent: (event) => filter.hasEvent(event),
            hasMarket: (market) => filter.hasMarket(market),
          });
    this.tickedTo = this.head;
  }

  join(member: Member): void {
    this.members.add(member);
    this.catchingUp.add(member);
  }

  /** Removes a member that is on its own. */
  leave(member: Member): void {
    this.members.delete(member);
    this.catchingUp.delete(member);
  }

  /** Adds to the cohort the members that have reached the position of the last tick. */
  admitToCohort(position: number): void {
    for (const member of this.catchingUp)
      if (member.isLive(position)) {
        this.catchingUp.delete(member);
        member.joinCohort(this.cohort);
      }
  }

  /** True until its next tick is due: its live clients get no changes. */
  rests(nowMs: number): boolean {
    // Not longer, should the clock be set back.
    return nowMs < this.restsUntilMs && nowMs >= this.restsUntilMs - this.restMs;
  }

  /** Whether one of its clients may be missing changes. */
  get behind(): boolean {
    return this.catchingUp.size > 0 || (this.cohort.size > 0 && this.cohort.position < this.head);
  }

  /** Position of the newest change there is. */
  get head(): number {
    return Math.max(this.#sources.table.position, this.#items.position);
  }

  /** False while opportunities of the universe are still being fetched: the broadcaster is called when that is done. */
  get ready(): boolean {
    return this.#view?.ready ?? true;
  }

  /**
   * Whether the changes of odds since a position are still known, and the other changes since another position: a
   * universe registered by the joining client itself begins after the rows of its snapshot.
   */
  reaches(position: number, newsPosition = position): boolean {
    if (!this.remembersOdds(position)) return false;
    const { completeFrom } = this.#sources.table.tombstones;
    if (this.#items.any && (newsPosition < completeFrom || !this.#items.reaches(newsPosition))) return false;
    return this.#view === null || (this.#view.ready && this.#view.reaches(newsPosition));
  }

  /** Whether the changes of odds since a position are still known. */
  remembersOdds(position: number): boolean {
    return !this.#wantsOdds || position >= this.#sources.table.tombstones.completeFrom;
  }

  /** A snapshot of now, or one of a moment ago that is at `notBefore` at least. */
  snapshot(nowMs: number, notBefore: number): Snapshot {
    const known = this.#snapshot;
    if (
      known === null ||
      nowMs - known.madeMs > SNAPSHOT_SHARED_MS ||
      known.upTo < Math.max(notBefore, this.#sources.table.tombstones.completeFrom)
    ) {
      const filter = this.#wantsOdds ? this.#subscription.filter : null;
      this.#snapshot = new Snapshot(this.#sources, filter, this.#snapshotRows, this.encoder, nowMs);
      return this.#snapshot;
    }
    return known;
  }

  /** Releases what no client can join any more (its readers keep it). */
  forgetSnapshot(nowMs: number): void {
    if (this.#snapshot !== null && nowMs - this.#snapshot.madeMs > SNAPSHOT_SHARED_MS) this.#snapshot = null;
    if (this.#missed !== null && this.#missed.upTo !== this.head) this.#missed = null;
    this.#active = null;
  }

  /** The changes of odds since a snapshot's position, as a part of it; null if there are none. */
  sinceSnapshot(position: number, nowMs: number): ChangeFrames | null {
    if (!this.#wantsOdds) return null;
    const changes = this.#sources.table.changesSince(position, false, this.#subscription.depth);
    return snapshotSuffix(this.#parts(nowMs), this.#subscription.filter, changes);
  }

  /** Number of rows that match the filter. */
  countRows(): number {
    if (!this.#wantsOdds) return 0;
    const position = this.head;
    if (this.#counted.position !== position)
      this.#counted = { position, rows: this.#subscription.filter.select().length };
    return this.#counted.rows;
  }

  /** The active items other than odds. */
  active(nowMs: number): ChangeFrames | null {
    const known = this.#active;
    if (known !== null && known.position === this.head && known.nowMs === nowMs) return known.changeFrames;
    const changeFrames = this.#activeNow(nowMs);
    this.#active = { position: this.head, nowMs, changeFrames };
    return changeFrames;
  }

  #activeNow(nowMs: number): ChangeFrames | null {
    const upTo = this.head;
    const kinds = this.encoder.sendsEmptyKinds ? kindsOf(this.#subscription.channels) : [];
    const source: NewsSource = {
      all: () => {
        const known = this.#view?.active(nowMs) ?? [];
        const empty = kinds.filter((kind) => !known.some((list) => list.kind === kind));
        return {
          opportunities: [...known, ...empty.map((kind) => ({ kind, detected: [], expired: [] }))],
          items: this.#items.list(null),
        };
      },
      walks: () => ({
        opportunities: this.#view?.activeWalk(upTo) ?? [],
        items: this.#items.walks(null, upTo),
      }),
    };
    const active = activeAsFrames(this.#parts(nowMs), source, upTo);
    return active === null || this.encoder.packing === null ? active : sharedFrames(active, this.encoder);
  }

  /**
   * As changes(), for a returning client: after a restart all return at once and mostly from the same position, so the
   * last result is cached until something changes. Opportunities may change without the odds, so a group with those
   * caches none.
   */
  missedSince(after: number, newsAfter: number, nowMs: number): ChangeFrames | null {
    const { head } = this;
    const known = this.#missed;
    if (known !== null && known.after === after && known.newsAfter === newsAfter && known.upTo === head)
      return known.changeFrames;
    const changes = this.changes(after, newsAfter, nowMs, true);
    if (this.#view !== null || changes === null) return changes;
    const changeFrames = sharedFrames(changes, this.encoder);
    this.#missed = { after, newsAfter, upTo: head, changeFrames };
    return changeFrames;
  }

  /** Everything after a position (other than odds: after another position), merged; null if nothing matches. */
  changes(after: number, newsAfter: number, nowMs: number, resumed: boolean): ChangeFrames | null {
    const { depth } = this.#subscription;
    const changes = this.#wantsOdds ? this.#sources.table.changesSince(after, resumed, depth) : null;
    const news = this.#news(newsAfter, nowMs, resumed);
    const range = { before: after, upTo: this.head, replay: resumed };
    return changesAsFrames(this.#parts(nowMs), this.#subscription.filter, changes, news, range);
  }

  /** `snapshot:complete`; `rows` is null if a resumed client got none and has what the table has. */
  completion(position: number, rows: number | null): Chunk {
    const { table } = this.#sources;
    const { filter } = this.#subscription;
    const books: string[] = [];
    for (const [no, count] of table.bookRows.entries())
      if (count > 0 && filter.hasBook(no)) books.push(table.books.name(no));
    const total = rows ?? this.countRows();
    writer.reset();
    this.encoder.complete(writer, { books: books.sort(), rows: total, resumed: rows === null }, position);
    return writer.chunk();
  }

  snapshotRequired(reason: string): Chunk {
    writer.reset();
    this.encoder.snapshotRequired(writer, reason);
    return writer.chunk();
  }

  /** The current heartbeat, encoded once with and once without a position. */
  heartbeats(timestamp: string): (position: number | null) => Chunk {
    const encode = (position: number | null): Chunk => {
      writer.reset();
      this.encoder.heartbeat(writer, timestamp, position);
      return this.encoder.packing === null ? writer.copy() : packedAlone(writer.chunk());
    };
    let bare: Chunk | undefined;
    let placed: { position: number; chunk: Chunk } | undefined;
    return (position) => {
      if (position === null) {
        bare ??= encode(null);
        return bare;
      }
      if (placed?.position !== position) placed = { position, chunk: encode(position) };
      return placed.chunk;
    };
  }

  close(): void {
    this.#view?.close();
  }

  #news(after: number, nowMs: number, resumed: boolean): NewsSource {
    if (this.#view === null && !this.#items.any) return NO_NEWS_SOURCE;
    const upTo = this.head;
    return {
      all: () => ({
        opportunities: this.#view?.changesSince(after, nowMs, resumed) ?? [],
        items: this.#items.list(after),
      }),
      walks: () => ({
        opportunities: this.#view?.changesWalk(after, upTo, resumed) ?? [],
        items: this.#items.walks(after, upTo),
      }),
    };
  }

  #parts(nowMs: number): FrameParts {
    const { table, sizes } = this.#sources;
    const timestamp = formatMs(nowMs);
    return {
      table,
      rows: this.#rows,
      encoder: this.encoder,
      sizes,
      timestamp,
      textOf: this.#textOf,
      itemOf: this.#itemOf,
    };
  }
}

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

interface Deliveries {
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

/**
 * The members of a group that are at the same position. The next changes are the same for all of them, so their
 * position in the stream is stored once, here, and a tick touches only each member's socket: with a thousand clients
 * their own objects would have to be fetched from memory every time.
 */
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
