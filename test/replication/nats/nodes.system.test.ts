// A cluster of real processes on a real NATS server: two engines and a front over one log.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { bookOf, LEAGUES, rowsAt as rowsOfLeague, seqOf, stormMessage } from '../../crash/storm.js';
import { RawWs } from '../../front/ws/raw-ws.js';
import { event, message, moneyline } from '../../intake/ingest/messages.js';
import { WITHOUT_NATS } from '../../support/nats-server.js';
import { follow, type Sse, withoutAges } from '../../support/processes.js';
import { ALERT_HOSTS, NodeAlerts } from './node-alerts.js';
import { betsStream, correctedEverywhere, resultsStream } from './node-streams.js';
import { type ClusterRig, clusterRig, type Node, until } from './rig.js';

interface Row {
  id: string;
  sportsbook: string;
  league: string;
  odds_american: number;
}

/** All rows: each league has fewer than a page. */
async function rowsAt(node: Node, key: string): Promise<Row[]> {
  const pages = await Promise.all(
    LEAGUES.map(async (league) => {
      const { status, body } = await node.ask(`/api/v1/odds?limit=200&league=${league}`, key);
      assert.equal(status, 200, JSON.stringify(body));
      return body.data as Row[];
    }),
  );
  return pages.flat();
}

/** A node's rows in a fixed order. */
async function shown(node: Node, key: string): Promise<string> {
  const rows = await rowsAt(node, key);
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join('\n');
}

/** Repeats the message until it is accepted. */
async function post(node: Node, key: string, seq: number): Promise<void> {
  await until(`message ${seq} to be taken at ${node.name}`, async () => {
    const { status, body } = await node.ask('/api/v1/ingest', key, { body: stormMessage(seq) });
    assert.ok([200, 429, 503].includes(status), JSON.stringify(body));
    if (status === 503) assert.ok(body.error.retryAfter >= 1);
    return status === 200;
  });
}

async function shows(node: Node, key: string, seq: number): Promise<void> {
  await until(`${node.name} to show message ${seq}`, async () => {
    const own = (await rowsAt(node, key)).filter(({ sportsbook }) => sportsbook === bookOf(seq));
    return own.length > 0 && own.every(({ odds_american }) => seqOf(odds_american) === seq);
  });
}

interface ThreeNodes {
  rig: ClusterRig;
  first: Node;
  second: Node;
  front: Node;
  /** A key of an account of its own. */
  pro: { id: string; key: string };
}

async function threeNodes(t: TestContext): Promise<ThreeNodes> {
  const rig = await clusterRig(t);
  const first = rig.node('first', 'all', ...ALERT_HOSTS);
  const second = rig.node('second', 'engine', ...ALERT_HOSTS);
  const front = rig.node('front', 'front');
  await first.start();
  await Promise.all([second.start(), front.start()]);
  await Promise.all([first, second, front].map((node) => node.ready()));
  const pro = JSON.parse(rig.cli('keys', 'create', '--tier', 'pro')) as ThreeNodes['pro'];
  return { rig, first, second, front, pro };
}

