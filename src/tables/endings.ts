// The ended opportunities of a universe, in the order of their ends, as long as they may be needed: in columns, since a
// busy market ends a hundred thousand within the time that the log reaches back.

import { copyRing } from '../base/memory/grown.js';
import { LIMITS } from '../base/model/limits.js';
import { OPPORTUNITY_KINDS, type OpportunityKind } from '../base/model/opportunity.js';
import type { StakeTerms } from '../base/model/stake-terms.js';
import type { Opportunity } from '../log/delta/opportunity.js';
import { type EdgeHistory, EdgeMoves } from './edge-history.js';
import type { Removed } from './tombstones.js';

/** The fields of an ended one that limits and filters use. */
export type Outline = Pick<
  Opportunity,
  'kind' | 'eventId' | 'sport' | 'league' | 'market' | 'edge' | 'size' | 'suspicious' | 'terms'
>;

/** Valid until the next change of the list. */
export interface Ended extends Outline, Removed {
  /** 0 if unknown. */
  createdPosition: number;
  id: string;
  /** False if it is from an earlier run of the program: only its kind and id are valid then. */
  outlined: boolean;
  edges: EdgeMoves;
}

/** From the store, which has nothing else of it. */
export interface PastEnd {
  position: number;
  kind: OpportunityKind;
  id: string;
}

const START_ENDS = 64;
/** By index in a group of columns, of which each end has one value. */
const NUMBER = { position: 0, createdPosition: 1, size: 2, firstMove: 3 } as const;
const NUMBERS = Object.keys(NUMBER).length;
const TEXT = { id: 0, eventId: 1, sport: 2, league: 3, market: 4 } as const;
const TEXTS = Object.keys(TEXT).length;
/** Bits beside the index of the kind. */
const MARK = { outlined: 1, suspicious: 2 } as const;
const MARKS = 4;

export class Endings {
  /** Ends are numbered in order: the numbers of the oldest known one, and of the next one. */
  #first = 0;
  #end = 0;
  #room = START_ENDS;
  #numbers = new Float64Array(START_ENDS * NUMBERS);
  #texts = new Array<string>(START_ENDS * TEXTS).fill('');
  #marks = new Uint8Array(START_ENDS);
  readonly #moves = new PastMoves();
  /** All ends after this position are here; a reader further behind needs the complete list. */
  completeFrom = 0;

  /** Records an end, which is later than all recorded ones. */
  add(position: number, createdPosition: number, ended: Opportunity, edges: EdgeHistory): void {
    const { kind, id, eventId, sport, league, market, size, suspicious } = ended;
    const marks = MARK.outlined + (suspicious ? MARK.suspicious : 0);
    this.#add([position, createdPosition, size, this.#moves.end], [id, eventId, sport, league, market], kind, marks);
    // With its terms as they were: its rows may be gone.
    this.#moves.add(edges);
  }

  /** One of before the start, of which nothing else is known. */
  addPast({ position, kind, id }: PastEnd): void {
    this.#add([position, 0, Number.NaN, this.#moves.end], [id, '', '', '', ''], kind, 0);
  }

  /** Drops ends up to `position`. */
  expire(position: number): void {
    this.#dropTo(this.numberAfter(position));
    this.completeFrom = Math.max(this.completeFrom, position);
  }

