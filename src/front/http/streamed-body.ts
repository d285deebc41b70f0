// A body that is made and sent piece by piece: the next one is made while the socket takes the last, and sent when it
// has, so that a slow reader costs two pieces of memory. One that takes nothing for some ten seconds is cut off by
// uWebSockets.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ResponseStream } from './context.js';

/** The next piece; undefined after the last. */
export type NextPiece = () => Promise<Uint8Array | undefined> | Uint8Array | undefined;

/** Resolves when all is sent or the client has gone. If a piece cannot be made the connection is cut: it is not whole. */
export async function sendPieces(stream: ResponseStream, head: Uint8Array, next: NextPiece): Promise<void> {
  const { response } = stream;
  /** Called when the socket has taken what was written; returns whether it took what was written then. */
  let whenWritable: (() => boolean) | undefined;
  let gone: (() => void) | undefined;
  stream.onClose(() => gone?.());
  if (stream.closed) return;
  stream.writeHead(head);
  // Of HEAD that was all.
  if (stream.closed) return;
  // Without a write in it uWebSockets would not send what it has buffered.
  response.onWritable(() => whenWritable?.() ?? true);
  let piece = await next();
  let isTaken = true;
  while (!stream.closed) {
    if (piece === undefined) {
      if (isTaken) stream.end();
      else await written(() => stream.end());
      return;
    }
    const present = piece;
    const write = (): void => {
      isTaken = response.write(present);
    };
    if (isTaken) response.cork(write);
    else await written(write);
    if (stream.closed) return;
    piece = await next();
    await nextTurn();
  }

  /** Writes once the socket takes more. */
  function written(write: () => void): Promise<void> {
    return new Promise((resolve) => {
      gone = resolve;
      whenWritable = () => {
        whenWritable = undefined;
        gone = undefined;
        write();
        resolve();
        return isTaken;
      };
    });
  }
}
