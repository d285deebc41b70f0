// Moves as clients get them: over REST, SSE and WebSocket, within the caller's books, across a restart.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tier } from '../../../src/rules/catalogue/types.js';
import { type Body, complete, OTHER, served, serverIn } from '../../answers/opportunities/live-server.js';

type Live = Omit<Awaited<ReturnType<typeof served>>, 'dataDir'>;

const EVEN: [number, number] = [-110, -110];
const STEAMED: [number, number] = [-130, 110];

async function moves(live: Live, query = '', tier: Tier = 'sharp'): Promise<Body[]> {
  const response = await fetch(`${live.url}/moves?${query}`, { headers: { 'x-api-key': live.key(tier) } });
  const body = (await response.json()) as Body;
  assert.equal(response.status, 200, JSON.stringify(body));
  return body['data'];
}

/** Five books at even prices, of which three move within twenty seconds. */
async function steam(live: Live, game?: object): Promise<void> {
  await live.poll({ draftkings: EVEN, fanduel: EVEN, betmgm: EVEN, caesars: EVEN, pinnacle: [-105, -105] }, game);
  for (const book of ['draftkings', 'fanduel', 'betmgm']) {
    live.clock.set(live.clock.now() + 7_000);
    await live.poll({ [book]: STEAMED }, game);
  }
}

const steamUp = (all: Body[]): Body[] => all.filter(({ kind, direction }) => kind === 'steam' && direction === 'up');

test('three books that shorten a price within a minute are steam, and books that have not followed are listed with their edge', async (t) => {
  const live = await served(t);
  await steam(live);
  const [move, ...rest] = steamUp(await moves(live));
  assert.ok(move !== undefined && rest.length === 0, 'one steam upwards');
  assert.equal(move['selection'], 'Boston Celtics');
  assert.equal(move['market_type'], 'moneyline');
  assert.deepEqual(
    move['books'].map(({ book, from, to }: Body) => [book, from, to]),
    [
      ['draftkings', -110, -130],
      ['fanduel', -110, -130],
      ['betmgm', -110, -130],
    ],
  );
  assert.ok(Math.abs(move['probability_from'] - 11 / 21) < 1e-6 && Math.abs(move['probability_to'] - 13 / 23) < 1e-6);
  const behind: Body[] = move['laggards'];
  assert.deepEqual(
    behind.map(({ book }) => book),
    ['pinnacle', 'caesars'],
  );
  // -130 and +110 without the margin (power): 0.5454; -105 pays 1.952381.
  assert.ok(Math.abs(behind[0]!['edge_percent'] - 100 * (0.5454 * (1 + 100 / 105) - 1)) < 0.01, JSON.stringify(behind));
  assert.ok(behind[0]!['edge_percent'] > behind[1]!['edge_percent']);
  // A book that has followed is no laggard any more.
  live.clock.set(live.clock.now() + 2_000);
  await live.poll({ caesars: STEAMED });
  const [grown] = steamUp(await moves(live));
  assert.equal(grown!['id'], move['id']);
  assert.equal(grown!['books'].length, 4);
  assert.deepEqual(
    grown!['laggards'].map(({ book }: Body) => book),
    ['pinnacle'],
  );
  // One that changes twice before its next look is looked at once that is due, though nothing changes then.
  for (const odds of [-104, -103]) {
    live.clock.set(live.clock.now() + 300);
    await live.poll({ pinnacle: [odds, -105] });
  }
  live.clock.set(live.clock.now() + 2_000);
  await live.poll({ draftkings: STEAMED });
  const [later] = steamUp(await moves(live));
  assert.deepEqual(
    later!['laggards'].map(({ book, odds }: Body) => [book, odds]),
    [['pinnacle', -103]],
  );
});

async function refused(live: Live, query: string, tier: Tier): Promise<[number, string]> {
  const response = await fetch(`${live.url}/moves?${query}`, { headers: { 'x-api-key': live.key(tier) } });
  return [response.status, ((await response.json()) as Body)['error']['code']];
}

