// The writer's lease: nodes competing for it in a NATS server's bucket.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { KV } from '@nats-io/kv';
import { encode } from '../../../src/base/wire/codec.js';
import { Lease, type LeaseTimes } from '../../../src/replication/nats/lease.js';
import { type ClusterNats, connectCluster } from '../../../src/replication/nats/nats.js';
import { beforeNatsEnds, startNats, WITHOUT_NATS } from '../../support/nats-server.js';
import { until } from './rig.js';

/** Another takes the lease of a holder that stands still, and not of one that a busy machine holds up for a moment. */
const FOLLOWED: LeaseTimes = { leaseMs: 2_000, renewMs: 50, giveUpMs: 60_000 };

/** A node with a lease; its requests can be delayed, as in a suspended process, or fail. */
class Candidate {
  readonly lease: Lease;
  readonly terms: number[] = [];
  lost = 0;
  fails = false;
  fit = true;
  /** It becomes unfit while the servers take the lease. */
  spoilt = false;
  #pause: AbortController | undefined;
  #asking: Promise<unknown> | undefined;

  constructor(t: TestContext, name: string, state: KV, times: LeaseTimes, onUnanswered = (): void => undefined) {
    const asked = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
      if (this.#pause !== undefined) await once(this.#pause.signal, 'abort');
      if (this.fails) throw new Error('nobody answers');
      const asking = ask();
      this.#asking = asking;
      return asking;
    };
    const taken = async (ask: () => Promise<number>): Promise<number> => {
      const revision = await asked(ask);
      if (this.spoilt) {
        this.fit = false;
        this.lease.giveUp();
      }
      return revision;
    };
    const watched = {
      get: (key: string) => asked(() => state.get(key)),
      create: (key: string, value: Uint8Array) => taken(() => state.create(key, value)),
      update: (key: string, value: Uint8Array, revision: number) => taken(() => state.update(key, value, revision)),
    };
    this.lease = new Lease({
      state: watched as unknown as KV,
      node: name,
      mayHold: () => this.fit,
      onHeld: (term) => this.terms.push(term),
      onLost: () => this.lost++,
      onHolder: () => undefined,
      onTrouble: () => undefined,
      onUnanswered,
      times,
    });
    beforeNatsEnds(t, () => {
      this.goOn();
      return this.lease.close();
    });
  }

  /** Resolves when no request is under way any more. */
  async standStill(): Promise<void> {
    this.#pause = new AbortController();
    await this.#asking?.catch(() => undefined);
  }

  goOn(): void {
    this.#pause?.abort();
    this.#pause = undefined;
  }
}

function connected(url: string): Promise<ClusterNats> {
  return connectCluster({ servers: [url], clusterName: 'odds', connectionName: 'lease' }, null);
}

async function candidates(
  t: TestContext,
  times: LeaseTimes,
): Promise<[holder: Candidate, other: Candidate, url: string]> {
  const [server] = await startNats(t);
  const nats = await connected(server!.url);
  const [holder, other] = [new Candidate(t, 'a', nats.state, times), new Candidate(t, 'b', nats.state, times)];
  beforeNatsEnds(t, () => nats.close());
  holder.lease.start();
  await until('the first to hold the lease', () => holder.terms.length === 1);
  other.lease.start();
  await until('the second to see who holds it', () => other.lease.holder === 'a');
  return [holder, other, server!.url];
}

test('a suspended holder is followed by another in a higher term, and is refused when it continues', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const [holder, other] = await candidates(t, FOLLOWED);
  await holder.standStill();
  await until('another to hold the lease', () => other.terms.length === 1);
  assert.ok(other.terms[0]! > holder.terms[0]!);
  assert.deepEqual([holder.lost, holder.lease.holds], [0, true], 'it does not know');
  holder.goOn();
  await until('the first to be refused', () => holder.lost === 1);
  assert.deepEqual([holder.lease.holds, other.lease.holds, other.lost], [false, true, 0]);
  await until('the first to see who holds it', () => holder.lease.holder === 'b');
});

test('a disconnected holder stops, and continues if no other node took the lease', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const [holder, other] = await candidates(t, { leaseMs: 60_000, renewMs: 50, giveUpMs: 300 });
  for (const each of [holder, other]) each.fails = true;
  await until('the first to stop', () => holder.lost === 1);
  for (const { lease } of [holder, other]) await until('nobody to be known to hold it', () => lease.holder === null);
  for (const each of [holder, other]) each.fails = false;
  await until('the first to go on', () => holder.terms.length === 2);
  assert.ok(holder.terms[1]! > holder.terms[0]!, 'in a term of its own');
  await until('the second to see who holds it', () => other.lease.holder === 'a');
  assert.deepEqual(other.terms, []);
});

