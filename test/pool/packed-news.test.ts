import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPPORTUNITY_KINDS } from '../../src/detect/opportunity.js';
import { type PackedNews, packNews, unpackNews } from '../../src/pool/packed-news.js';
import { decode, encode } from '../../src/wire/codec.js';
import { example, idOf, news } from '../opportunities/examples.js';

test('news of every kind arrives as it was, and nothing keeps the message it came in', () => {
  const detected = OPPORTUNITY_KINDS.map((kind, i) => example(kind, { id: idOf(i + 1), live: i === 1 }));
  const sent = [
    news('pro', { detected, whole: true }),
    news('sharp', {
      expired: [{ kind: 'ev', id: idOf(9) }],
      refreshed: [{ kind: 'ev', id: idOf(8), oldestSeenMs: 5, seenMs: [5, 6] }],
    }),
  ];
  const message = Uint8Array.from(encode(packNews(sent)));
  const received = unpackNews(decode(message) as PackedNews[]);
  message.fill(0);
  for (const [i, one] of received.entries()) {
    const { detected: alive, ...rest } = one;
    const { detected: wanted, ...wantedRest } = sent[i]!;
    assert.deepEqual(rest, wantedRest);
    assert.equal(alive.length, wanted.length);
    for (const [n, opportunity] of alive.entries()) {
      for (const [name, value] of Object.entries(wanted[n]!))
        assert.deepEqual(opportunity[name as keyof typeof opportunity], value, name);
      assert.equal(opportunity.item, opportunity.item, 'opened once');
    }
  }
});
