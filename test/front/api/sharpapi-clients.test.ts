// Programs written with SharpAPI's own clients (Python and TypeScript): each of their calls as they send it, and the fields
// and types that their documented models demand of an answer. A client that validates refuses a whole answer for one field.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TSchema, Type } from 'typebox';
import { schemaErrors } from '../../schema-errors.js';
import { shared } from '../../shared.js';
import { until } from '../../support/until.js';
import { api, fillWorld, type Json } from '../api.js';
import { RawSse } from '../stream-rig.js';
import { ARSENAL, LAKERS, moneyline } from './serving.js';

const text = Type.String();
const number = Type.Number();
const whole = Type.Integer();
/** Absent is false; null is refused. */
const flag = Type.Optional(Type.Boolean());
const texts = Type.Optional(Type.Array(text));
const maybe = (schema: TSchema) => Type.Optional(Type.Union([schema, Type.Null()]));
const model = (required: Record<string, TSchema>, more: Record<string, TSchema> = {}) =>
  Type.Object({ ...required, ...more });
const each = (names: string, schema: TSchema): Record<string, TSchema> =>
  Object.fromEntries(names.split(' ').map((name) => [name, schema]));

const SPORT_REF = maybe(Type.Object({ ...each('id name', maybe(text)), numerical_id: maybe(whole) }));
const ENTITY_REF = maybe(Type.Object({ ...each('id label', maybe(text)), numerical_id: maybe(whole) }));
const TEAM_REF = maybe(
  Type.Object({
    ...each('id name abbreviation logo city mascot conference division', maybe(text)),
    numerical_id: maybe(whole),
  }),
);
const REFS = {
  home: TEAM_REF,
  away: TEAM_REF,
  sport_ref: SPORT_REF,
  ...each('league_ref market_ref sportsbook_ref', ENTITY_REF),
};
const PROP = { is_player_prop: flag, ...each('player_name stat_category', maybe(text)) };
const PRICE = each('odds_american odds_decimal', number);
const ODDS_VALUE = model(each('american decimal probability', number));

