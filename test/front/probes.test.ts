// Requests of load balancers, orchestrators and Prometheus to a whole server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Feed, FeedContext } from '../../src/intake/feeds/feed.js';
import { shared } from '../shared.js';
import { until } from '../support/until.js';
import { api, fillWorld } from './api.js';

/** What the feed of this server was given. */
let context: FeedContext | undefined;

/** Full, with a feed that does nothing, behind a proxy. */
const filled = shared(async (t) => {
  let stop = () => {};
  const feed: Feed = {
    name: 'broken:nothing',
    simulated: false,
    run: (given) => {
      context = given;
      return new Promise((resolve) => (stop = resolve));
    },
    stop: () => stop(),
  };
  const made = await api(t, { 'trust-proxy': 'yes' }, [feed]);
  await fillWorld(made);
  return made;
});

test('health without a key answers an address ten times a minute and this machine always; with a key by its tier', async () => {
  const made = await filled();
  const ask = async (headers: Record<string, string> = {}) => (await made.fetch('/health', { headers })).status;
  const other = { 'x-forwarded-for': '203.0.113.9' };
  const statuses: number[] = [];
  for (let i = 0; i < 12; i++) statuses.push(await ask(other));
  assert.deepEqual(statuses, [...Array(10).fill(200), 429, 429]);
  for (let i = 0; i < 30; i++) assert.equal(await ask(), 200);
  const key = made.key('hobby', { requestsPerMinute: 120 });
  const answer = await made.fetch('/health', { key, headers: other });
  assert.deepEqual([answer.status, answer.headers.get('x-ratelimit-remaining')], [200, '119']);
  for (const path of ['/healthz', '/readyz'])
    for (let i = 0; i < 30; i++) assert.notEqual((await fetch(made.url + path, { headers: other })).status, 429, path);
});

test('a server is live at once, and ready when its table and its opportunities are complete', async (t) => {
  const made = await api(t);
  assert.equal((await fetch(`${made.url}/healthz`)).status, 200);
  let last: Response | undefined;
  await until('ready', () => {
    void fetch(`${made.url}/readyz`).then((response) => (last = response));
    return last?.status === 200;
  });
  assert.deepEqual(await last!.json(), { status: 'ready' });
  const env = made.server.engine.directory.envs[0]!;
  const { getBinary } = env.meta;
  env.meta.getBinary = () => {
    throw new Error('disk gone');
  };
  const refused = await fetch(`${made.url}/readyz`);
  assert.equal(refused.status, 503);
  const { error } = (await refused.json()) as { error: { code: string; message: string } };
  assert.deepEqual([error.code, error.message], ['unavailable', 'the store cannot be read: disk gone']);
  assert.ok(refused.headers.get('retry-after') && refused.headers.get('x-request-id'));
  assert.equal((await fetch(`${made.url}/healthz`)).status, 200);
  env.meta.getBinary = getBinary;
  const { engine } = made.server;
  const { cluster } = engine;
  const readyWith = async (part: Partial<typeof cluster>) => {
    Object.defineProperty(engine, 'cluster', { configurable: true, value: { ...cluster, ...part } });
    return (await fetch(`${made.url}/readyz`)).status;
  };
  assert.equal(await readyWith({ lagMs: 1_000, writer: 'another' }), 503);
  assert.equal(await readyWith({ lagMs: 999, writer: 'another' }), 200);
  assert.equal(await readyWith({ lagMs: 60_000, writer: null }), 200, 'what there is, while nobody writes');
});

test('a feed that fails on a running server is shown by health and metrics; the server stays ready', async () => {
  const made = await filled();
  const figure = async (name: string) => {
    const text = await (await fetch(`${made.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  context!.report!.succeeded('all');
  assert.equal(await figure('overround_feed_up\\{feed="broken"\\}'), 1);
  context!.report!.failed('all', 'HTTP 503');
  made.clock.set(made.clock.now() + 30_000);
  const health = (await (await made.fetch('/health')).json()) as { status: string };
  assert.equal(health.status, 'degraded');
  assert.equal(await figure('overround_feed_up\\{feed="broken"\\}'), 0);
  assert.equal(await figure('overround_feed_last_success_age_seconds\\{feed="broken"\\}'), 30);
  assert.equal(await figure('overround_book_poll_age_seconds\\{sportsbook="draftkings"\\}'), 30);
  assert.equal((await fetch(`${made.url}/readyz`)).status, 200);
});

test('metrics are as Prometheus wants them: help for all, totals are counters and no others, units are base units', async () => {
  const made = await filled();
  await made.fetch('/odds', { key: made.key('pro') });
  const text = await (await fetch(`${made.url}/metrics`)).text();
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]));
  const helps = new Map([...text.matchAll(/^# HELP (\S+) (.+)$/gm)].map(([, name, help]) => [name!, help!]));
  assert.ok(types.size > 20);
  const series = new Set<string>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const name = /^[a-z_][a-z0-9_]*/.exec(line)![0];
    const id = line.slice(0, line.lastIndexOf(' '));
    assert.ok(!series.has(id), `${id} twice`);
    series.add(id);
    assert.ok(types.has(name) || types.has(name.replace(/_(bucket|sum|count)$/, '')), `${name} has no type`);
  }
  for (const [name, type] of types) {
    assert.ok(helps.has(name), `${name} has no help`);
    assert.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`);
    assert.doesNotMatch(name, /_(ms|millis|milliseconds|minutes|kb|kib|mb|percent)(_|$)|[A-Z]/, name);
    assert.doesNotMatch(name, /_(gauge|counter|histogram|summary)(_|$)/, name);
    if (type !== 'histogram') assert.doesNotMatch(name, /_(bucket|sum|count)$/, name);
  }
});
