// A whole server with a few games, and its OpenAPI document for validating answers.
import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { NewKey } from '../../src/accounts/key-commands.js';
import { getOrInsert } from '../../src/base/memory/get-or-insert.js';
import { ManualClock } from '../../src/base/model/clock.js';
import type { Feed } from '../../src/intake/feeds/feed.js';
import type { Tier } from '../../src/rules/catalogue/types.js';
import { createLog } from '../../src/server/observe/log.js';
import type { Server } from '../../src/server/server.js';
import { atOnce } from '../accounts/keys-at-once.js';
import type { Ending } from '../shared.js';
import { boot } from '../support/server.js';
import { LAKERS, NOW, overUnder, WORLD } from './api/serving.js';

export interface Api {
  server: Server;
  clock: ManualClock;
  url: string;
  /** Before the test's end. */
  close(): Promise<void>;
  key(tier: Tier, options?: Partial<NewKey>): string;
  fetch(path: string, init?: RequestInit & { key?: string | undefined }): Promise<Response>;
  /** Ingests messages, none of which may be rejected. */
  ingest(...messages: object[]): Promise<void>;
}

/** Started with `flags` as on the command line; closed after the test. */
export async function api(t: Ending, flags: Record<string, string> = {}, feeds: readonly Feed[] = []): Promise<Api> {
  const logged: string[] = [];
  const { data, ...settings } = flags;
  const { server, clock, url, close } = await boot(t, {
    data,
    settings: { 'ingest-queue': '100000', ...settings },
    clock: new ManualClock(Date.parse(NOW)),
    feeds,
    log: createLog('error', { write: (line) => logged.push(line) }),
  });
  t.after(() => assert.deepEqual(logged, [], 'nothing was logged as an error'));
  return {
    server,
    clock,
    url,
    close,
    key: (tier, options = {}) => atOnce(server.accounts).create({ tier, requestsPerMinute: 100_000, ...options }).key,
    fetch: (path, { key, headers, ...init } = {}) =>
      fetch(`${url}/api/v1${path}`, {
        redirect: 'manual',
        ...init,
        headers: { ...headers, ...(key === undefined ? {} : { 'x-api-key': key }) },
      }),
    ingest: async (...messages) => {
      const receipt = await server.engine.ingest(
        messages.map((message) => ({ polled_at: NOW, scope: 'event', ...message })),
      );
      assert.deepEqual([receipt.rejected, receipt.unread], [[], 0]);
    },
  };
}

export const SPLITS = {
  event_id: LAKERS,
  sportsbook: 'circa',
  spread: {
    away_line: 3.5,
    home_line: -3.5,
    handle_pct: { away: 0.4, home: 0.6 },
    bets_pct: { away: 0.55, home: 0.45 },
  },
  total: { line: 220.5, handle_pct: { over: 0.7, under: 0.3 }, bets_pct: { over: 0.62, under: 0.38 } },
  moneyline: { away_odds: 130, home_odds: -150, handle_pct: { away: 0.3, home: 0.7 } },
  fetched_at: NOW,
};

export const FUTURE = {
  league: 'nba',
  market: 'championship_winner',
  display_name: 'NBA Championship Winner',
  future_type: 'TEAM',
  event_start_time: '2027-06-10T00:00:00Z',
  selections: [
    { selection: 'Boston Celtics', odds_american: 350 },
    { selection: 'Denver Nuggets', odds_decimal: 7.5 },
  ],
};

const heat = {
  league: 'nba',
  home_team: 'Miami Heat',
  away_team: 'Chicago Bulls',
  start_time: '2026-11-21T01:00:00Z',
};

/** Data for every endpoint: odds, splits, futures, scores, an arbitrage and the other opportunities. */
export async function fillWorld({ ingest }: Api): Promise<void> {
  await ingest(...WORLD);
  await ingest(
    { book: 'circa', scope: 'none', splits: [SPLITS, { ...SPLITS, sportsbook: 'draftkings' }] },
    { book: 'draftkings', scope: 'none', futures: [FUTURE] },
    { book: 'fanduel', scope: 'none', futures: [FUTURE] },
    {
      book: 'betmgm',
      events: [
        { ...heat, markets: [totals(210.5, 110, -125), overUnder('player_points', 20.5, { player_name: 'A B' })] },
      ],
    },
    { book: 'fanduel', events: [{ ...heat, external_id: 'fd-2', markets: [totals(210.5, -130, 125)] }] },
    { book: 'caesars', events: [{ ...heat, markets: [totals(214.5, 120, -110)] }] },
  );
}

