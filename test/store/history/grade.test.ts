// Grading as a client requests it: bets of its own and the engine's predictions, by results that come and are corrected.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { runClvBacktest } from '../../../src/cli/backtest/backtest.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { LAKERS, NOW } from '../../front/api/serving.js';
import { type Api, api, type Json } from '../../front/api.js';
import { eventually } from '../../support/until.js';
import { newFolder } from '../../temp-folders.js';
import { FLAGS, json, MINUTE, post, START } from './rig.js';

const BEGIN = Date.parse(NOW);
const CLOSE = Date.parse(START);

test('bets and predictions are graded by the result, again when it is corrected, and by a venue’s own word first', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('hobby');
  const grade = async (...bets: unknown[]): Promise<Json[]> => {
    const headers = { 'content-type': 'application/json' };
    const response = await made.fetch('/grade', { key, method: 'POST', headers, body: JSON.stringify({ bets }) });
    const body = (await response.json()) as Json;
    assert.equal(response.status, 200, JSON.stringify(body));
    return body['data'];
  };
  const ends = async (...bets: unknown[]) =>
    (await grade(...bets)).map(({ result, reason, profit_units, revision }) => [
      result,
      reason,
      profit_units,
      revision,
    ]);
  await post(made, BEGIN, 'pinnacle', { home: -104, away: -104 });
  await post(made, BEGIN + 1000, 'draftkings', { home: 120, away: -140 });
  await post(made, BEGIN + 1000, 'kalshi', { home: 110, away: -130 });
  const rows = await json(made, '/odds?limit=50', made.key('enterprise'));
  const idOf = (book: string): string =>
    rows['data'].find((row: Json) => row.sportsbook === book && row.selection_type === 'home').id;
  const described = {
    event_id: LAKERS,
    market_type: 'point_spread',
    selection_type: 'home',
    line: -3.5,
    sportsbook: 'draftkings',
    odds_american: 120,
  };
  const byId = { odds_id: idOf('draftkings'), odds_decimal: 2.2 };
  await eventually(async () => {
    const { data } = await json(made, '/historical/clv', made.key('enterprise'));
    assert.ok(data.groups.length > 0);
  });
  made.clock.set(CLOSE + 180 * MINUTE);
  assert.deepEqual(await ends(described, byId, { odds_id: '1' }, 7, { ...described, odds_american: 5 }), [
    ['pending', 'no_result', null, 0],
    ['pending', 'no_result', null, 0],
    ['ungradeable', 'unknown_bet', null, 0],
    ['ungradeable', 'malformed', null, 0],
    ['ungradeable', 'malformed', null, 0],
  ]);
  const say = (home_score: number) =>
    made.ingest({
      source: 'league',
      polled_at: new Date(made.clock.now()).toISOString(),
      results: [{ event_id: LAKERS, status: 'final', home_score, away_score: 100 }],
    });
  await say(104);
  assert.deepEqual(
    await ends(described, byId, { ...byId, line: -4 }, { ...byId, line: -4.25 }, { odds_id: byId.odds_id }),
    [
      ['won', null, 1.2, 1],
      ['won', null, 1.2, 1],
      ['push', null, 0, 1],
      ['half_lost', null, -0.5, 1],
      ['won', null, 1.2, 1],
    ],
  );
  const { data } = await json(made, '/historical/clv?sportsbook=draftkings', made.key('enterprise'));
  const { total_settled, win_rate, roi_percent, roi_error_percent, expected_roi_percent } = data.groups[0];
  assert.deepEqual([total_settled, win_rate, roi_percent, expected_roi_percent], [1, 1, 120, 10]);
  assert.equal(roi_error_percent, 109.5445, 'one stake at 2.2: √1.2');
  const predictions = async (query = ''): Promise<Json[]> =>
    (await json(made, `/historical/predictions?event_id=${LAKERS}${query}`, made.key('enterprise'))).data;
  const [prediction, ...others] = await predictions('&sportsbook=draftkings');
  assert.equal(others.length, 0);
  const { odds_id, line, odds_decimal_net, ev_percentage, closing_odds_american, result, profit_units } = prediction!;
  assert.deepEqual(
    [odds_id, line, odds_decimal_net, ev_percentage, closing_odds_american, result, profit_units],
    [idOf('draftkings'), -3.5, 2.2, 10, 120, 'won', 1.2],
  );
  assert.deepEqual(await predictions(`&id=${prediction!.id}`), [prediction]);
  assert.deepEqual(await predictions('&sportsbook=fanduel'), []);
  assert.deepEqual(await predictions(`&event_id=other&id=${prediction!.id}`), [prediction], 'several events');
  const { error } = await json(made, '/historical/predictions', made.key('enterprise'), 400);
  assert.match(error.message, /event/);
  const document = (await (await made.fetch('/openapi.json')).json()) as Json;
  const { parameters } = document.paths['/historical/predictions'].get;
  assert.equal(parameters.find(({ name }: Json) => name === 'event').required, true);
  const ofMarket = async (name: string): Promise<number> => (await predictions(`&market=${name}`)).length;
  const every = (await predictions()).length;
  for (const name of ['point_spread', 'spreads', 'SPREADS', 'spread', 'main', 'alternate_spreads,props'])
    assert.equal(await ofMarket(name), every, name);
  for (const league of ['nba', 'NBA', 'basketball_nba']) {
    assert.equal((await predictions(`&league=${league}`)).length, every, league);
    const summed = await json(made, `/historical/clv?league=${league}`, made.key('enterprise'));
    assert.deepEqual([league, summed.data.groups.length], [league, 2]);
  }
  for (const path of ['/historical/predictions', '/historical/clv', '/odds/history']) {
    const market = path === '/historical/clv' ? '' : '&market=spreads,fog-market';
    const query = `?event=${LAKERS}&sport=basketball,fog-sport&league=nba,fog-league${market}`;
    const { meta } = await json(made, `${path}${query}`, made.key('enterprise'));
    const fog = ['fog-sport', 'fog-league', ...(market === '' ? [] : ['fog-market'])];
    assert.deepEqual([path, meta.unknown], [path, fog]);
    for (const name of fog)
      await json(made, `${path}?event=${LAKERS}&${name.slice(4)}=${name}`, made.key('enterprise'));
    if (path !== '/historical/clv')
      await json(made, `${path}?event=${LAKERS}&strict=true&market=fog-market`, made.key('enterprise'), 400);
  }
  const day = await json(
    made,
    `/historical/odds/closing?date=${START.slice(0, 10)}&sport=fog-sport&league=fog-league`,
    made.key('enterprise'),
  );
  assert.deepEqual(day.meta.unknown, ['fog-sport', 'fog-league']);
  for (const name of ['total', 'totals', 'props', 'h2h']) assert.equal(await ofMarket(name), 0, name);
  const all = await predictions();
  const newest = await json(made, `/historical/predictions?event_id=${LAKERS}&limit=1`, made.key('enterprise'));
  assert.deepEqual([newest.data, newest.meta.total], [all.slice(0, 1), all.length]);
  await inOtherForms(made, all);
  made.clock.set(CLOSE + 200 * MINUTE);
  await say(103);
  assert.deepEqual(await ends(described), [['lost', null, -1, 2]]);
  assert.deepEqual(
    (await predictions(`&id=${prediction!.id}`)).map(({ result, revision }) => [result, revision]),
    [['lost', 2]],
  );
  const corrected = (await json(made, '/historical/clv?sportsbook=draftkings', made.key('enterprise'))).data.groups[0];
  assert.deepEqual([corrected.total_settled, corrected.win_rate, corrected.roi_percent], [1, 0, -100]);
  const kalshi = { odds_id: idOf('kalshi'), odds_decimal: 2 };
  assert.equal((await grade(kalshi))[0]!['result'], 'lost');
  await made.ingest({
    book: 'kalshi',
    polled_at: new Date(made.clock.now()).toISOString(),
    settlements: [
      { event_id: LAKERS, market_type: 'point_spread', selection_type: 'home', line: -3.5, outcome: 'won' },
    ],
  });
  assert.deepEqual([(await grade(kalshi))[0]!['result'], (await grade(byId))[0]!['result']], ['won', 'lost']);
  const headers = { 'content-type': 'application/json' };
  const refused = async (body: string, as: string) =>
    (await made.fetch('/grade', { key: as, method: 'POST', headers, body })).status;
  assert.deepEqual([await refused('{"bets":[]}', key), await refused('{"bets":[{}]}', made.key('free'))], [400, 403]);
});

