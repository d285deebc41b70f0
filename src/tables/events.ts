// The table's events: their public fields, and all of them in order of their starts.

import { compareText } from '../base/model/compare.js';
import type { GameState } from '../base/model/game-state.js';
import { LIMITS } from '../base/model/limits.js';
import { detachedText } from '../base/wire/detached-text.js';
import type { EventDelta } from '../log/delta/delta.js';
import { EventRows, type RowOrder } from './event-rows.js';

const SHARDS_MAX = LIMITS.shards.max;

/** As in answers. */
export type ServedState = GameState & { score_home?: number | null; score_away?: number | null };

export interface TableEvent extends EventDelta {
  /** Index in the table's columns; reused after the event is removed. */
  index: number;
  shard: number;
  /** `{away} @ {home}` */
  name: string;
  state: ServedState | null;
  /** Position of the last delta that touched the event or any of its rows. */
  version: number;
  rows: EventRows;
  /** Slots of each book's rows, by book number. */
  byBook: Map<number, number[]>;
}

export class EventList {
  readonly #byId = new Map<string, TableEvent>();
  readonly #byNo = new Map<number, TableEvent>();
  readonly #byIndex: (TableEvent | undefined)[] = [];
  readonly #free: number[] = [];
  #ordered: TableEvent[] = [];
  #sorted = true;

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): TableEvent | undefined {
    return this.#byId.get(id);
  }

  find(shard: number, no: number): TableEvent | undefined {
    return this.#byNo.get(numberKey(shard, no));
  }

  at(index: number): TableEvent {
    return this.#byIndex[index]!;
  }

  /** All events by start, then id. */
  ordered(): readonly TableEvent[] {
    if (!this.#sorted) {
      this.#ordered.sort(compareEvents);
      this.#sorted = true;
    }
    return this.#ordered;
  }

  /** A new event, or new fields of a known one. */
  upsert(shard: number, delta: EventDelta, order: RowOrder): TableEvent {
    const known = this.find(shard, delta.no);
    if (known !== undefined) {
      if (known.startMs !== delta.startMs) this.#sorted = false;
      known.startMs = delta.startMs;
      known.status = delta.status;
      known.live = delta.live;
      known.state = servedState(delta.state);
      known.stateBooks = delta.stateBooks ?? [];
      known.externalIds = delta.externalIds;
      if (delta.draws !== undefined) known.draws = delta.draws;
      if (delta.namesakes !== undefined) known.namesakes = delta.namesakes;
      if (delta.liveSince !== undefined) known.liveSince = delta.liveSince;
      if (delta.calledOffMs === undefined) delete known.calledOffMs;
      else known.calledOffMs = delta.calledOffMs;
      return known;
    }
    const index = this.#free.pop() ?? this.#byIndex.length;
    const event: TableEvent = {
      ...delta,
      state: servedState(delta.state),
      id: detachedText(delta.id),
      homeToken: detachedText(delta.homeToken),
      awayToken: detachedText(delta.awayToken),
      home: detachedText(delta.home),
      away: detachedText(delta.away),
      index,
      shard,
      name: detachedText(`${delta.away} @ ${delta.home}`),
      version: 0,
      rows: new EventRows(order),
      byBook: new Map(),
    };
    this.#byIndex[index] = event;
    this.#byId.set(event.id, event);
    this.#byNo.set(numberKey(shard, event.no), event);
    this.#ordered.push(event);
    this.#sorted = false;
    return event;
  }

  remove(event: TableEvent): void {
    this.#byId.delete(event.id);
    this.#byNo.delete(numberKey(event.shard, event.no));
    this.#byIndex[event.index] = undefined;
    this.#free.push(event.index);
    this.#ordered = this.#ordered.filter((other) => other !== event);
  }
}

/** Events are numbered by their shard. */
function numberKey(shard: number, no: number): number {
  return no * SHARDS_MAX + shard;
}

/** With the score under both names that clients read. */
function servedState(state: GameState | null): ServedState | null {
  if (state === null) return null;
  const { home_score, away_score } = state;
  return {
    ...state,
    ...(home_score === undefined ? {} : { score_home: home_score }),
    ...(away_score === undefined ? {} : { score_away: away_score }),
  };
}

export function compareEvents(a: { startMs: number; id: string }, b: { startMs: number; id: string }): number {
  return a.startMs - b.startMs || compareText(a.id, b.id);
}
