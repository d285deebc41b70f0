import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedMemory } from '../../../../src/intake/feeds/feed.js';
import { VenueGames } from '../../../../src/intake/feeds/kit/games.js';
import type { GameFacts } from '../../../../src/intake/feeds/kit/market-ids.js';
import { Publisher } from '../../../../src/intake/feeds/kit/publisher.js';
import { RowMirror } from '../../../../src/intake/feeds/kit/row-mirror.js';
import type { IngestMessage } from '../../../../src/intake/ingest/message.js';
import { until } from '../../../support/until.js';
import { rig } from '../../../writer/shard/rig.js';
import { feedBench, RECEIPT } from './venue.js';

const GAME: GameFacts = { id: 'g1', league: 'nba', home: 'lakers', away: 'celtics', startMs: Date.UTC(2026, 10, 23) };
const SIDES = [
  { selection: 'Lakers', selectionType: 'home', tokenId: 't1' },
  { selection: 'Celtics', selectionType: 'away', tokenId: 't2' },
];

function published(
  options: { sink?: (messages: IngestMessage[]) => Promise<typeof RECEIPT>; restateEveryMs?: number } = {},
) {
  const bench = feedBench(options.sink);
  const games = new VenueGames();
  const publisher = new Publisher({
    book: 'venue',
    leagues: ['nba', 'nfl'],
    games,
    context: bench.context,
    restateEveryMs: options.restateEveryMs ?? 60_000,
    clearAfterMs: 200,
  });
  const stopping = new AbortController();
  const running = publisher.run(stopping.signal);
  const stop = async () => {
    stopping.abort();
    await running;
  };
  return { ...bench, games, publisher, stop };
}

test('the first messages are complete for every league, later ones have only changes', async () => {
  const { games, publisher, batches, stop } = published();
  const market = games.put(GAME).market({ id: 'm', type: 'moneyline' }, SIDES);
  market.outcomes[0]!.set({ decimal: 2, size: 40 });
  publisher.ready();
  await until('the start', () => batches.length === 1);
  assert.deepEqual(
    batches[0]!.map(({ scope, league, events }) => [scope, league, events!.length]),
    [
      ['league', 'nba', 1],
      ['league', 'nfl', 0],
    ],
  );
  assert.deepEqual(batches[0]![0]!.events![0]!.markets[0]!.selections, [
    { selection: 'Lakers', selection_type: 'home', odds_decimal: 2, exchange_token_id: 't1', size: 40 },
  ]);
  market.outcomes[1]!.set({ decimal: 1.9, size: null });
  market.outcomes[0]!.set({ decimal: null, size: null });
  await until('the change', () => batches.length === 2);
  assert.equal(batches[1]![0]!.scope, 'none');
  assert.deepEqual(
    batches[1]![0]!.events![0]!.markets[0]!.selections.map(({ odds_decimal, is_active }) => [odds_decimal, is_active]),
    [
      [2, false],
      [1.9, undefined],
    ],
    'a side that empties keeps its last price and is inactive',
  );
  await stop();
});

test('if the venue does not answer at the start, rows of an earlier run are removed', async () => {
  const { batches, stop } = published();
  await until('the clearing', () => batches.length === 1);
  assert.deepEqual(
    batches[0]!.map(({ league, events }) => [league, events]),
    [
      ['nba', []],
      ['nfl', []],
    ],
  );
  await stop();
});

