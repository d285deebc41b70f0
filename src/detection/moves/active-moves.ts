// The active moves of each universe: which one a further change belongs to, which a market's prices concern, when one's
// laggards are to be searched and when it is over.

import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { isOn } from '../../base/model/game-end.js';
import { LIMITS } from '../../base/model/limits.js';
import { readRecord } from '../../base/model/opportunity-record.js';
import type { EventState } from '../../base/model/state.js';
import { DueQueue } from '../due-queue.js';
import { type MoveTail, readTail } from '../kinds/move.js';
import type { Market } from '../market-line.js';
import type { WatchedPrices } from '../price-watcher.js';
import type { StoredOpportunity, WatchedUniverse } from '../watched-universe.js';
import { type Found, type Move, newMove, writeMove } from './move.js';
import { MOVE_LIMITS } from './move-limits.js';

const NO_MOVES: ReadonlySet<Move> = new Set();

interface OfUniverse {
  /** By id, the least recently published first. */
  active: Map<string, Move>;
  /** The newest of each key. */
  newest: Map<string, Move>;
}

export class ActiveMoves {
  readonly #prices: WatchedPrices;
  readonly #universes = new Map<WatchedUniverse, OfUniverse>();
  readonly #ofMarket = new Map<Market, Set<Move>>();
  readonly #due = new DueQueue<Move>();

  constructor(prices: WatchedPrices) {
    this.#prices = prices;
  }

  get nextDeadlineMs(): number {
    return this.#due.nextMs;
  }

