// How each book behaves: how fast it is, its margins, its rounding, its mistakes. Books of one owner share one price
// feed and so one style.

import { americanFromDecimal } from '../../../base/model/price.js';
import { deepLink } from '../../../rules/catalogue/deep-link.js';
import type { BookEntry } from '../../../rules/catalogue/file-schema.js';
import { TIERS } from '../../../rules/catalogue/types.js';
import { mix, textSeed, unit } from './prng.js';

const SHARP_REFERENCE = 'pinnacle';
/** Most leave the prices on the page, locked. */
const SUSPENDING_BOOKS = 0.65;
const TICKETS_BOOK = 'draftkings';

/** The style of a kind of book, beyond what follows from its catalogue entry. */
interface Manner {
  readonly grid: Grid;
  /** Margins in log odds. */
  readonly mainMargin: number;
  readonly alternateMargin: number;
  readonly propMargin: number;
  readonly liveFactor: number;
  /** Delay behind the market. */
  readonly delayMs: number;
  readonly liveDelayMs: number;
  /** Deviation of its opinion from the market's, log odds; and a constant bias to overs and favourites. */
  readonly biasMax: number;
  readonly lean: number;
  /** Moves below this (log odds) are ignored. */
  readonly patience: number;
  /** Chance that one market is mispriced within one period. */
  readonly errorChance: number;
  readonly pollMs?: number;
  readonly livePollMs?: number;
  /** Share of events, and of props, that it offers. */
  readonly coverage: number;
  /** Whether it offers half-point lines only, so that there is no push. */
  readonly halfLinesOnly: boolean;
}

export type BookStyle = ReturnType<typeof commonStyle> & Manner;

/** @param levels of the order books of exchanges */
export function bookStyle(book: BookEntry, marketSeed: number, levels: number): BookStyle {
  const common = commonStyle(book, marketSeed, levels);
  const { feedSeed } = common;
  const between: Between = (n, low, high) => low + (high - low) * unit(feedSeed, n);
  const american = book.regions.includes('US');
  if (book.id === SHARP_REFERENCE || book.isSharp) return { ...common, ...sharpManner(between) };
  if (book.isExchange) return { ...common, ...exchangeManner(between, american), alternates: false };
  return { ...common, ...softManner(between, american), givesState: true };
}

/** A number between two bounds that depends on the owner and `n`. */
type Between = (n: number, low: number, high: number) => number;

function commonStyle(book: BookEntry, marketSeed: number, levels: number) {
  const bookSeed = mix(marketSeed, textSeed(book.id));
  const feedSeed = mix(marketSeed, textSeed(book.owner));
  const links = book.deepLink;
  return {
    book,
    /** Of the book's owner: for what books of one owner have in common. */
    feedSeed,
    bookSeed,
    showsTickets: book.id === TICKETS_BOOK,
    showsLimits: book.id === SHARP_REFERENCE,
    /** Whether the message contains finished links, or leaves them to the catalogue's templates. */
    linksFixed: links !== null && !links.stateDependent && (links.outcome !== null || links.event !== null),
    /** Whether outcome ids are written `market/outcome`. */
    outcomeWithMarket: links?.outcome?.includes('{market}') === true,
    outcomeIds: links !== null && links.outcome !== null,
    /** Shown of each side of its order books. */
    levels: book.isExchange ? levels : 0,
    contracts: book.commission?.model === 'contract',
    quarterLines: !book.regions.includes('US'),
    alternates: true,
    givesState: false,
    /** Whether markets that take no bets are shown as suspended, or not at all. */
    suspends: unit(feedSeed, 0x5d) < SUSPENDING_BOOKS,
    pollMs: Math.round(15_000 + 40_000 * unit(bookSeed, 1)),
    livePollMs: Math.round(5_000 + 4_500 * unit(bookSeed, 2)),
  };
}