test('a bet may name its team, a later settlement by name replaces one by type, and one at a value counts before the score', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('hobby');
  const headers = { 'content-type': 'application/json' };
  const grade = async (...bets: object[]): Promise<unknown[][]> => {
    const body = JSON.stringify({ bets });
    const answer = (await (await made.fetch('/grade', { key, method: 'POST', headers, body })).json()) as Json;
    return answer['data'].map((one: Json) => [one['result'], one['reason'], one['profit_units']]);
  };
  await post(made, BEGIN, 'kalshi', { home: 110, away: -130 });
  made.clock.set(CLOSE + 180 * MINUTE);
  const polled_at = new Date(made.clock.now()).toISOString();
  const game = { event_id: LAKERS };
  await made.ingest({
    source: 'x',
    polled_at,
    results: [{ ...game, status: 'final', home_score: 104, away_score: 100 }],
  });
  const stated = { ...game, sportsbook: 'draftkings', odds_decimal: 2 };
  const money = (selection: string) => ({ ...stated, market_type: 'moneyline', selection });
  assert.deepEqual(await grade(money('LA Lakers'), money('Boston'), money('Nobody')), [
    ['lost', null, -1],
    ['won', null, 1],
    ['ungradeable', 'unknown_selection', null],
  ]);
  const spread = { ...stated, market_type: 'point_spread', selection: 'Los Angeles Lakers', line: 4.5 };
  assert.deepEqual(await grade(spread), [['won', null, 1]]);
  const chance = { ...stated, market_type: 'double_chance', selection: 'Celtics or Draw' };
  assert.deepEqual(await grade(chance), [['pending', 'regulation_not_told', null]]);
  const malformed = { ...money('home'), scored: { home: 1 } };
  assert.deepEqual(await grade(malformed), [['ungradeable', 'malformed', null]]);
  const rest = { ...stated, market_type: 'point_spread_rest', selection: 'home', line: -1.5 };
  assert.deepEqual(await grade(rest, { ...rest, scored: { home: 103, away: 99 } }), [
    ['pending', 'score_not_told', null],
    ['lost', null, -1],
  ]);
  const settle = (...words: object[]) =>
    made.ingest({
      book: 'kalshi',
      polled_at,
      settlements: words.map((word) => ({ ...game, market_type: 'moneyline', ...word })),
    });
  const own = { ...money('away'), sportsbook: 'kalshi' };
  await settle({ selection_type: 'away', outcome: 'lost' });
  await settle({ selection: 'LA Lakers', outcome: 'won' });
  assert.equal((await grade(own))[0]![0], 'won');
  await settle({ selection: 'Los Angeles Lakers', value: 0.24 });
  const [[result, reason, profit]] = (await grade({ ...own, odds_decimal: 4 })) as [[string, string, number]];
  assert.deepEqual([result, reason], ['half', 'settled_at_value']);
  assert.ok(profit < 0 && profit > -0.1, `${profit}`);
  await assert.rejects(settle({ selection_type: 'home', value: 1.2 }), /not 0 to 1/);
  await assert.rejects(settle({ selection_type: 'home', value: 0.5, outcome: 'won' }), /beside an outcome/);
});

