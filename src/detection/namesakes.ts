// Players' prices of events in which two men have one name (writer/shard/namesakes.ts): once that is known they are apart.

import type { EventState } from '../base/model/state.js';
import { playerKey } from '../rules/catalogue/player-name.js';
import type { MarketIndex } from './market-index.js';

export class Namesakes {
  readonly #index: MarketIndex;
  /** As of when the event's prices were last placed. */
  readonly #placed = new WeakMap<EventState, readonly string[]>();

  constructor(index: MarketIndex) {
    this.#index = index;
  }

  /** To be called when a book's rows of the event have been noted. */
  separate(event: EventState): void {
    const { namesakes } = event;
    if (namesakes === undefined || this.#placed.get(event) === namesakes) return;
    this.#placed.set(event, namesakes);
    for (const quotes of event.books.values())
      for (const row of quotes.rows.values()) {
        const market = this.#index.marketLineOf(row.no)?.market;
        if (row.player === null || market === undefined || market.player === playerKey(row.player, namesakes)) continue;
        this.#index.replace(row, quotes);
      }
  }
}
