// What a book states of a row beside its price. Most books state nothing, and equal rows share one object. A new detail
// needs a field here (also in its JSON and in the store's cells, which earlier stores lack), in log/delta/delta.ts and
// in the ingest message; docs/project/architecture.md has the rest.
import { detachedText } from '../memory/detached-text.js';
import { type Commission, sameCommission } from './commission.js';
import type { DepthText } from './depth.js';
import type { ExchangeDetails, NormalMarket, NormalQuote } from './normal-message.js';

export interface RowDetails {
  /** Maximum stake the book accepts, in its currency. */
  readonly maxBet: number | null;
  /** Percent of bets. */
  readonly publicBetPct: number | null;
  /** Null if the book is no exchange. */
  readonly exchange: ExchangeDetails | null;
}

export const NO_DETAILS: RowDetails = { maxBet: null, publicBetPct: null, exchange: null };

/** Nothing but what can be had at the price, and a market's own commission. */
export function exchangeDetails(size: number | null, commission: Commission | undefined): RowDetails {
  if (size === null && commission === undefined) return NO_DETAILS;
  return { maxBet: null, publicBetPct: null, exchange: [size, null, null, null, commission ?? null] };
}

let last = NO_DETAILS;

/** An object shared by rows. */
function shared(maxBet: number | null, publicBetPct: number | null, exchange: ExchangeDetails | null): RowDetails {
  // An exchange states different values for each row.
  if (exchange !== null) return { maxBet, publicBetPct, exchange };
  if (maxBet === null && publicBetPct === null) return NO_DETAILS;
  if (last.maxBet !== maxBet || last.publicBetPct !== publicBetPct) last = { maxBet, publicBetPct, exchange };
  return last;
}

/** The details that the quote states, with texts of their own. */
export function detailsOf({ maxBet }: NormalMarket, { 8: publicBetPct, 10: exchange }: NormalQuote): RowDetails {
  return shared(maxBet, publicBetPct, exchange === null ? null : detachedExchange(exchange));
}

/** The same with texts of their own: they outlive the message. */
export function detachedDetails(details: RowDetails): RowDetails {
  const { maxBet, publicBetPct, exchange } = details;
  return exchange === null ? details : { maxBet, publicBetPct, exchange: detachedExchange(exchange) };
}

function detachedExchange(exchange: ExchangeDetails): ExchangeDetails {
  const [size, volume24h, openInterest, tokenId, commission, depth] = exchange;
  const fixed = [size, volume24h, openInterest, detachedText(tokenId)] as const;
  if (depth !== undefined) return [...fixed, commission ?? null, detachedText(depth)];
  return commission === undefined ? fixed : [...fixed, commission];
}

/** Whether the quote states exactly these, apart from the depth. */
export function statesDetails(
  { maxBet }: NormalMarket,
  { 8: publicBetPct, 10: exchange }: NormalQuote,
  details: RowDetails,
): boolean {
  return details.maxBet === maxBet && details.publicBetPct === publicBetPct && sameExchange(details.exchange, exchange);
}

/** Null if none is stated. */
export function statedDepth({ 10: exchange }: NormalQuote): DepthText | null {
  return exchange?.[5] ?? null;
}

export function depthOfDetails({ exchange }: RowDetails): DepthText | null {
  return exchange?.[5] ?? null;
}

function sameExchange(a: ExchangeDetails | null, b: ExchangeDetails | null): boolean {
  if (a === b || a === null || b === null) return a === b;
  return a[0] === b[0] && a[1] === b[1] && a[2] === b[2] && sameFixedExchange(a, b);
}

function sameFixedExchange(a: ExchangeDetails, b: ExchangeDetails): boolean {
  return a[3] === b[3] && sameCommission(a[4] ?? null, b[4] ?? null);
}

/** Whether they differ in an exchange's amounts at most, which change with nearly every price. */
export function sameFixedDetails(a: RowDetails, b: RowDetails): boolean {
  if (a.maxBet !== b.maxBet || a.publicBetPct !== b.publicBetPct) return false;
  if (a.exchange === null || b.exchange === null) return a.exchange === b.exchange;
  return sameFixedExchange(a.exchange, b.exchange);
}

/**
 * The maximum that can be staked at a row's price, in the book's currency: the lesser of the book's limit and the
 * amount available. Null if neither is known.
 */