test('moves require Sharp, and a set of books has moves of its own', async (t) => {
  const live = await served(t);
  assert.deepEqual(await refused(live, '', 'pro'), [403, 'tier_restricted']);
  assert.deepEqual(await refused(live, 'kind=leap', 'sharp'), [400, 'invalid_request']);
  await steam(live);
  assert.equal(steamUp(await moves(live, 'sportsbook=draftkings,fanduel,betmgm')).length, 1, 'all three are in it');
  assert.equal(steamUp(await moves(live, 'sportsbook=draftkings,fanduel,caesars')).length, 0, 'two are no steam');
  assert.equal((await moves(live, 'kind=drop,line')).length, 0);
  assert.equal((await moves(live, 'kind=drop&kinds=steam')).length, (await moves(live, '')).length, 'both kinds');
  assert.equal((await moves(live, 'min_edge=50')).length, 0);
  assert.equal((await moves(live, 'league=nhl')).length, 0);
  // Moves of all books that one of these has not followed, and what is left there.
  const behind = steamUp(await moves(live, 'laggard=pinnacle'));
  assert.deepEqual(
    behind.map(({ books, laggards }) => [books.length, laggards.map(({ book }: Body) => book)]),
    steamUp(await moves(live)).map(({ books, laggards }) => [books.length, laggards.map(({ book }: Body) => book)]),
  );
  assert.equal((await moves(live, 'laggard=draftkings')).length, 0, 'it moved itself');
  const [{ laggards }] = behind as [Body];
  const { edge_percent } = laggards.find(({ book }: Body) => book === 'pinnacle');
  assert.equal(steamUp(await moves(live, `laggards=pinnacle,fanduel&min_edge=${edge_percent}`)).length, 1);
  assert.equal(steamUp(await moves(live, `laggard=pinnacle&min_edge=${edge_percent + 0.01}`)).length, 0);
  const unknown = await fetch(`${live.url}/moves?laggard=nosuch`, { headers: { 'x-api-key': live.key('sharp') } });
  assert.deepEqual(((await unknown.json()) as Body)['meta'].unknown, ['nosuch']);
  // Found in this universe once it is watched: caesars is the third book.
  live.clock.set(live.clock.now() + 1_000);
  await live.poll({ caesars: STEAMED });
  assert.equal(steamUp(await moves(live, 'sportsbook=draftkings,fanduel,caesars')).length, 1);
});

test('the channel sends moves as they are found and resumes after a restart, when they are still listed', async (t) => {
  const first = await served(t, 2);
  const stream = await first.follow('channel=moves', 'sharp');
  await stream.until(() => complete(stream));
  await steam(first);
  // The events of a tick arrive one by one, and only the last has an id to resume from.
  await stream.until(() => stream.active.size >= 2 && Boolean(stream.events.at(-1)!.id));
  const listed = await moves(first);
  assert.deepEqual([...stream.active.keys()].sort(), listed.map(({ id }) => `moves ${id}`).sort());
  const last = stream.events.findLast(({ id }) => id !== undefined)!.id!;
  await first.close();
  const second = await serverIn(t, first.dataDir, first.clock, 2);
  const again = await moves(second);
  assert.deepEqual(again, listed, 'active moves are sent as before');
  const resumed = await second.follow('channel=moves&resume=true', 'sharp', last);
  await resumed.until(() => resumed.events.some(({ type }) => type === 'connected'));
  await steam(second, OTHER);
  await resumed.until(() => resumed.active.size >= 2);
  assert.ok(!resumed.events.some(({ type }) => type === 'snapshot_required'));
  const known = new Set(listed.map(({ id }) => id));
  assert.ok([...resumed.active.keys()].every((key) => !known.has(key.slice('moves '.length))));
});

async function setUpSplits(live: Live, bets: Body): Promise<void> {
  const receipt = await live.server.engine.ingest([
    {
      book: 'draftkings',
      polled_at: new Date(live.clock.now()).toISOString(),
      scope: 'none',
      events: [],
      splits: [
        {
          league: 'nba',
          home_team: 'Boston Celtics',
          away_team: 'Los Angeles Lakers',
          start_time: '2026-11-21T00:30:00Z',
          sportsbook: 'draftkings',
          moneyline: { away_odds: -110, home_odds: -110, bets_pct: bets },
          fetched_at: new Date(live.clock.now()).toISOString(),
        },
      ],
    },
  ]);
  assert.deepEqual(receipt.rejected, []);
}

