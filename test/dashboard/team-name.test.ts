import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortTeam } from '../../dashboard/model/team-name.js';
import { eventId } from '../../src/base/model/identity.js';
import { loadCatalogue } from '../../src/rules/catalogue/load.js';

test('a team is called by the part of its name that its game has in its id', () => {
  for (const [name, id, side, short] of [
    ['Baltimore Orioles', 'mlb_orioles_red-sox_2026-11-29', 'home', 'Orioles'],
    ['Boston Red Sox', 'mlb_orioles_red-sox_2026-11-29', 'away', 'Red Sox'],
    ['St. Louis Cardinals', 'mlb-preseason_cardinals_mets_2026-11-29_g2', 'home', 'Cardinals'],
    ['Charleston Southern Buccaneers', 'ncaaf_charleston-southern_vmi_2026-11-29', 'home', 'Charleston Southern'],
    ['FC Bayern München', 'bundesliga_bayern-munchen_mainz_2026-11-29', 'home', 'Bayern München'],
    ['Texas A&M Aggies', 'ncaaf_texas_texas-am_2026-11-29', 'away', 'Texas A&M Aggies'],
    ['Arsenal', 'epl_arsenal_chelsea_2026-11-29', 'home', 'Arsenal'],
    ['Félix Auger-Aliassime', 'atp_felix-auger-aliassime_sinner_2026-11-29', 'home', 'Félix Auger-Aliassime'],
  ] as const)
    assert.equal(shortTeam(name, id, side), short);
});

test('two teams of a game are never called the same', () => {
  const catalogue = loadCatalogue();
  for (const league of ['nba', 'nfl', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'epl', 'mls']) {
    const teams = catalogue.teams(league);
    for (const [i, home] of teams.entries()) {
      const away = teams[(i + 1) % teams.length]!;
      const id = eventId(league, home.id, away.id, '2026-11-29', 1);
      assert.notEqual(shortTeam(home.name, id, 'home'), shortTeam(away.name, id, 'away'), id);
    }
  }
});
