import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openAccounts } from '../../../src/accounts/accounts.js';
import { ManualClock } from '../../../src/base/model/clock.js';
import { Sessions, sharedSessions } from '../../../src/front/mcp/sessions.js';
import { newFolder } from '../../temp-folders.js';

test('a session unused for half an hour is over, one in use is not', () => {
  const clock = new ManualClock(0);
  const sessions = new Sessions(clock);
  const idle = sessions.open('a');
  const busy = sessions.open('a');
  for (const minute of [20, 40]) {
    clock.set(minute * 60_000);
    assert.ok(sessions.use(busy, 'a'));
  }
  assert.equal(sessions.use(idle, 'a'), false);
  assert.equal(sessions.size, 1);
});

test('a key at its limit loses the session it used longest ago, and no other key one of its', () => {
  const sessions = new Sessions(new ManualClock(0), { perKeyMax: 2 });
  const other = sessions.open('b');
  const first = sessions.open('a');
  const second = sessions.open('a');
  sessions.use(first, 'a');
  sessions.open('a');
  assert.deepEqual(
    [sessions.use(second, 'a'), sessions.use(first, 'a'), sessions.use(other, 'b')],
    [false, true, true],
  );
});

test('sessions always stay within their limits and belong to their keys', async () => {
  const step = fc.record({
    kind: fc.constantFrom('open', 'use', 'end', 'wait'),
    key: fc.constantFrom('a', 'b', 'c'),
    pick: fc.nat(30),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
      const clock = new ManualClock(0);
      const sessions = new Sessions(clock, { sessionsMax: 5, perKeyMax: 3, idleMs: 100 });
      const opened: { id: string; key: string }[] = [];
      for (const { kind, key, pick } of steps) {
        const known = opened[pick % Math.max(1, opened.length)];
        if (kind === 'open') opened.push({ id: sessions.open(key), key });
        else if (kind === 'wait') clock.set(clock.now() + pick * 4);
        else if (known !== undefined && (await sessions[kind](known.id, key))) assert.equal(known.key, key);
        assert.ok(sessions.size <= 5);
        const alive = opened.filter((session) => sessions.use(session.id, session.key));
        assert.equal(alive.length, sessions.size);
        for (const name of ['a', 'b', 'c']) assert.ok(alive.filter((session) => session.key === name).length <= 3);
      }
      clock.set(clock.now() + 101);
      await sessions.end('', '');
      assert.equal(sessions.size, 0);
    }),
    { numRuns: 100 },
  );
});

test("processes accept each other's sessions, for the same key only, and a session that one ends is over for all", async (t) => {
  const clock = new ManualClock(1);
  const accounts = openAccounts(newFolder(), clock);
  t.after(() => accounts.close());
  const signed = (): Sessions => new Sessions(clock, {}, sharedSessions(accounts));
  const [one, other, third] = [signed(), signed(), signed()];
  const stranger = new Sessions(clock);
  const [id, stays] = [one.open('key_a'), one.open('key_a')];
  assert.ok(one.use(id, 'key_a') && other.use(id, 'key_a') && third.use(id, 'key_a'));
  assert.ok(!other.use(id, 'key_b') && !other.use(`${id}x`, 'key_a') && !stranger.use(id, 'key_a'));
  assert.ok(!(await other.end(id, 'key_b')) && !(await other.end(`${id}.x`, 'key_a')), 'only its key ends it');
  assert.ok(await other.end(id, 'key_a'));
  for (const each of [one, other, third]) assert.ok(!each.use(id, 'key_a'), 'one that was ended is over');
  for (const each of [one, other, third]) assert.ok(each.use(stays, 'key_a') && !(await each.end(id, 'key_a')));
  clock.set(1 + 24 * 3_600_000);
  for (const each of [one, other]) assert.ok(each.use(stays, 'key_a'), 'none of them sees all uses');
  clock.set(2 + 24 * 3_600_000);
  for (const each of [one, other]) assert.ok(!each.use(stays, 'key_a'), 'it is over a day after it began');
});

test('of ended sessions the limit’s number is remembered: those begun last', async (t) => {
  const max = 5;
  const accounts = openAccounts(newFolder(), new ManualClock(1));
  t.after(() => accounts.close());
  const shared = sharedSessions(accounts, max);
  const id = (begun: number): string => `${begun.toString(16).padStart(12, '0')}-x`;
  for (let begun = 0; begun < max + 2; begun++) await shared.end(id(begun));
  assert.deepEqual(
    [0, 1, 2, max + 1].map((begun) => shared.hasEnded(id(begun))),
    [false, false, true, true],
  );
});
