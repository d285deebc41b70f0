// Parses the bodies that POST /ingest accepts into raw messages: one JSON object (or a list), NDJSON lines,
// MessagePack.
import { ApiError } from '../model/errors.js';
import { decode } from '../wire/codec.js';
import { checkMessagePack } from '../wire/untrusted.js';

export const INGEST_TYPES = ['application/json', 'application/x-ndjson', 'application/msgpack'] as const;

/** Stands for a line that is not JSON: normalise() rejects it with its position, and the other lines are accepted. */
export const NOT_JSON = 'a line that is not JSON';

/** Throws invalid_request if the body as a whole cannot be parsed. */
export function readMessages(body: Uint8Array, contentType: string): unknown[] {
  switch (contentType) {
    case 'application/x-ndjson':
      return readLines(body);
    case 'application/msgpack':
      return readMessagePack(body);
    default: {
      const value = readJson(Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8'));
      return Array.isArray(value) ? value : [value];
    }
  }
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
  for (const line of Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8').split('\n')) {
    if (line.trim() === '') continue;
    try {
      messages.push(JSON.parse(line));
    } catch {
      messages.push(NOT_JSON);
    }
  }
  return messages;
}

function readMessagePack(body: Uint8Array): unknown[] {
  try {
    checkMessagePack(body);
    const value = decode(body);
    return Array.isArray(value) ? value : [value];
  } catch (error) {
    throw new ApiError(
      'invalid_request',
      `the body is not MessagePack: ${error instanceof Error ? error.message : ''}`,
    );
  }
}
