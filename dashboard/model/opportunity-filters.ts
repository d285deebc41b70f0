// The filters of opportunities: which rows they let through, what the server is asked for, and how each is named, so that
// it can be taken away by itself.
import { keyPart } from '../../src/base/model/key-part.js';
import type { Rates } from '../../src/base/model/money.js';
import type { OpportunityChannel, OpportunityItem, OpportunityItems } from '../../src/client/client.js';
import { DEFAULTS, type ScreenState } from './address.js';
import { matches } from './arrange.js';
import { typesOf } from './market-choice.js';
import { type OddsFormat, priceText, words } from './odds-format.js';
import { subjectKey } from './outcome.js';
import type { Play } from './play.js';
import { hasAccount, type Profile } from './profile.js';

/** Parts of the address that are filters: what "reset filters" takes away. */
export const FILTERS = [
  ...(['market', 'leagues', 'sport', 'live', 'hours', 'edge', 'sure', 'q', 'books', 'name'] as const),
  ...(['priceFrom', 'priceTo', 'takes', 'pricedBy', 'types', 'only'] as const),
];

/** Those that decide which opportunities are listed. */
export const DECIDING = FILTERS.filter((name) => name !== 'market' && name !== 'name');

/** Whether an opportunity passes by what it is of. */
export function fits(kind: OpportunityChannel, item: OpportunityItem, state: ScreenState, nowMs: number): boolean {
  if (state.leagues.length > 0 && !state.leagues.includes(item.league)) return false;
  if (state.sport !== '' && item.sport !== state.sport) return false;
  if (state.live !== 'all' && item.is_live !== (state.live === 'live')) return false;
  if (state.hours > 0 && !item.is_live && !(Date.parse(item.start_time ?? '') <= nowMs + state.hours * 3_600_000))
    return false;
  if (state.types.length > 0 && !state.types.some((type) => typesOf(type).includes(item.market_type))) return false;
  if (state.only === 'props' && item.player_name == null) return false;
  // Of the other kinds nobody states how many books price them.
  if (state.pricedBy > 0 && kind === 'ev' && (item as OpportunityItems['ev']).book_count < state.pricedBy) return false;
  return matches(state.q, `${item.event_name} ${item.player_name ?? ''} ${item.league}`);
}

/**
 * Whether its prices and what it takes pass.
 * @param limit largest total stake in the viewer's currency; null if nobody states it
 */
export function fitsPrices({ legs }: Pick<Play, 'legs'>, limit: number | null, state: ScreenState): boolean {
  const { priceFrom, priceTo, takes } = state;
  const within = (decimal: number): boolean =>
    decimal >= priceFrom - EQUAL && (priceTo === 0 || decimal <= priceTo + EQUAL);
  if (!legs.every(({ decimal }) => within(decimal))) return false;
  return takes === 0 || (limit !== null && limit >= takes - EQUAL);
}

const EQUAL = 1e-9;

/**
 * What a list is asked for, where the server narrows by the same: a list of so many is then of those that fit.
 * @param rates of the server, without which it does not know the viewer's currency
 */
export function filterParams(state: ScreenState, { currency, rates }: { currency: string; rates: Rates }): object {
  const { leagues, sport, live, types, only, priceFrom, priceTo, takes, sure } = state;
  const isKnown = currency === 'USD' || rates[currency] !== undefined;
  return {
    ...(leagues.length > 0 ? { league: leagues } : {}),
    ...(sport === '' ? {} : { sport: [sport] }),
    ...(live === 'all' ? {} : { live: live === 'live' }),
    ...(types.length > 0 ? { market: types } : only === 'props' ? { market: ['props'] } : {}),
    ...(priceFrom > 1 ? { min_odds: exactAmerican(priceFrom) } : {}),
    ...(priceTo > 1 ? { max_odds: exactAmerican(priceTo) } : {}),
    ...(takes > 0 && isKnown ? { min_stake: takes, currency } : {}),
    ...(sure === 'guaranteed' ? { guaranteed: true } : {}),
  };
}

/** Not rounded, as prices are compared with it. */
const exactAmerican = (decimal: number): number => (decimal >= 2 ? (decimal - 1) * 100 : -100 / (decimal - 1));

/**
 * The books in which bets and pairs are looked for: the viewer's own, of those that are shown; undefined if they are all. The best
 * pair of all books may be at others, and hide the best of these.
 */
