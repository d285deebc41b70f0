// Worlds of matches in sets, played out or broken off at any point, at books of different rules: every bet returns what a
// second reading of the rules says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { GameResult } from '../../../src/base/model/result.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { type Grade, gradeBet } from '../../../src/rules/grading/grade.js';
import { returnsOf } from '../../../src/rules/grading/returns.js';
import { FORMATS, RETIREMENTS, returnOf, type SetsBet, type SetsMatch, setScores } from './broken-off.js';

const { types, houseRules } = loadCatalogue();
const DECIMAL = 2.5;
const LEAGUES = { tennis: 'atp', volleyball: '', table_tennis: '', badminton: '' } as const;

/** Numbers from which a match is drawn: which of the scores that are possible each set has, and where it stops. */
const drawn = fc.record({
  sport: fc.constantFrom('tennis' as const, 'volleyball' as const, 'table_tennis' as const, 'badminton' as const),
  format: fc.nat(5),
  scores: fc.array(fc.nat(200), { minLength: 7, maxLength: 7 }),
  stop: fc.nat(9),
  inside: fc.tuple(fc.double({ min: 0, max: 0.99, noNaN: true }), fc.double({ min: 0, max: 0.99, noNaN: true })),
  ended: fc.constantFrom('retired' as const, 'disqualified' as const, 'walkover' as const),
  onward: fc.constantFrom('home' as const, 'away' as const),
});

function matchOf({
  sport,
  format,
  scores,
  stop,
  inside,
  ended,
  onward,
}: typeof drawn extends fc.Arbitrary<infer T> ? T : never): SetsMatch {
  const needed = FORMATS[sport][format % FORMATS[sport].length]!;
  const sets: SetsMatch['sets'] = [];
  const won = [0, 0];
  for (const place of scores) {
    const possible = setScores(sport, sets.length + 1).filter(([home, away]) => home < 40 && away < 40);
    const [home, away] = possible[place % possible.length]!;
    if (sets.length === stop) {
      // One point or game short of its end at most.
      const current: [number, number] = [Math.floor(home * inside[0]), Math.floor(away * inside[1])];
      // A set that goes on has nobody who has won it.
      const to = setScores(sport, sets.length + 1)[0]![0];
      current[0] = Math.min(current[0], Math.max(to - 1, current[1] + (sport === 'tennis' ? 0 : 1)));
      current[1] = Math.min(current[1], Math.max(to - 1, current[0] + (sport === 'tennis' ? 0 : 1)));
      if (stop === 0 && current[0] + current[1] === 0) current[0] = 1;
      return { sport, sets, current: current[0] + current[1] === 0 ? null : current, ended, onward };
    }
    sets.push([home, away]);
    won[home > away ? 0 : 1]!++;
    if (Math.max(...won) === needed) break;
  }
  return { sport, sets, current: null, ended: 'normal', onward: won[0]! > won[1]! ? 'home' : 'away' };
}

function toldOf({ sets, current, ended, onward }: SetsMatch): GameResult {
  const all = current === null ? sets : [...sets, current];
  const parts = all.map(([home, away], i) => ({ part: `set_${i + 1}`, home, away, final: false }));
  const won = (side: 0 | 1) => sets.filter((score) => score[side] > score[1 - side]!).length;
  const score = { home: won(0), away: won(1) };
  return { status: 'final', score, parts, regulation: null, stats: {}, players: {}, ended, winner: onward };
}

