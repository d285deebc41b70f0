// `at=`: after hours of a simulated market, with events that begin and end, rows that are removed and suspended, and a
// restart, answers of the past are those that were given then.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { ManualClock } from '../../../src/base/model/clock.js';
import { formatUs } from '../../../src/base/model/time.js';
import { SimMarket } from '../../../src/intake/feeds/sim/market.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import type { Tier } from '../../../src/rules/catalogue/types.js';
import { createLog } from '../../../src/server/observe/log.js';
import { randomOf } from '../../engine/replay/recordings.js';
import type { Json } from '../../front/api.js';
import { type Booted, boot } from '../../support/server.js';
import { newFolder } from '../../temp-folders.js';

const BEGIN_MS = Date.parse('2026-11-20T18:00:00.000Z');
const MINUTE_MS = 60_000;
/** Steps until the market pauses for a while. */
const PAUSE = 4;
const MOMENTS = 200;

class Running {
  readonly clock: ManualClock;
  readonly #t: TestContext;
  #running!: Booted;
  #url = '';
  readonly #dir = newFolder('overround-past-');
  readonly #flags: Record<string, string>;

  constructor(t: TestContext, flags: Record<string, string> = {}) {
    this.clock = new ManualClock(BEGIN_MS);
    this.#flags = flags;
    this.#t = t;
  }

