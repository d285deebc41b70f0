// A rule when its clock is set back, and when the log lost its end in a loss of power.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Findings } from '../../src/accounts/outbox/alert-store.js';
import type { RuleMatches } from '../../src/alerts/matches.js';
import { ALERT_TIMES, RuleWatch, type RuleWatchOptions } from '../../src/alerts/rule-watch.js';
import type { AlertRule } from '../../src/base/model/alert.js';
import { ManualClock } from '../../src/base/model/clock.js';
import { ruleFor } from '../accounts/outbox/rules.js';
import { storedAlerts } from '../accounts/outbox/stored-alerts.js';
import { newFolder } from '../temp-folders.js';

const NOW_MS = Date.parse('2026-11-20T18:00:00Z');

/** A rule that finds changed prices by their positions. */
function watching(t: TestContext, settings: Partial<AlertRule> = {}, head = 0, matches: Partial<RuleMatches> = {}) {
  const clock = new ManualClock(NOW_MS);
  const alerts = storedAlerts(join(newFolder(), 'control'), clock);
  const { store } = alerts;
  t.after(() => alerts.close());
  const rule: AlertRule = { ...ruleFor('https://example.com/'), channel: 'odds', ...settings };
  alerts.add(rule);
  const changes: number[] = [];
  const sent: Findings[] = [];
  let stored: Promise<unknown> = Promise.resolve();
  const options: RuleWatchOptions = {
    rule,
    store,
    head,
    matches: {
      ready: true,
      activeAt: () => [],
      since: (after) => ({
        begun: changes.filter((at) => at > after).map((at) => ({ id: '', text: String(at) })),
        ended: [],
      }),
      close: () => undefined,
      ...matches,
    },
    lineOf: () => '',
    put: async (id, findings) => {
      if (findings.bodies.length > 0) sent.push(findings);
      stored = store.put(id, findings);
      await stored;
    },
    onError: (error) => assert.fail(String(error)),
  };
  let watch = new RuleWatch(options);
  const look = async (nowMs: number, isCrowded = false): Promise<void> => {
    clock.set(nowMs);
    watch.targetChanged();
    watch.evaluate(changes.at(-1) ?? 0, nowMs, isCrowded);
    // Its matches are stored before it looks again.
    await stored;
    await new Promise((resolve) => setImmediate(resolve));
  };
  const restart = (): void => {
    watch = new RuleWatch(options);
  };
  return { changes, sent, look, restart };
}

test('a burst is sent in time although the clock is set back by minutes during it', async (t) => {
  const { changes, sent, look } = watching(t);
  changes.push(1);
  await look(NOW_MS);
  const backMs = NOW_MS - 240_000;
  await look(backMs);
  assert.equal(sent.length, 0, 'more of it may follow');
  await look(backMs + ALERT_TIMES.groupMs);
  assert.equal(sent.length, 1);
});

test('after a message the pause is the rule’s quiet time, not the time by which the clock was set back', async (t) => {
  const { changes, sent, look } = watching(t, { quietSeconds: 10 });
  const tell = async (nowMs: number): Promise<void> => {
    changes.push(changes.length + 1);
    await look(nowMs);
    await look(nowMs + ALERT_TIMES.groupMs);
  };
  await tell(NOW_MS);
  assert.equal(sent.length, 1);
  const backMs = NOW_MS - 240_000;
  await tell(backMs);
  assert.equal(sent.length, 1, 'it is quiet');
  await tell(backMs + 11_000);
  assert.equal(sent.length, 2);
});

test('where much waits for the targets of its account, it adds to nothing that waits for its own', async (t) => {
  const { changes, sent, look } = watching(t);
  const tell = async (nowMs: number, isCrowded: boolean): Promise<number> => {
    changes.push(changes.length + 1);
    await look(nowMs, isCrowded);
    await look(nowMs + ALERT_TIMES.groupMs, isCrowded);
    return sent.length;
  };
  assert.equal(await tell(NOW_MS, true), 1);
  assert.equal(await tell(NOW_MS + 10_000, true), 1);
  assert.equal(await tell(NOW_MS + 20_000, false), 2);
});

test('it is quiet for as long as the rule says although the program was started anew within that time', async (t) => {
  const { changes, sent, look, restart } = watching(t, { quietSeconds: 10 });
  changes.push(1);
  await look(NOW_MS);
  await look(NOW_MS + ALERT_TIMES.groupMs);
  assert.equal(sent.length, 1);
  restart();
  changes.push(2);
  await look(NOW_MS + 9_000);
  await look(NOW_MS + 9_000 + ALERT_TIMES.groupMs);
  assert.equal(sent.length, 1, 'it is quiet');
  await look(NOW_MS + 11_000);
  await look(NOW_MS + 11_000 + ALERT_TIMES.groupMs);
  assert.equal(sent.length, 2);
});

test('changes after a loss of power are reported, although their positions were evaluated before', async (t) => {
  const { changes, sent, look } = watching(t, { createdPosition: 3 }, 1);
  changes.push(1);
  // The clock is behind the lost changes: new ones get the same positions.
  changes.push(2);
  await look(NOW_MS);
  await look(NOW_MS + ALERT_TIMES.groupMs);
  assert.deepEqual(
    sent.at(-1)?.bodies.map((body) => JSON.parse(Buffer.from(body).toString()).data.items),
    [[2]],
  );
});

test('what was active before the rule is never told, neither before nor after a restart', async (t) => {
  const over: string[] = [];
  const begun: string[] = [];
  const { changes, sent, look, restart } = watching(t, { channel: 'ev', tellsEnded: true }, 0, {
    activeAt: () => ['before', 'soon over', 'before, too'],
    since: (_after, reported) => ({
      begun: begun.filter((id) => !reported.has(id)).map((id) => ({ id, text: `"${id}"` })),
      ended: over.filter((id) => reported.has(id)),
    }),
  });
  let nowMs = NOW_MS;
  const told = async (): Promise<unknown[]> => {
    changes.push(changes.length + 1);
    const before = sent.length;
    for (const laterMs of [60_000, 120_000]) await look(nowMs + laterMs);
    nowMs += 120_000;
    return sent.slice(before).flatMap(({ bodies }) => bodies.map((body) => dataOf(body)));
  };
  over.push('soon over');
  assert.deepEqual(await told(), []);
  begun.push('new');
  assert.deepEqual(await told(), [['new']]);
  restart();
  over.push('before', 'new');
  begun.length = 0;
  assert.deepEqual(await told(), [['new']], 'the end of what was told');
  // What is over may begin again.
  over.length = 0;
  begun.push('before', 'soon over');
  assert.deepEqual(await told(), [['before', 'soon over']]);
  restart();
  over.push('before', 'before, too');
  begun.length = 0;
  assert.deepEqual(await told(), [['before']]);
});

function dataOf(body: Uint8Array): unknown {
  const { data } = JSON.parse(Buffer.from(body).toString()) as { data: { items?: string[]; ended?: string[] } };
  return data.items ?? data.ended;
}