const ODDS_LINE = model(
  {
    ...each('id sportsbook event_id sport league home_team away_team market_type selection', text),
    ...PRICE,
    probability: number,
  },
  {
    ...each('selection_type event_start_time timestamp deep_link player_name stat_category', maybe(text)),
    line: maybe(number),
    is_live: flag,
    ...REFS,
  },
);
const QUOTE = maybe(Type.Object(each('american decimal probability odds_probability', maybe(number))));
const BEST = model(
  {
    ...each('event_id event_name sport league market_type selection best_book', text),
    best_odds: ODDS_VALUE,
    all_books: Type.Array(Type.Object({ book: text, odds: QUOTE, edge: number, line: maybe(number) }), { minItems: 1 }),
  },
  {
    ...each('line market_hold', maybe(number)),
    is_main_line: maybe(Type.Boolean()),
    consensus_odds: QUOTE,
    ...each('timestamp player_name stat_category', maybe(text)),
  },
);
const EV = model(
  {
    ...each('id event_id event_name sport league market_type selection sportsbook', text),
    ...PRICE,
    ev_percentage: number,
    kelly_percent: number,
  },
  {
    ...each(
      'no_vig_odds fair_probability confidence confidence_score market_width sharp_odds_american sharp_odds_decimal line arb_profit ' +
        'oldest_odds_age_seconds',
      maybe(number),
    ),
    ...each(
      'devig_method sharp_book home_team away_team start_time detected_at external_event_id selection_id',
      maybe(text),
    ),
    book_count: maybe(whole),
    arb_available: maybe(Type.Boolean()),
    is_live: flag,
    possibly_stale: flag,
    warnings: texts,
    ...PROP,
    ...REFS,
  },
);
const LEG = model(
  { ...each('sportsbook selection', text), ...PRICE, stake_percent: number },
  {
    implied_probability: maybe(number),
    ...each('timestamp external_event_id selection_id market_id', maybe(text)),
    sportsbook_ref: ENTITY_REF,
  },
);
const ARBITRAGE = model(
  {
    ...each('id event_id event_name sport market_type', text),
    profit_percent: number,
    legs: Type.Array(LEG, { minItems: 2 }),
  },
  {
    ...each('league start_time detected_at', maybe(text)),
    ...each('line implied_total estimated_net_profit_percent oldest_odds_age_seconds ev_percentage', maybe(number)),
    ...each('is_live is_alternate_line possibly_stale', flag),
    ev_available: maybe(Type.Boolean()),
    warnings: texts,
    ...PROP,
    ...REFS,
  },
);
const MIDDLE_SIDE = model(
  // Older releases read `odds`, newer ones the flat fields.
  { ...each('book selection', text), ...PRICE, line: number, odds: ODDS_VALUE, stake_percent: number },
  {
    ...each('odds_probability fair_probability odds_age_seconds', maybe(number)),
    ...each('external_event_id market_id selection_id deep_link', maybe(text)),
  },
);
const MIDDLE = model(
  {
    ...each('id event_id event_name sport league market_type', text),
    side1: MIDDLE_SIDE,
    side2: MIDDLE_SIDE,
    middle_size: number,
    middle_numbers: Type.Array(whole),
    ...each('middle_probability expected_value quality_score', number),
  },
  {
    ...each('home_team away_team start_time detected_at', maybe(text)),
    ...each(
      'roi_percentage worst_case_loss best_case_profit break_even_percent guaranteed_roi key_number_probability ' +
        'market_overround odds_age_seconds gap_size gapSize potential_profit potentialProfit',
      maybe(number),
    ),
    ...each('is_guaranteed_profit is_live', flag),
    key_numbers: maybe(Type.Array(whole)),
    warnings: texts,
    legs: maybe(Type.Array(LEG)),
    ...PROP,
    ...REFS,
  },
);
const LOW_HOLD_SIDE = model(
  { selection: text, books: Type.Array(text), odds: ODDS_VALUE },
  { line: maybe(number), deep_links: maybe(Type.Record(text, text)) },
);
const LOW_HOLD = model(
  {
    ...each('id event_id event_name sport league market_type', text),
    hold_percentage: number,
    side1: LOW_HOLD_SIDE,
    side2: LOW_HOLD_SIDE,
  },
  {
    side3: maybe(LOW_HOLD_SIDE),
    ...each('home_team away_team start_time detected_at', maybe(text)),
    ...each('line confidence odds_age_seconds', maybe(number)),
    ...each('is_live is_alternate_line possibly_stale', flag),
    all_books: maybe(Type.Array(text)),
    ...PROP,
    ...REFS,
  },
);
const BATCH_EVENT = model({
  ...each('event_id event_name sport league start_time', text),
  is_live: Type.Boolean(),
  odds: Type.Array(
    model({
      ...each('sportsbook market_type selection selection_type timestamp', text),
      ...PRICE,
      line: Type.Union([number, Type.Null()]),
    }),
    { minItems: 1 },
  ),
});
const LISTED = { ...each('id name slug', text), active: Type.Boolean() };
const NUMBERED = { numerical_id: maybe(whole) };
const SPORT = model(LISTED, { event_count: maybe(whole), ...NUMBERED });
const LEAGUE = model(LISTED, { ...each('sport_id country', maybe(text)), ...NUMBERED });
const SPORTSBOOK = model(LISTED, { ...each('regions features', maybe(Type.Array(text))), ...NUMBERED });
const TEAM = model({ id: text }, { ...each('name sport league abbreviation', maybe(text)), ...NUMBERED });
const EVENT = model(each('id sport league home_team away_team', text), {
  ...each('start_time status', maybe(text)),
  is_live: flag,
  ...REFS,
});
const MARKET = model(
  { market_type: text },
  {
    market_label: maybe(text),
    ...each('selection_count book_count', maybe(whole)),
    books: maybe(Type.Array(text)),
    ...NUMBERED,
  },
);
const CLOSING = model(
  { event_id: text, books: Type.Record(text, Type.Array(Type.Object({}))) },
  each('sport league home_team away_team event_start_time captured_at', maybe(text)),
);
const GAME_STATE = Type.Object({
  ...each('home_score away_score book_count', maybe(whole)),
  ...each('game_period game_clock home_team away_team sport primary_book period clock', maybe(text)),
  ...each('score_home score_away', maybe(whole)),
  ...each('stale aggregator_stale', flag),
});
const ACCOUNT = model({
  key: Type.Object({ id: text, tier: text }),
  limits: Type.Object(each('requests_per_minute max_streams odds_delay_seconds max_books', maybe(whole))),
  features: Type.Object(each('ev arbitrage middles streaming', Type.Boolean())),
});
const KEY = model(
  { id: text },
  { ...each('id_masked key name tier created_at updated_at', maybe(text)), is_active: maybe(Type.Boolean()) },
);
const META = Type.Object({
  ...each('count total books_analyzed', maybe(whole)),
  ...each('updated source last_update', maybe(text)),
  data_age_seconds: maybe(number),
  ...each('filters summary', maybe(Type.Object({}))),
  pagination: maybe(
    model({ limit: whole, offset: whole, has_more: Type.Boolean() }, each('next_offset total', maybe(whole))),
  ),
});
const WRAPPER = Type.Object({
  success: maybe(Type.Boolean()),
  ...each('timestamp updated_at tier', maybe(text)),
  meta: maybe(META),
});

