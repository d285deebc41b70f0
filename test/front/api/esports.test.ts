// Esports from outside: pushed rows make games, markets of maps are known, and bets on them end by the maps' results.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { api, type Json } from '../api.js';
import { NOW } from './serving.js';

const START = '2026-11-20T20:00:00Z';
const side = (selection: string, odds_decimal: number, line?: number) => ({
  selection,
  selection_type: selection,
  odds_decimal,
  ...(line === undefined ? {} : { line }),
});
const market = (market_type: string, ...selections: object[]) => ({ market_type, selections });

test('esports: two spellings are one game, maps have markets of their own, and results of maps grade them', async (t) => {
  const made = await api(t, { history: '7', 'log-retention': '604800' });
  const game = (home_team: string, away_team: string, league: string, ...markets: object[]) => ({
    league,
    home_team,
    away_team,
    start_time: START,
    markets,
  });
  const maps = [
    market('h2h_map_1', side('home', 1.8), side('away', 2.02)),
    market('moneyline_map_3', side('home', 1.9), side('away', 1.9)),
    market('total_rounds_map_1', side('over', 1.9, 21.5), side('under', 1.9, 21.5)),
    market('map_handicap', side('home', 3.1, -1.5), side('away', 1.36, 1.5)),
  ];
  const winner = market('moneyline', side('home', 1.7), side('away', 2.2));
  await made.ingest(
    { book: 'pinnacle', events: [game('Natus Vincere', 'Team Vitality', 'cs2', winner, ...maps)] },
    { book: 'bet365', events: [game('NAVI', 'Vitality', 'csgo', winner)] },
    { book: 'pinnacle', events: [game('T1', 'Gen.G', 'lol', winner, maps[0]!)] },
    { book: 'bet365', events: [game('Gen.G Esports', 'T1', 'league_of_legends', winner)] },
  );
  const key = made.key('enterprise', { scopes: ['read', 'ingest'] });
  const get = async (path: string): Promise<Json> => (await made.fetch(path, { key })).json() as Promise<Json>;
  const events = (await get('/events?sport=esports')).data;
  const counter = 'cs2_natus-vincere_vitality_2026-11-20';
  assert.deepEqual(
    events.map(({ event_id, league, sport }: Json) => [event_id, league, sport]),
    [
      [counter, 'cs2', 'cs2'],
      ['lol_t1_gen-g_2026-11-20', 'lol', 'lol'],
    ],
  );
  const rows: Json[] = (await get('/odds?sport=cs2')).data;
  const types = [...new Set(rows.map(({ market_type }) => market_type))].sort();
  const listed = ['map_handicap', 'moneyline', 'moneyline_map_1', 'moneyline_map_3', 'total_rounds_map_1'];
  assert.deepEqual(types, listed);
  assert.deepEqual((await get('/ingest/unmatched')).data, []);
  made.clock.set(Date.parse(NOW) + 6 * 3_600_000);
  const part = (no: number, home_score: number, away_score: number) => ({ part: `map_${no}`, home_score, away_score });
  const parts = [part(1, 13, 9), part(2, 13, 4)];
  const result = { event_id: counter, status: 'final', home_score: 2, away_score: 0, parts };
  await made.ingest({ source: 'league', scope: 'none', results: [result] });
  const bets = rows.map(({ event_id, market_type, selection_type, line, sportsbook, odds_american }) => ({
    event_id,
    market_type,
    selection_type,
    line,
    sportsbook,
    odds_american,
  }));
  const headers = { 'content-type': 'application/json' };
  const graded = await made.fetch('/grade', { key, method: 'POST', headers, body: JSON.stringify({ bets }) });
  const { data } = (await graded.json()) as Json;
  const ended = Object.fromEntries(
    bets.map(({ market_type, selection_type }, i) => [`${market_type} ${selection_type}`, data[i].result]),
  );
  assert.deepEqual(ended, {
    'moneyline home': 'won',
    'moneyline away': 'lost',
    'moneyline_map_1 home': 'won',
    'moneyline_map_1 away': 'lost',
    'moneyline_map_3 home': 'void',
    'moneyline_map_3 away': 'void',
    'total_rounds_map_1 over': 'won',
    'total_rounds_map_1 under': 'lost',
    'map_handicap home': 'won',
    'map_handicap away': 'lost',
  });
});
