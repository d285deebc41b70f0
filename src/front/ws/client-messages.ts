// Reads what a WebSocket client sends, and counts what no honest client does.
import { isUtf8 } from 'node:buffer';
import { Compile } from 'typebox/compile';
import { ApiError } from '../../errors.js';
import { type ClientMessage, PingMessage, SubscribeMessage, UnsubscribeMessage } from '../../schema/ws-messages.js';
import { decodeUntrusted } from '../../wire/codec.js';
import { schemaComplaint } from '../http/schema-complaint.js';

const VALIDATORS = {
  subscribe: Compile(SubscribeMessage),
  unsubscribe: Compile(UnsubscribeMessage),
  ping: Compile(PingMessage),
};

/** JSON text, or MessagePack in binary. Throws ApiError invalid_request. */
export function readClientMessage(bytes: Uint8Array, isBinary: boolean): ClientMessage {
  const value = parse(bytes, isBinary);
  const type = typeof value === 'object' && value !== null ? (value as { type?: unknown }).type : undefined;
  if (type !== 'subscribe' && type !== 'unsubscribe' && type !== 'ping')
    throw new ApiError('invalid_request', 'type must be subscribe, unsubscribe or ping');
  const validator = VALIDATORS[type];
  if (!validator.Check(value))
    throw new ApiError('invalid_request', schemaComplaint(validator.Errors(value), 'the message'));
  return value as ClientMessage;
}

function parse(bytes: Uint8Array, isBinary: boolean): unknown {
  try {
    if (isBinary) return decodeUntrusted(bytes);
    if (isUtf8(bytes)) return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    // Said below.
  }
  throw new ApiError('invalid_request', `the message is not ${isBinary ? 'MessagePack' : 'JSON'}`);
}

const MESSAGES_PER_SECOND = 100;
const FLOOD_SECONDS = 5;
const MALFORMED_MAX = 20;

/** True answers mean: close it. */
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
