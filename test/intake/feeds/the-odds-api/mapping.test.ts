// Maps The Odds API's answers to ingest messages: the result of each part, and that invalid parts cost only themselves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapPoll } from '../../../../src/intake/feeds/the-odds-api/mapper.js';
import type { IngestMarket } from '../../../../src/intake/ingest/message.js';
import { bookmaker, event, h2h, LEAGUES, mapEvents, market, marketsOf, POLLED_AT } from './answers.js';

test('one message per book, complete for the league, with the event as the book lists it', () => {
  const { messages, skipped } = mapEvents([
    event('e1', [bookmaker('fanduel', [h2h(-142, 116)]), bookmaker('betus', [h2h(-140, '+110')])]),
    event('e2', [bookmaker('fanduel', [h2h(120, -150)])], { commence_time: '2026-05-03T20:05:00Z' }),
  ]);
  assert.deepEqual(skipped, []);
  assert.deepEqual(
    messages.map((message) => [message.book, message.scope, message.league, message.polled_at, message.events?.length]),
    [
      ['fanduel', 'league', 'mlb', POLLED_AT, 2],
      ['betus', 'league', 'mlb', POLLED_AT, 1],
    ],
  );
  assert.deepEqual(messages[1]?.events?.[0], {
    league: 'mlb',
    home_team: 'River City Herons',
    away_team: 'Port Vale Otters',
    start_time: '2026-05-02T20:05:00Z',
    external_id: 'e1',
    markets: [
      {
        market_type: 'moneyline',
        last_seen_at: '2026-05-02T17:59:50Z',
        selections: [
          { selection: 'River City Herons', selection_type: 'home', odds_american: -140 },
          { selection: 'Port Vale Otters', selection_type: 'away', odds_american: '+110' },
        ],
      },
    ],
  });
});

test('an incomplete answer speaks only for the events it lists', () => {
  const { messages } = mapEvents([event('e1', [bookmaker('fanduel', [h2h(-142, 116)])])], false);
  assert.equal(messages[0]?.scope, 'event');
  assert.equal('league' in messages[0]!, false);
});

test('book keys become ours, and two keys of one book are one event', () => {
  const { messages, skipped } = mapEvents([
    event('e1', [
      bookmaker('betonlineag', [h2h(-101, -109)]),
      bookmaker('mybookieag', [h2h(-101, -109)]),
      bookmaker('williamhill_us', [h2h(-101, -109)]),
      bookmaker('caesars', [h2h(-105, -105), market('totals', [{ name: 'Over', price: -110, point: 8.5 }])]),
    ]),
  ]);
  assert.deepEqual(
    messages.map((message) => message.book),
    ['betonline', 'mybookie', 'caesars'],
  );
  const types = messages[2]?.events?.map((entry) => entry.markets.map((each) => each.market_type));
  assert.deepEqual(types, [['moneyline', 'total_runs']]);
  assert.deepEqual(
    skipped.map((part) => part.reason),
    ['the same book twice: its repeated markets'],
  );
});

test('totals and spreads get the type of their sport', () => {
  const markets = [
    market('totals', [{ name: 'Over', price: -110, point: '8.5' }]),
    market('spreads', [{ name: 'Port Vale Otters', price: -110, point: 1.5 }]),
  ];
  for (const [sportKey, total, spread] of [
    ['baseball_mlb', 'total_runs', 'run_line'],
    ['icehockey_nhl', 'total_goals', 'puck_line'],
    ['icehockey_liiga', 'total_goals', 'puck_line'],
    ['soccer_epl', 'total_goals', 'point_spread'],
    ['soccer_norway_eliteserien', 'total_goals', 'point_spread'],
    ['basketball_nba', 'total_points', 'point_spread'],
    ['americanfootball_ufl', 'total_points', 'point_spread'],
  ]) {
    const read = marketsOf(markets, { sport_key: sportKey });
    assert.deepEqual(
      read.markets.map((each) => each.market_type),
      [total, spread],
      sportKey,
    );
    assert.deepEqual(
      read.markets.map((each) => each.selections[0]?.line),
      [8.5, 1.5],
    );
    assert.deepEqual(
      read.markets.map((each) => each.selections[0]?.selection_type),
      ['over', 'away'],
    );
  }
});

test('a sport the catalogue does not know gets a league id of its own', () => {
  const { messages } = mapEvents([
    event('e1', [bookmaker('fanduel', [h2h(-142, 116)])], { sport_key: 'soccer_norway_eliteserien' }),
  ]);
  assert.equal(messages[0]?.league, 'soccer-norway-eliteserien');
  const long = 'soccer_fifa_world_cup_qualifiers_south_america';
  const { messages: second } = mapEvents([event('e1', [bookmaker('fanduel', [h2h(-142, 116)])], { sport_key: long })]);
  assert.match(second[0]?.league ?? '', /^[a-z0-9][a-z0-9-]{0,39}$/);
});

