// What open bets win or lose on each result of a game, where the results can be named: bets on who wins and on handicaps
// by the margin, totals by what is counted, the rest each by itself. Amounts are in the bankroll's currency.

import { type Commission, netDecimal } from '../../src/base/model/commission.js';
import { keyPart } from '../../src/base/model/key-part.js';
import type { AccountBet } from '../../src/client/client.js';
import { canonicalPlayerName, mayHaveSuffix } from '../../src/rules/catalogue/player-name.js';
import { gradeCount, gradeMargin, gradeSide, hasThirdSide } from '../../src/rules/grading/known-result.js';
import { refundedFraction, wonFraction } from '../../src/rules/grading/settle.js';
import { winnerOf } from '../../src/rules/grading/verdict.js';
import { laidType, strikeBase } from '../../src/rules/markets/derive.js';
import { GAME, REGULATION } from '../../src/rules/markets/parts.js';
import { SCORE, type TypeRules } from '../../src/rules/markets/rules.js';
import { isThirdSide, openStatistic } from '../../src/rules/markets/sides.js';
import { rulesOf } from './market-choice.js';
import { lineText, words } from './odds-format.js';
import { whoOf } from './outcome.js';
import { numberOf } from './results.js';

export interface ResultProfit {
  name: string;
  profit: number;
}

/** Bets that want the same: a team, over, `against` what is laid; at whatever line. */
export interface SideExposure {
  name: string;
  bets: number;
  /** What may be lost on it, and what is won if all of it wins. */
  risk: number;
  wins: number;
}

/** Results of which exactly one happens, and what the open bets on them make on each. */
export interface Exposed {
  /** `margin`, `total points`, `Jo One points` … */
  name: string;
  /** In the order of the results; none where the results are a bet's two ends. */
  sides: SideExposure[];
  results: ResultProfit[];
}

export interface GameExposure {
  eventId: string;
  name: string;
  bets: number;
  /** What may be lost: the stakes, of lays their liabilities. */
  risk: number;
  /** The worst and the best of all together: no result is beyond them. */
  worst: number;
  best: number;
  on: Exposed[];
}

export type CommissionOf = (book: string) => Commission | null;

/** Money is in it, and no result of it is known. */
export function isOpen({ status, profit }: AccountBet): boolean {
  return (status === 'filled' || status === 'part_filled') && profit === null;
}

/** The largest risk first. */
export function exposureOf(bets: readonly AccountBet[], commissionOf: CommissionOf): GameExposure[] {
  const games = new Map<string, AccountBet[]>();
  for (const bet of bets) {
    if (!isOpen(bet)) continue;
    const key = bet.event_id ?? bet.id;
    games.set(key, [...(games.get(key) ?? []), bet]);
  }
  return [...games]
    .map(([eventId, list]) => gameOf(eventId, list, commissionOf))
    .sort((a, b) => b.risk - a.risk || (a.name < b.name ? -1 : 1));
}

function gameOf(eventId: string, bets: readonly AccountBet[], commissionOf: CommissionOf): GameExposure {
  const axes = new Map<string, { name: string; questions: Question[] }>();
  for (const bet of bets) {
    const { key, name, ...question } = questionOf(bet, bets, commissionOf);
    const axis = axes.get(key) ?? { name, questions: [] };
    axis.questions.push(question);
    axes.set(key, axis);
  }
  const teams = teamsOf(bets[0]!);
  const on = [...axes.values()].map(({ name, questions }) => ({
    name,
    sides: sidesOf(questions, teams),
    results: resultsOf(questions, teams),
  }));
  const all = (pick: (...values: number[]) => number): number =>
    cents(on.reduce((sum, { results }) => sum + pick(...results.map(({ profit }) => profit)), 0));
  return {
    ...{ eventId, name: bets[0]!.event_name ?? eventId, bets: bets.length },
    risk: cents(bets.reduce((sum, { exposure }) => sum + exposure, 0)),
    ...{ worst: all(Math.min), best: all(Math.max), on },
  };
}

