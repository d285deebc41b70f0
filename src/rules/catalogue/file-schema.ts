// The schemas of the catalogue's files. Unknown properties are refused, so that a misspelt name does not go unnoticed.

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { orNull, Type } from '../../base/model/json-schema.js';
import {
  DEAD_HEATS,
  HOUSE_OVERTIMES,
  HOUSE_TIES,
  RETIREMENTS,
  SAME_DAY,
  SCORES_FROM,
  SUPER_OVERS,
} from '../markets/house-rules.js';
import { FAMILIES, LINE_RULES, MODELS, OVERTIMES, SIDE_COUNTS, SUBJECTS, TIES } from '../markets/rules.js';
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

const Sport = Type.Object({ id: SportId, name: Name, aliases: Aliases }, closed);

const League = Type.Object(
  {
    id: LeagueId,
    name: Name,
    sport: Type.String(),
    timeZone: Type.String(),
    ties: Type.Optional(Type.Boolean()),
    open: Type.Optional(Type.Boolean()),
    teamsOf: Type.Optional(Type.Union([LeagueId, Type.Array(LeagueId)])),
    aliases: Type.Array(LeagueAlias),
  },
  closed,
);

const Rate = Type.Number({ minimum: 0, exclusiveMaximum: 1 });
const CommissionOfBook = Type.Union([
  Type.Object({ model: Type.Literal('winnings'), rate: Rate }, closed),
  Type.Object(
    { model: Type.Literal('contract'), rate: Rate, rounding: Type.Optional(Type.Literal('cent_up')) },
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
    owner: Name,
    isSharp: Type.Boolean(),
    isExchange: Type.Boolean(),
    commission: Type.Optional(CommissionOfBook),
    feesVary: Type.Optional(Type.Boolean()),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    minStake: Type.Optional(Money),
    stakeStep: Type.Optional(Money),
    contracts: Type.Optional(Money),
    settles: Type.Optional(Settlement),
    betDelay: Type.Optional(Type.Number({ minimum: 0, maximum: 60 })),
    hasLiveOdds: Type.Boolean(),
    hasPlayerProps: Type.Boolean(),
    regions: Type.Array(Type.Enum(['US', 'UK', 'EU', 'AU', 'GLOBAL']), { minItems: 1, uniqueItems: true }),
    requiresTier: Type.Enum([...TIERS]),
    aliases: Aliases,
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

const rules = {
  family: Type.Enum([...FAMILIES]),
  sides: Type.Enum([...SIDE_COUNTS]),
  part: Type.String({ pattern: '^[a-z0-9_]+$', maxLength: 40 }),
  subject: Type.Enum([...SUBJECTS]),
  line: Type.Enum([...LINE_RULES]),
  line_step: orNull(Type.Number({ exclusiveMinimum: 0, maximum: 100 })),
  statistic: orNull(Type.String({ pattern: '^[a-z0-9_]+$', maxLength: 64 })),
  tie: Type.Enum([...TIES]),
  overtime: Type.Enum([...OVERTIMES]),
  model: orNull(Type.Enum([...MODELS])),
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

const names = <Shape extends TSchema>(shape: Shape) =>
  Type.Optional(Type.Array(shape, { minItems: 1, uniqueItems: true }));
/** An id, or all that no other entry names. */
const IdOrAll = Type.String({ pattern: '^(\\*|[a-z0-9][a-z0-9_-]*)$', maxLength: 40 });
const least = Type.Number({ exclusiveMinimum: 0, maximum: 1000 });

const HouseRule = Type.Object(
  {
    id: Token,
    books: names(IdOrAll),
    owners: names(Name),
    sports: names(IdOrAll),
    leagues: names(LeagueId),
    families: names(Type.Enum([...FAMILIES])),
    overtime: Type.Optional(Type.Enum([...HOUSE_OVERTIMES])),
    score_from: Type.Optional(Type.Enum([...SCORES_FROM])),
    retirement: Type.Optional(Type.Enum([...RETIREMENTS])),
    shortened: Type.Optional(
      Type.Union([
        Type.Object({ innings: least }, closed),
        Type.Object({ overs: least }, closed),
        Type.Object({ share: Type.Number({ exclusiveMinimum: 0, maximum: 1 }) }, closed),
      ]),
    ),
    postponed_hours: Type.Optional(
      Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 10_000 }), Type.Literal(SAME_DAY)]),
    ),
    tie: Type.Optional(Type.Enum([...HOUSE_TIES])),
    dead_heat: Type.Optional(Type.Enum([...DEAD_HEATS])),
    super_over: Type.Optional(Type.Enum([...SUPER_OVERS])),
    source: Type.String({ minLength: 10, maxLength: 500 }),
  },
  closed,
);

const Team = Type.Object({ id: Token, name: Name, aliases: Aliases }, closed);

export const sportEntry = Compile(Sport);
export const leagueEntry = Compile(League);
export const bookEntry = Compile(Book);
export const marketTypeEntry = Compile(MarketType);
export const houseRuleEntry = Compile(HouseRule);
export const teamEntry = Compile(Team);