test('engines and fronts share one log: odds ingested at any node are served by all, also after the writer was killed', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const { rig, first, second, front, pro } = await threeNodes(t);
  const { key } = rig;
  const nodes = [first, second, front];
  const alerts = await NodeAlerts.make(t, rig, front);
  await alerts.refuses(nodes, pro.key);
  for (const [seq, node] of nodes.entries()) {
    await post(node, key, seq);
    // A client that posted sees the change at once.
    const own = (await rowsAt(node, key)).filter(({ sportsbook }) => sportsbook === bookOf(seq));
    assert.ok(own.length > 0 && own.every(({ odds_american }) => seqOf(odds_american) === seq), node.name);
  }
  for (const node of nodes) await shows(node, key, 2);
  const states = await Promise.all(nodes.map((node) => shown(node, key)));
  assert.equal(states[1], states[0]);
  assert.equal(states[2], states[0]);
  await opportunitiesAlike(nodes, key);
  const writer = await oneWriter(nodes, key);
  await alerts.received([0, 1, 2]);
  await alerts.shown(nodes);
  await resultsStream(t, first, front, key);
  await betsStream(t, first, front, key);
  await correctedEverywhere(nodes, key, pro.key);

  const left = await listen(t, first, key);
  const listening = await listen(t, front, key);
  for (const { events } of [left, listening])
    await until('a snapshot', () => events.some(({ type }) => type === 'snapshot:complete'));
  left.close();
  await first.kill('SIGKILL');
  const refused = await front.ask('/api/v1/ingest', key, { body: stormMessage(3) });
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'], 'nobody writes');
  // Reads continue at the other nodes.
  assert.equal(await shown(front, key), states[0]);
  await post(front, key, 3);
  await shows(second, key, 3);
  await shows(front, key, 3);
  assert.notEqual(await oneWriter([second, front], key), writer);
  await receivedOnce(listening, 3);
  // The last id from one node is where the stream resumes at another, under a new writer.
  const { id } = left.events.findLast((each) => each.id !== '')!;
  for (const node of [second, front]) {
    await receivedOnce(await listen(t, node, key, id), 3);
    const { added, resumed } = await resume(t, node, key, Number(id.slice('evt_'.length)));
    assert.deepEqual([added, resumed], [LEAGUES.length * rowsOfLeague(3), true], node.name);
  }

  await alerts.received([0, 1, 2, 3]);
  await alerts.shown([second, front]);
  await alerts.remove(front);

  // The killed engine returns as a standby and catches up.
  await first.start();
  await first.ready();
  await shows(first, key, 3);
  await askedAlone(t, first, [second, front], key);
  await post(first, key, 4);
  const after = await Promise.all(nodes.map((node) => shows(node, key, 4).then(() => shown(node, key))));
  assert.equal(after[1], after[0]);
  assert.equal(after[2], after[0]);
  await opportunitiesAlike([second, first, front], key);
  await nothingWithoutTheStream(rig, nodes, 5);

  // The writer's machine is replaced, with all its data.
  await second.kill('SIGTERM');
  rmSync(join(rig.folder, second.name), { recursive: true });
  await post(front, key, 5);
  await second.start();
  await second.ready();
  const replaced = await Promise.all(nodes.map((node) => shows(node, key, 5).then(() => shown(node, key))));
  assert.equal(replaced[1], replaced[0]);
  assert.equal(replaced[2], replaced[0]);

  await listsAlike(nodes, key);

  await movesAndHistory(nodes, key);
  await alerts.gone(nodes, [0, 1, 2, 3]);

  // If its disk refuses to store the place in the log, the engine continues.
  mkdirSync(join(rig.folder, first.name, 'cluster.json.new'));
  const complained = (): boolean => first.lines.some((line) => line.includes('place in the log could not be kept'));
  await until('the disk to refuse', complained);

  // A key that was revoked by a command is refused by every node a second later.
  for (const node of nodes) assert.equal((await node.ask('/api/v1/odds?limit=1', pro.key)).status, 200);
  rig.cli('keys', 'revoke', pro.id);
  const endedMs = performance.now();
  await Promise.all(nodes.map((node) => refusesAfter(node, pro.key, endedMs)));

  // Without any engine a front still serves its table.
  const last = await shown(front, key);
  await Promise.all([first, second].map((node) => node.kill('SIGKILL')));
  await until('the front to know of no writer', async () => (await clusterOf(front, key)).writer === null);
  const unwritten = await front.ask('/api/v1/ingest', key, { body: stormMessage(50) });
  assert.deepEqual([unwritten.status, unwritten.body.error.code], [503, 'unavailable']);
  await alerts.unavailable(front);
  assert.equal(await shown(front, key), last);
  assert.equal((await front.ask('/readyz', '')).status, 200);
  assert.equal(listening.ended, false, 'a stream stays open through every change of writer');
});

interface ClusterBody {
  role: string;
  writer: string | null;
  position: number;
  lag_ms: number;
  fronts: number;
}

async function clusterOf(node: Node, key: string): Promise<ClusterBody> {
  return (await node.ask('/api/v1/health', key)).body.cluster as ClusterBody;
}

