// What messages from a feed of our own became, by the objects themselves. A feed that gives the very same object again
// (the-odds-api: a book or a market that says nothing new) gets what was made of it, without its being read again.
// Only for objects that are never changed once they were handed in; what callers push is new with every request.
import type { NormalEvent, NormalQuote } from '../model/normal-message.js';

interface KnownQuotes {
  marketType: string;
  /** Prices could be left out. */
  suspended: boolean;
  quotes: NormalQuote[];
}

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

export class NormalMemory {
  /** Events without a rejection, by what was pushed. */
  readonly events = new Generations<NormalEvent>();
  /** Quotes without a rejection, by the list of selections. */
  readonly quotes = new Generations<KnownQuotes>();

  /** A poll begins. */
  turn(): void {
    this.events.turn();
    this.quotes.turn();
  }
}