function betsOf(
  { sport }: SetsMatch,
  line: number,
): { type: string; bet: Omit<SetsBet, 'selection'>; sides: readonly SetsBet['selection'][] }[] {
  const teams = ['home', 'away'] as const;
  const count = ['over', 'under'] as const;
  const games = sport === 'tennis';
  const half = Math.floor(line / 8) + 0.5;
  return [
    { type: 'moneyline', bet: { about: 'winner', set: 0, line }, sides: teams },
    { type: 'total_sets', bet: { about: 'sets', set: 0, line: half }, sides: count },
    { type: 'set_handicap', bet: { about: 'sets_lead', set: 0, line: half - 3 }, sides: teams },
    { type: games ? 'total_games' : 'total_points', bet: { about: 'units', set: 0, line }, sides: count },
    { type: 'point_spread', bet: { about: 'units_lead', set: 0, line: line - 20 }, sides: teams },
    ...[1, 2, 3, 5].flatMap((set) => [
      { type: `moneyline_set_${set}`, bet: { about: 'set_winner', set, line } as const, sides: teams },
      {
        type: `${games ? 'total_games' : 'total_points'}_set_${set}`,
        bet: { about: 'set_units', set, line: Math.floor(line) / 2 } as const,
        sides: count,
      },
    ]),
  ];
}

test('whatever a match in sets came to, its bets return what the rules of their book say', () => {
  const seen = { decided: 0, open: 0 };
  fc.assert(
    fc.property(
      drawn,
      fc.integer({ min: 0, max: 240 }),
      fc.constantFrom(...Object.keys(RETIREMENTS)),
      (draw, twice, book) => {
        const match = matchOf(draw);
        const { sport } = match;
        const told = toldOf(match);
        const league = LEAGUES[sport];
        for (const { type, bet, sides } of betsOf(match, twice / 2))
          for (const selection of sides) {
            const due = returnOf(match, { ...bet, selection }, book, DECIMAL);
            const question = {
              rules: types.of(type, sport, league),
              sport,
              selection,
              line: bet.line,
              team: null,
              player: null,
              threeWay: false,
              house: houseRules.of(book, sport, league),
            };
            const grade = gradeBet(question, told, false);
            const what = `${type} ${selection} ${bet.line} at ${book} of ${JSON.stringify(match)}: ${grade.result} ${grade.reason}`;
            // A set that a match did not come to.
            if (Number.isNaN(due)) {
              assert.ok(grade.result === 'pending' || grade.result === 'void', what);
              continue;
            }
            assert.equal(returnsOf(grade, DECIMAL, 1).return_units, due, what);
            if (match.ended !== 'normal') seen[grade.result === 'void' ? 'open' : 'decided']++;
          }
      },
    ),
    { numRuns: 200, includeErrorInReport: true },
  );
  assert.ok(seen.decided > 100 && seen.open > 100, JSON.stringify(seen));
});

test('sets that are not told leave bets pending where the score says that they were played', () => {
  const seen = { same: 0, pending: 0 };
  fc.assert(
    fc.property(
      drawn,
      fc.integer({ min: 0, max: 240 }),
      fc.constantFrom(...Object.keys(RETIREMENTS)),
      fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
      (draw, twice, book, drop) => {
        const match = matchOf(draw);
        const { sport } = match;
        const told = toldOf(match);
        // What goes on when it is broken off is told by nothing else.
        const less = { ...told, parts: told.parts.filter((_, i) => !drop[i] || i >= match.sets.length) };
        const league = LEAGUES[sport];
        for (const { type, bet, sides } of betsOf(match, twice / 2))
          for (const selection of sides) {
            const question = {
              rules: types.of(type, sport, league),
              sport,
              selection,
              line: bet.line,
              team: null,
              player: null,
              threeWay: false,
              house: houseRules.of(book, sport, league),
            };
            const [whole, part] = [told, less].map((result) => gradeBet(question, result, false)) as [Grade, Grade];
            const what = `${type} ${selection} ${bet.line} at ${book} of ${JSON.stringify(less)}`;
            if (part.result !== 'pending') assert.deepEqual(part, whole, what);
            seen[part.result === 'pending' ? 'pending' : 'same']++;
          }
      },
    ),
    { numRuns: 200, includeErrorInReport: true },
  );
  assert.ok(seen.same > 1_000 && seen.pending > 100, JSON.stringify(seen));
});
