// Books' names of periods, and their place in the game.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playedPart, playedShare } from '../../../src/base/model/game-progress.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';

/** By sport (or league), in the order of the game; names in one entry mean the same period. */
const COURSES: Record<string, string[][]> = {
  nba: [
    ['Pregame', 'Not Started', 'Scheduled'],
    ['Q1', '1Q', '1st Quarter', '1', '1st', 'First Quarter', 'Qtr 1', '1st Half', '1H', 'H1'],
    ['End of 1st', 'Q1 end', 'End Q1', 'End of 1st Quarter', '1st Quarter Break'],
    ['Q2', '2', '2nd Quarter', '2nd Qtr 5:32', '11:04 Q2'],
    ['Halftime', 'Half Time', 'HT', 'End of 2nd', 'half-time'],
    ['Q3', '3rd', '2nd Half', 'H2', '2H'],
    ['End of 3rd', 'End 3Q'],
    ['Q4', '4th Quarter'],
    ['End of 4th', 'End of Regulation', 'Q4 end'],
    ['OT', 'OT1', '1OT', 'Overtime', '1st OT', '1st Overtime', '5th Quarter', '5'],
    ['End of OT', 'End OT1'],
    ['2OT', 'OT2', 'Double OT', '2nd OT', 'Double Overtime'],
    ['3OT', 'Triple OT'],
    ['Final', 'F', 'Final/OT', 'F/2OT', 'Finished', 'Ended', 'FINAL', 'Completed', 'Game Over', 'After OT'],
  ],
  ncaab: [
    ['H1', '1st Half', '1', '1st'],
    ['Halftime', 'End of 1st', 'HT', 'End of 1st Half'],
    ['H2', '2nd Half', '2'],
    ['End of 2nd', 'End of Regulation'],
    ['OT', '3', '1OT'],
    ['2OT', '4'],
    ['Final'],
  ],
  nfl: [
    ['Q1', '1st'],
    ['End of 1st'],
    ['Q2', '2nd'],
    ['Halftime', 'HT'],
    ['Q3'],
    ['End of 3rd'],
    ['Q4'],
    ['OT', 'Overtime'],
    ['Final', 'Final/OT', 'F/OT'],
  ],
  mlb: [
    ['Pre-Game', 'Warmup'],
    ['Top 1st', 'Top 1', 'T1', '1', '1st Inning', 'Top of the 1st', '▲1'],
    ['Mid 1st', 'Middle of the 1st', 'Middle 1'],
    ['Bot 1st', 'Bottom 1', 'B1', 'Bottom of 1st', '▼1'],
    ['End 1st', 'End of 1st'],
    ['Top 2nd'],
    ['Top 7th', '7th Inning', 'Top 7'],
    ['Bot 7th', 'Bottom 7'],
    ['Top 9th', '9'],
    ['Bot 9th'],
    ['Top 10th', '10th Inning', 'Extra Innings', 'Extra'],
    ['Bot 10th'],
    ['Top 12th'],
    ['Final', 'Final/10', 'F/12'],
  ],
  nhl: [
    ['P1', '1st Period', '1', '1st', 'First Period'],
    ['End of 1st', '1st Intermission', 'Intermission 1', '1st INT', 'P1 end'],
    ['P2', '2nd Period', '2nd'],
    ['2nd Intermission', 'End of 2nd'],
    ['P3', '3rd Period'],
    ['End of 3rd', 'End of Regulation'],
    ['OT', 'Overtime', 'P4', '4th Period'],
    ['2OT', 'OT2'],
    ['SO', 'Shootout', 'Shoot-out', 'Shoot Out'],
    ['Final', 'Final/OT', 'Final/SO', 'Final (SO)', 'F/SO', 'AOT'],
  ],
  soccer: [
    ['NS', 'Not started', 'Pre-match'],
    ['1H', 'H1', '1st Half', 'First Half', '1'],
    ["23'", '23', "1st Half - 23'", '23 min'],
    ["45'", '45'],
    ["45+2'", '45+2'],
    ['HT', 'Half Time', 'Halftime', '1st half ended'],
    ['2H', 'H2', '2nd Half', "46'"],
    ["67'", '67'],
    ["90'", '90'],
    ["90+3'", '90+5'],
    ['End of 2nd Half', 'End of regulation'],
    ['ET', 'ET1', '1st Extra Time', 'Extra Time', "91'", 'Extra Time 1st Half', '3rd Period'],
    ['ET HT', 'Extra Time Half Time', 'End of ET1'],
    ['ET2', 'Extra Time 2nd Half', '2nd Extra', "106'"],
    ['Penalties', 'PEN', 'Pens', 'Penalty Shootout', 'Penalty Kicks'],
    ['FT', 'Full Time', 'Fulltime', 'AET', 'FT/Pens', 'After Penalties', 'After ET', 'Final'],
  ],
  tennis: [
    ['Set 1', '1st Set', 'S1', '1'],
    ['Set 2', '2nd Set', 'Set 2 3-1'],
    ['Set 3', '3rd set'],
    ['Set 5'],
    ['Final', 'Finished'],
  ],
  volleyball: [['Set 1'], ['End of Set 1'], ['Set 2', '2'], ['Set 5'], ['Final']],
  table_tennis: [['Set 1', '1st set'], ['Set 7'], ['Finished']],
  badminton: [['Set 1', '1st set'], ['Set 3'], ['Finished']],
  cs2: [['Map 1', '1st map', '1'], ['End of Map 1'], ['Map 2', '2nd Map'], ['Map 3'], ['Finished']],
  lol: [['Map 1', '1'], ['Map 2'], ['Map 5'], ['Finished']],
  dota2: [['Map 1'], ['Map 2'], ['Map 3'], ['Final']],
  valorant: [['Map 1'], ['End of Map 2'], ['Map 3'], ['Final']],
  mma: [['R1', 'Round 1', '1st Round', 'Rd 1'], ['End of Round 1', 'End R1'], ['R2', '2'], ['R5'], ['Final']],
  boxing: [['Round 1'], ['R7', 'Round 7'], ['Round 12'], ['Final', 'Finished']],
  golf: [['Round 1', 'R1'], ['R4', '4th Round'], ['Playoff'], ['Final']],
  cricket: [
    ['1st Innings', 'Innings 1'],
    ['Innings break 1', '1st innings break'],
    ['2nd Innings', '2nd Inn'],
    ['4th Innings'],
    ['Super Over'],
    ['Final', 'Finished'],
  ],
  rugby: [
    ['1st Half', 'H1', '1'],
    ["33'"],
    ['HT', 'Half-time'],
    ['2nd Half', "41'"],
    ["80'"],
    ['ET', 'Extra Time'],
    ['FT', 'Full time'],
  ],
  aussie_rules: [
    ['Q1'],
    ['QT', 'Quarter Time', 'End of 1st'],
    ['Q2'],
    ['HT'],
    ['Q3'],
    ['3QT', 'End of 3rd'],
    ['Q4'],
    ['Final', 'FT'],
  ],
  lacrosse: [['Q1', '1'], ['Halftime'], ['Q3'], ['Q4'], ['OT', '1OT'], ['Final']],
  handball: [['1st Half', '1'], ['HT'], ['2nd Half', "31'"], ['OT'], ['Penalties'], ['FT', 'Final']],
  other: [['1'], ['2'], ['3'], ['OT'], ['Final']],
};

