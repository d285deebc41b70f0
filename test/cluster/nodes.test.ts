// A cluster of real processes on a real NATS server: two engines and a front over one log.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { bookOf, LEAGUES, seqOf, stormMessage } from '../crash/storm.js';
import { WITHOUT_NATS } from './nats-server.js';
import { type ClusterRig, clusterRig, type Node, until } from './rig.js';

interface Row {
  sportsbook: string;
  league: string;
  odds_american: number;
}

/** All there are: a league has fewer than a page holds. */
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

/** What a node shows, in an order of its own. */
async function shown(node: Node, key: string): Promise<string> {
  const rows = await rowsAt(node, key);
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join('\n');
}

/** Sends until it is taken. */
async function post(node: Node, key: string, seq: number): Promise<void> {
  await until(async () => {
    const { status, body } = await node.ask('/api/v1/ingest', key, { body: stormMessage(seq) });
    assert.ok([200, 429, 503].includes(status), JSON.stringify(body));
    if (status === 503) assert.ok(body.error.retryAfter >= 1);
    return status === 200;
  }, `message ${seq} to be taken at ${node.name}`);
}

async function shows(node: Node, key: string, seq: number): Promise<void> {
  await until(async () => {
    const own = (await rowsAt(node, key)).filter(({ sportsbook }) => sportsbook === bookOf(seq));
    return own.length > 0 && own.every(({ odds_american }) => seqOf(odds_american) === seq);
  }, `${node.name} to show message ${seq}`);
}

async function threeNodes(t: TestContext): Promise<{ rig: ClusterRig; first: Node; second: Node; front: Node }> {
  const rig = await clusterRig(t);
  const [first, second, front] = [rig.node('first', 'all'), rig.node('second', 'engine'), rig.node('front', 'front')];
  await first.start();
  await Promise.all([second.start(), front.start()]);
  await Promise.all([first, second, front].map((node) => node.ready()));
  return { rig, first, second, front };
}

test('engines and fronts share one log: odds go in anywhere and come out everywhere, also after the writer was killed', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const { rig, first, second, front } = await threeNodes(t);
  const { key } = rig;
  const nodes = [first, second, front];
  for (const [seq, node] of nodes.entries()) {
    await post(node, key, seq);
    // Who has posted sees it at once.
    const own = (await rowsAt(node, key)).filter(({ sportsbook }) => sportsbook === bookOf(seq));
    assert.ok(own.length > 0 && own.every(({ odds_american }) => seqOf(odds_american) === seq), node.name);
  }
  for (const node of nodes) await shows(node, key, 2);
  const states = await Promise.all(nodes.map((node) => shown(node, key)));
  assert.equal(states[1], states[0]);
  assert.equal(states[2], states[0]);

  await first.kill('SIGKILL');
  // Reads go on where nobody was killed.
  assert.equal(await shown(front, key), states[0]);
  await post(front, key, 3);
  await shows(second, key, 3);
  await shows(front, key, 3);

  // The one that was killed comes back behind the other, with what it missed.
  await first.start();
  await first.ready();
  await shows(first, key, 3);
  await post(first, key, 4);
  const after = await Promise.all(nodes.map((node) => shows(node, key, 4).then(() => shown(node, key))));
  assert.equal(after[1], after[0]);
  assert.equal(after[2], after[0]);

  // A machine is replaced: the writer's, with everything on it.
  await second.kill('SIGTERM');
  rmSync(join(rig.folder, second.name), { recursive: true });
  await post(front, key, 5);
  await second.start();
  await second.ready();
  const replaced = await Promise.all(nodes.map((node) => shows(node, key, 5).then(() => shown(node, key))));
  assert.equal(replaced[1], replaced[0]);
  assert.equal(replaced[2], replaced[0]);

  await movesAndHistory(nodes, key);

  // A key that one command ends: what is asked a second later is refused everywhere.
  const made = JSON.parse(rig.cli('keys', 'create', '--tier', 'pro')) as { id: string; key: string };
  for (const node of nodes) assert.equal((await node.ask('/api/v1/odds?limit=1', made.key)).status, 200);
  rig.cli('keys', 'revoke', made.id);
  const endedMs = performance.now();
  await Promise.all(nodes.map((node) => refusesAfter(node, made.key, endedMs)));
});

/** A price that a fifth is added to, and what it was: a front has it of the log and of the writer. */
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
    // It is written beside the way of a price.
    await until(async () => {
      const { body: history } = await node.ask(`/api/v1/odds/history?odds_id=${id}`, key);
      const points = history.data.flatMap((row: { points: { odds_american: number }[] }) => row.points);
      return seqOf(points.at(-1).odds_american) === seq;
    }, `${node.name} to have the history`);
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