/** One book's prices of a game in which there is an edge. */
const priced = (book: string, home: number, away: number) => ({
  book,
  events: [
    {
      league: 'nba',
      home_team: 'Denver Nuggets',
      away_team: 'Phoenix Suns',
      start_time: '2026-11-21T02:00:00Z',
      markets: [moneyline(home, away)],
    },
  ],
});

const served = shared(async (t) => {
  const made = await api(t, { history: '7' });
  await fillWorld(made);
  await made.ingest(priced('pinnacle', -102, -108), priced('draftkings', 115, -125), priced('fanduel', -112, 104));
  const key = made.key('enterprise', { streaming: true, features: ['low_hold'] });
  /** As the clients send it: a JSON content type on everything, with and without a body. */
  const call = async (method: string, path: string, body?: object): Promise<Json> => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await made.fetch(path, init);
    const json = (await answer.json()) as Json;
    assert.ok(answer.ok, `${method} ${path}: ${JSON.stringify(json)}`);
    assert.deepEqual(schemaErrors(WRAPPER, json), [], path);
    return json;
  };
  return { ...made, apiKey: key, call };
});

const fits = (schema: TSchema, value: Json, at: string): void =>
  assert.deepEqual(schemaErrors(schema, value), [], `${at}: ${JSON.stringify(value)}`);

/** Path with every parameter that the client's method has, in the form in which it sends them; and its rows. */
const LISTS: readonly [path: string, rows: TSchema][] = [
  ['/odds', ODDS_LINE],
  [
    '/odds?sportsbook=draftkings,fanduel&add_sportsbook=pinnacle&sport=basketball&league=nba&market=moneyline,total_points' +
      `&event=${LAKERS}&live=false&sort=-odds_american&limit=500&offset=0`,
    ODDS_LINE,
  ],
  ['/odds?sportsbook=draftkings&league=nba&market=moneyline&live=false&limit=200', ODDS_LINE],
  ['/odds?league=nba&main=true', ODDS_LINE],
  [
    `/odds/best?sport=basketball&league=nba&market=moneyline&event=${LAKERS}&live=false&sportsbook=draftkings,fanduel` +
      '&add_sportsbook=pinnacle&limit=50&offset=0',
    BEST,
  ],
  [
    '/opportunities/ev?sport=basketball&league=nba&sportsbook=betmgm,fanduel,draftkings,caesars&add_sportsbook=pinnacle' +
      '&market=total_points,moneyline&min_ev=0.1&max_ev=50&min_market_width=0&max_market_width=100&max_odds_age=3600' +
      '&date_range=week&live=false&sort=-ev&limit=200&offset=0',
    EV,
  ],
  ...['confidence', 'kelly', 'time', 'book_count'].map((sort): [string, TSchema] => [
    `/opportunities/ev?sort=${sort}`,
    EV,
  ]),
  [
    '/opportunities/arbitrage?sport=basketball&league=nba&sportsbook=betmgm,fanduel,caesars&add_sportsbook=pinnacle' +
      '&market=total_points&min_profit=0.5&max_odds_age=3600&live=false&sort=-profit&group=best&limit=200&offset=0',
    ARBITRAGE,
  ],
  ...['time', 'sport', 'market'].map((sort): [string, TSchema] => [`/opportunities/arbitrage?sort=${sort}`, ARBITRAGE]),
  [
    '/opportunities/middles?sport=basketball&league=nba&sportsbook=betmgm,fanduel,caesars&market=point_spread,total_points' +
      '&min_size=0.5&max_odds_age=3600&live=false&state=pa&sort=quality&limit=200&offset=0',
    MIDDLE,
  ],
  ...['ev', 'probability', 'middle_size'].map((sort): [string, TSchema] => [
    `/opportunities/middles?sort=${sort}`,
    MIDDLE,
  ]),
  [
    '/opportunities/low_hold?sport=basketball&league=nba&sportsbook=betmgm,fanduel,caesars&market=total_points&max_hold=5' +
      '&live=false&state=pa&sort=hold&limit=200&offset=0',
    LOW_HOLD,
  ],
  ...['market', 'sport'].map((sort): [string, TSchema] => [`/opportunities/low_hold?sort=${sort}`, LOW_HOLD]),
  ['/sports', SPORT],
  ['/leagues', LEAGUE],
  ['/leagues?sport=basketball', LEAGUE],
  ['/sportsbooks', SPORTSBOOK],
  ['/teams?league=nba', TEAM],
  ['/events?sport=basketball&league=nba&live=false&limit=50&offset=0', EVENT],
  ['/events?league=nba&date=2026-11-20', EVENT],
  [`/events/${LAKERS}/markets`, MARKET],
  ['/account/keys', KEY],
];

