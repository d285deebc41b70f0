// The state of the screen in the page's URL: a link restores it. Only what differs from the default is written.
import { ODDS_FORMATS, type OddsFormat } from './odds-format.js';

export const VIEWS = [
  'board',
  'event',
  'opportunities',
  'props',
  'splits',
  'futures',
  'moves',
  'alerts',
  'bets',
  'calculators',
] as const;
export type ViewName = (typeof VIEWS)[number];
export const KINDS = ['ev', 'arbitrage', 'middles', 'low_hold'] as const;
export const THEMES = ['auto', 'dark', 'light'] as const;
export const KIND_CHOICES = ['all', ...KINDS] as const;
export const LAYOUTS = ['games', 'books'] as const;
export const DENSITIES = ['auto', 'compact', 'normal', 'roomy'] as const;
export const BOARD_SORTS = ['time', 'hold', 'edge', 'league', 'spread', 'total', 'moneyline'] as const;
/** `book:ID`: by how far that book's prices are above the fair ones. */
export type BoardSort = (typeof BOARD_SORTS)[number] | `book:${string}`;
export const LIVE = ['all', 'live', 'prematch'] as const;
export const SURE = ['any', 'guaranteed'] as const;
export const ONLY = ['any', 'props'] as const;

export interface ScreenState {
  view: ViewName;
  /** One row a game with its main markets, or one market with a column a book. */
  layout: (typeof LAYOUTS)[number];
  /** `moneyline`, `spread`, `total`, or a market type. */
  market: string;
  /** League ids; none means all. */
  leagues: string[];
  sport: string;
  live: (typeof LIVE)[number];
  /** Maximum hours to the start; 0 means no limit. */
  hours: number;
  q: string;
  /** Book ids in the order of their columns; none means all, the sharp one first. */
  books: string[];
  sort: BoardSort;
  /** Minimum edge of opportunities, and of a best price over the consensus, percent; 0 means any. */
  edge: number;
  /** Only what loses on no result. */
  sure: (typeof SURE)[number];
  /** Of opportunities, as the next five: every price from this on, decimal; 0 means any. */
  priceFrom: number;
  /** Every price up to this; 0 means any. */
  priceTo: number;
  /** Least of what its books take together, in the viewer's currency; 0 means any. */
  takes: number;
  /** Least number of books that price a bet above fair; 0 means any. */
  pricedBy: number;
  /** `moneyline`, `spread`, `total`, or market types; none means all. */
  types: string[];
  /** Bets on players alone. */
  only: (typeof ONLY)[number];
  event: string;
  /** Market type shown of the event; '' means its main lines. */
  eventMarket: string;
  /** Market type of the players' bets that are shown; '' means all. */
  prop: string;
  /** Id of the open market of futures; '' means the first. */
  future: string;
  kind: (typeof KIND_CHOICES)[number];
  /** Column of the table of opportunities; with - in front ascending. */
  order: string;
  /** Id of the open opportunity. */
  open: string;
  format: OddsFormat;
  theme: (typeof THEMES)[number];
  density: (typeof DENSITIES)[number];
  /** Of a saved view: a link carries it. */
  name: string;
}

export const DEFAULTS: Readonly<ScreenState> = {
  view: 'board',
  layout: 'games',
  market: 'moneyline',
  leagues: [],
  sport: '',
  live: 'all',
  hours: 0,
  q: '',
  books: [],
  sort: 'time',
  edge: 0,
  sure: 'any',
  priceFrom: 0,
  priceTo: 0,
  takes: 0,
  pricedBy: 0,
  types: [],
  only: 'any',
  event: '',
  eventMarket: '',
  prop: '',
  future: '',
  kind: 'all',
  order: 'edge',
  open: '',
  format: 'american',
  theme: 'auto',
  density: 'auto',
  name: '',
};

/** Parsers of each part; undefined if the text is invalid. */
type Reader<T> = (text: string) => T | undefined;

const oneOf =
  <const T extends string>(values: readonly T[]): Reader<T> =>
  (text) =>
    values.find((value) => value === text);
const ID_CHARS_MAX = 200;
const text: Reader<string> = (given) => (given.length <= ID_CHARS_MAX ? given : undefined);
const list: Reader<string[]> = (given) => [...new Set(given.split(',').filter((part) => part !== ''))].slice(0, 200);
const between =
  (min: number, max: number): Reader<number> =>
  (given) => {
    const value = Number(given);
    return given.trim() !== '' && value >= min && value <= max ? value : undefined;
  };

const READERS: { readonly [Name in keyof ScreenState]: Reader<ScreenState[Name]> } = {
  view: oneOf(VIEWS),
  market: text,
  leagues: list,
  sport: text,
  live: oneOf(LIVE),
  hours: between(0, 10_000),
  q: text,
  books: list,
  sort: (given) => oneOf(BOARD_SORTS)(given) ?? (/^book:[\w-]+$/.test(given) ? (given as BoardSort) : undefined),
  edge: between(0, 1_000),
  sure: oneOf(SURE),
  priceFrom: between(0, 100_000),
  priceTo: between(0, 100_000),
  takes: between(0, 1e9),
  pricedBy: between(0, 1_000),
  types: list,
  only: oneOf(ONLY),
  event: text,
  eventMarket: text,
  prop: text,
  future: text,
  layout: oneOf(LAYOUTS),
  kind: oneOf(KIND_CHOICES),
  order: text,
  open: text,
  format: oneOf(ODDS_FORMATS),
  theme: oneOf(THEMES),
  density: oneOf(DENSITIES),
  name: text,
};

/** Display preferences: remembered, and applied to a link that does not state them. */
const TASTES = ['format', 'theme', 'density'] as const;
/** Habits: remembered for a URL that states nothing at all. */
const HABITS = [...TASTES, 'layout', 'books', 'market', 'leagues', 'sport', 'sort'] as const;

/** The URL's values, else the remembered ones, else the defaults. Invalid values count as absent. */
export function stateOf(query: string, remembered = ''): ScreenState {
  const state = { ...DEFAULTS };
  const stored = new URLSearchParams(remembered);
  const stated = new URLSearchParams(query);
  for (const name of stated.size > 0 ? TASTES : HABITS) read(state, name, stored.get(name));
  for (const name of Object.keys(READERS) as (keyof ScreenState)[]) read(state, name, stated.get(name));
  return state;
}

function read<Name extends keyof ScreenState>(state: ScreenState, name: Name, given: string | null): void {
  const value = given === null ? undefined : READERS[name](given);
  if (value !== undefined) state[name] = value;
}

/** The query string, without `?`. The view is always in it, so that it is never empty: see HABITS. */
export function queryOf(state: Readonly<ScreenState>): string {
  const rest = written(
    state,
    (Object.keys(DEFAULTS) as (keyof ScreenState)[]).filter((name) => name !== 'view'),
  );
  return `view=${state.view}${rest === '' ? '' : `&${rest}`}`;
}

/** The part that is remembered. */
export function rememberedOf(state: Readonly<ScreenState>): string {
  return written(state, HABITS);
}

function written(state: Readonly<ScreenState>, names: readonly (keyof ScreenState)[]): string {
  const query = new URLSearchParams();
  for (const name of names) {
    const value = String(state[name]);
    if (value !== String(DEFAULTS[name])) query.set(name, value);
  }
  return query.toString();
}
