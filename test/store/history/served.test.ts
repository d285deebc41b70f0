// History as a client requests it: a real server, its thread, its file.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { LAKERS, NOW } from '../../front/api/serving.js';
import { type Api, api, type Json } from '../../front/api.js';
import { eventually } from '../../support/until.js';
import { FLAGS, json, MINUTE, post, START } from './rig.js';

const BEGIN = Date.parse(NOW);

async function market(t: TestContext, start = START): Promise<{ made: Api; key: string }> {
  const made = await api(t, FLAGS);
  await post(made, BEGIN, 'draftkings', { home: -110, away: -110, start });
  await post(made, BEGIN + MINUTE, 'draftkings', { home: -112, away: -108, start });
  await post(made, BEGIN + 2 * MINUTE, 'draftkings', { home: -112, away: -108, start });
  await post(made, BEGIN + 3 * MINUTE, 'draftkings', { home: -105, away: -115, line: -4, start });
  await post(made, BEGIN + 3 * MINUTE, 'pinnacle', { home: -104, away: -104, start });
  return { made, key: made.key('enterprise') };
}

test('every change of price or line is a point, a price seen again is none', async (t) => {
  const { made, key } = await market(t);
  const { data, meta, pagination } = await json(made, `/odds/history?event=${LAKERS}&sportsbook=draftkings`, key);
  const home = data.find((row: Json) => row.selection_type === 'home');
  assert.deepEqual(
    home.points.map(({ at, odds_american, line }: Json) => [Math.floor(Date.parse(at)), odds_american, line]),
    [
      [BEGIN, -110, -3.5],
      [BEGIN + MINUTE, -112, -3.5],
      [BEGIN + 3 * MINUTE, -105, -4],
    ],
  );
  assert.deepEqual([pagination.count, pagination.total, pagination.has_more, meta.gaps], [6, 6, false, undefined]);
  assert.equal(home.opening.odds_american, -110);
  const rows = await json(made, '/odds?include=opening&sportsbook=draftkings&sort=odds', key);
  assert.deepEqual(
    rows.data.map((row: Json) => [row.odds_american, row.opening]),
    [
      [-115, { odds_american: -110, odds_decimal: 1.909091, line: 3.5, at: home.opening.at }],
      [-105, home.opening],
    ],
  );
  const ofEvent = await json(made, `/events/${LAKERS}/odds?include=opening,depth&sportsbook=draftkings`, key);
  const openings = ({ data: found }: Json) => Object.fromEntries(found.map((row: Json) => [row.id, row.opening]));
  assert.deepEqual(openings(ofEvent), openings(rows));
  await json(made, `/events/${LAKERS}/odds?include=opening`, made.key('hobby'), 403);
  const grouped = await json(made, '/odds?include=opening&group_by=event', key);
  assert.ok(grouped.data[0].odds.every((row: Json) => row.opening.odds_american < -100));
  const bare = await json(made, '/odds?include=opening&fields=odds_american&sportsbook=draftkings&sort=odds', key);
  assert.deepEqual(
    bare.data[1],
    { odds_american: -105, opening: home.opening },
    'found without the id being asked for',
  );
  for (const query of ['fields=odds_american,opening', 'include=opening&fields=opening,odds_american'])
    assert.deepEqual(
      (await json(made, `/odds?${query}&sportsbook=draftkings&sort=odds`, key)).data,
      (await json(made, '/odds?include=opening&fields=odds_american&sportsbook=draftkings&sort=odds', key)).data,
    );
  const alone = await json(made, '/odds?fields=opening&sportsbook=draftkings&sort=odds', key);
  assert.deepEqual(alone.data[1], { opening: home.opening });
  await json(made, '/odds?fields=id,opening', made.key('hobby'), 403);
  const csv = await made.fetch('/odds?include=opening&format=csv&fields=line&sportsbook=draftkings&sort=odds', { key });
  assert.deepEqual((await csv.text()).split('\r\n').slice(0, 2), [
    'line,opening_odds_american,opening_odds_decimal,opening_line,opening_at,opening_indicative',
    `4,-110,1.909091,3.5,${home.opening.at},`,
  ]);
  await json(made, '/odds?include=opening', made.key('hobby'), 403);
  // Pinnacle's changes are a microsecond later than the clock, as is usual while positions are ahead of a clock that
  // was set back.
  const all = await json(made, `/odds/history?event=${LAKERS}`, key);
  const { data: ofDay, meta: period } = await json(
    made,
    `/odds/history?event=${LAKERS}&from=2026-11-20&to=2026-11-20`,
    key,
  );
  assert.deepEqual(ofDay, all.data, 'a day is all of it, in UTC');
  assert.deepEqual([period.from, period.to], ['2026-11-20T00:00:00.000000000Z', '2026-11-20T23:59:59.999999000Z']);
  await json(made, `/odds/history?event=${LAKERS}&to=2026-11-31`, key, 400);
  assert.deepEqual(
    all.data.map((row: Json) => [row.sportsbook, row.points.length]),
    [
      ['draftkings', 3],
      ['draftkings', 3],
      ['pinnacle', 1],
      ['pinnacle', 1],
    ],
  );
});