/** Without float noise: cents are added, and a half of one is rounded at the end. */
const cents = (amount: number): number => Math.round(amount * 100 + Math.sign(amount) * 1e-7) / 100 + 0;

type Kind = 'margin' | 'total' | 'either';

interface Question {
  kind: Kind;
  /** Results around which grades change. */
  around: number;
  /** A margin of 0 can be. */
  ties: boolean;
  /** 1 won, 0.5 half won, 0 refunded … */
  gradeAt(result: number): number;
  profitAt(grade: number): number;
  /** What it wants: a result is far on this side where it wins. */
  side: string;
  isLay: boolean;
  risk: number;
  /** Of `either`: how the two ends are named. */
  ends: readonly [won: string, lost: string];
}

const SIDES: Readonly<Record<string, number>> = { home: 1, away: -1 };
const COUNTED: ReadonlySet<string> = new Set(['over', 'under', 'exactly']);

type Asked = Question & { key: string; name: string };

/** What all questions have. */
type Base = Omit<Question, 'kind' | 'gradeAt'>;

function questionOf(bet: AccountBet, all: readonly AccountBet[], commissionOf: CommissionOf): Asked {
  const market = backedType(bet);
  const rules = rulesOf(market, bet.sport ?? '');
  const base: Base = {
    ...{ profitAt: profitOf(bet, commissionOf), ends: ['wins', 'loses'] as const, ties: true, around: 0 },
    ...{ side: bet.selection_type ?? '', isLay: bet.is_lay, risk: bet.exposure },
  };
  const threeWay = showsThird(bet, all);
  return (
    onMargin(bet, rules, threeWay, base) ?? onCount(bet, rules, threeWay, base) ?? byEnds(bet, rules, market, base)
  );
}

const backedType = ({ market_type }: AccountBet): string => laidType(market_type ?? '') ?? market_type ?? '';

/** Whether the bet's book offers a draw, or `exactly`, in its market: as was noted with it, else as the other bets tell. */
function showsThird(bet: AccountBet, all: readonly AccountBet[]): boolean {
  if (bet.three_way === true) return true;
  const market = backedType(bet);
  return all.some(
    (one) => isThirdSide(one.selection_type ?? '') && one.sportsbook === bet.sportsbook && backedType(one) === market,
  );
}

/** Who wins, and handicaps. */
function onMargin(bet: AccountBet, rules: TypeRules, threeWay: boolean, base: Base): Asked | undefined {
  const { line, is_lay, sport } = bet;
  const { side } = base;
  const { family, statistic } = rules;
  // A handicap of what follows is counted from the score at which it was made, which is not told here.
  if (rules.subject !== 'game' || rules.rest || statistic === null) return undefined;
  if (!(side in SIDES) && side !== 'draw') return undefined;
  const asked = { rules, selection: side, threeWay };
  const turn = is_lay ? -1 : 1;
  if (family === 'handicap' && line !== null)
    return {
      ...base,
      ...marginOf(rules.part, statistic),
      kind: 'margin',
      ties: mayBeLevel(rules, sport ?? ''),
      around: side === 'away' ? line : -line,
      gradeAt: (margin) => turn * numberOf(gradeMargin(asked, line, [margin, margin])),
    };
  if (family !== 'winner' || line !== null) return undefined;
  const three = hasThirdSide(asked);
  return {
    ...base,
    ...(three && rules.part === GAME ? regularMargin(statistic) : marginOf(rules.part, statistic)),
    kind: 'margin',
    ties: three || rules.tie !== 'cannot_happen',
    gradeAt: (margin) => turn * numberOf(gradeSide(asked, winnerOf({ home: margin, away: 0 }))),
  };
}

/** With a draw it is about regular time, which is another question where a game is played on. */
function regularMargin(statistic: string): { key: string; name: string } {
  const { key, name } = marginOf(REGULATION, statistic);
  return { key, name: `${name} in regular time` };
}

