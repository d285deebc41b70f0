// Normalises one market of an event: its quotes become tuples with exact prices, and an invalid selection is rejected
// without the others.

import { type Commission, HIGHEST_EXPONENT, isRounding } from '../../base/model/commission.js';
import { type DepthText, depthWriter } from '../../base/model/depth.js';
import { isMap } from '../../base/model/json-map.js';
import { LIMITS } from '../../base/model/limits.js';
import type { ExchangeDetails, NormalEvent, NormalMarket, NormalQuote } from '../../base/model/normal-message.js';
import { isDecimalPrice, roundDecimal } from '../../base/model/price.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { contradictedSide, type GameOf, typeMeant } from '../../rules/catalogue/named-sides.js';
import { lineFault, nearestLine, unevenMain } from '../../rules/markets/lines.js';
import type { TypeRules } from '../../rules/markets/rules.js';
import { needsLine } from '../../rules/markets/sides.js';
import { isText, type Reader, type Refuse, readFairPrice, readPrice, statesNoPrice } from './fields.js';

export const MARKET_TYPE = /^[a-z0-9_]{1,64}$/;
const SELECTION_TYPE = /^[a-z0-9_]{1,32}$/;
const LINE_MAX = LIMITS.line.max;
const MONEY_MAX = LIMITS.money.max;
/** Index of the exchange data in a NormalQuote. */
const EXCHANGE = 10;
const NO_EXCHANGE_DETAILS: ExchangeDetails = [null, null, null, null];
export const NO_SELECTIONS = 'missing or not a list of objects';
/** A suspended selection may come without its price, and a removed one has none. */
const NO_PRICE = { american: null, decimal: null };

/** Results for objects that were passed before, if the caller passes the same ones again and never changes them. */
export interface NormalisedMarkets {
  /** Events without a rejection, by input object. */
  readonly events: Known<NormalEvent>;
  /** Quotes without a rejection, by input list of selections. */
  readonly quotes: Known<KnownQuotes>;
}

/** What a market's event says of it. */
export interface MarketContext {
  catalogue: Catalogue;
  sport: string;
  /** Its teams, as the message has home and away; null if they are not known. */
  game: GameOf | null;
  suspended: boolean;
  /** Its book is a model. */
  model: boolean;
  memory: NormalisedMarkets | undefined;
}

interface Known<Value> {
  get(key: object): Value | undefined;
  set(key: object, value: Value): void;
}

export interface KnownQuotes {
  rules: TypeRules;
  /** Whether a line that does not say so is an alternate one. */
  alternate: boolean;
  /** Whether prices may be omitted. */
  suspended: boolean;
  quotes: NormalQuote[];
}

/** Undefined, with a rejection noted, if the market as a whole is invalid. */
export function normaliseMarket(
  raw: unknown,
  path: string,
  read: Reader,
  event: MarketContext,
): NormalMarket | undefined {
  const { catalogue, sport, game, model, memory } = event;
  const { types } = catalogue;
  if (!isMap(raw)) return read.unreadable(path, 'not an object');
  const statedType = raw['market_type'];
  if (typeof statedType !== 'string' || !MARKET_TYPE.test(statedType))
    return read.reject(`${path}.market_type`, 'not [a-z0-9_]+');
  const { type, team: namedTeam, alternate } = types.stated(statedType, sport);
  const rules = types.of(type, sport);
  const name = raw['player_name'];
  const player = name == null ? null : read.optionalText(name, `${path}.player_name`);
  if (rules.subject === 'player' && player === null) return read.reject(`${path}.player_name`, `needed for ${type}`);
  const statedTeam = raw['team'] === 'home' || raw['team'] === 'away' ? raw['team'] : null;
  if (namedTeam !== null && statedTeam !== null && statedTeam !== namedTeam)
    return read.reject(`${path}.team`, `${statedType} is not about the ${statedTeam} team`);
  const team = namedTeam ?? statedTeam;
  if (rules.subject === 'team' && team === null) return read.reject(`${path}.team`, `${type} needs "home" or "away"`);
  const seenMs = read.optionalPast(raw['last_seen_at'], `${path}.last_seen_at`);
  if (seenMs === undefined) return undefined;
  const isActive = read.flag(raw['is_active'], `${path}.is_active`, true);
  if (isActive === undefined) return undefined;
  const active = isActive && !event.suspended;
  const selections = raw['selections'];
  if (!read.isReadableList(selections)) return read.unreadable(`${path}.selections`, NO_SELECTIONS);
  const commission = readCommission(raw['commission'], `${path}.commission`, read);
  if (model && commission !== null) return read.reject(`${path}.commission`, 'a model charges nothing');
  // Without a known commission the price after it is unknown, so the market is rejected.
  if (commission === undefined) return undefined;
  // The memory of quotes does not include commissions.
  const marketId = raw['market_id'] == null ? null : read.optionalId(raw['market_id'], `${path}.market_id`);
  const usable = commission === null ? memory : undefined;
  const quotes = normaliseQuotes(
    selections,
    { catalogue, rules, sport, game, alternate, suspended: !active, model },
    path,
    read,
    usable,
  );
  if (commission !== null) addCommission(quotes, commission);
  return {
    type,
    player,
    stat: raw['stat_category'] == null ? null : read.optionalText(raw['stat_category'], `${path}.stat_category`),
    team: rules.subject === 'team' ? team : null,
    maxBet: raw['max_bet'] == null ? null : read.optionalNumber(raw['max_bet'], `${path}.max_bet`, 0, 1e9),
    seenMs,
    active,
    quotes,
    ...(marketId === null ? {} : { id: marketId }),
  };
}

