import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { NewsWalk, OpportunityNews, OpportunityViews } from '../../../src/answers/opportunities/views.js';
import { interestOf } from '../../broadcast/interests.js';
import { TestClient } from '../../broadcast/wire.js';
import { poll, settle, World } from '../../broadcast/world.js';

const MONEYLINE = [{ market: 'moneyline' as const, line: 0, price: -110 }];

/** A source controlled by the test. */
class HandSource implements OpportunityViews {
  ready = true;
  activeNow: OpportunityNews[] = [];
  changes: OpportunityNews[] = [];
  requested: number[] = [];
  /** By default the ids are the items themselves. */
  text: (id: string) => string = (id) => id;
  /** For each client, whether it resumes. */
  resumes: (boolean | undefined)[] = [];
  claim() {
    return () => undefined;
  }

  open() {
    const source = this;
    return {
      get ready() {
        return source.ready;
      },
      reaches: () => true,
      active: () => source.activeNow,
      changesSince: (after: number, _nowMs: number, resumed?: boolean) => {
        source.requested.push(after);
        source.resumes.push(resumed);
        return source.changes;
      },
      activeAt: () => [],
      activeWalk: () => source.activeNow.map((list) => source.#walk(list)),
      changesWalk: () => [],
      text: (id: string) => source.text(id),
      close: () => undefined,
    };
  }

  #walk({ kind, detected }: OpportunityNews): NewsWalk {
    return {
      from: 0,
      kinds: [kind],
      lost: () => false,
      take: (from, to, bytesMax) => {
        let at = from;
        for (let bytes = 0; at < Math.min(to ?? detected.length, detected.length) && bytes < bytesMax; at++)
          bytes += this.text(detected[at]!).length;
        const news = [{ kind, detected: detected.slice(from, at), expired: [] }];
        return { news, next: at < detected.length ? at : null };
      },
    };
  }
}

function start(t: TestContext): { world: World; source: HandSource } {
  const source = new HandSource();
  const world = new World({ opportunities: source });
  t.after(() => world.broadcaster.close());
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: MONEYLINE }]));
  return { world, source };
}

const item = (id: string) => JSON.stringify({ id, ev_percentage: 3 });

function types(client: TestClient): string[] {
  return client.frames.map(({ type }) => type);
}

test('opportunities that are active when a client connects are sent between the rows and snapshot:complete', async (t) => {
  const { world, source } = start(t);
  source.activeNow = [{ kind: 'ev', detected: [item('a'), item('b')], expired: [] }];
  const sse = new TestClient(world, 'sse', interestOf(world, {}, ['odds', 'ev', 'arbitrage']));
  sse.connect();
  assert.deepEqual(types(sse), ['snapshot', 'ev:detected', 'snapshot:complete']);
  assert.deepEqual(sse.frames[1]!.value, [JSON.parse(item('a')), JSON.parse(item('b'))]);
  const ws = new TestClient(world, 'ws-json', interestOf(world, {}, ['ev', 'arbitrage']));
  ws.connect();
  // One frame per kind, even if nothing is active; no rows if odds were not requested.
  assert.deepEqual(types(ws), ['opportunities_snapshot', 'opportunities_snapshot', 'snapshot:complete']);
  assert.deepEqual(ws.table.opportunities.ev.size, 2);
});

test('the channel opportunities has one empty snapshot chunk over SSE, so that every channel has the same sequence', async (t) => {
  const { world } = start(t);
  const client = new TestClient(world, 'sse', interestOf(world, {}, ['ev']));
  client.connect();
  assert.deepEqual(client.frames[0], {
    type: 'snapshot',
    value: { odds: [], count: 0, total: 0, offset: 0, has_more: false },
  });
  assert.deepEqual((client.frames[1]!.value as { total_odds: number }).total_odds, 0);
});

test('more opportunities than fit into one frame follow as detected', async (t) => {
  const { world, source } = start(t);
  source.activeNow = [
    { kind: 'middle', detected: Array.from({ length: 1_300 }, (_, i) => item(String(i))), expired: [] },
  ];
  const client = new TestClient(world, 'ws-msgpack', interestOf(world, {}, ['middles']));
  client.connect();
  await settle();
  const counts = client.frames.map(({ type, value }) => `${type} ${(value as { count?: number }).count}`);
  const full = 'middles:detected 250';
  assert.deepEqual(counts.slice(0, 6), ['opportunities_snapshot 250', full, full, full, full, 'middles:detected 50']);
  assert.equal(client.table.opportunities.middles.size, 1_300);
});

test('a client waits for a universe that is still being computed, and gets heartbeats meanwhile', async (t) => {
  const { world, source } = start(t);
  source.ready = false;
  const client = new TestClient(world, 'sse', interestOf(world, {}, ['odds', 'ev']));
  client.connect();
  world.beat();
  assert.deepEqual(types(client), ['snapshot', 'heartbeat']);
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 1, quotes: MONEYLINE }]));
  await settle();
  assert.deepEqual(types(client), ['snapshot', 'heartbeat']);
  source.ready = true;
  source.activeNow = [{ kind: 'ev', detected: [item('a')], expired: [] }];
  const newsFrom = world.table.position;
  world.broadcaster.changed();
  await settle();
  assert.deepEqual(types(client).slice(2), ['ev:detected', 'snapshot:complete', 'odds:added']);
  // What was sent as active is not read again.
  assert.deepEqual(source.requested, [newsFrom]);
});

