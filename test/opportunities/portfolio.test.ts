// Proposed stakes of a real server's list: for all that match together, within one game's and one book's share.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, OTHER, served } from './live-server.js';

const sum = (items: readonly Body[]): number => items.reduce((all, item) => all + item['proposed_stake'], 0);

function gamesOf(items: readonly Body[]): Map<string, Body[]> {
  const games = new Map<string, Body[]>();
  for (const item of items) games.set(item['event_id'], [...(games.get(item['event_id']) ?? []), item]);
  return games;
}

test('with a bankroll each price above fair has a proposed stake, and together they keep to their shares', async (t) => {
  const { get, poll } = await served(t);
  for (const game of [undefined, OTHER])
    await poll({ pinnacle: [-110, -110], draftkings: [130, -150], fanduel: [125, -150], bet365: [-150, 120] }, game);
  const plain = await get('ev', 'sharp');
  assert.equal(plain['data'].length, 6);
  assert.ok(plain['data'].every((item: Body) => !('proposed_stake' in item)) && !('portfolio' in plain['meta']));
  const asked = async (query: string) => get(`ev?bankroll=10000&${query}`, 'sharp');

  const { data, meta } = await asked('max_event=100&max_book=100&kelly=1');
  const games = gamesOf(data);
  assert.equal(games.size, 2);
  for (const items of games.values()) {
    const stake = (book: string): number => items.find(({ sportsbook }) => sportsbook === book)!['proposed_stake'];
    // The two games are alike; at one the away side hedges the home side, which the better of two books takes.
    assert.ok(stake('draftkings') > 100 && stake('bet365') > 100, JSON.stringify(items));
    for (const item of items) assert.ok(item['confidence_score'] >= 80 || item['proposed_stake'] <= 200);
  }
  assert.equal(meta['portfolio'].considered, 6);
  assert.equal(meta['portfolio'].stake, Math.round(100 * sum(data)) / 100);
  assert.ok(meta['portfolio'].expected_profit > 0 && meta['portfolio'].expected_growth_percent > 0);

  const narrow = await asked('max_event=1&kelly=1');
  for (const items of gamesOf(narrow['data']).values())
    assert.ok(sum(items) > 90 && sum(items) <= 100, `${sum(items)}`);
  const book = (await asked('max_book=0.5'))['data'].filter((item: Body) => item['sportsbook'] === 'draftkings');
  assert.ok(sum(book) > 40 && sum(book) <= 50, `${sum(book)}`);
  // The page does not decide: stakes are for all that match.
  const [first] = (await asked('limit=1'))['data'];
  assert.equal(first['proposed_stake'], (await asked(''))['data'][0]['proposed_stake']);
});
