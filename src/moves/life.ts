// The life of moves: published when they begin, published again (to streams at most once a second) when more books join
// or the laggards change, over some time after their last book moved. Active moves are passed to the store.
import type { BookList } from '../detect/book-list.js';
import { DueQueue } from '../detect/due-queue.js';
import { isResendDue, RESEND_MS } from '../detect/life-cycle.js';
import type { MarketIndex } from '../detect/market-index.js';
import type { Market } from '../detect/market-line.js';
import type { WatchedPrices } from '../detect/price-watcher.js';
import type { Universe } from '../detect/universe.js';
import { LIMITS } from '../model/limits.js';
import type { RecordWriter } from '../model/opportunity-record.js';
import type { EventState } from '../model/state.js';
import { MOVE_LIMITS } from './limits.js';
import { type Found, type Move, type MoveChanges, moveId, type StoredMove, storedOf, unsentMove } from './move.js';
import { writeMove } from './move-record.js';

const SWEEP_EVERY_MS = 60_000;
const NO_MOVES: ReadonlySet<Move> = new Set();

export class MoveLife {
  readonly #index: MarketIndex;
  readonly #books: BookList;
  readonly #idSecret: string;
  readonly #records: RecordWriter;
  /** By universe and id, the least recently published first. */
  readonly #active = new Map<Universe, Map<string, Move>>();
  /** The newest of each key, by universe. */
  readonly #open = new Map<Universe, Map<string, Move>>();
  readonly #ofMarket = new Map<Market, Set<Move>>();
  readonly #due = new DueQueue<Move>();
  /** Of universes that nobody watches now, by key. */
  readonly #unwatched = new Map<string, StoredMove[]>();
  /** Events of dormant moves; null until a row of one is seen. */
  readonly #events = new Map<number, EventState | null>();
  #changes: { put: Set<Move>; remove: number[] } = { put: new Set(), remove: [] };
  #nextNo = 1;
  #rememberMs = 0;
  #position = 0;
  #nextSweepMs = 0;
  nowMs = 0;

  constructor({ index, books, records, idSecret }: Omit<WatchedPrices, 'reference'>) {
    this.#index = index;
    this.#books = books;
    this.#records = records;
    this.#idSecret = idSecret;
  }

  get nextDeadlineMs(): number {
    return this.#due.nextMs;
  }

  load(stored: Iterable<StoredMove>, rememberMs: number): void {
    this.#rememberMs = rememberMs;
    for (const one of stored) {
      this.#nextNo = Math.max(this.#nextNo, one.no + 1);
      this.#unwatch(one, null);
    }
  }