test('a page continues where the previous one ended, and all pages together are complete', async (t) => {
  const { made, key } = await market(t);
  const whole = await json(made, `/odds/history?event=${LAKERS}`, key);
  const pages: string[] = [];
  let cursor = '';
  do {
    const page = await json(made, `/odds/history?event=${LAKERS}&limit=3${cursor}`, key);
    for (const row of page.data)
      for (const point of row.points) pages.push(`${row.odds_id} ${point.at} ${point.odds_american}`);
    assert.equal(page.pagination.total, whole.pagination.total);
    cursor = page.pagination.has_more ? `&cursor=${page.pagination.next_cursor}` : '';
  } while (cursor !== '');
  const expected = whole.data.flatMap((row: Json) =>
    row.points.map((point: Json) => `${row.odds_id} ${point.at} ${point.odds_american}`),
  );
  assert.deepEqual(pages, expected);
  await json(made, `/odds/history?event=${LAKERS}&cursor=abc`, key, 400);
});

test('a cursor is only good for the filters and books it was made with', async (t) => {
  const { made, key } = await market(t);
  const first = `/odds/history?event=${LAKERS}&market=point_spread&limit=3`;
  const { pagination } = await json(made, first, key);
  const cursor = `&cursor=${pagination.next_cursor}`;
  await json(made, first.replace('limit=3', 'limit=1') + cursor, key);
  for (const other of [
    `${first}&interval=5m`,
    `${first}&sportsbook=draftkings`,
    `${first}&selection=home`,
    `${first}&line=-3.5`,
    `${first}&from=2026-01-01T00:00:00Z`,
    `${first}&to=2027-01-01T00:00:00Z`,
    first.replace('point_spread', 'moneyline'),
  ]) {
    const { error } = await json(made, other + cursor, key, 400);
    assert.equal(error.message, 'cursor: made with other filters; start again without it', other);
  }
  await json(made, first + cursor, made.key('pro'), 400);
});

test('candles have the first, highest, lowest and last price of the changes in them', async (t) => {
  const { made, key } = await market(t);
  const rows = await json(made, `/odds/history?event=${LAKERS}&sportsbook=draftkings&selection=home&interval=5m`, key);
  const [candle, ...more] = rows.data[0].points;
  assert.equal(more.length, 0);
  assert.deepEqual(candle.american, { open: -110, high: -105, low: -112, close: -105 });
  assert.deepEqual([candle.changes, candle.line, Date.parse(candle.at)], [3, -4, BEGIN]);
});

test('a line has only the time in which the row was at it; a row can be requested by its id alone', async (t) => {
  const { made, key } = await market(t);
  const { data } = await json(made, `/odds/history?event=${LAKERS}&selection=home&line=-4`, key);
  assert.deepEqual(
    data.map((row: Json) => [row.sportsbook, row.points.length]),
    [['draftkings', 1]],
  );
  const one = await json(made, `/odds/history?odds_id=${data[0].odds_id}`, key);
  assert.deepEqual([one.data.length, one.data[0].points.length], [1, 3]);
  await json(made, '/odds/history?odds_id=1234567890123456789', key, 404);
  await json(made, '/odds/history?event=nba_nobody_nowhere_2026-11-20', key, 404);
  await json(made, '/odds/history', key, 400);
});

