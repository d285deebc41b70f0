// By the public descriptions of The Odds API's history and of OddsHarvester's output.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonValues } from '../../../../src/intake/feeds/files/lines.js';
import type { IngestMessage } from '../../../../src/intake/ingest/message.js';
import { marketsIn, readFolder } from './reading.js';

const EVENT = (home: string, price: number, sport = 'basketball_nba') => ({
  id: `id-${home}`,
  sport_key: sport,
  sport_title: 'NBA',
  commence_time: '2026-11-21T00:30:00Z',
  home_team: home,
  away_team: 'Los Angeles Lakers',
  bookmakers: [
    {
      key: 'fanduel',
      title: 'FanDuel',
      last_update: '2026-11-20T17:59:00Z',
      markets: [
        {
          key: 'h2h',
          outcomes: [
            { name: home, price },
            { name: 'Los Angeles Lakers', price: 2.1 },
          ],
        },
      ],
    },
  ],
});
const HISTORY = (minute: number, data: unknown) => ({
  timestamp: `2026-11-20T18:${String(minute).padStart(2, '0')}:00Z`,
  previous_timestamp: null,
  next_timestamp: null,
  data,
});
const line = (minute: number, price: number): string =>
  `fanduel 2026-11-20T18:${String(minute).padStart(2, '0')} nba Boston Celtics-Los Angeles Lakers moneyline: home ${price}, away 2.1`;

test('The Odds API: one a line, an array, a folder in no order, indented, a list or one event', async () => {
  const polls = [HISTORY(5, [EVENT('Boston Celtics', 1.8)]), HISTORY(0, [EVENT('Boston Celtics', 1.7)])];
  const wanted = [line(0, 1.7), line(5, 1.8)];
  const [late, early] = polls as [unknown, unknown];
  for (const files of [
    { 'a.ndjson': polls.map((poll) => JSON.stringify(poll)).join('\n') },
    { 'a.json': JSON.stringify(polls) },
    { 'a.json': JSON.stringify(polls, null, 2) },
    { '1.json': JSON.stringify(late, null, 2), '2.json': JSON.stringify(early) },
    { 'a.json': JSON.stringify([HISTORY(5, EVENT('Boston Celtics', 1.8)), HISTORY(0, EVENT('Boston Celtics', 1.7))]) },
  ] as Record<string, string>[])
    assert.deepEqual(marketsIn((await readFolder(files)).messages), wanted, Object.keys(files).join());
});

test('The Odds API: a book that a later list of its sport lacks is gone; another sport says nothing of it', async () => {
  const { messages } = await readFolder({
    'a.json': JSON.stringify([
      HISTORY(0, [EVENT('Boston Celtics', 1.7)]),
      HISTORY(1, [EVENT('Boston Red Sox', 1.7, 'baseball_mlb')]),
      HISTORY(2, [{ ...EVENT('Boston Celtics', 1.7), bookmakers: [] }]),
    ]),
  });
  assert.deepEqual(
    messages.map(({ league, polled_at, events = [] }) => [league, polled_at.slice(14, 16), events.length]),
    [
      ['nba', '00', 1],
      ['mlb', '01', 1],
      ['nba', '02', 0],
    ],
  );
});

