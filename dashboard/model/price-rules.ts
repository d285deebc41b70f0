// Rules by which the page tells that a price was reached: one outcome at one line, at one book or any.

import type { OddsRow } from '../../src/client/client.js';
import { isSameOutcome, outcomeText, type Subject, subjectOf } from './outcome.js';
import { isOffered } from './whole.js';

export interface PriceRule {
  id: string;
  eventId: string;
  eventName: string;
  market: string;
  selection: string;
  /** Player or team, if it is not about the game. */
  of: Subject;
  line: number | null;
  /** Book id; '' is any. */
  book: string;
  /** Reached from it on. */
  decimal: number;
  sound: boolean;
  notify: boolean;
}

export const PRICE_RULES_MAX = 50;

const outcomeOf = ({ of, market, selection, line }: PriceRule) => ({ ...of, market_type: market, selection, line });

export function ruleText(rule: PriceRule): string {
  return outcomeText(outcomeOf(rule));
}

/** A rule on the row's outcome at its line. */
export function ruleOn(row: OddsRow, how: Pick<PriceRule, 'id' | 'book' | 'decimal' | 'sound' | 'notify'>): PriceRule {
  return {
    ...how,
    eventId: row.event_id,
    eventName: `${row.away_team} @ ${row.home_team}`,
    market: row.market_type,
    selection: row.selection,
    of: subjectOf(row),
    line: row.line,
  };
}

const EQUAL = 1e-9;

/**
 * Whether the row is of the rule's outcome, line and book, can be bet, and is at the price or better.
 * @param namesakes of the row's game
 */
export function priceReached(rule: PriceRule, row: OddsRow, namesakes: readonly string[] = []): boolean {
  return (
    row.event_id === rule.eventId &&
    isSameOutcome(outcomeOf(rule), row, namesakes) &&
    isOffered(row) &&
    (rule.book === '' || row.sportsbook === rule.book) &&
    row.odds_decimal >= rule.decimal - EQUAL
  );
}

/** Rules from stored text; invalid ones are dropped. */
export function priceRulesOf(text: string | null): PriceRule[] {
  let list: unknown;
  try {
    list = JSON.parse(text ?? '[]');
  } catch {
    // Written by another program: treated as if nothing were stored.
    return [];
  }
  return Array.isArray(list) ? list.filter(isRule).slice(0, PRICE_RULES_MAX) : [];
}

const TEXTS = ['id', 'eventId', 'eventName', 'market', 'selection', 'book'] as const;

function isRule(value: unknown): value is PriceRule {
  const rule = (value ?? {}) as Partial<Record<keyof PriceRule, unknown>>;
  return (
    TEXTS.every((name) => typeof rule[name] === 'string') &&
    typeof rule.decimal === 'number' &&
    (rule.line === null || typeof rule.line === 'number') &&
    typeof rule.of === 'object' &&
    rule.of !== null
  );
}
