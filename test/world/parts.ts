// A book's markets of a part of a game: totals of each team, the two-way winner, and the handicap.
import { type Contract, chanceOf, type Game } from './games.js';
import type { BookStyle, Quote } from './quote.js';
import type { Random } from './random.js';

const SUFFIX: Readonly<Record<string, string>> = {
  baseball: '_1st_5_innings',
  basketball: '_q1',
  hockey: '_p2',
  soccer: '_h1',
  football: '_h1',
};
const HANDICAP: Readonly<Record<string, string>> = { baseball: 'run_line', hockey: 'puck_line' };
const SHARE = 0.5;

type Side = readonly [type: string, line: number | null];

/** `price` turns a probability into a price in the book's steps. */
export function partsOf(game: Game, style: BookStyle, random: Random, price: (chance: number) => number): Quote[] {
  if (random.chance(0.4)) return [];
  const suffix = SUFFIX[game.sport]!;
  const part: Game = {
    ...game,
    margin: game.margin * SHARE,
    marginSd: game.marginSd * Math.sqrt(SHARE),
    total: (game.total * SHARE) / 2,
    totalSd: game.totalSd * 0.5,
  };
  const quotes: Quote[] = [];
  const add = (market: string, contract: Contract, sides: readonly Side[], team: Quote['team'] = null): void => {
    const chances = sides.map(([type, line]) => {
      const noise = random.normal() * 0.01 * (random.chance(0.1) ? 3 : 1);
      return Math.min(0.95, Math.max(0.05, chanceOf(part, contract, type, line ?? 0) + noise + style.margin / 1.5));
    });
    const sum = chances.reduce((total, chance) => total + chance, 0);
    const lift = sum < 0.99 ? 0.99 / sum : 1;
    const fixed = { player: null, alternate: false, active: true, hidden: false };
    for (const [i, [type, line]] of sides.entries())
      quotes.push({ ...fixed, market, contract, type, line, team, price: price(chances[i]! * lift) });
  };
  const near = (value: number): number => Math.round(value * 2) / 2 + random.int(-1, 1) / 2;
  for (const team of ['home', 'away'] as const) {
    const line = Math.max(0.5, near(part.total));
    add(
      `team_total${suffix}`,
      'total',
      [
        ['over', line],
        ['under', line],
      ],
      team,
    );
  }
  add(game.sport === 'soccer' ? 'draw_no_bet' : `moneyline${suffix}`, 'tie2', [
    ['home', null],
    ['away', null],
  ]);
  const line = near(-part.margin);
  add(`${HANDICAP[game.sport] ?? 'point_spread'}${suffix}`, 'handicap2', [
    ['home', line],
    ['away', 0 - line],
  ]);
  return quotes;
}