test('The Odds API: answers of one sport and time are one list, in several files too', async () => {
  const game = EVENT('Boston Celtics', 1.7);
  const at = (book: string, type: string, price: number) => {
    const outcomes = [game.home_team, game.away_team].map((name, i) => ({ name, price, point: i === 0 ? 2.5 : -2.5 }));
    return { ...game, bookmakers: [{ key: book, markets: [{ key: type, outcomes }] }] };
  };
  // Beside a book's winners its spreads, another region's books, and those of a third in American prices.
  const files = (minute: number) => ({
    [`winners${minute}.json`]: JSON.stringify(HISTORY(minute, [game])),
    [`spreads${minute}.json`]: JSON.stringify(HISTORY(minute, [at('fanduel', 'spreads', 1.8)])),
    [`eu${minute}.json`]: JSON.stringify(HISTORY(minute, [at('pinnacle', 'h2h', 1.8)])),
    [`us${minute}.json`]: JSON.stringify(HISTORY(minute, [at('betmgm', 'h2h', -125)])),
  });
  const { messages, leftOut } = await readFolder({
    ...files(0),
    ...files(5),
    'last.json': JSON.stringify(HISTORY(9, [{ ...game, bookmakers: [] }])),
  });
  assert.deepEqual(leftOut, []);
  for (const minute of ['00', '05'])
    assert.deepEqual(
      messages
        .filter(({ polled_at }) => polled_at.slice(14, 16) === minute)
        .map(({ book, scope, events = [] }) => {
          assert.equal(scope, 'league');
          return `${book} ${events.flatMap(({ markets: own }) => own.map(({ market_type }) => market_type)).join()}`;
        })
        .sort(),
      ['betmgm moneyline', 'fanduel point_spread,moneyline', 'pinnacle moneyline'],
    );
  // A list without prices is one of those whose form was the last.
  const gone = messages.filter(({ polled_at, events = [] }) => polled_at.slice(14, 16) === '09' && events.length === 0);
  assert.deepEqual(gone.map(({ book }) => book).sort(), ['fanduel', 'pinnacle']);
});

test('The Odds API: a plain answer is of the time that is given', async () => {
  const files = { 'odds.json': JSON.stringify([EVENT('Boston Celtics', 1.7)]) };
  const { messages } = await readFolder(files, { at: '2026-11-20T18:00:00Z' });
  assert.deepEqual(marketsIn(messages), [line(0, 1.7)]);
  const bare = await readFolder(files);
  assert.deepEqual(
    [bare.messages, bare.leftOut],
    [[], ['1 an answer that does not say when it is of: --at (odds.json:1)']],
  );
});

const MATCH = {
  scraped_date: '2025-02-02 15:36:26 UTC',
  match_date: '2025-02-01 15:00:00 UTC',
  match_link: 'https://www.oddsportal.com/football/england/premier-league-2024-2025/arsenal-chelsea-abc/',
  home_team: 'Arsenal',
  away_team: 'Chelsea',
  league_name: 'Premier League',
  home_score: '2',
  away_score: '1',
  partial_results: '(1:0, 1:1)',
  '1x2_market': [
    {
      '1': '2.10',
      X: '3.40',
      '2': '3.60',
      bookmaker_name: 'bet365',
      period: 'FullTime',
      odds_history_data: [
        {
          odds_history: [{ timestamp: '2025-02-01T10:00:00', odds: 2.1 }],
          opening_odds: { timestamp: '2025-01-30T08:00:00', odds: 2 },
        },
        { odds_history: [], opening_odds: { timestamp: '2025-01-30T08:00:00', odds: 3.4 } },
        { odds_history: [], opening_odds: { timestamp: '2025-01-30T08:00:00', odds: 3.7 } },
      ],
    },
    { '1': '11/10', X: '12/5', '2': '13/5', bookmaker_name: 'William Hill', period: 'FullTime' },
    { '1': '+110', X: '+240', '2': '-105', bookmaker_name: 'Pinnacle', period: 'FullTime' },
  ],
  over_under_2_5_market: [{ odds_over: '4/5', odds_under: '1', bookmaker_name: 'bet365', period: '1stHalf' }],
  'asian_handicap_-0_5_market': [
    { team1_handicap: '2.1', team2_handicap: '1.8', bookmaker_name: 'bet365', period: 'FullTime' },
  ],
  'european_handicap_-1_market': [{ team1_handicap: '3', bookmaker_name: 'bet365', period: 'FullTime' }],
};
const MATCH_SAYS = [
  'bet365 2025-01-30T08:00 epl Arsenal-Chelsea moneyline: home 2, draw 3.4, away 3.7',
  'bet365 2025-02-01T10:00 epl Arsenal-Chelsea moneyline: home 2.1, draw 3.4, away 3.7',
  'bet365 2025-02-01T14:59 epl Arsenal-Chelsea moneyline: home 2.1, draw 3.4, away 3.6',
  'william_hill 2025-02-01T14:59 epl Arsenal-Chelsea moneyline: home 2.1, draw 3.4, away 3.6',
  'pinnacle 2025-02-01T14:59 epl Arsenal-Chelsea moneyline: home 110, draw 240, away -105',
  'bet365 2025-02-01T14:59 epl Arsenal-Chelsea total_goals_h1: over 2.5 1.8',
  'bet365 2025-02-01T14:59 epl Arsenal-Chelsea point_spread: home -0.5 2.1, away 0.5 1.8',
];

