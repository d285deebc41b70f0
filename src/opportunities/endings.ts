// The opportunities of a universe that ended, in the order of their ends, as long as somebody may ask. Places of those that
// are forgotten are taken by the next.

import type { Opportunity } from '../delta/opportunity.js';
import { Pool } from '../memory/pool.js';
import { LIMITS } from '../model/limits.js';
import type { OpportunityKind } from '../model/opportunity.js';
import { EdgeHistory } from './edge-history.js';

/** Of one that ended, what limits and filters look at. */
export type Outline = Pick<
  Opportunity,
  'kind' | 'eventId' | 'sport' | 'league' | 'market' | 'edge' | 'size' | 'suspicious'
>;

/** Good until the next change of the list. */
export interface Ended extends Outline {
  /** Position of the end. */
  position: number;
  /** 0 where it is not known. */
  createdPosition: number;
  id: string;
  /** False where an earlier run of the program knew it: nothing but its kind and id is true then. */
  outlined: boolean;
  edges: EdgeHistory;
}

/** From the log, which keeps of opportunities only what ended. */
export interface PastEnd {
  position: number;
  kind: OpportunityKind;
  id: string;
}

/** Ends remembered at most; a reader further behind needs all of what is alive anew. */
const ENDED_MAX = LIMITS.endedOpportunities.max;
const DROPPED_AT_ONCE = 5_000;

export class Endings {
  /** Oldest first. */
  readonly #list: Ended[] = [];
  readonly #spare = new Pool<Ended>(DROPPED_AT_ONCE);
  /** Ends are numbered in their order: the number of the first in the list. */
  #first = 0;

  /**
   * Remembers an end and its edges, and returns a history for its place to be taken with, whose content is of no meaning.
   * What ends is past everything remembered.
   */
  push(position: number, createdPosition: number, ended: Opportunity, edges: EdgeHistory): EdgeHistory {
    const place = this.#add(position, createdPosition, ended.kind, ended.id);
    place.eventId = ended.eventId;
    place.sport = ended.sport;
    place.league = ended.league;
    place.market = ended.market;
    place.edge = ended.edge;
    place.size = ended.size;
    place.suspicious = ended.suspicious;
    place.outlined = true;
    const free = place.edges;
    place.edges = edges;
    return free;
  }

  /** Ends of which nothing else is known. */
  pushPast({ position, kind, id }: PastEnd): void {
    this.#add(position, 0, kind, id).outlined = false;
  }

  /** Ends of before everything a reader who is under way has still to be told of: theirs keep their numbers. */
  pushOlder(past: Iterable<PastEnd>): void {
    const known = this.#list.length;
    for (const end of past) this.pushPast(end);
    this.#first -= this.#list.length - known;
    this.#list.sort((a, b) => a.position - b.position);
  }

  /** Those that ended after `position` and began by `createdUpTo`. */
  *since(position: number, createdUpTo: number): Iterable<Ended> {
    for (let i = this.#indexAfter(position); i < this.#list.length; i++)
      if (this.#list[i]!.createdPosition <= createdUpTo) yield this.#list[i]!;
  }

  /** The number of the oldest that is known. */
  get first(): number {
    return this.#first;
  }

  /** The number the next one will have. */
  get end(): number {
    return this.#first + this.#list.length;
  }

  /** The number of the first one after `position`. */
  numberAfter(position: number): number {
    return this.#first + this.#indexAfter(position);
  }

  /** The end of a number that is known. */
  at(number: number): Ended {
    return this.#list[number - this.#first]!;
  }

  /** Forgets what ended by `position`. */
  forget(position: number): void {
    let count = 0;
    while (count < this.#list.length && this.#list[count]!.position <= position) count++;
    this.#drop(count);
  }

  /** Where there are too many, forgets the oldest and returns the position up to which; undefined where there are not. */
  cut(): number | undefined {
    if (this.#list.length <= ENDED_MAX) return undefined;
    const upTo = this.#list[DROPPED_AT_ONCE - 1]!.position;
    this.#drop(DROPPED_AT_ONCE);
    return upTo;
  }

  #indexAfter(position: number): number {
    let from = this.#list.length;
    while (from > 0 && this.#list[from - 1]!.position > position) from--;
    return from;
  }

  #add(position: number, createdPosition: number, kind: OpportunityKind, id: string): Ended {
    const place = this.#spare.take() ?? emptyPlace();
    place.position = position;
    place.createdPosition = createdPosition;
    place.kind = kind;
    place.id = id;
    this.#list.push(place);
    return place;
  }

  #drop(count: number): void {
    if (count === 0) return;
    this.#first += count;
    for (const place of this.#list.splice(0, count)) this.#spare.give(place);
  }
}

function emptyPlace(): Ended {
  return {
    position: 0,
    createdPosition: 0,
    kind: 'ev',
    id: '',
    eventId: '',
    sport: '',
    league: '',
    market: '',
    // Not whole numbers, so that their memory is made once.
    edge: Number.NaN,
    size: Number.NaN,
    suspicious: false,
    outlined: false,
    edges: new EdgeHistory(0, 0),
  };
}
