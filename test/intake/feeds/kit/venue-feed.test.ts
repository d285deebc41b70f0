import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../../../src/base/model/limits.js';
import type { FeedMemory } from '../../../../src/intake/feeds/feed.js';
import { VenueGames, type VenueMarket } from '../../../../src/intake/feeds/kit/games.js';
import { type GameFacts, settlementOf } from '../../../../src/intake/feeds/kit/market-ids.js';
import { Settlements, VenueFeed, type Words } from '../../../../src/intake/feeds/kit/venue-feed.js';
import { until } from '../../../support/until.js';
import { catalogue } from '../../../writer/shard/rig.js';
import { feedBench } from './venue.js';

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
  protected async settled(): Promise<undefined> {}
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

test('strikes of a contract venue that books have no bet on have a main line of their own', () => {
  const main = (lines: readonly number[], typeAt?: (type: string, line: number) => string) => {
    const game = new VenueGames(0, typeAt).put({ id: 'g', league: 'nba', home: 'a', away: 'b', startMs: 0 });
    const markets = lines.map((line, i) => {
      const sides = ['over', 'under'].map((side) => ({ selection: side, selectionType: side, line }));
      const market = game.market({ id: `${line}`, type: 'total_points' }, sides);
      for (const outcome of market.outcomes) outcome.set({ decimal: 1.98 - i / 100, size: null });
      return market;
    });
    game.event();
    return markets.flatMap(({ alternate, facts }) => (alternate ? [] : facts.id));
  };
  assert.deepEqual(main([224, 224.5, 230.5]), ['224']);
  const atKalshi = (type: string, line: number) => catalogue.typeAt(type, 'kalshi', line);
  assert.deepEqual(main([224, 224.5, 230.5], atKalshi), ['224', '224.5']);
});

test('a market that was not settled when the server stopped is asked for by the next run', async () => {
  const stored = new Map<string, unknown>();
  const memory: FeedMemory = {
    read: (name) => stored.get(name),
    write: async (name, value) => void stored.set(name, value),
  };
  /** One run: what the venue says of a market, how often it is asked at least, and which markets leave its list. */
  const run = async (words: Words, times: number, ...left: string[]) => {
    const games = new VenueGames();
    const asked: string[] = [];
    const context = { ...feedBench().context, memory };
    const ask = async ({ facts }: VenueMarket) => {
      asked.push(facts.id);
      return words;
    };
    const settlements = new Settlements({ venue: 'venue', games, context, ask, everyMs: 20 });
    const game = games.put({ id: 'g', league: 'nba', home: 'lakers', away: 'celtics', startMs: 0 });
    for (const id of left) {
      const sides = ['home', 'away'].map((side) => ({ selection: side, selectionType: side }));
      settlements.expect(game.market({ id, type: 'moneyline' }, sides));
    }
    const stopping = new AbortController();
    const running = settlements.run(stopping.signal);
    if (times > 0) await until('it is asked', () => asked.length >= times);
    else await new Promise((resolve) => setTimeout(resolve, 100));
    stopping.abort();
    await running;
    return { asked: [...new Set(asked)], settled: games.settled.map((one) => settlementOf(one)) };
  };
  assert.deepEqual(await run(undefined, 2, 'm'), { asked: ['m'], settled: [] });
  const { asked, settled } = await run(['won', 'lost'], 1);
  assert.deepEqual(asked, ['m']);
  const game = { league: 'nba', home_team: 'lakers', away_team: 'celtics', start_time: '1970-01-01T00:00:00.000Z' };
  assert.deepEqual(settled, [
    { ...game, market_type: 'moneyline', selection_type: 'home', outcome: 'won' },
    { ...game, market_type: 'moneyline', selection_type: 'away', outcome: 'lost' },
  ]);
  assert.deepEqual(await run(['won', 'lost'], 0), { asked: [], settled: [] });
  const many = Array.from({ length: 500 }, (_, id) => `m${id}`);
  assert.deepEqual((await run(undefined, 500, ...many)).asked, many);
  const longest = Math.max(...[...stored.values()].map((kept) => JSON.stringify(kept).length));
  assert.ok(longest < 10_000, `a value of ${longest} bytes holds the process up`);
  assert.deepEqual((await run(['won', 'lost'], 500)).asked.toSorted(), many.toSorted());
});

test('what waits for its settlement is kept while the venue takes long to answer', async () => {
  const stored = new Map<string, unknown>();
  const memory: FeedMemory = {
    read: (name) => stored.get(name),
    write: async (name, value) => void stored.set(name, value),
  };
  const games = new VenueGames();
  let answer = (): void => {};
  const hangs = new Promise<void>((resolve) => (answer = resolve));
  const ask = async ({ facts }: VenueMarket): Promise<Words> => {
    if (facts.id === 'slow') await hangs;
    return undefined;
  };
  const context = { ...feedBench().context, memory };
  const settlements = new Settlements({ venue: 'venue', games, context, ask, everyMs: 20 });
  const game = games.put({ id: 'g', league: 'nba', home: 'lakers', away: 'celtics', startMs: 0 });
  for (const id of ['quick', 'slow'])
    settlements.expect(game.market({ id, type: 'moneyline' }, [{ selection: 'home', selectionType: 'home' }]));
  const stopping = new AbortController();
  const running = settlements.run(stopping.signal);
  await until('what is kept', () => stored.size === 2).finally(() => {
    answer();
    stopping.abort();
  });
  await running;
});

test('after the clock was set back the venue is asked as before', async (t) => {
  const games = new VenueGames();
  let nowMs = Date.parse('2026-11-20T18:00:00Z');
  let asked = 0;
  const ask = async (): Promise<Words> => {
    asked++;
    return undefined;
  };
  const context = { ...feedBench().context, clock: { now: () => nowMs } };
  const settlements = new Settlements({ venue: 'venue', games, context, ask, everyMs: 20 });
  const game = games.put({ id: 'g', league: 'nba', home: 'lakers', away: 'celtics', startMs: 0 });
  settlements.expect(game.market({ id: 'm', type: 'moneyline' }, [{ selection: 'home', selectionType: 'home' }]));
  const stopping = new AbortController();
  const running = settlements.run(stopping.signal);
  t.after(async () => {
    stopping.abort();
    await running;
  });
  await until('a question', () => asked === 1);
  nowMs -= 3_600_000;
  await until('another', () => asked === 2);
});
