// Every event and frame a test sees is held against the schemas the AsyncAPI document is made from.
import assert from 'node:assert/strict';
import { Compile, type Validator } from 'typebox/compile';
import { SSE_EVENTS, WS_FRAMES } from '../../src/schema/frames.js';

const compiled = (schemas: typeof SSE_EVENTS): ReadonlyMap<string, Validator> =>
  new Map(Object.entries(schemas).map(([type, schema]) => [type, Compile(schema)]));
const sse = compiled(SSE_EVENTS);
const ws = compiled(WS_FRAMES);

export function checkSse(event: string, data: unknown): void {
  check(sse.get(event), `SSE ${event}`, data);
}

export function checkWs(frame: { type?: unknown }): void {
  check(ws.get(String(frame.type)), `WebSocket ${frame.type}`, frame);
}

function check(validator: Validator | undefined, what: string, value: unknown): void {
  assert.ok(validator !== undefined, `${what} is not in the schemas`);
  if (!validator.Check(value))
    assert.fail(
      `${what}: ${JSON.stringify(validator.Errors(value).slice(0, 3))} in ${JSON.stringify(value).slice(0, 500)}`,
    );
}
