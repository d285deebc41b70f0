// Streams at one node of what another one was told: results and an account's bets.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { follow } from '../../support/processes.js';
import { type Node, until } from './rig.js';

/** A result told at one node reaches a stream of another. */
export async function resultsStream(t: TestContext, at: Node, listening: Node, key: string): Promise<void> {
  const abort = new AbortController();
  t.after(() => abort.abort());
  const { signal } = abort;
  const headers = { 'x-api-key': key };
  const stream = await follow(await fetch(`${listening.url}/api/v1/stream/results`, { signal, headers }), abort);
  await until(() => stream.events.some(({ type }) => type === 'snapshot:complete'), 'a snapshot of results');
  const { data } = (await at.ask('/api/v1/events?limit=1', key)).body as { data: { event_id: string }[] };
  const results = [{ event_id: data[0]!.event_id, status: 'live', home_score: 7, away_score: 0 }];
  const told = await at.ask('/api/v1/ingest', key, { body: { source: 'x', results } });
  assert.equal(told.status, 200, JSON.stringify(told.body));
  await until(
    () => stream.events.some(({ type, data }) => type === 'results:updated' && /"home_score":7/.test(data)),
    'it',
  );
  stream.close();
}

export async function betsStream(t: TestContext, at: Node, listening: Node, key: string): Promise<void> {
  const abort = new AbortController();
  t.after(() => abort.abort());
  const { signal } = abort;
  const headers = { 'x-api-key': key };
  const stream = await follow(await fetch(`${listening.url}/api/v1/stream/bets`, { signal, headers }), abort);
  await until(() => stream.events.some(({ type }) => type === 'snapshot:complete'), 'the start of a stream of bets');
  const { data } = (await at.ask('/api/v1/odds?limit=1', key)).body as { data: { id: string }[] };
  const bets = [{ client_id: 'one', odds_id: data[0]!.id, stake: 1, odds_decimal: 1.01, mode: 'placed' }];
  const placed = await at.ask('/api/v1/account/bets', key, { body: { bets } });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  await until(() => stream.events.some(({ type }) => type === 'bets:filled'), 'the bet');
  stream.close();
}
