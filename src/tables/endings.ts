// The ended opportunities of a universe, in the order of their ends, as long as they may be needed. Objects of dropped
// ones are reused.

import { Pool } from '../base/memory/pool.js';
import { LIMITS } from '../base/model/limits.js';
import type { OpportunityKind } from '../base/model/opportunity.js';
import { NO_TERMS } from '../base/model/stake-terms.js';
import type { Opportunity } from '../log/delta/opportunity.js';
import { EdgeHistory } from './edge-history.js';
import { type Removed, Tombstones } from './tombstones.js';

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
  edges: EdgeHistory;
}

/** From the store, which has nothing else of it. */
export interface PastEnd {
  position: number;
  kind: OpportunityKind;
  id: string;
}

export class Endings extends Tombstones<Ended> {
  readonly #spare: Pool<Ended>;

  constructor() {
    const spare = new Pool<Ended>(LIMITS.spareLinks.max);
    super(LIMITS.endedOpportunities.max, (ended) => spare.give(ended));
    this.#spare = spare;
  }

  /**
   * Records an end and its edges, and returns a history object in exchange, whose contents are undefined. An end is
   * later than all recorded ones.
   */
  add(position: number, createdPosition: number, ended: Opportunity, edges: EdgeHistory): EdgeHistory {
    const place = this.#place(position, createdPosition, ended);
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
    this.push(place);
    return free;
  }

  /** One of before the start, of which nothing else is known. */
  addPast(past: PastEnd): void {
    const place = this.#place(past.position, 0, past);
    place.outlined = false;
    this.push(place);
  }

  #place(position: number, createdPosition: number, { kind, id }: Pick<Ended, 'kind' | 'id'>): Ended {
    const place = this.#spare.take() ?? emptyPlace();
    place.position = position;
    place.createdPosition = createdPosition;
    place.kind = kind;
    place.id = id;
    return place;
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