test('steam against most of the bets is a reverse move, too', async (t) => {
  const live = await served(t);
  await live.poll({ draftkings: EVEN });
  await setUpSplits(live, { home: 0.3, away: 0.7 });
  await steam(live);
  const reverse = await moves(live, 'kind=reverse');
  assert.deepEqual(reverse.map(({ selection, direction }) => [selection, direction]).sort(), [
    ['Boston Celtics', 'up'],
    ['Los Angeles Lakers', 'down'],
  ]);
  const alone = await moves(live, 'kind=reverse&sportsbook=fanduel');
  assert.deepEqual(alone, [], 'one book is no steam, so not one against the bets either');
  live.clock.set(live.clock.now() + 2_000);
  await live.poll({ caesars: STEAMED });
  const grown = await moves(live, 'kind=reverse');
  assert.deepEqual(grown.map(({ id }) => id).sort(), reverse.map(({ id }) => id).sort());
  for (const { books } of grown) assert.deepEqual(books.map(({ book }: Body) => book).at(-1), 'caesars');
});

test('a price that moves by more than a tenth in either direction is a drop', async (t) => {
  const live = await served(t);
  await live.poll({ draftkings: [100, -120], fanduel: [100, -120] });
  live.clock.set(live.clock.now() + 300_000);
  await live.poll({ draftkings: [-125, 105] });
  const drops = await moves(live, 'kind=drop&sort=last_moved_at');
  assert.deepEqual(
    drops.map(({ selection, direction, books }) => [selection, direction, books[0].from, books[0].to]).sort(),
    [['Los Angeles Lakers', 'down', -120, 105]],
    '2.00 to 1.80 is a tenth and no more, 1.83 to 2.05 nearly twelve hundredths',
  );
});

test('when most books have another main line the consensus has moved, and the books behind are listed', async (t) => {
  const live = await served(t);
  const at = (line: number, books: string[]) =>
    live.poll(Object.fromEntries(books.map((book) => [book, EVEN])), undefined, line);
  await at(219.5, ['draftkings', 'fanduel', 'betmgm', 'caesars']);
  live.clock.set(live.clock.now() + 5_000);
  await at(221.5, ['draftkings', 'fanduel']);
  assert.deepEqual(await moves(live, 'kind=line'), [], 'two and two: the line that was stays');
  await at(221.5, ['betmgm']);
  const [move] = await moves(live, 'kind=line');
  assert.deepEqual(
    [move!['selection'], move!['line_from'], move!['line_to'], move!['probability_to']],
    ['Over', 219.5, 221.5, null],
  );
  assert.deepEqual(
    move!['books'].map(({ book, from, to }: Body) => [book, from, to]),
    [
      ['draftkings', 219.5, 221.5],
      ['fanduel', 219.5, 221.5],
      ['betmgm', 219.5, 221.5],
    ],
  );
  const [behind] = move!['laggards'];
  assert.deepEqual([behind.book, behind.odds, behind.line], ['caesars', -110, 219.5]);
  // Two points of 17.68 standing deviations: 4.5 % likelier than even, at -110.
  assert.ok(Math.abs(behind.edge_percent - 100 * (0.545 * (21 / 11) - 1)) < 1, JSON.stringify(behind));
});

test('a consensus that is another one because more books are listed has not moved', async (t) => {
  const live = await served(t);
  const at = (line: number, books: string[]) =>
    live.poll(Object.fromEntries(books.map((book) => [book, EVEN])), undefined, line);
  await at(219.5, ['draftkings', 'fanduel']);
  live.clock.set(live.clock.now() + 5_000);
  await at(221.5, ['betmgm', 'caesars', 'betrivers']);
  assert.deepEqual(await moves(live, 'kind=line'), []);
  // From there it moves once books do.
  live.clock.set(live.clock.now() + 5_000);
  await at(222.5, ['draftkings', 'fanduel', 'betmgm']);
  assert.deepEqual(
    (await moves(live, 'kind=line')).map(({ line_from, line_to }) => [line_from, line_to]),
    [[221.5, 222.5]],
  );
});
