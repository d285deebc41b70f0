// The entries of the catalogue's files: what the operator may replace, checked once at the start by load.ts. Unknown
// properties are refused, so that a misspelt name does not go unnoticed.

import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { ROUNDINGS } from '../../base/model/commission.js';
import { orNull, Type } from '../../base/model/json-schema.js';
import type { OperatorSettings } from '../../base/model/money.js';
import { type HouseRuleEntry, houseRules } from '../markets/house-rules.js';
import { FAMILIES, marketRules } from '../markets/rules.js';
import { TIERS } from './types.js';

const closed = { additionalProperties: false };

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '^\\S(.*\\S)?$' });
const Aliases = Type.Array(Name);
/** Only leagues may have aliases that end in `_*`. */
const LeagueAlias = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\s*][^*]*(_\\*)?$' });
/** The parts of an event id are separated by underscores, so the parts themselves have none. */
const Token = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 64 });
const LeagueId = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 40 });
const BookId = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]*$', maxLength: 40 });
const SportId = Type.String({ pattern: '^[a-z0-9_]+$', maxLength: 40 });
const MarketTypeId = Type.String({ pattern: '^[a-z0-9_]+$', maxLength: 64 });
const UrlTemplate = Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 500 });

const Sport = Type.Object(
  {
    id: SportId,
    name: Name,
    /** Aliases in sport filters. An alias shared by several sports is a category and means them all. */
    aliases: Aliases,
  },
  closed,
);
export type SportEntry = Static<typeof Sport>;

const League = Type.Object(
  {
    id: LeagueId,
    name: Name,
    sport: Type.String(),
    /** IANA zone whose calendar date is part of the event id. */
    timeZone: Type.String(),
    /** Whether its games may end level; absent: as in its sport. */
    ties: Type.Optional(Type.Boolean()),
    /** Teams beyond the listed ones play here, too: entrants of a cup, clubs that rise, teams of esports. */
    open: Type.Optional(Type.Boolean()),
    /** The league, or leagues, whose teams may play here beside those of its own file: a cup's entrants. */
    teamsOf: Type.Optional(Type.Union([LeagueId, Type.Array(LeagueId)])),
    /** Aliases that feeds use; `tennis_atp_*` matches every name that begins with `tennis_atp_`. */
    aliases: Type.Array(LeagueAlias),
  },
  closed,
);
export type LeagueEntry = Static<typeof League>;

const Rate = Type.Number({ minimum: 0, exclusiveMaximum: 1 });
const CommissionOfBook = Type.Union([
  Type.Object({ model: Type.Literal('winnings'), rate: Rate }, closed),
  Type.Object(
    {
      model: Type.Literal('contract'),
      rate: Rate,
      rounding: Type.Optional(Type.Union(ROUNDINGS.map((name) => Type.Literal(name)))),
    },
    closed,
  ),
]);

const Money = Type.Number({ exclusiveMinimum: 0, maximum: 1e6 });

const Settlement = Type.Object({ void: Type.Optional(Type.Enum(['last_price', 'half'])) }, closed);

