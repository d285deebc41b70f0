// The processes of `serve --fronts`: what all fronts show and count together, and each of them killed while odds
// arrive.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { systemClock } from '../../src/base/model/clock.js';
import { event, message, moneyline } from '../intake/ingest/messages.js';
import { end, frontOf, type Running, type Sse, startFronts, withoutAges } from '../support/processes.js';

type Started = Running & { keys: string[]; dataDir: string };

const MINUTE_MS = 60_000;

const poll = (book: string, home: number, away: number) =>
  message([event([moneyline(home, away)])], { book, polled_at: new Date().toISOString() });

/** What each front answers at one position. */
async function fromAll(running: Started, path: string, key: string, position: number): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  await running.until(`${path} was not answered by both fronts`, async () => {
    const response = await running.get(`${path}${path.includes('?') ? '&' : '?'}min_position=${position}`, key);
    assert.equal(response.status, 200);
    const { data } = (await response.json()) as { data: unknown };
    const tag = response.headers.get('etag');
    if (response.headers.get('x-position') === String(position)) answers.set(frontOf(response), { data, tag });
    return answers.size === 2;
  });
  return answers;
}

async function acknowledged(running: Started, messages: object[]): Promise<number> {
  for (;;) {
    const response = await running.post(messages, running.keys[0]!).catch(() => undefined);
    if (response?.status === 200) return ((await response.json()) as { position: number }).position;
    if (response !== undefined) assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '1']);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function allTheSame(running: Started, key: string): Promise<void> {
  const position = await acknowledged(running, [
    poll('draftkings', 105, -130),
    poll('fanduel', -115, 125),
    poll('pinnacle', -105, -105),
  ]);
  for (const path of ['/odds?limit=50', '/opportunities/arbitrage', '/opportunities/ev', '/events']) {
    const [one, other] = [...(await fromAll(running, path, key, position)).values()];
    assert.deepEqual(withoutAges(one), withoutAges(other), path);
    assert.ok((one as { data: unknown[] }).data.length > 0, path);
  }
}

/** A final result with its parts, and then its correction. */
async function resultsAlike(running: Started, key: string): Promise<void> {
  const { data } = (await (await running.get('/events?limit=1', key)).json()) as { data: { event_id: string }[] };
  const { event_id } = data[0]!;
  for (const [revision, home_score] of [
    [1, 104],
    [2, 99],
  ] as const) {
    const parts = [{ part: 'h1', home_score: home_score - 50, away_score: 50 }];
    const result = { event_id, status: 'final', home_score, away_score: 100, parts };
    const position = await acknowledged(running, [{ source: 'league', results: [result] }]);
    const answers = await fromAll(running, `/results?event_id=${event_id}`, key, position);
    for (const answer of answers.values()) {
      const [shown, ...others] = (answer as { data: Record<string, unknown>[] }).data;
      assert.equal(others.length, 0);
      for (const [name, value] of Object.entries({ ...result, revision })) assert.deepEqual(shown![name], value, name);
    }
  }
}

/** What `measured` returns in one minute of the clock, in which nothing was asked for before. */
async function inOneMinute<T>(measured: () => Promise<T>): Promise<T> {
  for (;;) {
    const minute = Math.floor(systemClock.now() / MINUTE_MS);
    const found = await measured();
    if (Math.floor(systemClock.now() / MINUTE_MS) === minute) return found;
    await new Promise((resolve) => setTimeout(resolve, MINUTE_MS - (systemClock.now() % MINUTE_MS)));
  }
}

/** How many requests all fronts together grant an account with this limit. */
async function limitsHold(running: Started, key: string): Promise<void> {
  const fronts = new Set<string>();
  const ask = async (): Promise<boolean> => {
    const response = await running.get('/sports', key);
    await response.arrayBuffer();
    fronts.add(frontOf(response));
    if (response.status !== 200) assert.equal(response.status, 429);
    return response.status === 200;
  };
  const letThrough = await inOneMinute(async () => {
    let granted = 0;
    for (let i = 0; i < 12; i++) granted += (await Promise.all(Array.from({ length: 10 }, ask))).filter(Boolean).length;
    return granted;
  });
  assert.equal(fronts.size, 2);
  assert.ok(letThrough >= 45 && letThrough <= 55, `${letThrough} of 50`);
}

/** The same where all requests come at once. */
async function burstHolds(running: Started, key: string, limit: number): Promise<void> {
  const asked = await inOneMinute(async () => {
    const all = await Promise.all(Array.from({ length: 3 * limit }, () => running.get('/sports', key)));
    await Promise.all(all.map((response) => response.arrayBuffer()));
    return all;
  });
  assert.equal(new Set(asked.map(frontOf)).size, 2);
  const letThrough = asked.filter(({ status }) => status === 200).length;
  assert.ok(letThrough >= limit && letThrough <= Math.max(limit + 1, 1.1 * limit), `${letThrough} of ${limit}`);
}

