// Why something was not matched: names, refused parts, starts and players that met nothing, with what they may have
// meant and the entry of an overlay that joins them.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { LIMITS } from '../../../src/base/model/limits.js';
import type { Feed } from '../../../src/intake/feeds/feed.js';
import { VenueTeams } from '../../../src/intake/feeds/kit/teams.js';
import { UnmatchedNotes } from '../../../src/intake/ingest/unknown-names.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import type { UnmatchedItem } from '../../../src/schema/unmatched.js';
import { event, market, message, moneyline, selection } from '../../intake/ingest/messages.js';
import { newFolder } from '../../temp-folders.js';
import { api } from '../api.js';
import { NOW } from './serving.js';

const game = (fields: object) =>
  event([moneyline(-110, 100)], { start_time: '2026-11-21T01:00:00Z', ...fields } as never);
const poll = (book: string, ...events: object[]) => message(events, { book, polled_at: NOW });
const props = (...players: string[]) =>
  players.map((player_name) =>
    market([selection({ selection: 'Over', selection_type: 'over', line: 25.5 })], {
      market_type: 'player_points',
      player_name,
    }),
  );

/** A venue whose listed game has a team that the league lacks. */
const venue: Feed = {
  name: 'venue',
  simulated: false,
  async run({ report }) {
    const teams = new VenueTeams(loadCatalogue());
    teams.unlisted = (league, name) => report?.unlisted?.(league, name, 'kalshi');
    assert.equal(teams.ofGame('nba', 'Los Angeles Lakres'), undefined);
    assert.equal(teams.find('nba', 'Over 5'), undefined);
  },
  stop() {},
};

test('what met nothing is listed with what it may have meant, and counted', async (t) => {
  const made = await api(t, {}, [venue]);
  const key = made.key('enterprise', { scopes: ['ingest'] });
  const list = async (query = ''): Promise<{ data: UnmatchedItem[]; meta: { by_kind: Record<string, number> } }> => {
    const answer = await made.fetch(`/ingest/unmatched${query}`, { key });
    assert.equal(answer.status, 200);
    return (await answer.json()) as never;
  };
  const { engine } = made.server;
  for (let times = 0; times < 3; times++)
    await engine.ingest([poll('draftkings', game({ home_team: 'LA Lakerz' }), game({ home_team: 'Denver Nuggetz' }))]);
  await engine.ingest([
    poll('draftking', game({ league: 'nbaa' })),
    poll('fanduel', game({ start_time: 'tomorrow' }), game({ home_team: 'Miami Heat', away_team: 'Chicago Bulls' })),
  ]);
  await engine.ingest([poll('fanduel', event([market([selection({ odds_american: 50 })])], { start_time: NOW }))]);
  // Two books have a game at other times, so far apart that they are two games.
  const knicks = { home_team: 'New York Knicks', away_team: 'Orlando Magic' };
  await engine.ingest([poll('caesars', game(knicks)), poll('betmgm', game(knicks))]);
  await engine.ingest([poll('pinnacle', game({ ...knicks, start_time: '2026-11-21T13:00:00Z' }))]);
  const suns = { home_team: 'Phoenix Suns', away_team: 'Utah Jazz', start_time: '2026-11-21T01:00:00Z' };
  await engine.ingest([
    poll('caesars', event(props('Devin Booker', 'Kevin Durant'), suns)),
    poll('betmgm', event(props('Devin Booker', 'K. Durant', 'Deven Bookor'), suns)),
  ]);

  const { data, meta } = await list();
  const found = (kind: string, name: string): UnmatchedItem => {
    const item = data.find((each) => each.kind === kind && each.name === name);
    assert.ok(item, `${kind} ${name} in ${JSON.stringify(data.map((each) => [each.kind, each.name]))}`);
    return item;
  };
  const team = found('team', 'LA Lakerz');
  assert.deepEqual([team.reason, team.league, team.times, team.sportsbooks], ['unknown', 'nba', 3, ['draftkings']]);
  const alias = { id: 'lakers', aliases: ['LA Lakerz'] };
  assert.deepEqual([team.overlay_file, team.candidates[0]!.overlay], ['teams/nba.overlay.json', alias]);
  assert.equal(found('league', 'nbaa').candidates[0]!.id, 'nba');
  assert.deepEqual(found('sportsbook', 'draftking').candidates[0]!.overlay, {
    id: 'draftkings',
    aliases: ['draftking'],
  });
  const start = found('time', 'tomorrow');
  assert.deepEqual(
    [start.reason, start.why, start.sportsbooks],
    ['refused', 'missing or not an RFC 3339 time', ['fanduel']],
  );
  assert.equal(data.filter(({ kind, reason }) => kind === 'price' && reason === 'refused').length, 1);
  assert.deepEqual(
    [found('team', 'Los Angeles Lakres').reason, found('team', 'Los Angeles Lakres').sportsbooks],
    ['unlisted', ['kalshi']],
  );
  const apart = data.filter(({ reason }) => reason === 'apart').sort((a, b) => (a.name < b.name ? -1 : 1));
  assert.deepEqual(
    apart.map(({ kind, name, sportsbooks, candidates }) => [
      kind,
      name,
      sportsbooks,
      candidates.map((each) => each.name),
    ]),
    [
      ['time', '2026-11-21T13:00:00.000Z', ['pinnacle'], ['2026-11-21T01:00:00.000Z']],
      ['player', 'K. Durant', ['betmgm'], ['Kevin Durant']],
      ['player', 'Kevin Durant', ['caesars'], ['K. Durant']],
    ],
    'a book that lists both means two players',
  );
  assert.equal(meta.by_kind['team'], 3);
  const form = async (query: string) => (await made.fetch(`/ingest/unmatched?${query}&limit=all`, { key })).text();
  const lines = (await form('format=ndjson')).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    data,
  );
  const table = parse(await form('format=csv&kind=team'), { columns: true }) as Record<string, string>[];
  assert.deepEqual(
    table.map(({ name, sportsbooks }) => [name, sportsbooks]),
    data.filter(({ kind }) => kind === 'team').map(({ name, sportsbooks }) => [name, sportsbooks.join(';')]),
  );
  assert.deepEqual(JSON.parse(table.find(({ name }) => name === 'LA Lakerz')!['candidates']!), team.candidates);
  assert.deepEqual(
    (await list('?kind=league&limit=1')).data.map(({ name }) => name),
    ['nbaa'],
  );
  assert.ok(
    data.every(({ times }, i) => i === 0 || times <= data[i - 1]!.times),
    'the most frequent first',
  );
  const metrics = await made.server.metricsText();
  assert.match(metrics, /overround_ingest_left_out_total\{reason="refused",kind="time"\} 1/);
  assert.match(metrics, /overround_ingest_left_out_total\{reason="unlisted",kind="team"\} 1/);

  for (const [other, status] of [
    [made.key('enterprise'), 403],
    [undefined, 401],
  ] as const)
    assert.equal((await made.fetch('/ingest/unmatched', { key: other })).status, status);

  // The entry joins the name to its team.
  const folder = newFolder('overround-overlay-');
  const file = join(folder, team.overlay_file!);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify([team.candidates[0]!.overlay]));
  assert.equal(loadCatalogue(folder).resolveTeam('nba', 'LA Lakerz').token, 'lakers');
});

