// Which of Betfair's markets ask the same question as a book's market, and which runner is which selection of it. By
// list: other types are excluded, whatever their runners are called.

import { LIMITS } from '../../../base/model/limits.js';
import { lineTypes } from '../../../rules/markets/aliases.js';
import type { MarketDefinition, RunnerDefinition } from './market-cache.js';
import type { Names, Teams } from './names.js';

export type SelectionType = 'home' | 'away' | 'draw' | 'over' | 'under';

/** One selection for which a market has prices. */
export interface PlannedSelection {
  marketType: string;
  type: SelectionType;
  name: string;
  line: number | null;
  /** The key of the runner whose price it is. */
  runner: string;
  /** The one other result: laying it is the same bet. Null if there are several. */
  opposite: string | null;
  /** The price at which the runner can be laid, as a market of its own. */
  lay: boolean;
  /** A settled starting price, which can no longer be bet. Null for prices on offer. */
  startingPrice: number | null;
  externalId: string;
}

export interface GameContext {
  sport: string;
  league: string;
  teams: Teams;
  /** Names of runners by key, and by id for those at other handicaps, from the catalogue. */
  runnerNames: ReadonlyMap<string, string>;
  names: Names;
}

type Shape = 'winner' | 'spread' | 'total';

const OVER_UNDER = /^OVER_UNDER_(\d)(5)$/;
const WINNERS = new Set(['MATCH_ODDS', 'MONEY_LINE', 'MONEYLINE']);
const SOCCER_SPREADS = new Set(['ASIAN_HANDICAP']);
const SOCCER_TOTALS = new Set(['ALT_TOTAL_GOALS']);
const US_SPREADS = new Set(['HANDICAP', 'ASIAN_HANDICAP']);
const US_TOTALS = new Set(['COMBINED_TOTAL']);
const BETTING_TYPES = new Set(['ODDS', 'ASIAN_HANDICAP_DOUBLE_LINE', 'ASIAN_HANDICAP_SINGLE_LINE']);

/** The market types to request, whatever the sport. */
export const MARKET_TYPES: readonly string[] = [
  ...WINNERS,
  ...US_SPREADS,
  ...SOCCER_TOTALS,
  ...US_TOTALS,
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((goals) => `OVER_UNDER_${goals}5`),
];

/** Two runners of a main market type, or the reason for excluding the market. */
export function planMarket(definition: MarketDefinition, context: GameContext): PlannedSelection[] | string {
  const { marketType, bettingType, numberOfWinners } = definition;
  const shape = shapeOf(marketType, context.sport);
  if (shape === undefined) return `${marketType} is another question`;
  if (!BETTING_TYPES.has(bettingType)) return `bets of ${bettingType} have no odds`;
  if (bettingType === 'ODDS' && numberOfWinners !== null && numberOfWinners !== 1) return 'several runners win';
  const runners = definition.runners.filter(({ status }) => status !== 'REMOVED' && status !== 'HIDDEN');
  if (shape === 'winner') return planWinner(runners, context);
  return shape === 'spread'
    ? planSpread(runners, context, bettingType === 'ODDS')
    : planTotal(runners, context, lineOfType(marketType));
}

function shapeOf(marketType: string, sport: string): Shape | undefined {
  if (isWinner(marketType)) return 'winner';
  if (sport === 'soccer') {
    if (SOCCER_SPREADS.has(marketType)) return 'spread';
    return SOCCER_TOTALS.has(marketType) || OVER_UNDER.test(marketType) ? 'total' : undefined;
  }
  if (US_SPREADS.has(marketType)) return 'spread';
  return US_TOTALS.has(marketType) ? 'total' : undefined;
}

export function isWinner(marketType: string): boolean {
  return WINNERS.has(marketType);
}

/** OVER_UNDER_25 is 2.5. */
function lineOfType(marketType: string): number | null {
  const match = OVER_UNDER.exec(marketType);
  return match === null ? null : Number(match[1]) + 0.5;
}

const DRAW_ID = '58805';

function planWinner(runners: readonly RunnerDefinition[], context: GameContext): PlannedSelection[] | string {
  const sides = new Map<SelectionType, RunnerDefinition>();
  for (const runner of runners) {
    const name = nameOf(runner, context);
    if (name === undefined && runner.id !== DRAW_ID) return 'a runner has no name';
    const isDraw = runner.id === DRAW_ID || /^(?:the )?(?:draw|tie)$/i.test(name!);
    const side = isDraw ? 'draw' : context.names.side(name!, context.teams, context.league);
    if (side === undefined) return `a runner is neither of the teams`;
    if (sides.has(side)) return 'two runners are one side';
    sides.set(side, runner);
  }
  const draw = sides.get('draw');
  const home = sides.get('home');
  const away = sides.get('away');
  if (home === undefined || away === undefined) return 'a side is missing';
  if (context.sport === 'soccer' && draw === undefined) return 'no draw: not the result of 90 minutes';
  // A market with a draw settles on regulation time: outside soccer, books' moneylines include overtime.
  const marketType = draw === undefined || context.sport === 'soccer' ? 'moneyline' : 'moneyline_3way';
  const ofSide = (type: SelectionType, name: string, runner: RunnerDefinition, other?: RunnerDefinition) =>
    plan(marketType, { type, name, line: null, runner }, draw === undefined ? other : undefined);
  const planned = [
    ofSide('home', context.teams.home, home, away),
    ofSide('away', context.teams.away, away, home),
    ...(draw === undefined ? [] : [ofSide('draw', 'Draw', draw)]),
  ];
  const lays = draw === undefined ? [] : planned.map((one) => ({ ...one, marketType: `${marketType}_lay`, lay: true }));
  const prices = new Map(runners.map(({ key, startingPrice }) => [key, startingPrice]));
  const starting = planned.flatMap((one) => {
    const startingPrice = prices.get(one.runner) ?? null;
    return startingPrice === null ? [] : [{ ...one, marketType: `${marketType}_sp`, startingPrice }];
  });
  return [...planned, ...lays, ...starting];
}