/** As Python prints it. */
function python(value: unknown): string {
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value !== 'object') return typeof value === 'string' ? `'${value}'` : String(value);
  return `{${Object.entries(value)
    .map(([name, inner]) => `'${name}': ${python(inner)}`)
    .join(', ')}}`;
}

test('OddsHarvester: prices as they are written, histories as polls, scrapes after the start as the close', async () => {
  const { messages, results, leftOut } = await readFolder({ 'm.json': JSON.stringify([MATCH], null, 2) });
  assert.deepEqual(marketsIn(messages), MATCH_SAYS);
  assert.deepEqual(results[0]!['parts'], [
    { part: 'h1', home_score: 1, away_score: 0 },
    { part: 'h2', home_score: 1, away_score: 1 },
  ]);
  assert.deepEqual(leftOut, [
    '1 a price cannot be read (m.json:2)',
    '1 european_handicap_-1 has no market type here (m.json:2)',
  ]);
  const names = Object.keys(MATCH);
  const cells = Object.values(MATCH).map((value) =>
    typeof value === 'string' ? `"${value}"` : `"${python(value).replaceAll('"', '""')}"`,
  );
  const table = await readFolder({ 'm.csv': `${names.join(',')}\n${cells.join(',')}\n` });
  assert.deepEqual(marketsIn(table.messages), MATCH_SAYS);
  // Without a link the league tells the sport.
  const unlinked = await readFolder({ 'm.json': JSON.stringify({ ...MATCH, match_link: undefined }) });
  assert.deepEqual(marketsIn(unlinked.messages), MATCH_SAYS);
  const early = await readFolder({ 'm.json': JSON.stringify({ ...MATCH, scraped_date: '2025-02-01 12:00:00 UTC' }) });
  assert.ok(marketsIn(early.messages).some((text) => text.startsWith('pinnacle 2025-02-01T12:00')));
});

const said = (messages: readonly IngestMessage[]): unknown[] =>
  messages.flatMap(({ polled_at, events }) =>
    events!.map(({ is_live, markets }) => [
      polled_at.slice(0, 16),
      is_live,
      ...markets[0]!.selections.map(({ odds_american, odds_decimal, is_active }) =>
        [odds_american ?? odds_decimal, ...(is_active === false ? ['suspended'] : [])].join(' '),
      ),
    ]),
  );

test('OddsHarvester: parts of games in words are those in figures, and the full time of what may go on is regulation', async () => {
  const typesOf = async (sport: string, ...periods: string[]) => {
    const both = { odds_over: '1.9', odds_under: '1.9' };
    const { scraped_date, match_date, home_team, away_team } = MATCH;
    const match = {
      ...{ scraped_date, match_date, home_team, away_team },
      match_link: `https://www.oddsportal.com/${sport}/usa/league/a-b/`,
      over_under_5_5_market: periods.map((period, i) => ({ ...both, bookmaker_name: `book ${i}`, period })),
      home_away_market: [{ '1': '1.9', '2': '1.9', bookmaker_name: 'bet365', period: periods[0] }],
    };
    const { messages, leftOut } = await readFolder({ 'm.json': JSON.stringify(match) });
    assert.deepEqual(leftOut, []);
    return messages.flatMap(({ events }) =>
      events!.flatMap(({ markets }) => markets.map(({ market_type }) => market_type)),
    );
  };
  assert.deepEqual(await typesOf('ice-hockey', 'FullTime', 'FullIncludingOT', 'FirstPeriod', '3rd Period'), [
    ...['total_goals_regulation', 'total_goals', 'total_goals_p1', 'total_goals_p3', 'moneyline'],
  ]);
  assert.deepEqual(await typesOf('basketball', 'FullIncludingOT', 'FourthQuarter', 'SecondHalf'), [
    ...['total_points', 'total_points_q4', 'total_points_h2', 'moneyline'],
  ]);
  assert.deepEqual(await typesOf('football', 'FullTime', '1stHalf'), ['total_goals', 'total_goals_h1', 'moneyline']);
});

