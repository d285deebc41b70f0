// The served OpenAPI document against the server that serves it: every operation, every answer, errors included.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce } from '../accounts/keys-at-once.js';
import { LONG } from '../long.js';
import { type Ending, shared } from '../shared.js';
import { LAKERS, NOW } from './api/serving.js';
import { type Api, api, type Document, documentOf, escaped, fillWorld, type Json, type Operation } from './api.js';

interface Wanted {
  api: Api;
  document: Document;
  /** Values of parameters by name, for which the world has an answer. */
  values: Record<string, string>;
  keys: Record<'enterprise' | 'free' | 'spare', string>;
}

async function wanted(t: Ending): Promise<Wanted> {
  const made = await api(t, { 'body-limit': '65536', history: '7' });
  await fillWorld(made);
  const rights = { streaming: true, features: ['low_hold'], scopes: ['ingest'] };
  const account = 'acc_world';
  const enterprise = made.key('enterprise', { ...rights, account });
  const { record, key: spare } = atOnce(made.server.accounts).create({ tier: 'enterprise', account, selfMade: true });
  const odds = (await (await made.fetch('/odds?limit=1', { key: enterprise })).json()) as Json;
  const arbitrages = (await (await made.fetch('/opportunities/arbitrage', { key: enterprise })).json()) as Json;
  const middles = (await (await made.fetch('/opportunities/middles?min_ev=-100', { key: enterprise })).json()) as Json;
  assert.ok(arbitrages.data.length > 0 && middles.data.length > 0, 'the world has opportunities');
  const madeBy = async (path: string, body: object): Promise<Json> => {
    const headers = { 'content-type': 'application/json' };
    const init = { key: enterprise, method: 'POST', headers, body: JSON.stringify(body) };
    return ((await (await made.fetch(path, init)).json()) as Json).data;
  };
  const [bet] = await madeBy('/account/bets', { bets: [betOn(odds.data[0].id)] });
  const target = { type: 'webhook', url: 'https://receiver.example/hook' };
  const alert = await madeBy('/account/alerts', { name: 'mine', channel: 'odds', paused: true, target });
  const values = {
    eventId: LAKERS,
    event: LAKERS,
    event_id: LAKERS,
    sportId: 'basketball',
    leagueId: 'nba',
    bookId: 'draftkings',
    sport: 'baseball',
    since: '2026-11-20T17:00:00Z',
    future_id: 'nba_championship_winner',
    keyId: record.id,
    id: odds.data[0].id,
    odds_id: odds.data[0].id,
    'middles id': middles.data[0].id,
    'bets id': bet.id,
    'alerts id': alert.id,
    fallback: 'https://example.com/',
  };
  return { api: made, document: await documentOf(made), values, keys: { enterprise, free: made.key('free'), spare } };
}

const betOn = (odds_id: string) => ({ client_id: 'mine', odds_id, stake: 10, odds_decimal: 2, mode: 'placed' });

/** Its spare key is deleted by the operation that deletes keys. */
const world = shared(wanted);

interface Request {
  query?: Record<string, string>;
  key?: string | undefined;
  body?: string;
  headers?: Record<string, string>;
  /** Path parameters that replace those of the world. */
  path?: Record<string, string>;
}

/** Sends the operation with all it requires; returns the violations in the answer, and its status. */
async function send(
  all: Wanted,
  operation: Operation,
  request: Request,
): Promise<{ status: number; complaints: string[] }> {
  const { spec, method, path } = operation;
  const query = new URLSearchParams();
  let url = path;
  for (const { name, in: place, required, schema } of spec.parameters ?? []) {
    const value = worldValue(all, path, name, schema);
    if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(request.path?.[name] ?? value));
    else if (place === 'query' && required) query.set(name, value);
  }
  // A row's id does as well.
  if (path === '/odds/history' || path === '/historical/predictions') query.set('event', LAKERS);
  for (const [name, value] of Object.entries(request.query ?? {})) query.set(name, value);
  const [type, content] = Object.entries<Json>(spec.requestBody?.content ?? {})[0] ?? [];
  const valid = () => (type === 'text/csv' ? content.example : JSON.stringify(bodyOf(all, operation, content.example)));
  const stop = new AbortController();
  const response = await all.api.fetch(`${url}?${query}`, {
    method: method.toUpperCase(),
    key: request.key,
    signal: stop.signal,
    headers: { ...(type === undefined ? {} : { 'content-type': type }), ...request.headers },
    ...(type === undefined ? {} : { body: request.body ?? valid() }),
  });
  const { status } = response;
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    stop.abort();
    return { status, complaints: spec.responses[status]?.content?.['text/event-stream'] ? [] : [`${path}: a stream`] };
  }
  return { status, complaints: await all.document.complaints(operation, response) };
}