  at(position: number, nowMs: number): void {
    const setBack = nowMs + RESEND_MS < this.nowMs;
    this.#position = position;
    this.nowMs = nowMs;
    if (!setBack) return;
    // What waits for a time of the clock before would wait for it until then.
    for (const active of this.#active.values())
      for (const move of active.values()) if (move.held || move.unsettled) this.#due.put(move, nowMs - 1);
  }

  /** A row of the event was seen. */
  met(event: EventState): void {
    if (this.#events.size > 0 && this.#events.has(event.no)) this.#events.set(event.no, event);
  }

  /**
   * Starts watching a universe: its remembered moves have ended since, or are active again and returned, to be
   * published.
   */
  begin(universe: Universe): Move[] {
    this.#active.set(universe, new Map());
    this.#open.set(universe, new Map());
    const revived: Move[] = [];
    const unwatched = this.#unwatched.get(universe.key) ?? [];
    this.#unwatched.delete(universe.key);
    for (const stored of unwatched) {
      const event = this.#events.get(stored.eventNo) ?? null;
      if (event === null || expiresMs(stored) <= this.nowMs) {
        universe.expired('move', stored.id);
        this.#changes.remove.push(stored.no);
      } else revived.push(this.#revive(stored, event, universe));
    }
    if (this.#unwatched.size === 0) this.#events.clear();
    return revived;
  }

  /** Publishes what is active again, as it was published before. */
  restate(move: Move): void {
    this.#publish(move);
    this.#wait(move);
  }

  #publish(move: Move): void {
    const place = writeMove(this.#records, move, this.#books);
    move.watched.put(this.#records, place, move.detectedUs, move.updatedPosition);
  }

  dropped(universe: Universe): void {
    for (const move of this.#active.get(universe)?.values() ?? []) {
      this.#leaveGroup(move);
      // The queue of deadlines skips it.
      this.#unwatch(storedOf(move), move.event);
    }
    this.#active.delete(universe);
    this.#open.delete(universe);
  }

  /** Begins a move; it is published with the others. */
  add(found: Found): Move {
    const id = moveId(this.#idSecret, found);
    const active = this.#active.get(found.watched)!;
    const known = active.get(id);
    if (known !== undefined) return known;
    const move = unsentMove(found, {
      movers: found.movers.map((mover) => ({ ...mover })),
      no: this.#nextNo++,
      universe: found.watched.key,
      id,
      laggards: [],
      detectedUs: this.#position,
      updatedPosition: this.#position,
    });
    this.#enter(move);
    const [oldest] = active.values();
    if (active.size > LIMITS.activeMoves.max) this.#end(oldest!);
    return move;
  }

  open(universe: Universe, key: string): Move | undefined {
    return this.#open.get(universe)?.get(key);
  }

  knows(universe: Universe, key: string): boolean {
    return this.open(universe, key) !== undefined;
  }

  /** Those of the universe that has every book. */
  ofAllBooks(): Move[] {
    for (const [universe, active] of this.#active)
      if (universe.allBooks && !universe.whole) return [...active.values()];
    return [];
  }

  /** Whether any is active in a market. */
  get any(): boolean {
    return this.#ofMarket.size > 0;
  }

  ofMarket(market: Market): ReadonlySet<Move> {
    return this.#ofMarket.get(market) ?? NO_MOVES;
  }

  /** Whether the event's start or liveness differs from what was published. */
  isRestated({ event, publishedLive, publishedStartMs }: Move): boolean {
    return event.live !== publishedLive || event.startMs !== publishedStartMs;
  }

  /** Publishes a move that began or changed. */
  markPublished(move: Move): void {
    const active = this.#active.get(move.watched);
    // Beyond the maximum: ended at once.
    if (active?.get(move.id) !== move) return;
    active.delete(move.id);
    active.set(move.id, move);
    const due = isResendDue(move.sentMs, this.nowMs);
    move.held = !due;
    if (due) {
      move.sentMs = this.nowMs;
      move.updatedPosition = this.#position;
    }
    move.publishedStartMs = move.event.startMs;
    move.publishedLive = move.event.live;
    this.#changes.put.add(move);
    this.#publish(move);
    this.#wait(move);
  }

  /**
   * Publishes changes that were delayed for a second and ends what is over. Returns the moves whose laggards are due.
   */
  passTime(): Move[] {
    const unsettled: Move[] = [];
    for (let move = this.#due.take(this.nowMs); move !== undefined; move = this.#due.take(this.nowMs)) {
      if (this.#active.get(move.watched)?.get(move.id) !== move) continue;
      if (expiresMs(move) < this.nowMs) {
        this.#end(move);
        continue;
      }
      if (move.held && isResendDue(move.sentMs, this.nowMs)) {
        move.held = false;
        move.sentMs = this.nowMs;
        move.updatedPosition = this.#position;
        this.#changes.put.add(move);
        this.#publish(move);
      }
      if ((move.unsettled && this.#mayLook(move)) || (isLeftAlone(move, this.nowMs) && move.laggards.length > 0)) {
        move.unsettled = false;
        unsettled.push(move);
      }
      this.#wait(move);
    }
    if (this.nowMs >= this.#nextSweepMs) this.#forgetUnwatched();
    return unsettled;
  }

  /** A price of its market changed: true if its laggards may be searched now; otherwise they are searched later. */
  unsettle(move: Move): boolean {
    if (isLeftAlone(move, this.nowMs)) return false;
    if (this.#mayLook(move)) return true;
    // Otherwise it waits already, and a market may have dozens of moves.
    if (!move.unsettled) {
      move.unsettled = true;
      this.#wait(move);
    }
    return false;
  }

  #mayLook({ laggardsMs }: Move): boolean {
    return Math.abs(this.nowMs - laggardsMs) >= MOVE_LIMITS.laggardsEveryMs;
  }

  takeChanges(): MoveChanges {
    const { put, remove } = this.#changes;
    this.#changes = { put: new Set(), remove: [] };
    return { put: [...put].map(storedOf), remove };
  }

  #wait(move: Move): void {
    let dueMs = expiresMs(move);
    if (move.held) dueMs = Math.min(dueMs, move.sentMs + RESEND_MS);
    if (move.unsettled) dueMs = Math.min(dueMs, move.laggardsMs + MOVE_LIMITS.laggardsEveryMs);
    if (move.laggards.length > 0 && !isLeftAlone(move, this.nowMs))
      dueMs = Math.min(dueMs, move.lastUs / 1000 + MOVE_LIMITS.laggardsRetainedMs);
    this.#due.put(move, dueMs);
  }

  #unwatch(stored: StoredMove, event: EventState | null): void {
    const unwatched = this.#unwatched.get(stored.universe);
    if (unwatched === undefined) this.#unwatched.set(stored.universe, [stored]);
    else unwatched.push(stored);
    if (event !== null || !this.#events.has(stored.eventNo)) this.#events.set(stored.eventNo, event);
  }

  #revive({ movedUs, ...stored }: StoredMove, event: EventState, watched: Universe): Move {
    const placed = stored.group === null ? undefined : this.#index.events.get(event)?.get(stored.group);
    const updatedPosition = stored.held ? this.#position : movedUs;
    const move = unsentMove({ ...stored, event, watched, placed }, { ...stored, updatedPosition });
    this.#enter(move);
    if (stored.held) this.#changes.put.add(move);
    return move;
  }

  #enter(move: Move): void {
    this.#active.get(move.watched)!.set(move.id, move);
    this.#open.get(move.watched)!.set(move.key, move);
    if (move.placed === undefined) return;
    const ofMarket = this.#ofMarket.get(move.placed);
    if (ofMarket === undefined) this.#ofMarket.set(move.placed, new Set([move]));
    else ofMarket.add(move);
  }

  #end(move: Move): void {
    this.#active.get(move.watched)?.delete(move.id);
    const open = this.#open.get(move.watched);
    if (open?.get(move.key) === move) open.delete(move.key);
    this.#leaveGroup(move);
    this.#changes.put.delete(move);
    this.#changes.remove.push(move.no);
    move.watched.expired('move', move.id);
  }

  #leaveGroup(move: Move): void {
    if (move.placed === undefined) return;
    const ofMarket = this.#ofMarket.get(move.placed);
    ofMarket?.delete(move);
    if (ofMarket?.size === 0) this.#ofMarket.delete(move.placed);
  }

  /** Those of universes that nobody watched again while the log could have reached back to them. */
  #forgetUnwatched(): void {
    this.#nextSweepMs = this.nowMs + SWEEP_EVERY_MS;
    for (const [key, unwatched] of this.#unwatched) {
      const dormant = unwatched.filter((one) => {
        if (expiresMs(one) + this.#rememberMs > this.nowMs) return true;
        this.#changes.remove.push(one.no);
        return false;
      });
      if (dormant.length > 0) this.#unwatched.set(key, dormant);
      else this.#unwatched.delete(key);
    }
  }
}

/** Its last book moved so long ago that no book counts as a laggard any more. */
export function isLeftAlone({ lastUs }: Pick<Move, 'lastUs'>, nowMs: number): boolean {
  return nowMs - lastUs / 1000 > MOVE_LIMITS.laggardsRetainedMs;
}

function expiresMs({ lastUs }: Pick<StoredMove, 'lastUs'>): number {
  return lastUs / 1000 + MOVE_LIMITS.retainedMs;
}
