// Callers of every tier, and without a key, that send the worst they can to every route, tool and stream at once. None
// of it may be answered with an error of the server's own.

import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { encode } from '../src/base/wire/codec.js';
import type { Random } from '../test/world/random.js';
import { costlyBodies, distinctGroups, manyNames, resetConnections, unreadPipeline } from './bursts.js';
import type { Documents, Json, Operation } from './documents.js';
import { HostileValues } from './hostile-values.js';

const KIB = 1024;
/** More than a body may have: 256 KiB, and 8 MiB for ingest. */
const BODY_BYTES = { usual: 300 * KIB, ingest: 8 * KIB * KIB };
const ANSWER_MS_MAX = 30_000;
/** Of one attacker. */
const PAUSE_MS = 15;
/** Documented refusals: the server is busy, or the position is not reached. */
const REFUSALS = ['unavailable', 'behind'];

export interface AttackKeys {
  /** Of every tier; undefined: without a key. */
  readers: readonly (string | undefined)[];
  ingest: string;
}

/** What is attacked, and the run's records of it. */
export interface AttackTarget {
  readonly url: string;
  /** The table's (Unix µs). */
  readonly position: number;
  /** How many times longer things take than on a machine with a core for every thread. */
  readonly stretch: number;
  count(what: string): void;
  find(law: string, detail: string): void;
}

/** One of each; several of each run at once. */
type Attack = (attacker: Attacker) => Promise<void>;

export class Attackers {
  readonly #target: AttackTarget;
  readonly #attackers: readonly { attacker: Attacker; attack: Attack; name: string }[];
  #open = false;
  #working: Promise<void>[] = [];

  constructor(target: AttackTarget, seedOf: () => Random, documents: Documents, keys: AttackKeys) {
    this.#target = target;
    this.#attackers = Object.entries(ATTACKS).flatMap(([name, { attack, count }]) =>
      Array.from({ length: count }, () => ({
        name,
        attack,
        attacker: new Attacker(target, seedOf(), documents, keys),
      })),
    );
  }

  begin(): void {
    this.#open = true;
    this.#working = this.#attackers.map(async ({ name, attack, attacker }) => {
      while (this.#open) {
        this.#target.count(`attacks: ${name}`);
        try {
          await attack(attacker);
        } catch (error) {
          this.#target.count(`attacks without an answer: ${name}`);
          if ((error as Error).name === 'TimeoutError')
            this.#target.find(
              'an attacker is answered too',
              `${attacker.last}: nothing for ${ANSWER_MS_MAX / 1_000} s`,
            );
        }
        await wait(PAUSE_MS * this.#target.stretch);
      }
    });
  }

  async end(): Promise<void> {
    this.#open = false;
    await Promise.all(this.#working);
  }
}

export class Attacker {
  readonly target: AttackTarget;
  readonly random: Random;
  readonly documents: Documents;
  readonly values: HostileValues;
  readonly keys: AttackKeys;
  /** What was sent last. */
  last = '';

  constructor(target: AttackTarget, random: Random, documents: Documents, keys: AttackKeys) {
    this.target = target;
    this.random = random;
    this.documents = documents;
    this.keys = keys;
    this.values = new HostileValues(random, documents.words);
  }

  get url(): string {
    return this.target.url;
  }

  /** Path and query of an operation. */
  addressOf({ path, parameters }: Operation): string {
    const { random, values } = this;
    const pairs: string[] = [];
    let address = path;
    for (const { name, in: place, required = false, schema, example } of parameters) {
      const text = random.chance(0.3) && example !== undefined ? String(example) : values.parameter(schema ?? {});
      const encoded = encodeURIComponent(text.toWellFormed());
      if (place === 'path') address = address.replace(`{${name}}`, encoded.slice(0, 2_000) || 'x');
      else if (place === 'query' && random.chance(required ? 0.95 : 0.4)) pairs.push(`${name}=${encoded}`);
    }
    if (random.chance(0.1))
      pairs.push(`min_position=${random.pick([1, this.target.position, Number.MAX_SAFE_INTEGER])}`);
    if (random.chance(0.05)) pairs.push(random.pick(['%zz', '&&', '=', 'x=1', 'api_key=sk_test_x']));
    return pairs.length === 0 ? address : `${address}?${pairs.join('&').slice(0, 20_000)}`;
  }

