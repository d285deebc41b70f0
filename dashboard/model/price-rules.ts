// Rules by which the page tells that a price was reached: one outcome at one line, at one book or any.
import type { OddsRow } from '../../src/client/client.js';
import { decimalFromAmerican } from '../../src/model/price.js';
import { lineText } from './odds-format.js';

export interface PriceRule {
  id: string;
  eventId: string;
  eventName: string;
  market: string;
  selection: string;
  player: string | null;
  line: number | null;
  /** Book id; '' is any. */
  book: string;
  /** Reached from it on. */
  decimal: number;
  sound: boolean;
  notify: boolean;
}

export const PRICE_RULES_MAX = 50;

export function outcomeOf({ player, selection, line, market }: PriceRule): string {
  return [player, selection, lineText(line, market)].filter(Boolean).join(' ');
}

/** `+105`, `-110` or `2.05`; undefined if it is no price. */
export function parsePrice(text: string): number | undefined {
  const given = Number(text.trim().replace(',', '.').replace(/^\+/, ''));
  if (!Number.isFinite(given)) return undefined;
  if (Math.abs(given) >= 100) return decimalFromAmerican(given);
  return given > 1 ? given : undefined;
}

const EQUAL = 1e-9;

/** Whether the row is of the rule's outcome, line and book, can be bet, and is at the price or better. */
export function priceReached(rule: PriceRule, row: OddsRow): boolean {
  return (
    row.event_id === rule.eventId &&
    row.market_type === rule.market &&
    row.selection === rule.selection &&
    row.line === rule.line &&
    (row.player_name ?? null) === rule.player &&
    row.is_active &&
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
    (rule.player === null || typeof rule.player === 'string')
  );
}