function marginOf(part: string, statistic: string): { key: string; name: string } {
  const name = words(part === GAME || part === REGULATION ? 'margin' : `margin ${part}`);
  return {
    key: `margin|${part}|${statistic}`,
    name: statistic === SCORE ? name : `${name} in ${words(statistic)}`,
  };
}

/** Of the whole game somebody may have to win; of a part of it, or in what is counted beside the score, nobody has to. */
function mayBeLevel({ part, statistic }: TypeRules, sport: string): boolean {
  return part !== GAME || statistic !== SCORE || rulesOf('moneyline', sport).tie !== 'cannot_happen';
}

function onCount(bet: AccountBet, rules: TypeRules, threeWay: boolean, base: Base): Asked | undefined {
  const { line } = bet;
  if (rules.family !== 'total' || !COUNTED.has(base.side) || line === null) return undefined;
  const who = whoOf(bet);
  const { part, type } = rules;
  const statistic = rules.statistic ?? openStatistic(rules, bet.stat_category ?? null);
  const asked = { rules, selection: base.side, threeWay };
  const turn = bet.is_lay ? -1 : 1;
  return {
    ...base,
    // A suffix may tell two men apart; every other difference is one of spelling.
    key: `total|${part}|${keyPart(statistic ?? '')}|${mayHaveSuffix(who) ? who : canonicalPlayerName(who)}`,
    name: who === '' ? words(strikeBase(type) ?? type) : `${who} ${words(statistic ?? type)}`,
    kind: 'total',
    around: line,
    gradeAt: (count) => turn * numberOf(gradeCount(asked, line, [count, count])),
  };
}

function byEnds(bet: AccountBet, rules: TypeRules, market: string, base: Base): Asked {
  const stat = openStatistic(rules, bet.stat_category ?? null) ?? '';
  const what = [whoOf(bet), stat, bet.selection ?? '', lineText(bet.line, market)].filter(Boolean).join(' ');
  return {
    ...{ ...base, kind: 'either', key: `either|${market}|${what}`, name: words(market) },
    gradeAt: (won) => (bet.is_lay ? -won : won),
    ends: [`${what} wins`, `${what} loses`],
  };
}

/** As results are ordered: from the away team to the home team, from few to many; what is laid after that. */
const SIDE_ORDER = ['away', 'draw', 'home', 'under', 'exactly', 'over'];

function sidesOf(questions: readonly Question[], teams: Teams): SideExposure[] {
  if (questions[0]!.kind === 'either') return [];
  const sums = new Map<string, SideExposure>();
  const place = ({ side, isLay }: Question): number => SIDE_ORDER.indexOf(side) + (isLay ? SIDE_ORDER.length : 0);
  for (const { side, isLay, risk, profitAt } of [...questions].sort((a, b) => place(a) - place(b))) {
    const name = `${isLay ? 'against ' : ''}${side in SIDES ? teams[side as keyof Teams] : side}`;
    const sum = sums.get(name) ?? { name, bets: 0, risk: 0, wins: 0 };
    sums.set(name, { name, bets: sum.bets + 1, risk: sum.risk + risk, wins: sum.wins + profitAt(1) });
  }
  return [...sums.values()].map((sum) => ({ ...sum, risk: cents(sum.risk), wins: cents(sum.wins) }));
}

/** Of a lay the grade is the lay's own. */
function profitOf(bet: AccountBet, commissionOf: CommissionOf): Question['profitAt'] {
  const { exposure, fills, is_lay, sportsbook, odds_decimal, commission } = bet;
  const charge = commission === undefined ? commissionOf(sportsbook ?? '') : commission;
  const made = fills.length > 0 ? fills : [{ odds_decimal, stake: bet.stake_filled }];
  const riskOf = (fill: { odds_decimal: number; stake: number }): number =>
    fill.stake * (is_lay ? fill.odds_decimal - 1 : 1);
  const all = made.reduce((sum, fill) => sum + riskOf(fill), 0);
  const wins = made.reduce((sum, fill) => {
    const share = all === 0 ? 0 : (riskOf(fill) / all) * exposure;
    const decimal = is_lay ? fill.odds_decimal / (fill.odds_decimal - 1) : fill.odds_decimal;
    return sum + share * (netDecimal(decimal, charge) - 1);
  }, 0);
  return (grade) => wonFraction(grade) * wins - (1 - wonFraction(grade) - refundedFraction(grade)) * exposure;
}