test('messages that were not accepted are sent again with the present state, including removed games', async () => {
  let refuse = false;
  let refused = 0;
  const batches: IngestMessage[][] = [];
  const { games, publisher, stop } = published({
    sink: async (messages) => {
      if (refuse) {
        refused++;
        throw new Error('the queue is full');
      }
      batches.push(messages);
      return RECEIPT;
    },
  });
  const market = games.put(GAME).market({ id: 'm', type: 'moneyline' }, SIDES);
  const other = games.put({ ...GAME, id: 'g2', home: 'bulls' });
  other.market({ id: 'm', type: 'moneyline' }, SIDES).outcomes[0]!.set({ decimal: 3, size: 1 });
  market.outcomes[0]!.set({ decimal: 2, size: 40 });
  publisher.ready();
  await until('the start', () => batches.length === 1);
  refuse = true;
  market.outcomes[0]!.set({ decimal: 2.1, size: 40 });
  games.remove('g2');
  await until('the first attempt', () => refused > 0);
  market.outcomes[0]!.set({ decimal: 2.2, size: 40 });
  refuse = false;
  await until('the second attempt', () => batches.length === 2);
  const events = batches[1]!.flatMap((message) => message.events!);
  assert.deepEqual(
    events.map(({ external_id, markets }) => [external_id, markets[0]?.selections[0]?.odds_decimal]).sort(),
    [
      ['g1', 2.2],
      ['g2', undefined],
    ],
  );
  assert.ok(batches[1]!.every(({ scope }) => scope === 'event'));
  await stop();
});

test('unchanged prices are repeated, and the end of the feed suspends them', async () => {
  const { games, publisher, batches, stop } = published({ restateEveryMs: 300 });
  games.put(GAME).market({ id: 'm', type: 'moneyline' }, SIDES).outcomes[0]!.set({ decimal: 2, size: 40 });
  publisher.ready();
  await until('two restatements', () => batches.length >= 3);
  assert.ok(batches.slice(1).every(([message]) => message!.scope === 'event' && message!.events!.length === 1));
  await stop();
  await publisher.suspendAll();
  assert.equal(batches.at(-1)![0]!.events![0]!.markets[0]!.selections[0]!.is_active, false);
});

test('of many lines one is the main line, and it changes only if another is clearly nearer to even', async () => {
  const { games, publisher, batches, stop } = published();
  const game = games.put(GAME);
  const line = (points: number, home: number, away: number) => {
    const market = game.market({ id: `s${points}`, type: 'point_spread' }, [
      { selection: 'Lakers', selectionType: 'home', line: -points },
      { selection: 'Celtics', selectionType: 'away', line: points },
    ]);
    market.outcomes[0]!.set({ decimal: home, size: 1 });
    market.outcomes[1]!.set({ decimal: away, size: 1 });
    return market;
  };
  const [first, second] = [line(3.5, 1.6, 2.5), line(5.5, 1.95, 1.95)];
  publisher.ready();
  await until('the start', () => batches.length === 1);
  assert.deepEqual([first.alternate, second.alternate], [true, false]);
  first.outcomes[0]!.set({ decimal: 1.98, size: 1 });
  first.outcomes[1]!.set({ decimal: 1.98, size: 1 });
  game.restructured();
  await until('a change', () => batches.length === 2);
  assert.deepEqual([first.alternate, second.alternate], [true, false], 'hardly nearer');
  second.outcomes[0]!.set({ decimal: 1.5, size: 1 });
  game.restructured();
  await until('the move', () => batches.length === 3);
  assert.deepEqual([first.alternate, second.alternate], [false, true]);
  await stop();
});

test('rows that do not change are repeated while others of their game do', async () => {
  const { context, batches } = feedBench();
  const mirror = new RowMirror();
  mirror.putGame(GAME);
  const put = (id: string, changedAt: number): void => {
    const selection = { selection: id, selection_type: id, odds_decimal: 2 + changedAt / 100 };
    const market = { market_type: 'moneyline' };
    mirror.put({ id, book: 'b', gameId: GAME.id, market, selection, active: true, changedAt });
  };
  const options = { book: 'service', books: ['b'], leagues: ['nba'], restateEveryMs: 300 };
  const publisher = new Publisher({ ...options, games: mirror, context });
  put('home', 0);
  put('away', 0);
  publisher.ready();
  const stopping = new AbortController();
  const running = publisher.run(stopping.signal);
  let changes = 0;
  const changing = setInterval(() => put('home', ++changes), 20);
  const timesOf = (id: string) =>
    batches.flat().filter(({ events = [] }) =>
      events.some(({ markets }) => markets.some(({ selections }) => selections.some(({ selection }) => selection === id))),
    ).length; // biome-ignore format: a path
  await until('the unchanged row again', () => timesOf('away') >= 3);
  clearInterval(changing);
  stopping.abort();
  await running;
});

