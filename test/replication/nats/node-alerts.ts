// An account's alerts at the nodes of a cluster, and what their target receives.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Receiver } from '../../alerts/receiver.js';
import { LEAGUES, rowsAt, seqOf } from '../../crash/storm.js';
import type { Answer, ClusterRig, Node } from './rig.js';
import { until } from './rig.js';

const PATH = '/api/v1/account/alerts';

/** Engines send to the receiver of these tests. */
export const ALERT_HOSTS = ['--alert-hosts', '127.0.0.1'];

interface Shown {
  id: string;
  status: { state: string; delivered: number };
}

export class NodeAlerts {
  readonly #rig: ClusterRig;
  readonly #receiver: Receiver;
  readonly #id: string;

  private constructor(rig: ClusterRig, receiver: Receiver, id: string) {
    this.#rig = rig;
    this.#receiver = receiver;
    this.#id = id;
  }

  /** A rule, made at a node, on every price of one league. */
  static async make(t: TestContext, rig: ClusterRig, node: Node): Promise<NodeAlerts> {
    const receiver = new Receiver();
    await receiver.listen();
    t.after(() => receiver.stop());
    const filters = { leagues: [LEAGUES[0]] };
    const target = { type: 'webhook', url: receiver.url };
    const { status, body } = await node.ask(PATH, rig.key, { body: { name: 'all', channel: 'odds', filters, target } });
    assert.equal(status, 201, JSON.stringify(body));
    receiver.secret = body.data.secret;
    return new NodeAlerts(rig, receiver, body.data.id);
  }

  /** Targets and numbers are limited as in a single process, whichever node is asked. @param pro a key without rules */
  async refuses(nodes: readonly Node[], pro: string): Promise<void> {
    const target = { type: 'webhook', url: 'https://example.com/' };
    const make = (no: number, more: object = {}): Promise<Answer> =>
      nodes[no % nodes.length]!.ask(PATH, pro, {
        body: { name: `n${no}`, channel: 'arbitrage', min_profit: 99, target, ...more },
      });
    for (const no of nodes.keys()) {
      const inside = await make(no, { target: { type: 'webhook', url: 'http://10.0.0.1/' } });
      assert.deepEqual([inside.status, inside.body.error.code], [400, 'invalid_request'], nodes[no]!.name);
    }
    const statuses = await Promise.all(Array.from({ length: 12 }, (_, no) => make(no)));
    assert.deepEqual(statuses.map(({ status }) => status).sort(), [...Array(10).fill(201), 400, 400]);
    for (const node of nodes) {
      assert.equal((await node.ask(PATH, pro)).body.data.length, 10, node.name);
      const foreign = await node.ask(`${PATH}/${this.#id}`, pro, { method: 'DELETE' });
      assert.equal(foreign.status, 404, `${node.name}: of another account`);
    }
  }

  /** Settles when the target has every price of these messages: each in one message, sent again or not. */
  async received(seqs: readonly number[]): Promise<void> {
    const receiver = this.#receiver;
    const prices = (): string[] =>
      [...new Map(receiver.taken.map(({ id, body }) => [id, body.data.items])).values()]
        .flat()
        .map((item) => `${seqOf(item['odds_american'] as number)} ${item['id']}`);
    const rows = seqs.reduce((sum, seq) => sum + rowsAt(seq), 0);
    await receiver.until(() => prices().length >= rows, `prices of ${seqs.join(', ')}`);
    assert.deepEqual(receiver.bad, []);
    assert.deepEqual([prices().length, new Set(prices()).size], [rows, rows], 'each once');
    assert.deepEqual([...new Set(prices().map((price) => Number(price.split(' ')[0])))].sort(), [...seqs]);
  }

  /**
   * Settles when the last price that the target received of each row is the table's. No message was lost or overtaken:
   * their first arrivals are numbered in order.
   * @param table id and American odds of rows of any league
   */
  async showAtLast(table: readonly [id: string, odds: number][]): Promise<{ messages: number; again: number }> {
    const receiver = this.#receiver;
    const known = new Map<string, number>();
    const first = new Set<string>();
    let read = 0;
    await until('the last prices at the target of an alert', () => {
      for (; read < receiver.taken.length; read++) {
        const { id, body } = receiver.taken[read]!;
        if (first.has(id)) continue;
        first.add(id);
        for (const item of body.data.items) known.set(item['id'] as string, item['odds_american'] as number);
      }
      return known.size > 0 && table.every(([id, odds]) => (known.get(id) ?? odds) === odds);
    });
    assert.deepEqual(receiver.bad, []);
    assert.deepEqual(
      Array.from(first, (id) => id.replace(/_\d+$/, '')),
      Array.from(first, (_, i) => `msg_${this.#id}_${i + 1}`),
    );
    return { messages: first.size, again: receiver.taken.length - first.size };
  }

  /** Every node says the same of the rule: what was delivered counts on under another writer. */
  async shown(nodes: readonly Node[]): Promise<void> {
    const delivered = new Set(this.#receiver.taken.map(({ id }) => id)).size;
    for (const node of nodes)
      await until(`${node.name} to count what was delivered`, async () => {
        const { status, body } = await node.ask(PATH, this.#rig.key);
        assert.equal(status, 200, `${node.name}: ${JSON.stringify(body)}`);
        const [rule, ...others] = body.data as Shown[];
        assert.deepEqual([rule?.id, rule?.status.state, others.length], [this.#id, 'active', 0], node.name);
        return rule!.status.delivered === delivered;
      });
  }

  /** While nobody writes, rules are listed and not changed. */
  async unavailable(node: Node): Promise<void> {
    assert.equal((await node.ask(PATH, this.#rig.key)).status, 200);
    const { status, headers } = await node.ask(`${PATH}/al_0`, this.#rig.key, { method: 'DELETE' });
    assert.deepEqual([status, headers.get('retry-after')], [503, '1'], 'nobody writes');
  }

  async remove(node: Node): Promise<void> {
    const { status } = await node.ask(`${PATH}/${this.#id}`, this.#rig.key, { method: 'DELETE' });
    assert.equal(status, 204);
  }

  /** The rule is gone everywhere, and its target is sent nothing more. */
  async gone(nodes: readonly Node[], seqs: readonly number[]): Promise<void> {
    for (const node of nodes) assert.deepEqual((await node.ask(PATH, this.#rig.key)).body.data, [], node.name);
    await this.received(seqs);
  }
}
