// The headers of every answer to the same kind of key, as prepared bytes for uWebSockets: only the numbers in them are
// overwritten. Each call into C++ with a string costs more than the bytes do, and a long string concatenated for one
// answer costs the most.
const ID_DIGITS = 8;
const SECOND_DIGITS = 10;
const COUNT_DIGITS = 16;
const POSITION_DIGITS = 16;
const ZERO = 0x30;
const LETTER_A_LESS_TEN = 0x61 - 10;

/** A request's id: the process's prefix, and the request's number in it. */
export function requestIdText(prefix: string, no: number): string {
  return prefix + no.toString(36).padStart(ID_DIGITS, '0');
}

export class ReadyHead {
  readonly #bytes: Buffer;
  readonly #idAt: number;
  readonly #positionAt: number;
  #position = -1;
  readonly #resetAt: number;
  readonly #countAt: number;
  #resetUnixS = -1;
  /** Views of the memory by the number of digits at its end. */
  readonly #windows: Buffer[];

  /**
   * @param prefix beginning of every request's id
   * @param fixed headers as sent, each preceded by a line break
   * @param counted whether the caller's requests are counted: the rate limit headers are included then
   * @param positioned whether the position of what is shown is included
   */
  constructor(prefix: string, fixed: string, counted: boolean, positioned = false) {
    const place = positioned ? `\r\nX-Position: ${' '.repeat(POSITION_DIGITS)}` : '';
    const front = `${prefix}${'0'.repeat(ID_DIGITS)}${fixed}${place}${counted ? '\r\nX-RateLimit-Reset: ' : ''}`;
    const middle = counted ? `${'0'.repeat(SECOND_DIGITS)}\r\nX-RateLimit-Remaining: ` : '';
    this.#bytes = Buffer.from(front + middle + ' '.repeat(COUNT_DIGITS));
    this.#idAt = prefix.length;
    this.#positionAt = prefix.length + ID_DIGITS + fixed.length + place.length - POSITION_DIGITS;
    this.#resetAt = front.length;
    this.#countAt = front.length + middle.length;
    this.#windows = Array.from({ length: COUNT_DIGITS + 1 }, (_, digits) =>
      this.#bytes.subarray(0, this.#countAt + digits),
    );
  }

  /** The values for the next answers: right-aligned, as blanks before a header's value are ignored. */
  set position(position: number) {
    if (position === this.#position) return;
    this.#position = position;
    this.#bytes.write(String(position).padStart(POSITION_DIGITS), this.#positionAt, 'latin1');
  }

  /** The value of X-Request-Id and the headers after it; valid until the next call. */
  uncounted(no: number): Buffer {
    this.#writeId(no);
    return this.#windows[0]!;
  }

  counted(no: number, remaining: number, resetUnixS: number): Buffer {
    this.#writeId(no);
    if (resetUnixS !== this.#resetUnixS) {
      this.#resetUnixS = resetUnixS;
      this.#bytes.write(String(resetUnixS).padStart(SECOND_DIGITS, '0'), this.#resetAt, 'latin1');
    }
    const bytes = this.#bytes;
    let digits = 1;
    for (let power = 10; power <= remaining && digits < COUNT_DIGITS; power *= 10) digits++;
    let rest = remaining;
    for (let at = this.#countAt + digits - 1; at >= this.#countAt; at--) {
      const tenth = Math.floor(rest / 10);
      bytes[at] = ZERO + (rest - tenth * 10);
      rest = tenth;
    }
    return this.#windows[digits]!;
  }

  #writeId(no: number): void {
    const bytes = this.#bytes;
    let rest = no;
    for (let at = this.#idAt + ID_DIGITS - 1; at >= this.#idAt; at--) {
      const part = Math.floor(rest / 36);
      const digit = rest - part * 36;
      bytes[at] = digit + (digit < 10 ? ZERO : LETTER_A_LESS_TEN);
      rest = part;
    }
  }
}
