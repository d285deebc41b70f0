// Rules by which the page notifies: kind, minimum edge, scope.
import type { OpportunityChannel, OpportunityItem, OpportunityItems } from '../../src/client/client.js';

import { legsOf } from './legs.js';
import { type OddsFormat, percentText, priceText, words } from './odds-format.js';
import { chipsOf, reservationsOf } from './reservations.js';

export interface AlertRule {
  id: string;
  kind: OpportunityChannel;
  /** Minimum edge (EV, profit, expected value), or maximum hold of a low hold; percent. */
  least: number;
  /** League ids; none means all. */
  leagues: string[];
  /** Book ids of which one must be in the opportunity; none means all. */
  books: string[];
  live: 'all' | 'live' | 'prematch';
  sound: boolean;
  notify: boolean;
}

export const RULES_MAX = 50;

/** The ranking value of an opportunity, percent: the more the better, a low hold is negative. */
export const EDGE: { readonly [Kind in OpportunityChannel]: (item: OpportunityItems[Kind]) => number } = {
  ev: (item) => item.ev_percentage,
  arbitrage: (item) => item.profit_percent,
  middles: (item) => item.expected_value,
  low_hold: (item) => -item.hold_percentage,
};

export function edgeOf(kind: OpportunityChannel, item: OpportunityItem): number {
  return EDGE[kind](item as never);
}

/** Ids of its books. */
export function booksOf(kind: OpportunityChannel, item: OpportunityItem): string[] {
  switch (kind) {
    case 'ev':
      return [(item as OpportunityItems['ev']).sportsbook];
    case 'arbitrage':
      return (item as OpportunityItems['arbitrage']).legs.map(({ sportsbook }) => sportsbook);
    case 'middles': {
      const { side1, side2 } = item as OpportunityItems['middles'];
      return [side1.book, side2.book];
    }
    case 'low_hold': {
      const { side1, side2, side3 } = item as OpportunityItems['low_hold'];
      return [...side1.books, ...side2.books, ...(side3?.books ?? [])];
    }
  }
}

/** What the page is sent at all, percent: the lowest edges, and the highest hold. */
export const HEARD: Readonly<Record<OpportunityChannel, number>> = { ev: 0.5, arbitrage: 0, middles: 0, low_hold: 5 };

/** Why a rule with this percent would not hear all that it says; '' if it does. */
export function unheardText(kind: OpportunityChannel, least: number): string {
  const most = HEARD[kind];
  if (kind === 'low_hold') return least > most ? `This page hears low holds up to ${most} %.` : '';
  return least < most ? `This page hears ${SAID[kind]} from ${most} %.` : '';
}

/** Percent of a rule for all that are as good as this one. @param edge as EDGE has it */
export function leastFor(kind: OpportunityChannel, edge: number): number {
  return kind === 'low_hold' ? Math.ceil(edge * -10) / 10 : Math.floor(edge * 10) / 10;
}

export function ruleMatches(rule: AlertRule, kind: OpportunityChannel, item: OpportunityItem): boolean {
  if (rule.kind !== kind) return false;
  const edge = edgeOf(kind, item);
  if (kind === 'low_hold' ? -edge > rule.least : edge < rule.least) return false;
  if (rule.leagues.length > 0 && !rule.leagues.includes(item.league)) return false;
  if (rule.live !== 'all' && item.is_live !== (rule.live === 'live')) return false;
  return rule.books.length === 0 || booksOf(kind, item).some((book) => rule.books.includes(book));
}

const SAID: Readonly<Record<OpportunityChannel, string>> = {
  ev: '+EV',
  arbitrage: 'Arbitrage',
  middles: 'Middle',
  low_hold: 'Low hold',
};

/** All that it takes to bet: how good, on what, at which price and book; and what speaks against it. */
export function alertText(
  kind: OpportunityChannel,
  item: OpportunityItem,
  format: OddsFormat,
  nameOf: (book: string) => string,
): string {
  const bets = legsOf(kind, item).map(
    (leg) => `${leg.outcome} ${priceText(leg, format)} at ${leg.books.map(nameOf).join(', ')}`,
  );
  const [gravest] = chipsOf(reservationsOf(kind, item));
  const but = gravest === undefined || gravest.look === 'hint' || gravest.look === 'good' ? '' : ` (${gravest.text})`;
  return `${SAID[kind]} ${percentText(Math.abs(edgeOf(kind, item)))}${but}: ${bets.join(' / ')} · ${item.event_name}, ${words(item.market_type)}`;
}

/** Rules from stored text; invalid ones are dropped. */
export function rulesOf(text: string | null): AlertRule[] {
  let list: unknown;
  try {
    list = JSON.parse(text ?? '[]');
  } catch {
    // Written by another program: treated as if nothing were stored.
    return [];
  }
  return Array.isArray(list) ? list.filter(isRule).slice(0, RULES_MAX) : [];
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');

function isRule(value: unknown): value is AlertRule {
  const rule = (value ?? {}) as Partial<Record<keyof AlertRule, unknown>>;
  return (
    typeof rule.id === 'string' &&
    typeof rule.kind === 'string' &&
    Object.hasOwn(EDGE, rule.kind) &&
    typeof rule.least === 'number' &&
    isTexts(rule.leagues) &&
    isTexts(rule.books) &&
    typeof rule.live === 'string'
  );
}
