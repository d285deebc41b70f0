// Who won: the game, its regular time or a part of it, and who goes on to the next round. What a tie means is said by the
// market type, by whether the book shows a draw, and by the book's own rules.

import { isDeepStrictEqual } from 'node:util';
import type { GameResult } from '../../base/model/result.js';
import type { HouseRules } from '../markets/house-rules.js';
import { GAME, REGULATION } from '../markets/parts.js';
import { ADVANCED, type MarketRules, SCORE, type TypeRules } from '../markets/rules.js';
import { countedOf, extraWinner, wasLevel, wonSet } from './counted.js';
import { gradeSide, hasThirdSide, type Range } from './known-result.js';
import {
  type BetQuestion,
  type Grade,
  HALF,
  isOver,
  isResult,
  LOST,
  type Missing,
  PUSH,
  UNDECIDED,
  ungradeable,
  type Verdict,
  type Winner,
  WON,
  winnerOf,
} from './verdict.js';

const SOCCER = 'soccer';
const CRICKET = 'cricket';

interface Decided {
  readonly winner: Winner;
  readonly over: boolean;
  /** Home's margin at least and at most, where what is left to play bounds it. */
  readonly margin?: Range | undefined;
}

/** Sports in which the score alone does not say who won: overs are lost to rain, or fewer strokes win. */
const SCORE_SAYS_NOTHING: ReadonlySet<string> = new Set([CRICKET, 'golf']);
/** What a score decides; a match that is given up or awarded is won by whoever goes on, and penalties are not in the score. */
const BY_SCORE: ReadonlySet<GameResult['ended']> = new Set([undefined, 'normal', 'overtime', 'shortened'] as const);

/** Whether the winner that a final result states cannot be: bets on who won and on margins would be paid both ways. */
export function contradictsScore(result: GameResult, sport: string): boolean {
  const { score, winner, ended } = result;
  if (winner === undefined || winner === 'none' || score === null || SCORE_SAYS_NOTHING.has(sport)) return false;
  if (!isOver(result) || !BY_SCORE.has(ended) || extraWinner(result) !== undefined) return false;
  // Level, it is decided by what is played after that.
  return score.home !== score.away && winner !== winnerOf(score);
}

export function gradeWinner(question: BetQuestion, result: GameResult): Verdict {
  const { rules, sport, selection, house } = question;
  if (rules.statistic === ADVANCED) return gradeAdvanced(selection, result);
  if (selection.includes('_or_')) return gradeDoubleChance(question, result);
  if (!isResult(selection)) return ungradeable('unknown_selection');
  const three = hasThirdSide(question);
  const about = three || isDrawNoBet(rules) ? onRegulation(rules, sport, house.winner) : rules;
  const decided = winnerIn(about, sport, house.winner, result);
  if (typeof decided === 'string') return decided;
  const tie = isMoneyline(rules) ? tied(house.winner) : PUSH;
  return alike(possibleWinners(decided).map((winner) => gradeSide(question, winner, tie)));
}

/** Who may yet win. */
function possibleWinners({ winner, over, margin: [least, most] = ANY_MARGIN }: Decided): readonly Winner[] {
  if (over) return [winner];
  return (['home', 'draw', 'away'] as const).filter((side) =>
    side === 'home' ? most > 0 : side === 'away' ? least < 0 : least <= 0 && most >= 0,
  );
}

const ANY_MARGIN: Range = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** A bet is decided once every way in which the game can end grades it alike. */
function alike(grades: readonly Grade[]): Grade {
  const [first, ...others] = grades;
  return first !== undefined && others.every((grade) => isDeepStrictEqual(grade, first)) ? first : UNDECIDED;
}