test('a draw, lay prices and three-way moneylines are separate from the moneyline', () => {
  const sides = [
    { name: 'River City Herons', price: 150 },
    { name: 'Port Vale Otters', price: 190 },
    { name: 'Draw', price: 220 },
  ];
  const { markets } = marketsOf(
    ['h2h', 'h2h_lay', 'h2h_3_way', 'h2h_h1'].map((key) => market(key, sides)),
    {
      sport_key: 'soccer_epl',
    },
  );
  assert.deepEqual(
    markets.map((each) => each.market_type),
    ['moneyline', 'moneyline_lay', 'moneyline_3way', 'moneyline_h1'],
  );
  assert.deepEqual(
    markets[0]?.selections.map((each) => each.selection_type),
    ['home', 'away', 'draw'],
  );
});

test('alternate lines are of the main type and marked, also a second line inside a main market', () => {
  const { markets } = marketsOf([
    market('alternate_totals', [
      { name: 'Over', price: 150, point: 10.5 },
      { name: 'Over', price: 250, point: 11.5 },
    ]),
    market('totals', [
      { name: 'Over', price: -110, point: 8.5 },
      { name: 'Under', price: -125, point: 9 },
      { name: 'Under', price: -110, point: 8.5 },
      { name: 'Over', price: 105, point: 9 },
    ]),
  ]);
  assert.deepEqual(
    markets.map((each) => each.market_type),
    ['total_runs', 'total_runs'],
  );
  assert.deepEqual(
    markets.map((each) => each.selections.map((selection) => selection.is_alternate_line ?? false)),
    [
      [true, true],
      [false, true, false, true],
    ],
  );
});

test('two sides alone at two numbers stay main ones, which the engine refuses: one of them is wrong', () => {
  const { markets } = marketsOf([
    market('spreads', [
      { name: 'River City Herons', price: -110, point: -1.5 },
      { name: 'Port Vale Otters', price: -110, point: -1.5 },
    ]),
    market('totals', [
      { name: 'Over', price: -110, point: 8.5 },
      { name: 'Under', price: -110, point: 9.5 },
    ]),
  ]);
  for (const { selections } of markets)
    assert.deepEqual(
      selections.map((selection) => selection.is_alternate_line ?? false),
      [false, false],
    );
});

test('player markets are split by player, their alternates are alternate lines, baseball props are props', () => {
  const props = (names: string[]) =>
    names.flatMap((player) => [
      { name: 'Over', description: player, price: -110, point: 1.5 },
      { name: 'Under', description: player, price: -110, point: 1.5 },
    ]);
  const { markets, reasons } = marketsOf([
    market('player_points', props(['Ann Lee', 'Bo Day'])),
    market('player_points_alternate', [{ name: 'Over', description: 'Ann Lee', price: 300, point: 4.5 }]),
    market('batter_hits', props(['Cy Fox'])),
    market('player_first_scorer', [{ name: 'Dee Roe', price: 900 }]),
    market('player_double_double', [{ name: 'Yes', description: 'Ann Lee', price: 400 }]),
    market('player_assists', [{ name: 'Over', price: -110, point: 3.5 }]),
  ]);
  assert.deepEqual(
    markets.map((each) => [each.market_type, each.player_name, each.stat_category, each.selections.length]),
    [
      ['player_points', 'Ann Lee', 'points', 2],
      ['player_points', 'Bo Day', 'points', 2],
      ['player_points', 'Ann Lee', 'points', 1],
      ['player_batter_hits', 'Cy Fox', 'batter_hits', 2],
      ['player_first_scorer', 'Dee Roe', 'first_scorer', 1],
      ['player_double_double', 'Ann Lee', 'double_double', 1],
    ],
  );
  assert.equal(markets[2]?.selections[0]?.is_alternate_line, true);
  assert.deepEqual(markets[4]?.selections[0], { selection: 'Yes', selection_type: 'yes', odds_american: 900 });
  assert.deepEqual(reasons, ['no player']);
});

test('team totals carry their team, those of a part of the game too', () => {
  const outcomes = [
    { name: 'Over', description: 'River City Herons', price: -110, point: 4.5 },
    { name: 'Over', description: 'Port Vale Otters', price: -105, point: 3.5 },
    { name: 'Over', description: 'Nobody', price: -105, point: 3.5 },
  ];
  const { markets, reasons } = marketsOf([market('team_totals', outcomes), market('team_totals_h1', outcomes)]);
  assert.deepEqual(
    markets.map((each) => [each.market_type, each.team, each.selections[0]?.line]),
    [
      ['team_total', 'home', 4.5],
      ['team_total', 'away', 3.5],
      ['team_total_h1', 'home', 4.5],
      ['team_total_h1', 'away', 3.5],
    ],
  );
  assert.equal(reasons.length, 2);
});