async function streamsHold(running: Started, key: string): Promise<Sse[]> {
  const open: Sse[] = [];
  while (open.length < 4) {
    const stream = await running.stream('/stream?channel=odds', key);
    if (stream.status === 200) open.push(stream);
  }
  // A front knows of those at the other a moment later.
  const refused = new Set<string>();
  await running.until('the limit does not hold at both fronts', async () => {
    const more = await running.stream('/stream?channel=odds', key);
    if (more.status === 200) more.close();
    else refused.add(more.front);
    return refused.size === 2;
  });
  await spread(running, open, key);
  return open;
}

/**
 * The system chooses a front for each connection, now and then the same for all: then a front that is killed afterwards
 * may have none of them, and frees no slot.
 */
async function spread(running: Started, open: Sse[], key: string): Promise<void> {
  const [first] = open;
  while (open.every(({ front }) => front === first!.front)) {
    open.pop()!.close();
    await running.until('the slot of a closed stream is not free again', async () => {
      const again = await running.stream('/stream?channel=odds', key);
      if (again.status === 200) open.push(again);
      return again.status === 200;
    });
  }
}

/** A client that resumes at another front receives what it missed, and nothing else. */
async function resumes(running: Started, key: string): Promise<void> {
  const before = await running.stream('/stream?channel=odds', key);
  await running.until('no snapshot', () => before.events.some(({ type }) => type === 'snapshot:complete'));
  before.close();
  const { id } = before.events.findLast((each) => each.id !== '')!;
  await acknowledged(running, [poll('draftkings', 150, -130)]);
  for (;;) {
    const after = await running.stream('/stream?channel=odds&resume=true', key, { 'last-event-id': id });
    assert.equal(after.status, 200);
    await running.until('nothing was missed', () => after.events.some(({ type }) => type === 'odds:update'));
    after.close();
    assert.deepEqual(
      after.events.map(({ type }) => type).filter((type) => type !== 'heartbeat'),
      ['connected', 'odds:update'],
    );
    if (after.front !== before.front) return;
  }
}

/** Bets placed at either front are told at both, and a stream resumes from one of them at the other. */
async function betsReach(running: Started, key: string): Promise<void> {
  const { data } = (await (await running.get('/odds?limit=1', key)).json()) as { data: { id: string }[] };
  const place = async (client_id: string): Promise<void> => {
    const bet = { client_id, odds_id: data[0]!.id, stake: 1, odds_decimal: 1.01, mode: 'placed' };
    const headers = { 'x-api-key': key, connection: 'close', 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ bets: [bet] }) };
    assert.equal((await fetch(`${running.url}/account/bets`, init)).status, 201);
  };
  const tells = (stream: Sse, client_id: string) =>
    running.until(`${client_id} is not told`, () =>
      stream.events.some(({ type, data: said }) => type === 'bets:filled' && said.includes(`"${client_id}"`)),
    );
  const first = await running.stream('/stream/bets', key);
  await running.until('no snapshot', () => first.events.some(({ type }) => type === 'snapshot:complete'));
  for (const id of ['one', 'two', 'three']) await place(id);
  await tells(first, 'three');
  const { id } = first.events.find(({ type }) => type === 'bets:filled')!;
  first.close();
  await place('four');
  for (;;) {
    const again = await running.stream('/stream/bets?resume=true', key, { 'last-event-id': id });
    await tells(again, 'four');
    again.close();
    assert.equal(JSON.parse(again.events[0]!.data).resumed, true);
    assert.ok(again.events.every(({ data: said }) => !said.includes('"one"')));
    if (again.front !== first.front) return;
  }
}

async function revoked(running: Started): Promise<void> {
  const keys = async (...command: string[]): Promise<{ id: string; key: string }> =>
    JSON.parse((await run(process.execPath, [MAIN, 'keys', ...command, '--data', running.dataDir])).stdout);
  const { key, id } = await keys('create', '--tier', 'pro', '--requests-per-minute', '1000000');
  for (let i = 0; i < 6; i++) assert.equal((await running.get('/sports', key)).status, 200);
  await keys('revoke', id);
  const refused = async (): Promise<boolean> =>
    (await ofBoth(() => running.get('/sports', key))).every((status) => status === 401);
  await running.until('a key that was ended is still let in', refused);
}

/** Repeats the request until both fronts have answered. */
async function ofBoth(ask: () => Promise<Response>): Promise<number[]> {
  const statuses = new Map<string, number>();
  for (let tries = 0; statuses.size < 2 && tries < 100; tries++) {
    const response = await ask();
    await response.arrayBuffer();
    statuses.set(frontOf(response), response.status);
  }
  return [...statuses.values()];
}

