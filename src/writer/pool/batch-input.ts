// The input of a shard's thread for a position: messages, and the time if that is not the position's.
import type { NormalMessage } from '../../base/model/normal-message.js';
import { decode, encodeOwn } from '../../base/wire/codec.js';

export interface BatchInput {
  messages: readonly NormalMessage[];
  /** Unix time (ms) by which prices are fresh or stale, and games live; null if it is the position's. */
  nowMs: number | null;
  /** New games and their rows that are taken; absent if there is no need to count them. */
  newMax?: number;
}

/** Null for a clock tick at the position's time. */
export function encodeBatch(input: BatchInput): Uint8Array<ArrayBuffer> | null {
  const { messages, nowMs, newMax } = input;
  if (nowMs !== null || newMax !== undefined) return encodeOwn(input);
  return messages.length === 0 ? null : encodeOwn(messages);
}

export function decodeBatch(bytes: Uint8Array | null): BatchInput {
  if (bytes === null) return { messages: [], nowMs: null };
  const input = decode(bytes) as readonly NormalMessage[] | BatchInput;
  return 'messages' in input ? input : { messages: input, nowMs: null };
}
