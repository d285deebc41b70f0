import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../../../src/base/model/limits.js';
import type { GameFacts } from '../../../../src/intake/feeds/kit/market-ids.js';
import { VenueFeed } from '../../../../src/intake/feeds/kit/venue-feed.js';
import { catalogue } from '../../../writer/shard/rig.js';

class Listing extends VenueFeed<GameFacts> {
  constructor() {
    super({ book: 'venue', leagues: ['nba'], discoverEveryMs: 1_000, listing: {} }, { catalogue, random: () => 0 }, '');
  }

  get size(): number {
    return this.games.size;
  }

  lists(games: readonly GameFacts[]): void {
    this.list(games);
  }

  protected begin(): void {}
  protected async look(): Promise<void> {}
  protected missed(): void {}
  protected booksAreWhole(): boolean {
    return true;
  }
  protected put(game: GameFacts): void {
    this.games.put(game);
  }
}

test('more games than a venue may have are left out, and those that are known stay', () => {
  const feed = new Listing();
  const game = (id: number): GameFacts => ({ id: `g${id}`, league: 'nba', home: 'a', away: 'b', startMs: id });
  const games = Array.from({ length: LIMITS.venueGames.max + 1 }, (_, id) => game(id));
  const reversed = games.toReversed();
  for (const list of [games, reversed, reversed]) feed.lists(list);
  assert.equal(feed.size, LIMITS.venueGames.max);
});