function totals(line: number, over: number, under: number) {
  return {
    market_type: 'total_points',
    selections: [
      { selection: 'Over', selection_type: 'over', line, odds_american: over },
      { selection: 'Under', selection_type: 'under', line, odds_american: under },
    ],
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes, read field by field
export type Json = any;

export interface Operation {
  method: string;
  path: string;
  spec: Json;
}

/** The served document with every object closed: a field that is not in it is an error. */
export class Document {
  readonly json: Json;
  readonly #ajv: Ajv2020;
  readonly #validators = new Map<string, ValidateFunction>();
  /** By the schema's text: many operations have the same errors, and compiling is costly. */
  readonly #distinct = new Map<string, ValidateFunction>();

  constructor(json: Json) {
    this.json = json;
    this.#ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(this.#ajv);
    this.#ajv.addSchema(closed({ ...json, $id: 'http://document/' }) as object);
  }

  get operations(): Operation[] {
    return Object.entries<Json>(this.json.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, spec]) => ({ method, path, spec })),
    );
  }

  /** The violations of the schema at a JSON pointer of the document; empty if there are none. */
  errors(pointer: string, value: unknown): string[] {
    const validate = getOrInsert(this.#validators, pointer, () => this.#compiled(pointer));
    return validate(value)
      ? []
      : validate.errors!.map((each) => `${each.instancePath} ${each.message} ${JSON.stringify(each.params)}`);
  }

  #compiled(pointer: string): ValidateFunction {
    return getOrInsert(this.#distinct, JSON.stringify(valueAt(this.json, pointer)), () =>
      this.#ajv.compile({ $ref: `http://document/#${pointer}` }),
    );
  }

  /** What is wrong with an answer to an operation: status, media type, body, headers. */
  async complaints({ method, path, spec }: Operation, response: Response): Promise<string[]> {
    const { status } = response;
    const answer = spec.responses[String(status)];
    const text = method === 'head' ? '' : await response.text();
    const at = `${method} ${path} ${status}`;
    if (answer === undefined) return [`${at} is not documented: ${text.slice(0, 300)}`];
    const complaints: string[] = [];
    for (const name of Object.keys(answer.headers ?? {}))
      if (!response.headers.has(name) && !mayLack(name, response)) complaints.push(`${at}: no header ${name}`);
    if (answer.content === undefined)
      return text === '' ? complaints : [...complaints, `${at}: a body nobody documented`];
    const type = (response.headers.get('content-type') ?? '').split(';')[0]!;
    if (answer.content[type] === undefined) return [...complaints, `${at}: the type ${type} is not documented`];
    if (type !== 'application/json') return complaints;
    const pointer = `/paths/${escaped(path)}/${method}/responses/${status}/content/${escaped(type)}/schema`;
    return [...complaints, ...this.errors(pointer, JSON.parse(text)).map((error) => `${at}: ${error}`)];
  }
}

/** Headers that are sent only where they apply: a link type without a fallback, a wait with a limit. */
const MAY_LACK = new Set(['X-Deep-Link-Type', 'Retry-After', 'X-Total-Count', 'X-Next-Cursor']);

/** A whole answer is sent while it is made, so that nothing is known of its content when its headers go; the past has no tag. */
const mayLack = (name: string, { url }: Response): boolean => {
  const { searchParams } = new URL(url);
  return MAY_LACK.has(name) || (name === 'ETag' && (searchParams.get('limit') === 'all' || searchParams.has('at')));
};

function valueAt(document: Json, pointer: string): Json {
  const parts = pointer.split('/').slice(1);
  return parts.reduce(
    (value, part) => value[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
}

export function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** Objects with listed properties allow no others. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)])) as Json;
  if (copy.type === 'object' && copy.properties !== undefined && copy.additionalProperties === undefined)
    copy.additionalProperties = false;
  return copy;
}

export async function documentOf({ fetch }: Pick<Api, 'fetch'>): Promise<Document> {
  const response = await fetch('/openapi.json');
  assert.equal(response.status, 200);
  return new Document(await response.json());
}