for (const [path, rows] of LISTS)
  test(`the rows of ${path} are what the client's model takes`, async () => {
    const { call } = await served();
    const { data, meta } = await call('GET', path);
    assert.ok(data.length > 0);
    for (const row of data) fits(rows, row, path);
    assert.equal(meta?.unknown, undefined);
  });

const ONES: readonly [path: string, one: TSchema][] = [
  ['/sports/basketball', SPORT],
  ['/leagues/nba', LEAGUE],
  ['/sportsbooks/draftkings', SPORTSBOOK],
  [`/events/${LAKERS}`, EVENT],
  [`/odds/closing?event_id=${LAKERS}`, CLOSING],
  [`/odds/closing?event_id=${LAKERS}&sportsbook=draftkings`, CLOSING],
  ['/account', ACCOUNT],
  ['/account/usage', Type.Object({})],
];

for (const [path, one] of ONES)
  test(`the answer of ${path} is what the client's model takes`, async () => {
    const { call } = await served();
    fits(one, (await call('GET', path)).data, path);
  });

test('fields are chosen, and rows are grouped by event, as their documents say', async () => {
  const { call } = await served();
  const chosen = await call('GET', '/odds?league=nba&fields=id,sportsbook,odds_american');
  for (const row of chosen.data) for (const name of ['id', 'sportsbook', 'odds_american']) assert.ok(name in row, name);
  const [group] = (await call('GET', '/odds?league=nba&group_by=event')).data;
  for (const { sportsbook, odds_american } of group.odds)
    assert.deepEqual([typeof sportsbook, typeof odds_american], ['string', 'number']);
});

test('a comparison is asked for by event and by event_id, and a batch has a list of events with their rows', async () => {
  const { call } = await served();
  const [older, newer] = await Promise.all(
    ['event_id', 'event'].map((name) => call('GET', `/odds/comparison?${name}=${LAKERS}&market=moneyline`)),
  );
  assert.deepEqual(newer!.data, older!.data);
  assert.equal(newer!.data.event_id, LAKERS);
  const { data } = await call('POST', '/odds/batch', { event_ids: [LAKERS, 'nba_no_such_game'] });
  assert.deepEqual(
    data.events.map(({ event_id }: Json) => event_id),
    [LAKERS],
  );
  fits(BATCH_EVENT, data.events[0], 'batch');
  assert.deepEqual(data.missing_events, ['nba_no_such_game']);
});

test('a side of a middle says one price in both forms, with a stake, too', async () => {
  const { call } = await served();
  for (const query of ['', '?stake=1000']) {
    const [{ side1, side2 }] = (await call('GET', `/opportunities/middles${query}`)).data;
    for (const { odds, odds_american, odds_decimal, odds_probability } of [side1, side2])
      assert.deepEqual(
        [odds_american, odds_decimal, odds_probability],
        [odds.american, odds.decimal, odds.probability],
      );
  }
});

