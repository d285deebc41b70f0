// Parses the bodies that POST /ingest accepts into raw messages: one JSON object (or a list), NDJSON lines,
// MessagePack.
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import { countJson } from '../../base/wire/bounded-json.js';
import { decodeUntrusted } from '../../base/wire/codec.js';
import { ingestBounds, ValueCount } from '../../base/wire/value-count.js';
import type { IngestMessage } from './message.js';

export const INGEST_TYPES = ['application/json', 'application/x-ndjson', 'application/msgpack'] as const;

/** Stands for a line that is not JSON: normalise() rejects it with its position, and the other lines are accepted. */
export const NOT_JSON = 'a line that is not JSON';

const JSON_VALUE_BYTES = LIMITS.ingestValues.max;
const ITEM_BYTES = LIMITS.ingestItems.max;
/** Each costs an exception. */
const NOT_JSON_MAX = LIMITS.linesNotJson.max;
/** Each has names to look up and a place in a queue. */
const PARTS_MAX = LIMITS.ingestParts.max;
const NEW_LINE = 0x0a;

/** Throws invalid_request if the body as a whole cannot be parsed, or has more of anything than its bounds allow. */
export function readMessages(body: Uint8Array, contentType: string): unknown[] {
  const messages = parse(body, contentType);
  let parts = 0;
  for (const message of messages) parts += partsOf(message as Partial<IngestMessage> | null);
  refuseParts(parts);
  return messages;
}

function refuseParts(parts: number): void {
  if (parts > PARTS_MAX)
    throw new ApiError('invalid_request', `the body has more than ${PARTS_MAX} messages and events: send several`);
}

function partsOf(message: Partial<IngestMessage> | null): number {
  const { events, game_states: states, splits, futures, results, settlements } = message ?? {};
  return [events, states, splits, futures, results, settlements].reduce(
    (parts, list) => parts + (Array.isArray(list) ? list.length : 0),
    1,
  );
}

function parse(body: Uint8Array, contentType: string): unknown[] {
  switch (contentType) {
    case 'application/x-ndjson':
      return readLines(body);
    case 'application/msgpack':
      return listOf(
        refused('the body is not MessagePack: it ', () => decodeUntrusted(body, ingestBounds(body.length, ITEM_BYTES))),
      );
    default:
      refused('the body ', () => countJson(body, new ValueCount(ingestBounds(body.length, JSON_VALUE_BYTES))));
      return listOf(readJson(textOf(body)));
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError(
      'invalid_request',
      `the body is not JSON: ${error instanceof Error ? error.message.slice(0, 100) : ''}`,
    );
  }
}

function readLines(body: Uint8Array): unknown[] {
  const messages: unknown[] = [];
  const count = new ValueCount(ingestBounds(body.length, JSON_VALUE_BYTES));
  let broken = 0;
  for (let from = 0; from < body.length; ) {
    if (body[from] === NEW_LINE) {
      from++;
      continue;
    }
    const end = body.indexOf(NEW_LINE, from);
    const line = body.subarray(from, end === -1 ? body.length : end);
    from += line.length + 1;
    refused('the body ', () => countJson(line, count));
    const text = textOf(line);
    if (text.trim() === '') continue;
    // Millions of lines are not parsed first.
    refuseParts(messages.length + 1);
    try {
      messages.push(JSON.parse(text));
    } catch {
      if (++broken > NOT_JSON_MAX)
        throw new ApiError('invalid_request', `more than ${NOT_JSON_MAX} lines of the body are not JSON`);
      messages.push(NOT_JSON);
    }
  }
  return messages;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/** The result; an error of `read` continues the sentence. */
function refused<Result>(sentence: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new ApiError('invalid_request', sentence + (error instanceof Error ? error.message : ''));
  }
}
