import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { asyncApiDocument } from '../../src/schema/asyncapi.js';
import { PROTOCOL_VERSION, SHARED_ITEMS, SSE_EVENTS, WS_FRAMES } from '../../src/schema/frames.js';

/** Hash of the shapes of the frames by protocol version: add a line when the version is raised, never change a released one. */
const SHAPES: Readonly<Record<number, string>> = {
  1: '83d761b8abbb4eb9',
  2: '610135bc067f0d33',
  3: '52fc124925deb0b0',
  4: '50b374f3cab5f40e',
  5: '21086b5222314d9d',
  6: 'f8d7f0ab07204986',
  7: 'd152b1aab8e166ff',
  8: '532eb2f4fb29ed39',
  9: '9f9538fd6d212c9f',
  10: '8778e4ba4a6b46df',
  11: 'a9475ec4c0cba4cf',
  12: 'ca49f042c03d1225',
  13: '5fce3fe6ed353ad5',
  14: '24f956e95546cdc3',
  15: '5e165adfa72c54f0',
};

/** What a client's code depends on: without descriptions, and with items of REST by their names. */
function shapeOf(schema: unknown): unknown {
  for (const [name, item] of Object.entries(SHARED_ITEMS)) if (schema === item) return name;
  if (Array.isArray(schema)) return schema.map(shapeOf);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== 'description' && key !== 'examples')
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, shapeOf(value)]),
  );
}

test('a change of a frame requires a new protocol version', () => {
  const shape = JSON.stringify(shapeOf({ sse: SSE_EVENTS, ws: WS_FRAMES }));
  const hash = createHash('sha256').update(shape).digest('hex').slice(0, 16);
  assert.equal(hash, SHAPES[PROTOCOL_VERSION], 'a frame has changed: raise PROTOCOL_VERSION and note its hash here');
});

test('every reference in the AsyncAPI document leads somewhere', () => {
  const document = JSON.parse(JSON.stringify(asyncApiDocument())) as Record<string, unknown>;
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) if (key === '$ref') found.push(inner as string);
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(document);
  assert.ok(found.length > 40);
  for (const reference of found) {
    let at: unknown = document;
    for (const part of reference.slice(2).split('/')) at = (at as Record<string, unknown>)[part];
    assert.ok(at !== undefined, reference);
  }
});