/** First to move, thin margins, no mistakes, polled more often than any other. */
function sharpManner(between: Between): Manner {
  return {
    grid: 'cent',
    mainMargin: marginOf(between(1, 1.021, 1.025)),
    alternateMargin: marginOf(1.048),
    propMargin: marginOf(1.05),
    liveFactor: 1.3,
    delayMs: 0,
    liveDelayMs: 0,
    biasMax: 0.004,
    lean: 0,
    patience: 0.008,
    errorChance: 0,
    pollMs: 12_000,
    livePollMs: 4_000,
    coverage: 1,
    halfLinesOnly: false,
  };
}

/** Close behind the sharp book, thin margins, main lines only. */
function exchangeManner(between: Between, american: boolean): Manner {
  return {
    grid: american ? 'cent' : 'decimal',
    mainMargin: marginOf(between(1, 1.026, 1.036)),
    alternateMargin: marginOf(1.045),
    propMargin: marginOf(1.055),
    liveFactor: 1.6,
    delayMs: between(2, 1_000, 3_000),
    liveDelayMs: 800,
    biasMax: 0.012,
    lean: 0,
    patience: 0.015,
    errorChance: 0,
    coverage: 0.85,
    halfLinesOnly: false,
  };
}

/** Follows after seconds, some after nearly a minute; wide margins, opinions of its own and occasional mistakes. */
function softManner(between: Between, american: boolean): Manner {
  const slow = between(3, 0, 1) < 0.15;
  const mainMargin = marginOf(between(1, 1.044, 1.068));
  return {
    grid: american ? (between(4, 0, 1) < 0.4 ? 'cent' : 'nickel') : 'decimal',
    mainMargin,
    alternateMargin: marginOf(between(5, 1.058, 1.08)),
    propMargin: marginOf(between(6, 1.065, 1.085)),
    liveFactor: 1.3,
    delayMs: slow ? between(2, 25_000, 45_000) : between(2, 3_000, 18_000),
    liveDelayMs: between(7, 800, 4_000),
    // Often beyond the sharp book's margin, and so the best price; seldom beyond its own, which would be a bettor's edge.
    biasMax: mainMargin * between(8, 0.6, 0.85),
    lean: between(9, 0, 0.012),
    patience: between(10, 0.015, 0.03),
    errorChance: between(11, 0.0002, 0.0006),
    coverage: between(12, 0.82, 1),
    halfLinesOnly: between(13, 0, 1) < 0.4,
  };
}

const EVENT_IDS = 900_000_000;
/** Coprime to EVENT_IDS, so that a book gives no id twice. */
const EVENT_ID_STRIDE = 7_919_317;

/** The book's own id of an event: nine digits. */
export function eventExternalId(style: BookStyle, eventSerial: number): string {
  return String(100_000_000 + ((style.bookSeed + eventSerial * EVENT_ID_STRIDE) % EVENT_IDS));
}

/** The book's id of an outcome, and its link where one link serves all states. */
export function outcomeIds(style: BookStyle, eventId: string, marketSeed: number, outcomeSeed: number) {
  const outcome = 10_000_000 + (mix(style.bookSeed, marketSeed, outcomeSeed) % 90_000_000);
  const market = 1_000_000 + (mix(style.bookSeed, marketSeed) % 9_000_000);
  const externalId = style.outcomeIds
    ? style.outcomeWithMarket
      ? `${market}.${outcome % 10}/${outcome}`
      : String(outcome)
    : null;
  if (!style.linksFixed) return { external_id: externalId };
  const link = deepLink(style.book, { state: '', eventExternalId: eventId, outcomeExternalId: externalId });
  return { external_id: externalId, deep_link: link === null || link.type === 'homepage' ? null : link.url };
}

/**
 * The participating books: the catalogue's first ones by tier, so that every tier sees some; with two or more, the
 * sharp reference is among them.
 */