/** Checks that all nodes agree on the writer and on the number of fronts; returns the writer. */
async function oneWriter(nodes: readonly Node[], key: string): Promise<string> {
  const fronts = nodes.filter(({ role }) => role !== 'engine').length;
  let writer = '';
  for (const node of nodes) {
    await until(`${node.name} to tell of the writer and ${fronts} fronts`, async () => {
      const status = await clusterOf(node, key);
      writer ||= status.writer ?? '';
      return status.fronts === fronts && status.writer !== null && status.writer === writer;
    });
    const { role, position, lag_ms } = await clusterOf(node, key);
    assert.equal(role, node.role);
    assert.ok(position > 0 && lag_ms >= 0, `${position} ${lag_ms}`);
    const metrics = await (await fetch(`${node.url}/metrics`)).text();
    assert.match(metrics, /^overround_follow_lag_seconds \d/m);
    assert.match(metrics, /^overround_lease_changes_total [1-9]/m);
  }
  return writer;
}

const LISTS = [
  'opportunities/arbitrage?min_profit=0&',
  'opportunities/ev?min_ev=-1&',
  'opportunities/low_hold?',
  'moves?',
];

/** At one position every node shows the same opportunities and moves, also in a universe that a client requested. */
async function opportunitiesAlike(nodes: readonly Node[], key: string): Promise<void> {
  for (const [book, home, away] of [
    ['draftkings', 105, -130],
    ['fanduel', -115, 125],
    ['pinnacle', -105, -105],
    // A price a tenth shorter is a move.
    ['draftkings', -120, -130],
  ] as const) {
    // A game of its own: the first one has a result by the second time.
    const game = { league: 'mlb', home_team: `Home of ${nodes[0]!.name}`, start_time: '2090-01-01T20:00:00Z' };
    const priced = event([moneyline(home, away)], game);
    const body = message([priced], { book, polled_at: new Date().toISOString() });
    assert.equal((await nodes[0]!.ask('/api/v1/ingest', key, { body })).status, 200);
  }
  const found = await listsAlike(nodes, key, ['', '&sportsbook=draftkings,fanduel,pinnacle']);
  for (const list of [LISTS[0]!, LISTS.at(-1)!]) assert.ok(found.get(list)! > 0, list);
}

/** Returns the number of entries of each list. */
async function listsAlike(nodes: readonly Node[], key: string, queries = ['']): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const list of LISTS)
    for (const query of queries) {
      const path = `/api/v1/${list}limit=200${query}`;
      let alike: unknown[][] = [];
      await until(`${path} at one position`, async () => {
        const answers = await Promise.all(nodes.map((node) => node.ask(path, key)));
        const positions = new Set(answers.map(({ headers }) => headers.get('x-position')));
        alike = answers.map(({ body }) => body.data as unknown[]);
        return positions.size === 1;
      });
      for (const [i, other] of alike.entries())
        assert.deepEqual(
          withoutAges(other),
          withoutAges(alike[0]!),
          `${path} of ${nodes[i]!.name} as of ${nodes[0]!.name}`,
        );
      found.set(list, (found.get(list) ?? 0) + alike[0]!.length);
    }
  return found;
}

async function listen(t: TestContext, node: Node, key: string, lastId = ''): Promise<Sse> {
  const abort = new AbortController();
  t.after(() => abort.abort());
  const headers = { 'x-api-key': key, ...(lastId === '' ? {} : { 'last-event-id': lastId }) };
  const path = `${node.url}/api/v1/stream?channel=odds&resume=true`;
  return follow(await fetch(path, { headers, signal: abort.signal }), abort);
}

/** After its snapshot, or from where it resumed, a stream receives every row of a new book once, and nothing else. */
async function receivedOnce({ events }: Sse, seq: number): Promise<void> {
  const rows = LEAGUES.length * rowsOfLeague(seq);
  const received = (): { type: string; ids: string[] }[] =>
    events
      .slice(events.findLastIndex(({ type }) => type === 'connected' || type === 'snapshot:complete') + 1)
      .filter(({ type }) => type !== 'heartbeat')
      .map(({ type, data }) => ({ type, ids: (JSON.parse(data) as { odds: Row[] }).odds.map(({ id }) => id) }));
  const ids = (): string[] => received().flatMap((each) => each.ids);
  await until(`${rows} rows to be sent`, () => ids().length >= rows);
  assert.deepEqual(new Set(received().map(({ type }) => type)), new Set(['odds:added']));
  assert.deepEqual([ids().length, new Set(ids()).size], [rows, rows]);
}

