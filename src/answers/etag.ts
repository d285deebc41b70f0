// Entity tags, and If-None-Match: whether the caller already has an answer. The tags of answers with a time of sending
// are weak.
import { hash } from 'node:crypto';

export function tagOf(content: Uint8Array): string {
  return `W/"${digestOf(content)}"`;
}

/** For bytes that are the same each time they are sent. */
export function strongTagOf(content: Uint8Array): string {
  return `"${digestOf(content)}"`;
}

function digestOf(content: Uint8Array): string {
  return hash('sha1', content, 'base64url');
}

/** Numbers per row in its stamps: its number in the log, the position of its last change, and when it was last seen. */
export const STAMPS = 3;

/**
 * The tag of a page of rows. Any change of its contents is a new position or last-seen time of one of its rows, or a
 * change of the envelope: these are a tenth of the bytes, and hashing all of them was a quarter of the cost of a page.
 * @param stamps STAMPS numbers per row
 * @param rest digest of the envelope
 */
export function tagOfRows(stamps: Float64Array, rows: number, rest: string): string {
  // Two multiplicative hashes side by side, 64 bits together, with the constants and rotations of xxHash32: SHA-1 took
  // as long as all of our other code for a changed page.
  const words = new Uint32Array(stamps.buffer, stamps.byteOffset, rows * STAMPS * 2);
  let a = 0x165667b1;
  let b = 0x27d4eb2f;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    a = Math.imul(a + Math.imul(word, 0x85ebca77), 0x9e3779b1);
    a = (a << 13) | (a >>> 19);
    b = Math.imul(b ^ word, 0xc2b2ae3d);
    b = (b << 17) | (b >>> 15);
  }
  return `W/"${rest}-${base36(spread(a))}-${base36(spread(b))}"`;
}

/** The tag of a text that is made for each request: on a short text it is faster than starting a cryptographic hash. */
export function digestOfText(text: string): string {
  let a = 0x165667b1;
  let b = 0x27d4eb2f;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x85ebca77);
    a = (a << 13) | (a >>> 19);
    b = Math.imul(b ^ code, 0xc2b2ae3d);
    b = (b << 17) | (b >>> 15);
  }
  return `${base36(spread(a))}-${base36(spread(b))}`;
}

/** Pairs of digits: `toString(36)`, which divides as floating point, takes five times as long. */
const PAIRS = Array.from({ length: 36 * 36 }, (_, i) => i.toString(36).padStart(2, '0'));

/** As `toString(36)` of the word. */
export function base36(word: number): string {
  if (word < 36 * 36) return word.toString(36);
  const rest = Math.floor(word / (36 * 36));
  return base36(rest) + PAIRS[word - rest * (36 * 36)]!;
}

/** Lets every bit of the word affect every bit of the result. */
function spread(word: number): number {
  let bits = Math.imul(word ^ (word >>> 15), 0x85ebca77);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae3d);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Whether the header contains the tag (RFC 9110, weak comparison); `*` matches any. */
export function namesTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === '') return false;
  const opaque = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((part) => {
    const tag = part.trim();
    return tag === '*' || tag.replace(/^W\//, '') === opaque;
  });
}