test('a contract venue’s whole line is its own strike, whether a bet or a settlement names its market or the strike’s own', async (t) => {
  const made = await api(t, FLAGS);
  made.clock.set(BEGIN);
  const side = (selection_type: string, line: number) => ({
    selection: selection_type,
    selection_type,
    line,
    odds_decimal: 1.95,
  });
  const selections = [side('over', 221), side('under', 221), side('over', 222.5), side('under', 222.5)];
  const game = { league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers', start_time: START };
  const polled = () => ({ book: 'kalshi', polled_at: new Date(made.clock.now()).toISOString() });
  await made.ingest({ ...polled(), events: [{ ...game, markets: [{ market_type: 'total_points', selections }] }] });
  const key = made.key('enterprise', { account: 'strikes' });
  const rows = (await json(made, '/odds?sportsbook=kalshi&limit=50', key))['data'] as Json[];
  const idOf = (selection: string, line: number): string =>
    rows.find((row) => row.selection_type === selection && row.line === line)!.id;
  const send = async (path: string, body: object): Promise<Json> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await made.fetch(path, { key, ...init });
    const answer = (await response.json()) as Json;
    assert.ok(response.ok, JSON.stringify(answer));
    return answer;
  };
  const of = { event_id: LAKERS, sportsbook: 'kalshi', odds_decimal: 1.95 };
  const over = { ...of, market_type: 'total_points', selection: 'over', line: 221 };
  const recorded = await send('/account/bets', { bets: [{ client_id: 's1', ...over, stake: 10, mode: 'placed' }] });
  assert.equal(recorded['data'][0].odds_id, idOf('over', 221));
  const clv = await send('/clv', { bets: [over, { ...over, line: 222.5 }] });
  assert.deepEqual(
    clv['data'].map(({ reason }: Json) => reason),
    ['not_closed', 'not_closed'],
  );
  made.clock.set(CLOSE + 180 * MINUTE);
  await made.ingest({
    source: 'league',
    polled_at: polled().polled_at,
    results: [{ event_id: LAKERS, status: 'final', home_score: 111, away_score: 110 }],
  });
  const ends = async (...bets: object[]): Promise<string[]> =>
    (await send('/grade', { bets }))['data'].map(({ result }: Json) => result);
  const under = { ...over, selection: 'under' };
  const strike = { market_type: 'total_points_contract_kalshi' };
  const whole = [
    ...[over, { ...over, ...strike }, { ...over, market_type: 'totals' }, { odds_id: idOf('over', 221) }],
    ...[
      { odds_id: idOf('over', 222.5), line: 221 },
      { ...over, event_id: LAKERS, line: 221.0 },
    ],
  ];
  assert.deepEqual(await ends(...whole), Array(whole.length).fill('lost'));
  assert.deepEqual(await ends(under, { ...under, ...strike }, { odds_id: idOf('under', 221) }), ['won', 'won', 'won']);
  // Also in a market that was never listed, and never at a book.
  const team = { ...over, market_type: 'team_total', team: 'home', line: 111 };
  const books = [over, team].map((bet) => ({ ...bet, sportsbook: 'draftkings' }));
  assert.deepEqual(await ends(team, ...books), ['lost', 'push', 'push']);
  const settle = (...words: object[]) =>
    made.ingest({ ...polled(), settlements: words.map((word) => ({ event_id: LAKERS, ...word })) });
  await settle({ market_type: 'total_points', selection_type: 'over', line: 221, outcome: 'won' });
  assert.deepEqual(await ends(...whole), Array(whole.length).fill('won'));
  await settle({ ...strike, selection_type: 'under', line: 221, outcome: 'lost' });
  assert.deepEqual(await ends(under, { odds_id: idOf('under', 221) }), ['lost', 'lost']);
});

