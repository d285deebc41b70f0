// The prices that changed after a position, walked once for all rules that are evaluated in the same turn from the same
// position, and grouped by league and event, so that a rule examines only what its filter may match.

import { getOrInsert } from '../base/memory/get-or-insert.js';
import type { Engine } from '../engine/engine.js';
import type { TableEvent } from '../tables/events.js';
import type { StreamFilter } from '../tables/filter/stream-filter.js';

/** Changed rows of an event, or of a league. */
class Changed {
  readonly event: TableEvent;
  /** Indices among all that changed, oldest change first. */
  readonly places: number[] = [];
  /** Their lowest and highest decimal price. */
  least = Number.POSITIVE_INFINITY;
  most = 0;

  constructor(event: TableEvent) {
    this.event = event;
  }

  add(place: number, decimal: number): void {
    this.places.push(place);
    if (decimal < this.least) this.least = decimal;
    if (decimal > this.most) this.most = decimal;
  }
}

interface Walk {
  slots: number[];
  byEvent: Map<string, Changed>;
  /** By sport and league. */
  byLeague: Map<string, Changed>;
}

export class ChangedPrices {
  readonly #engine: Pick<Engine, 'table'>;
  readonly #walks = new Map<number, Walk>();
  readonly #texts = new Map<number, string>();

  constructor(engine: Pick<Engine, 'table'>) {
    this.#engine = engine;
  }

  /**
   * Slots whose price changed after a position, oldest change first, that match a filter and lie between two decimal
   * prices, both inclusive. Exact until the table changes; clear() must be called before.
   */
  since(after: number, filter: StreamFilter, least: number, most: number): number[] {
    const { decimal } = this.#engine.table.columns;
    const { slots, byEvent, byLeague } = this.#walkOf(after);
    const found: number[] = [];
    let groups = 0;
    const take = (changed: Changed): void => {
      if (changed.most < least || changed.least > most || !filter.hasEvent(changed.event)) return;
      const before = found.length;
      for (const place of changed.places) {
        const slot = slots[place]!;
        const price = decimal[slot]!;
        if (price >= least && price <= most && filter.hasRow(slot)) found.push(place);
      }
      if (found.length > before) groups++;
    };
    const { event: ids } = filter.applied;
    if (ids === null) for (const changed of byLeague.values()) take(changed);
    else
      for (const id of ids) {
        const changed = byEvent.get(id);
        if (changed !== undefined) take(changed);
      }
    if (groups > 1) found.sort((a, b) => a - b);
    return found.map((place) => slots[place]!);
  }

  /** The row's JSON. */
  text(slot: number): string {
    return getOrInsert(this.#texts, slot, () => this.#engine.table.json.text(slot));
  }

  /** The turn is over. */
  clear(): void {
    this.#walks.clear();
    this.#texts.clear();
  }

  #walkOf(after: number): Walk {
    const known = this.#walks.get(after);
    if (known !== undefined) return known;
    const { columns, events, recency } = this.#engine.table;
    const walk: Walk = { slots: [], byEvent: new Map(), byLeague: new Map() };
    for (const slot of recency.since(after)) {
      // Links and limits change, too.
      if (columns.changedUs[slot]! <= after) continue;
      const place = walk.slots.push(slot) - 1;
      const event = events.at(columns.event[slot]!);
      const decimal = columns.decimal[slot]!;
      const changed = (): Changed => new Changed(event);
      getOrInsert(walk.byEvent, event.id, changed).add(place, decimal);
      getOrInsert(walk.byLeague, `${event.sport}|${event.league}`, changed).add(place, decimal);
    }
    this.#walks.set(after, walk);
    return walk;
  }
}