test('a tier may go back as far as its limit, within its own books', async (t) => {
  const { made } = await market(t, '2026-11-25T00:00:00Z');
  const later = 'nba_celtics_lakers_2026-11-24';
  made.clock.set(BEGIN + 24 * 60 * MINUTE + 2 * MINUTE);
  const pro = await json(made, `/odds/history?event=${later}&from=2026-11-01T00:00:00Z`, made.key('pro'));
  assert.deepEqual(
    [pro.meta.clamped, Date.parse(pro.meta.from), pro.data.map((row: Json) => [row.sportsbook, row.points.length])],
    [
      true,
      BEGIN + 2 * MINUTE,
      [
        ['draftkings', 1],
        ['draftkings', 1],
      ],
    ],
  );
  const sharp = await json(made, `/odds/history?event=${later}&from=2026-11-01T00:00:00Z`, made.key('sharp'));
  assert.deepEqual([sharp.meta.clamped, sharp.pagination.count], [true, 8]);
  const all = await json(made, `/odds/history?event=${later}&from=2026-11-01T00:00:00Z`, made.key('enterprise'));
  assert.deepEqual([all.meta.clamped, all.pagination.count], [undefined, 8]);
  await json(made, `/odds/history?event=${later}`, made.key('hobby'), 403);
  const { data } = await json(made, `/odds/history?event=${later}&sportsbook=pinnacle`, made.key('sharp'));
  await json(made, `/odds/history?odds_id=${data[0].odds_id}`, made.key('pro'), 403);
  await json(made, `/odds/history?event=${later}&sportsbook=pinnacle`, made.key('pro'), 403);
});

type Closing = Record<string, [at: number, price: number] | undefined>;

async function closing(made: Api, key: string, kind = 'closing'): Promise<Closing> {
  const { data } = await json(made, `/odds/${kind}?event_id=${LAKERS}`, key);
  return Object.fromEntries(
    Object.entries<Json>(data.books).map(([book, lines]) => {
      const home = lines.find((line: Json) => line.selection_type === 'home');
      return [book, [Math.floor(Date.parse(home.captured_at)), home.odds_american]];
    }),
  );
}

test('a book closes at its own first live statement or at the start, whichever is first', async (t) => {
  const { made, key } = await market(t);
  const start = Date.parse(START);
  assert.deepEqual(await closing(made, key), {});
  await post(made, start - 4 * MINUTE, 'fanduel', { home: 102, away: -122 });
  // It goes live early; the others continue.
  await post(made, start - 3 * MINUTE, 'fanduel', { home: 150, away: -180, live: true });
  await post(made, start - 2 * MINUTE, 'draftkings', { home: -101, away: -119 });
  assert.deepEqual(await closing(made, key), { fanduel: [start - 4 * MINUTE, 102] });
  await post(made, start + 1 * MINUTE, 'draftkings', { home: 200, away: -240 });
  const expected = {
    draftkings: [start - 2 * MINUTE, -101],
    fanduel: [start - 4 * MINUTE, 102],
    pinnacle: [BEGIN + 3 * MINUTE, -104],
  };
  assert.deepEqual(await closing(made, key), expected);
  assert.deepEqual(await closing(made, key, 'opening'), {
    draftkings: [BEGIN, -110],
    fanduel: [start - 4 * MINUTE, 102],
    pinnacle: [BEGIN + 3 * MINUTE, -104],
  });
  const pro = await json(made, `/odds/closing?event_id=${LAKERS}`, made.key('pro'));
  assert.deepEqual(Object.keys(pro.data.books).sort(), ['draftkings', 'fanduel']);
  await json(made, '/odds/closing?event_id=nba_a_b_2026-01-01', key, 404);
  await json(made, '/odds/closing', key, 400);
});

test('what an exchange offers between its last suspension and the end of a market is no closing price', async (t) => {
  const { made, key } = await market(t);
  const start = Date.parse(START);
  for (const book of ['betfair', 'fanduel']) {
    await post(made, start - 20 * MINUTE, book, { home: 104, away: -114 });
    await post(made, start - 10 * MINUTE, book, { home: 104, away: -114, active: false });
    await post(made, start - 9 * MINUTE, book, { home: -10_000, away: 99_900 });
    // Its market is closed, or a book lists it no more.
    made.clock.set(start - 8 * MINUTE);
    await made.ingest({
      book,
      polled_at: new Date(start - 8 * MINUTE).toISOString(),
      scope: 'league',
      league: 'nba',
      events: [],
    });
  }
  made.clock.set(start + MINUTE);
  const closed = await closing(made, key);
  assert.deepEqual(closed['betfair'], [start - 20 * MINUTE, 104]);
  assert.equal(closed['fanduel']![1], -10_000, 'a book says what it means');
});