async function sessionsEnd(running: Started, key: string): Promise<void> {
  const mcp = (method: string, headers: Record<string, string>, body?: object): Promise<Response> =>
    fetch(running.url.replace('/api/v1', '/mcp'), {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json', connection: 'close', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }) }),
    });
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const begun = await mcp('POST', {}, { method: 'initialize', params });
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id')!, 'mcp-protocol-version': '2025-11-25' };
  const ping = () => mcp('POST', session, { method: 'ping' });
  assert.deepEqual(await ofBoth(ping), [200, 200]);
  assert.equal((await mcp('DELETE', session)).status, 204);
  assert.deepEqual(await ofBoth(ping), [404, 404], 'an ended session is over at every front');
  assert.deepEqual(await ofBoth(() => mcp('DELETE', session)), [404, 404]);
}

async function survives(running: Started, open: Sse[], streamKey: string): Promise<void> {
  const key = running.keys[0]!;
  const shows = (home: number) => async (): Promise<boolean> => {
    const response = await running.get('/odds?limit=50', key);
    assert.equal(response.status, 200);
    const { data } = (await response.json()) as { data: { odds_american: number }[] };
    return data.some(({ odds_american }) => odds_american === home);
  };
  const front = running.pid('front-1');
  process.kill(front, 'SIGKILL');
  await running.until('unnoticed', () => running.lines().some(({ msg }) => msg === 'a process ended and is replaced'));
  const position = await acknowledged(running, [poll('draftkings', 120, -130)]);
  assert.equal((await running.get(`/odds?min_position=${position}`, key)).status, 200, 'the other front goes on');
  await running.replaced('front-1', front);
  // The slots of its streams are free; those of the other front are still in use.
  const fronts = open.map(({ front: of }) => of).join(', ');
  await running.until(
    `no slot is free, with streams at ${fronts}`,
    async () => (await running.stream('/stream?channel=odds', streamKey)).status === 200,
  );

  const engine = running.pid('engine');
  const stream = await running.stream('/stream?channel=odds', key);
  await running.until('no snapshot', () => stream.events.some(({ type }) => type === 'snapshot:complete'));
  const before = stream.events.length;
  process.kill(engine, 'SIGKILL');
  for (let i = 0; i < 10; i++) assert.ok(await shows(120)(), 'reads go on while the engine is away');
  await acknowledged(running, [poll('draftkings', 130, -130)]);
  await running.replaced('engine', engine);
  for (let i = 0; i < 10; i++) await running.until('a front has not caught up', shows(130));
  const since = () => stream.events.slice(before).filter(({ type }) => type !== 'heartbeat');
  await running.until('the stream receives nothing', () => since().length > 0);
  assert.deepEqual([stream.ended, ...since().map(({ type }) => type)], [false, 'odds:update']);
}

const run = promisify(execFile);
const MAIN = new URL('../../src/main.js', import.meta.url).pathname;

test('fronts show the same, count together, and are replaced when they die, as is the engine', {
  skip: process.platform === 'linux' ? false : 'needs Linux',
}, async (t) => {
  const running = await startFronts(t, 2, [
    { tier: 'enterprise', scopes: ['ingest'], requestsPerMinute: 1e6, maxStreams: 50 },
    { tier: 'pro', requestsPerMinute: 50 },
    { tier: 'pro', streaming: true, maxStreams: 4 },
    { tier: 'free' },
    { tier: 'hobby' },
  ]);
  const [key, limited, streaming, free, hobby] = running.keys as [string, string, string, string, string];
  await allTheSame(running, key);
  await limitsHold(running, limited);
  await burstHolds(running, free, 12);
  await burstHolds(running, hobby, 120);
  await resumes(running, key);
  await betsReach(running, key);
  await resultsAlike(running, key);
  await revoked(running);
  await sessionsEnd(running, key);
  const [odds] = ((await (await running.get('/odds?limit=1', key)).json()) as { data: { id: string }[] }).data;
  const history = await running.get(`/odds/history?odds_id=${odds!.id}`, key);
  assert.equal(history.status, 200, await history.text());
  const health = (await (await running.get('/health', key)).json()) as { cluster: Record<string, unknown> };
  const { role, fronts, lag_ms } = health.cluster;
  assert.deepEqual([role, fronts], ['front', 2]);
  assert.ok((lag_ms as number) >= 0);
  const metrics = await (await fetch(running.url.replace('/api/v1', '/metrics'))).text();
  for (const label of ['engine', 'front-1', 'front-2'])
    assert.ok(metrics.includes(`overround_table_rows{process="${label}"} 6`), metrics.slice(0, 2_000));
  await survives(running, await streamsHold(running, streaming), streaming);
  assert.deepEqual(await end(running, ['engine', 'front-1', 'front-2']), { exit: [0, null], left: [] });
});
