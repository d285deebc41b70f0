// A committed batch as it leaves the process: the delta as in the change log and the opportunities it changed, under
// one position. Encoded once, on the shard's thread; every carrier treats it as bytes.
import { NO_NEWS, type PackedNews } from '../delta/opportunity.js';
import { decode, encode } from '../wire/codec.js';
import type { LogBatch } from './protocol.js';

/** Raise it when the shape of a message changes: a follower refuses another version, and must be replaced. */
export const LOG_VERSION = 2;

export interface LogMessage {
  v: number;
  /** Position in the change log: strictly increasing over all shards. */
  position: number;
  shard: number;
  /** Encoded Delta; of opportunities it contains only the ends. */
  delta: Uint8Array;
  news: PackedNews;
}

export function readBatch(message: Uint8Array): LogBatch {
  const { position, delta, news } = decodeLogMessage(message);
  return { position, message, delta, news };
}

/** For a delta whose opportunities are no longer known: followers read them again. In memory of its own. */
export function messageOfDelta(position: number, shard: number, delta: Uint8Array): Buffer {
  return encode({ v: LOG_VERSION, position, shard, delta, news: NO_NEWS } satisfies LogMessage);
}

/** Delta and records are views into `bytes`. Throws for bytes of another version. */
export function decodeLogMessage(bytes: Uint8Array): LogMessage {
  const message = decode(bytes) as LogMessage;
  if (message.v !== LOG_VERSION)
    throw new Error(`a message of the change log is of version ${message.v}, this program reads ${LOG_VERSION}`);
  return message;
}