test('changes of opportunities are sent with the tick, and only its last event has the id', async (t) => {
  const { world, source } = start(t);
  const client = new TestClient(world, 'sse', interestOf(world, {}, ['odds', 'ev', 'arbitrage']));
  client.connect();
  const ws = new TestClient(world, 'ws-json', interestOf(world, {}, ['arbitrage']));
  ws.connect();
  source.changes = [
    { kind: 'ev', detected: [], expired: ['x', 'y'] },
    { kind: 'arbitrage', detected: [item('c')], expired: [] },
  ];
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 1, quotes: MONEYLINE }]));
  await settle();
  assert.deepEqual(types(client).slice(2), ['odds:added', 'ev:expired', 'arb:detected']);
  assert.deepEqual((client.frames[3]!.value as { expired: string[] }).expired, ['x', 'y']);
  assert.match((client.frames[3]!.value as { timestamp: string }).timestamp, /^2026-11-20T18:00:00\.\d{3}Z$/);
  assert.deepEqual(client.positions.length, 2);
  assert.equal(client.position, world.table.position);
  const detected = ws.frames.find(({ type }) => type === 'arb:detected')!.value as Record<string, unknown>;
  assert.deepEqual([detected['count'], detected['global_seq']], [1, world.table.position]);
  assert.deepEqual([...ws.table.opportunities.arbitrage.keys()], ['c']);
});

test('a source is notified once of a client that resumes', async (t) => {
  const { world, source } = start(t);
  const client = new TestClient(world, 'ws-json', interestOf(world, {}, ['ev']));
  client.connect();
  client.vanish(0);
  for (const game of [0, 1] as const) {
    world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game, quotes: [{ ...MONEYLINE[0]!, price: -130 }] }]));
    if (game === 0) client.connect();
    await settle();
  }
  assert.deepEqual(source.resumes, [true, false]);
});

test('scores of live games are sent when a client connects and when they change; ended games are removed', async (t) => {
  const { world } = start(t);
  const state = (home_score: number, status: 'live' | 'ended' = 'live') => {
    const message = poll(world, 'fanduel', 'nba', 'none', [{ game: 0, quotes: MONEYLINE, live: status === 'live' }]);
    Object.assign(message.events![0]!, { status, game_state: { home_score, away_score: 0 } });
    world.ingest(message);
  };
  state(1);
  const client = new TestClient(world, 'ws-json', interestOf(world, {}, ['gamestate']));
  client.connect();
  assert.deepEqual(types(client), ['gamestate:snapshot', 'snapshot:complete']);
  const { positions } = client;
  state(1);
  await settle();
  assert.equal(positions.length, 1, 'nothing where no score moved');
  state(2);
  await settle();
  const [game] = client.table.games.values();
  assert.equal((game!['game_state'] as { home_score: number }).home_score, 2);
  const left = client.position;
  client.vanish(0);
  state(2, 'ended');
  const later = new TestClient(world, 'ws-json', interestOf(world, {}, ['gamestate']));
  later.connect();
  assert.deepEqual(types(later), ['gamestate:snapshot', 'snapshot:complete']);
  client.position = left;
  client.connect();
  await settle();
  assert.equal(client.table.games.size, 0);
  assert.equal(
    (client.frames.find(({ value }) => (value as { replay?: boolean }).replay) ?? assert.fail('no replay')).type,
    'gamestate:update',
  );
  const removed = client.frames.filter(({ type }) => type === 'gamestate:removed');
  assert.deepEqual(
    removed.map(({ value }) => (value as { ids: string[] }).ids),
    [[game!['event_id']]],
  );
  // What is said of it afterwards is no second removal, and a game that never was live is none.
  state(3, 'ended');
  await settle();
  assert.equal(client.frames.filter(({ type }) => type === 'gamestate:removed').length, 1);
});

test('a heartbeat has an id only if that is a later position', async (t) => {
  const { world } = start(t);
  const client = new TestClient(world, 'sse', interestOf(world, { league: 'nfl' }));
  client.connect();
  world.beat();
  assert.equal(client.positions.length, 1);
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 1, quotes: MONEYLINE }]));
  await settle();
  assert.equal(client.positions.length, 1, 'nothing for this filter');
  world.beat();
  world.beat();
  assert.equal(client.positions.length, 2);
  assert.equal(client.position, world.table.position);
});

test('links in rows are those of the requested state', async (t) => {
  const { world } = start(t);
  const at = (state: string) => {
    const client = new TestClient(world, 'sse', interestOf(world, {}, ['odds'], state));
    client.connect();
    return [...client.table.odds.values()].map((row) => row.deep_link);
  };
  world.ingest(poll(world, 'betmgm', 'nba', 'event', [{ game: 0, quotes: MONEYLINE }]));
  const [pa, nj] = [at('pa'), at('nj')];
  assert.equal(pa.length, nj.length);
  assert.notDeepEqual(pa, nj);
});

test('the memory for a client that never reads does not grow with the active opportunities', async (t) => {
  const { world, source } = start(t);
  source.text = (id) => `{"id":"${id}","text":"${id.padEnd(1_000, '.')}"}`;
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const bytesEach = async (active: number): Promise<number> => {
    const ids = Array.from({ length: active }, (_, i) => `id-${i}`);
    source.activeNow = [{ kind: 'ev', detected: ids, expired: [] }];
    const clients: TestClient[] = [];
    const join = async (count: number): Promise<number> => {
      for (let i = 0; i < count; i++) {
        // Each at another time, so that no two share a list.
        world.clock.set(world.clock.now() + 1);
        const client = new TestClient(world, 'sse', interestOf(world, {}, ['ev']));
        client.connect(true);
        clients.push(client);
      }
      await settle();
      gc();
      return process.memoryUsage().heapUsed;
    };
    const before = await join(5);
    return ((await join(40)) - before) / 40;
  };
  const few = await bytesEach(1_000);
  assert.ok(few < 64 * 1024, `${few} bytes a client`);
  const many = await bytesEach(20_000);
  assert.ok(many < 64 * 1024, `${many} bytes a client`);
});