test('backtest --clv --results says what the predictions of a recording earned', async () => {
  const dir = newFolder('overround-grade-');
  const poll = (seconds: number, book: string, home: number, away: number) => ({
    book,
    polled_at: new Date(BEGIN + seconds * 1000).toISOString(),
    scope: 'event',
    events: [
      {
        league: 'nba',
        home_team: 'Boston Celtics',
        away_team: 'Los Angeles Lakers',
        start_time: START,
        markets: [
          {
            market_type: 'point_spread',
            selections: [
              { selection: 'home', selection_type: 'home', line: -3.5, odds_american: home },
              { selection: 'away', selection_type: 'away', line: 3.5, odds_american: away },
            ],
          },
        ],
      },
    ],
  });
  const file = join(dir, 'polls.ndjson');
  writeFileSync(
    file,
    `${[poll(0, 'pinnacle', -104, -104), poll(1, 'draftkings', 120, -140)].map((one) => JSON.stringify(one)).join('\n')}\n`,
  );
  const csv = join(dir, 'results.csv.gz');
  const head = 'league,home_team,away_team,start_time,status,home_score,away_score,at,source';
  writeFileSync(
    csv,
    gzipSync(
      `${head}\nnba,Boston Celtics,Los Angeles Lakers,${START},final,90,100,2026-11-21T03:00:00Z,league\n,,,,,1,,,\n`,
    ),
  );
  const bad: number[] = [];
  const ran = await runClvBacktest({
    file,
    catalogue: loadCatalogue(),
    books: null,
    minEv: 0,
    groupBy: 'sportsbook',
    results: csv,
    onBadLine: (_file, { line }) => void bad.push(line),
  });
  assert.deepEqual(bad, [3]);
  assert.equal(ran.results_rejected, 0);
  const { total_settled, win_rate, roi_percent } = ran.groups[0]!;
  assert.deepEqual([total_settled, win_rate, roi_percent], [1, 0, -100]);
});