function addCommission(quotes: readonly NormalQuote[], commission: Commission): void {
  for (const quote of quotes) {
    const [size, volume24h, openInterest, tokenId, , depth] = quote[EXCHANGE] ?? NO_EXCHANGE_DETAILS;
    const amounts = [size, volume24h, openInterest, tokenId, commission] as const;
    quote[EXCHANGE] = depth == null ? amounts : [...amounts, depth];
  }
}

interface StatedMarket {
  catalogue: Catalogue;
  rules: TypeRules;
  sport: string;
  game: GameOf | null;
  alternate: boolean;
  suspended: boolean;
  model: boolean;
}

function normaliseQuotes(
  selections: readonly unknown[],
  market: StatedMarket,
  path: string,
  read: Reader,
  memory: NormalisedMarkets | undefined,
): NormalQuote[] {
  const { rules, sport, alternate, suspended } = market;
  const known = memory?.quotes.get(selections);
  if (known?.rules === rules && known.alternate === alternate && known.suspended === suspended) return known.quotes;
  const { refusals } = read;
  let quotes: NormalQuote[] = [];
  for (let i = 0; i < selections.length; i++) {
    const quote = normaliseQuote(selections[i], market, read, path, i);
    if (quote === undefined) continue;
    const stated = quote[2];
    // All but a few are whole quarters, which nothing is to be done about.
    if (stated !== null && !Number.isInteger(stated * 4)) quote[2] = nearestLine(rules, sport, stated);
    const fault = lineFault(rules, sport, quote[2]);
    if (fault === undefined) quotes.push(quote);
    else read.reject(`${path}.selections[${i}].line`, fault);
  }
  const uneven = unevenMain(rules, quotes);
  if (uneven !== undefined) {
    read.reject(`${path}.selections`, uneven.reason);
    quotes = quotes.filter((quote) => !uneven.sides.includes(quote));
  }
  if (memory !== undefined && read.refusals === refusals)
    memory.quotes.set(selections, { rules, alternate, suspended, quotes });
  return quotes;
}

/** Of a quote's market id; behind it stands what fewer quotes have. */
const MARKET_ID_AT = 11;

