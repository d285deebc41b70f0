// Names of the interface stand wherever it is described: the OpenAPI and AsyncAPI documents, the tools, the declarations
// of the TypeScript client, the Python package and the pages.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { declarations } from '../build/client-types.js';
import { startServer } from '../src/index.js';
import { sportState } from '../src/schema/events.js';
import { newFolder } from './temp-folders.js';

const ROW = ['is_main_line', 'is_stale_pregame_price', 'external_event_id', 'market_id', 'selection_id'];
const MIDDLES = ['alt_side1', 'alt_side2'];
const CLOSING_DAY = ['first_captured_at', 'no_vig_probability'];
const ERRORS = ['retry_after', 'required_tier', 'max_books', 'requested_books'];
const EVENTS = ['gamestate:snapshot', 'gamestate:update', 'gamestate:removed'];
const STATES = Object.keys(sportState);

function allOf(folder: string, ends: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ends));
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}

test('a name of the interface stands in every description of it', async (t) => {
  const settings = { port: '0', data: newFolder(), workers: '1', log: 'silent' };
  const server = await startServer({ settings, feeds: [] });
  t.after(() => server.close());
  const read = async (path: string): Promise<string> => (await fetch(`${server.url}${path}`)).text();
  const places: Record<string, [text: string, names: readonly string[]]> = {
    openapi: [await read('/api/v1/openapi.json'), [...ROW, ...MIDDLES, ...CLOSING_DAY, ...ERRORS, ...STATES]],
    asyncapi: [await read('/api/v1/asyncapi.json'), [...ROW, ...MIDDLES, ...EVENTS, ...STATES]],
    'TypeScript client': [declarations(), [...ROW, ...MIDDLES, ...CLOSING_DAY, ...STATES]],
    'TypeScript client, by hand': [allOf('src/client', '.ts'), [...EVENTS, 'max_books', 'requested_books']],
    Python: [allOf('python/src', '.py'), [...ROW, ...MIDDLES, ...CLOSING_DAY, ...ERRORS, ...EVENTS, ...STATES]],
    // An away side's field follows from the home side's.
    pages: [
      allOf('docs', '.md'),
      [...ROW, ...MIDDLES, ...CLOSING_DAY, ...ERRORS, ...EVENTS, ...STATES.filter((name) => !name.startsWith('away_'))],
    ],
  };
  const missing = Object.entries(places).flatMap(([place, [text, names]]) =>
    names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text)).map((name) => `${place}: ${name}`),
  );
  assert.deepEqual(missing, []);
});
