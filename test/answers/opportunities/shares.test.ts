// Over the sockets: one account's streams cannot take the universes of all.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { WebSocket } from 'ws';
import { UNUSED_UNIVERSE_MS } from '../../../src/answers/opportunities/universes.js';
import { LIMITS } from '../../../src/base/model/limits.js';
import { until } from '../../support/until.js';
import { type Body, GAME, served } from './live-server.js';

type Served = Awaited<ReturnType<typeof served>>;

const MOST = LIMITS.filteredUniversesOfAccount.max;

async function socket(t: TestContext, { url, key }: Served) {
  const ws = new WebSocket(url.replace('http', 'ws').replace('/api/v1', '/ws'), {
    headers: { 'x-api-key': key('enterprise') },
  });
  t.after(() => ws.terminate());
  const frames: Body[] = [];
  let look = (): void => undefined;
  ws.on('message', (data) => {
    frames.push(JSON.parse(String(data)) as Body);
    look();
  });
  await new Promise((resolve) => ws.once('open', resolve));
  return {
    close: () => ws.close(),
    subscribe: (id: number, books: string[]): Promise<Body> => {
      ws.send(JSON.stringify({ type: 'subscribe', id, channels: ['ev'], filters: { sportsbooks: books } }));
      return new Promise((resolve) => {
        look = () => {
          const answer = frames.find((frame) => frame['id'] === id);
          if (answer !== undefined) resolve(answer);
        };
        look();
      });
    },
  };
}

test('one WebSocket that subscribes anew takes no more than its share, and what it is refused changes nothing', async (t) => {
  const rig = await served(t);
  await rig.poll({ draftkings: [-110, -110], fanduel: [-105, -115] }, GAME);
  const books = rig.server.engine.catalogue.books.map(({ id }) => id);
  const pair = (no: number) => [
    books[no % books.length]!,
    books[(no + 1 + Math.floor(no / books.length)) % books.length]!,
  ];
  const client = await socket(t, rig);
  for (let no = 0; no < MOST; no++) assert.equal((await client.subscribe(no, pair(no)))['type'], 'subscribed');
  const { type, code, message } = await client.subscribe(MOST, pair(MOST));
  assert.deepEqual([type, code], ['error', 'rate_limited']);
  assert.match(message, /this account has 16 different sets of books and limits in use/);
  assert.equal((await client.subscribe(MOST + 1, pair(3)))['type'], 'subscribed', 'one that it has');

  const get = async (path: string, key: string): Promise<[number, string | undefined, string | null]> => {
    const abort = new AbortController();
    const response = await fetch(`${rig.url}/${path}`, { headers: { 'x-api-key': key }, signal: abort.signal });
    const body = response.status === 200 ? undefined : ((await response.json()) as Body);
    abort.abort();
    return [response.status, body?.['error'].code, response.headers.get('retry-after')];
  };
  const stream = `stream/opportunities?sportsbook=${pair(MOST)}`;
  const refused = [429, 'rate_limited', '60'];
  assert.deepEqual(await get(stream, rig.key('enterprise')), refused, 'before the stream begins');
  assert.deepEqual(await get(`opportunities/ev?sportsbook=${pair(MOST)}`, rig.key('enterprise')), refused);
  assert.deepEqual(await get(stream, rig.key('sharp')), [200, undefined, null], 'another account');

  client.close();
  await until('nobody is subscribed', () => rig.server.broadcaster.subscriberCount === 0);
  rig.clock.set(rig.clock.now() + UNUSED_UNIVERSE_MS);
  rig.server.opportunities.universes.sweep(0);
  assert.deepEqual(await get(stream, rig.key('enterprise')), [200, undefined, null], 'a minute after they ended');
});
