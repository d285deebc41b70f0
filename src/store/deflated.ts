// How what history writes is deflated.
import { deflateRawSync } from 'node:zlib';

const DEFLATE_LEVEL = 3;
/** Of what could not be deflated, beside its bytes. */
const DEFLATED_MORE = 64;

/** In memory of about its size: zlib would keep 16 KiB for each of the thousands that history writes at once. */
export function deflated(bytes: Uint8Array): Buffer {
  return deflateRawSync(bytes, { level: DEFLATE_LEVEL, chunkSize: bytes.length + DEFLATED_MORE });
}