function worldValue({ values }: Wanted, path: string, name: string, schema: Json): string {
  const kind = /\/(middles|bets|alerts)\//.exec(path)?.[1];
  const own = kind === undefined ? undefined : (values as Record<string, string>)[`${kind} ${name}`];
  const fallback = schema.enum?.[0] ?? schema.default ?? schema.items?.enum?.[0] ?? 'text';
  return own ?? values[name] ?? VALID[name] ?? VALID[schema.type] ?? String(fallback);
}

/** Used in turn: as a type of parameter occurs in many operations, it meets all of them. */
const WRONG = ['', 'maybe', '-1', '99999999', '1e5', '2026-99-99', '\u{1f3c0}', 'a,b,,'];
const WRONG_AT_ONCE = LONG ? WRONG.length : 1;

/** By name, otherwise by type. */
const VALID: Record<string, string> = {
  sportsbook: 'draftkings,fanduel',
  league: 'nba',
  market: 'main',
  sort: '',
  fields: 'id,odds_american',
  state: 'nj',
  date: '2026-11-20',
  start_time: '2026-11-20T00:00:00Z',
  end_time: '1795200000',
  cursor: '',
  min_odds: '-200',
  max_odds: '+200',
  boolean: 'true',
  integer: '1',
  number: '1.5',
};

function bodyOf({ values }: Wanted, { path }: Operation, example: Json): Json {
  if (path === '/odds/batch') return { event_ids: [values['event'], 'nowhere'] };
  if (path === '/deeplinks/batch') return { ids: [values['id'], 'nothing'] };
  if (path === '/account/bets') return { bets: [{ ...example.bets[0], client_id: 'json', odds_id: values['id'] }] };
  if (path.endsWith('/rotate')) return { gracePeriodHours: 1, name: 'next' };
  return example;
}

/** The valid value of a query parameter where the operation's market is an enumeration of its own. */
function validQuery(all: Wanted, path: string, name: string, schema: Json): string {
  const listed = schema.enum ?? schema.items?.enum ?? schema.anyOf?.map((each: Json) => each.const ?? each.enum?.[0]);
  const first = listed?.find((each: unknown) => each !== undefined);
  return first === undefined ? worldValue(all, path, name, schema) : String(first);
}

