// Exceptions of house rules against a second settlement, bet by bet, of every way in which a game may end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  houseExceptions,
  mayDiffer,
  type RuledLeg,
  type RuledMarket,
} from '../../../src/rules/grading/house-exceptions.js';
import { HOUSE_TIES, type HouseRules, houseRules } from '../../../src/rules/markets/house-rules.js';

const house: fc.Arbitrary<HouseRules> = fc.record({
  overtime: fc.constantFrom(...houseRules.overtime.enum),
  score_from: fc.constant('match' as const),
  retirement: fc.constantFrom(...houseRules.retirement.enum),
  shortened: fc.constantFrom(null, { innings: 5 }, { innings: 9 }, { overs: 10 }),
  postponed_hours: fc.constantFrom(24, 36),
  tie: fc.constantFrom(...HOUSE_TIES),
  dead_heat: fc.constantFrom(...houseRules.dead_heat.enum),
  super_over: fc.constantFrom(...houseRules.super_over.enum),
});

/** How one game ended, as far as books' rules ask. */
type End =
  | { kind: 'retired'; afterSet: boolean; winner: number }
  | { kind: 'tie' }
  | { kind: 'super_over'; winner: number }
  | { kind: 'overtime'; winner: number }
  | { kind: 'shortened'; innings: number; overs: number; winner: number; count: number };

const RESULT_OF = {
  retired: 'retirement',
  tie: 'tie',
  super_over: 'super_over',
  overtime: 'overtime_draw',
  shortened: 'shortened',
} as const;

function isEnough({ house: { shortened: need } }: RuledLeg, end: { innings: number; overs: number }): boolean {
  if (need === null) return false;
  return 'innings' in need ? end.innings >= need.innings : 'overs' in need && end.overs >= need.overs;
}

/** What a unit brings back of which half wins and half loses: commission is of what is won in all. */
function halfOf({ net, kept }: RuledLeg): number {
  const gross = ((net - 1) / kept - 1) / 2;
  return 1 + (gross > 0 ? gross * kept : gross);
}

/** What a unit brings back, written from the rules' texts. */
function back(leg: RuledLeg, market: RuledMarket, end: End): number {
  const whole = (winner: number): number => ((leg.side === winner) !== leg.lay ? leg.net : 0);
  const tied = (): number => {
    if (leg.house.tie === 'push') return 1;
    if (leg.house.tie === 'loses') return leg.lay ? leg.net : 0;
    return halfOf(leg);
  };
  switch (end.kind) {
    case 'tie':
      return tied();
    case 'super_over':
      return leg.house.super_over === 'counts' ? whole(end.winner) : tied();
    case 'retired':
      if (leg.house.retirement === 'completed') return 1;
      if (leg.house.retirement === 'first_set' && !end.afterSet) return 1;
      return whole(end.winner);
    case 'overtime':
      if (leg.house.overtime === 'counts') return whole(end.winner);
      return market.sides === 3 ? whole(2) : 1;
    case 'shortened': {
      const stands = isEnough(leg, end);
      if (market.pairing === 'winner') return stands ? whole(end.winner) : 1;
      const by = end.count - leg.x;
      if (market.pairing === 'total' && by > 0) return leg.side === 0 ? leg.net : 0;
      if (!stands || by === 0) return 1;
      return by > 0 === (leg.side === 0) ? leg.net : 0;
    }
  }
}

function endsOf(market: RuledMarket, lines: readonly number[]): End[] {
  const ends: End[] = [];
  const winner = market.pairing === 'winner';
  for (const side of [0, 1]) {
    if (winner && market.sport === 'tennis')
      for (const afterSet of [false, true]) ends.push({ kind: 'retired', afterSet, winner: side });
    if (winner && market.sport === 'cricket' && market.sides === 2) ends.push({ kind: 'super_over', winner: side });
    if (winner && market.sides === 3) ends.push({ kind: 'overtime', winner: side });
  }
  if (winner && market.sides === 2 && market.ties) ends.push({ kind: 'tie' });
  for (const innings of [0, 5, 7, 9])
    for (const overs of [0, 10])
      for (let side = 0; side < market.sides; side++)
        for (let count = Math.floor(Math.min(0, ...lines)) - 2; count <= Math.ceil(Math.max(0, ...lines)) + 2; count++)
          ends.push({ kind: 'shortened', innings, overs, winner: side, count });
  return ends;
}

const RULES = { sides: 'by_book', part: 'game', subject: 'game', tie: 'push' } as const;