  /** Reads the whole answer, of a stream for a moment. */
  readonly send = async (
    method: string,
    address: string,
    init: RequestInit & { key?: string | undefined; streams?: boolean },
  ): Promise<void> => {
    const { key, streams, headers, ...rest } = init;
    const bytes = rest.body instanceof Uint8Array ? rest.body : undefined;
    const kind = (headers as Record<string, string> | undefined)?.['content-encoding'] ?? '';
    const start =
      bytes === undefined
        ? String(rest.body ?? '')
        : `${bytes.length} bytes ${kind} ${Buffer.from(bytes.subarray(0, 60)).toString('latin1')}`;
    this.last = `${method} ${address.slice(0, 1_500)} ${JSON.stringify(start.slice(0, 500))}`;
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(ANSWER_MS_MAX)]);
    const own = key === undefined ? {} : { 'x-api-key': key };
    const response = await fetch(`${this.url}${address}`, { method, signal, headers: { ...headers, ...own }, ...rest });
    this.target.count(`attacks answered ${response.status}`);
    if (streams && response.headers.get('content-type')?.startsWith('text/event-stream')) {
      await wait(this.random.int(0, 1_500));
      stop.abort();
      return;
    }
    const text = await response.text();
    if (response.status >= 500) this.#judge(method, response, text);
  };

  #judge(method: string, response: Response, text: string): void {
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? '';
    // The answer to a HEAD has no body to say so.
    const isRefusal = REFUSALS.includes(code) || method === 'HEAD';
    if (response.status === 503 && isRefusal && response.headers.has('retry-after')) return;
    this.target.find('no 5xx but the documented', `${this.last}: ${response.status} ${text.slice(0, 500)}`);
  }
}

const ATTACKS: Readonly<Record<string, { count: number; attack: Attack }>> = {
  routes: { count: 8, attack: (attacker) => requestOf(attacker, attacker.random.pick(attacker.documents.operations)) },
  bodies: {
    count: 3,
    attack: (attacker) =>
      requestOf(
        attacker,
        attacker.random.pick(attacker.documents.operations.filter(({ bodies }) => bodies.length > 0)),
      ),
  },
  waiters: { count: 1, attack: manyWaiters },
  metrics: { count: 1, attack: manyScrapes },
  ingest: { count: 1, attack: hostileIngest },
  tools: { count: 2, attack: toolCalls },
  sockets: { count: 3, attack: hostileSocket },
  broken: { count: 1, attack: brokenRequest },
  names: { count: 1, attack: manyNames },
  pipelines: { count: 1, attack: unreadPipeline },
  resets: { count: 1, attack: resetConnections },
  groups: { count: 1, attack: distinctGroups },
  costly: { count: 2, attack: costlyBodies },
};

async function requestOf(attacker: Attacker, operation: Operation): Promise<void> {
  const { random, values, keys } = attacker;
  const address = attacker.addressOf(operation);
  const key = random.pick(keys.readers);
  const streams = operation.streams;
  if (operation.bodies.length === 0) {
    const headers = { ...(random.chance(0.2) ? { 'if-none-match': random.pick(['*', '"x"', ',,']) } : {}) };
    const method = random.chance(0.05) ? random.pick(['HEAD', 'OPTIONS', 'PATCH', 'PUT']) : operation.method;
    await attacker.send(method, address, { key, headers, streams });
    return;
  }
  const { type, example, schema } = random.pick(operation.bodies);
  const value = random.chance(0.3) ? example : values.value(schema);
  const { bytes, encoding } = values.body(value, type, BODY_BYTES.usual);
  await attacker.send(operation.method, address, { key, headers: bodyHeaders(type, encoding), body: bytes });
}

function bodyHeaders(type: string, encoding: string | undefined): Record<string, string> {
  return { 'content-type': type, ...(encoding === undefined ? {} : { 'content-encoding': encoding }) };
}

async function manyWaiters(attacker: Attacker): Promise<void> {
  const { random, keys } = attacker;
  await Promise.all(
    Array.from({ length: 40 }, () =>
      attacker.send(
        'GET',
        `/api/v1/${random.pick(['sports', 'odds', 'deeplink/1'])}?min_position=${Number.MAX_SAFE_INTEGER}`,
        {
          key: random.pick(keys.readers),
        },
      ),
    ),
  );
}