  /** Starts watching a universe: its stored moves have ended since, or are active again and returned. */
  begin(universe: WatchedUniverse): Move[] {
    this.#universes.set(universe, { active: new Map(), newest: new Map() });
    const stored = universe.takeStored('move');
    const resumed: Move[] = [];
    if (stored.length === 0) return resumed;
    const events = new Map<number, EventState>();
    for (const event of this.#prices.events()) events.set(event.no, event);
    for (const one of stored) {
      const event = events.get(one.eventNo);
      const tail = readTail(readRecord(one.record, 0));
      const isGone = event === undefined || !isOn(event.status);
      if (isGone || expiresMs(tail) <= this.#nowMs) universe.ended(one);
      else resumed.push(this.#resume(one, tail, event, universe));
    }
    return resumed;
  }

  dropped(universe: WatchedUniverse): void {
    for (const move of this.#of(universe)?.active.values() ?? []) this.#leave(move);
    this.#universes.delete(universe);
  }

  /** One that is found; it is published with the others. */
  add(found: Found): Move {
    const move = newMove(this.#prices.idSecret, found);
    const { active } = this.#of(found.universe)!;
    const known = active.get(move.id);
    if (known !== undefined) return known;
    this.#enter(move);
    const [oldest] = active.values();
    if (active.size > LIMITS.activeMoves.max) this.#end(oldest!);
    return move;
  }

  newest(universe: WatchedUniverse, key: string): Move | undefined {
    return this.#of(universe)?.newest.get(key);
  }

  /** Those of the universe that has every book. */
  ofAllBooks(): Move[] {
    for (const [universe, { active }] of this.#universes) if (universe.allBooks) return [...active.values()];
    return [];
  }

  /** Whether any is active in a market. */
  get any(): boolean {
    return this.#ofMarket.size > 0;
  }

  ofMarket(market: Market): ReadonlySet<Move> {
    return this.#ofMarket.get(market) ?? NO_MOVES;
  }

  /** The game is over, or called off. */
  endOf(event: EventState): void {
    for (const { active } of this.#universes.values())
      for (const move of [...active.values()]) if (move.event === event) this.#end(move);
  }

  /** It began or changed. */
  publish(move: Move): void {
    // Beyond the maximum: ended at once.
    if (!this.#isActive(move)) return;
    const { active } = this.#of(move.universe)!;
    active.delete(move.id);
    active.set(move.id, move);
    const { life, records, books } = this.#prices;
    const place = writeMove(records, move, books);
    if (move.published) life.updated(move, place);
    else life.detected(move, place, false);
    move.published = true;
    this.#wait(move);
  }

  /** Ends what is over. Returns the moves whose laggards are due. */
  passTime(): Move[] {
    if (this.#prices.life.pace.setBack) this.#waitNoLonger();
    const unsettled: Move[] = [];
    for (let move = this.#due.take(this.#nowMs); move !== undefined; move = this.#due.take(this.#nowMs)) {
      if (expiresMs(move.tail) < this.#nowMs) {
        this.#end(move);
        continue;
      }
      const isOver = isLeftAlone(move, this.#nowMs) && move.tail.laggards.length > 0;
      if ((move.unsettled && this.#mayLook(move)) || isOver) {
        move.unsettled = false;
        unsettled.push(move);
      }
      this.#wait(move);
    }
    return unsettled;
  }

  /** A price of its market changed: true if its laggards may be searched now; otherwise they are searched later. */
  unsettle(move: Move): boolean {
    if (isLeftAlone(move, this.#nowMs)) return false;
    if (this.#mayLook(move)) return true;
    // Otherwise it waits already, and a market may have dozens of moves.
    if (!move.unsettled) {
      move.unsettled = true;
      this.#wait(move);
    }
    return false;
  }

  get #nowMs(): number {
    return this.#prices.life.pace.nowMs;
  }

  #of(universe: WatchedUniverse): OfUniverse | undefined {
    return this.#universes.get(universe);
  }

  #isActive(move: Move): boolean {
    return this.#of(move.universe)?.active.get(move.id) === move;
  }

  /** Where the clock was set back, what waits for a time of before would wait for it until then. */
  #waitNoLonger(): void {
    for (const { active } of this.#universes.values())
      for (const move of [...active.values()]) {
        if (this.#prices.life.pace.isOverdue(move.updatedPosition)) this.publish(move);
        if (move.unsettled) this.#due.put(move, this.#nowMs - 1);
      }
  }

  #mayLook({ laggardsMs }: Move): boolean {
    return Math.abs(this.#nowMs - laggardsMs) >= MOVE_LIMITS.laggardsEveryMs;
  }

  #wait(move: Move): void {
    const { laggards, lastUs } = move.tail;
    let dueMs = expiresMs(move.tail);
    if (move.unsettled) dueMs = Math.min(dueMs, move.laggardsMs + MOVE_LIMITS.laggardsEveryMs);
    if (laggards.length > 0 && !isLeftAlone(move, this.#nowMs))
      dueMs = Math.min(dueMs, lastUs / 1000 + MOVE_LIMITS.laggardsRetainedMs);
    this.#due.put(move, dueMs);
  }

  #resume(one: StoredOpportunity, tail: MoveTail, event: EventState, universe: WatchedUniverse): Move {
    const placed = tail.group === null ? undefined : this.#prices.index.events.get(event)?.get(tail.group);
    const move = newMove(this.#prices.idSecret, { event, universe, placed, tail });
    move.id = one.id;
    move.published = true;
    this.#prices.life.resumed(move, one);
    this.#enter(move);
    this.#wait(move);
    return move;
  }

  #enter(move: Move): void {
    const { active, newest } = this.#of(move.universe)!;
    active.set(move.id, move);
    newest.set(move.tail.key, move);
    if (move.placed !== undefined) getOrInsert(this.#ofMarket, move.placed, () => new Set<Move>()).add(move);
  }

  #end(move: Move): void {
    const { active, newest } = this.#of(move.universe)!;
    active.delete(move.id);
    if (newest.get(move.tail.key) === move) newest.delete(move.tail.key);
    this.#leave(move);
    if (move.published) this.#prices.life.expired(move);
  }

  /** Neither its market nor the queue of deadlines holds it any more. */
  #leave(move: Move): void {
    move.dueMs = Number.POSITIVE_INFINITY;
    if (move.placed === undefined) return;
    const ofMarket = this.#ofMarket.get(move.placed);
    ofMarket?.delete(move);
    if (ofMarket?.size === 0) this.#ofMarket.delete(move.placed);
  }
}

/** Its last book moved so long ago that no book counts as a laggard any more. */
export function isLeftAlone({ tail }: Move, nowMs: number): boolean {
  return nowMs - tail.lastUs / 1000 > MOVE_LIMITS.laggardsRetainedMs;
}

function expiresMs({ lastUs }: Pick<MoveTail, 'lastUs'>): number {
  return lastUs / 1000 + MOVE_LIMITS.retainedMs;
}
