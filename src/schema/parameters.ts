// Parameters that several endpoints share, as TypeBox schemas: validator, static type and documentation in one; their
// synonyms and orders; and what a request asks for by them.

import type { TObject } from 'typebox';
import { Type } from '../base/model/json-schema.js';

export const text = (description: string) => Type.Optional(Type.String({ description, maxLength: 8_192 }));

/** Of a period, its beginning or end. */
export const period = (description: string) =>
  Type.Optional(
    Type.String({
      maxLength: 64,
      description: `${description}; RFC 3339, or a day in UTC, all of which is meant`,
      examples: ['2026-11-20', '2026-11-20T18:00:00Z'],
    }),
  );

export const limit = (fallback: number, maximum = 200) =>
  Type.Integer({ minimum: 1, maximum, default: fallback, description: `rows per page, 1 to ${maximum}` });

/** Marks a `limit` that may be `all`. */
export const WHOLE = 'x-whole';
/** Marks a required text that may name several things. */
export const LIST = 'x-list';
/** Forms that an answer with `limit=all` may have. */
export const WHOLE_FORMATS: readonly unknown[] = ['ndjson', 'csv'];

/** Of lists that are also answered whole, in one of the WHOLE_FORMATS. */
export const wholeLimit = (fallback: number, maximum = 200) =>
  Type.Integer({
    minimum: 1,
    maximum,
    default: fallback,
    description: `rows per page, 1 to ${maximum}; all: every row in one answer, with format=ndjson or csv, which counts as a request for each 200 rows begun`,
    [WHOLE]: true,
  });
export const listFormat = Type.Optional(
  Type.Enum(['json', 'csv', 'ndjson'], {
    description: 'csv: a table with a heading; ndjson: a line of JSON a row, and nothing else; default json',
  }),
);

export const offset = (maximum?: number) =>
  Type.Integer({
    minimum: 0,
    ...(maximum === undefined ? {} : { maximum }),
    default: 0,
    description: 'rows to skip',
  });

export const sport = text('sport ids, comma-separated; category aliases are accepted');
export const league = text('league ids, comma-separated');
export const sportsbook = text('sportsbook ids, comma-separated; default all of the tier');
export const market = text(
  'market types, the groups main, spread, total, props, or names of The Odds API (h2h, spreads, totals, btts …), comma-separated',
);
export const event = text('event ids, comma-separated');
export const isActive = Type.Optional(Type.Boolean({ description: 'false only suspended rows, true only the others' }));
export const isMainLine = Type.Optional(
  Type.Boolean({ description: "true only the books' main lines, false only the others" }),
);
export const isStalePregame = Type.Optional(
  Type.Boolean({
    description: 'true only prices of games in play that have not moved since the start, false all others',
  }),
);
export const team = text('teams, comma-separated: id, alias or whole words of the name');
export const date = Type.Optional(
  Type.String({ format: 'date', description: "YYYY-MM-DD: day of the start in the league's home time zone" }),
);
export const q = text('words in the names of teams, league or sport; beginnings of words are enough');
/** For lists of rows. */
export const rowSort = text(
  'time (the start), odds, probability, timestamp (last seen), sportsbook, league, sport, or a field of that meaning; with - in front descending',
);
export const live = Type.Optional(Type.Boolean({ description: 'true: live only, false: prematch only' }));
export const minOdds = Type.Optional(Type.Number({ description: 'lowest price, American' }));
export const maxOdds = Type.Optional(Type.Number({ description: 'highest price, American' }));
export const include = Type.Optional(
  Type.Enum(['opening', 'depth', 'opening,depth', 'depth,opening'], {
    description:
      'opening: adds the first price of each row, in streams of each row of a snapshot (from Pro); depth: adds the ladder of rows that have one, in streams also to changes, and sends changes of it',
  }),
);
/** Whether `include` names it. */
export function includes(include: string | undefined, what: 'opening' | 'depth'): boolean {
  return include?.split(',').includes(what) === true;
}
export const maxHz = Type.Optional(
  Type.Number({
    minimum: 0.1,
    maximum: 20,
    description:
      'ticks a second at most: what changes in between is merged by id, the last state wins; default: every tick',
    examples: [2],
  }),
);
export const state = Type.Optional(
  Type.String({ pattern: '^[A-Za-z]{2}$', description: 'US state code for deep links', examples: ['nj'] }),
);

/** Of what finds prices above fair. */
export const devigBook = text(
  'book or own model: the fair price is its own; default the sharp book, else the consensus',
);

/** What can be staked, for everything that finds opportunities. */
export const staked = {
  min_stake: Type.Optional(Type.Number({ minimum: 0, description: 'lowest max_stake' })),
  currency: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{3}$',
      description: 'ISO 4217 code in which max_stake and min_stake are; default USD',
      examples: ['GBP'],
    }),
  ),
  guaranteed: Type.Optional(Type.Boolean({ description: 'loses on no result of a played game' })),
  include_assumed: Type.Optional(Type.Boolean({ description: 'also what is an ASSUMED_DISTRIBUTION' })),
};

// Synonyms of parameters, in queries and in stream messages, so that a caller need not guess whether a name is
// singular, plural or that of another service.

interface ParameterName {
  /** The first is the one that answers and documents use unless a schema says otherwise. */
  readonly names: readonly string[];
  /** A list: given several times, under any of its names, it means all the values. */
  readonly list: boolean;
  /** It is one name in the filters of streams and alerts. */
  readonly oneInFilters?: true;
}