  /** Ends after `position` of what was created by `createdUpTo`, in order. */
  since(position: number, createdUpTo: number): Ended[] {
    const ended: Ended[] = [];
    for (let number = this.numberAfter(position); number < this.#end; number++)
      if (this.number(number, NUMBER.createdPosition) <= createdUpTo) ended.push(new NumberedEnd(this, number));
    return ended;
  }

  get first(): number {
    return this.#first;
  }

  get end(): number {
    return this.#end;
  }

  /** The number of the first one after `position`. */
  numberAfter(position: number): number {
    let low = this.#first;
    let high = this.#end;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.number(middle, NUMBER.position) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The end with this number; undefined if it is not known. */
  at(number: number): Ended | undefined {
    return number >= this.#first && number < this.#end ? new NumberedEnd(this, number) : undefined;
  }

  number(end: number, of: number): number {
    return this.#numbers[(end % this.#room) * NUMBERS + of]!;
  }

  text(end: number, of: number): string {
    return this.#texts[(end % this.#room) * TEXTS + of]!;
  }

  mark(end: number): number {
    return this.#marks[end % this.#room]!;
  }

  get moves(): Pick<PastMoves, 'positionOf' | 'edgeOf' | 'termsOf'> {
    return this.#moves;
  }

  /** The number of the first move of the end after this one. */
  movesEnd(end: number): number {
    return end + 1 < this.#end ? this.number(end + 1, NUMBER.firstMove) : this.#moves.end;
  }

  #add(numbers: readonly number[], texts: readonly string[], kind: OpportunityKind, marks: number): void {
    if (this.#end - this.#first === LIMITS.endedOpportunities.max) {
      this.completeFrom = Math.max(this.completeFrom, this.number(this.#first, NUMBER.position));
      this.#dropTo(this.#first + 1);
    }
    if (this.#end - this.#first === this.#room) this.#grow();
    const place = this.#end++ % this.#room;
    for (let of = 0; of < NUMBERS; of++) this.#numbers[place * NUMBERS + of] = numbers[of]!;
    for (let of = 0; of < TEXTS; of++) this.#texts[place * TEXTS + of] = texts[of]!;
    this.#marks[place] = OPPORTUNITY_KINDS.indexOf(kind) * MARKS + marks;
  }

  #dropTo(number: number): void {
    if (number === this.#first) return;
    this.#moves.dropTo(this.movesEnd(number - 1));
    this.#first = number;
  }

  #grow(): void {
    const room = 2 * this.#room;
    const [first, end] = [this.#first, this.#end];
    this.#numbers = copyRing(this.#numbers, new Float64Array(room * NUMBERS), first * NUMBERS, end * NUMBERS);
    this.#texts = copyRing(this.#texts, new Array<string>(room * TEXTS).fill(''), first * TEXTS, end * TEXTS);
    this.#marks = copyRing(this.#marks, new Uint8Array(room), first, end);
    this.#room = room;
  }
}

const START_MOVES = 256;

/** The moves of edges of all ended ones, numbered one after the other. */
class PastMoves {
  #first = 0;
  #end = 0;
  #positions = new Float64Array(START_MOVES);
  #edges = new Float64Array(START_MOVES);
  #terms = new Array<StakeTerms | null>(START_MOVES).fill(null);

  /** The number of the next one. */
  get end(): number {
    return this.#end;
  }

  add(edges: EdgeMoves): void {
    for (let move = 0; move < edges.count; move++) {
      if (this.#end - this.#first === this.#positions.length) this.#grow();
      const place = this.#end++ % this.#positions.length;
      this.#positions[place] = edges.positionOf(move);
      this.#edges[place] = edges.edgeOf(move);
      this.#terms[place] = edges.termsOf(move);
    }
  }

  dropTo(number: number): void {
    for (; this.#first < number; this.#first++) this.#terms[this.#first % this.#terms.length] = null;
  }

  positionOf(number: number): number {
    return this.#positions[number % this.#positions.length]!;
  }

  edgeOf(number: number): number {
    return this.#edges[number % this.#edges.length]!;
  }

  termsOf(number: number): StakeTerms {
    return this.#terms[number % this.#terms.length]!;
  }

  #grow(): void {
    const room = 2 * this.#positions.length;
    const [first, end] = [this.#first, this.#end];
    this.#positions = copyRing(this.#positions, new Float64Array(room), first, end);
    this.#edges = copyRing(this.#edges, new Float64Array(room), first, end);
    this.#terms = copyRing(this.#terms, new Array<StakeTerms | null>(room).fill(null), first, end);
  }
}

/** One of the list, by its number. */
class NumberedEnd extends EdgeMoves implements Ended {
  readonly #endings: Endings;
  readonly #number: number;

  constructor(endings: Endings, number: number) {
    super();
    this.#endings = endings;
    this.#number = number;
  }

  get position(): number {
    return this.#endings.number(this.#number, NUMBER.position);
  }

  get createdPosition(): number {
    return this.#endings.number(this.#number, NUMBER.createdPosition);
  }

  get size(): number {
    return this.#endings.number(this.#number, NUMBER.size);
  }

  get id(): string {
    return this.#endings.text(this.#number, TEXT.id);
  }

  get eventId(): string {
    return this.#endings.text(this.#number, TEXT.eventId);
  }

  get sport(): string {
    return this.#endings.text(this.#number, TEXT.sport);
  }

  get league(): string {
    return this.#endings.text(this.#number, TEXT.league);
  }

  get market(): string {
    return this.#endings.text(this.#number, TEXT.market);
  }

  get kind(): OpportunityKind {
    return OPPORTUNITY_KINDS[Math.floor(this.#endings.mark(this.#number) / MARKS)]!;
  }

  get outlined(): boolean {
    return (this.#endings.mark(this.#number) & MARK.outlined) !== 0;
  }

  get suspicious(): boolean {
    return (this.#endings.mark(this.#number) & MARK.suspicious) !== 0;
  }

  /** As it ended with. */
  get edge(): number {
    return this.edgeOf(this.count - 1);
  }

  get terms(): StakeTerms {
    return this.termsOf(this.count - 1);
  }

  get edges(): EdgeMoves {
    return this;
  }

  get count(): number {
    return this.#endings.movesEnd(this.#number) - this.#firstMove;
  }

  positionOf(move: number): number {
    return this.#endings.moves.positionOf(this.#firstMove + move);
  }

  edgeOf(move: number): number {
    return this.#endings.moves.edgeOf(this.#firstMove + move);
  }

  termsOf(move: number): StakeTerms {
    return this.#endings.moves.termsOf(this.#firstMove + move);
  }

  get #firstMove(): number {
    return this.#endings.number(this.#number, NUMBER.firstMove);
  }
}
