// What takes long to be read is read in turns, and leaves the thread to others between them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageReader } from '../../src/engine/shards.js';
import { normaliseAll, normaliseAllSteps } from '../../src/intake/ingest/normalise.js';
import { event, latest, market, message, selection } from '../intake/ingest/messages.js';
import { catalogue } from '../writer/shard/rig.js';

let nowMs = 0;

function* work(steps: number, name: string): Generator<void, string> {
  for (let i = 0; i < steps; i++) {
    nowMs += 4;
    yield;
  }
  return name;
}

test('short work is done at once, long work in turns between which others are served', async () => {
  const readings = new MessageReader(() => nowMs);
  assert.equal(readings.read('a', work(1, 'short')), 'short');
  let others = 0;
  let ms = 0;
  const long = readings.read('a', work(20, 'long'), (took) => {
    ms = took;
  });
  assert.ok(long instanceof Promise);
  const count = (): void => {
    others++;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  assert.equal(readings.read('b', work(1, 'of another')), 'of another', 'another sender does not wait');
  assert.equal(await long, 'long');
  clearImmediate(immediate);
  assert.ok(others >= 5, `${others}`);
  assert.equal(ms, 80 - 12);
});

test('what one sender says is read in its order, also after something that fails', async () => {
  const readings = new MessageReader(() => nowMs);
  const order: string[] = [];
  const read = async (name: string, steps: number): Promise<void> => {
    order.push(await readings.read('a', work(steps, name)));
  };
  const failing = Promise.resolve(
    readings.read(
      'a',
      (function* () {
        yield* work(6, '');
        throw new Error('a fault');
      })(),
    ),
  );
  const all = [read('one', 6), read('two', 1), read('three', 0)];
  await assert.rejects(failing, /a fault/);
  await Promise.all(all);
  assert.deepEqual(order, ['one', 'two', 'three']);
  assert.equal(readings.read('a', work(0, 'at once again')), 'at once again');
});

test('a message read in steps says and refuses what it does at once', () => {
  const events = Array.from({ length: 230 }, (_, i) =>
    event([market([selection({ odds_american: i % 7 === 0 ? 'no price' : -110 })])], {
      home_team: `Home ${i}`,
      away_team: i % 11 === 0 ? `Home ${i}` : 'Away',
    }),
  );
  const large = event(Array.from({ length: 450 }, (_, i) => market([selection()], { market_type: `type_${i}` })));
  const raw = [message(events), 'nonsense', message(events.slice(0, 3)), message([large])];
  const context = { catalogue, clock: latest, leagueOfEvent: () => undefined };
  const steps = normaliseAllSteps(raw, context, false);
  let pauses = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) pauses++;
  assert.ok(pauses >= 11, `${pauses}`);
  const whole = normaliseAll(raw, context, false);
  assert.ok(whole.rejected.length > 20);
  assert.deepEqual(
    [step.value.messages, step.value.rejected, step.value.unread, step.value.unknown.lists],
    [whole.messages, whole.rejected, whole.unread, whole.unknown.lists],
  );
});
