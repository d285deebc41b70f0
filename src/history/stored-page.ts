// A page as its bytes are stored: deflated, but for one that is long and will be written again.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { encodePage, type Page } from './page.js';

/** In front of a page that is deflated; one that is not begins with its version, which is none. */
const DEFLATED = 0;
const LEVEL = 3;
/** A page this small is deflated at every write, a larger one when it is full: deflating takes longer than all the rest. */
const DEFLATED_EACH_TIME = 1_024;

/** @param full nothing more comes to it */
export function storedPage(page: Page, full: boolean): Buffer {
  const bytes = encodePage(page);
  if (!full && bytes.length > DEFLATED_EACH_TIME) return Buffer.from(bytes);
  return Buffer.concat([Buffer.of(DEFLATED), deflateRawSync(bytes, { level: LEVEL })]);
}

/** As decodePage reads it. */
export function pageBytes(stored: Uint8Array): Uint8Array {
  return stored[0] === DEFLATED ? inflateRawSync(stored.subarray(1)) : stored;
}
