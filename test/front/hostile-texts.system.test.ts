// Texts that nobody means, in every parameter, path and member of a body: none is answered with a 5xx.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { api, documentOf, fillWorld, type Json } from './api.js';

const TEXTS = ['__proto__', 'constructor', '-5', '1e3', '0', '*', 'x'.repeat(1_600), 'é'.repeat(1_500)];
const LONG = 'x'.repeat(7_000);

/** The example with one text or number replaced, for each of those it has. */
function* variants(example: Json, text: string): Generator<Json> {
  if (Array.isArray(example)) {
    for (const [i, each] of example.entries()) for (const other of variants(each, text)) yield example.with(i, other);
  } else if (typeof example === 'object' && example !== null) {
    for (const [name, each] of Object.entries(example))
      for (const other of variants(each, text)) yield { ...example, [name]: other };
  } else yield text;
}

test('no text in a parameter, a path or a body is answered with a 5xx', async (t) => {
  const made = await api(t, { history: '30' });
  await fillWorld(made);
  const key = made.key('enterprise', {
    streaming: true,
    features: ['low_hold'],
    scopes: ['ingest'],
    maxStreams: 1_000,
    requestsPerMinute: 1_000_000,
  });
  const { operations } = await documentOf(made);
  const faults: string[] = [];
  const ask = async (method: string, url: string, body?: Json): Promise<void> => {
    const stop = new AbortController();
    const { status } = await made.fetch(url, {
      key,
      method: method.toUpperCase(),
      signal: stop.signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    stop.abort();
    if (status >= 500)
      faults.push(`${status} ${method} ${url.slice(0, 100)} ${JSON.stringify(body ?? '').slice(0, 200)}`);
  };
  for (const { method, path, spec } of operations) {
    const parameters: Json[] = spec.parameters ?? [];
    const example = spec.requestBody?.content['application/json']?.example;
    const url = (name: string, text: string): string => {
      const filled = path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(part === name ? text : 'x'));
      const query = parameters
        .filter(({ name: each, in: place, required }) => place === 'query' && (required || each === name))
        .map((each) => `${each.name}=${encodeURIComponent(each.name === name ? text : String(each.example ?? 'x'))}`);
      return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
    };
    for (const { name, in: place } of parameters)
      if (place === 'path' || place === 'query')
        for (const text of [...TEXTS, LONG]) await ask(method, url(name, text), example);
    if (example === undefined) continue;
    for (const text of TEXTS) for (const body of variants(example, text)) await ask(method, url('', ''), body);
  }
  assert.deepEqual(faults, []);
});
