// Which league and question a series is of, by its ticker.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addEvent, type ListedGame } from '../../../../src/intake/feeds/kalshi/read-events.js';
import { seriesOf } from '../../../../src/intake/feeds/kalshi/series.js';
import { VenueTeams } from '../../../../src/intake/feeds/kit/teams.js';
import { leaguesOf } from '../../../../src/intake/feeds/polymarket/gamma.js';
import { loadCatalogue } from '../../../../src/rules/catalogue/load.js';

const catalogue = loadCatalogue();

test('a series is of the league of its longest known name', () => {
  const tickers: Record<string, [league: string, kind: string]> = {
    KXLALIGAGAME: ['la-liga', 'winner'],
    KXLALIGA2GAME: ['la-liga-2', 'winner'],
    KXBUNDESLIGA2GAME: ['2-bundesliga', 'winner'],
    KXEFLCHAMPIONSHIPTOTAL: ['efl-championship', 'total'],
    KXUECLGAME: ['uecl', 'winner'],
    KXUCLGAME: ['ucl', 'winner'],
    KXLOLGAME: ['lol', 'winner'],
    KXCSGOGAME: ['cs2', 'winner'],
    KXLOLMAP: ['lol', 'other'],
  };
  for (const [ticker, [league, kind]] of Object.entries(tickers))
    assert.deepEqual(seriesOf([ticker]), [{ ticker, league, kind }], ticker);
  assert.throws(() => seriesOf(['KXCURLINGGAME']), /unknown league/);
});

test('a title with "at" says who is at home, in soccer too', () => {
  const [series] = seriesOf(['KXEPLGAME']);
  const teams = new VenueTeams(catalogue);
  for (const [title, home] of [
    ['Arsenal vs Chelsea', 'arsenal'],
    ['Arsenal at Chelsea', 'chelsea'],
  ] as const) {
    const games = new Map<string, ListedGame>();
    const markets = ['Arsenal', 'Chelsea', 'Tie'].map((yes_sub_title) => ({
      ticker: `KXEPLGAME-X-${yes_sub_title.slice(0, 3).toUpperCase()}`,
      yes_sub_title,
    }));
    addEvent({ event_ticker: 'KXEPLGAME-X', title, markets }, series!, () => 'soccer', teams, games);
    assert.deepEqual(
      [...games.values()].map((game) => game.home.token),
      [home],
      title,
    );
  }
});

test('every league of a venue has its teams in the catalogue', () => {
  for (const { league } of leaguesOf([])) assert.ok(catalogue.teams(league).length >= 10, league);
  for (const code of ['KXSUPERLIGGAME', 'KXBELGIANPLGAME', 'KXSERIEBGAME', 'KXVALORANTGAME', 'KXDOTA2GAME'])
    for (const { league } of seriesOf([code])) assert.ok(catalogue.teams(league).length >= 10, league);
});

test('a venue has a game of a team that an open league does not list, and none of one that a closed league does not', () => {
  const teams = new VenueTeams(catalogue);
  for (const league of ['fa-cup', 'uecl', 'cs2', 'la-liga-2', 'odi'])
    assert.equal(teams.find(league, 'Somebody New')?.token, 'somebody-new', league);
  for (const league of ['nba', 'epl', 'mlb']) assert.equal(teams.find(league, 'Somebody New'), undefined, league);
});
