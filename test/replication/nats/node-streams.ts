// What becomes known at every node of what one was told, in its streams and answers: results and an account's bets.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { follow } from '../../support/processes.js';
import type { Node } from './rig.js';
import { until } from './rig.js';

/** A result told at one node reaches a stream of another. */
export async function resultsStream(t: TestContext, at: Node, listening: Node, key: string): Promise<void> {
  const abort = new AbortController();
  t.after(() => abort.abort());
  const { signal } = abort;
  const headers = { 'x-api-key': key };
  const stream = await follow(await fetch(`${listening.url}/api/v1/stream/results`, { signal, headers }), abort);
  await until('a snapshot of results', () => stream.events.some(({ type }) => type === 'snapshot:complete'));
  const { data } = (await at.ask('/api/v1/events?limit=1', key)).body as { data: { event_id: string }[] };
  const results = [{ event_id: data[0]!.event_id, status: 'live', home_score: 7, away_score: 0 }];
  const told = await at.ask('/api/v1/ingest', key, { body: { source: 'x', results } });
  assert.equal(told.status, 200, JSON.stringify(told.body));
  await until('it', () =>
    stream.events.some(({ type, data }) => type === 'results:updated' && /"home_score":7/.test(data)),
  );
  stream.close();
}

export async function betsStream(t: TestContext, at: Node, listening: Node, key: string): Promise<void> {
  const abort = new AbortController();
  t.after(() => abort.abort());
  const { signal } = abort;
  const headers = { 'x-api-key': key };
  const stream = await follow(await fetch(`${listening.url}/api/v1/stream/bets`, { signal, headers }), abort);
  await until('the start of a stream of bets', () => stream.events.some(({ type }) => type === 'snapshot:complete'));
  const { data } = (await at.ask('/api/v1/odds?limit=1', key)).body as { data: { id: string }[] };
  const bets = [{ client_id: 'one', odds_id: data[0]!.id, stake: 1, odds_decimal: 1.01, mode: 'placed' }];
  const placed = await at.ask('/api/v1/account/bets', key, { body: { bets } });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  await until('the bet', () => stream.events.some(({ type }) => type === 'bets:filled'));
  stream.close();
}

/** A result and its correction, told at different nodes: every node shows it, and grades by it. */
export async function correctedEverywhere(nodes: readonly Node[], key: string, account: string): Promise<void> {
  const of = async (path: string) => (await nodes[0]!.ask(`/api/v1/${path}`, key)).body.data;
  const { event_id } = (await of('events?limit=1'))[0] as { event_id: string };
  const rows = (await of(`events/${event_id}/odds?limit=200`)) as Record<string, string>[];
  const odds_id = rows.find((row) => row['market_type'] === 'moneyline' && row['selection_type'] === 'home')!['id'];
  const post = async (node: Node, path: string, body: object, method = 'POST', as = account) => {
    const answer = await node.ask(`/api/v1/${path}`, as, { method, body });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body.data;
  };
  await post(nodes[0]!, 'account/bankroll', { deposits: 100 }, 'PUT');
  const bet = { client_id: 'corrected', odds_id, stake: 10, odds_decimal: 2, mode: 'placed' };
  await post(nodes[0]!, 'account/bets', { bets: [bet] });
  for (const [no, [home_score, ended, cash]] of (
    [
      [9, 'won', 110],
      [3, 'lost', 90],
    ] as const
  ).entries()) {
    const parts = [{ part: 'h1', home_score, away_score: 0 }];
    const result = { event_id, status: 'final', home_score, away_score: 5, parts };
    await post(nodes[no]!, 'ingest', { source: 'y', results: [result] }, 'POST', key);
    for (const node of nodes)
      await until(`${node.name} to say that the bet is ${ended}`, async () => {
        const [shown] = (await node.ask(`/api/v1/results?event_id=${event_id}`, account)).body.data;
        const [graded] = await post(node, 'grade', { bets: [{ odds_id, odds_decimal: 2 }] });
        const [own] = (await node.ask('/api/v1/account/bets?limit=1', account)).body.data;
        const bankroll = (await node.ask('/api/v1/account/bankroll', account)).body.data;
        assert.equal(Math.round(100 * (bankroll.cash + bankroll.open_stakes - bankroll.profit)), 10_000);
        const said = [shown.home_score, shown.parts, graded.result, own.result, bankroll.cash];
        return isDeepStrictEqual(said, [home_score, parts, ended, ended, cash]);
      });
  }
}