test('a bet on a price to lay is a lay: it wins the stake less commission where the selection loses', async (t) => {
  const made = await api(t, FLAGS);
  await post(made, BEGIN, 'pinnacle', { home: -104, away: -104 });
  const selections = [
    { selection: 'Boston Celtics', selection_type: 'home', odds_decimal: 2.2 },
    { selection: 'Los Angeles Lakers', selection_type: 'away', odds_decimal: 1.9 },
  ];
  const events = [{ event_id: LAKERS, markets: [{ market_type: 'moneyline_lay', selections }] }];
  await made.ingest({ book: 'betfair', polled_at: new Date(made.clock.now()).toISOString(), events });
  const key = made.key('enterprise');
  const rows = (await json(made, '/odds?sportsbook=betfair&limit=50', key))['data'] as Json[];
  const of = (side: string) => rows.find((row) => row.selection_type === side && row.market_type === 'moneyline_lay');
  made.clock.set(CLOSE + 180 * MINUTE);
  await made.ingest({
    source: 'league',
    polled_at: new Date(made.clock.now()).toISOString(),
    results: [{ event_id: LAKERS, status: 'final', home_score: 104, away_score: 100 }],
  });
  const headers = { 'content-type': 'application/json' };
  const described = { event_id: LAKERS, market_type: 'moneyline_lay', sportsbook: 'betfair', odds_decimal: 1.5 };
  const bets = [
    { odds_id: of('home')!.id, odds_decimal: 2.2 },
    { odds_id: of('away')!.id, odds_decimal: 1.9 },
    { ...described, selection_type: 'away' },
  ];
  const graded = async () => {
    const response = await made.fetch('/grade', { key, method: 'POST', headers, body: JSON.stringify({ bets }) });
    const { data } = (await response.json()) as Json;
    return data.map(({ result, profit_units, return_units }: Json) => [result, profit_units, return_units]);
  };
  assert.deepEqual(await graded(), [
    ['lost', -1.2, -0.2],
    ['won', 0.95, 1.95],
    ['won', 0.95, 1.95],
  ]);
  // Of a dead heat half of the stake wins and half loses: commission is of what is won in all.
  const halves = ['home', 'away'].map((selection_type) => ({
    event_id: LAKERS,
    market_type: 'moneyline_lay',
    selection_type,
    outcome: 'half',
  }));
  await made.ingest({
    sportsbook: 'betfair',
    polled_at: new Date(made.clock.now()).toISOString(),
    settlements: halves,
  });
  assert.deepEqual(await graded(), [
    ['half', -0.1, 0.9],
    ['half', 0.0475, 1.0475],
    ['half', 0.2375, 1.2375],
  ]);
});

async function inOtherForms(made: Api, all: readonly Json[]): Promise<void> {
  const form = async (query: string): Promise<[text: string, total: string | null]> => {
    const path = `/historical/predictions?event_id=${LAKERS}&${query}`;
    const response = await made.fetch(path, { key: made.key('enterprise') });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return [text, response.headers.get('x-total-count')];
  };
  const lines = all.map((item) => `${JSON.stringify(item)}\n`);
  const total = String(all.length);
  assert.deepEqual(await form('format=ndjson&limit=all'), [lines.join(''), total]);
  assert.deepEqual(await form('format=ndjson&limit=1'), [lines[0], total]);
  const [table] = await form('format=csv&limit=all');
  const [heading, ...rows] = table.trimEnd().split('\r\n');
  assert.deepEqual([heading, rows.length], [Object.keys(all[0]!).join(), all.length]);
  assert.deepEqual(await form('format=csv&limit=1'), [`${heading}\r\n${rows[0]}\r\n`, total]);
  assert.deepEqual(await form('format=ndjson&limit=all&sportsbook=fanduel'), ['', '0']);
}

