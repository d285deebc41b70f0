// The life of moves: published when they begin, published again when more books join or the laggards change, over some
// time after their last book moved.
import type { BookList } from '../detect/book-list.js';
import { DueQueue } from '../detect/due-queue.js';
import type { MarketIndex } from '../detect/market-index.js';
import type { Market } from '../detect/market-line.js';
import type { Pace } from '../detect/pace.js';
import type { WatchedPrices } from '../detect/price-watcher.js';
import type { Remembered } from '../detect/remembered.js';
import type { Universe } from '../detect/universe.js';
import type { MoveTail } from '../kinds/move.js';
import { LIMITS } from '../model/limits.js';
import type { RecordWriter } from '../model/opportunity-record.js';
import type { EventState } from '../model/state.js';
import { MOVE_LIMITS } from './limits.js';
import { type Found, type Move, moveId, unsentMove } from './move.js';
import { storedMove, writeMove } from './move-record.js';

const NO_MOVES: ReadonlySet<Move> = new Set();

export class MoveLife {
  readonly #index: MarketIndex;
  readonly #books: BookList;
  readonly #idSecret: string;
  readonly #records: RecordWriter;
  readonly #pace: Pace;
  /** By universe and id, the least recently published first. */
  readonly #active = new Map<Universe, Map<string, Move>>();
  /** The newest of each key, by universe. */
  readonly #open = new Map<Universe, Map<string, Move>>();
  readonly #ofMarket = new Map<Market, Set<Move>>();
  readonly #due = new DueQueue<Move>();
  readonly #stored: WatchedPrices['stored'];
  readonly #events: WatchedPrices['events'];

  constructor({ index, books, records, pace, idSecret, stored, events }: Omit<WatchedPrices, 'reference'>) {
    this.#index = index;
    this.#books = books;
    this.#records = records;
    this.#pace = pace;
    this.#idSecret = idSecret;
    this.#stored = stored;
    this.#events = events;
  }

  get nextDeadlineMs(): number {
    return this.#due.nextMs;
  }

  /** Where the clock was set back, what waits for a time of before would wait for it until then. */
  #waitNoLonger(): void {
    for (const active of this.#active.values())
      for (const move of [...active.values()]) {
        if (this.#pace.isOverdue(move.updatedPosition)) this.markPublished(move);
        if (move.unsettled) this.#due.put(move, this.#pace.nowMs - 1);
      }
  }

  /** Starts watching a universe: its stored moves have ended since, or are active again and returned. */
  begin(universe: Universe): Move[] {
    this.#active.set(universe, new Map());
    this.#open.set(universe, new Map());
    const revived: Move[] = [];
    const stored = [...this.#stored(universe, 'move')];
    if (stored.length === 0) return revived;
    const events = new Map<number, EventState>();
    for (const event of this.#events()) events.set(event.no, event);
    for (const one of stored) {
      const event = events.get(one.eventNo);
      const tail = storedMove(one);
      if (event === undefined || expiresMs(tail) <= this.#pace.nowMs) universe.expired('move', one.id, one.eventNo);
      else revived.push(this.#revive(one, tail, event, universe));
    }
    return revived;
  }

  of(universe: Universe): Iterable<Move> {
    return this.#active.get(universe)?.values() ?? [];
  }

  #publish(move: Move): void {
    const place = writeMove(this.#records, move, this.#books);
    move.watched.put(place, move);
  }

  dropped(universe: Universe): void {
    // The queue of deadlines skips them.
    for (const move of this.of(universe)) this.#leaveGroup(move);
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
      id,
      laggards: [],
      detectedUs: this.#pace.position,
      updatedPosition: Number.NEGATIVE_INFINITY,
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
    for (const [universe, active] of this.#active) if (universe.allBooks) return [...active.values()];
    return [];
  }

  /** Whether any is active in a market. */
  get any(): boolean {
    return this.#ofMarket.size > 0;
  }

  ofMarket(market: Market): ReadonlySet<Move> {
    return this.#ofMarket.get(market) ?? NO_MOVES;
  }

  /** Publishes a move that began or changed. */
  markPublished(move: Move): void {
    const active = this.#active.get(move.watched);
    // Beyond the maximum: ended at once.
    if (active?.get(move.id) !== move) return;
    active.delete(move.id);
    active.set(move.id, move);
    move.updatedPosition = this.#pace.next(move.updatedPosition);
    this.#publish(move);
    this.#wait(move);
  }

  /** Ends what is over. Returns the moves whose laggards are due. */
  passTime(): Move[] {
    if (this.#pace.setBack) this.#waitNoLonger();
    const unsettled: Move[] = [];
    for (let move = this.#due.take(this.#pace.nowMs); move !== undefined; move = this.#due.take(this.#pace.nowMs)) {
      if (this.#active.get(move.watched)?.get(move.id) !== move) continue;
      if (expiresMs(move) < this.#pace.nowMs) {
        this.#end(move);
        continue;
      }
      if (
        (move.unsettled && this.#mayLook(move)) ||
        (isLeftAlone(move, this.#pace.nowMs) && move.laggards.length > 0)
      ) {
        move.unsettled = false;
        unsettled.push(move);
      }
      this.#wait(move);
    }
    return unsettled;
  }

  /** A price of its market changed: true if its laggards may be searched now; otherwise they are searched later. */
  unsettle(move: Move): boolean {
    if (isLeftAlone(move, this.#pace.nowMs)) return false;
    if (this.#mayLook(move)) return true;
    // Otherwise it waits already, and a market may have dozens of moves.
    if (!move.unsettled) {
      move.unsettled = true;
      this.#wait(move);
    }
    return false;
  }

  #mayLook({ laggardsMs }: Move): boolean {
    return Math.abs(this.#pace.nowMs - laggardsMs) >= MOVE_LIMITS.laggardsEveryMs;
  }

  #wait(move: Move): void {
    let dueMs = expiresMs(move);
    if (move.unsettled) dueMs = Math.min(dueMs, move.laggardsMs + MOVE_LIMITS.laggardsEveryMs);
    if (move.laggards.length > 0 && !isLeftAlone(move, this.#pace.nowMs))
      dueMs = Math.min(dueMs, move.lastUs / 1000 + MOVE_LIMITS.laggardsRetainedMs);
    this.#due.put(move, dueMs);
  }

  #revive(one: Remembered, tail: MoveTail, event: EventState, watched: Universe): Move {
    const placed = tail.group === null ? undefined : this.#index.events.get(event)?.get(tail.group);
    const { id, detectedUs } = one;
    const updatedPosition = this.#pace.hold(one.updatedPosition);
    const { movers, laggards } = tail;
    const move = unsentMove({ ...tail, event, watched, placed }, { id, movers, laggards, detectedUs, updatedPosition });
    this.#enter(move);
    this.#wait(move);
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
    move.watched.expired('move', move.id, move.event.no);
  }

  #leaveGroup(move: Move): void {
    if (move.placed === undefined) return;
    const ofMarket = this.#ofMarket.get(move.placed);
    ofMarket?.delete(move);
    if (ofMarket?.size === 0) this.#ofMarket.delete(move.placed);
  }
}

/** Its last book moved so long ago that no book counts as a laggard any more. */
export function isLeftAlone({ lastUs }: Pick<Move, 'lastUs'>, nowMs: number): boolean {
  return nowMs - lastUs / 1000 > MOVE_LIMITS.laggardsRetainedMs;
}

function expiresMs({ lastUs }: Pick<MoveTail, 'lastUs'>): number {
  return lastUs / 1000 + MOVE_LIMITS.retainedMs;
}