const Book = Type.Object(
  {
    id: BookId,
    name: Name,
    displayName: Name,
    /**
     * Who makes its prices (Kambi for its skins), else its company. Books of one owner are one opinion: in the reference,
     * a market's centre, moves and confidence.
     */
    owner: Name,
    isSharp: Type.Boolean(),
    isExchange: Type.Boolean(),
    /** What it charges on a bet in addition to its margin; absent if nothing. */
    commission: Type.Optional(CommissionOfBook),
    /** Each market states its own rate: `commission` is the highest one known, for those that do not. */
    feesVary: Type.Optional(Type.Boolean()),
    /** ISO 4217 code of its stakes, sizes and limits; US dollars if absent. */
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    /** The smallest bet, in its currency. */
    minStake: Type.Optional(Money),
    /** Stakes are multiples of this, in its currency. */
    stakeStep: Type.Optional(Money),
    /**
     * Of a venue of contracts that pay 1 or nothing, so that no result is a push: orders are multiples of this number of
     * them.
     */
    contracts: Type.Optional(Money),
    settles: Type.Optional(Settlement),
    /** Seconds that it holds a bet in play before it accepts it. */
    betDelay: Type.Optional(Type.Number({ minimum: 0, maximum: 60 })),
    hasLiveOdds: Type.Boolean(),
    hasPlayerProps: Type.Boolean(),
    regions: Type.Array(Type.Enum(['US', 'UK', 'EU', 'AU', 'GLOBAL']), { minItems: 1, uniqueItems: true }),
    /** The lowest tier that sees the book. */
    requiresTier: Type.Enum([...TIERS]),
    /** Aliases that feeds use. */
    aliases: Aliases,
    /**
     * URL templates; null if the book has no deep links. Placeholders: {state}, {event}, {outcome}, and {market} for
     * books that need the market too: the outcome's external id then has the form `market/outcome`.
     */
    deepLink: Type.Union([
      Type.Null(),
      Type.Object(
        {
          homepage: UrlTemplate,
          event: orNull(UrlTemplate),
          outcome: orNull(UrlTemplate),
          stateDependent: Type.Boolean(),
        },
        closed,
      ),
    ]),
  },
  closed,
);
export type BookEntry = Static<typeof Book>;

const rules = {
  ...marketRules,
  part: Type.String({ pattern: '^[a-z0-9_]+$', maxLength: 40 }),
  line_step: orNull(Type.Number({ exclusiveMinimum: 0, maximum: 100 })),
  statistic: orNull(Type.String({ pattern: '^[a-z0-9_]+$', maxLength: 64 })),
};

const MarketType = Type.Object(
  {
    id: MarketTypeId,
    name: Name,
    description: Type.String({ minLength: 1 }),
    examples: Type.Array(Type.String()),
    sports: Type.Array(Type.String(), { minItems: 1, uniqueItems: true }),
    ...rules,
    by_sport: Type.Optional(Type.Record(SportId, Type.Partial(Type.Object(rules, closed), closed))),
  },
  closed,
);
export type MarketTypeEntry = Static<typeof MarketType>;

const names = <Shape extends TSchema>(shape: Shape) =>
  Type.Optional(Type.Array(shape, { minItems: 1, uniqueItems: true }));
/** An id, or all that no other entry names. */
const IdOrAll = Type.String({ pattern: '^(\\*|[a-z0-9][a-z0-9_-]*)$', maxLength: 40 });

const HouseRule = Type.Object(
  {
    id: Token,
    books: names(IdOrAll),
    owners: names(Name),
    sports: names(IdOrAll),
    leagues: names(LeagueId),
    families: names(Type.Enum([...FAMILIES])),
    ...houseRules,
    source: Type.String({ minLength: 10, maxLength: 500 }),
  },
  closed,
);

const Team = Type.Object(
  {
    /** Token in event ids, unique in its league. */
    id: Token,
    /** Display name. */
    name: Name,
    aliases: Aliases,
  },
  closed,
);
export type TeamEntry = Static<typeof Team>;

export const sportEntry = Compile(Sport);
export const leagueEntry = Compile(League);
export const bookEntry = Compile(Book);
export const marketTypeEntry = Compile(MarketType);
export const houseRuleEntry = Compile(HouseRule);
export const teamEntry = Compile(Team);

/** The contents of all files: everything a Catalogue is made of. */
export interface CatalogueData extends OperatorSettings {
  sports: SportEntry[];
  leagues: LeagueEntry[];
  books: BookEntry[];
  /** Books that are not listed, but of which money matters are known: owner, commission, currency. */
  unlistedBooks: BookEntry[];
  marketTypes: MarketTypeEntry[];
  /** What differs between books in how a bet ends. */
  houseRules: HouseRuleEntry[];
  /** By league id; a league without a file has none. */
  teams: Map<string, TeamEntry[]>;
}
