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

test('what is staked already counts: in the caps, at its own price, and against what hangs together with it', async (t) => {
  const { get, poll, url, key } = await served(t);
  for (const game of [undefined, OTHER])
    await poll({ pinnacle: [-110, -110], draftkings: [130, -150], fanduel: [125, -150], bet365: [-150, 120] }, game);
  const call = async (path: string, body: object): Promise<Body> => {
    const headers = { 'x-api-key': key('sharp'), 'content-type': 'application/json' };
    const method = path === '/account/bankroll' ? 'PUT' : 'POST';
    const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
    return (await response.json()) as Body;
  };
  const asked = async (query: string) => get(`ev?bankroll=10000&${query}`, 'sharp');
  const wide = 'max_event=100&max_book=100&kelly=1';
  const before = await asked(wide);
  assert.equal(before['meta'].portfolio.open_stakes, 0);
  const game = before['data'][0]['event_id'];
  const at = (book: string, { data }: Body): Body =>
    data.find((item: Body) => item['sportsbook'] === book && item['event_id'] === game);
  const best = at('draftkings', before);
  const bet = async (client_id: string, item: Body, stake: number): Promise<void> => {
    const { odds_id, odds_decimal } = item;
    const placed = await call('/account/bets', { bets: [{ client_id, odds_id, stake, odds_decimal, mode: 'placed' }] });
    assert.equal(placed['data'][0]['status'], 'filled');
  };
  await bet('half', best, Math.round(50 * best['proposed_stake']) / 100);
  const after = await asked(wide);
  assert.equal(after['meta'].portfolio.open_stakes, Math.round(50 * best['proposed_stake']) / 100);
  const rest = at('draftkings', after)['proposed_stake'];
  assert.ok(Math.abs(rest - best['proposed_stake'] / 2) < 5, `${rest} is left of ${best['proposed_stake']}`);
  // A rival on the same side takes no more; the hedge on the other side is as good as before.
  assert.ok(Math.abs(at('bet365', after)['proposed_stake'] - at('bet365', before)['proposed_stake']) < 10);

  // More than the share of the game: nothing further on it, and the other game is as it was.
  const narrow = await asked('max_event=0.8&max_book=100&kelly=1');
  const games = gamesOf(narrow['data']);
  assert.equal(sum(games.get(game)!), 0);
  assert.ok(sum(games.get([...games.keys()].find((one) => one !== game)!)!) > 70);
  const used = (Math.round(50 * best['proposed_stake']) / 100 / 100 + 0.5).toFixed(2);
  const byBook = await asked(`max_event=100&kelly=1&max_book=${used}`);
  assert.ok(sum(byBook['data'].filter((item: Body) => item['sportsbook'] === 'draftkings')) <= 50);

  // Whom the bets are shown to, and in what currency.
  const { data: token } = await call('/account/tokens', { ttl_s: 600 });
  const seen = await fetch(`${url}/opportunities/ev?bankroll=10000&kelly=1&token=${token.token}`);
  assert.equal(((await seen.json()) as Body)['meta']?.portfolio?.open_stakes, 0);
});