test('the kit takes markets of players and teams from feeds of users: each has a main line of its own', async () => {
  const games = new VenueGames(2);
  const game = games.put(GAME);
  const overUnder = (line: number) => ['over', 'under'].map((type) => ({ selection: type, selectionType: type, line }));
  for (const [i, player] of ['A. Reaves', 'J. Tatum'].entries()) {
    const market = game.market({ id: player, type: 'player_points', player, stat: 'points' }, overUnder(20.5 + i));
    for (const outcome of market.outcomes) outcome.set({ decimal: 1.9, size: null });
  }
  const team = game.market({ id: 'h', type: 'team_total', team: 'home' }, overUnder(110.5));
  team.outcomes[0]!.set({ decimal: 1.9, size: null });
  games.settle(team, ['won']);
  assert.deepEqual(
    game
      .event()
      .markets.map(({ player_name, stat_category, team, selections }) => [
        ...[player_name, stat_category, team],
        selections.some(({ is_alternate_line }) => is_alternate_line),
      ]),
    [
      ['A. Reaves', 'points', undefined, false],
      ['J. Tatum', 'points', undefined, false],
      [undefined, undefined, 'home', false],
    ],
  );
  assert.equal(games.settled[0]!.market.team, 'home');
  games.depth = 3;
});

test('a price that is refused takes the one before it along', async (t) => {
  const table = rig(t, new Date().toISOString());
  const games = new RowMirror();
  const bench = feedBench(async (messages) => {
    table.nowMs = Date.now();
    const rejected = messages.flatMap((message, i) =>
      table.send(message).receipt.rejected.map(({ path, reason }) => ({ path: `[${i}].${path}`, reason })),
    );
    return { ...RECEIPT, rejected };
  });
  const publisher = new Publisher({
    book: 'service',
    leagues: ['nba'],
    games,
    context: bench.context,
    clearAfterMs: 1,
  });
  const stopping = new AbortController();
  const running = publisher.run(stopping.signal);
  t.after(async () => {
    stopping.abort();
    await running;
  });
  const put = (id: string, selection: string, odds_american: number) =>
    games.put({
      ...{ id, book: 'fanduel', gameId: 'g1', active: true, changedAt: 0 },
      market: { market_type: 'moneyline' },
      selection: { selection, selection_type: selection.toLowerCase(), odds_american },
    });
  const shown = () => [...table.rows().values()].map((row) => row.odds_american).sort();
  games.putGame({ ...GAME, startMs: Date.now() + 3_600_000 });
  put('1', 'Home', -110);
  put('2', 'Away', 104);
  publisher.ready();
  await until('both', () => shown().length === 2);
  put('1', 'Home', 2e9);
  put('2', 'Away', 120);
  await until('one', () => shown().length === 1);
  assert.deepEqual(shown(), [120]);
  const said = () => bench.log.filter(({ message }) => message.includes('quotes rejected')).length;
  assert.equal(said(), 1);
  put('1', 'Home', 2e9 + 1);
  put('2', 'Away', 125);
  await until('a refusal for the same reason', () => shown().includes(125));
  assert.equal(said(), 1);
});

function memoryOver(stored: Map<string, unknown>): FeedMemory {
  return {
    read: (name) => stored.get(name),
    write: async (name, value) => void stored.set(name, JSON.parse(JSON.stringify(value))),
  };
}

