// The order book of one contract. It holds bids only: who bids for NO at p sells YES at 1 - p.
import { Levels } from '../kit/levels.js';
import { isPriceMicros, MICROS, parseMicros } from '../kit/probability-price.js';
import type { Fields } from '../kit/reading.js';

export type ContractSide = 'yes' | 'no';

export interface Offer {
  priceMicros: number;
  countMicros: number;
}

const CENT = MICROS / 100;

export class ContractBook {
  #yes = new Levels('highest');
  #no = new Levels('highest');
  /** It is as the venue has it, as far as anybody knows. */
  good = false;
  /** When the venue showed it last (Unix ms); null where it tells of every change. */
  seenMs: number | null = null;

  forget(): void {
    this.good = false;
    this.#yes.clear();
    this.#no.clear();
  }

  /** What a side costs to buy now, null where nobody sells it. */
  ask(side: ContractSide): Offer | null {
    const bids = side === 'yes' ? this.#no : this.#yes;
    return bids.best === null ? null : { priceMicros: MICROS - bids.best, countMicros: bids.bestCount };
  }

  /** A whole book; a side that is left out is empty. False where it cannot be read. */
  snapshot(message: Fields): boolean {
    const yes = sideOf(message, 'yes');
    const no = sideOf(message, 'no');
    if (yes === undefined || no === undefined) return false;
    this.#yes = yes;
    this.#no = no;
    this.good = true;
    return true;
  }

  /** A difference at one price. False where it cannot be read, or takes away more than there was. */
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

/** Dollars as text, or whole cents in the older spelling; undefined where neither can be a price. */
export function priceOf(dollars: unknown, cents: unknown): number | undefined {
  const micros = dollars != null ? parseMicros(dollars) : times(parseMicros(cents), 1 / 100);
  return micros !== undefined && isPriceMicros(micros) ? micros : undefined;
}

/** Contracts with fractions as text, or whole ones in the older spelling. */
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
