// Parameters that several endpoints share, as TypeBox schemas: validator, static type and documentation in one.
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
