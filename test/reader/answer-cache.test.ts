// Which answers are kept, and for how long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerCache } from '../../src/reader/answer-cache.js';
import { Answer } from '../../src/reader/page.js';

test('a question is worth keeping an answer to once it was asked before', () => {
  const cache = new AnswerCache();
  assert.equal(cache.expects('a'), false);
  assert.equal(cache.expects('a'), true);
  assert.equal(cache.expects('b'), false);
});

test('questions asked long ago are forgotten, those asked lately are not', () => {
  const cache = new AnswerCache();
  cache.expects('first');
  for (let i = 0; i < 900; i++) cache.expects(`other ${i}`);
  assert.equal(cache.expects('first'), true);
  for (let i = 0; i < 5_000; i++) cache.expects(`another ${i}`);
  assert.equal(cache.expects('first'), false);
});

test('an answer is given again for the version it was made at, and for no other', () => {
  const cache = new AnswerCache();
  const answer = new Answer(Buffer.from('{}'));
  cache.set('a', 7, answer);
  assert.equal(cache.get('a', 7), answer);
  assert.equal(cache.get('a', 8), undefined);
  assert.equal(cache.get('a', 7), undefined, 'forgotten with the newer version');
});