/** The moneyline's result of two of three, which a draw is one of. */
export function gradeDoubleChance({ rules, sport, selection, house }: BetQuestion, result: GameResult): Verdict {
  const named = selection.split('_or_');
  if (named.length !== 2 || !named.every(isResult)) return ungradeable('unknown_selection');
  const about = onRegulation({ ...rules, statistic: SCORE }, sport, house.winner);
  const decided = winnerIn(about, sport, house.winner, result);
  if (typeof decided === 'string') return decided;
  return alike(possibleWinners(decided).map((winner) => (named.includes(winner) ? WON : LOST)));
}

/** By who goes on, else by penalties of that game; never by its score, which may be that of one of two games. */
function gradeAdvanced(selection: string, result: GameResult): Verdict {
  if (selection !== 'home' && selection !== 'away') return ungradeable('unknown_selection');
  const penalties = result.ended === 'penalties' ? result.winner : undefined;
  const told = extraWinner(result);
  const on = result.advanced ?? (told === undefined ? penalties : winnerOf(told));
  if (on !== 'home' && on !== 'away') return isOver(result) ? 'advanced_not_told' : UNDECIDED;
  return on === selection ? WON : LOST;
}

/** Of the whole game, and two-way only where the book shows no draw. */
const isMoneyline = ({ sides, part }: TypeRules): boolean => sides === 'by_book' && part === GAME;
const isDrawNoBet = ({ sides, tie, part }: TypeRules): boolean =>
  sides === 'two' && tie === 'push' && (part === GAME || part === REGULATION);

/** Of the whole game, what a draw belongs to is regular time, unless the book says otherwise. */
function onRegulation(rules: TypeRules, sport: string, { overtime }: HouseRules): MarketRules {
  if (rules.part !== GAME && rules.part !== REGULATION) return rules;
  if (overtime === 'counts' && sport !== SOCCER && (rules.part === GAME || isDrawNoBet(rules)))
    return { ...rules, part: GAME, overtime: 'counts' };
  return { ...rules, part: REGULATION, overtime: 'does_not' };
}

function winnerIn(rules: MarketRules, sport: string, house: HouseRules, result: GameResult): Decided | Missing {
  const counted = countedOf(rules, sport, result);
  const known =
    typeof counted === 'string'
      ? undefined
      : { winner: winnerOf(counted), over: counted.over, margin: counted.bounds?.margin };
  const told = result.winner === 'none' ? undefined : result.winner;
  const end = isOver(result);
  if (rules.part === REGULATION) {
    if (known !== undefined && !saysMore(sport, house, known, told)) return known;
    if (wasLevel(sport, result)) return { winner: 'draw', over: true };
    const regular = result.ended === 'normal' || known !== undefined;
    return told !== undefined && regular ? { winner: told, over: end } : (known ?? (counted as Missing));
  }
  if (rules.part !== GAME || rules.statistic !== SCORE) {
    const set = known === undefined ? wonSet(rules.part, sport, result) : undefined;
    return set === undefined ? (known ?? (counted as Missing)) : { winner: winnerOf(set), over: true };
  }
  if (sport === CRICKET && house.super_over === 'does_not' && known?.winner === 'draw') return known;
  if (told !== undefined) return { winner: told, over: end };
  const extra = known?.winner === 'draw' ? extraWinner(result) : undefined;
  if (extra !== undefined) return { winner: winnerOf(extra), over: end };
  return known ?? (end ? 'winner_not_told' : (counted as Missing));
}

/** In cricket a score alone does not say who won: overs are lost to rain, and who bats on may have declared. */
function saysMore(sport: string, { super_over }: HouseRules, { winner }: Decided, told: Winner | undefined): boolean {
  return sport === CRICKET && told !== undefined && (winner !== 'draw' || told === 'draw' || super_over === 'counts');
}

function tied({ tie }: HouseRules): Grade {
  switch (tie) {
    case 'push':
      return PUSH;
    case 'half':
      return HALF;
    case 'dead_heat':
      return { ...HALF, reason: 'dead_heat' };
    case 'loses':
      return LOST;
  }
}
