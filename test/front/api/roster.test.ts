// Games that meet by who plays them: proposed, or with `--match roster` joined and told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { api, type Json } from '../api.js';
import { moneyline } from './serving.js';

const START = '2026-11-21T15:00:00Z';
const game = (home_team: string, away_team: string, league = 'epl', start_time = START) => ({
  league,
  home_team,
  away_team,
  start_time,
  markets: [moneyline(120, 210, 240)],
});
const POLLS = [
  { book: 'pinnacle', events: [game('Arsenal', 'Chelsea'), game('Everton', 'Fulham')] },
  { book: 'bet365', events: [game('Chlsea Blues', 'Arsenal', 'epl', '2026-11-21T15:05:00Z')] },
  {
    book: 'betmgm',
    events: [game('Everton', 'Fulhm Women'), game('Arsenal', 'Brentford', 'epl', '2026-11-22T15:00:00Z')],
  },
];
const ID = 'epl_arsenal_chelsea_2026-11-21';

async function shown(match: string, t: Parameters<typeof api>[0]) {
  const made = await api(t, { match });
  await made.ingest(...POLLS);
  const key = made.key('enterprise', { scopes: ['read', 'ingest'] });
  const get = async (path: string): Promise<Json[]> => {
    const answer = await made.fetch(path, { key });
    return ((await answer.json()) as Json).data;
  };
  return { made, get };
}

test('a game whose one side is known and whose start agrees is proposed, with the overlay that joins it', async (t) => {
  const { get } = await shown('names', t);
  assert.equal((await get('/events')).length, 5);
  const items = await get('/ingest/unmatched?kind=team');
  const proposed = items.filter(({ reason }) => reason === 'apart');
  assert.deepEqual(
    proposed.map(({ name, sportsbooks, candidates, overlay_file }) => [name, sportsbooks, candidates, overlay_file]),
    [
      [
        'Chlsea Blues',
        ['bet365'],
        [{ id: 'chelsea', name: 'Chelsea', overlay: { id: 'chelsea', aliases: ['Chlsea Blues'] } }],
        'teams/epl.overlay.json',
      ],
    ],
  );
});

test('with --match roster it is that game, whatever its sides, and the name is told; women stay apart', async (t) => {
  const { made, get } = await shown('roster', t);
  assert.deepEqual((await get('/events')).map(({ event_id }) => event_id).sort(), [
    'epl_arsenal_brentford_2026-11-22',
    ID,
    'epl_everton_fulham_2026-11-21',
    'epl_everton_fulhm-women_2026-11-21',
  ]);
  const prices = (await get(`/odds?event=${ID}`))
    .filter((row) => row.selection_type === 'home')
    .map((row) => [row.sportsbook, row.odds_american]);
  assert.deepEqual(prices.sort(), [
    ['bet365', 210],
    ['pinnacle', 120],
  ]);
  const told = (await get('/ingest/unmatched?kind=team')).find(({ reason }) => reason === 'joined');
  assert.deepEqual([told?.name, told?.sportsbooks, told?.candidates[0].id], ['Chlsea Blues', ['bet365'], 'chelsea']);
  // A book that lists both, in one list or one after another, means two games.
  await made.ingest({ book: 'caesars', events: [game('Arsenal', 'Chelsea'), game('Arsenal', 'Chelsea Corners')] });
  await made.ingest({ book: 'pinnacle', events: [game('Arsenal', 'Chelsea Cards')] });
  await made.ingest(POLLS[1]!);
  const ids = (await get('/events')).map(({ event_id }) => event_id);
  assert.deepEqual(ids.filter((id) => id.startsWith('epl_arsenal_chelsea-')).sort(), [
    'epl_arsenal_chelsea-cards_2026-11-21',
    'epl_arsenal_chelsea-corners_2026-11-21',
  ]);
});

test('a game that stands in two leagues is told', async (t) => {
  const { made, get } = await shown('names', t);
  await made.ingest({ book: 'caesars', events: [game('Arsenal', 'Chelsea', 'fa-cup')] });
  const [item] = await get('/ingest/unmatched?kind=league');
  assert.deepEqual([item!.reason, ...[item!.name, item!.candidates[0].name].sort()], ['apart', 'epl', 'fa-cup']);
});
