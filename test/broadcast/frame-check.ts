// Every event and frame in a test is validated against the schemas of the AsyncAPI document.
import assert from 'node:assert/strict';
import type { TSchema } from 'typebox';
import { SSE_EVENTS, WS_FRAMES } from '../../src/schema/frames.js';
import { schemaErrors } from '../schema-errors.js';

export function checkSse(event: string, data: unknown): void {
  check(SSE_EVENTS[event], `SSE ${event}`, data);
}

export function checkWs(frame: { type?: unknown }): void {
  check(WS_FRAMES[String(frame.type)], `WebSocket ${frame.type}`, frame);
}

function check(schema: TSchema | undefined, what: string, value: unknown): void {
  assert.ok(schema !== undefined, `${what} is not in the schemas`);
  const errors = schemaErrors(schema, value);
  if (errors.length > 0)
    assert.fail(`${what}: ${JSON.stringify(errors.slice(0, 3))} in ${JSON.stringify(value).slice(0, 500)}`);
}