function normaliseQuote(
  raw: unknown,
  { catalogue, rules, game, suspended, alternate: alternates, model }: StatedMarket,
  read: Reader,
  marketPath: string,
  index: number,
): NormalQuote | undefined {
  const refuse: Refuse = (field, reason) => read.reject(`${marketPath}.selections[${index}]${field}`, reason);
  if (!isMap(raw)) return read.unreadable(`${marketPath}.selections[${index}]`, 'not an object');
  const statedType = raw['selection_type'];
  if (typeof statedType !== 'string' || !SELECTION_TYPE.test(statedType))
    return refuse('.selection_type', 'missing or not [a-z0-9_]+');
  const name = raw['selection'];
  if (!isText(name)) return refuse('.selection', 'missing, empty or not a readable name');
  const type = typeMeant(catalogue, rules, game, statedType, name);
  const said = game === null ? undefined : contradictedSide(catalogue, rules, game, name, type, statedType);
  if (said !== undefined) return refuse('.selection_type', contradiction(type, name, said, game!));
  // Not in a function of its own: a number that it returns would be boxed, for each quote.
  let line: number | null = null;
  const stated = raw['line'];
  if (stated !== undefined && stated !== null && rules.family !== 'winner') {
    const value = typeof stated === 'string' && stated.trim() !== '' ? Number(stated) : stated;
    if (typeof value !== 'number' || !(Math.abs(value) <= LINE_MAX))
      return refuse('.line', `not a number from -${LINE_MAX} to ${LINE_MAX}`);
    line = value === 0 ? 0 : value;
  }
  const at = `${marketPath}.selections[${index}]`;
  const active = read.flag(raw['is_active'], `${at}.is_active`, true);
  if (active === undefined) return undefined;
  const alternate = read.flag(raw['is_alternate_line'], `${at}.is_alternate_line`, alternates);
  // As a main line it would take the place of the book's real one.
  if (alternate === undefined) return undefined;
  const removed = read.flag(raw['is_removed'], `${at}.is_removed`, false);
  if (removed === undefined) return undefined;
  if (line === null && needsLine(rules, type)) {
    if (rules.family === 'winner') return refuse('.selection_type', `${rules.type} has no ${type}`);
    // A main line is removed whichever it is.
    if (alternate || !removed) return refuse('.line', `${rules.type} needs a line`);
  }
  const idField = raw['external_id'] == null ? 'selection_id' : 'external_id';
  const price =
    removed || ((suspended || !active) && statesNoPrice(raw))
      ? NO_PRICE
      : model
        ? readFairPrice(raw, refuse)
        : readPrice(raw, refuse);
  if (price === undefined) return undefined;
  const quote: NormalQuote = [
    name.trim(),
    type,
    line,
    price.american,
    price.decimal,
    alternate,
    raw['deep_link'] == null ? null : read.optionalUrl(raw['deep_link'], `${at}.deep_link`),
    raw[idField] == null ? null : read.optionalId(raw[idField], `${at}.${idField}`),
    raw['public_bet_pct'] == null ? null : read.optionalNumber(raw['public_bet_pct'], `${at}.public_bet_pct`, 0, 1),
    active,
    readExchange(raw, at, read),
  ];
  const marketId = raw['market_id'] == null ? null : read.optionalId(raw['market_id'], `${at}.market_id`);
  if (marketId !== null) quote.push(marketId);
  const indicative = read.flag(raw['indicative'], `${at}.indicative`, false);
  if (indicative === undefined) return undefined;
  if (!indicative && !model && !removed) return quote;
  if (quote.length === MARKET_ID_AT) quote.push(undefined);
  quote.push(removed ? 'removed' : model ? 'model' : 'indicative');
  return quote;
}

function contradiction(type: string, name: string, said: string, { home, away }: GameOf): string {
  return `${type}, but "${name.trim()}" is ${said} (${home} at home, ${away} away)`;
}

/** Null if none is stated, as for nearly every row. */
function readExchange(raw: Record<string, unknown>, at: string, read: Reader): ExchangeDetails | null {
  const { size, volume_24h, open_interest, exchange_token_id, depth } = raw;
  const lacksAmounts = size == null && volume_24h == null && open_interest == null && exchange_token_id == null;
  if (lacksAmounts && depth == null) return null;
  const ladder = depth == null ? null : readDepth(depth, `${at}.depth`, read);
  if (lacksAmounts && ladder === null) return null;
  const amounts = [
    read.optionalNumber(size, `${at}.size`, 0, MONEY_MAX),
    read.optionalNumber(volume_24h, `${at}.volume_24h`, 0, MONEY_MAX),
    read.optionalNumber(open_interest, `${at}.open_interest`, 0, MONEY_MAX),
    read.optionalId(exchange_token_id, `${at}.exchange_token_id`),
  ] as const;
  return ladder === null ? amounts : [...amounts, null, ladder];
}

