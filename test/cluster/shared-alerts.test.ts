// Alerts in the state of a cluster, over a real NATS server: what one writer leaves is what the next one continues.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { RuleEntry } from '../../src/cluster/alert-takeover.js';
import { type ClusterNats, connectCluster } from '../../src/cluster/nats.js';
import { SharedAlerts } from '../../src/cluster/shared-alerts.js';
import { type AlertRule, NEW_DELIVERY } from '../../src/model/alert.js';
import { LIMITS } from '../../src/model/limits.js';
import { createLog } from '../../src/observe/log.js';
import { AlertStore, type Findings, type RuleChange } from '../../src/store/alert-store.js';
import { decode } from '../../src/wire/codec.js';
import { tempFolder } from '../engine-rig.js';
import { ruleFor } from '../outbox/rules.js';
import { beforeNatsEnds, startNats, WITHOUT_NATS } from './nats-server.js';
import { until } from './rig.js';

const NOW_MS = Date.parse('2026-11-20T18:00:00Z');

/** A writer's term: its store, and what it shares. */
class Writer {
  readonly shared: SharedAlerts;
  readonly store: AlertStore;
  superseded = 0;

  private constructor(t: TestContext, nats: ClusterNats, term: number) {
    this.store = new AlertStore(join(tempFolder(t), 'alerts'));
    this.shared = new SharedAlerts({
      nats,
      term,
      log: createLog('silent'),
      onSuperseded: () => this.superseded++,
    });
    beforeNatsEnds(t, async () => this.shared.close());
    t.after(() => this.store.close());
  }

  static async begin(t: TestContext, nats: ClusterNats, term: number, ...rules: AlertRule[]): Promise<Writer> {
    const writer = new Writer(t, nats, term);
    for (const rule of rules) writer.store.addRule(rule, () => true);
    await writer.shared.load(writer.store);
    return writer;
  }

  async add(rule: AlertRule): Promise<void> {
    await this.shared.add(rule);
    this.store.addRule(rule, () => true);
  }

  share(change: RuleChange): Promise<void> {
    return this.shared.change(change, () => this.store.reported(change.ruleId));
  }

  async found(ruleId: string, findings: Partial<Findings>): Promise<void> {
    const all = { position: 1, begun: [], ended: [], bodies: [], ...findings };
    const after = this.store.progress(ruleId)?.seq ?? 0;
    await this.share({ kind: 'found', ruleId, after, queuedMs: NOW_MS, findings: all });
    await this.store.put(ruleId, all, NOW_MS);
  }

  async taken(ruleId: string, seq: number): Promise<void> {
    const delivery = { ...NEW_DELIVERY, delivered: seq };
    await this.share({ kind: 'delivery', ruleId, taken: seq, delivery });
    await this.store.taken(ruleId, seq, delivery);
  }

  /** What its store has of a rule. */
  state(id: string): unknown[] {
    const bodies = this.store.queue(id, 100).map(({ seq, body }) => [seq, Buffer.from(body).toString()]);
    return [this.store.progress(id), this.store.delivery(id), this.store.reported(id), bodies];
  }
}

async function connected(t: TestContext): Promise<ClusterNats> {
  const [server] = await startNats(t);
  const nats = await connectCluster({ servers: [server!.url], clusterName: 'odds', connectionName: 'alerts' }, null);
  beforeNatsEnds(t, () => nats.close());
  return nats;
}

/** The keys of alerts in the cluster's state, deleted ones included. */
async function keysOf({ streams }: ClusterNats): Promise<string[]> {
  const { state } = await streams.streams.info('KV_odds-state', { subjects_filter: '$KV.odds-state.alerts.>' });
  return Object.keys(state.subjects ?? {}).map((subject) => subject.slice('$KV.odds-state.alerts.'.length));
}

const rule = (id: string): AlertRule => ruleFor('https://example.com/', id);
const unavailable = { code: 'unavailable' };
const continued = { name: 'ContinuedElsewhere' };