/** How far beyond the outermost line a result is looked at: further ones end alike. */
const BEYOND = 2;

function resultsOf(questions: readonly Question[], teams: Teams): ResultProfit[] {
  const { kind, ends } = questions[0]!;
  const at = (result: number) => ({
    grades: questions.map(({ gradeAt }) => gradeAt(result)).join(),
    profit: cents(questions.reduce((sum, { gradeAt, profitAt }) => sum + profitAt(gradeAt(result)), 0)),
  });
  if (kind === 'either') return [1, -1].map((won, i) => ({ name: ends[i]!, profit: at(won).profit }));
  const marks = questions.map(({ around }) => around);
  const isMargin = kind === 'margin';
  const low = Math.floor(Math.min(...marks, ...(isMargin ? [0] : []))) - BEYOND;
  const high = Math.ceil(Math.max(...marks, ...(isMargin ? [0] : []))) + BEYOND;
  const hasTie = questions.every(({ ties }) => ties);
  const found: { from: number; to: number; grades: string; profit: number }[] = [];
  for (let result = isMargin ? low : Math.max(0, low); result <= high; result++) {
    if (isMargin && result === 0 && !hasTie) continue;
    const now = at(result);
    const last = found.at(-1);
    // Who won is always told apart.
    const crosses = isMargin && last !== undefined && Math.sign(last.to) !== Math.sign(result);
    if (last !== undefined && last.grades === now.grades && !crosses) last.to = result;
    else found.push({ from: result, to: result, ...now });
  }
  return found.map(({ from, to, profit }, i) => {
    const [first, last] = [i === 0, i === found.length - 1];
    return {
      name: isMargin ? marginText(from, to, teams, first, last) : rangeText(from, to, first, last),
      profit,
    };
  });
}

interface Teams {
  home: string;
  away: string;
}

function teamsOf({ event_name }: AccountBet): Teams {
  const [away, home] = (event_name ?? '').split(' @ ');
  return { away: away || 'away', home: home || 'home' };
}

function marginText(from: number, to: number, { home, away }: Teams, first: boolean, last: boolean): string {
  if (from === 0) return 'tie';
  const [team, near, far, isOutermost] = from > 0 ? [home, from, to, last] : [away, -to, -from, first];
  return near === 1 && isOutermost ? `${team} wins` : `${team} by ${rangeText(near, far, false, isOutermost)}`;
}

function rangeText(from: number, to: number, isLowest: boolean, isHighest: boolean): string {
  if (isLowest && !isHighest) return `${to} or less`;
  if (isHighest) return `${from} or more`;
  return from === to ? String(from) : `${from} to ${to}`;
}

/** At risk by a word of the bets: a book, a side. The largest first. */
export function riskBy(
  bets: readonly AccountBet[],
  keyOf: (bet: AccountBet) => string,
): { key: string; risk: number; bets: number }[] {
  const sums = new Map<string, { key: string; risk: number; bets: number }>();
  for (const bet of bets) {
    if (!isOpen(bet)) continue;
    const key = keyOf(bet);
    const sum = sums.get(key) ?? { key, risk: 0, bets: 0 };
    sums.set(key, { key, risk: cents(sum.risk + bet.exposure), bets: sum.bets + 1 });
  }
  return [...sums.values()].sort((a, b) => b.risk - a.risk || (a.key < b.key ? -1 : 1));
}
