// A few worlds through a real server, over HTTP: after every batch it lists what the shard in memory does, at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Api, api } from '../front/api.js';
import { catalogue } from '../writer/shard/rig.js';
import { Play } from './law.js';
import { makeWorld, type Push } from './world.js';

/** Worlds with two games on one day. */
const SEEDS = [5, 18, 41];

/** In turn as one message, a list of messages, or one message per line. */
async function post({ url }: Api, pushes: readonly Push[], turn: number, ingestKey: string): Promise<void> {
  const messages = pushes.map(({ message }) => message);
  const lines = turn % 2 === 0;
  const response = await fetch(`${url}/api/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': ingestKey, 'content-type': lines ? 'application/x-ndjson' : 'application/json' },
    body: lines ? messages.map((one) => JSON.stringify(one)).join('\n') : JSON.stringify(messages),
  });
  const body = (await response.json()) as { rejected: unknown[] };
  assert.deepEqual([response.status, body.rejected], [200, []]);
}

test('a server lists the true opportunities of a world at once, after every batch', async (t) => {
  let seen = 0;
  for (const seed of SEEDS)
    await t.test(`world ${seed}`, async (inner) => {
      const made = await api(inner);
      const world = makeWorld(seed, {
        books: catalogue.books.map(({ id }) => id),
        suspensions: true,
        nowMs: made.clock.now(),
      });
      const { idSecret } = made.server.engine.directory as { idSecret?: string };
      const play = new Play(world, catalogue, idSecret);
      const ingestKey = made.key('enterprise', { scopes: ['ingest'] });
      const keys = { hobby: made.key('hobby'), sharp: made.key('enterprise') };
      const read = async (path: string, key: string) =>
        (await (await made.fetch(path, { key })).json()) as { data: { id: string }[]; meta: { total: number } };
      for (const [turn, batch] of world.batches.entries()) {
        play.batch(batch);
        made.clock.set(batch.atMs);
        await post(made, batch.pushes, turn, ingestKey);
        assert.equal((await read('/odds?limit=1', keys.sharp)).meta.total, play.shown('sharp').rows);
        for (const [universe, key] of Object.entries(keys)) {
          const { data } = await read('/opportunities/arbitrage?min_profit=0&limit=200', key);
          assert.deepEqual(data.map(({ id }) => id).sort(), play.shown(universe).arbitrages, `${universe}, ${turn}`);
          seen += data.length;
        }
      }
    });
  assert.ok(seen > 20, String(seen));
});