test('servers that have lost the newest entries have the holder replaced all the same', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const [holder, other, url] = await candidates(t, FOLLOWED);
  const { streams, names, state, close } = await connected(url);
  await until('it to be renewed', async () => (await state.get('writer'))!.revision > 4);
  // A server of 2.9 can end (nil pointer) where it is asked for an entry of a stream that is deleted at that moment.
  await Promise.all([holder.standStill(), other.standStill()]);
  await streams.streams.delete(`KV_${names.state}`);
  await close();
  const anew = await connected(url);
  beforeNatsEnds(t, () => anew.close());
  assert.equal(await anew.state.put('writer', encode({ node: 'a' })), 1);
  other.goOn();
  await until('another to hold the lease', () => other.terms.length === 1);
});

test('a node that becomes unfit while it takes the lease releases it at once', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const [server] = await startNats(t);
  const nats = await connected(server!.url);
  const times = { leaseMs: 60_000, renewMs: 50, giveUpMs: 60_000 };
  const [unfit, other] = [new Candidate(t, 'a', nats.state, times), new Candidate(t, 'b', nats.state, times)];
  beforeNatsEnds(t, () => nats.close());
  unfit.spoilt = true;
  unfit.lease.start();
  await until('it to be taken', () => !unfit.fit);
  other.lease.start();
  await until('another to hold it', () => other.terms.length === 1);
  assert.deepEqual([unfit.terms, unfit.lease.holds, unfit.lost], [[], false, 0]);
});

test('a connection that stands but whose requests are answered no more is made anew', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const [server] = await startNats(t);
  const between = await deafening(t, Number(new URL(server!.url).port));
  const nats = await connected(between.url);
  const times = { leaseMs: 60_000, renewMs: 50, giveUpMs: 300 };
  const node = new Candidate(t, 'a', nats.state, times, () => nats.reconnect());
  beforeNatsEnds(t, () => nats.close());
  node.lease.start();
  await until('it to be held', () => node.terms.length === 1);
  // More than one where the server did not listen yet.
  const { connections } = between;
  between.deafen();
  await until('the holder to give up', () => node.lost === 1);
  await until('it to be held again', () => node.terms.length === 2);
  assert.ok(between.connections > connections);
});

test("a server that is back is dialled again, whatever the system's clock says", { skip: WITHOUT_NATS }, async (t) => {
  const [server] = await startNats(t);
  const nats = await connected(server!.url);
  beforeNatsEnds(t, () => nats.close());
  await nats.state.put('writer', encode({ node: 'a' }));
  let dials = 0;
  void (async () => {
    for await (const { type } of nats.connection.status()) if (type === 'reconnecting') dials++;
  })();
  const { now } = Date;
  t.mock.method(Date, 'now', () => now() - 3_600_000);
  await server!.kill();
  await until('it to be dialled', () => dials > 3);
  const begunMs = performance.now();
  await until('it to be dialled again', () => dials > 7);
  assert.ok(performance.now() - begunMs > 400, 'not without a pause');
  server!.start();
  const answered = (): Promise<boolean> =>
    nats.state.get('writer').then(
      (entry) => entry !== null,
      () => false,
    );
  await until('its answer', answered);
});

/** In front of a NATS server: requests of the connections that stand can be kept from JetStream, while pings are passed. */
async function deafening(t: TestContext, port: number) {
  let deafTo = 0;
  let connections = 0;
  const proxy = createServer((client) => {
    const no = ++connections;
    const server = connect(port, '127.0.0.1');
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      // A subject that nobody listens at, as long as the true one.
      server.write(no <= deafTo ? Buffer.from(text.replaceAll(/\$(JS|KV)\./g, '$NO.'), 'latin1') : bytes);
    });
    server.on('data', (bytes) => client.write(bytes));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('close', () => other.destroy()).on('error', () => other.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  beforeNatsEnds(t, async () => void proxy.close());
  return {
    url: `nats://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    get connections() {
      return connections;
    },
    deafen: () => {
      deafTo = connections;
    },
  };
}