test('a league that a venue was asked for in another run, and is not now, has no prices', async () => {
  const memory = memoryOver(new Map());
  const run = async (...leagues: string[]) => {
    const bench = feedBench();
    const games = new VenueGames();
    const stopping = new AbortController();
    const publisher = new Publisher({ book: 'venue', leagues, games, context: { ...bench.context, memory } });
    for (const league of leagues)
      games
        .put({ ...GAME, id: league, league })
        .market({ id: 'm', type: 'moneyline' }, SIDES)
        .outcomes[0]!.set({ decimal: 2, size: 1 });
    publisher.ready();
    const running = publisher.run(stopping.signal);
    await until('the first messages', () => bench.batches.length > 0);
    stopping.abort();
    await running;
    return bench.batches[0]!.map(
      ({ book, scope, league, events = [] }) => `${book} ${scope} ${league} ${events.length}`,
    );
  };
  assert.deepEqual(await run('nba', 'nfl'), ['venue league nba 1', 'venue league nfl 1']);
  assert.deepEqual(await run('nba'), ['venue league nba 1', 'venue league nfl 0']);
  assert.deepEqual(await run('nba'), ['venue league nba 1']);
});

test('the prices of a book that moved to another feed stay when the first one begins without it', async () => {
  const memory = memoryOver(new Map([['first books', ['fanduel|nba', 'betus|nba']]]));
  const bench = feedBench();
  const context = { ...bench.context, memory, listers: new Map<string, string>() };
  const stopping = new AbortController();
  const begin = (book: string, games: RowMirror) =>
    new Publisher({ book, books: [], leagues: [], games, context, clearAfterMs: 50 }).run(stopping.signal);
  const mirror = new RowMirror();
  mirror.putGame(GAME);
  const selection = { selection: 'Lakers', selection_type: 'home', odds_decimal: 2 };
  mirror.put({
    ...{ id: 'r', book: 'fanduel', gameId: 'g1', market: { market_type: 'moneyline' }, selection, active: true },
    changedAt: 1,
  });
  const second = begin('second', mirror);
  await until('the second feed’s prices', () => bench.batches.length === 1);
  const first = begin('first', new RowMirror());
  await until('what the first one removes', () => bench.batches.length === 2);
  stopping.abort();
  await Promise.all([first, second]);
  assert.deepEqual(
    bench.batches[1]!.map(({ book, league }) => [book, league]),
    [['betus', 'nba']],
  );
});

test('what a source of many books listed is removed by its next run, also if a kill ended this one', async () => {
  const stored = new Map<string, unknown>();
  const memory = memoryOver(stored);
  /** Lists prices of these books; nothing is told of the end. */
  const run = async (...books: string[]) => {
    const bench = feedBench();
    const mirror = new RowMirror();
    const stopping = new AbortController();
    const options = { book: 'source', books: [], leagues: [], games: mirror, clearAfterMs: 50 };
    const publisher = new Publisher({ ...options, context: { ...bench.context, memory } });
    mirror.putGame(GAME);
    const put = (book: string) => {
      const selection = { selection: 'Lakers', selection_type: 'home', odds_decimal: 2 };
      const market = { market_type: 'moneyline' };
      mirror.put({ id: `r ${book}`, book, gameId: 'g1', market, selection, active: true, changedAt: 1 });
    };
    if (books.length > 0) put(books[0]!);
    const running = publisher.run(stopping.signal);
    await until('the first messages', () => bench.batches.length > 0 || books.length + stored.size === 0);
    // Books that turn up later are remembered as well.
    for (const book of books.slice(1)) put(book);
    const sent = () =>
      new Set(bench.batches.flat().flatMap(({ book, events = [] }) => (events.length > 0 ? book : [])));
    await until('all of its books', () => sent().size === books.length);
    stopping.abort();
    await running;
    const begun = bench.batches[0] ?? [];
    return begun
      .filter(({ events = [] }) => events.length === 0)
      .map(({ book, scope, league }) => [book, scope, league]);
  };
  assert.deepEqual(await run('fanduel', 'betus'), []);
  assert.deepEqual(await run('fanduel'), [['betus', 'league', 'nba']]);
  // By now it is another source's, if anybody's.
  assert.deepEqual(await run('draftkings'), [['fanduel', 'league', 'nba']]);
  assert.deepEqual(await run(), [['draftkings', 'league', 'nba']]);
});