/**
 * Resumes over a WebSocket from a position; returns how many rows were replayed, and whether no snapshot was needed.
 */
async function resume(
  t: TestContext,
  node: Node,
  key: string,
  position: number,
): Promise<{ added: number; resumed: unknown }> {
  const query = { api_key: key, channels: 'odds', resume: 'true', from_seq: String(position) };
  const client = new RawWs(node, query);
  t.after(() => client.socket.terminate());
  const { resumed } = await client.frame('snapshot:complete');
  const added = client.frames
    .filter(({ type }) => type === 'odds:added')
    .reduce((sum, frame) => sum + (frame['data'] as unknown[]).length, 0);
  client.socket.terminate();
  return { added, resumed };
}

/**
 * A standby that alone evaluated a universe shows a position without changes for the other nodes: all of them reach it.
 */
async function askedAlone(t: TestContext, alone: Node, others: readonly Node[], key: string): Promise<void> {
  const { headers } = await alone.ask('/api/v1/opportunities/arbitrage?min_profit=0&sportsbook=betmgm,caesars', key);
  const position = Number(headers.get('x-position'));
  for (const node of others) {
    const { status, headers } = await node.ask(`/api/v1/odds?limit=1&min_position=${position}`, key);
    assert.deepEqual([status, headers.get('x-position')], [200, String(position)], node.name);
    assert.deepEqual(await resume(t, node, key, position), { added: 0, resumed: true }, node.name);
  }
}

/** While the stream accepts nothing, no message is acknowledged, and reads continue. */
async function nothingWithoutTheStream({ nats, key }: ClusterRig, nodes: readonly Node[], seq: number): Promise<void> {
  await nats[0]!.kill('SIGSTOP');
  const answers = nodes.map((node) =>
    node.ask('/api/v1/ingest', key, { body: stormMessage(seq), timeoutMs: 1_500 }).then(
      ({ status }) => status,
      () => 'no answer',
    ),
  );
  for (const node of nodes) await rowsAt(node, key);
  for (const answer of await Promise.all(answers)) assert.notEqual(answer, 200);
  await nats[0]!.kill('SIGCONT');
  await post(nodes[0]!, key, seq);
}

/**
 * A price that goes up by a fifth, and its history: a front has the move from the log and the history from the writer.
 */
async function movesAndHistory(nodes: readonly Node[], key: string): Promise<void> {
  const seq = 40;
  await post(nodes[2]!, key, seq);
  const query = `sportsbook=${bookOf(seq)}&league=${LEAGUES[0]}&limit=1`;
  const moves: string[] = [];
  for (const node of nodes) {
    await shows(node, key, seq);
    const { status, body } = await node.ask('/api/v1/moves?kind=drop&limit=200', key);
    assert.equal(status, 200, JSON.stringify(body));
    moves.push(
      (body.data as { id: string }[])
        .map(({ id }) => id)
        .sort()
        .join('\n'),
    );
    const { id } = (await node.ask(`/api/v1/odds?${query}`, key)).body.data[0] as { id: string };
    // History is written asynchronously.
    await until(`${node.name} to have the history`, async () => {
      const { body: history } = await node.ask(`/api/v1/odds/history?odds_id=${id}`, key);
      const points = history.data.flatMap((row: { points: { odds_american: number }[] }) => row.points);
      const seqs = points.map(({ odds_american }: { odds_american: number }) => seqOf(odds_american));
      // A front returns the history of the present writer, which was the writer, died, followed and is the writer
      // again.
      if (node.role === 'front') assert.deepEqual(seqs.slice(0, 2), [0, 4]);
      return seqs.at(-1) === seq;
    });
  }
  assert.notEqual(moves[0], '');
  assert.deepEqual(moves, [moves[0], moves[0], moves[0]]);
}

async function refusesAfter(node: Node, key: string, endedMs: number): Promise<void> {
  for (;;) {
    const askedMs = performance.now();
    const { status } = await node.ask('/api/v1/odds?limit=1', key);
    if (status === 401) return;
    assert.equal(status, 200);
    await pause(20);
    assert.ok(askedMs - endedMs < 1_000, `${node.name} lets a key in ${askedMs - endedMs} ms after its end`);
  }
}