test('unknown markets keep their own names', () => {
  const { markets } = marketsOf([
    market('first_corner', [
      { name: 'Yes', price: -120 },
      { name: 'No', price: 100 },
    ]),
    market('double_chance', [{ name: 'River City Herons or Draw', price: -200 }]),
    market('draw_no_bet', [{ name: 'River City Herons', price: -130 }]),
  ]);
  assert.deepEqual(
    markets.map((each) => [each.market_type, each.selections.map((selection) => selection.selection_type)]),
    [
      ['first_corner', ['yes', 'no']],
      ['double_chance', ['river_city_herons_or_draw']],
      ['draw_no_bet', ['home']],
    ],
  );
});

test('the time of a price is its market’s, otherwise its book’s, otherwise the poll’s', () => {
  const sides = [{ name: 'River City Herons', price: 150 }];
  const { messages } = mapEvents([
    event('e1', [
      bookmaker('a', [{ key: 'h2h', outcomes: sides }]),
      bookmaker('b', [{ key: 'h2h', last_update: 'yesterday', outcomes: sides }], { last_update: null }),
      bookmaker('c', [{ key: 'h2h', last_update: 1777744790, outcomes: sides }]),
    ]),
  ]);
  assert.deepEqual(
    messages.map((message) => message.events?.[0]?.markets[0]?.last_seen_at),
    ['2026-05-02T17:59:40Z', undefined, '2026-05-02T17:59:50.000Z'],
  );
});

test('team names are recognised despite case, accents, missing cities and added pitchers', () => {
  const named = (names: string[], home: string, away: string) =>
    marketsOf(
      [
        market(
          'h2h',
          names.map((name) => ({ name, price: 110 })),
        ),
      ],
      { home_team: home, away_team: away },
    );
  const sides = (read: { markets: IngestMarket[] }) => read.markets[0]?.selections.map((each) => each.selection_type);
  assert.deepEqual(sides(named(['Oakland Athletics', 'DETROIT TIGERS'], 'Athletics', 'Detroit Tigers')), [
    'home',
    'away',
  ]);
  assert.deepEqual(sides(named(['Atletico Azul (J. Roe)', 'Rojo'], 'Atlético Azul', 'Club Rojo')), ['home', 'away']);
  // "Chicago" alone could be either team: it is not guessed.
  assert.deepEqual(named(['Chicago'], 'Chicago Cubs', 'Chicago White Sox').reasons, ['name is neither of the teams']);
  // A part of a word is not a name.
  assert.deepEqual(named(['Rays'], 'Strays', 'Owls').reasons, ['name is neither of the teams']);
});

test('links belong to the selection, the most specific first; invalid ones are omitted', () => {
  const { markets } = marketsOf([
    market(
      'h2h',
      [
        { name: 'River City Herons', price: 110, link: 'https://book.example/slip/1', sid: 77 },
        // JSON's reader rounds it to another selection's.
        { name: 'Port Vale Otters', price: -120, link: 'javascript:alert(1)', sid: 2 ** 53 + 2 },
      ],
      { link: 'https://book.example/event/9' },
    ),
  ]);
  assert.deepEqual(
    markets[0]?.selections.map((each) => [each.deep_link, each.external_id]),
    [
      ['https://book.example/slip/1', '77'],
      ['https://book.example/event/9', undefined],
    ],
  );
});

test('a limit is the stake available at an exchange’s price, and the lowest of a bookmaker’s market its highest bet', () => {
  const leagues = { ...LEAGUES, book: (key: string) => ({ regions: [], isExchange: key === 'novig' }) };
  const limits = (home: unknown, away: unknown) => [
    market('h2h', [
      { name: 'River City Herons', price: 110, bet_limit: home },
      { name: 'Port Vale Otters', price: -120, bet_limit: away },
    ]),
  ];
  const events = [event('e1', [bookmaker('novig', limits(55.5, 0)), bookmaker('pinnacle', limits(2_000, 1_500))])];
  const { messages } = mapPoll({ events, polledAt: POLLED_AT, complete: true }, leagues);
  assert.deepEqual(
    messages.map(({ events }) => {
      const [one] = events![0]!.markets;
      return [one?.max_bet, one?.selections.map(({ size }) => size)];
    }),
    [
      [undefined, [55.5, undefined]],
      [1_500, [undefined, undefined]],
    ],
  );
});
