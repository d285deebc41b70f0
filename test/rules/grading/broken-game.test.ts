// Worlds of games by the clock and by innings, at books of different rules: played, broken off, called early, put off.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { GameResult, PartScore } from '../../../src/base/model/result.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { type Grade, gradeBet } from '../../../src/rules/grading/grade.js';
import { returnsOf } from '../../../src/rules/grading/returns.js';
import { isTooLate, PERIODS, type Sport, type Story, storyReturn, tieAt } from './broken-game.js';
import type { TrueBet } from './second-grader.js';

const catalogue = loadCatalogue();
const { types, houseRules } = catalogue;
const DECIMAL = 2.5;
const BOOKS = ['draftkings', 'pinnacle', 'kalshi', 'polymarket', 'sportsbet', 'tab', 'betmgm', 'nobody'];
const NAMES: Readonly<Record<Sport, string>> = {
  football: 'q',
  basketball: 'q',
  hockey: 'p',
  soccer: 'h',
  baseball: 'innings',
  handball: 'h',
  rugby: 'h',
  aussie_rules: 'q',
  lacrosse: 'q',
};

const partName = (sport: Sport, i: number): string =>
  sport === 'baseball' ? `innings_${i + 1}_${i + 1}` : `${NAMES[sport]}${i + 1}`;

const points = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }));
const stories: fc.Arbitrary<Story> = fc
  .record({
    sport: fc.constantFrom(...(Object.keys(PERIODS) as Sport[])),
    scores: fc.array(points, { minLength: 9, maxLength: 9 }),
    level: fc.boolean(),
    extra: fc.option(points),
    stop: fc.option(fc.record({ at: fc.nat(9), complete: fc.boolean(), early: fc.boolean() })),
    halfLeft: fc.boolean(),
  })
  .map(({ sport, scores, level, extra, stop, halfLeft }): Story => {
    let periods = scores.slice(0, PERIODS[sport]);
    const lead = () => periods.reduce((sum, [home, away]) => sum + home - away, 0);
    if (level && lead() !== 0) {
      const [home, away] = periods.at(-1)!;
      periods = [...periods.slice(0, -1), lead() > 0 ? [home, away + lead()] : [home - lead(), away]];
    }
    const more = lead() === 0 && sport !== 'baseball' ? extra : null;
    if (stop === null) return { sport, periods, complete: true, extra: more, end: 'played', halfLeft: false };
    const { at, complete, early } = stop;
    // Broken off in what is played after regular time.
    if (more !== null && at >= PERIODS[sport])
      return { sport, periods, complete: true, extra: more, end: 'broken off', halfLeft: false };
    const begun = Math.min(at, PERIODS[sport] - 1) + 1;
    periods = periods.slice(0, begun);
    // The last period is cut short, else the game would be over.
    const whole = complete && (begun < PERIODS[sport] || sport === 'baseball');
    const leads = sport === 'baseball' && whole && lead() > 0 && halfLeft && periods.at(-1)![0] === 0;
    const end = sport === 'baseball' && early ? 'called early' : 'broken off';
    return { sport, periods, complete: whole, extra: null, end, halfLeft: leads };
  });

function toldOf({ sport, periods, complete, extra, end, halfLeft }: Story): GameResult {
  const sum = (list: readonly (readonly [number, number])[]) =>
    list.reduce((all, [home, away]) => ({ home: all.home + home, away: all.away + away }), { home: 0, away: 0 });
  const parts = periods.map(([home, away], i): PartScore => {
    const over = i < periods.length - 1 || complete;
    return {
      part: partName(sport, i),
      home,
      away,
      final: end !== 'played' && over && !(halfLeft && i === periods.length - 1),
    };
  });
  if (extra !== null)
    parts.push({ part: sport === 'soccer' ? 'et' : 'ot', home: extra[0], away: extra[1], final: false });
  const innings = complete ? periods.length - (halfLeft ? 0.5 : 0) : periods.length - 1;
  return {
    status: end === 'broken off' ? 'abandoned' : 'final',
    score: sum(extra === null ? periods : [...periods, extra]),
    parts,
    regulation: extra === null ? null : sum(periods),
    stats: {},
    players: {},
    ...(end === 'called early' ? { ended: 'shortened' as const } : {}),
    ...(sport === 'baseball' && end !== 'played' ? { innings } : {}),
  };
}

