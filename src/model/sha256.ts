// The first 64 bits of the SHA-256 (FIPS 180-4) of a short ASCII text. Node's own hash is a little faster in a loop, but a
// single hash between other work waits for the code of several libraries to be read from memory.

/** Room for a text and what is appended to it; a longer one is not hashed here. */
const BYTES = 1_024;
const BLOCK = 64;
const ROUNDS = 64;
/** Appended to a text: at least a byte of which one bit is set, and its length in bits as eight bytes. */
const TAIL_MIN = 9;
/** From this character code on a text is not ASCII. */
const NOT_ASCII = 128;
const LINE_FEED = 10;

const bytes = new Uint8Array(BYTES);
const words = new Int32Array(ROUNDS);
const state = new Int32Array(8);
const start = new Int32Array(8);
const constants = new Int32Array(ROUNDS);
setConstants();

/** Character codes of the hex digits. */
const HEX = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));

/**
 * 16 lowercase hex digits of the parts joined by line feeds, null being empty; undefined if they are too long together or
 * not ASCII.
 */
export function sha256Start(parts: readonly (string | number | null)[]): string | undefined {
  const length = write(parts);
  if (length < 0) return undefined;
  const end = pad(length);
  state.set(start);
  for (let at = 0; at < end; at += BLOCK) digest(at);
  const high = state[0]!;
  const low = state[1]!;
  // One call, so that the text is one string and not a chain of concatenated ones.
  return String.fromCharCode(
    hex(high, 28),
    hex(high, 24),
    hex(high, 20),
    hex(high, 16),
    hex(high, 12),
    hex(high, 8),
    hex(high, 4),
    hex(high, 0),
    hex(low, 28),
    hex(low, 24),
    hex(low, 20),
    hex(low, 16),
    hex(low, 12),
    hex(low, 8),
    hex(low, 4),
    hex(low, 0),
  );
}

const hex = (word: number, shift: number): number => HEX[(word >>> shift) & 15]!;

/** Writes the text into `bytes`; returns its length, or -1 if it cannot be written. */
function write(parts: readonly (string | number | null)[]): number {
  let length = 0;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    const text = part === null ? '' : typeof part === 'number' ? String(part) : part;
    if (length + text.length + 1 > BYTES - TAIL_MIN) return -1;
    if (i > 0) bytes[length++] = LINE_FEED;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code >= NOT_ASCII) return -1;
      bytes[length++] = code;
    }
  }
  return length;
}

/** Appends to the text what completes its last block; returns the length with it. */
function pad(length: number): number {
  const end = Math.ceil((length + TAIL_MIN) / BLOCK) * BLOCK;
  bytes[length] = 0x80;
  for (let at = length + 1; at < end - 2; at++) bytes[at] = 0;
  bytes[end - 2] = (length * 8) >>> 8;
  bytes[end - 1] = length * 8;
  return end;
}

/** Adds the block of `bytes` at `at` to the state. */
function digest(at: number): void {
  for (let i = 0; i < 16; i++, at += 4)
    words[i] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
  for (let i = 16; i < ROUNDS; i++) {
    const x = words[i - 15]!;
    const y = words[i - 2]!;
    words[i] =
      words[i - 16]! +
      words[i - 7]! +
      (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) +
      (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < ROUNDS; i++) {
    const first =
      (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + constants[i]! + words[i]!) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}

/** Rotated to the right. */
function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The fractions of the square roots of the first eight primes, and of the cube roots of the first 64, in 32 bits. */
function setConstants(): void {
  const fraction = (root: number): number => (root % 1) * 2 ** 32;
  const primes: number[] = [];
  for (let number = 2; primes.length < ROUNDS; number++)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  for (let i = 0; i < 8; i++) start[i] = fraction(Math.sqrt(primes[i]!));
  for (let i = 0; i < ROUNDS; i++) constants[i] = fraction(Math.cbrt(primes[i]!));
}
