// Random kills of every kind of process while odds go in and out: nothing that was acknowledged is lost, duplicated or
// reordered, and no reader sees a state that never was. OVERROUND_STORM_SEED sets the seed,
// OVERROUND_STORM_KILLS the number of kills, and OVERROUND_STORM_MINUTES for how long there are more of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { OverroundClient } from '../../../src/client/client.js';
import { BOOKS, bookOf, LEAGUES, rowsAt, seqOf, stormMessage } from '../../crash/storm.js';
import { LONG } from '../../long.js';
import { WITHOUT_NATS } from '../../support/nats-server.js';
import { type Link, proxyTo } from '../../support/tcp-proxy.js';
import { Random } from '../../world/random.js';
import { ALERT_HOSTS, NodeAlerts } from './node-alerts.js';
import { type ClusterRig, clusterRig, type Node, until } from './rig.js';

const SEED = Number(process.env['OVERROUND_STORM_SEED'] ?? 1);
const KILLS = Number(process.env['OVERROUND_STORM_KILLS'] ?? (LONG ? 100 : 0));
const MINUTES = Number(process.env['OVERROUND_STORM_MINUTES'] ?? 0);
const SKIP = WITHOUT_NATS || (KILLS + MINUTES === 0 ? 'takes minutes: OVERROUND_LONG_TESTS=1' : false);
/** Writes must succeed again within this time after a kill, with a margin for a busy machine. */
const BACK_MS = 15_000 * (LONG ? 1 : 3);
/** If it took longer, what the nodes answered is shown. */
const SLOW_MS = 10_000;
const REFUSALS_MAX = 1_000;
/** For the whole storm: its start and its last comparisons, and some of the slowest kills for each. */
const STORM_MS = 600_000 + KILLS * 30_000 + MINUTES * 60_000;
const KINDS = (process.env['OVERROUND_STORM_BLOWS'] ?? 'writer,standby,front,nats,stop,cut').split(',');

interface Row {
  id: string;
  sportsbook: string;
  league: string;
  odds_american: number;
}

class Storm {
  readonly rig: ClusterRig;
  readonly engines: Node[];
  readonly fronts: Node[];
  readonly random: Random;
  /** The last acknowledged message, and the last one sent. */
  acknowledged = -1;
  sent = -1;
  reads = 0;
  resumed = 0;
  stopped = false;
  #stopped: Node | undefined;
  /** Nodes that were killed and are not ready yet. */
  readonly #away = new Set<Node>();
  /** The node to which a message is being sent, and how to abort that. */
  #asked: { node: Node; giveUp: AbortController } | undefined;
  /** Answers to refused messages since the last fault. */
  #refusals: string[] = [];
  #blowMs = 0;
  /** How long writes failed (ms), by kind of fault. */
  readonly back = new Map<string, number[]>();

  readonly #say: (text: string) => void;
  readonly #networks: readonly (readonly Link[])[];

  constructor(rig: ClusterRig, networks: readonly (readonly Link[])[], seed: number, say: (text: string) => void) {
    this.rig = rig;
    this.#say = say;
    this.random = new Random(seed);
    // The last --cluster option counts: each engine reaches the servers through its own proxies.
    this.engines = networks.map((network, i) =>
      rig.node(`e${i}`, 'engine', ...ALERT_HOSTS, '--cluster', network.map(({ url }) => url).join(',')),
    );
    this.#networks = networks;
    this.fronts = ['f0', 'f1'].map((name) => rig.node(name, 'front'));
  }

  get nodes(): Node[] {
    return [...this.engines, ...this.fronts];
  }

