// A request of a command on this machine to the server of a data directory, over its local socket.
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { noWriter } from '../../base/model/errors.js';
import { localSocketPath } from '../../store/directory-lock.js';
import { DEADLINE_MS, decodeAnswer, encodeRequest, type RequestKind, type Requests } from '../requests/requests.js';
import { FRAME, FrameReader, numberedFrameOf, readNumbered } from './frames.js';
import { LOG_SOCKET } from './log-server.js';

/** Null if no server listens. Rejects with the ApiError it answers with; `unavailable` if it does not. */
export function askServer<Kind extends RequestKind>(
  dataDir: string,
  kind: Kind,
  body: Requests[Kind]['body'],
): Promise<Requests[Kind]['answer'] | null> {
  if (!existsSync(dataDir)) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const socket = connect(localSocketPath(dataDir, LOG_SOCKET));
    let reached = false;
    const reader = new FrameReader((frame, bytes) => {
      if (frame !== FRAME.answer) return;
      try {
        resolve(decodeAnswer(Uint8Array.from(readNumbered(bytes).bytes)) as Requests[Kind]['answer']);
      } catch (error) {
        reject(error as Error);
      }
      socket.destroy();
    });
    socket.setTimeout(DEADLINE_MS[kind], () => socket.destroy());
    socket.on('connect', () => {
      reached = true;
      socket.write(numberedFrameOf(FRAME.request, 1, encodeRequest(kind, body)));
    });
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    // Followed by its close event.
    socket.on('error', () => undefined);
    socket.on('close', () => (reached ? reject(noWriter()) : resolve(null)));
  });
}