test("women, youth and reserves are no misspelling of a club's first team", async (t) => {
  const made = await api(t);
  const key = made.key('enterprise', { scopes: ['ingest'] });
  const marks = ['Chelsea (W)', 'Chelsea W', 'Chelsea U21', 'Chelsea U-19', 'Chelsea II', 'Chelsea B', 'Chelsea Women'];
  const soccer = marks.map((home_team) => game({ league: 'epl', home_team, away_team: 'Arsenal' }));
  const typo = game({ league: 'epl', home_team: 'Chelsae', away_team: 'Arsenal' });
  const summer = game({ home_team: 'Boston Celtics (SL)', away_team: 'Miami Heat' });
  await made.server.engine.ingest([poll('fanduel', ...soccer, typo, summer)]);
  const answer = await made.fetch('/ingest/unmatched?limit=200', { key });
  const { data } = (await answer.json()) as { data: UnmatchedItem[] };
  const idsOf = (name: string) => data.find((each) => each.name === name)?.candidates.map(({ id }) => id);
  for (const name of [...marks, 'Boston Celtics (SL)']) assert.deepEqual(idsOf(name), [], name);
  assert.deepEqual(idsOf('Chelsae'), ['chelsea']);
});

test('a game a day beside one of the same teams is told, also once that one has ended', async (t) => {
  const made = await api(t);
  const key = made.key('enterprise', { scopes: ['ingest'] });
  const knicks = { home_team: 'New York Knicks', away_team: 'Orlando Magic' };
  const late = { ...knicks, start_time: '2026-11-21T17:00:00Z' };
  const played = { ...knicks, start_time: '2026-11-20T17:00:00Z' };
  const ended = { ...played, is_live: true, status: 'ended', game_state: { home_score: 100, away_score: 90 } };
  const { engine } = made.server;
  const apart = async (): Promise<string[]> => {
    const answer = await made.fetch('/ingest/unmatched', { key });
    const { data } = (await answer.json()) as { data: UnmatchedItem[] };
    return data.filter(({ reason }) => reason === 'apart').map(({ name }) => name);
  };
  await engine.ingest([poll('polymarket', game(late)), poll('pinnacle', game(played)), poll('caesars', game(played))]);
  assert.deepEqual(await apart(), ['2026-11-21T17:00:00.000Z']);
  await engine.ingest([poll('pinnacle', game(ended)), poll('caesars', game(ended))]);
  assert.deepEqual(await apart(), ['2026-11-21T17:00:00.000Z']);
});