  /** Sends message after message, each until it is accepted by any node that listens. */
  async post(): Promise<void> {
    for (let seq = 0; !this.stopped; seq++) {
      this.sent = seq;
      while (!this.stopped) {
        const node = this.#pick(this.nodes.filter(({ alive }) => alive));
        if (node !== undefined && (await this.#taken(node, seq))) break;
        await pause(20);
      }
      if (!this.stopped) this.acknowledged = seq;
      await pause(5);
    }
  }

  async #taken(node: Node, seq: number): Promise<boolean> {
    const giveUp = new AbortController();
    const askedMs = Date.now();
    const refused = (why: string): boolean => {
      if (this.#refusals.length < REFUSALS_MAX)
        this.#refusals.push(`${askedMs - this.#blowMs} to ${Date.now() - this.#blowMs} ms: ${node.name} ${why}`);
      return false;
    };
    this.#asked = { node, giveUp };
    try {
      const { status, body } = await node.ask('/api/v1/ingest', this.rig.key, {
        body: stormMessage(seq),
        timeoutMs: 8_000,
        signal: giveUp.signal,
      });
      return status === 200 || refused(`${status} ${body.error.message}`);
    } catch (error) {
      return refused(String(error));
    } finally {
      this.#asked = undefined;
    }
  }

  /**
   * Reads a front again and again: while it runs it answers, and it shows a state that existed, never an earlier one
   * than before.
   */
  async watch(front: Node): Promise<void> {
    const before = new Map<string, number>();
    while (!this.stopped) {
      await pause(10);
      if (!front.alive) before.clear();
      for (const league of LEAGUES) {
        const killed = this.#away.has(front);
        const rows = await this.#rows(front, league);
        if (typeof rows === 'string') {
          assert.ok(killed || this.#away.has(front), `${front.name} lives and did not answer a read: ${rows}`);
          continue;
        }
        this.reads++;
        for (const [book, seq] of statesOf(rows, league, front.name)) {
          const key = `${league} ${book}`;
          assert.ok(seq <= this.sent, `${front.name} shows ${key} ${seq}, which was not sent`);
          assert.ok(
            seq >= (before.get(key) ?? -1),
            `${front.name} went back from ${before.get(key)} to ${seq} of ${key}`,
          );
          before.set(key, seq);
        }
      }
    }
  }

  /** Or the reason why there are none. */
  async #rows(front: Node, league: string): Promise<Row[] | string> {
    try {
      const { status, body } = await front.ask(`/api/v1/odds?limit=200&league=${league}`, this.rig.key, {
        timeoutMs: 5_000,
      });
      return status === 200 ? (body.data as Row[]) : `${status} ${body.error.message}`;
    } catch (error) {
      return String(error);
    }
  }

  /** Injects one fault, and waits for the recovery from it. */
  async blow(): Promise<void> {
    const kind = KINDS[Math.floor(this.random.next() * KINDS.length)]!;
    const writer = this.engines.find((engine) => leads(engine)) ?? this.engines[0]!;
    const standby = this.engines.find((engine) => engine !== writer)!;
    const startedMs = Date.now();
    this.#blowMs = startedMs;
    this.#refusals = [];
    this.#say(`a blow to ${kind}; ${writer.name} writes`);
    const before = this.acknowledged;
    const restMs = this.random.next() * 1_500;
    const back = async (): Promise<void> => {
      await until(`writes after a blow to ${kind}`, () => this.acknowledged > before + 2, BACK_MS).catch((error) => {
        this.#say(`${this.#saidSince(startedMs)}\n${this.#refusals.join('\n')}`);
        throw error;
      });
      const ms = Date.now() - startedMs;
      this.back.set(kind, [...(this.back.get(kind) ?? []), ms]);
      if (ms > SLOW_MS)
        this.#say(`${ms} ms after ${kind}:\n${this.#saidSince(startedMs)}\n${this.#refusals.join('\n')}`);
    };
    if (kind === 'nats') {
      const server = this.rig.nats[Math.floor(this.random.next() * this.rig.nats.length)]!;
      await server.kill('SIGKILL');
      await back();
      await pause(restMs);
      server.start();
      // Three copies tolerate the loss of one server at a time: it must have caught up before the next fault.
      await pause(4_000);
      return;
    }
    if (kind === 'cut') {
      const network = this.#networks[this.engines.indexOf(writer)]!;
      for (const proxy of network) proxy.cut();
      await back();
      for (const proxy of network) proxy.heal();
      await pause(restMs);
      return;
    }
    if (kind === 'stop') {
      writer.signal('SIGSTOP');
      this.#stopped = writer;
      // A suspended process does not answer: clients must detect that by themselves.
      if (this.#asked?.node === writer) this.#asked.giveUp.abort();
      await back();
      writer.signal('SIGCONT');
      this.#stopped = undefined;
      await pause(restMs);
      return;
    }
    const node = kind === 'writer' ? writer : kind === 'standby' ? standby : this.#pick(this.fronts)!;
    this.#away.add(node);
    await node.kill('SIGKILL');
    await back();
    await pause(restMs);
    await node.start();
    await node.ready();
    this.#away.delete(node);
  }

  #saidSince(sinceMs: number): string {
    const said = this.nodes.flatMap(({ name, lines }) =>
      lines
        .filter((line) => line.startsWith('{"level"'))
        .map((line) => JSON.parse(line) as { time: string; msg: string; err?: { message: string } })
        .map(({ time, msg, err }) => ({
          ms: Date.parse(time) - sinceMs,
          text: `${name} ${msg} ${err?.message ?? ''}`,
        })),
    );
    return said
      .filter(({ ms }) => ms >= 0)
      .sort((a, b) => a.ms - b.ms)
      .map(({ ms, text }) => `${ms} ms: ${text}`)
      .join('\n');
  }

  #pick(nodes: readonly Node[]): Node | undefined {
    const awake = nodes.filter((node) => node !== this.#stopped);
    return awake[Math.floor(this.random.next() * awake.length)];
  }
}

function leads(engine: Node): boolean {
  const said = engine.lines.findLast((line) => /is started$|this node (?:no longer )?writes the log/.test(line));
  return engine.alive && said !== undefined && /this node writes/.test(said);
}

/** The state of each book in a league: unless all its rows agree, it is a state that never existed. */
function statesOf(rows: readonly Row[], league: string, where: string): Map<string, number> {
  const states = new Map<string, number>();
  for (const book of BOOKS) {
    const own = rows.filter(({ sportsbook }) => sportsbook === book);
    if (own.length === 0) continue;
    const seqs = new Set(own.map(({ odds_american }) => seqOf(odds_american)));
    assert.equal(seqs.size, 1, `${where} shows parts of several states of ${book} in ${league}: ${[...seqs].join()}`);
    const seq = [...seqs][0]!;
    assert.equal(own.length, rowsAt(seq), `${where} shows ${own.length} rows of ${book} in ${league} at ${seq}`);
    states.set(book, seq);
  }
  return states;
}

test(`${KILLS} or more random kills under a storm: no acknowledged quote lost, doubled or reordered, no state that never was`, {
  skip: SKIP,
  timeout: STORM_MS,
}, async (t) => {
  const made = await clusterRig(t, 3);
  const networks = await Promise.all([0, 1].map(() => Promise.all(made.nats.map(({ url }) => proxyTo(t, url)))));
  // Written at once, so that a run that is ended from outside has reported everything.
  const storm = new Storm(made, networks, SEED, (text) => process.stderr.write(`${text}\n`));
  const { rig, fronts, engines } = storm;
  // A test that failed in between must not keep the process alive with its messages and reads.
  t.after(() => {
    storm.stopped = true;
  });
  await engines[0]!.start();
  await Promise.all([engines[1]!, ...fronts].map((node) => node.start()));
  await Promise.all(storm.nodes.map((node) => node.ready()));
  // If it fails, the last lines of the engines are shown.
  t.after(() => {
    if (!ended) for (const node of storm.nodes) t.diagnostic(`${node.name}: ${node.lines.slice(-12).join('\n')}`);
  });
  let ended = false;
  await rig.makeKey();
  const alerts = await NodeAlerts.make(t, rig, fronts[0]!);
  const failures: unknown[] = [];
  const running = [storm.post(), ...fronts.map((front) => storm.watch(front))];
  for (const each of running) each.catch((error: unknown) => failures.push(error));

  // A stream that reconnects to any front that listens.
  const client = new OverroundClient({
    url: fronts[0]!.url,
    apiKey: rig.key,
    fetch: (input, init) => {
      const alive = fronts.filter((front) => front.alive);
      const front = alive[Math.floor(Math.random() * alive.length)] ?? fronts[0]!;
      const address = new URL(String(input));
      return fetch(`${front.url}${address.pathname}${address.search}`, init);
    },
  });
  const stream = client.stream(
    'odds',
    {},
    {
      onEvent: (event) => {
        if (event.type === 'started' && event.resumed) storm.resumed++;
      },
    },
  );
  t.after(() => stream.close());
  await stream.ready;

  const endMs = Date.now() + MINUTES * 60_000;
  for (let kill = 0; (kill < KILLS || Date.now() < endMs) && failures.length === 0; kill++) await storm.blow();
  storm.stopped = true;
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];

  const last = storm.sent;
  await until('the last message', async () => {
    const { status } = await fronts[0]!.ask('/api/v1/ingest', rig.key, { body: stormMessage(last) });
    return status === 200;
  });
  for (const node of storm.nodes)
    for (const league of LEAGUES)
      await until(`${node.name} to show everything of ${league}`, async () => {
        const { body } = await node.ask(`/api/v1/odds?limit=200&league=${league}`, rig.key);
        const states = statesOf(body.data as Row[], league, node.name);
        return [0, 1, 2, 3].every((i) => last - i < 0 || states.get(bookOf(last - i)) === last - i);
      });
  const shown = async (node: Node): Promise<[string, number][]> => {
    const pages = await Promise.all(
      LEAGUES.map((league) => node.ask(`/api/v1/odds?limit=200&league=${league}`, rig.key)),
    );
    return pages
      .flatMap(({ body }) => (body.data as Row[]).map((row) => [row.id, row.odds_american] as [string, number]))
      .sort();
  };
  const table = await shown(fronts[0]!);
  for (const node of storm.nodes) assert.deepEqual(await shown(node), table, node.name);
  await until(
    'the stream to stand where the tables stand',
    () =>
      JSON.stringify([...stream.table.odds].map(([id, row]) => [id, row.odds_american]).sort()) ===
      JSON.stringify(table),
  );
  const received = await alerts.showAtLast(table);
  ended = true;
  const anew = storm.nodes.flatMap(({ lines }) => lines.filter((line) => line.includes('starts anew')));
  t.diagnostic(
    `seed ${SEED}: ${storm.acknowledged + 1} messages acknowledged, ${storm.reads} reads, ${storm.resumed} resumes, ${anew.length} nodes began anew`,
  );
  t.diagnostic(`${received.messages} messages of an alert, ${received.again} of them sent again`);
  for (const [kind, times] of storm.back)
    t.diagnostic(`${times.length} blows to ${kind}: writes back after ${times.sort((a, b) => a - b).join(', ')} ms`);
});
