// What is offered on an event: the markets of its board, as many as fit the wanted rate.

import type { LeagueModel } from './league-model.js';
import type { Prop } from './props.js';

export type SlotKind = 'moneyline' | 'spread' | 'total' | 'home_total' | 'away_total' | 'prop';

export interface SlotPlan {
  kind: SlotKind;
  /** Alternate lines on either side of the main one. */
  alternates: number;
  prop: Prop | null;
}

/** Quotes of one book on one event: bounds of what a rate may lead to. */
const QUOTES_MIN = 6;
const QUOTES_MAX = 64;
/** Seconds between two polls that boards are sized for. */
const POLL_S = 40;
/** A goal is a large step: lines two goals away are almost certain. */
const ALTERNATES_MAX = { points: 4, goals: 2 };

/** Quotes of one book on one event that fit the rate (quotes a second over all books and events). */
export function boardSize(rate: number, books: number, events: number): number {
  return Math.round(Math.max(QUOTES_MIN, Math.min(QUOTES_MAX, (rate * POLL_S) / (books * events))));
}

/** Main markets always; then team totals, alternate lines and the first of the props as far as `size` quotes go. */
export function planBoard(model: LeagueModel, props: readonly Prop[], size: number): SlotPlan[] {
  const scores = model.family === 'points' || model.family === 'goals';
  let room = size - QUOTES_MIN;
  const teamTotals = scores && room >= 8;
  if (teamTotals) room -= 4;
  const most = model.family === 'points' ? ALTERNATES_MAX.points : scores ? ALTERNATES_MAX.goals : 0;
  const alternates = Math.min(most, Math.floor((room * 0.3) / 8 + 0.5));
  room -= 8 * alternates;
  const slot = (kind: SlotPlan['kind'], count = 0): SlotPlan => ({ kind, alternates: count, prop: null });
  const plan = [slot('moneyline')];
  if (model.family !== 'rounds') plan.push(slot('spread', alternates));
  plan.push(slot('total', alternates));
  if (teamTotals) plan.push(slot('home_total'), slot('away_total'));
  for (const prop of props.slice(0, Math.max(0, Math.floor(room / 2))))
    plan.push({ kind: 'prop', alternates: 0, prop });
  return plan;
}