test('a game that starts later closes then, also if no book has confirmed the first start', async (t) => {
  const { made, key } = await market(t);
  const start = Date.parse(START);
  await post(made, start + MINUTE, 'draftkings', { home: 120, away: -140 });
  assert.deepEqual((await closing(made, key))['draftkings'], [BEGIN + 3 * MINUTE, -105]);
  const later = new Date(start + 120 * MINUTE).toISOString();
  await post(made, start + 2 * MINUTE, 'draftkings', { home: 130, away: -150, start: later, live: false });
  await post(made, start + 2 * MINUTE, 'pinnacle', { home: 128, away: -148, start: later, live: false });
  assert.deepEqual(await closing(made, key), {});
  await post(made, start + 119 * MINUTE, 'draftkings', { home: 140, away: -160, start: later, live: false });
  made.clock.set(start + 121 * MINUTE);
  assert.deepEqual(await closing(made, key), {
    draftkings: [start + 119 * MINUTE, 140],
    pinnacle: [start + 2 * MINUTE, 128],
  });
});

test('without history the endpoints answer with the reason', async (t) => {
  const made = await api(t);
  const { error } = await json(made, `/odds/closing?event_id=${LAKERS}`, made.key('pro'), 404);
  assert.match(error.message, /--history 0/);
});

test('a postponed game does not close at its old start, but at the new one once that is told', async (t) => {
  const { made, key } = await market(t);
  const start = Date.parse(START);
  const postponed = { home: -101, away: -119, status: 'postponed' };
  await post(made, start - 30 * MINUTE, 'draftkings', postponed);
  await post(made, start + 10 * MINUTE, 'draftkings', { ...postponed, home: 140, away: -160 });
  assert.deepEqual(await closing(made, key), {});
  // A book that says nothing of it: its prices are of the same game.
  await post(made, start + 11 * MINUTE, 'pinnacle', { home: 128, away: -148 });
  assert.deepEqual(await closing(made, key), {});
  const later = new Date(start + 120 * MINUTE).toISOString();
  for (const book of ['draftkings', 'pinnacle'])
    await post(made, start + 12 * MINUTE, book, { home: 135, away: -155, start: later });
  assert.deepEqual(await closing(made, key), {});
  made.clock.set(start + 121 * MINUTE);
  assert.deepEqual(await closing(made, key), {
    draftkings: [start + 12 * MINUTE, 135],
    pinnacle: [start + 12 * MINUTE, 135],
  });
});

test('a game postponed without a new start closes when a book says that it is live', async (t) => {
  const { made, key } = await market(t);
  const start = Date.parse(START);
  await post(made, start - 30 * MINUTE, 'draftkings', { home: -101, away: -119, status: 'postponed' });
  await post(made, start + 60 * MINUTE, 'draftkings', { home: 105, away: -125 });
  assert.deepEqual(await closing(made, key), {});
  await post(made, start + 90 * MINUTE, 'draftkings', { home: 150, away: -180, live: true, status: 'live' });
  assert.deepEqual(await closing(made, key), {
    draftkings: [start + 60 * MINUTE, 105],
    pinnacle: [BEGIN + 3 * MINUTE, -104],
  });
});

