// Reads MessagePack of our own making where it lies, item by item: a start reads half a million rows, and an array of
// objects and texts for each slab of them costs more than what is read.

const TEXT = { fixed: 0xa0, fixedEnd: 0xc0, u8: 0xd9, u16: 0xda, u32: 0xdb } as const;
const ARRAY = { fixed: 0x90, fixedEnd: 0xa0, u16: 0xdc, u32: 0xdd } as const;
const NIL = 0xc0;

export class ItemReader {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;

  /** Reads from `at` on, and not beyond `end`. */
  begin(bytes: Uint8Array, at: number, end: number): void {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    if (end > this.#bytes.length) throw new RangeError('MessagePack is cut short');
    this.#at = at;
    this.#end = end;
  }

  /** Where the next item begins, or the text whose length was read. */
  get at(): number {
    return this.#at;
  }

  /** Items of the array that begins here; they are next. Throws RangeError where there is none. */
  array(): number {
    const head = this.#head();
    if (head >= ARRAY.fixed && head < ARRAY.fixedEnd) return head - ARRAY.fixed;
    if (head === ARRAY.u16) return this.#unsigned(2);
    if (head === ARRAY.u32) return this.#unsigned(4);
    throw new RangeError(`no array of MessagePack: ${head}`);
  }

  /** Bytes of the text that begins here; they are next, for skip(). Throws RangeError where there is none. */
  textLength(): number {
    const head = this.#head();
    if (head >= TEXT.fixed && head < TEXT.fixedEnd) return head - TEXT.fixed;
    if (head === TEXT.u8) return this.#unsigned(1);
    if (head === TEXT.u16) return this.#unsigned(2);
    if (head === TEXT.u32) return this.#unsigned(4);
    throw new RangeError(`no text of MessagePack: ${head}`);
  }

  skip(bytes: number): void {
    this.#at += bytes;
    if (this.#at > this.#end) throw new RangeError('MessagePack is cut short');
  }

  /** Throws RangeError where there is neither a number nor nil. */
  numberOrNull(): number | null {
    const head = this.#head();
    if (head < 0x80) return head;
    if (head === NIL) return null;
    if (head >= 0xe0) return head - 0x100;
    switch (head) {
      case 0xcc:
        return this.#unsigned(1);
      case 0xcd:
        return this.#unsigned(2);
      case 0xce:
        return this.#unsigned(4);
      case 0xd0:
        return this.#bytes.readInt8(this.#taken(1));
      case 0xd1:
        return this.#bytes.readInt16BE(this.#taken(2));
      case 0xd2:
        return this.#bytes.readInt32BE(this.#taken(4));
      case 0xca:
        return this.#bytes.readFloatBE(this.#taken(4));
      case 0xcb:
        return this.#bytes.readDoubleBE(this.#taken(8));
      case 0xcf:
        return Number(this.#bytes.readBigUInt64BE(this.#taken(8)));
      case 0xd3:
        return Number(this.#bytes.readBigInt64BE(this.#taken(8)));
      default:
        throw new RangeError(`no number of MessagePack: ${head}`);
    }
  }

  #head(): number {
    return this.#bytes[this.#taken(1)]!;
  }

  #unsigned(bytes: 1 | 2 | 4): number {
    const from = this.#taken(bytes);
    let value = 0;
    for (let i = 0; i < bytes; i++) value = value * 256 + this.#bytes[from + i]!;
    return value;
  }

  /** Where they begin. */
  #taken(bytes: number): number {
    const at = this.#at;
    this.skip(bytes);
    return at;
  }
}