test('the next writer continues with rules, matches and messages as they were left, and the last one changes nothing any more', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const nats = await connected(t);
  const first = await Writer.begin(t, nats, 1);
  for (const id of ['al_a', 'al_b', 'al_c']) await first.add(rule(id));
  // Larger than a message of the servers.
  const large = JSON.stringify('x'.repeat(1_500_000));
  await first.found('al_a', { position: 5, begun: ['o1', 'o2'], bodies: ['1', '2', large].map(Buffer.from) });
  await first.found('al_a', { position: 7, begun: ['o3'], ended: ['o1'] });
  await first.taken('al_a', 1);
  await first.found('al_b', { position: 3 });
  await first.shared.remove('al_c');
  first.store.removeRule('al_c');

  const second = await Writer.begin(t, nats, 2);
  assert.deepEqual(second.store.rules(), [rule('al_a'), rule('al_b')]);
  for (const id of ['al_a', 'al_b']) assert.deepEqual(second.state(id), first.state(id), id);
  assert.deepEqual(second.store.progress('al_a'), { position: 7, seq: 3, queuedMs: NOW_MS });
  assert.deepEqual(
    second.store.queue('al_a', 9).map(({ seq }) => seq),
    [2, 3],
  );

  await assert.rejects(first.found('al_b', { position: 9, begun: ['o9'], bodies: [Buffer.from('9')] }), continued);
  await assert.rejects(first.taken('al_a', 2), continued);
  await assert.rejects(first.add(rule('al_d')), unavailable);
  await assert.rejects(first.shared.remove('al_a'), unavailable);
  assert.ok(first.superseded > 0);
  await second.taken('al_a', 2);
  await second.taken('al_a', 3);
  const third = await Writer.begin(t, nats, 3);
  assert.deepEqual(third.store.rules(), [rule('al_a'), rule('al_b')]);
  for (const id of ['al_a', 'al_b']) assert.deepEqual(third.state(id), second.state(id), id);
  // Nothing is left of what was removed, sent, or refused.
  await until(async () => {
    const kinds = (await keysOf(nats)).map((key) => key.split('.')[0]).sort();
    return kinds.join() === 'index,rule,rule,text,text';
  }, 'what is over to be erased');
  await assert.rejects(Writer.begin(t, nats, 2), { name: 'Superseded' });
});

test('a rule reports thousands, of which each change is small, and the next writer knows them all', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const nats = await connected(t);
  const first = await Writer.begin(t, nats, 1);
  await first.add(rule('al_a'));
  const ids = Array.from({ length: 3 * LIMITS.alertReportedChanges.max }, (_, i) => `o${i}`);
  for (let at = 0; at < ids.length; at += 100) {
    // Of those before, the first ends; another that had ended begins anew.
    const again = at === 200 ? ['o0'] : [];
    const ended = at === 0 ? [] : [ids[at - 100]!];
    await first.found('al_a', { position: at + 1, begun: [...ids.slice(at, at + 100), ...again], ended });
    const entry = await nats.state.get('alerts.rule.al_a');
    assert.ok(entry!.value.length < 10 * LIMITS.alertReportedChanges.max, `${entry!.value.length} bytes`);
  }
  const second = await Writer.begin(t, nats, 2);
  assert.ok(second.store.reported('al_a').length > ids.length - 10);
  assert.deepEqual(second.state('al_a'), first.state('al_a'));
});

test('an answer of the servers that is lost costs nothing: the change is there, once', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const nats = await connected(t);
  let lost = 0;
  const state = new Proxy(nats.state, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        const result = await method.apply(target, args);
        if ((name === 'update' || name === 'create') && lost++ % 2 === 0) throw new Error('the answer is lost');
        return result;
      };
    },
  });
  const first = await Writer.begin(t, { ...nats, state }, 1);
  await first.add(rule('al_a'));
  await first.found('al_a', { position: 5, begun: ['o1'], bodies: [Buffer.from('1')] });
  assert.ok(lost >= 4, `${lost} answers`);
  assert.equal(first.superseded, 0);
  // Nor do one by one reads of a takeover whose common ones fail.
  const streams = Object.create(nats.streams, {
    consumers: { value: { add: () => Promise.reject(new Error('the answer is lost')) } },
  });
  const second = await Writer.begin(t, { ...nats, streams }, 2);
  assert.deepEqual(second.state('al_a'), first.state('al_a'));
});