const catalogue = loadCatalogue();

test('periods of every sport are in the order of the game, whatever a book calls them', () => {
  for (const { id } of catalogue.sports)
    assert.ok(
      Object.keys(COURSES).some((name) => name === id || catalogue.league(name)?.sport === id),
      id,
    );
  for (const [name, course] of Object.entries(COURSES)) {
    const sport = catalogue.league(name)?.sport ?? name;
    let before = Number.NEGATIVE_INFINITY;
    for (const names of course) {
      const places = names.map((period) => playedPart(sport, name, period)?.from);
      for (const [i, place] of places.entries()) {
        assert.ok(place !== undefined, `${name}: ${names[i]}`);
        assert.ok(place > before, `${name}: ${names[i]} at ${place}, not behind ${before}`);
        assert.ok(Math.abs(place - places[0]!) < 1e-9, `${name}: ${names[i]} at ${place}, ${names[0]} at ${places[0]}`);
      }
      before = Math.max(...(places as number[]));
    }
  }
});

test('a period is the part of the game that its name says, a pause has no length', () => {
  assert.deepEqual(playedPart('basketball', 'nba', 'Q3'), { from: 0.5, to: 0.75 });
  assert.deepEqual(playedPart('hockey', 'nhl', '3rd Period'), { from: 2 / 3, to: 1 });
  assert.deepEqual(playedPart('baseball', 'mlb', 'Bottom 5'), { from: 4.5 / 9, to: 5 / 9 });
  const pause = playedPart('football', 'nfl', 'Halftime')!;
  assert.ok(pause.to === 0.5 && pause.from > 0.4999);
});