interface Market {
  type: string;
  about: Omit<TrueBet, 'selection' | 'line' | 'team'>;
  threeWay?: true;
  team?: true;
}

function marketsOf(sport: Sport, book: string): Market[] {
  const all = Array.from({ length: PERIODS[sport] }, (_, i) => i);
  const soccer = sport === 'soccer';
  const total = soccer ? 'total_goals' : 'total_points';
  const whole = { periods: all, extra: !soccer };
  const regular = { periods: all, extra: false };
  const list: Market[] = [
    { type: 'point_spread', about: { family: 'handicap', ...whole, tie: 'refund' } },
    { type: total, about: { family: 'total', ...whole, tie: 'refund' } },
    { type: 'team_total', about: { family: 'total', ...whole, tie: 'refund' }, team: true },
    { type: types.contract(total, 'kalshi'), about: { family: 'total', ...whole, tie: 'loses' } },
    { type: 'odd_even', about: { family: 'odd_even', ...whole, tie: 'refund' } },
    { type: 'correct_score', about: { family: 'correct_score', ...whole, tie: 'refund' } },
    { type: 'both_teams_to_score', about: { family: 'both_score', ...whole, tie: 'refund' } },
    { type: 'moneyline', about: { family: 'winner', ...regular, tie: 'third' }, threeWay: true },
    { type: 'double_chance', about: { family: 'double_chance', ...regular, tie: 'refund' } },
    { type: 'draw_no_bet', about: { family: 'winner', ...regular, tie: 'refund' } },
  ];
  if (!soccer) list.push({ type: 'moneyline', about: { family: 'winner', ...whole, tie: tieAt(book, sport) } });
  if (sport === 'baseball') {
    const five = { periods: [0, 1, 2, 3, 4], extra: false };
    list.push({ type: 'moneyline_1st_5_innings', about: { family: 'winner', ...five, tie: 'refund' } });
    list.push({ type: 'total_runs_1st_5_innings', about: { family: 'total', ...five, tie: 'refund' } });
  } else {
    const first = { periods: [0], extra: false };
    const part = partName(sport, 0);
    list.push({ type: `moneyline_${part}`, about: { family: 'winner', ...first, tie: soccer ? 'third' : 'refund' } });
    list.push({ type: `point_spread_${part}`, about: { family: 'handicap', ...first, tie: 'refund' } });
  }
  return list;
}

const SELECTIONS: Readonly<Record<TrueBet['family'], readonly string[]>> = {
  winner: ['home', 'away', 'draw'],
  handicap: ['home', 'away'],
  total: ['over', 'under'],
  odd_even: ['odd', 'even'],
  both_score: ['yes', 'no'],
  double_chance: ['home_or_draw', 'draw_or_away', 'home_or_away'],
  correct_score: ['0-0', '2-1', '1-2', '4-4'],
};