// The commission that a message states for one of its markets.

const FIELDS = new Set(['model', 'rate', 'exponent', 'rounding']);

/** Null if none is stated; undefined, with a rejection noted, if it cannot be parsed. */
function readCommission(value: unknown, path: string, read: Reader): Commission | null | undefined {
  if (value === undefined || value === null) return null;
  const expected =
    '{model: "winnings", rate} or {model: "contract", rate, exponent?: 1 to 8, rounding?: "cent_up" | "centicent_up"}, the rate from 0 to below 1';
  const refuse = (): undefined => read.reject(path, `not ${expected}`);
  if (!isMap(value) || !Object.keys(value).every((field) => FIELDS.has(field))) return refuse();
  const { model, rate, exponent = null, rounding = null } = value;
  if (typeof rate !== 'number' || !(rate >= 0 && rate < 1)) return refuse();
  if (model === 'winnings' && rounding === null && exponent === null) return { model, rate };
  if (model !== 'contract' || (rounding !== null && !isRounding(rounding))) return refuse();
  if (exponent !== null && !isExponent(exponent)) return refuse();
  return {
    model,
    rate,
    ...(exponent === null || exponent === 1 ? {} : { exponent }),
    ...(rounding === null ? {} : { rounding }),
  };
}

function isExponent(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= HIGHEST_EXPONENT;
}

// Normalises the ladder that a selection states beside its price. An order book that cannot be is refused, with the
// reason; the selection is kept without it.

/** Levels kept of a side; those behind them are left out. */
const DEPTH_LEVELS_MAX = LIMITS.depthLevels.max;
const STATED_MAX = LIMITS.statedLevels.max;

type SideName = 'back' | 'lay';
/** Of a side without any. */
const NO_LEVEL = 0;

/** Null if none is stated, or with a rejection noted. */
function readDepth(raw: unknown, path: string, read: Reader): DepthText | null {
  if (raw === undefined || raw === null) return null;
  if (!isMap(raw)) return read.reject(path, 'not an object') ?? null;
  depthWriter.begin();
  const back = readSide(raw['back'], 'back', path, read);
  depthWriter.lay();
  const lay = readSide(raw['lay'], 'lay', path, read);
  if (back === undefined || lay === undefined) return null;
  if (back > lay && lay !== NO_LEVEL)
    return read.reject(path, `crossed: ${back} to back is above ${lay} to lay`) ?? null;
  return back === NO_LEVEL && lay === NO_LEVEL ? null : depthWriter.end();
}

/** Writes the levels, and returns the odds of the best one. */
function readSide(raw: unknown, side: SideName, path: string, read: Reader): number | undefined {
  if (raw === undefined || raw === null) return NO_LEVEL;
  if (!Array.isArray(raw)) return read.reject(`${path}.${side}`, 'not a list');
  if (raw.length > STATED_MAX) return read.reject(`${path}.${side}`, `more than ${STATED_MAX} levels`);
  let before = Number.NaN;
  let best = NO_LEVEL;
  let written = 0;
  for (let i = 0; i < raw.length; i++) {
    const refuse = (reason: string): undefined => read.reject(`${path}.${side}[${i}]`, reason);
    const level = raw[i] as unknown;
    if (!Array.isArray(level) || level.length !== 2) return refuse('not [odds_decimal, size]');
    const [decimal, size] = level as unknown[];
    if (typeof decimal !== 'number' || !isDecimalPrice(decimal)) return refuse('the odds are no decimal price above 1');
    if (typeof size !== 'number' || !(size >= 0 && size <= MONEY_MAX))
      return refuse(`the size is not a number from 0 to ${MONEY_MAX}`);
    if (side === 'back' ? decimal >= before : decimal <= before)
      return refuse(`not best first: ${decimal} after ${before}`);
    before = decimal;
    // An empty level is none.
    if (size === 0 || written === DEPTH_LEVELS_MAX) continue;
    const odds = roundDecimal(decimal);
    if (written++ === 0) best = odds;
    depthWriter.level(odds, size);
  }
  return best;
}
