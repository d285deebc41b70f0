// Several sources of one result: which word counts makes its revisions, and with too many of them those that the operator
// ranks are heard in any case.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LIMITS } from '../../../src/base/model/limits.js';
import { countingWord } from '../../../src/base/model/result.js';
import { readResult } from '../../../src/store/extras-store.js';
import { event, message, moneyline } from '../../intake/ingest/messages.js';
import { Rig, rig } from './rig.js';

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

const WORD = fc.record({
  source: fc.constantFrom('a', 'b', 'c'),
  status: fc.constantFrom('live', 'final'),
  home_score: fc.integer({ min: 1, max: 2 }),
  late: fc.boolean(),
});

test('whatever sources say and repeat in whatever order, a result that changed has a higher revision', async () => {
  for (const ranks of [[], ['a'], ['b', 'a']])
    await fc.assert(
      fc.asyncProperty(fc.array(WORD, { minLength: 12, maxLength: 20 }), async (words) => {
        const shard = new Rig(Date.parse('2026-11-20T18:40:00Z'), { resultSources: ranks });
        try {
          shard.send(message([event([moneyline(-110, 100)])]));
          const [eventId] = shard.eventIds();
          let last = { revision: 0, position: 0, told: 'nothing' };
          for (const [i, { source, late, ...result }] of words.entries()) {
            const at = `2026-11-20T18:${12 + (late ? i - 2 : i)}:00Z`;
            const results = [{ event_id: eventId, away_score: 4, ...result, at }];
            assert.deepEqual(shard.send({ source, results }).receipt.rejected, []);
            const { revision, updatedPosition: position, words: known } = readResult(shard.env, eventId!)!;
            const { source: _source, atMs: _at, ...counts } = countingWord(Object.values(known), ranks)!;
            const told = JSON.stringify(counts);
            const isNew = revision > last.revision && position > last.position;
            assert.ok(told === last.told || isNew, `${last.told} became ${told}`);
            last = { revision, position, told };
          }
        } finally {
          await shard.close();
        }
      }),
      { numRuns: 20 },
    );
});
