// The JSON-RPC messages of a request's body, parsed once: bounded in values and number, and examined as far as necessary
// to count them.

import { LIMITS } from '../../base/model/limits.js';
import { parseJson } from '../../base/wire/bounded-json.js';
import { REQUEST_BOUNDS } from '../../base/wire/value-count.js';
import { RPC, rpcError } from './rpc-error.js';

/** Maximum messages of one body (revision 2025-03-26 has batches). */
const BATCH_MAX = LIMITS.mcpBatch.max;

export interface Message {
  method: unknown;
  /** `params.name`: the tool of a call. */
  name: unknown;
}

export interface Messages {
  /** The input of the SDK. */
  body: unknown;
  all: readonly Message[];
}

/** `failure` is the JSON-RPC error to answer with. */
export function readMessages(bytes: Uint8Array): Messages | { failure: object } {
  let body: unknown;
  try {
    body = parseJson(bytes, REQUEST_BOUNDS);
  } catch (error) {
    return { failure: rpcError(RPC.parse, `the body ${error instanceof Error ? error.message : 'is not JSON'}`) };
  }
  if (Array.isArray(body)) return readBatch(body);
  return isMessage(body) ? { body, all: [messageOf(body)] } : refuse(NO_MESSAGE);
}

const NO_MESSAGE = 'the body is no JSON-RPC 2.0 message';

function refuse(message: string): { failure: object } {
  return { failure: rpcError(RPC.invalidRequest, message) };
}

function readBatch(batch: readonly unknown[]): Messages | { failure: object } {
  if (batch.length === 0) return refuse('the batch is empty');
  if (batch.length > BATCH_MAX) return refuse(`the batch has more than ${BATCH_MAX} messages`);
  if (!batch.every(isMessage)) return refuse(NO_MESSAGE);
  const ids = batch.flatMap(({ method, id }) => (method === undefined ? [] : (id ?? [])));
  // Answers are identified by their ids, and a missing one would be waited for.
  if (new Set(ids).size < ids.length) return refuse('messages of the batch have the same id');
  // Could only mean a call of this same batch, which would then never be answered.
  const body = batch.filter((message) => messageOf(message).method !== 'notifications/cancelled');
  return { body, all: batch.map(messageOf) };
}

interface RawMessage {
  jsonrpc: '2.0';
  id?: unknown;
  method?: unknown;
  params?: { name?: unknown } | null;
}

function isMessage(value: unknown): value is RawMessage {
  return typeof value === 'object' && value !== null && (value as Partial<RawMessage>).jsonrpc === '2.0';
}

function messageOf({ method, params }: RawMessage): Message {
  return { method, name: params?.name };
}
