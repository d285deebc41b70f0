// Parses WebSocket clients' messages, and counts what no honest client sends.

import { Compile } from 'typebox/schema';
import { ApiError } from '../../base/model/errors.js';
import { isMap } from '../../base/model/json-map.js';
import { LIMITS } from '../../base/model/limits.js';
import { decodeUntrusted } from '../../base/wire/codec.js';
import { parseJson, REQUEST_BOUNDS } from '../../base/wire/untrusted.js';
import { meaningOf } from '../../schema/parameters.js';
import {
  type ClientMessage,
  ID_CHARS_MAX,
  PingMessage,
  SubscribeFilters,
  SubscribeMessage,
  UnsubscribeMessage,
} from '../../schema/stream.js';
import { namedFilters, withoutNulls } from '../http/json-body.js';
import { schemaComplaint } from '../http/schema-complaint.js';

const VALIDATORS = {
  subscribe: Compile(SubscribeMessage),
  unsubscribe: Compile(UnsubscribeMessage),
  ping: Compile(PingMessage),
};

const MESSAGE_BYTES_MAX = LIMITS.messageBytes.max;

/** A message's id, chosen by the client; repeated in the answer. */
export type MessageId = string | number | undefined;

/** JSON text, or MessagePack in binary. Throws ApiError invalid_request or payload_too_large. */
export function parseClientMessage(bytes: Uint8Array, isBinary: boolean): unknown {
  if (bytes.length > MESSAGE_BYTES_MAX)
    throw new ApiError('payload_too_large', `the message is larger than ${MESSAGE_BYTES_MAX} bytes`);
  try {
    return isBinary ? decodeUntrusted(bytes, REQUEST_BOUNDS) : parseJson(bytes, REQUEST_BOUNDS);
  } catch (error) {
    const what = isBinary ? 'the message is not MessagePack: it' : 'the message';
    throw new ApiError('invalid_request', `${what} ${error instanceof Error ? error.message : 'cannot be read'}`);
  }
}

/** The id of any message, if there is one that can be repeated. */
export function idIn(value: unknown): MessageId {
  const id = isMap(value) ? value['id'] : undefined;
  if (typeof id === 'number') return Number.isFinite(id) ? id : undefined;
  return typeof id === 'string' && id.length <= ID_CHARS_MAX ? id : undefined;
}

/** The parsed value as one of the messages, its filters under their own names. Throws ApiError invalid_request. */
export function checkClientMessage(value: unknown): ClientMessage {
  const type = isMap(value) ? value['type'] : undefined;
  if (type !== 'subscribe' && type !== 'unsubscribe' && type !== 'ping')
    throw new ApiError('invalid_request', 'type must be subscribe, unsubscribe or ping');
  const given = value as Readonly<Record<string, unknown>>;
  const message = type === 'subscribe' ? named(given) : withoutNulls(given);
  const validator = VALIDATORS[type];
  if (!validator.Check(message))
    throw new ApiError('invalid_request', schemaComplaint(validator.Schema(), message, 'the message'));
  return message as ClientMessage;
}

const MESSAGE_NAMES = new Set(Object.keys(SubscribeMessage.properties));
const FILTER_NAMES = meaningOf(Object.keys(SubscribeFilters.properties));

/** A subscription with its filters under the names of the schema; an unknown name would silently narrow nothing. */
function named(given: Readonly<Record<string, unknown>>): object {
  refuse('', unknownIn(given, MESSAGE_NAMES));
  const message = withoutNulls(given);
  const { filters } = message;
  if (!isMap(filters)) return message;
  refuse('filters: ', unknownIn(filters, FILTER_NAMES));
  return { ...message, filters: namedFilters(filters, FILTER_NAMES) };
}

function unknownIn(map: object, known: { has(name: string): boolean }): string[] {
  return Object.keys(map).filter((name) => !known.has(name));
}

function refuse(where: string, unknown: readonly string[]): void {
  if (unknown.length > 0)
    throw new ApiError('invalid_request', `${where}unknown ${unknown.slice(0, 20).join(', ').slice(0, 200)}`);
}

const MESSAGES_PER_SECOND = LIMITS.messagesPerSecond.max;
const FLOOD_SECONDS = 5;
const MALFORMED_MAX = LIMITS.malformedMessages.max;

/** True means: close the connection. */
export class FloodGuard {
  #second = 0;
  #inSecond = 0;
  #floodedSeconds = 0;
  #malformed = 0;

  message(nowMs: number): boolean {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) {
      const flooded = this.#inSecond > MESSAGES_PER_SECOND && second === this.#second + 1;
      this.#floodedSeconds = flooded ? this.#floodedSeconds + 1 : 0;
      this.#second = second;
      this.#inSecond = 0;
    }
    this.#inSecond++;
    return this.#floodedSeconds >= FLOOD_SECONDS;
  }

  malformed(): boolean {
    return ++this.#malformed >= MALFORMED_MAX;
  }
}
