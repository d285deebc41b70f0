// A game with too many sources of its result: those that the operator ranks are heard in any case.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../../src/base/model/limits.js';
import { readResult } from '../../../src/store/extras-store.js';
import { event, message, moneyline } from '../../intake/ingest/messages.js';
import { rig } from './rig.js';

test('sixteen sources that nobody ranks keep no ranked one out, and further ones that nobody ranks stay out', async (t) => {
  const shard = rig(t, undefined, { resultSources: ['official', 'second'] });
  shard.send(message([event([moneyline(-110, 100)])]));
  const [eventId] = shard.eventIds();
  const say = (source: string) =>
    shard.send({
      source,
      polled_at: '2026-11-20T18:00:00Z',
      results: [{ event_id: eventId, status: 'final', score: { home: 1, away: 2 } }],
    }).receipt.rejected;
  for (let i = 0; i < LIMITS.resultSources.max; i++) assert.deepEqual(say(`stranger-${i}`), []);
  assert.equal(say('one-more').length, 1);
  for (const source of ['official', 'second', 'official', 'stranger-15']) assert.deepEqual(say(source), []);
  assert.equal(say('one-more').length, 1);
  await shard.restart();
  const { words } = readResult(shard.env, eventId!)!;
  assert.equal(Object.keys(words).length, LIMITS.resultSources.max);
  assert.ok('official' in words && 'second' in words);
});