function planSpread(
  runners: readonly RunnerDefinition[],
  context: GameContext,
  unlined: boolean,
): PlannedSelection[] | string {
  const stated: StatedRunner[] = [];
  for (const runner of runners) {
    const name = nameOf(runner, context);
    if (name === undefined) return 'a runner has no name';
    const { plain, line } = splitLine(name, runner.handicap, unlined);
    const type = context.names.side(plain, context.teams, context.league);
    if (type === undefined) return `a runner is neither of the teams`;
    if (!isLine(line)) return 'a line is no number of quarters';
    stated.push({ type, name: context.teams[type], line: line + 0, runner });
  }
  return planSides(lineTypes(context.sport).spread, stated, ({ type, line }) =>
    keyOf(type === 'home' ? 'away' : 'home', 0 - line),
  );
}

function planTotal(
  runners: readonly RunnerDefinition[],
  context: GameContext,
  typeLine: number | null,
): PlannedSelection[] | string {
  const stated: StatedRunner[] = [];
  for (const runner of runners) {
    const name = nameOf(runner, context);
    const match = /^(over|under)\b\s*([\d.]+)?/i.exec(name ?? '');
    if (match === null) return 'a runner is neither over nor under';
    const named = match[2] === undefined ? null : Number(match[2]);
    const own = runner.handicap === 0 ? null : Math.abs(runner.handicap);
    const line = typeLine ?? own ?? named;
    if (line === null || !isLine(line)) return 'a runner has no line';
    if ((named !== null && named !== line) || (own !== null && own !== line)) return 'a runner tells of two lines';
    const isOver = match[1]!.toLowerCase() === 'over';
    stated.push({ type: isOver ? 'over' : 'under', name: isOver ? 'Over' : 'Under', line, runner });
  }
  return planSides(lineTypes(context.sport).total, stated, ({ type, line }) =>
    keyOf(type === 'over' ? 'under' : 'over', line),
  );
}

interface StatedRunner {
  type: SelectionType;
  name: string;
  line: number;
  runner: RunnerDefinition;
}

function keyOf(type: SelectionType, line: number): string {
  return `${type}|${line}`;
}

/** @param oppositeOf the key of the one other result */
function planSides(
  marketType: string,
  stated: readonly StatedRunner[],
  oppositeOf: (one: StatedRunner) => string,
): PlannedSelection[] | string {
  const at = new Map(stated.map((one) => [keyOf(one.type, one.line), one.runner]));
  if (at.size < stated.length) return 'two runners are one side';
  return stated.map((one) => plan(marketType, one, at.get(oppositeOf(one))));
}

function plan(
  marketType: string,
  { type, name, line, runner }: Omit<StatedRunner, 'line'> & { line: number | null },
  opposite: RunnerDefinition | undefined,
): PlannedSelection {
  return {
    ...{ marketType, type, name, line },
    runner: runner.key,
    opposite: opposite?.key ?? null,
    lay: false,
    startingPrice: null,
    externalId: runner.id,
  };
}

function nameOf(runner: RunnerDefinition, { runnerNames }: GameContext): string | undefined {
  return runnerNames.get(runner.key) ?? runnerNames.get(runner.id) ?? runner.name ?? undefined;
}

/**
 * The line in "Boston Celtics -4.5" and the runner's own handicap, if the two agree. `unlined`: runners without a
 * handicap have 0.
 */
function splitLine(name: string, handicap: number, unlined: boolean): { plain: string; line: number } {
  const match = /^(.*\S)\s+([+-]?\d+(?:\.\d+)?)$/.exec(name);
  if (match === null || !/^[+-]|\./.test(match[2]!))
    return { plain: name, line: unlined && handicap === 0 ? Number.NaN : handicap };
  const named = Number(match[2]);
  return { plain: match[1]!, line: handicap === 0 || handicap === named ? named : Number.NaN };
}

const LINE_MAX = LIMITS.handicap.max;

function isLine(line: number): boolean {
  return Math.abs(line) <= LINE_MAX && Number.isInteger(line * 4);
}