async function manyScrapes(attacker: Attacker): Promise<void> {
  const paths = ['/metrics', '/metrics/recent', '/healthz', '/readyz', '/docs', '/api/v1/openapi.json'];
  await Promise.all(Array.from({ length: 20 }, () => attacker.send('GET', attacker.random.pick(paths), {})));
}

/** Nothing of it can be accepted: the table stays what the books said. */
async function hostileIngest(attacker: Attacker): Promise<void> {
  const { random, values, keys } = attacker;
  const type = random.pick(['application/json', 'application/x-ndjson', 'application/msgpack']);
  const event = {
    event_id: 'no such event',
    markets: Array.from({ length: 50 }, () => ({ market_type: values.text() })),
  };
  const message = {
    book: 'fuzz',
    polled_at: new Date().toISOString(),
    events: Array.from({ length: 50 }, () => event),
  };
  const { bytes, encoding } = values.body(message, type, BODY_BYTES.ingest);
  await attacker.send('POST', '/api/v1/ingest', {
    key: keys.ingest,
    headers: bodyHeaders(type, encoding),
    body: bytes,
  });
}

async function toolCalls(attacker: Attacker): Promise<void> {
  const { random, values, documents, keys } = attacker;
  const call = (id: number) => {
    const { name, inputSchema } = random.pick(documents.tools);
    return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: values.value(inputSchema) as Json } };
  };
  const body = random.chance(0.5) ? call(1) : Array.from({ length: random.int(1, 25) }, (_, i) => call(i));
  const { bytes, encoding } = random.chance(0.8)
    ? { bytes: new Uint8Array(Buffer.from(JSON.stringify(body))), encoding: undefined }
    : values.body(body, 'application/json', BODY_BYTES.usual);
  const headers = { ...bodyHeaders('application/json', encoding), accept: 'application/json, text/event-stream' };
  await attacker.send('POST', '/mcp', { key: random.pick(keys.readers), headers, body: bytes });
}

async function hostileSocket(attacker: Attacker): Promise<void> {
  const { random, values, documents, keys, url } = attacker;
  const key = random.pick(keys.readers);
  const protocol = random.pick([[], ['overround.msgpack']]);
  const packed = protocol.length > 0;
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}/ws${key === undefined ? '' : `?api_key=${key}`}`,
    protocol,
  );
  // Refused, or closed by the server.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await Promise.race([closed, new Promise<void>((resolve) => socket.once('open', () => resolve()))]);
  const reads = random.chance(0.7);
  if (!reads) socket.pause();
  for (let i = random.int(1, 60); i > 0 && socket.readyState === WebSocket.OPEN; i--) {
    const value = values.value(random.pick(documents.messages));
    const { bytes } = values.body(value, packed ? 'msgpack' : 'json', 70 * KIB);
    socket.send(random.chance(0.7) ? (packed ? encode(value) : JSON.stringify(value)) : bytes);
    if (random.chance(0.5)) await wait(random.int(0, 60));
  }
  attacker.target.count(`attacks: sockets closed with ${socket.readyState === WebSocket.OPEN ? 'nothing' : 'a code'}`);
  socket.terminate();
}

/** Bytes that are no complete request, or not for long. */
async function brokenRequest(attacker: Attacker): Promise<void> {
  const { random, keys, url } = attacker;
  const key = random.pick(keys.readers) ?? 'none';
  const head = `POST /api/v1/odds/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
  const sent = random.pick([
    'G',
    '\0'.repeat(100),
    'GET / HTTP/1.0\r\n\r\n',
    `GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(3_000)}\r\n`,
    `GET /api/v1/odds?${'a'.repeat(50_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `${head}Content-Length: 200000\r\n\r\n{"event_ids":[`,
    `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"eve\r\nzz\r\n`,
    `${head}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
    `${'GET /api/v1/sports HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(500)}`,
  ]);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.on('data', () => undefined);
  socket.write(sent, 'latin1');
  await wait(random.int(50, 2_000));
  random.chance(0.5) ? socket.destroy() : socket.resetAndDestroy();
}