test('OddsHarvester: what is scraped while a game is played is in play, and its score is not the last', async () => {
  const prices = { '1': '1.40', X: '4.5', '2': '9.0', bookmaker_name: 'bet365', period: 'FullTime' };
  const { odds_history_data: _history, ...match } = { ...MATCH, '1x2_market': [prices] } as Record<string, unknown>;
  const one = (fields: object) => {
    const {
      over_under_2_5_market: _over,
      'asian_handicap_-0_5_market': _spread,
      ...more
    } = { ...match, ...fields } as Record<string, unknown>;
    delete more['european_handicap_-1_market'];
    return readFolder({ 'm.json': JSON.stringify([more]) });
  };
  const early = '1 a score from a time at which the game need not be over (m.json:1)';
  const inPlay = { scraped_date: '2025-02-01 15:20:00 UTC', live_period: "20'", live_score_raw: '2:1' };
  const marked = await one(inPlay);
  assert.deepEqual(said(marked.messages), [['2025-02-01T15:20', true, '1.4', '4.5', '9']]);
  assert.deepEqual([marked.results, marked.leftOut], [[], [early]]);
  const link = {
    match_link: 'https://www.oddsportal.com/football/h2h/arsenal-1/chelsea-2/inplay-odds/#abc',
    scraped_date: undefined,
  };
  for (const zone of ['', '+00:00', '.123456+00:00']) {
    const { messages } = await one({ ...link, scraped_at_utc: `2025-02-01T15:20:30${zone}` });
    assert.deepEqual(said(messages), said(marked.messages), zone);
  }
  const linked = await one({ ...link, scraped_at_utc: '2025-02-01T15:20:30Z' });
  assert.deepEqual(said(linked.messages), said(marked.messages));
  assert.equal(linked.messages[0]!.events![0]!.league, 'epl', 'a link of two teams names no league');
  assert.deepEqual([linked.results, linked.leftOut], [[], [early]]);
  const unknown = await one({ ...inPlay, scraped_date: 'soon' });
  assert.deepEqual([unknown.messages, unknown.results], [[], []]);
  const plain = await one({ scraped_date: '2025-02-01 16:50:00 UTC' });
  assert.deepEqual(said(plain.messages), [['2025-02-01T14:59', undefined, '1.4', '4.5', '9']], 'the closing prices');
  assert.deepEqual([plain.results, plain.leftOut], [[], [early]]);
  const over = await one({ scraped_date: '2025-02-01 19:00:00 UTC' });
  assert.deepEqual([over.results.length, over.leftOut], [1, []]);
  const inSets = { match_link: 'https://www.oddsportal.com/tennis/australia/atp/a-b/', sport: 'tennis' };
  assert.equal((await one({ ...inSets, scraped_date: '2025-02-01 21:00:00 UTC' })).results.length, 0);
  assert.equal((await one({ ...inSets, scraped_date: '2025-02-02 15:00:00 UTC' })).results.length, 1);
});

