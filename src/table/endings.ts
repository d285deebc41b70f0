// The ended opportunities of a universe, in the order of their ends, as long as they may be needed. Objects of dropped
// ones are reused.

import type { Opportunity } from '../delta/opportunity.js';
import { Pool } from '../memory/pool.js';
import { LIMITS } from '../model/limits.js';
import type { OpportunityKind } from '../model/opportunity.js';
import { NO_TERMS } from '../model/stake-terms.js';
import { EdgeHistory } from './edge-history.js';

/** The fields of an ended one that limits and filters use. */
export type Outline = Pick<
  Opportunity,
  'kind' | 'eventId' | 'sport' | 'league' | 'market' | 'edge' | 'size' | 'suspicious' | 'terms'
>;

/** Valid until the next change of the list. */
export interface Ended extends Outline {
  /** Position of the end. */
  position: number;
  /** 0 if unknown. */
  createdPosition: number;
  id: string;
  /** False if it is from an earlier run of the program: only its kind and id are valid then. */
  outlined: boolean;
  edges: EdgeHistory;
}

/** From the store, which has nothing else of it. */
export interface PastEnd {
  position: number;
  kind: OpportunityKind;
  id: string;
}

/** Maximum number of ends; a reader further behind needs the complete state again. */
const ENDED_MAX = LIMITS.endedOpportunities.max;
const DROPPED_AT_ONCE = 5_000;

export class Endings {
  /** Oldest first. */
  readonly #list: Ended[] = [];
  readonly #spare = new Pool<Ended>(DROPPED_AT_ONCE);
  /** Ends are numbered in order: the number of the first in the list. */
  #first = 0;

  /**
   * Records an end and its edges, and returns a history object in exchange, whose contents are undefined. An end is
   * later than all recorded ones.
   */
  push(position: number, createdPosition: number, ended: Opportunity, edges: EdgeHistory): EdgeHistory {
    const place = this.#add(position, createdPosition, ended.kind, ended.id);
    place.eventId = ended.eventId;
    place.sport = ended.sport;
    place.league = ended.league;
    place.market = ended.market;
    place.edge = ended.edge;
    place.size = ended.size;
    // Its rows may be gone.
    place.terms = edges.terms;
    place.suspicious = ended.suspicious;
    place.outlined = true;
    const free = place.edges;
    place.edges = edges;
    return free;
  }

  /** Those of before the start, of which nothing else is known. */
  pushPast(past: Iterable<PastEnd>): void {
    for (const { position, kind, id } of past) this.#add(position, 0, kind, id).outlined = false;
    this.#list.sort((a, b) => a.position - b.position);
  }

  /** Those that ended after `position` and began by `createdUpTo`. */
  *since(position: number, createdUpTo: number): Iterable<Ended> {
    for (let i = this.#indexAfter(position); i < this.#list.length; i++)
      if (this.#list[i]!.createdPosition <= createdUpTo) yield this.#list[i]!;
  }

  /** The number of the oldest known one. */
  get first(): number {
    return this.#first;
  }

  /** The number of the next one. */
  get end(): number {
    return this.#first + this.#list.length;
  }

  /** The number of the first one after `position`. */
  numberAfter(position: number): number {
    return this.#first + this.#indexAfter(position);
  }

  /** The end with a known number. */
  at(number: number): Ended {
    return this.#list[number - this.#first]!;
  }

  /** Drops what ended by `position`. */
  forget(position: number): void {
    let count = 0;
    while (count < this.#list.length && this.#list[count]!.position <= position) count++;
    this.#drop(count);
  }

  /** If there are too many, drops the oldest and returns the position up to which; undefined otherwise. */
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
    // Fractional numbers, so that their heap objects are allocated once.
    edge: Number.NaN,
    size: Number.NaN,
    suspicious: false,
    terms: NO_TERMS,
    outlined: false,
    edges: new EdgeHistory(0, 0, NO_TERMS),
  };
}