test("a league's closing prices of a day are listed by game and book, without margin where a book has all sides", async (t) => {
  const { made, key } = await market(t);
  const sharp = made.key('sharp');
  const path = '/historical/odds/closing';
  const day = START.slice(0, 10);
  const query = `date=${day}&sport=basketball&league=NBA`;
  for (const without of ['date', 'sport', 'league'])
    await json(made, `${path}?${query.replace(new RegExp(`${without}=[^&]*&?`), '')}`, sharp, 400);
  await json(made, `${path}?${query}`, made.key('pro'), 403);
  assert.deepEqual((await json(made, `${path}?${query}`, sharp)).data, {
    ...{ date: day, sport: 'basketball', league: 'nba', events: [], total_events: 0, total_lines: 0 },
  });
  made.clock.set(Date.parse(START) + MINUTE);
  const { data } = await json(made, `${path}?${query}`, key);
  assert.deepEqual([data.total_events, data.total_lines, data.events.length], [1, 4, 1]);
  const [game] = data.events;
  assert.deepEqual(
    [game.event_id, game.books.map(({ book }: Json) => book).sort()],
    [LAKERS, ['draftkings', 'pinnacle']],
  );
  const lines = game.books.find(({ book }: Json) => book === 'draftkings').lines;
  const of = (type: string) => lines.find(({ selection_type }: Json) => selection_type === type);
  assert.deepEqual(
    [of('home').line, of('home').odds_american, of('away').line, of('away').odds_american],
    [-4, -105, 4, -115],
  );
  assert.ok(Math.abs(of('home').no_vig_probability + of('away').no_vig_probability - 1) < 1e-5);
  assert.ok(of('home').no_vig_probability < of('home').implied_probability);
  const plain = await json(made, `${path}?${query}&devig=multiplicative&sportsbook=draftkings`, key);
  const home = plain.data.events[0].books[0].lines.find(({ selection_type }: Json) => selection_type === 'home');
  const implied = [105 / 205, 115 / 215] as const;
  assert.ok(Math.abs(home.no_vig_probability - implied[0] / (implied[0] + implied[1])) < 1e-5);
  const elsewhere = await json(made, `${path}?date=${day}&sport=soccer&league=nba`, key);
  assert.equal(elsewhere.data.total_events, 0);
  // Every refusal of a book says what its names mean in either spelling.
  const { error } = await json(made, `${path}?${query}&sportsbook=draftkings,pinnacle`, made.key('hobby'), 403);
  assert.equal(error.required_tier, error.tier);
  const books = await json(made, '/odds?sportsbook=draftkings,pinnacle', made.key('hobby'), 403);
  assert.deepEqual(
    [books.error.required_tier, books.error.tier, books.error.max_books, books.error.requested_books],
    ['sharp', 'sharp', 5, ['draftkings', 'pinnacle']],
  );
});

test('/clv and /grade take the same names of a bet, each the other one too', async (t) => {
  const { made, key } = await market(t);
  made.clock.set(Date.parse(START) + MINUTE);
  const ask = async (path: string, bets: object[]): Promise<Json[]> => {
    const init = { method: 'POST', body: JSON.stringify({ bets }), headers: { 'content-type': 'application/json' } };
    const response = await made.fetch(path, { key, ...init });
    const body = (await response.json()) as Json;
    assert.equal(response.status, 200, JSON.stringify(body));
    return body.data;
  };
  const at = new Date(BEGIN + 4 * MINUTE).toISOString();
  const forms = [
    {
      event: LAKERS,
      market: 'point_spread',
      selection: 'home',
      sportsbook: 'draftkings',
      line: -4,
      odds_american: -105,
    },
    {
      event_id: LAKERS,
      market_type: 'spreads',
      selection_type: 'home',
      book: 'DraftKings',
      line: -4,
      odds_decimal: 1 + 100 / 105,
    },
  ].map((bet) => ({ ...bet, at }));
  const clv = await ask('/clv', [...forms, { ...forms[1], at: undefined }]);
  assert.equal(clv[0]!.closing_odds_american, -105);
  assert.equal(clv[0]!.reason, 'no_reference', 'one book alone is at that line');
  assert.deepEqual(clv[1], clv[0]);
  assert.deepEqual(clv[2], clv[0], 'without a time it is one before the close');
  const grades = await ask('/grade', forms);
  assert.deepEqual(grades[1], grades[0]);
  assert.equal(grades[0]!.result, 'pending');
});