export function chooseBooks(books: readonly BookEntry[], count: number): BookEntry[] {
  const ranked = [...books].sort((a, b) => TIERS.indexOf(a.requiresTier) - TIERS.indexOf(b.requiresTier));
  const chosen = ranked.slice(0, count);
  const sharp = books.find((book) => book.id === SHARP_REFERENCE) ?? books.find((book) => book.isSharp);
  if (count >= 2 && sharp !== undefined && !chosen.includes(sharp)) chosen[chosen.length - 1] = sharp;
  return books.filter((book) => chosen.includes(book));
}

// From a fair probability to the price a book shows: its margin, its grid, its format.

/** `cent`: every American price. `nickel`: multiples of five. `decimal`: European prices with two decimals. */
export type Grid = 'cent' | 'nickel' | 'decimal';

/** Minimum overround after rounding to the grid: no book offers an arbitrage against itself. */
const OVERROUND_MIN = 1.003;

export function logit(p: number): number {
  return Math.log(p / (1 - p));
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/**
 * Implied probabilities of all sides of one market: the fair ones shifted by `offset` (log odds, towards the first
 * side) and each raised by `margin` (log odds). With three sides the middle one is the draw and is not shifted.
 */
export function withMargin(fair: readonly number[], offset: number, margin: number): number[] {
  const last = fair.length - 1;
  const seen = fair.map((p, i) => logistic(logit(p) + (i === 0 ? offset : i === last ? -offset : 0)));
  // Two sides still sum to 1; three may not, and the difference would reduce the margin.
  const sum = seen.reduce((a, b) => a + b, 0);
  return seen.map((p) => logistic(logit(p / sum) + margin));
}

/** Margin in log odds that gives an even two-way market this overround (1.045 …). */
export function marginOf(overround: number): number {
  return logit(overround / 2);
}

/**
 * The prices (American, or decimal on that grid) of the implied probabilities; a market never goes below OVERROUND_MIN.
 */
export function toGrid(implied: readonly number[], grid: Grid): number[] {
  let prices = implied.map((q) => gridPrice(q, grid, false));
  if (overround(prices, grid) < OVERROUND_MIN) prices = implied.map((q) => gridPrice(q, grid, true));
  return prices;
}

/** Sum of the implied probabilities of prices of one grid. */
export function overround(prices: readonly number[], grid: Grid): number {
  let sum = 0;
  for (const price of prices)
    sum += grid === 'decimal' ? 1 / price : price > 0 ? 100 / (price + 100) : price / (price - 100);
  return sum;
}

/** `against` rounds to the bettor's disadvantage instead of to the nearest price. */
function gridPrice(q: number, grid: Grid, against: boolean): number {
  const decimal = 1 / q;
  if (grid === 'decimal') return decimalPrice(decimal, against);
  const american = decimal >= 2 ? (decimal - 1) * 100 : -100 / (decimal - 1);
  const step = americanStep(Math.abs(american), grid);
  const price = against ? Math.floor(american / step) * step : Math.round(american / step) * step;
  // Between -100 and +100 there is no price.
  if (price < 100 && price > -100) return against ? -100 - step : 100;
  return price === -100 ? 100 : price;
}

function americanStep(size: number, grid: Grid): number {
  const least = grid === 'cent' ? 1 : 5;
  if (size < 200) return least;
  if (size < 500) return grid === 'cent' ? 2 : 10;
  if (size < 1_000) return grid === 'cent' ? 5 : 25;
  return 50;
}

function decimalPrice(decimal: number, against: boolean): number {
  const step = decimal < 3 ? 0.01 : decimal < 6 ? 0.05 : decimal < 12 ? 0.1 : 0.5;
  const steps = against ? Math.floor(decimal / step) : Math.round(decimal / step);
  return Math.max(1.01, Math.round(steps * step * 100) / 100);
}

/** American odds of a price of the grid. */
export function asAmerican(price: number, grid: Grid): number {
  return grid === 'decimal' ? americanFromDecimal(price) : price;
}
