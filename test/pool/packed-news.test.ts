import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Opportunity, OpportunityOf } from '../../src/delta/opportunity.js';
import { BET_KINDS } from '../../src/model/opportunity.js';
import { type PackedNews, packNews, unpackNews } from '../../src/pool/packed-news.js';
import { retained, retainedAs } from '../../src/pool/packed-opportunity.js';
import { decode, encode } from '../../src/wire/codec.js';
import { type Change, example, idOf, news } from '../opportunities/examples.js';

test('changes of every kind arrive unchanged, and retained ones do not need their message', () => {
  const detected = BET_KINDS.map((kind, i) => example(kind, { id: idOf(i + 1), live: i === 1 }));
  const sent = [
    news('pro', { detected, whole: true }),
    news('sharp', {
      expired: [{ kind: 'ev', id: idOf(9) }],
      refreshed: [{ kind: 'ev', id: idOf(8), oldestSeenMs: 5, seenMs: [5, 6] }],
    }),
  ];
  const message = Uint8Array.from(encode(packNews(sent)));
  const received = unpackNews(decode(message) as PackedNews);
  for (const { detected } of received) for (const opportunity of detected) retained(opportunity);
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

test('an opportunity of several universes is sent once, with the position at which each has it', () => {
  const same = example('arbitrage', { id: idOf(1) }) as OpportunityOf<'arbitrage'>;
  const sent = [
    news('pro', { detected: [{ ...same, detectedUs: 11, updatedPosition: 12 }, example('ev', { id: idOf(2) })] }),
    news('sharp', { detected: [example('ev', { id: idOf(3) }), { ...same, detectedUs: 21, updatedPosition: 22 }] }),
  ];
  const packed = packNews(sent);
  assert.equal(packed.told.length, 3);
  const [pro, sharp] = unpackNews(decode(Uint8Array.from(encode(packed))) as PackedNews);
  const first = retained(pro!.detected[0]!);
  const second = retained(sharp!.detected[1]!);
  assert.deepEqual(
    [first.detectedUs, first.updatedPosition, second.detectedUs, second.updatedPosition],
    [11, 12, 21, 22],
  );
  assert.deepEqual(second.item, same.item);
  const { item: other } = example('arbitrage', { id: idOf(4), edge: 77 }) as OpportunityOf<'arbitrage'>;
  // Each universe has its own copy: a change in one must not affect the other.
  retainedAs(
    first,
    retained(unpackNews(packNews([news('pro', { detected: [{ ...same, edge: 77, item: other }] })]))[0]!.detected[0]!),
  );
  assert.deepEqual([first.edge, first.item, second.edge, second.item], [77, other, same.edge, same.item]);
});

test('a retained opportunity is updated to its later state, with longer and with shorter texts', () => {
  const send = (change: Change): Opportunity => {
    const message = Uint8Array.from(encode(packNews([news('pro', { detected: [example('low_hold', change)] })])));
    return unpackNews(decode(message) as PackedNews)[0]!.detected[0]!;
  };
  const alive = retained(send({ edge: 3 }));
  for (const market of ['a', 'much longer than before '.repeat(20), 'short again']) {
    const change = { edge: market.length, item: { market_type: market, note: market }, live: market === 'a' };
    assert.equal(retainedAs(alive, send(change)), alive);
    const wanted = example('low_hold', change);
    for (const [name, value] of Object.entries(wanted))
      assert.deepEqual(alive[name as keyof Opportunity], value, `${market}: ${name}`);
  }
});
