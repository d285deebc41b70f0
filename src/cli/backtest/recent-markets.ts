// A cache of normalised messages of a recording, by object identity. If a poll repeats a market or a whole event of the
// previous one, the mapper returns the same object, and its result is reused without parsing it again. Only a backtest
// has one: what is pushed to a server is new with every request.

import type { NormalEvent } from '../../base/model/normal-message.js';
import type { KnownQuotes, NormalisedMarkets } from '../../intake/ingest/market.js';

/** Two generations: what was not used since the turn before the last is dropped. */
class Generations<Value> {
  #before = new Map<object, Value>();
  #now = new Map<object, Value>();

  turn(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  get(key: object): Value | undefined {
    const known = this.#now.get(key);
    if (known !== undefined) return known;
    const before = this.#before.get(key);
    if (before !== undefined) this.#now.set(key, before);
    return before;
  }

  set(key: object, value: Value): void {
    this.#now.set(key, value);
  }
}

export class RecentMarkets implements NormalisedMarkets {
  readonly events = new Generations<NormalEvent>();
  readonly quotes = new Generations<KnownQuotes>();

  /** A poll begins. */
  turn(): void {
    this.events.turn();
    this.quotes.turn();
  }
}