test('names without a known place in the game are not guessed', () => {
  for (const [sport, name] of [
    ['basketball', 'Live'],
    ['basketball', ''],
    ['hockey', 'Intermission'],
    ['soccer', '3'],
    ['cricket', 'Over 14.3'],
    ['cricket', 'Stumps'],
    ['tennis', '6-4 3-2'],
    ['baseball', 'Delayed'],
    ['football', 'Suspended'],
    ['basketball', 'Q0'],
  ] as const)
    assert.equal(playedPart(sport, '', name), undefined, `${sport}: ${name}`);
});

test('period and clock show how much is played; without a clock the beginning of the period counts', () => {
  for (const [sport, league, period, clock, share] of [
    ['basketball', 'nba', 'Q1', '12:00', 0],
    ['basketball', 'nba', 'Q3', '6:00', 0.625],
    ['basketball', 'nba', 'Q4', '0:00', 1],
    ['basketball', 'nba', 'Q4', '36.0', 1 - 0.05 / 4],
    ['basketball', 'nba', 'Q2', null, 0.25],
    ['basketball', 'nba', 'Q2', '13:00', 0.25],
    ['basketball', 'nba', '2nd Half', '6:00', 0.5],
    ['basketball', 'ncaab', '2nd Half', '5:00', 0.875],
    ['basketball', 'wnba', 'Q1', '5:00', 0.125],
    ['basketball', 'nba', 'Halftime', '0:00', 0.5],
    ['basketball', 'nba', 'End of 3rd', '12:00', 0.75],
    ['football', 'nfl', 'Q2', '7:30', 0.375],
    ['hockey', 'nhl', 'P3', '10:00', 2.5 / 3],
    // Some leagues' clocks count up.
    ['hockey', 'shl', 'P3', '5:00', 2 / 3],
    ['soccer', 'epl', '1st Half', '27:00', 0.3],
    ['soccer', 'epl', 'H1', '45+3', 0],
    ['soccer', 'epl', 'H1', "45+3'", 0.5],
    ['soccer', 'epl', 'H2', '60:00', 60 / 90],
    ['soccer', 'epl', 'H2', '15:00', 60 / 90],
    ['soccer', 'epl', 'H2', '94:10', 1],
    ['soccer', 'epl', "60'", null, 59 / 90],
    ['baseball', 'mlb', 'Top 7', null, 6 / 9],
    ['baseball', 'mlb', 'Bot 7th', null, 6.5 / 9],
    ['basketball', 'nba', 'OT', '5:00', undefined],
    ['basketball', 'nba', 'Final', null, undefined],
    ['basketball', 'nba', 'Pregame', '12:00', undefined],
    ['baseball', 'mlb', 'Top 10', null, undefined],
    ['basketball', 'nba', null, '5:00', undefined],
  ] as const) {
    const played = playedShare(sport, league, { period, clock });
    const words = `${league} ${period} ${clock}: ${played}`;
    assert.ok(share === undefined ? played === undefined : Math.abs(played! - share) < 1e-5, words);
  }
});
