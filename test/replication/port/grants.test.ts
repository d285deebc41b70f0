// Limits hold over all processes though requests come to all of them at once.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { RateLimiter } from '../../../src/accounts/rate-limit.js';
import { ManualClock } from '../../../src/base/model/clock.js';
import { GrantedCounts, type GrantedCountsOptions, Grants } from '../../../src/replication/port/grants.js';
import { Heartbeats } from '../../../src/replication/port/heartbeats.js';

const MINUTE = 60_000;

/** An engine and fronts whose messages to each other take a while. */
function server(t: Pick<TestContext, 'after'>, fronts: number, options: Partial<GrantedCountsOptions> = {}) {
  const clock = new ManualClock(29_000_000 * MINUTE);
  const heartbeats = ['engine', ...Array.from({ length: fronts }, (_, i) => `front-${i}`)].map(
    (node): Heartbeats =>
      new Heartbeats({
        node,
        role: node === 'engine' ? 'engine' : 'front',
        send: (bytes) =>
          void pause(2).then(() => {
            for (const each of heartbeats) if (each.node !== node) each.received(bytes);
          }),
      }),
  );
  const grants = new Grants(heartbeats[0]!);
  let asked = 0;
  const limiters = heartbeats.map((own, i) => {
    const shared = new GrantedCounts({
      heartbeats: own,
      grants: () => (i === 0 ? grants : null),
      ask: async (question) => {
        asked++;
        await pause(1);
        return grants.grant(question.node, question.window, structuredClone(question.asked));
      },
      ...options,
    });
    return new RateLimiter({ clock, shared });
  });
  t.after(() => {
    for (const each of heartbeats) each.close();
  });
  return { clock, limiters: limiters.slice(1), engine: limiters[0]!, asked: () => asked };
}

async function isAllowed(limiter: RateLimiter, limit: number, caller = 'a'): Promise<boolean> {
  const waits = limiter.ready(caller, limit);
  if (waits !== null) await waits;
  return limiter.take(caller, limit).allowed;
}

async function granted(limiters: readonly RateLimiter[], requests: number, limit: number): Promise<number> {
  const all = Array.from({ length: requests }, (_, i) => isAllowed(limiters[i % limiters.length]!, limit));
  return (await Promise.all(all)).filter(Boolean).length;
}

for (const [limit, fronts] of [
  [1, 2],
  [12, 2],
  [12, 8],
  [120, 2],
  [300, 3],
  [6_000, 4],
] as const)
  test(`${fronts} fronts grant ${limit} a minute, whatever comes at once`, async (t) => {
    const { clock, limiters, engine } = server(t, fronts);
    for (let minute = 0; minute < 2; minute++) {
      const count = await granted(minute === 0 ? limiters : [...limiters, engine], 3 * limit, limit);
      assert.ok(count >= limit && count <= Math.max(limit, 1.1 * limit), `${count} of ${limit}`);
      for (const limiter of limiters) assert.equal(await isAllowed(limiter, limit), false);
      clock.set(clock.now() + MINUTE);
    }
  });

test('one front may use a limit alone, and asks rarely where it is large', async (t) => {
  const { limiters, asked } = server(t, 2);
  let count = 0;
  for (let i = 0; i < 700; i++) if (await isAllowed(limiters[0]!, 600)) count++;
  assert.ok(count >= 600 && count <= 630, `${count} of 600`);
  assert.ok(asked() <= 50, `${asked()} questions`);
});

test('requests in any order at any front get the limit, at most a tenth more', async () => {
  const step = fc.record({ front: fc.nat(2), burst: fc.integer({ min: 1, max: 40 }), wait: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 200 }), fc.array(step, { maxLength: 12 }), async (limit, steps) => {
      const ends: (() => void)[] = [];
      const { limiters } = server({ after: (end) => void ends.push(end as () => void) }, 3);
      const answers: Promise<boolean>[] = [];
      for (const { front, burst, wait } of steps) {
        for (let i = 0; i < burst; i++) answers.push(isAllowed(limiters[front]!, limit));
        if (wait) await pause(3);
      }
      const asked = answers.length;
      const count = (await Promise.all(answers)).filter(Boolean).length;
      for (const end of ends) end();
      assert.ok(count >= Math.min(asked, limit) && count <= Math.max(limit, 1.1 * limit), `${count} of ${limit}`);
    }),
    { numRuns: 30 },
  );
});

test('while nobody grants, the counts that processes tell each other hold', async (t) => {
  const { limiters } = server(t, 2, { ask: () => Promise.reject(new Error('there is no writer')) });
  let count = 0;
  for (let i = 0; i < 400; i++) {
    if (await isAllowed(limiters[i % 2]!, 100)) count++;
    if (i % 2 === 1) await pause(1);
  }
  assert.ok(count >= 100 && count <= 120, `${count} of 100`);
});

test('a limit that was raised holds at once', async (t) => {
  const { limiters } = server(t, 2);
  await granted(limiters, 20, 10);
  assert.equal(await isAllowed(limiters[0]!, 10), false);
  assert.equal(await isAllowed(limiters[0]!, 20), true);
});
