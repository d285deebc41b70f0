// The order book of one contract. It contains bids only: a bid for NO at p is an offer of YES at 1 - p.

import type { Fields } from '../kit/field-readers.js';
import { isPriceMicros, Levels, MICROS, parseMicros } from '../kit/ladder.js';

export type ContractSide = 'yes' | 'no';

export interface Offer {
  priceMicros: number;
  countMicros: number;
}

const CENT = MICROS / 100;

export class ContractBook {
  #yes = new Levels('highest');
  #no = new Levels('highest');
  /** Whether it equals the venue's, as far as is known. */
  good = false;
  /** When the venue last showed it (Unix ms); null if the venue sends every change. */
  seenMs: number | null = null;

  forget(): void {
    this.good = false;
    this.#yes.clear();
    this.#no.clear();
  }

  /** The price to buy a side now, null if nobody offers it. */
  ask(side: ContractSide): Offer | null {
    const bids = side === 'yes' ? this.#no : this.#yes;
    return bids.best === null ? null : { priceMicros: MICROS - bids.best, countMicros: bids.bestCount };
  }

  /** The best prices to buy a side now. */
  *asks(side: ContractSide, most: number): Iterable<readonly [priceMicros: number, countMicros: number]> {
    for (const [price, count] of (side === 'yes' ? this.#no : this.#yes).top(most)) yield [MICROS - price, count];
  }

  /** The best prices to sell a side now. */
  bids(side: ContractSide, most: number): Iterable<readonly [priceMicros: number, countMicros: number]> {
    return (side === 'yes' ? this.#yes : this.#no).top(most);
  }

  /** A complete book; a missing side is empty. False if it cannot be parsed. */
  snapshot(message: Fields): boolean {
    const yes = sideOf(message, 'yes');
    const no = sideOf(message, 'no');
    if (yes === undefined || no === undefined) return false;
    this.#yes = yes;
    this.#no = no;
    this.good = true;
    return true;
  }

  /** A difference at one price. False if it cannot be parsed, or removes more than there was. */
  delta(message: Fields): boolean {
    const price = priceOf(message['price_dollars'], message['price']);
    const difference = countOf(message['delta_fp'], message['delta']);
    const { side } = message;
    if (price === undefined || difference === undefined || (side !== 'yes' && side !== 'no')) return false;
    const levels = side === 'yes' ? this.#yes : this.#no;
    const count = levels.countAt(price) + difference;
    return count >= 0 && levels.set(price, count);
  }
}

/** Dollars as text, or whole cents in the older format; undefined if neither can be a price. */
export function priceOf(dollars: unknown, cents: unknown): number | undefined {
  const micros = dollars != null ? parseMicros(dollars) : times(parseMicros(cents), 1 / 100);
  return micros !== undefined && isPriceMicros(micros) ? micros : undefined;
}

/** Contracts as text with fractions, or whole ones in the older format. */
export function countOf(fixedPoint: unknown, whole: unknown): number | undefined {
  return parseMicros(fixedPoint ?? whole);
}

function times(micros: number | undefined, factor: number): number | undefined {
  return micros === undefined ? undefined : Math.round(micros * factor);
}

function sideOf(message: Fields, side: ContractSide): Levels | undefined {
  const levels = new Levels('highest');
  const dollars = message[`${side}_dollars_fp`] ?? message[`${side}_dollars`];
  const list = dollars ?? message[side] ?? [];
  if (!Array.isArray(list)) return undefined;
  for (const entry of list) {
    if (!Array.isArray(entry)) return undefined;
    const price = dollars === undefined ? priceOf(undefined, entry[0]) : priceOf(entry[0], undefined);
    const count = countOf(entry[1], undefined);
    if (price === undefined || price % (CENT / 100) !== 0 || count === undefined || count < 0) return undefined;
    if (!levels.set(price, count)) return undefined;
  }
  return levels;
}

// The source of contracts' order books: the venue's socket, or its REST API if there is no key for the socket.

export interface BookSource {
  readonly books: ReadonlyMap<string, ContractBook>;
  /** Settles when the feed is stopped. */
  readonly running: Promise<void>;
  /** Whether there is room for this many more contracts. */
  hasRoom(contracts: number): boolean;
  add(tickers: readonly string[]): void;
  remove(tickers: readonly string[]): void;
}