test('the document is whole: references resolve, ids are unique, examples are valid', async () => {
  const { document } = await world();
  const { json } = document;
  assert.equal(json.openapi, '3.1.0');
  const ids = document.operations.map(({ spec }) => spec.operationId);
  assert.equal(new Set(ids).size, ids.length);
  const paths = Object.keys(json.paths);
  for (const path of [
    '/odds',
    '/odds/best',
    '/odds/delta',
    '/splits/history',
    '/deeplink/{id}',
    '/account/keys',
    '/stream',
  ])
    assert.ok(paths.includes(path), path);
  for (const [, reference] of JSON.stringify(json).matchAll(/"\$ref":"#(\/[^"]+)"/g)) {
    const found = reference!
      .split('/')
      .slice(1)
      .reduce((at: Json, part) => at?.[part.replaceAll('~1', '/')], json);
    assert.ok(found !== undefined, reference);
  }
  const complaints: string[] = [];
  for (const { method, path, spec } of document.operations) {
    const declared = (spec.parameters ?? [])
      .filter((each: Json) => each.in === 'path')
      .map((each: Json) => `{${each.name}}`);
    assert.deepEqual(path.match(/\{\w+\}/g) ?? [], declared);
    for (const tag of spec.tags)
      assert.ok(
        json.tags.some((each: Json) => each.name === tag),
        tag,
      );
    assert.ok(spec.tags.length > 0 && spec.summary !== path, `${method} ${path} says nothing of itself`);
    const at = `/paths/${escaped(path)}/${method}`;
    for (const [i, parameter] of (spec.parameters ?? []).entries())
      if (parameter.example !== undefined)
        complaints.push(...document.errors(`${at}/parameters/${i}/schema`, parameter.example));
    const body = spec.requestBody?.content['application/json'];
    if (body?.example !== undefined)
      complaints.push(...document.errors(`${at}/requestBody/content/application~1json/schema`, body.example));
    for (const [status, { content }] of Object.entries<Json>(spec.responses))
      if (content?.['application/json']?.example !== undefined)
        complaints.push(
          ...document
            .errors(`${at}/responses/${status}/content/application~1json/schema`, content['application/json'].example)
            .map((error) => `${path} ${status} ${error}`),
        );
  }
  assert.deepEqual(complaints, []);
});

test('every documented request gets a documented answer, with every parameter right, wrong and unknown', async () => {
  const all = await world();
  const { keys, document } = all;
  const complaints: string[] = [];
  const seen = new Map<string, Set<number>>();
  let parameters = 0;
  const wrongOnes = () => {
    const first = WRONG_AT_ONCE * parameters++;
    return Array.from({ length: WRONG_AT_ONCE }, (_, i) => WRONG[(first + i) % WRONG.length]!);
  };
  const check = async (operation: Operation, request: Request, expected?: number) => {
    const { status, complaints: found } = await send(all, operation, request);
    const name = `${operation.method} ${operation.path}`;
    seen.set(name, (seen.get(name) ?? new Set()).add(status));
    complaints.push(...found);
    if (expected !== undefined && status !== expected)
      complaints.push(`${name} ${JSON.stringify(request)}: ${status} instead of ${expected}`);
  };
  for (const operation of document.operations) {
    const { spec, path, method } = operation;
    // No recording is served here.
    const success = path === '/replay' ? 404 : Number(Object.keys(spec.responses)[0]);
    const isPublic = spec.security.length === 0;
    const keyed = spec.security.length > 0 && spec.security.every((each: Json) => Object.keys(each).length > 0);
    // Deleting the key itself comes last.
    const last = method === 'delete';
    if (!last) await check(operation, { key: keys.enterprise }, success);
    await check(operation, {}, keyed ? 401 : undefined);
    await check(operation, { key: 'sk_live_wrong' }, isPublic ? undefined : 401);
    await check(operation, { key: keys.free });
    // Ignoring an unknown parameter would widen a stream for as long as it is open.
    const ofUnknown = path.startsWith('/stream') ? 400 : success;
    if (!last) await check(operation, { key: keys.enterprise, query: { nonsense: '1' } }, ofUnknown);
    await check(operation, { key: keys.enterprise, query: { broken: '\0' } }, 400);
    await check(operation, { key: keys.enterprise, query: { long: 'x'.repeat(17_000) } }, 414);
    for (const { name, in: place, schema, required } of spec.parameters ?? []) {
      if (place === 'path') await check(operation, { key: keys.enterprise, path: { [name]: 'no-such-thing' } });
      if (place !== 'query') continue;
      await check(operation, { key: keys.enterprise, query: { [name]: validQuery(all, path, name, schema) } });
      for (const wrong of wrongOnes()) await check(operation, { key: keys.enterprise, query: { [name]: wrong } });
      if (required) await check(operation, { key: keys.enterprise, query: { [name]: '' } }, 400);
    }
    if (spec.responses['304'] !== undefined)
      await check(operation, { key: keys.enterprise, headers: { 'if-none-match': '*' } }, 304);
    if (spec.requestBody === undefined) continue;
    const bodies = [
      '',
      '{',
      'null',
      '[]',
      '"text"',
      '{"ids":[]}',
      '{"event_ids":[]}',
      '{"name":7}',
      '{"ids":[1]}',
      '\xff',
    ];
    for (const body of bodies) await check(operation, { key: keys.enterprise, body });
    await check(operation, { key: keys.enterprise, body: `"${'x'.repeat(70_000)}"` }, 413);
    await check(operation, { key: keys.enterprise, headers: { 'content-type': 'image/png' } }, 415);
  }
  const removal = document.operations.find(
    ({ method, path }) => method === 'delete' && path === '/account/keys/{keyId}',
  )!;
  await check(removal, { key: keys.enterprise }, 204);
  assert.deepEqual(complaints, []);
  const statuses = (name: string) => [...(seen.get(name) ?? [])].sort();
  assert.deepEqual(statuses('get /gamestate/{sport}'), [200, 304, 400, 401, 403, 404, 414]);
  assert.deepEqual(statuses('post /deeplinks/batch'), [200, 400, 401, 403, 413, 414, 415]);
});

