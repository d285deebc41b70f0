// The processes of `serve --fronts`: killed one after the other while odds come in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, message, moneyline } from '../ingest/messages.js';
import { end, startFronts } from './processes.js';

const poll = (book: string, home: number, away: number) =>
  message([event([moneyline(home, away)])], { book, polled_at: new Date().toISOString() });

interface Page {
  data: { id: string; odds_american: number }[];
}

test('whichever process is killed is replaced, and what was acknowledged is served by every front', {
  skip: process.platform === 'linux' ? false : 'needs Linux',
}, async (t) => {
  const running = await startFronts(t, 2, [{ tier: 'enterprise', scopes: ['ingest'], requestsPerMinute: 1e6 }]);
  const key = running.keys[0]!;
  const rows = async (): Promise<Page['data']> => {
    const response = await running.get('/odds?limit=50', key);
    assert.equal(response.status, 200);
    return ((await response.json()) as Page).data;
  };
  const acknowledged = async (home: number): Promise<void> => {
    for (;;) {
      const response = await running.post([poll('draftkings', home, -130)], key).catch(() => undefined);
      if (response?.status === 200) return;
      if (response !== undefined) {
        assert.equal(response.status, 503);
        assert.equal(response.headers.get('retry-after'), '1');
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const shows = (home: number) => async (): Promise<boolean> =>
    (await rows()).some(({ odds_american }) => odds_american === home);
  await acknowledged(110);
  await running.until(shows(110), 'the first price is not served');

  const front = running.pid('front-1');
  process.kill(front, 'SIGKILL');
  await running.until(() => running.lines().some(({ msg }) => msg === 'a process ended and is replaced'), 'unnoticed');
  await acknowledged(120);
  assert.ok(await shows(120)(), 'the other front goes on');
  await running.replaced('front-1', front);

  const engine = running.pid('engine');
  process.kill(engine, 'SIGKILL');
  for (let i = 0; i < 10; i++) assert.equal((await rows()).length, 2, 'reads go on while the engine is away');
  await acknowledged(130);
  await running.replaced('engine', engine);
  for (let i = 0; i < 10; i++) await running.until(shows(130), 'a front has not caught up');

  assert.deepEqual(await end(running, ['engine', 'front-1', 'front-2']), { exit: [0, null], left: [] });
});
