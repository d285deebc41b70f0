// A committed batch as it leaves the process: the delta as it stands in the change log and the opportunities it moved, under
// one position. Made once, on the shard's thread; to whoever carries it on it is bytes.
import { decode, encode } from '../wire/codec.js';
import { type PackedNews, packNews, unpackNews } from './packed-news.js';
import type { LogBatch } from './protocol.js';

/** Raise it when the shape of a message changes: who follows refuses another one, and is to be replaced. */
export const LOG_VERSION = 1;

export interface LogMessage {
  v: number;
  /** Position in the change log: strictly rising over all shards. */
  position: number;
  shard: number;
  /** Encoded Delta; of opportunities it holds only the ends. */
  delta: Uint8Array;
  news: PackedNews;
}

export function readBatch(message: Uint8Array): LogBatch {
  const { position, delta, news } = decodeLogMessage(message);
  return { position, message, delta, news: unpackNews(news) };
}

/** Of a delta whose opportunities are not known any more: who follows learns them anew. In memory of its own. */
export function messageOfDelta(position: number, shard: number, delta: Uint8Array): Buffer {
  return encode({ v: LOG_VERSION, position, shard, delta, news: packNews([]) } satisfies LogMessage);
}

/** Delta and items are views into `bytes`. Throws for bytes of another version. */
export function decodeLogMessage(bytes: Uint8Array): LogMessage {
  const message = decode(bytes) as LogMessage;
  if (message.v !== LOG_VERSION)
    throw new Error(`a message of the change log is of version ${message.v}, this program reads ${LOG_VERSION}`);
  return message;
}
