// The ladder beside a row's price: the levels of an exchange's order book to back and to lay, best first. It travels and
// is stored as its JSON text: it is compared, copied and served far more often than anybody walks through it.

import { LIMITS } from './limits.js';

/** Decimal odds, and the backers' stake available at them in the venue's currency. */
export type Level = readonly [decimal: number, size: number];

export interface Depth {
  /** Highest odds first. */
  back: readonly Level[];
  /** Lowest odds first. */
  lay: readonly Level[];
}

/** JSON of a Depth. */
export type DepthText = string;

/** What a ladder is written into: of two sides with the most levels there may be, each number at its longest. */
const bytes = Buffer.allocUnsafe(4 * LIMITS.depthLevels.max * 32);
let end = 0;
let levels = 0;

/**
 * Writes a ladder as JSON.stringify would, in a fifth of the time: most of that goes into numbers. One at a time:
 * `begin`, levels to back, `lay`, levels to lay, `end`.
 */
export const depthWriter = {
  begin(): void {
    end = 0;
    levels = 0;
    writeAscii('{"back":[');
  },
  level(decimal: number, size: number): void {
    if (levels++ > 0) bytes[end++] = COMMA;
    bytes[end++] = OPEN;
    writeNumber(decimal);
    bytes[end++] = COMMA;
    writeNumber(size);
    bytes[end++] = CLOSE;
  },
  lay(): void {
    levels = 0;
    writeAscii('],"lay":[');
  },
  end(): DepthText {
    writeAscii(']}');
    return bytes.toString('latin1', 0, end);
  },
};

const [COMMA, OPEN, CLOSE, POINT, ZERO] = [44, 91, 93, 46, 48];
const HUNDREDTHS = 100;
const MILLIONTHS = 1e6;
const GREATEST_INTEGER = 0x7fff_ffff;

/** Numbers above 0. A quotient is the double nearest to its decimals: nearly every number has few of them. */
function writeNumber(value: number): void {
  const hundredths = value < GREATEST_INTEGER / HUNDREDTHS ? Math.round(value * HUNDREDTHS) | 0 : -1;
  if (hundredths / HUNDREDTHS === value) {
    writeHundredths(hundredths);
    return;
  }
  const whole = value < GREATEST_INTEGER ? value | 0 : 0;
  const millionths = Math.round((value - whole) * MILLIONTHS) | 0;
  if ((whole * MILLIONTHS + millionths) / MILLIONTHS !== value) {
    writeAscii(String(value));
    return;
  }
  writeInteger(whole);
  if (millionths === 0) return;
  bytes[end++] = POINT;
  let left = millionths;
  for (let unit = MILLIONTHS / 10; left > 0; unit /= 10) {
    const digit = (left / unit) | 0;
    bytes[end++] = ZERO + digit;
    left -= digit * unit;
  }
}

function writeHundredths(value: number): void {
  const whole = (value / HUNDREDTHS) | 0;
  writeInteger(whole);
  const rest = value - whole * HUNDREDTHS;
  if (rest === 0) return;
  const tenths = (rest / 10) | 0;
  bytes[end++] = POINT;
  bytes[end++] = ZERO + tenths;
  if (rest !== tenths * 10) bytes[end++] = ZERO + rest - tenths * 10;
}

function writeInteger(value: number): void {
  let at = end;
  for (let left = value; left >= 10; left = (left / 10) | 0) at++;
  const begin = end;
  end = at + 1;
  for (let left = value; at >= begin; at--) {
    const tenth = (left / 10) | 0;
    bytes[at] = ZERO + left - tenth * 10;
    left = tenth;
  }
}

function writeAscii(text: string): void {
  end += bytes.write(text, end, 'latin1');
}

export function depthOf(text: DepthText): Depth {
  return JSON.parse(text) as Depth;
}