test('a bet at a book that lists the game the other way round is found in either order of its words and ends as what it says', async (t) => {
  const made = await api(t, FLAGS);
  made.clock.set(BEGIN);
  const teams = { league: 'la-liga', start_time: START };
  const polled = () => ({ polled_at: new Date(made.clock.now()).toISOString(), scope: 'event' });
  const offer = (book: string, home_team: string, away_team: string, markets: Record<string, unknown[][]>) => {
    const listed = Object.entries(markets).map(([market_type, sides]) => ({
      market_type,
      selections: sides.map(([selection, selection_type, line], at) => ({
        selection,
        selection_type,
        ...(line === undefined ? {} : { line }),
        odds_decimal: 1.5 + at,
      })),
    }));
    return made.ingest({ book, ...polled(), events: [{ ...teams, home_team, away_team, markets: listed }] });
  };
  await offer('draftkings', 'Celta Vigo', 'Alaves', {
    moneyline: [['Celta Vigo', 'home']],
    double_chance: [['Draw or Celta Vigo', 'draw_or_home']],
  });
  await offer('betmgm', 'Alaves', 'Celta Vigo', {
    double_chance: [
      ['Home or Draw', 'home_or_draw'],
      ['Draw or Away', 'draw_or_away'],
    ],
    half_time_full_time: [['Away/Away', 'away_away']],
    winning_margin: [['Away by 2', 'away_2']],
    point_spread: [
      ['Alaves', 'home', 2],
      ['Draw', 'draw', 2],
      ['Celta Vigo', 'away', -2],
    ],
  });
  await offer('fanduel', 'Alaves', 'Celta Vigo', {
    double_chance: [
      ['1X', '1x'],
      ['X2', 'x2'],
    ],
  });
  const key = made.key('enterprise', { account: 'turned' });
  const best = (await json(made, '/odds/best?market=double_chance&limit=50', key))['data'] as Json[];
  assert.deepEqual(
    best.map(({ selection, selection_type, all_books }) => [selection, selection_type, Object.keys(all_books).length]),
    [
      ['Celta Vigo or Draw', 'home_or_draw', 3],
      ['Draw or Alavés', 'draw_or_away', 2],
    ],
  );
  const rows = (await json(made, '/odds?limit=50', key))['data'] as Json[];
  const event_id = rows[0]!.event_id as string;
  const send = async (path: string, body: object): Promise<Json> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await made.fetch(path, { key, ...init });
    const answer = (await response.json()) as Json;
    assert.ok(response.ok, JSON.stringify(answer));
    return answer;
  };
  const described: [string, string, string, string, number?][] = [];
  for (const book of ['betmgm', 'fanduel']) {
    for (const words of ['Home or Draw', 'draw_or_home', '1X', 'Celta Vigo or Draw', 'Draw or Celta Vigo'])
      described.push([book, 'double_chance', words, 'won']);
    for (const words of ['x2', 'Alaves or Draw', 'away_or_draw'])
      described.push([book, 'double_chance', words, 'lost']);
  }
  for (const words of ['Home/Home', 'Celta Vigo/Celta Vigo', '1/1', 'home_home'])
    described.push(['betmgm', 'half_time_full_time', words, 'won']);
  for (const words of ['Home by 2', 'home_by_2', 'Celta Vigo by 2', 'Celta Vigo by 2 goals'])
    described.push(['betmgm', 'winning_margin', words, 'won']);
  described.push(['betmgm', 'point_spread', 'draw', 'won', -2], ['betmgm', 'point_spread', 'home', 'lost', -2]);
  described.push(['betmgm', 'point_spread', 'Alaves', 'lost', 2]);
  const bets = described.map(([sportsbook, market, selection, , line]) => ({
    ...{ event: event_id, sportsbook, market, selection },
    ...(line === undefined ? {} : { line }),
    ...{ odds_decimal: 1.5, stake: 10, mode: 'placed' },
  }));
  const placed = await send('/account/bets', { bets: bets.map((bet, at) => ({ client_id: `t${at}`, ...bet })) });
  const known = new Set(rows.map(({ id }) => id));
  for (const bet of placed['data'] as Json[]) assert.ok(known.has(bet.odds_id), JSON.stringify(bet));
  made.clock.set(CLOSE + 180 * MINUTE);
  const half = { part: 'h1', home_score: 0, away_score: 1 };
  const result = { ...teams, home_team: 'Alaves', away_team: 'Celta Vigo', status: 'final', parts: [half] };
  await made.ingest({ source: 'league', ...polled(), results: [{ ...result, home_score: 0, away_score: 2 }] });
  const ends = ((await send('/grade', { bets }))['data'] as Json[]).map(({ result }) => result);
  assert.deepEqual(
    described.map((bet, at) => [...bet.slice(0, 3), ends[at]]),
    described.map((bet) => bet.slice(0, 4)),
  );
  const scores = ['home_2_0', 'Celta Vigo 2-0', '2-0', 'away_2_0', 'draw_1_1'];
  const unlisted = scores.map((selection) => ({ ...bets[0]!, market: 'correct_score', selection }));
  assert.deepEqual(
    ((await send('/grade', { bets: unlisted }))['data'] as Json[]).map(({ result }) => result),
    ['won', 'won', 'won', 'lost', 'lost'],
  );
  let settled: Json[] = [];
  await eventually(async () => {
    settled = (await json(made, '/account/bets?limit=100', key))['data'];
    assert.ok(settled.every((bet) => bet.result !== null));
  });
  const byId = new Map(settled.map((bet) => [bet.client_id, bet.result]));
  assert.deepEqual(
    described.map((_, at) => byId.get(`t${at}`)),
    described.map((bet) => bet[3]),
  );
});