test('tables and lines are documented answers, with every header that is', async () => {
  const all = await world();
  const seen: string[] = [];
  for (const operation of all.document.operations) {
    const format = (operation.spec.parameters ?? []).find(({ name }: Json) => name === 'format');
    if (operation.method !== 'get' || format === undefined) continue;
    for (const form of format.schema.enum.filter((one: string) => one !== 'json')) {
      const { status, complaints } = await send(all, operation, { key: all.keys.enterprise, query: { format: form } });
      assert.deepEqual([status, complaints], [200, []], `${operation.path} ${form}`);
      const { 'X-Total-Count': count, 'X-Next-Cursor': next } = operation.spec.responses['200'].headers;
      for (const header of [count, next])
        assert.ok(header?.description.includes(form) ?? true, `${operation.path} ${form}`);
      seen.push(operation.path);
    }
  }
  assert.ok(seen.length > 20, seen.join());
});

test('a caller over his limit gets the documented 429, and a key may end another of its account but not itself', async () => {
  const { api: made, document, values, keys } = await world();
  const account = 'acc_ending';
  const spare = atOnce(made.server.accounts).create({ tier: 'enterprise', account, selfMade: true });
  const all = { api: made, document, values: { ...values, keyId: spare.record.id }, keys };
  const find = (method: string, path: string) =>
    document.operations.find((each) => each.method === method && each.path === path)!;
  const { key } = atOnce(made.server.accounts).create({ tier: 'free' });
  const statuses: number[] = [];
  for (let i = 0; i < 14; i++) {
    const { status, complaints } = await send(all, find('get', '/odds'), { key });
    statuses.push(status);
    assert.deepEqual(complaints, []);
  }
  assert.deepEqual([statuses.filter((each) => each === 200).length, statuses.at(-1)], [12, 429]);
  const sibling = atOnce(made.server.accounts).create({ tier: 'enterprise', account, selfMade: true });
  assert.deepEqual(await send(all, find('delete', '/account/keys/{keyId}'), { key: sibling.key }), {
    status: 204,
    complaints: [],
  });
  all.values['keyId'] = sibling.record.id;
  assert.equal((await send(all, find('delete', '/account/keys/{keyId}'), { key: sibling.key })).status, 400);
  assert.equal(made.server.accounts.authenticate(spare.key), undefined);
});

test('the document is the same for every request and is not sent again to a client that has it', async () => {
  const { api: made } = await world();
  const first = await made.fetch('/openapi.json');
  const etag = first.headers.get('etag')!;
  assert.equal((await made.fetch('/openapi.json', { headers: { 'if-none-match': etag } })).status, 304);
  const stale = await made.fetch('/openapi.json', { headers: { 'if-none-match': '"other"' } });
  assert.equal(await stale.text(), await first.text());
  assert.ok(NOW.length > 0);
});
