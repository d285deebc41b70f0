// Rows of two men whose names differ in Jr, Sr, II … alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, message } from '../../intake/ingest/messages.js';
import { type Rig, rig } from './rig.js';

const points = (player_name: string, over: number, under: number) => ({
  market_type: 'player_points',
  player_name,
  selections: [
    { selection: 'Over', selection_type: 'over', line: 20.5, odds_decimal: over },
    { selection: 'Under', selection_type: 'under', line: 20.5, odds_decimal: under },
  ],
});

const { selections, ...SON } = points('Larry Nance Jr.', 2, 2);
const SON_GONE = {
  ...SON,
  selections: selections.map(({ odds_decimal: _price, ...each }) => ({ ...each, is_removed: true })),
};

/** The son's prices, and the father's. */
const both = (over: number, under: number): string[] => [
  `Larry Nance Jr. over ${over}`,
  `Larry Nance Jr. under ${under}`,
  'Larry Nance over 3',
  'Larry Nance under 1.4',
];

const say = (shard: Rig, book: string, scope: string, ...markets: readonly object[]) =>
  shard.send(message([event([...markets])], { book, scope, polled_at: new Date(shard.nowMs).toISOString() }));

function shown(shard: Rig, of: string): string[] {
  const rows = [...shard.rows().values()].filter(({ sportsbook }) => sportsbook === of);
  return rows.map((row) => [row['player_name'], row.selection_type, row.odds_decimal].join(' ')).sort();
}

test('prices from before anybody listed both men are the prices of the one whom their book named', async (t) => {
  const shard = rig(t);
  for (const book of ['fanduel', 'draftkings', 'caesars'])
    say(shard, book, 'event', points('Larry Nance Jr.', 2.1, 1.7));
  const before = [...shard.rows().keys()];
  say(shard, 'betmgm', 'event', points('Larry Nance', 1.9, 1.9), points('Larry Nance Jr.', 1.95, 1.85));
  assert.deepEqual(shown(shard, 'draftkings'), ['Larry Nance Jr. over 2.1', 'Larry Nance Jr. under 1.7']);
  for (const id of before) assert.equal(shard.rows().has(id), false, 'the id is that of the father');
  await shard.restart();
  // One lists the father too, one states the son's prices, one takes them back.
  say(shard, 'caesars', 'event', points('Larry Nance', 3, 1.4), points('Larry Nance Jr.', 1.7, 2.2));
  assert.deepEqual(shown(shard, 'caesars'), both(1.7, 2.2));
  say(shard, 'fanduel', 'none', points('Larry Nance Jr.', 1.8, 2));
  assert.deepEqual(shown(shard, 'fanduel'), ['Larry Nance Jr. over 1.8', 'Larry Nance Jr. under 2']);
  say(shard, 'draftkings', 'none', SON_GONE);
  assert.deepEqual(shown(shard, 'draftkings'), []);
});

test('a book that begins to list the father beside the son shows both, each with his own prices', (t) => {
  const shard = rig(t);
  say(shard, 'caesars', 'event', points('Larry Nance Jr.', 2.1, 1.7));
  say(shard, 'caesars', 'event', points('Larry Nance', 3, 1.4), points('Larry Nance Jr.', 1.7, 2.2));
  assert.deepEqual(shown(shard, 'caesars'), both(1.7, 2.2));
  assert.deepEqual([...shard.freshTable().events.ordered()].length, 1);
});

test('the father’s price is no return of the son’s that the same batch took back before both were known', (t) => {
  const shard = rig(t);
  const polled = (scope: string, ...markets: readonly object[]) =>
    message([event([...markets])], { book: 'caesars', scope, polled_at: new Date(shard.nowMs).toISOString() });
  shard.send(polled('event', points('Larry Nance Jr.', 2.1, 1.7)));
  shard.send(
    polled('none', SON_GONE),
    polled('event', points('Larry Nance', 3, 1.4), points('Larry Nance Jr.', 1.7, 2.2)),
  );
  assert.deepEqual(shown(shard, 'caesars'), both(1.7, 2.2));
});

test('prices that 0.3.0 left with the key of the father go to the son’s with the next message of their book', (t) => {
  const [before, shard] = [rig(t), rig(t)];
  const { delta } = say(before, 'caesars', 'event', points('Larry Nance Jr.', 2.1, 1.7));
  shard.fold({ ...delta!, events: delta!.events.map((one) => ({ ...one, namesakes: ['larrynance'] })) });
  say(shard, 'caesars', 'none', points('Larry Nance', 3, 1.4));
  assert.deepEqual(shown(shard, 'caesars'), both(2.1, 1.7));
});

test('where 0.3.0 has left the son a row by the key of the father beside his own, his own stays', (t) => {
  const [before, shard] = [rig(t), rig(t)];
  const { delta } = say(before, 'caesars', 'event', points('Larry Nance Jr.', 2.1, 1.7));
  const books = delta!.books.map(([no, book, polled, touches, removed, rows]) => {
    // His own came later, with a price of its own.
    const own = rows.map((row) => {
      const [id, ...names] = row[9]!;
      const key = names.at(-1) as string;
      const added = [`9${id.slice(1)}`, ...names.slice(0, -1), key.replace('larrynance', 'larrynance jr')];
      return [row[0] + 10, row[1], 100, 2, ...row.slice(4, 9), added];
    });
    return [no, book, polled, touches, removed, [...rows, ...own]] as unknown as (typeof delta & object)['books'][0];
  });
  const events = delta!.events.map((one) => ({ ...one, namesakes: ['larrynance'] }));
  shard.fold({ ...delta!, events, books, rows: 4 });
  assert.equal(shown(shard, 'caesars').length, 4);
  say(shard, 'caesars', 'none', points('Larry Nance', 3, 1.4));
  assert.deepEqual(shown(shard, 'caesars'), both(2, 2));
});
