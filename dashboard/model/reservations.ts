// What the server holds against an opportunity, in words: its warnings, the results on which it makes something else than
// it prints, and how far its numbers can be trusted.

import { WARNINGS, type Warning } from '../../src/base/model/warnings.js';
import type { OpportunityChannel, OpportunityItem, OpportunityItems } from '../../src/client/client.js';
import { words } from './odds-format.js';

/** A result of a played game that does not make what the opportunity prints. */
export interface Exception {
  result: string;
  /** Of the total stake, with the stakes as printed. */
  profitPercent: number;
}

/** What an opportunity says of itself besides its prices. */
export interface Reservations {
  /** Codes, as the server sends them; a newer server may send codes that are not in the table. */
  warnings: readonly string[];
  exceptions: readonly Exception[];
  /** It wins on every result of a game that is played. */
  isGuaranteed: boolean;
  /** 0-100; null for kinds without such a number. */
  confidence: number | null;
}

/** For a price that is no opportunity. */
export const NO_RESERVATIONS: Reservations = { warnings: [], exceptions: [], isGuaranteed: false, confidence: null };

export interface Chip {
  text: string;
  /** What it means, at length. */
  title: string;
  /** `loss`: money is lost there; `warn`: it may be; `hint`: good to know. */
  look: 'loss' | 'warn' | 'hint' | 'good';
}

const SHORT: Readonly<Record<Warning, string>> = {
  PUSH_POSSIBLE: 'may be refunded',
  NET_OF_COMMISSION: 'net of commission',
  UNKNOWN_COMMISSION: 'commission unknown',
  FEE_ASSUMED: 'fee assumed',
  RULES_DIFFER: 'rules differ',
  TIE_SETTLES_HALF: 'tie pays half',
  VOID_DIFFERS: 'refunds differ',
  CURRENCIES_DIFFER: 'no exchange rate',
  STAKE_TOO_LARGE: 'stake too large',
  SUSPICIOUS_PROFIT: 'price probably wrong',
  LAY_LEG: 'one leg is a lay',
  SAME_OWNER: 'same owner',
  IMPLAUSIBLE_EV: 'price probably wrong',
  FEW_BOOKS: 'few books',
  WIDE_REFERENCE: 'fair price uncertain',
  ONE_SIDED_PRICES: 'one-sided prices',
  ASSUMED_DISTRIBUTION: 'chance assumed',
  WHOLE_GAME_DISTRIBUTION: 'chance too large in play',
};

/** They say how the numbers are meant, and hold nothing against the bet. */
const NOTES: ReadonlySet<string> = new Set<Warning>(['PUSH_POSSIBLE', 'NET_OF_COMMISSION', 'LAY_LEG']);
/** The first to be seen where there is room for one. */
const FIRST: readonly string[] = ['SUSPICIOUS_PROFIT', 'IMPLAUSIBLE_EV', 'CURRENCIES_DIFFER'] satisfies Warning[];
/** Below it the confidence is told as a reason against the bet. */
const CONFIDENT_FROM = 30;

export function reservationsOf(kind: OpportunityChannel, item: OpportunityItem): Reservations {
  const warnings = item.warnings ?? [];
  const exceptions = ('exceptions' in item ? item.exceptions : []).map(({ result, profit_percent }) => ({
    result,
    profitPercent: profit_percent,
  }));
  return { warnings, exceptions, isGuaranteed: isGuaranteed(kind, item), confidence: confidenceOf(kind, item) };
}

/** Of a middle as the server says; an arbitrage is where none of its exceptions loses. Nothing else is. */
function isGuaranteed(kind: OpportunityChannel, item: OpportunityItem): boolean {
  if (kind === 'middles') return (item as OpportunityItems['middles']).is_guaranteed_profit;
  if (kind !== 'arbitrage') return false;
  const { profit_percent, exceptions } = item as OpportunityItems['arbitrage'];
  return profit_percent > 0 && (exceptions ?? []).every((exception) => exception.profit_percent >= 0);
}

function confidenceOf(kind: OpportunityChannel, item: OpportunityItem): number | null {
  if (kind === 'ev') return (item as OpportunityItems['ev']).confidence_score ?? null;
  return kind === 'low_hold' ? ((item as OpportunityItems['low_hold']).confidence ?? null) : null;
}

/** The gravest first: results that lose, then what may cost money, then what is good to know. */
export function chipsOf({ warnings, exceptions, isGuaranteed: sure, confidence }: Reservations): Chip[] {
  const losing = exceptions
    .filter(({ profitPercent }) => profitPercent < 0)
    .map(
      ({ result, profitPercent }): Chip => ({
        text: `${words(result)} ${percentOf(profitPercent)}`,
        title: `If the game ends so (${words(result)}), ${percentOf(profitPercent)} of the whole stake is lost`,
        look: 'loss',
      }),
    );
  const told = [...warnings].sort((a, b) => Number(FIRST.includes(b)) - Number(FIRST.includes(a)));
  const doubt: Chip[] =
    confidence === null || confidence >= CONFIDENT_FROM
      ? []
      : [
          {
            text: `low confidence ${Math.round(confidence)}`,
            title: 'Trust in the numbers, of 100: how many books agree, and how fresh they are',
            look: 'warn',
          },
        ];
  const chips = told.map(
    (code): Chip => ({
      text: SHORT[code as Warning] ?? words(code).toLowerCase(),
      title: WARNINGS[code as Warning] ?? words(code),
      look: NOTES.has(code) ? 'hint' : 'warn',
    }),
  );
  const guaranteed: Chip[] = sure
    ? [{ text: 'guaranteed', title: 'No result of a game that is played loses', look: 'good' }]
    : [];
  return [
    ...losing,
    ...chips.filter(({ look }) => look === 'warn'),
    ...doubt,
    ...guaranteed,
    ...chips.filter(({ look }) => look === 'hint'),
  ];
}

const percentOf = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(2)} %`;
