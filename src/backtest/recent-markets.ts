// What messages of a recording became, by the objects themselves. Where a poll repeats a market or a whole event of the one
// before it, the mapper gives the very same object again, and what was made of it is taken without its being read again.
// Only a backtest has one: what is pushed to a server is new with every request.
import type { KnownQuotes, NormalisedMarkets } from '../ingest/normalise.js';
import type { NormalEvent } from '../model/normal-message.js';

/** Two generations: what was not met since the turn before the last is forgotten. */
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
