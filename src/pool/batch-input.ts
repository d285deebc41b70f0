// What a shard is given for a position: messages, and the time where that is not the position's. The bytes go to its
// thread, and to the log that several machines share: each of them applies the same as of the same time.
import type { NormalMessage } from '../model/normal-message.js';
import { decode, encodeOwn } from '../wire/codec.js';

export interface BatchInput {
  messages: readonly NormalMessage[];
  /** Unix time (ms) as of which prices are fresh or stale, and games live; null where it is the position's. */
  nowMs: number | null;
}

/** Null for a tick of the clock at the position's time. */
export function encodeBatch({ messages, nowMs }: BatchInput): Uint8Array<ArrayBuffer> | null {
  if (nowMs !== null) return encodeOwn({ messages, nowMs });
  return messages.length === 0 ? null : encodeOwn(messages);
}

export function decodeBatch(bytes: Uint8Array | null): BatchInput {
  if (bytes === null) return { messages: [], nowMs: null };
  const input = decode(bytes) as readonly NormalMessage[] | BatchInput;
  return 'messages' in input ? input : { messages: input, nowMs: null };
}