test('whatever a game came to, its bets return what the rules of their book say', () => {
  const seen = { decided: 0, open: 0, played: 0 };
  fc.assert(
    fc.property(stories, fc.integer({ min: -12, max: 60 }), fc.constantFrom(...BOOKS), (story, quarters, book) => {
      const { sport } = story;
      const told = toldOf(story);
      for (const { type, about, threeWay = false, team } of marketsOf(sport, book))
        for (const selection of SELECTIONS[about.family])
          for (const whose of team === true ? (['home', 'away'] as const) : [null]) {
            if (selection === 'draw' && about.tie !== 'third') continue;
            const { family } = about;
            const line = family === 'handicap' ? quarters / 4 : family === 'total' ? Math.abs(quarters) / 4 : null;
            const bet: TrueBet = { ...about, selection, line, team: whose };
            const question = {
              rules: types.of(type, sport),
              sport,
              selection,
              line,
              team: whose,
              player: null,
              threeWay,
              house: houseRules.of(book, sport, ''),
            };
            const grade = gradeBet(question, told, false);
            const what = `${type} ${selection} ${line} ${whose} at ${book} of ${JSON.stringify(story)}: ${grade.result} ${grade.reason}`;
            assert.equal(returnsOf(grade, DECIMAL, 1).return_units, storyReturn(story, bet, DECIMAL), what);
            seen[story.end === 'played' ? 'played' : grade.result === 'void' ? 'open' : 'decided']++;
          }
    }),
    { numRuns: 150, includeErrorInReport: true },
  );
  assert.ok(seen.played > 200 && seen.decided > 200 && seen.open > 200, JSON.stringify(seen));
});

test('what is told less of a game waits or ends as it did: no bet on what was played is void, or ends otherwise', () => {
  const seen = { same: 0, pending: 0 };
  fc.assert(
    fc.property(
      stories,
      fc.integer({ min: -12, max: 60 }),
      fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
      (story, quarters, drop) => {
        const { sport } = story;
        const told = toldOf(story);
        // A later part says that those before it came to their end.
        const less = { ...told, parts: told.parts.filter((_, i) => i === told.parts.length - 1 || !drop[i]) };
        for (const { type, about, threeWay = false, team } of marketsOf(sport, 'draftkings'))
          for (const selection of SELECTIONS[about.family]) {
            const question = {
              rules: types.of(type, sport),
              sport,
              selection,
              line:
                about.family === 'handicap' ? quarters / 4 : about.family === 'total' ? Math.abs(quarters) / 4 : null,
              team: team === true ? ('home' as const) : null,
              player: null,
              threeWay,
              house: houseRules.of('draftkings', sport, ''),
            };
            const [whole, part] = [told, less].map((result) => gradeBet(question, result, false)) as [Grade, Grade];
            const what = `${type} ${selection} ${question.line} of ${JSON.stringify(less)}`;
            if (part.result !== 'pending') assert.deepEqual(part, whole, what);
            seen[part.result === 'pending' ? 'pending' : 'same']++;
          }
      },
    ),
    { numRuns: 200, includeErrorInReport: true },
  );
  assert.ok(seen.same > 1_000 && seen.pending > 100, JSON.stringify(seen));
});

test('a game that is put off is void by the hours or the day of each book, whatever came of it', () => {
  const startMs = Date.parse('2026-06-01T23:05:00Z');
  const score = { home: 3, away: 1 };
  fc.assert(
    fc.property(
      fc.integer({ min: -8, max: 90 * 4 }),
      fc.constantFrom('draftkings', 'fanduel', 'pinnacle', 'bet365', 'nobody'),
      fc.constantFrom('mlb', 'npb', 'epl'),
      (quarters, book, league) => {
        const late = quarters / 4;
        const sport = league === 'epl' ? 'soccer' : 'baseball';
        const timing = {
          betOnMs: startMs,
          startMs: startMs + late * 3_600_000,
          calledOff: false,
          nowMs: startMs + (late + 4) * 3_600_000,
          dayOf: (ms: number) => catalogue.localDate(league, ms),
        };
        const question = {
          rules: types.of('moneyline', sport, league),
          sport,
          selection: 'home',
          line: null,
          team: null,
          player: null,
          threeWay: false,
          house: houseRules.of(book, sport, league),
        };
        const told = { status: 'final' as const, score, parts: [], regulation: null, stats: {}, players: {} };
        const { result } = gradeBet(question, told, false, timing);
        assert.equal(
          result,
          isTooLate(book, league, startMs, late) ? 'void' : 'won',
          `${late} h at ${book}, ${league}`,
        );
      },
    ),
    { numRuns: 300 },
  );
});