test('a change that the earlier writer shares while its rules are read is known to the next one; after that it is refused', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const nats = await connected(t);
  const first = await Writer.begin(t, nats, 1);
  await first.add(rule('al_a'));
  let changes = 0;
  const state = new Proxy(nats.state, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        // It was read, and is about to be replaced.
        if (name === 'update' && args[0] === 'alerts.rule.al_a' && changes++ === 0)
          await first.found('al_a', { position: 5, begun: ['o1'], bodies: [Buffer.from('1')] });
        return await method.apply(target, args);
      };
    },
  });
  const second = await Writer.begin(t, { ...nats, state }, 2);
  assert.equal(changes, 2, 'refused by the revision, and read again');
  assert.deepEqual(second.state('al_a'), [{ position: 5, seq: 1, queuedMs: NOW_MS }, undefined, ['o1'], [[1, '1']]]);
  await assert.rejects(first.taken('al_a', 1), continued);
});

test('the rules of a data directory that becomes a cluster go with it; those of an engine that joins later do not', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const nats = await connected(t);
  // What a writer left that ended while it added a rule.
  await nats.state.put('alerts.rule.al_x', Buffer.alloc(1));
  const first = await Writer.begin(t, nats, 1, rule('al_a'));
  await first.found('al_a', { position: 5, begun: ['o1'], bodies: [Buffer.from('1')] });
  const second = await Writer.begin(t, nats, 2, rule('al_b'));
  assert.deepEqual(second.store.rules(), [rule('al_a')]);
  assert.deepEqual(second.state('al_a'), first.state('al_a'));
  await until(async () => !(await keysOf(nats)).includes('rule.al_x'), 'what nobody knows to be erased');
});

test('what the servers have lost of a rule costs that part or that rule; the others go on, and it is not counted any more', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const nats = await connected(t);
  const first = await Writer.begin(t, nats, 1);
  const ids = ['al_a', 'al_b', 'al_c', 'al_d', 'al_e', 'al_f'];
  for (const id of ids) await first.add(rule(id));
  const many = Array.from({ length: LIMITS.alertReportedChanges.max + 1 }, (_, i) => `o${i}`);
  for (const id of ['al_a', 'al_b', 'al_d'])
    await first.found(id, { position: 5, begun: id === 'al_d' ? many : ['o1'], bodies: ['1', '2'].map(Buffer.from) });
  await first.found('al_d', { position: 6, begun: ['new'] });
  const lose = (key: string): Promise<unknown> =>
    nats.streams.streams.purge('KV_odds-state', { filter: `$KV.odds-state.alerts.${key}` });
  const entry = async (id: string) => decode((await nats.state.get(`alerts.rule.${id}`))!.value) as RuleEntry;
  const { queue } = await entry('al_a');
  await lose(`text.al_a.${queue[0]!.body.name}.0`);
  await lose(`text.al_b.${(await entry('al_b')).rule.name}.0`);
  await lose('rule.al_c');
  await lose(`text.al_d.${(await entry('al_d')).reported!.name}.0`);
  await nats.state.put('alerts.rule.al_e', Buffer.alloc(0));

  const second = await Writer.begin(t, nats, 2);
  assert.deepEqual(second.store.rules(), ['al_a', 'al_d', 'al_f'].map(rule));
  assert.deepEqual(second.state('al_a'), [{ position: 5, seq: 2, queuedMs: NOW_MS }, undefined, ['o1'], [[2, '2']]]);
  assert.deepEqual(second.store.reported('al_d'), ['new']);
  for (const id of ['al_b', 'al_c', 'al_e']) assert.deepEqual(second.state(id), [undefined, undefined, [], []], id);
  await until(async () => {
    const texts = (await keysOf(nats)).filter((key) => /al_[bce]/.test(key));
    return texts.length === 0;
  }, 'what is left of lost rules to be erased');
  // What is missing is not looked for again.
  await second.taken('al_a', 2);
  const index = decode((await nats.state.get('alerts.index'))!.value) as { ids: string[] };
  assert.deepEqual(index.ids, ['al_a', 'al_d', 'al_f']);
  const third = await Writer.begin(t, nats, 3);
  for (const id of ['al_a', 'al_d', 'al_f']) assert.deepEqual(third.state(id), second.state(id), id);
  assert.deepEqual((await entry('al_a')).queue, []);
});
