// Seasons in the shape in which the files of the trade have them: what their own columns say of a game's end is what bets on
// it come to. Made up from seeds; the columns are those of football-data.co.uk, tennis-data.co.uk and Retrosheet's game logs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GameResult, PartScore } from '../../../src/base/model/result.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { gradeBet } from '../../../src/rules/grading/grade.js';

const { types, houseRules } = loadCatalogue();

/** Park and Miller's generator: the same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const part = (name: string, home: number, away: number): PartScore => ({ part: name, home, away, final: false });
const EMPTY: GameResult = { status: 'final', score: null, parts: [], regulation: null, stats: {}, players: {} };

function ends(sport: string, league: string, book: string, result: GameResult) {
  return (type: string, selection: string, line: number | null = null, threeWay = false): string =>
    gradeBet(
      {
        rules: types.of(type, sport, league),
        sport,
        selection,
        line,
        team: null,
        player: null,
        threeWay,
        house: houseRules.of(book, sport, league),
      },
      result,
      false,
    ).result;
}

test('a season of soccer: FTR, HTR, goals and corners', () => {
  const next = numbers(7);
  for (let game = 0; game < 380; game++) {
    const [HTHG, HTAG, second, third] = [next(3), next(3), next(3), next(3)];
    const [FTHG, FTAG, HC, AC] = [HTHG + second, HTAG + third, next(12), next(12)];
    const letter = (home: number, away: number) => (home > away ? 'H' : home < away ? 'A' : 'D');
    const [FTR, HTR] = [letter(FTHG, FTAG), letter(HTHG, HTAG)];
    const said = ends('soccer', 'epl', 'pinnacle', {
      ...EMPTY,
      score: { home: FTHG, away: FTAG },
      parts: [part('h1', HTHG, HTAG)],
      stats: { corners: { home: HC, away: AC } },
    });
    for (const [side, name] of [
      ['H', 'home'],
      ['D', 'draw'],
      ['A', 'away'],
    ] as const) {
      // biome-ignore format: one list
      assert.equal(said('moneyline', name), FTR === side ? 'won' : 'lost');
      assert.equal(said('moneyline_h1', name), HTR === side ? 'won' : 'lost');
    }
    assert.equal(said('draw_no_bet', 'home'), FTR === 'D' ? 'push' : FTR === 'H' ? 'won' : 'lost');
    assert.equal(said('double_chance', 'draw_or_away'), FTR === 'H' ? 'lost' : 'won');
    assert.equal(said('total_goals', 'over', 2.5), FTHG + FTAG > 2.5 ? 'won' : 'lost');
    assert.equal(said('total_corners', 'under', 10.5), HC + AC < 10.5 ? 'won' : 'lost');
    const lead = FTHG - FTAG;
    assert.equal(said('point_spread', 'home', -0.25), lead > 0 ? 'won' : lead === 0 ? 'half_lost' : 'lost');
    assert.equal(said('half_time_full_time', `${NAME[HTR]}/${NAME[FTR]}`), 'won');
  }
});

const NAME: Readonly<Record<string, string>> = { H: 'home', D: 'draw', A: 'away' };

test('a season of tennis: Winner, sets and Comment, at books of three rules', () => {
  const next = numbers(11);
  const seen = new Map<string, number>();
  for (let match = 0; match < 600; match++) {
    const winnerIsHome = next(2) === 0;
    const Comment = ['Completed', 'Completed', 'Retired', 'Walkover'][next(4)]!;
    // W1-L1, W2-L2, W3-L3: of the winner's point of view.
    const sets: [number, number][] = Comment === 'Walkover' ? [] : [[6, next(5)], [7, 5 + next(2)]]; // biome-ignore format: one list
    if (Comment !== 'Walkover' && next(2) === 0) sets.splice(next(2), 0, [next(5), 6]);
    if (Comment === 'Retired') sets.splice(next(2), 9, [next(5), next(5)]);
    const complete = Comment === 'Retired' ? sets.length - 1 : sets.length;
    const parts = sets.map(([w, l], i) =>
      part(`set_${i + 1}`, ...((winnerIsHome ? [w, l] : [l, w]) as [number, number])),
    );
    const result: GameResult = {
      ...EMPTY,
      parts,
      winner: winnerIsHome ? 'home' : 'away',
      ended: Comment === 'Retired' ? 'retired' : Comment === 'Walkover' ? 'walkover' : 'normal',
    };
    const stands = (book: string) =>
      Comment === 'Completed' ||
      (Comment === 'Retired' && (book === 'bet365' || ((book === 'pinnacle' || book === 'betfair') && complete > 0)));
    for (const book of ['pinnacle', 'betfair', 'bet365', 'draftkings']) {
      const said = ends('tennis', 'atp', book, result);
      const [winner, loser] = winnerIsHome ? ['home', 'away'] : ['away', 'home'];
      assert.deepEqual(
        [said('moneyline', winner!), said('moneyline', loser!)],
        stands(book) ? ['won', 'lost'] : ['void', 'void'],
      );
      if (Comment === 'Completed') {
        const games = sets.reduce((sum, [w, l]) => sum + w + l, 0);
        assert.equal(said('total_games', 'over', 22.5), games > 22.5 ? 'won' : 'lost');
        assert.equal(said('total_sets', 'over', 2.5), sets.length > 2.5 ? 'won' : 'lost');
      } else if (Comment === 'Walkover') assert.equal(said('total_games', 'over', 22.5), 'void');
    }
    seen.set(Comment, (seen.get(Comment) ?? 0) + 1);
  }
  assert.equal(seen.size, 3);
});

test('a season of baseball: runs, line scores and the length in outs', () => {
  const next = numbers(13);
  let shortened = 0;
  for (let game = 0; game < 800; game++) {
    const LengthInOuts = [54, 51, 54, 51, 60, 30, 27, 24, 36, 33][next(10)]!;
    const innings = LengthInOuts / 6;
    const lines = Array.from({ length: Math.ceil(innings) }, () => [next(3), next(3)] as [number, number]);
    // The home side does not bat in the last half.
    if (!Number.isInteger(innings)) lines.at(-1)![0] = 0;
    const [home, away] = lines.reduce(([h, a], [runs, theirs]) => [h + runs, a + theirs], [0, 0]) as [number, number];
    const said = ends('baseball', 'mlb', 'pinnacle', {
      ...EMPTY,
      score: { home, away },
      innings,
      ...(LengthInOuts < 51 ? { ended: 'shortened' as const } : {}),
      parts: lines.map(([h, a], i) => part(`innings_${i + 1}_${i + 1}`, h, a)),
    });
    const full = LengthInOuts >= 54 || (LengthInOuts >= 51 && home > away);
    const five = LengthInOuts >= 30 || (LengthInOuts >= 27 && home > away);
    if (LengthInOuts < 51) shortened++;
    else if (!full) continue; // No game of 51 outs ends so.
    const winner = home > away ? 'won' : home < away ? 'lost' : 'push';
    assert.equal(said('moneyline', 'home'), five ? winner : 'void', `${LengthInOuts} ${home}-${away}`);
    const runs = home + away;
    assert.equal(said('total_runs', 'over', 8.5), full || runs > 8.5 ? (runs > 8.5 ? 'won' : 'lost') : 'void');
    const lead = home - away - 1.5;
    assert.equal(said('run_line', 'home', -1.5), full ? (lead > 0 ? 'won' : 'lost') : 'void');
    const first = lines.slice(0, 5).reduce((sum, [h, a]) => sum + h - a, 0);
    // Halfway through the fifth only the home side can still score.
    const told =
      innings >= 5 || (innings === 4.5 && first > 0) ? (first > 0 ? 'won' : first < 0 ? 'lost' : 'push') : 'void';
    assert.equal(said('moneyline_1st_5_innings', 'home'), told, `${LengthInOuts} ${JSON.stringify(lines)}`);
  }
  assert.ok(shortened > 200);
});