const PARAMETER_NAMES: readonly ParameterName[] = [
  { names: ['sport', 'sports'], list: true },
  { names: ['league', 'leagues'], list: true },
  { names: ['sportsbook', 'sportsbooks'], list: true },
  { names: ['market', 'markets', 'market_type', 'market_types'], list: true },
  { names: ['event', 'events', 'event_id', 'event_ids', 'eventId', 'eventIds'], list: true },
  { names: ['team', 'teams'], list: true },
  { names: ['kind', 'kinds'], list: true },
  { names: ['laggard', 'laggards'], list: true },
  { names: ['devig_book'], list: true, oneInFilters: true },
  { names: ['fields', 'field'], list: true },
  { names: ['channels', 'channel', 'type'], list: true },
  { names: ['live', 'is_live'], list: false },
  { names: ['gracePeriodHours', 'grace_period_hours'], list: false },
];

/**
 * For each name a member of `known` that it means: if several synonyms are known, the first in the table's order. A
 * name without synonyms maps to itself.
 */
export function meaningOf(known: Iterable<string>): Map<string, string> {
  const own = [...known];
  const meaning = new Map(own.map((name) => [name, name]));
  for (const { names } of PARAMETER_NAMES) {
    const proper = names.find((name) => own.includes(name));
    if (proper !== undefined) for (const name of names) meaning.set(name, proper);
  }
  return meaning;
}

/** Whether a parameter of this name is a list. */
export function isListName(name: string): boolean {
  return PARAMETER_NAMES.some(({ names, list }) => list && names.includes(name));
}

/** Whether it is a list among the filters of a stream or an alert. */
export function isFilterList(name: string): boolean {
  return PARAMETER_NAMES.some(({ names, list, oneInFilters }) => list && !oneInFilters && names.includes(name));
}

// What a request asks for, as follows from the schema of its route: nobody lists parameters a second time. A parameter
// is a filter unless its name is one of those that choose the page or the form of an answer.

/** Which part of the list is sent. */
const PAGE: ReadonlySet<string> = new Set(['limit', 'offset', 'cursor']);
/** How the items are shown. */
const FORM: ReadonlySet<string> = new Set(['format', 'fields', 'group_by', 'include']);
/** The same, but named in `meta.filters`. */
const FORM_ECHOED: ReadonlySet<string> = new Set(['state']);

export interface RequestedParameters {
  /** The values of all filters and the order, as JSON: equal texts choose the same items. For cursors and caches. */
  readonly filters: string;
  /** The same by name, null if not given, for `meta.filters`. */
  readonly echo: Readonly<Record<string, unknown>>;
  /** JSON of `echo`. */
  readonly echoText: string;
  /** Parameters that the route does not know, for `meta.ignored`. */
  readonly ignored: readonly string[];
  /** Whether unknown parameters and names are refused. */
  readonly strict: boolean;
  /** Whether all is asked for in place of a page: `limit=all`. */
  readonly whole: boolean;
}

/** The parameters of a schema by what they decide. */
export class QueryShape {
  readonly #echoed: readonly string[];
  readonly #filters: readonly string[];

  constructor(schema: TObject | undefined) {
    const names = Object.keys(schema?.properties ?? {});
    this.#echoed = names.filter((name) => !PAGE.has(name) && !FORM.has(name));
    this.#filters = this.#echoed.filter((name) => !FORM_ECHOED.has(name));
  }

  filters(query: Readonly<Record<string, unknown>>): string {
    return JSON.stringify(this.#filters.map((name) => query[name]));
  }

  echo(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#echoed.map((name) => [name, query[name] ?? null]));
  }
}

// Sort orders of lists, by name. Synonyms stand side by side, so that names used by other services' clients work here.
// A leading `-` reverses every order: highest, latest or last in the alphabet first.

const START = ['start_time', 'time', 'event_start_time'] as const;
const SEEN = ['last_seen_at', 'timestamp'] as const;
const PRICE = ['odds', 'odds_decimal', 'odds_american'] as const;
const CHANCE = ['odds_probability', 'probability'] as const;
const NAMES = ['sport', 'league'] as const;

/** The fields rows are compared by, with their synonyms; the first is the field of a row. */
export const ROW_SORTS = {
  odds_american: ['odds_american'],
  odds_decimal: ['odds_decimal', 'odds'],
  odds_probability: CHANCE,
  event_start_time: ['event_start_time', 'start_time', 'time'],
  last_seen_at: SEEN,
  sportsbook: ['sportsbook'],
  league: ['league'],
  sport: ['sport'],
} as const;
export type RowSort = keyof typeof ROW_SORTS;

export const EVENT_SORTS = [...START, ...NAMES] as const;

const COMMON = [...START, ...NAMES, 'market', ...PRICE, ...CHANCE, ...SEEN] as const;

/** For opportunities, by kind: the kind's own orders, and those of every kind. */
export const OPPORTUNITY_SORTS = {
  ev: ['ev', 'profit', 'confidence', 'quality', 'kelly', 'book_count', ...COMMON],
  arbitrage: ['profit', 'ev', ...COMMON],
  middle: ['quality', 'ev', 'profit', 'middle_size', ...COMMON],
  low_hold: ['hold', 'confidence', 'quality', ...COMMON],
  move: ['detected_at', 'last_moved_at', 'timestamp', 'edge', 'book_count', ...START, ...NAMES, 'market'],
} as const;
export type OpportunitySort = { [Kind in keyof typeof OPPORTUNITY_SORTS]: (typeof OPPORTUNITY_SORTS)[Kind][number] };

/** With and without a leading `-`. */
export function bothWays<Name extends string>(names: readonly Name[]): (Name | `-${Name}`)[] {
  return names.flatMap((name) => [name, `-${name}` as const]);
}
