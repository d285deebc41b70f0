// The desk's choices of markets mean what the server's names for markets of every sport mean.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAME_TYPES } from '../../dashboard/model/games.js';
import { marketChoices, typesOf } from '../../dashboard/model/market-choice.js';
import type { MarketType } from '../../src/client/client.js';
import { expandMarkets } from '../../src/rules/markets/categories.js';

test('a choice has the market types that the server has by its name', () => {
  for (const name of ['moneyline', 'spread', 'total', 'team_total', 'btts', 'player_points'])
    assert.deepEqual([...typesOf(name)].sort(), expandMarkets([name]).exact.toSorted(), name);
});

test("a game's row has its own markets, and totals of its teams are a choice of their own, too", () => {
  assert.ok(!GAME_TYPES.includes('team_total') && GAME_TYPES.includes('total_rounds'), GAME_TYPES.join(' '));
  const type = (id: string, subject: string) => ({ id, name: id, subject, event_count: 1, sports: [] });
  const markets = [type('team_total', 'team'), type('total_points', 'game'), type('player_points', 'player')];
  assert.deepEqual(
    marketChoices(markets as unknown as MarketType[], '', '').map(({ id, group }) => `${id} ${group}`),
    ['moneyline main', 'spread main', 'total main', 'team_total more', 'player_points players'],
  );
});
