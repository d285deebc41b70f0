// Numbers in few bytes: the encoding of history's pages.

const START_BYTES = 4_096;
const SEVEN_BITS = 128;
const DOUBLE_BYTES = 8;

/** A growing, reusable buffer: the result of written() is valid until the next begin(). */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(START_BYTES);
  #at = 0;

  begin(): void {
    this.#at = 0;
  }

  written(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  /** An integer from 0 below 2^53, seven bits per byte, lowest first. */
  unsigned(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= SEVEN_BITS) {
      this.#bytes[this.#at++] = (rest % SEVEN_BITS) | SEVEN_BITS;
      rest = Math.floor(rest / SEVEN_BITS);
    }
    this.#bytes[this.#at++] = rest;
  }

  double(value: number): void {
    this.#reserve(DOUBLE_BYTES);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const more = Buffer.allocUnsafeSlow(this.#bytes.length * 2);
    more.set(this.#bytes);
    this.#bytes = more;
  }
}

/** Reads what a ByteWriter wrote, in the same order. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  unsigned(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++]!;
    if (byte < SEVEN_BITS) return byte;
    let value = byte - SEVEN_BITS;
    let scale = SEVEN_BITS;
    do {
      if (this.#at >= bytes.length) throw new RangeError('a number is cut short');
      byte = bytes[this.#at++]!;
      value += (byte & (SEVEN_BITS - 1)) * scale;
      scale *= SEVEN_BITS;
    } while (byte >= SEVEN_BITS);
    return value;
  }

  double(): number {
    this.#at += DOUBLE_BYTES;
    return this.#view.getFloat64(this.#at - DOUBLE_BYTES, true);
  }

  /** Skips this many integers. */
  skip(count: number): void {
    const bytes = this.#bytes;
    for (let left = count; left > 0; this.#at++) {
      if (this.#at >= bytes.length) throw new RangeError('a number is cut short');
      if (bytes[this.#at]! < SEVEN_BITS) left--;
    }
  }

  skipDoubles(count: number): void {
    this.#at += count * DOUBLE_BYTES;
  }
}

/** Zigzag encoding: signed integers as unsigned ones, small ones staying small. */
export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

export function unzigzag(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}