export function ownBooks({ books }: Pick<ScreenState, 'books'>, profile: Profile): string[] | undefined {
  const mine = Object.keys(profile.accounts);
  if (books.length === 0) return mine.length === 0 ? undefined : mine.sort();
  return books.filter((book) => hasAccount(profile, book)).sort();
}

export interface SetFilter {
  /** What is set, in words. */
  text: string;
  /** What the address is without it. */
  without: Partial<ScreenState>;
}

export interface FilterNames {
  format: OddsFormat;
  currency: string;
  nameOf(book: string): string;
  leagueOf(id: string): string;
}

/** Everything that is set, each to be taken away by itself. */
export function setFilters(state: ScreenState, { format, currency, nameOf, leagueOf }: FilterNames): SetFilter[] {
  const found: SetFilter[] = [];
  const add = (text: string, without: Partial<ScreenState>): void => {
    found.push({ text, without });
  };
  const list = (name: 'leagues' | 'books' | 'types', textOf: (one: string) => string): void => {
    for (const one of state[name]) add(textOf(one), { [name]: state[name].filter((other) => other !== one) });
  };
  if (state.q !== '') add(`"${state.q}"`, { q: '' });
  if (state.sport !== '') add(words(state.sport), { sport: '' });
  list('leagues', leagueOf);
  if (state.live !== 'all') add(state.live === 'live' ? 'in play' : 'prematch', { live: 'all' });
  if (state.hours > 0)
    add(`within ${state.hours % 24 === 0 && state.hours > 24 ? `${state.hours / 24} days` : `${state.hours} h`}`, {
      hours: 0,
    });
  if (state.edge > 0) add(`edge from ${state.edge} %`, { edge: 0 });
  const { priceFrom, priceTo } = state;
  const price = (decimal: number): string => priceText({ decimal }, format);
  if (priceFrom > 0 && priceTo > 0) add(`odds ${price(priceFrom)} to ${price(priceTo)}`, { priceFrom: 0, priceTo: 0 });
  else if (priceFrom > 0) add(`odds from ${price(priceFrom)}`, { priceFrom: 0 });
  else if (priceTo > 0) add(`odds up to ${price(priceTo)}`, { priceTo: 0 });
  if (state.takes > 0) add(`takes ${state.takes} ${currency}`, { takes: 0 });
  if (state.pricedBy > 0) add(`${state.pricedBy} books`, { pricedBy: 0 });
  list('types', words);
  if (state.only === 'props') add('players only', { only: 'any' });
  if (state.sure === 'guaranteed') add('guaranteed', { sure: 'any' });
  // As many as are chosen: an order of columns is no filter to be read one by one.
  if (state.books.length > 0)
    add(state.books.length <= 3 ? state.books.map(nameOf).join(', ') : `${state.books.length} books shown`, {
      books: [],
    });
  return found;
}

/** The address without any. */
export const UNFILTERED: Partial<ScreenState> = Object.fromEntries(FILTERS.map((name) => [name, DEFAULTS[name]]));

/** One that the viewer does not want to see today. */
export interface Hidden {
  /** Of an outcome above fair at any book; of the other kinds its id. */
  key: string;
  text: string;
  /** Unix ms. */
  untilMs: number;
}

const HIDDEN_MS = 86_400_000;
const HIDDEN_MAX = 500;

export function hideKey(kind: OpportunityChannel, item: OpportunityItem): string {
  return kind === 'ev' ? outcomeKey(item as OpportunityItems['ev']) : item.id;
}

/** One outcome, whichever book has the price. */
export function outcomeKey(item: OpportunityItems['ev']): string {
  const { event_id, market_type, selection, line } = item;
  return [event_id, market_type, subjectKey(item, market_type), keyPart(selection), line].join('|');
}

export function hide(hidden: readonly Hidden[], key: string, text: string, nowMs: number): Hidden[] {
  return [
    { key, text, untilMs: nowMs + HIDDEN_MS },
    ...stillHidden(hidden, nowMs).filter((one) => one.key !== key),
  ].slice(0, HIDDEN_MAX);
}

export function stillHidden(hidden: readonly Hidden[], nowMs: number): Hidden[] {
  return hidden.filter(({ untilMs }) => untilMs > nowMs);
}

/** From stored text; what is invalid is dropped. */
export function hiddenOf(stored: string | null): Hidden[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]');
    if (!Array.isArray(list)) return [];
    return list.filter(
      (one): one is Hidden =>
        typeof one?.key === 'string' && typeof one.text === 'string' && typeof one.untilMs === 'number',
    );
  } catch {
    // Written by another program.
    return [];
  }
}