  /** Also again, on the same data. */
  async start(): Promise<void> {
    const settings = { workers: '2', 'log-retention': '604800', history: '30', ...this.#flags };
    this.#running = await boot(this.#t, { data: this.#dir, settings, clock: this.clock, log: createLog('error') });
    this.#url = `${this.#running.url}/api/v1`;
  }

  async restart(): Promise<void> {
    await this.#running.close();
    await this.start();
  }

  ingest(messages: readonly object[]): Promise<unknown> {
    return messages.length === 0 ? Promise.resolve() : this.#running.server.engine.ingest(messages);
  }

  get position(): string {
    return formatUs(this.#running.server.engine.table.position);
  }

  get events(): string[] {
    return [...this.#running.server.engine.table.events.ordered()].map(({ id }) => id);
  }

  async key(tier: Tier): Promise<string> {
    return (await this.#running.server.accounts.create({ tier, requestsPerMinute: 1_000_000 })).key;
  }

  async text(path: string, key: string): Promise<{ headers: Headers; text: string }> {
    const answer = await fetch(this.#url + path, { headers: { 'x-api-key': key } });
    return { headers: answer.headers, text: await answer.text() };
  }

  async get(path: string, key: string): Promise<{ status: number; body: Json }> {
    const answer = await fetch(this.#url + path, { headers: { 'x-api-key': key } });
    return { status: answer.status, body: (await answer.json()) as Json };
  }
}

/** An answer without what is not kept, and without what is about the request. */
function comparable({ data, pagination }: Json): string {
  const kept = (name: string, value: unknown): unknown =>
    ['last_seen_at', 'timestamp', 'possibly_stale', 'volume_24h'].includes(name) ? undefined : value;
  return JSON.stringify({ data, total: pagination?.total }, kept);
}

test('answers of the past are those that were given then, also after a restart', async (t) => {
  const running = new Running(t);
  await running.start();
  const key = await running.key('enterprise');
  const market = new SimMarket({ seed: 12, events: 3, rate: 100 }, loadCatalogue(), BEGIN_MS);
  const asked: { at: string; path: string; live: string }[] = [];
  let seen = 0;
  const look = async (step: number): Promise<void> => {
    const { events } = running;
    seen += events.length;
    const event = events[step % events.length]!;
    const paths = [`/odds?event=${event}&limit=200`, `/events/${event}/odds?limit=100`];
    // Prices too old to compare are left out then, and not in answers of the past, which know no ages.
    if (step < PAUSE - 1) paths.push(`/odds/comparison?event=${event}`, '/odds/best?limit=200');
    if (step % 4 === 0) paths.push('/odds?limit=200&offset=150', '/odds?league=nba&limit=50');
    for (const path of paths) {
      const { status, body } = await running.get(path, key);
      assert.equal(status, 200, path);
      asked.push({ at: running.position, path, live: comparable(body) });
    }
  };
  const sameAsTable = async (path: string, { data, pagination }: Json): Promise<void> => {
    const { headers, text } = await running.text(path, key);
    assert.deepEqual([headers.get('content-type')?.split(';')[0], headers.get('etag')], ['text/csv', null], text);
    assert.equal(headers.get('x-total-count'), String(pagination.total));
    const lines: Record<string, string>[] = parse(text, { columns: true });
    assert.deepEqual(
      lines.map(({ event_id, selection_type, odds_american }) => [event_id, selection_type, odds_american]),
      data.map((row: Json) => [
        row['event_id'],
        row['selection_type'] ?? '',
        String(row['odds_american'] ?? row['best_odds']?.american),
      ]),
    );
    for (const { last_seen_at, timestamp = '', volume_24h = '' } of lines)
      assert.equal(`${last_seen_at}${timestamp}${volume_24h}`, '');
  };
  const agree = async (): Promise<void> => {
    for (const { at, path, live } of asked) {
      const query = path.includes('?') ? '&' : '?';
      const { status, body } = await running.get(`${path}${query}at=${at}`, key);
      assert.equal(status, 200, `${path} at ${at}: ${JSON.stringify(body)}`);
      assert.equal(comparable(body), live, `${path} at ${at}`);
      assert.equal(body['meta'].as_of, at);
      if (/^\/odds(\/best)?\?/.test(path)) await sameAsTable(`${path}${query}at=${at}&format=csv`, body);
    }
  };
  // Steps of five seconds while prices are young, then jumps over hours, in which games end and others begin.
  let ms = BEGIN_MS;
  for (let step = 0; step < 8; step++) {
    // A long pause moves the games on without the polls slept through.
    for (let part = 0; part < 4; part++) {
      ms += step % PAUSE === PAUSE - 1 && part === 0 ? 40 * MINUTE_MS : 5_000;
      running.clock.set(ms);
      await running.ingest(market.step(ms));
    }
    await look(step);
    if (step === 5) await running.restart();
  }
  assert.ok(asked.length > 20 && seen > 20);
  await agree();
});

test('how far back is the tier’s; the future, what was not kept and depth are refused', async (t) => {
  const running = new Running(t);
  await running.start();
  const market = new SimMarket({ seed: 3, events: 2, rate: 200 }, loadCatalogue(), BEGIN_MS);
  for (let ms = BEGIN_MS; ms < BEGIN_MS + MINUTE_MS; ms += 5_000) {
    running.clock.set(ms);
    await running.ingest(market.step(ms));
  }
  const at = running.position;
  running.clock.set(BEGIN_MS + 25 * 60 * MINUTE_MS);
  const status = async (tier: Tier, query: string): Promise<[number, string]> => {
    const { status, body } = await running.get(`/odds?${query}`, await running.key(tier));
    const { code = '', tier: needed } = body['error'] ?? {};
    return [status, needed === undefined ? code : `${code}: ${needed}`];
  };
  assert.deepEqual(await status('hobby', `at=${at}`), [403, 'tier_restricted: pro']);
  assert.deepEqual(await status('pro', `at=${at}`), [403, 'tier_restricted: sharp']);
  assert.deepEqual(await status('pro', 'at=2026-11-01T00:00:00Z'), [403, 'tier_restricted: enterprise']);
  assert.deepEqual(await status('sharp', `at=${at}`), [200, '']);
  assert.deepEqual(await status('sharp', `at=${at}&include=depth`), [400, 'invalid_request']);
  assert.deepEqual(await status('sharp', 'at=2031-01-01T00:00:00Z'), [400, 'invalid_request']);
  assert.deepEqual(await status('sharp', 'at=yesterday'), [400, 'invalid_request']);
  assert.deepEqual(await status('enterprise', 'at=2026-11-20T17:00:00Z'), [404, 'not_found']);
  const none = new Running(t, { history: '0' });
  await none.start();
  const answer = await none.get('/odds?at=2026-11-20T18:00:00Z', await none.key('enterprise'));
  assert.equal(answer.status, 404);
});

test('200 random moments of a live storm are as they were answered, however many batches are under way', async (t) => {
  const running = new Running(t);
  await running.start();
  const key = await running.key('enterprise');
  const market = new SimMarket({ seed: 8, events: 3, books: 5, rate: 1_000 }, loadCatalogue(), BEGIN_MS);
  const random = randomOf(41);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const asked: { at: string; path: string; live: string }[] = [];
  let last = '';
  const read = async (): Promise<void> => {
    while (asked.length < MOMENTS) {
      // The storm ends once there are enough, and nothing changes any more.
      while (running.position === last && asked.length < MOMENTS) await nextTurn();
      last = running.position;
      const event = pick(running.events);
      const path = pick([
        `/odds?event=${event}&limit=200`,
        `/events/${event}/odds?limit=100`,
        `/odds/best?event=${event}&limit=200`,
        `/odds/comparison?event=${event}`,
        '/odds?limit=200&offset=60',
      ]);
      const { headers, text } = await running.text(path, key);
      const at = formatUs(Number(headers.get('x-position')));
      asked.push({ at, path, live: comparable(JSON.parse(text)) });
    }
  };
  let ms = BEGIN_MS;
  const storm = async (): Promise<void> => {
    while (asked.length < MOMENTS) {
      ms += 25;
      running.clock.set(ms);
      await running.ingest(market.step(ms));
    }
  };
  while (running.events.length === 0) {
    ms += 25;
    running.clock.set(ms);
    await running.ingest(market.step(ms));
  }
  await Promise.all([storm(), read(), read(), read()]);
  assert.ok(new Set(asked.map(({ at }) => at)).size > MOMENTS / 10, 'they are many moments');
  for (const { at, path, live } of asked) {
    const { status, body } = await running.get(`${path}${path.includes('?') ? '&' : '?'}at=${at}`, key);
    assert.equal(status, 200, `${path} at ${at}: ${JSON.stringify(body)}`);
    assert.equal(comparable(body), live, `${path} at ${at}`);
  }
});
