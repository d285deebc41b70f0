// Standard output and standard error of a server: their reader may disappear (`overround serve | head`), stop reading
// or have a full disk, and none of that may end or stop the server.

import type { Writable } from 'node:stream';
import { LIMITS } from '../base/model/limits.js';

/** Bytes that may wait for a stopped reader once the system accepts no more; further text is dropped. */
const WAITING_BYTES_MAX = LIMITS.terminalUnsent.max;

/** Writes text while anyone reads it; never throws. */
export function robustOutput(stream: Writable): (text: string) => void {
  let gone = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Another error (a full disk) costs its line: the next one may find room.
    if (error.code === 'EPIPE' || stream.destroyed) gone = true;
  });
  return (text) => {
    if (gone || stream.writableLength > WAITING_BYTES_MAX) return;
    try {
      stream.write(text);
    } catch {
      // A file accepts its text at once, and throws what a pipe would emit: there is nowhere left to report it.
    }
  };
}
