// Writes the price part of rows as bytes, equal to encodePrice's text: formatted once per price, without a string per
// row.
import {
  INDICATIVE,
  isActive,
  isIndicative,
  isPregamePrice,
  packActivity,
  previousPrice,
} from '../base/model/activity.js';
import { noNumbers } from '../base/model/row.js';
import { encodePrice, type PricedRow, priceText } from '../base/model/row-json.js';
import { formatUs } from '../base/model/time.js';

interface PriceBytes {
  readonly american: number;
  readonly decimal: number;
  readonly odds: Buffer;
  readonly probability: Buffer;
}

/** The price part between line and previous price: whether it is live, since when, whether it can be bet, its kind. */
interface Middle {
  readonly bytes: Buffer;
  /** Offset of the time's microseconds in it. */
  readonly microAt: number;
  readonly secondAt: number;
  /** The microseconds written there. */
  second: number;
  micro: number;
}

/** A power of two. */
const PRICES_CACHED = 4_096;
const MICRO_DIGITS = 6;
const SECOND_CHARACTERS = 19;
const ZERO = 48;
const NULL = Buffer.from('null');
const SOME_TIME_US = 1_700_000_000_000_000;
const SAMPLE: PricedRow = { ...noNumbers(), alternate: false, american: 100, decimal: 2, changedUs: SOME_TIME_US };
/** Bits of a middle's index. */
const MIDDLE = { live: 1, active: 2, alternate: 4, pregame: 8, indicative: 16 } as const;
const MIDDLES = 32;

/** Of a number in JSON at most. */
const NUMBER_CHARACTERS = 25;
/** Of the price part at most, including the probability. */
export const PRICE_LENGTH_MAX =
  Math.max(...Array.from({ length: MIDDLES }, (_, bits) => middleOf(bits).bytes.length)) +
  priceText(SAMPLE).odds.length +
  priceText(SAMPLE).probability.length +
  6 * NUMBER_CHARACTERS;

export class PriceWriter {
  readonly #prices: (PriceBytes | undefined)[] = new Array(PRICES_CACHED).fill(undefined);
  readonly #middles = Array.from({ length: MIDDLES }, (_, bits) => middleOf(bits));
  readonly #middleLengths = this.#middles.map(({ bytes }) => bytes.length);

  /** Length of the price part, including the probability. */
  length(row: Readonly<PricedRow>, live: boolean): number {
    const { odds, probability } = this.#priceOf(row);
    const middle = this.#middleLengths[middleNo(row, live)]!;
    const { line } = row;
    return odds.length + textLength(line) + middle + textLength(previousPrice(row.activity)) + probability.length;
  }

  /** Writes the price part without the probability, as in a stream delta, and returns its end offset. */
  writeDelta(row: Readonly<PricedRow>, live: boolean, target: Uint8Array, at: number): number {
    return this.#write(this.#priceOf(row), row, live, target, at);
  }

  /** Writes the whole price part and returns its end offset. */
  write(row: Readonly<PricedRow>, live: boolean, target: Uint8Array, at: number): number {
    const price = this.#priceOf(row);
    return copyShort(price.probability, target, this.#write(price, row, live, target, at));
  }

  #write({ odds }: PriceBytes, row: Readonly<PricedRow>, live: boolean, target: Uint8Array, at: number): number {
    target.set(odds, at);
    let end = writeNumber(row.line, target, at + odds.length);
    const middle = this.#middles[middleNo(row, live)]!;
    setTime(middle, row.changedUs);
    target.set(middle.bytes, end);
    end += middle.bytes.length;
    return writeNumber(previousPrice(row.activity), target, end);
  }

  #priceOf(row: Readonly<PricedRow>): PriceBytes {
    const { american, decimal } = row;
    const place = (american * 8 + decimal * 1_000) & (PRICES_CACHED - 1);
    const known = this.#prices[place];
    if (known !== undefined && known.american === american && known.decimal === decimal) return known;
    const { odds, probability } = priceText(row);
    const made = { american, decimal, odds: Buffer.from(odds), probability: Buffer.from(probability) };
    this.#prices[place] = made;
    return made;
  }
}

function middleNo({ activity, alternate }: Readonly<PricedRow>, live: boolean): number {
  return (
    (live ? MIDDLE.live : 0) +
    (isActive(activity) ? MIDDLE.active : 0) +
    (alternate ? MIDDLE.alternate : 0) +
    (isPregamePrice(activity) ? MIDDLE.pregame : 0) +
    (isIndicative(activity) ? MIDDLE.indicative : 0)
  );
}

/** Cut out of a complete price part, so that its text is defined in one place. */
function middleOf(bits: number): Middle {
  const nothing = String(null).length;
  const has = (bit: number) => (bits & bit) !== 0;
  const activity = packActivity(has(MIDDLE.active), has(MIDDLE.indicative) ? INDICATIVE : null, has(MIDDLE.pregame));
  const text = encodePrice({ ...SAMPLE, alternate: has(MIDDLE.alternate), activity }, has(MIDDLE.live));
  const middle = text.slice(priceText(SAMPLE).odds.length + nothing, -nothing);
  const time = formatUs(SOME_TIME_US);
  const secondAt = middle.indexOf(time);
  const microAt = secondAt + time.indexOf('.') + 1;
  return { bytes: Buffer.from(middle), secondAt, microAt, second: SOME_TIME_US / 1e6, micro: 0 };
}

function setTime(middle: Middle, us: number): void {
  const second = Math.floor(us / 1e6);
  let micro = us - second * 1e6;
  if (second !== middle.second) {
    middle.second = second;
    middle.bytes.write(formatUs(second * 1e6).slice(0, SECOND_CHARACTERS), middle.secondAt, 'latin1');
  }
  if (micro === middle.micro) return;
  middle.micro = micro;
  for (let at = middle.microAt + MICRO_DIGITS - 1; at >= middle.microAt; at--) {
    const rest = Math.floor(micro / 10);
    middle.bytes[at] = ZERO + micro - rest * 10;
    micro = rest;
  }
}

/** Some fifty bytes, for which calling a copy function costs more. Returns the end offset. */
function copyShort(source: Uint8Array, target: Uint8Array, at: number): number {
  for (let i = 0; i < source.length; i++) target[at + i] = source[i]!;
  return at + source.length;
}

function textLength(value: number | null): number {
  return String(value).length;
}

function writeNumber(value: number | null, target: Uint8Array, at: number): number {
  if (value === null) return copyShort(NULL, target, at);
  const text = String(value);
  for (let i = 0; i < text.length; i++) target[at + i] = text.charCodeAt(i);
  return at + text.length;
}