test('a game of thousands of players is not compared name by name to its end', async (t) => {
  const made = await api(t);
  const key = made.key('enterprise', { scopes: ['ingest'] });
  const letters = (i: number): string =>
    i.toString(26).replaceAll(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
  const names = (surname: string) => Array.from({ length: 3_000 }, (_, i) => `${letters(i * 7_919)} ${surname}`);
  const suns = { home_team: 'Phoenix Suns', away_team: 'Utah Jazz' };
  const first = poll('caesars', event(props('Devin Booker', ...names('Abcdefgh')), suns as never));
  await made.server.engine.ingest([
    first,
    poll('betmgm', event(props('Deven Booker', ...names('Stuvwxyz')), suns as never)),
  ]);
  const begun = process.cpuUsage();
  const answer = await made.fetch('/ingest/unmatched?kind=player', { key });
  const { data } = (await answer.json()) as { data: UnmatchedItem[] };
  assert.ok(process.cpuUsage(begun).user < 2_000_000, 'two seconds of CPU');
  assert.ok(
    data.some(({ name }) => name === 'Devin Booker'),
    'the first ones are',
  );
});

test('others are answered while a thousand names are compared with those of a large league', async (t) => {
  const made = await api(t);
  const key = made.key('enterprise', { scopes: ['ingest'] });
  const games = Array.from({ length: 500 }, (_, i) =>
    game({ league: 'ncaab', home_team: `${i} Abcdefgh Ijkl`, away_team: `${i} Mnopqrst Uvwx` }),
  );
  await made.server.engine.ingest([poll('fanduel', ...games)]);
  const order: string[] = [];
  const ask = async (path: string): Promise<void> => {
    await (await made.fetch(path, { key })).text();
    order.push(path);
  };
  await ask('/tiers');
  await Promise.all([ask('/ingest/unmatched?limit=1'), ask('/tiers')]);
  assert.deepEqual(order.slice(1), ['/tiers', '/ingest/unmatched?limit=1']);
});

test('a team with thousands of games is not compared game by game', async (t) => {
  const made = await api(t);
  const key = made.key('enterprise', { scopes: ['ingest'] });
  const at = (i: number): string => new Date(Date.parse(NOW) + i * 60_000).toISOString();
  for (let from = 0; from < 8_000; from += 2_000) {
    const games = Array.from({ length: 2_000 }, (_, i) =>
      game({ away_team: `Visitor ${from + i}`, start_time: at(from + i) }),
    );
    await made.server.engine.ingest([poll('fanduel', ...games)]);
  }
  const user = async (): Promise<number> => {
    const begun = process.cpuUsage();
    await (await made.fetch('/ingest/unmatched?limit=1', { key })).text();
    return process.cpuUsage(begun).user;
  };
  await user();
  assert.ok((await user()) < 1_000_000, 'a second of CPU');
});

test('what is noted has a bound, and what comes again stays', () => {
  let now = 0;
  const notes = new UnmatchedNotes(() => ++now);
  const { max } = LIMITS.unmatchedEntries;
  for (let i = 0; i < max + 10; i++) {
    notes.named('unknown', 'team', `team ${i}`, 'nba', `book${i}`);
    notes.named('unknown', 'team', 'again', 'nba', `book${i}`);
  }
  const again = notes.list().find(({ name }) => name === 'again')!;
  assert.deepEqual([notes.list().length, again.times, again.books.length], [max, max + 10, LIMITS.unmatchedBooks.max]);
  assert.equal(notes.counts.unknown.team, 2 * (max + 10));
  notes.refused(
    [null, { book: 7 }],
    [
      { path: '[1].events[0].home_team', reason: 'x' },
      { path: '[9].book', reason: 'y' },
      { path: '', reason: 'z' },
    ],
  );
  assert.deepEqual([notes.counts.refused.team, notes.counts.refused.sportsbook, notes.counts.refused.other], [1, 1, 1]);
});
