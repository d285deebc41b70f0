// Resumed streams of opportunities: across a restart, and after the release of a universe, in any universe.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { EventSource } from 'eventsource';
import { UNUSED_UNIVERSE_MS } from '../../../src/answers/opportunities/universes.js';
import { ManualClock } from '../../../src/base/model/clock.js';
import { proxyTo } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';
import { NOW_MS } from './examples.js';
import { complete, type Followed, GAME, ids, OTHER, served, serverIn } from './live-server.js';

type Server = Awaited<ReturnType<typeof serverIn>>;

const THIRD = { ...GAME, home_team: 'Miami Heat', away_team: 'Chicago Bulls' };

const lastId = ({ events }: Followed): string => events.findLast(({ id }) => id !== undefined && id !== '')!.id!;
const types = ({ events }: Followed): string[] => events.map(({ type }) => type);

/** A client that resumes with the state it had. */
async function again(server: Server, query: string, before: Followed, id = lastId(before)): Promise<Followed> {
  const client = await server.follow(`${query}&resume=true`, 'enterprise', id);
  for (const [key, item] of before.active) if (!client.active.has(key)) client.active.set(key, item);
  return client;
}

/** The ids that REST lists for the same request. */
async function listed(server: Server, query: string): Promise<string[]> {
  return ids(await server.get(`arbitrage?${query}`, 'enterprise')).map((id) => `arb ${id}`);
}

const arbitrages = ({ active }: Followed): string[] =>
  [...active.keys()].filter((key) => key.startsWith('arb ')).sort();

async function agree(server: Server, client: Followed, query: string): Promise<void> {
  const wanted = await listed(server, query);
  await client.until(() => arbitrages(client).join() === wanted.join());
}

async function begun(
  t: TestContext,
  query: string,
): Promise<{ first: Awaited<ReturnType<typeof served>>; client: Followed }> {
  const first = await served(t, 2);
  for (const game of [GAME, OTHER, THIRD]) await first.poll({ draftkings: [120, -140], fanduel: [-150, -105] }, game);
  const client = await first.follow(query, 'enterprise');
  await client.until(() => complete(client));
  assert.equal(arbitrages(client).length, 3);
  return { first, client };
}

const OWN = 'sportsbook=draftkings,fanduel';

for (const [what, query, rest] of [
  ['the books of a filter', `channel=opportunities&min_ev=2&${OWN}`, OWN],
  ['limits wider than usual', 'channel=opportunities&min_ev=-8&max_hold=15', ''],
  ['odds beside them', `channel=all&${OWN}`, OWN],
] as const)
  test(`a stream of ${what} resumes over a restart with exactly the active opportunities`, async (t) => {
    const { first, client } = await begun(t, query);
    client.close();
    first.clock.set(NOW_MS + 5_000);
    // With no client connected, but the universe still watched, one opportunity ends and one changes.
    await first.poll({ draftkings: [-120, -140] }, OTHER);
    await first.poll({ draftkings: [125, -140] }, THIRD);
    await first.close();
    const second = await serverIn(t, first.dataDir, new ManualClock(NOW_MS + 20_000), 2);
    // At once, before the shards have published what they have; and one ends that the store still has.
    const resumed = await again(second, query, client);
    await second.poll({ draftkings: [-120, -140] }, GAME);
    await agree(second, resumed, rest);
    assert.equal(arbitrages(resumed).length, 1);
    assert.equal(
      [...resumed.active.values()].find((item) => item['legs'] !== undefined)?.['legs'][0].odds_american,
      125,
    );
    assert.ok(!types(resumed).some((type) => type.startsWith('snapshot')), types(resumed).join(' '));
    assert.equal(resumed.events[0]!.data['resumed'], true);
  });

test('a released universe is remembered: a client with opportunities of it is sent their ends', async (t) => {
  const query = `channel=opportunities&${OWN}`;
  const { first, client } = await begun(t, query);
  client.close();
  const { universes } = first.server.opportunities;
  const before = universes.filteredCount;
  await client.until(() => first.server.broadcaster.subscriberCount === 0);
  first.clock.set(NOW_MS + 1_000);
  await first.poll({ draftkings: [-120, -140] }, OTHER);
  first.clock.set(NOW_MS + UNUSED_UNIVERSE_MS + 2_000);
  universes.sweep(0);
  assert.equal(universes.filteredCount, before - 1);
  await first.poll({ draftkings: [-120, -140] }, GAME);
  await first.poll({ draftkings: [125, -140], fanduel: [-150, -105] }, THIRD);
  const resumed = await again(first, query, client);
  await agree(first, resumed, OWN);
  assert.equal(arbitrages(resumed).length, 1);
  assert.equal(resumed.events[0]!.data['resumed'], true);
});

test('a client with a position from before the universe was watched starts over', async (t) => {
  const first = await served(t);
  await first.poll({ draftkings: [120, -140], fanduel: [-150, -105] });
  const other = await first.follow('channel=opportunities', 'enterprise');
  await other.until(() => complete(other));
  first.clock.set(NOW_MS + 1_000);
  await first.poll({ draftkings: [121, -140] });
  const client = await again(first, `channel=opportunities&${OWN}`, other);
  await client.until(() => complete(client));
  assert.deepEqual(types(client).slice(0, 3), ['connected', 'snapshot_required', 'snapshot']);
});

test("a browser's table is complete after a restart, wherever it was disconnected", async (t) => {
  const { first } = await begun(t, 'channel=all');
  const active = new Set<string>();
  const log: string[] = [];
  const key = first.key('enterprise');
  const proxy = await proxyTo(t, first.url);
  // The wait before it comes back is three seconds, as the stream says.
  const source = new EventSource(`${proxy.url}/api/v1/stream?channel=all&resume=true`, {
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, 'x-api-key': key } }),
  });
  t.after(() => source.close());
  let whole = false;
  source.addEventListener('connected', ({ data }) => {
    const { resumed } = JSON.parse(data) as { resumed: boolean };
    log.push(`connected ${resumed}`);
    if (!resumed) active.clear();
    whole = resumed;
  });
  source.addEventListener('snapshot_required', () => active.clear());
  const add = ({ data }: { data: string }) => {
    for (const { id } of (JSON.parse(data) as { odds: { id: string }[] }).odds) active.add(id);
  };
  source.addEventListener('snapshot', add);
  source.addEventListener('odds:added', add);
  source.addEventListener('odds:removed', ({ data }) => {
    for (const id of (JSON.parse(data) as { ids: string[] }).ids) active.delete(id);
  });
  source.addEventListener('snapshot:complete', () => {
    whole = true;
  });
  await until('the whole table', () => whole);
  const rows = active.size;
  assert.equal(rows, 12);
  proxy.drop();
  await first.close();
  const second = await serverIn(t, first.dataDir, new ManualClock(NOW_MS + 20_000), 2);
  proxy.to(second.url);
  await second.poll({ betmgm: [-130, 110] }, GAME);
  await until(
    () => `${rows + 2} rows of ${active.size}: ${log}`,
    () => active.size === rows + 2 && whole,
  );
  assert.deepEqual(log, ['connected false', 'connected true']);
  source.close();
});