test('OddsHarvester: a price is in the form in which it is written, and what is struck through is not on offer', async () => {
  const point = (odds: number) => ({ odds_history: [], opening_odds: { timestamp: '2025-01-30T08:00:00', odds } });
  const read = async (prices: object) => {
    const entry = { bookmaker_name: 'bet365', period: 'FullTime', ...prices };
    const match = { ...MATCH, '1x2_market': [entry], over_under_2_5_market: [] };
    const { messages, leftOut } = await readFolder({
      'm.json': JSON.stringify({ ...match, 'asian_handicap_-0_5_market': [], 'european_handicap_-1_market': [] }),
    });
    return [said(messages).map((each) => (each as unknown[]).slice(2)), leftOut];
  };
  assert.deepEqual(await read({ '1': '\u2212110', X: '\u2212120', '2': '\u22121000' }), [
    [['-110', '-120', '-1000']],
    [],
  ]);
  assert.deepEqual(await read({ '1': '10/11', X: 'EVS', '2': '3,5' }), [[[String(21 / 11), '2', '3.5']], []]);
  assert.deepEqual(
    await read({ '1': '110', X: '250', '2': '-105', odds_history_data: [point(115), point(240), point(-105)] }),
    [
      [
        ['115', '240', '-105'],
        ['110', '250', '-105'],
      ],
      [],
    ],
  );
  assert.deepEqual(await read({ '1': '2.1', X: '-', '2': '3.6', blocked_outcomes: ['2'] }), [
    [['2.1', '3.6 suspended']],
    [],
  ]);
  assert.deepEqual(await read({ '1': '2.1', X: '3.x', '2': '+50' }), [
    [['2.1']],
    ['1 a price cannot be read (m.json:1)'],
  ]);
});

test('OddsHarvester: lists as text are lists, and what is none, or no score, is told', async () => {
  const entry = {
    '1': '2.1',
    X: '3.4',
    '2': '3.6',
    bookmaker_name: 'bet365',
    period: 'FullTime',
    odds_history_data: null,
  };
  const { scraped_date, match_date, match_link, home_team, away_team } = MATCH;
  const match = { scraped_date, match_date, match_link, home_team, away_team };
  for (const list of [[entry], JSON.stringify([entry]), python([entry]), python([entry]).replace('None', 'nan')]) {
    const { messages, leftOut } = await readFolder({ 'm.json': JSON.stringify({ ...match, '1x2_market': list }) });
    assert.deepEqual([said(messages), leftOut], [[['2025-02-01T14:59', undefined, '2.1', '3.4', '3.6']], []]);
  }
  for (const list of [null, '', [], '[]']) {
    const { messages, leftOut } = await readFolder({ 'm.json': JSON.stringify({ ...match, '1x2_market': list }) });
    assert.deepEqual([messages, leftOut], [[], []]);
  }
  const lost = await readFolder({ 'm.json': JSON.stringify({ ...match, '1x2_market': '[{', home_score: '4 (pen.)' }) });
  assert.deepEqual(lost.leftOut, [
    '1 a price list is no list of bookmakers (m.json:1)',
    '1 a score cannot be read (m.json:1)',
  ]);
  const cells = [...Object.values(match), '[{"1": '].map((cell) => `"${cell.replaceAll('"', '""')}"`);
  const table = await readFolder({ 'm.csv': `${Object.keys(match).join(',')},1x2_market\n${cells.join(',')}\n` });
  assert.deepEqual(table.leftOut, ['1 a price list is no list of bookmakers (m.csv:2)']);
});

test('values of JSON are told apart however their bytes come', async () => {
  const text = '[ {"a": "}]\\"{"},\n {"b": [1, {"c": "é"}]} ]\n{"d": 1}\n{"cut": ';
  for (const length of [1, 2, 3, 7, 100]) {
    const bytes = Buffer.from(text);
    const chunks = async function* () {
      for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
    };
    const found: unknown[] = [];
    for await (const value of jsonValues(chunks(), 1_000)) found.push([value.line, value.text]);
    assert.deepEqual(found, [
      [1, '{"a": "}]\\"{"}'],
      [2, '{"b": [1, {"c": "é"}]}'],
      [3, '{"d": 1}'],
      [4, undefined],
    ]);
  }
});