test('a described bet on an alternate line is that line’s, also without a time', async (t) => {
  const { made, key } = await market(t);
  const at = BEGIN + 4 * MINUTE;
  made.clock.set(at);
  const price = (selection_type: string, line: number, odds_american: number) => ({
    ...{ selection: selection_type, selection_type, line, odds_american },
  });
  const game = { league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers', start_time: START };
  const alternates = (less: number) => [
    {
      market_type: 'alternate_spreads',
      selections: [price('home', -8.5, 210 - less), price('away', 8.5, -260 - less)],
    },
  ];
  for (const [book, less] of [
    ['fanduel', 20],
    ['draftkings', 0],
  ] as const)
    await made.ingest({
      ...{ book, polled_at: new Date(at).toISOString(), scope: 'none' },
      events: [{ ...game, markets: alternates(less) }],
    });
  const listed = await json(made, '/odds?sportsbook=draftkings&is_main_line=false', key);
  const row = listed.data.find((one: Json) => one.selection_type === 'home' && one.line === -8.5);
  const ask = async (bet: object): Promise<Json> => {
    const body = JSON.stringify({ bets: [{ event: LAKERS, market: 'spreads', selection: 'home', ...bet }] });
    const headers = { 'content-type': 'application/json' };
    return ((await (await made.fetch('/clv', { key, method: 'POST', headers, body })).json()) as Json).data[0];
  };
  const bet = { book: 'draftkings', line: -8.5, odds_american: 220 };
  const timed = { ...bet, at: new Date(at + 1_000).toISOString() };
  const told = ({ odds_id, reason, closing_odds_american }: Json) => [odds_id, reason, closing_odds_american];
  made.clock.set(at + MINUTE);
  await eventually(async () => assert.deepEqual(told(await ask(timed)), [row.id, 'not_closed', null]));
  assert.deepEqual(told(await ask(bet)), [row.id, 'not_closed', null]);
  made.clock.set(Date.parse(START) + MINUTE);
  await eventually(async () => assert.equal((await ask(timed)).closing_odds_american, 210));
  assert.deepEqual(await ask(bet), await ask(timed));
  const main = await ask({ book: 'draftkings', line: -4, odds_american: -105 });
  assert.equal(main.closing_odds_american, -105);
  assert.notEqual(main.odds_id, row.id);
});

test('every change of all games in a time, game by game, on pages of any size', async (t) => {
  const { made, key } = await market(t);
  const events: [string, string][] = [
    ['Denver Nuggets', 'Phoenix Suns'],
    ['Miami Heat', 'Chicago Bulls'],
  ];
  for (const [i, [home, away]] of events.entries())
    for (let round = 0; round < 3; round++)
      await post(made, BEGIN + (4 + i * 3 + round) * MINUTE, 'fanduel', {
        home: -110 - round,
        away: -110 + round,
        start: START,
        teams: [home, away],
      });
  const from = `from=${new Date(BEGIN + MINUTE).toISOString()}`;
  const whole = await json(made, `/odds/history?${from}`, key);
  assert.deepEqual(
    [whole.pagination.has_more, whole.meta.total, whole.pagination.total],
    [false, undefined, undefined],
  );
  const points = (rows: Json[]): string[] =>
    rows.flatMap((row) => row.points.map(({ at }: Json) => `${row.event_id} ${row.odds_id} ${at}`));
  // What each game has of its own.
  const games: string[] = [...new Set<string>(whole.data.map((row: Json) => row.event_id))];
  assert.equal(games.length, 3);
  const each: string[] = [];
  for (const game of games) {
    const { data } = await json(made, `/odds/history?event=${game}&${from}`, key);
    each.push(...points(data.map((row: Json) => ({ ...row, event_id: game }))));
  }
  assert.deepEqual(points(whole.data), each);
  for (const limit of [1, 3, 50]) {
    const paged: string[] = [];
    let cursor = '';
    for (;;) {
      const page = await json(made, `/odds/history?${from}&limit=${limit}${cursor}`, key);
      assert.ok(page.pagination.count <= limit);
      paged.push(...points(page.data));
      if (!page.pagination.has_more) break;
      cursor = `&cursor=${page.pagination.next_cursor}`;
    }
    assert.deepEqual(paged, each);
  }
  const narrowed = async (query: string) => points((await json(made, `/odds/history?${from}&${query}`, key)).data);
  assert.deepEqual(await narrowed('league=nfl'), []);
  assert.deepEqual(await narrowed('league=nba&sport=basketball&sportsbook=fanduel,pinnacle,draftkings'), each);
  assert.deepEqual(
    await narrowed('sportsbook=pinnacle'),
    each.filter((point) => point.startsWith(`${LAKERS} `)).slice(-2),
  );
  const two = games.slice(0, 2);
  assert.deepEqual(
    await narrowed(`event=${two.join()}`),
    each.filter((point) => two.some((game) => point.startsWith(`${game} `))),
  );
  // Nothing after the last change, and nothing to ask about.
  const late = await json(made, `/odds/history?from=${new Date(BEGIN + 60 * MINUTE).toISOString()}`, key);
  assert.deepEqual(late.data, []);
  await json(made, '/odds/history', key, 400);
  await json(made, `/odds/history?event=${two.join()}`, key, 400);
});

test('history is a table with a line a point, and lines of JSON with a row each, by pages and whole', async (t) => {
  const { made, key } = await market(t);
  const form = async (query: string, status = 200): Promise<[text: string, headers: Headers]> => {
    const response = await made.fetch(`/odds/history?${query}`, { key });
    const text = await response.text();
    assert.equal(response.status, status, text);
    return [text, response.headers];
  };
  const ofGame = `event=${LAKERS}`;
  const { data, pagination } = await json(made, `/odds/history?${ofGame}`, key);
  const points = data.flatMap(({ points, line: _, opening: _opening, removed_at: _removed, ...row }: Json) =>
    points.map((point: Json) => ({ ...row, ...point })),
  );
  const cells = (text: string) => parse(text, { columns: true }) as Record<string, string>[];
  const shown = (rows: Json[]) => rows.map((row) => [row.odds_id, row.at, String(row.odds_american), String(row.line)]);
  const [whole, headers] = await form(`${ofGame}&format=csv&limit=all`);
  assert.deepEqual(shown(cells(whole)), shown(points));
  assert.deepEqual(
    [headers.get('x-total-count'), headers.get('content-disposition')],
    [String(pagination.total), 'attachment; filename="history.csv"'],
  );
  assert.deepEqual(whole.split('\r\n', 1)[0]!.split(',').slice(3, 12), [
    'odds_id',
    'sportsbook',
    'market_type',
    'selection',
    'selection_type',
    'player_name',
    'stat_category',
    'team',
    'is_alternate_line',
  ]);
  const lines = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
  assert.deepEqual(lines((await form(`${ofGame}&format=ndjson&limit=all`))[0]), data);
  const [page, pageHeaders] = await form(`${ofGame}&format=csv&limit=2`);
  assert.deepEqual(shown(cells(page)), shown(points.slice(0, 2)));
  const next = `${ofGame}&format=csv&limit=2&cursor=${pageHeaders.get('x-next-cursor')}`;
  assert.deepEqual(shown(cells((await form(next))[0])), shown(points.slice(2, 4)));
  const candles = cells((await form(`${ofGame}&interval=1h&format=csv&limit=all`))[0]);
  assert.ok(candles.length > 0 && candles.every((row) => Number(row['american_high']) >= Number(row['american_low'])));
  const [games, ofGames] = await form('from=2026-11-20T00:00:00Z&format=csv&limit=3');
  assert.deepEqual([cells(games)[0]!['event_id'], ofGames.get('x-total-count')], [LAKERS, null]);
  assert.match((await form('from=2026-11-20T00:00:00Z&format=csv&limit=all', 400))[0], /one event/);
  assert.match((await form(`${ofGame}&limit=all`, 400))[0], /format=/);
  assert.equal((await form(`${ofGame}&format=ndjson&limit=all&sportsbook=fanduel`))[0], '');
});

test('what was at an instant is also a table and lines of JSON', async (t) => {
  const { made, key } = await market(t);
  for (const path of ['/odds?', '/odds?include=opening&', `/events/${LAKERS}/odds?`]) {
    const at = `${path}at=${new Date(BEGIN + 2 * MINUTE).toISOString()}`;
    const { data } = await json(made, at, key);
    assert.deepEqual([data.length, data[0].last_seen_at], [2, undefined], path);
    const lines = await (await made.fetch(`${at}&format=ndjson`, { key })).text();
    assert.deepEqual(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      data,
      path,
    );
    const table = parse(await (await made.fetch(`${at}&format=csv`, { key })).text(), { columns: true }) as Json[];
    assert.deepEqual(
      table.map((row) => [row.id, row.last_seen_at]),
      data.map((row: Json) => [row.id, '']),
      path,
    );
  }
});