test('game states stand by sport and event, of all sports and of one', async () => {
  const { call } = await served();
  for (const path of ['/gamestate', '/gamestate/soccer']) {
    const { data } = await call('GET', path);
    const states = path === '/gamestate' ? data.soccer : (data.soccer ?? data);
    fits(GAME_STATE, states[ARSENAL], path);
  }
});

test('arbitrage comes as a table', async () => {
  const { fetch, apiKey } = await served();
  const answer = await fetch('/opportunities/arbitrage?sport=basketball&min_profit=0.5&limit=10&format=csv', {
    key: apiKey,
  });
  assert.match(answer.headers.get('content-type')!, /^text\/csv/);
  assert.match(await answer.text(), /^[^\n]*\bevent_id\b[^\n]*\bprofit_percent\b/);
});

test('keys are made, and end', async () => {
  const { call, fetch, apiKey } = await served();
  const made = (await call('POST', '/account/keys', { name: 'bot' })).data;
  fits(KEY, made, 'create');
  assert.match(made.key, /^sk_/);
  const rotated = (await call('POST', `/account/keys/${made.id}/rotate`)).data;
  assert.match(rotated.key, /^sk_/);
  const headers = { 'content-type': 'application/json' };
  const ended = await fetch(`/account/keys/${rotated.id}`, { method: 'DELETE', key: apiKey, headers });
  assert.equal(ended.status, 204);
});

/** Both clients, older and newer releases; which game the stream is of, and kinds of events that it must not have. */
const STREAMS: readonly [query: string, event: string | null, never: RegExp | null][] = [
  ['?channel=odds&sportsbook=draftkings,fanduel&league=nba&sport=basketball&market=moneyline', null, /^(?:ev|arb|mid)/],
  ['?channel=opportunities&league=nba&min_ev=1&min_profit=0.5', null, /^odds/],
  ['?channel=all&sport=basketball', null, null],
  [`?channel=odds&event=${LAKERS}`, LAKERS, null],
  [`/events/${LAKERS}?market=moneyline`, LAKERS, null],
  ['?channel=gamestate', null, /^odds|^ev|^arb/],
  ['/gamestate?', null, /^odds|^ev|^arb/],
];

for (const [query, event, never] of STREAMS)
  test(`the stream ${query} begins with connected and has its snapshot, and nothing else`, async () => {
    const made = await served();
    const path = `/stream${query}${query.endsWith('?') ? '' : '&'}api_key=${made.apiKey}`;
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    const client = new RawSse(made, path, made.apiKey, headers);
    await until('a snapshot', () => client.events.some((each) => each.event === 'snapshot:complete'));
    assert.match(client.head, /^HTTP\/1.1 200 OK/);
    const connected = JSON.parse(client.events[0]!.data);
    assert.equal(client.events[0]!.event, 'connected');
    assert.deepEqual(connected.filters.event ?? null, event === null ? null : [event]);
    if (never !== null) for (const each of client.events) assert.doesNotMatch(each.event, never);
    client.vanish();
  });

test('errors have the codes and the fields by which the clients choose their exceptions', async () => {
  const { fetch, key } = await served();
  const refused = async (path: string, used?: string) => {
    const answer = await fetch(path, { key: used });
    const body = (await answer.json()) as Json;
    assert.equal(typeof body.error.message, 'string');
    return { status: answer.status, code: body.error.code, body };
  };
  const of = ({ status, code }: { status: number; code: string }) => [status, code];
  assert.deepEqual(of(await refused('/odds')), [401, 'unauthorized']);
  assert.deepEqual(of(await refused('/odds', 'sk_test_nobody')), [401, 'unauthorized']);
  const tier = await refused('/opportunities/ev', key('free'));
  assert.deepEqual([...of(tier), tier.body.error.required_tier], [403, 'tier_restricted', 'pro']);
  assert.deepEqual(of(await refused('/odds?limit=abc', key('pro'))), [400, 'invalid_request']);
  const slow = key('pro', { requestsPerMinute: 1 });
  await (await fetch('/sports', { key: slow })).arrayBuffer();
  let limited = await refused('/odds?limit=0', slow);
  for (let tries = 0; tries < 300 && limited.status !== 429; tries++) limited = await refused('/odds?limit=0', slow);
  assert.equal(limited.code, 'rate_limited');
  assert.ok(limited.body.error.retry_after > 0);
});
