// House rules as a client meets them: games of several sports with odds of books of different rules, their results as sources
// tell them, and what POST /grade says of bets on them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW } from '../../front/api/serving.js';
import { api, type Json } from '../../front/api.js';
import { eventually } from '../../support/until.js';
import { FLAGS, json } from './rig.js';

const BEGIN = Date.parse(NOW);
const HOUR = 3_600_000;
const START = new Date(BEGIN + 2 * HOUR).toISOString();

const HOCKEY = { league: 'nhl', home_team: 'Boston Bruins', away_team: 'Toronto Maple Leafs', start_time: START };
const TENNIS = { league: 'atp', home_team: 'Carlos Alcaraz', away_team: 'Jannik Sinner', start_time: START };
const FOOTY = { league: 'afl', home_team: 'Carlton', away_team: 'Richmond', start_time: START };
const SOCCER = { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea', start_time: START };

const selections = (...sides: [string, string, number][]) =>
  sides.map(([selection, selection_type, odds_decimal]) => ({ selection, selection_type, odds_decimal }));

test('bets end by the rules of their book, whatever they are found by', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise');
  const headers = { 'content-type': 'application/json' };
  const offer = (book: string, game: object, market_type: string, sides: [string, string, number][]) =>
    made.ingest({
      book,
      polled_at: new Date(made.clock.now()).toISOString(),
      scope: 'event',
      events: [{ ...game, markets: [{ market_type, selections: selections(...sides) }] }],
    });
  const two = (home: string, away: string): [string, string, number][] => [
    [home, 'home', 2],
    [away, 'away', 2],
  ];
  await offer('draftkings', HOCKEY, 'moneyline', two('Boston Bruins', 'Toronto Maple Leafs'));
  await offer('unibet', HOCKEY, 'moneyline', [...two('Boston Bruins', 'Toronto Maple Leafs'), ['Draw', 'draw', 4]]);
  for (const book of ['pinnacle', 'draftkings', 'bet365'])
    await offer(book, TENNIS, 'moneyline', two('Carlos Alcaraz', 'Jannik Sinner'));
  for (const book of ['sportsbet', 'pinnacle']) await offer(book, FOOTY, 'moneyline', two('Carlton', 'Richmond'));
  await offer('draftkings', SOCCER, 'double_chance', [['Arsenal or Draw', 'arsenal_or_draw', 1.4]]);
  let rows: Json[] = [];
  await eventually(async () => {
    rows = (await json(made, '/odds?limit=100', key))['data'];
    assert.equal(rows.length, 16);
  });
  const idOf = (book: string, league: string, side: string): string =>
    rows.find((row) => row['sportsbook'] === book && row['league'] === league && row['selection_type'] === side)!['id'];
  const eventOf = (league: string): string => rows.find((row) => row['league'] === league)!['event_id'];
  const tell = (league: string, result: object) =>
    made.ingest({
      source: 'league',
      polled_at: new Date(made.clock.now()).toISOString(),
      results: [{ event_id: eventOf(league), ...result }],
    });
  const ends = async (...bets: object[]): Promise<string[]> => {
    const body = JSON.stringify({ bets: bets.map((bet) => ({ odds_decimal: 2, ...bet })) });
    const { data } = (await (await made.fetch('/grade', { key, method: 'POST', headers, body })).json()) as Json;
    return data.map(({ result, reason }: Json) => (reason === null ? result : `${result} ${reason}`));
  };
  made.clock.set(BEGIN + 5 * HOUR);

  const threeWay = ['home', 'draw', 'away'].map((side) => ({ odds_id: idOf('unibet', 'nhl', side) }));
  const twoWay = { odds_id: idOf('draftkings', 'nhl', 'home') };
  await tell('nhl', { status: 'final', home_score: 3, away_score: 2 });
  assert.deepEqual(await ends(...threeWay, twoWay), [
    'pending regulation_not_told',
    'pending regulation_not_told',
    'pending regulation_not_told',
    'won',
  ]);
  await tell('nhl', { status: 'final', home_score: 3, away_score: 2, ended: 'overtime' });
  assert.deepEqual(await ends(...threeWay, twoWay), ['lost', 'won', 'lost', 'won']);
  const described = {
    event_id: eventOf('nhl'),
    market_type: 'moneyline',
    selection: 'Boston Bruins',
    sportsbook: 'unibet',
  };
  assert.deepEqual(await ends(described), ['lost'], 'a book that shows a draw');

  const sets = [
    { part: 'set_1', home_score: 6, away_score: 4 },
    { part: 'set_2', home_score: 1, away_score: 3 },
  ];
  const away = ['pinnacle', 'draftkings', 'bet365'].map((book) => ({ odds_id: idOf(book, 'atp', 'away') }));
  await tell('atp', { status: 'final', ended: 'retired', parts: sets });
  assert.deepEqual(await ends(...away), ['pending winner_not_told', 'void retired', 'pending winner_not_told']);
  await tell('atp', { status: 'final', ended: 'retired', winner: 'away', parts: sets });
  assert.deepEqual(await ends(...away), ['won', 'void retired', 'won']);
  await tell('atp', {
    status: 'final',
    ended: 'retired',
    winner: 'away',
    parts: sets.slice(1).map((set) => ({ ...set, part: 'set_1' })),
  });
  assert.deepEqual(await ends(...away), ['void retired', 'void retired', 'won'], 'corrected: in the first set');

  await tell('afl', { status: 'final', home_score: 80, away_score: 80 });
  const carlton = ['sportsbet', 'pinnacle'].map((book) => ({ odds_id: idOf(book, 'afl', 'home') }));
  assert.deepEqual(await ends(...carlton), ['half dead_heat', 'push']);

  await tell('epl', { status: 'final', home_score: 1, away_score: 1 });
  assert.deepEqual(await ends({ odds_id: idOf('draftkings', 'epl', 'home_or_draw') }), ['won']);

  await tell('epl', { status: 'postponed' });
  const one = { event_id: eventOf('epl'), market_type: 'moneyline', selection: 'Chelsea', sportsbook: 'bet365' };
  assert.deepEqual(await ends(one), ['pending postponed']);
  made.clock.set(BEGIN + 39 * HOUR);
  assert.deepEqual(await ends(one), ['void postponed']);
});