const cases = fc
  .record({
    pairing: fc.constantFrom('winner' as const, 'winner' as const, 'total' as const, 'handicap' as const),
    sport: fc.constantFrom('tennis', 'baseball', 'cricket', 'football'),
    ties: fc.boolean(),
    three: fc.boolean(),
    lay: fc.boolean(),
    lines: fc.tuple(fc.integer({ min: 12, max: 20 }), fc.integer({ min: 0, max: 4 })),
    houses: fc.tuple(house, house, house),
    nets: fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 105, max: 900 }))),
    kept: fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(1, 0.98, 0.95))),
  })
  .map(({ pairing, sport, ties, three, lay, lines: [low, gap], houses, nets, kept }) => {
    const sides = pairing === 'winner' && three ? 3 : 2;
    const market: RuledMarket = { sport, pairing, ties: ties && pairing === 'winner', sides, rules: RULES };
    const laid = lay && pairing === 'winner';
    const xs = [low / 2, (low + gap) / 2, Number.NaN];
    const count = laid ? 2 : sides;
    const legs = Array.from({ length: count }, (_, i): RuledLeg => {
      const net = nets[i]! / 100;
      const x = pairing === 'winner' ? Number.NaN : xs[i]!;
      return { side: laid ? 0 : i, x, lay: laid && i === 1, net, kept: kept[i]!, stake: 1 / net, house: houses[i]! };
    });
    return { market, legs };
  });

test('an exception is the worst that any way of its result makes, and results that books settle alike are none', () => {
  let found = 0;
  fc.assert(
    fc.property(cases, ({ market, legs }) => {
      const worst = new Map<string, number>();
      const staked = legs.reduce((sum, { stake }) => sum + stake, 0);
      for (const end of endsOf(
        market,
        legs.flatMap(({ x }) => (Number.isNaN(x) ? [] : [x])),
      )) {
        // Where as much was played as all books ask for, or less than any, nothing differs.
        if (end.kind === 'shortened' && new Set(legs.map((leg) => isEnough(leg, end))).size < 2) continue;
        const paid = legs.reduce((sum, leg) => sum + leg.stake * back(leg, market, end), 0);
        const result = RESULT_OF[end.kind];
        worst.set(result, Math.min(worst.get(result) ?? Number.POSITIVE_INFINITY, paid / staked - 1));
      }
      const exceptions = houseExceptions(market, legs);
      for (const { result, profit, differs } of exceptions) {
        found++;
        const truly = worst.get(result) ?? assert.fail(`${result} cannot be`);
        assert.ok(Math.abs(profit - truly) < 1e-9, `${result}: ${profit}, truly ${truly}`);
        assert.ok(differs || legs.every(({ house: { tie } }) => tie === 'loses'));
      }
      if (exceptions.length > 0) assert.ok(legs.some((leg) => mayDiffer(legs[0]!.house, leg.house)));
      const [first, ...others] = legs;
      const name = (result: string) => exceptions.some((one) => one.result === result);
      const differ = (rule: keyof HouseRules) => others.some((leg) => leg.house[rule] !== first!.house[rule]);
      if (worst.has('retirement')) assert.equal(name('retirement'), differ('retirement'));
      if (worst.has('overtime_draw')) assert.equal(name('overtime_draw'), differ('overtime'));
      if (worst.has('super_over')) assert.equal(name('super_over'), differ('super_over'));
      if (worst.has('tie')) assert.equal(name('tie'), differ('tie') || first!.house.tie === 'loses');
    }),
    { numRuns: 2_000 },
  );
  assert.ok(found > 500, String(found));
});

test('a total that was passed stands in a shortened game, what was not is void where too little was played', () => {
  const rules = (innings: number): HouseRules =>
    ({
      shortened: { innings },
      tie: 'push',
      retirement: 'completed',
      overtime: 'regulation',
      super_over: 'counts',
    }) as HouseRules;
  const market: RuledMarket = { sport: 'baseball', pairing: 'total', ties: false, sides: 2, rules: RULES };
  const leg = (side: number, innings: number): RuledLeg => ({
    side,
    x: 8.5,
    lay: false,
    net: 2.1,
    kept: 1,
    stake: 50,
    house: rules(innings),
  });
  // The over stands after five innings and loses, the under is refunded.
  assert.deepEqual(houseExceptions(market, [leg(0, 5), leg(1, 9)]), [
    { result: 'shortened', profit: -0.5, differs: true },
  ]);
  // The under stands and wins, or the over was passed.
  const [other] = houseExceptions(market, [leg(0, 9), leg(1, 5)]);
  assert.ok(Math.abs(other!.profit - 0.05) < 1e-9, String(other!.profit));
  assert.deepEqual(houseExceptions(market, [leg(0, 9), leg(1, 9)]), []);
});