export function stakeMax({ maxBet, exchange }: RowDetails): number | null {
  const size = exchange === null ? null : exchange[0];
  if (maxBet === null || size === null) return maxBet ?? size;
  return Math.min(maxBet, size);
}

/** The row's own commission if it differs from its book's (rate 0: none); undefined if it does not. */
export function ownCommission({ exchange }: RowDetails): Commission | undefined {
  return exchange?.[4] ?? undefined;
}

/** Fields of the row's JSON, each preceded by a comma; the depth is added for those who ask for it. */
export function encodeDetails({ maxBet, publicBetPct, exchange }: RowDetails): string {
  let json = '';
  if (publicBetPct !== null) json += `,"public_bet_pct":${publicBetPct}`;
  if (maxBet !== null) json += `,"max_bet":${maxBet}`;
  if (exchange === null) return json;
  const [size, volume24h, openInterest, tokenId, commission = null] = exchange;
  if (size !== null) json += `,"size":${size}`;
  if (volume24h !== null) json += `,"volume_24h":${volume24h}`;
  if (openInterest !== null) json += `,"open_interest":${openInterest}`;
  if (tokenId !== null) json += `,"exchange_token_id":${JSON.stringify(tokenId)}`;
  if (commission !== null) json += `,"commission":${JSON.stringify(commission)}`;
  return json;
}

/** An exchange's amounts in a slab of numbers: [f64 size][f64 volume24h][f64 openInterest], NaN for null. */
export const AMOUNT_BYTES = 24;
const NO_AMOUNTS = [null, null, null] as const;

export function packAmounts(exchange: ExchangeDetails | null, view: DataView, at: number): void {
  const [size, volume24h, openInterest] = exchange ?? NO_AMOUNTS;
  view.setFloat64(at, size ?? Number.NaN, true);
  view.setFloat64(at + 8, volume24h ?? Number.NaN, true);
  view.setFloat64(at + 16, openInterest ?? Number.NaN, true);
}

/** `details` with the amounts that packAmounts wrote, and the depth stored beside them. */
export function withAmounts(
  details: ExchangeDetails,
  view: DataView,
  at: number,
  depth: DepthText | null,
): ExchangeDetails {
  const amount = (i: number): number | null => {
    const value = view.getFloat64(at + i * 8, true);
    return Number.isNaN(value) ? null : value;
  };
  const [, , , tokenId, commission] = details;
  const amounts = [amount(0), amount(1), amount(2), tokenId] as const;
  if (depth !== null) return [...amounts, commission ?? null, depth];
  return commission === undefined ? amounts : [...amounts, commission];
}

/** Without the depth, which changes with every price and is kept beside the rows. */
export function withoutDepth(details: RowDetails): RowDetails {
  const { exchange } = details;
  return exchange === null || exchange.length < 6 ? details : { ...details, exchange: fixedExchange(exchange) };
}

/** With the depth that is kept beside it; an exchange alone has one. */
export function withDepth(details: RowDetails, depth: DepthText | null): RowDetails {
  const { exchange } = details;
  if (exchange === null || (exchange[5] ?? null) === depth) return details;
  const [size, volume24h, openInterest, tokenId, commission = null] = exchange;
  const deep: ExchangeDetails = [size, volume24h, openInterest, tokenId, commission, depth];
  return { ...details, exchange: depth === null ? fixedExchange(deep) : deep };
}

export function fixedExchange(exchange: ExchangeDetails): ExchangeDetails {
  if (exchange.length < 6) return exchange;
  const [size, volume24h, openInterest, tokenId, commission = null] = exchange;
  return commission === null
    ? [size, volume24h, openInterest, tokenId]
    : [size, volume24h, openInterest, tokenId, commission];
}

/** The numbers of a row in its fixed slab; exchange data is stored beside them. */
export const DETAIL_CELLS = 2;

export function pushDetails({ maxBet, publicBetPct }: RowDetails, cells: (number | null)[]): void {
  cells.push(maxBet, publicBetPct);
}

/** Reads what pushDetails wrote at index `at`. */
export function readDetails(
  cells: readonly (number | null)[],
  at: number,
  exchange: ExchangeDetails | null,
): RowDetails {
  return shared(cells[at]!, cells[at + 1]!, exchange);
}
