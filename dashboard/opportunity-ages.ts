// When the server last saw the prices of the opportunities that are looked at: a poll that shows the same price sends
// nothing, so that what was sent with them is too old soon. Asked for as the board does.
import type { OpportunityItem } from '../src/client/client.js';
import { KINDS } from './model/address.js';
import { ageOf, type OpportunityRow } from './model/opportunity-rows.js';
import type { OpportunitySource } from './opportunity-source.js';
import type { Session } from './session.js';

const EVERY_MS = 15_000;
/** What one turn asks. */
const TURN = { rows: 120, events: 40 };

export interface OpportunityAgesOptions {
  session: Session;
  source: Pick<OpportunitySource, 'receivedMs' | 'agesNow'>;
  /** Those that are looked at; none while they are not shown. */
  rows(): readonly OpportunityRow[];
  changed(): void;
}

export class OpportunityAges {
  readonly #options: OpportunityAgesOptions;
  /** Unix ms of the newest poll known to have shown all its prices; one that changes comes as another item. */
  readonly #seen = new WeakMap<OpportunityItem, number>();
  #busy = false;

  constructor(options: OpportunityAgesOptions) {
    this.#options = options;
    setInterval(() => void this.#ask(options.rows().slice(0, TURN.rows)), EVERY_MS);
  }

  /** Age of the oldest price in it, ms. */
  readonly of = ({ item }: Pick<OpportunityRow, 'item'>): number => {
    const { session, source } = this.#options;
    const nowMs = session.clock.now();
    const statedMs = (source.receivedMs(item) ?? nowMs) - ageOf(item) * 1_000;
    return nowMs - Math.max(statedMs, this.#seen.get(item) ?? statedMs);
  };

  async #ask(rows: readonly OpportunityRow[]): Promise<void> {
    const { session, source, changed } = this.#options;
    if (this.#busy || rows.length === 0 || document.hidden || session.isTight) return;
    this.#busy = true;
    try {
      for (const kind of KINDS) {
        const own = rows.filter((row) => row.kind === kind);
        const all = (of: (row: OpportunityRow) => string): string[] => [...new Set(own.map(of))];
        if (own.length === 0) continue;
        const event = all(({ item }) => item.event_id).slice(0, TURN.events);
        const ages = await source.agesNow(kind, { event, market: all(({ item }) => item.market_type) });
        const nowMs = session.clock.now();
        for (const { id, item } of own) {
          const age = ages.get(id);
          if (age !== undefined) this.#seen.set(item, nowMs - age * 1_000);
        }
      }
      changed();
    } catch {
      // Ages grow then as if nothing was seen: the next turn asks again.
    } finally {
      this.#busy = false;
    }
  }
}
