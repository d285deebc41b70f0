// Which answers are cached, for how long, and in whose memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Allocator, KeptPage, PageCache } from '../../src/answers/page.js';
import type { Transient } from '../../src/base/memory/transient.js';

const made = (text: string) => (memory: Allocator) => {
  const bytes = memory(text.length);
  bytes.write(text);
  return new KeptPage(bytes);
};
const TABLE = {};
const neverMade = (): KeptPage => assert.fail('the kept answer should have been given');

test('an answer is cached from its second request on', () => {
  const cache = new PageCache();
  cache.page('a', 1, TABLE, made('first'));
  assert.equal(cache.page('a', 1, TABLE, made('second')).bytes.toString(), 'second');
  assert.equal(cache.page('a', 1, TABLE, neverMade).bytes.toString(), 'second');
});

test('uncached answers share memory, cached ones have their own', () => {
  const cache = new PageCache();
  const passing = cache.page('a', 1, TABLE, made('a once'));
  cache.page('b', 1, TABLE, made('b once'));
  assert.equal(passing.bytes.toString(), 'b once');
  const cached = cache.page('a', 1, TABLE, made('a kept'));
  cache.page('c', 1, TABLE, made('c once'));
  assert.equal(cached.bytes.toString(), 'a kept');
});

test('a newer answer reuses the memory of the one it replaces, or gets more if it has outgrown it', () => {
  const cache = new PageCache();
  cache.page('a', 1, TABLE, made('once'));
  const first = cache.page('a', 1, TABLE, made('twice'));
  const second = cache.page('a', 2, TABLE, made('newer'));
  assert.equal(second.bytes.buffer, first.bytes.buffer);
  assert.equal(cache.page('a', 2, TABLE, neverMade).bytes.toString(), 'newer');
  const long = 'x'.repeat(500);
  assert.equal(cache.page('a', 3, TABLE, made(long)).bytes.toString(), long);
  assert.equal(cache.get('a', 2), undefined);
});

test('old requests are forgotten', () => {
  const cache = new PageCache();
  cache.page('a', 1, TABLE, made('once'));
  for (let i = 0; i < 5_000; i++) cache.page(`other ${i}`, 1, TABLE, made('once'));
  cache.page('a', 1, TABLE, made('once'));
  assert.equal(cache.get('a', 1), undefined);
});

test('if there is no room the oldest answer that was not used since is removed', () => {
  const cache = new PageCache();
  const large = new KeptPage(Buffer.alloc(512 * 1024));
  const roomFor = 128;
  for (let i = 0; i < roomFor; i++) cache.set(`${i}`, 1, large);
  const present = () => Array.from({ length: roomFor }, (_, i) => i).filter((i) => cache.get(`${i}`, 1) !== undefined);
  // Every entry has been used: they move to the end in the order in which they came, and the newcomer, which has not
  // been used, is removed.
  assert.equal(present().length, roomFor);
  cache.set('newcomer', 1, large);
  for (const no of [3, 5]) assert.ok(cache.get(`${no}`, 1));
  for (let i = 0; i < 10; i++) cache.set(`other ${i}`, 1, large);
  const left = present();
  assert.ok(left.includes(3) && left.includes(5));
  assert.deepEqual(
    [0, 1, 2, 4, 6].filter((no) => left.includes(no)),
    [],
  );
});

test('a refreshed answer keeps its place', () => {
  class Growing extends KeptPage {
    override refresh(): boolean {
      this.bytes = Buffer.from('newer') as Transient;
      return true;
    }
  }
  const cache = new PageCache();
  cache.page('a', 1, TABLE, made('once'));
  const first = cache.page('a', 1, TABLE, () => new Growing(Buffer.from('older')));
  assert.equal(cache.page('a', 2, TABLE, neverMade), first);
  assert.equal(cache.get('a', 2), first);
  assert.equal(cache.get('a', 1), undefined);
});
