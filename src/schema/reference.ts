// Shapes of the reference endpoints: health, sports, leagues, sportsbooks, market types, teams.

import type { Static } from 'typebox';
import { FEED_STATES } from '../base/model/feed-state.js';
import { numberOrNull, orNull, Type } from '../base/model/json-schema.js';
import { CHANNEL_NAMES } from '../base/model/stream-channels.js';
import { WARNING_CODES } from '../base/model/warnings.js';
import { RIGHTS } from '../rules/catalogue/tiers.js';
import { TIERS } from '../rules/catalogue/types.js';
import { ALL, houseRules, SAME_DAY } from '../rules/markets/house-rules.js';
import { FAMILIES, marketRules } from '../rules/markets/rules.js';
import { Commission } from './commission.js';
import { instant, UpdatedAt } from './envelope.js';
import * as filters from './parameters.js';
import { ReplayStatus } from './replay.js';

export const REGIONS = ['US', 'UK', 'EU', 'AU', 'GLOBAL'] as const;

const eventCount = Type.Integer({
  minimum: 0,
  description: 'events in the table that have not ended and have odds or a score',
});
const liveCount = Type.Integer({ minimum: 0, description: 'those of them that are live' });
/** For a sport or league: its events. */
const counts = {
  active: Type.Boolean({ description: 'true if event_count is above 0' }),
  event_count: eventCount,
  live_count: liveCount,
};
const sportId = Type.String({ description: 'sport id' });

/** The first fields of everything listed. */
const named = (id: string, name: string) => ({
  id: Type.String({ description: id }),
  slug: Type.String({ description: 'the same as id' }),
  name: Type.String({ description: name }),
});

export const Sport = Type.Object(
  {
    ...named('sport id', 'display name'),
    ...counts,
    leagues: Type.Array(Type.String(), {
      description: 'ids of its leagues that have events; with include_empty=true of all its leagues',
    }),
  },
  { description: 'a sport' },
);
export type Sport = Static<typeof Sport>;

export const League = Type.Object(
  {
    ...named('league id, the first part of its event ids', 'display name'),
    sport: sportId,
    ...counts,
  },
  { description: 'a league' },
);
export type League = Static<typeof League>;

export const HouseRule = Type.Object(
  {
    sport: Type.String({ description: `sport id; ${ALL}: every sport`, examples: ['tennis'] }),
    league: Type.Optional(Type.String({ description: 'league id, where it holds in one league alone' })),
    family: Type.Optional(
      Type.Enum([...FAMILIES], { description: 'family of market types, where it holds for one alone' }),
    ),
    ...houseRules,
    shortened: Type.Optional(
      Type.Object(
        {
          innings: Type.Optional(Type.Number()),
          overs: Type.Optional(Type.Number()),
          share: Type.Optional(Type.Number()),
        },
        { description: 'the least of a game at which bets stand that it had not decided' },
      ),
    ),
    postponed_hours: Type.Optional(
      Type.Union([Type.Number(), Type.Literal(SAME_DAY)], {
        description: 'void if not begun within so many hours, or on the same local day of the league',
      }),
    ),
    source: Type.String({ description: 'where it is public, in words' }),
  },
  { description: 'how a bet ends at a book, where books differ' },
);
export type HouseRule = Static<typeof HouseRule>;

export const Sportsbook = Type.Object(
  {
    ...named('sportsbook id', 'short name'),
    display_name: Type.String({ description: 'full name' }),
    owner: Type.String({
      description: 'who makes its prices, else its company: books of one owner are one opinion about a price',
    }),
    kind: Type.Enum(['sportsbook', 'exchange', 'model'], {
      description: 'model: somebody’s own fair prices, at which nothing is on offer',
    }),
    is_sharp: Type.Boolean({ description: 'true for books whose prices the market follows' }),
    commission: orNull(Commission, 'its commission on bets; null if it has none'),
    currency: Type.String({ description: 'ISO 4217 code of its stakes, sizes and limits', examples: ['USD'] }),
    usd_rate: numberOrNull('US dollars for one unit of its currency (--fx); null if no rate is stated'),
    min_stake: numberOrNull('its smallest bet, in its currency; null if none is known'),
    stake_step: numberOrNull('what its stakes are multiples of, in its currency; null if nothing is known'),
    contracts: numberOrNull(
      'venues of contracts that pay 1: what the number in an order is a multiple of; null for others',
    ),
    settles: Type.Object(
      {
        tie: Type.Optional(
          Type.Literal('half', {
            description: 'a tie in a two-way winner of a game pays half of what a win pays; elsewhere it is refunded',
          }),
        ),
        void: Type.Optional(
          Type.Enum(['last_price', 'half'], {
            description: 'what a bet on a game that is not played is paid at; elsewhere it is refunded',
          }),
        ),
      },
      { description: 'where it settles a bet otherwise than its peers; empty if nowhere' },
    ),
    rules: Type.Array(HouseRule, { description: 'its own house rules; where it has none, those of every book hold' }),
    has_live_odds: Type.Boolean({ description: 'true if it prices games in play' }),
    has_player_props: Type.Boolean({ description: 'true if it prices player props' }),
    regions: Type.Array(Type.Enum([...REGIONS]), { description: 'where it accepts bets' }),
    requires_tier: Type.Enum([...TIERS], { description: 'the lowest tier that sees its odds' }),
    status: Type.Enum(['active', 'inactive'], {
      description: 'active if it has odds in the table or was polled within the last 5 minutes',
    }),
    active: Type.Boolean({ description: 'true if status is active' }),
    event_count: Type.Integer({ minimum: 0, description: 'events that have not ended for which it has odds' }),
    last_update: orNull(
      instant('newest poll of the book'),
      'newest poll of the book; RFC 3339, UTC; null if it was never polled',
    ),
    unlisted: Type.Boolean({ description: 'true for a book of a feed that the catalogue does not have' }),
  },
  { description: 'a sportsbook' },
);
export type Sportsbook = Static<typeof Sportsbook>;

export const MarketType = Type.Object(
  {
    id: Type.String({ description: 'market type, as market_type of odds' }),
    name: Type.String({ description: 'display name' }),
    description: Type.String({ description: 'subject of its bets' }),
    hasLine: Type.Boolean({ description: 'true if its selections need a line (points, goals, …)' }),
    ...marketRules,
    by_sport: Type.Optional(
      Type.Record(Type.String(), Type.Partial(Type.Object(marketRules)), {
        description: 'what differs in single sports, by sport id; absent if nothing does',
      }),
    ),
    derived: Type.Optional(
      Type.Boolean({ description: 'true where the catalogue lacks the type and its name implies these rules' }),
    ),
    examples: Type.Array(Type.String(), { description: 'examples of selections' }),
    event_count: Type.Integer({ minimum: 0, description: 'events that have not ended with odds of this type' }),
    selection_count: Type.Integer({
      minimum: 0,
      description: 'selections of this type in those events; one with prices of several books counts once',
    }),
    sports: Type.Array(Type.String(), { description: 'ids of the sports that have it' }),
  },
  { description: 'a market type' },
);
/** In `meta` of lists that are cut. */
export const Omitted = {
  omitted: Type.Optional(
    Type.Integer({ minimum: 1, description: 'items that the list leaves out, as it would be too long' }),
  ),
};

export type MarketType = Static<typeof MarketType>;

const rights = (description: string) => Type.Array(Type.Enum([...RIGHTS]), { description });
const most = (description: string) =>
  orNull(Type.Integer({ minimum: 0, description: `${description}; null: no limit` }));

export const TierRights = Type.Object(
  {
    id: Type.Enum([...TIERS], { description: 'tier' }),
    requests_per_minute: most('requests a minute, over all keys of an account'),
    data_delay_seconds: Type.Integer({ minimum: 0, description: 'age of what is shown; 0 is the present' }),
    max_books: most('sportsbooks'),
    books: orNull(
      Type.Array(Type.String(), { description: 'ids of its sportsbooks; null: all, also those that nothing lists' }),
    ),
    features: rights('what every key of the tier has'),
    addons: rights('what a key of the tier can have in addition'),
    channels: Type.Array(Type.Enum([...CHANNEL_NAMES]), {
      description: 'channels of its streams, those of add-ons aside; empty if it cannot stream',
    }),
    stream_slots: most('streams open at once, with the add-on where streaming is one'),
    limits: Type.Record(Type.String(), orNull(Type.Integer({ minimum: 0 })), {
      description:
        'by name; null: no limit. batch_events: event ids of a batch; alert_rules: alerts of an account; ' +
        'history_seconds: how far history reaches back',
    }),
  },
  { description: 'what a tier may see' },
);
export type TierRights = Static<typeof TierRights>;

export const Team = Type.Object(
  {
    id: Type.String({ description: 'team token, unique in its league; part of event ids' }),
    name: Type.String({ description: 'display name' }),
    league: Type.String({ description: 'league id' }),
    leagues: Type.Array(Type.String(), {
      description: 'ids of all leagues with a team of that name, including this one',
    }),
    sport: sportId,
    aliases: Type.Array(Type.String(), { description: 'other names by which feeds and filters know it' }),
    event_count: Type.Integer({ minimum: 0, description: 'its events in the league, upcoming and live' }),
    live_count: Type.Integer({ minimum: 0, description: 'those in play' }),
  },
  { description: 'a team' },
);
export type Team = Static<typeof Team>;

const Check = Type.Object({
  status: Type.Enum(['ok', 'degraded', 'down']),
  latency_ms: Type.Optional(Type.Integer({ minimum: 0, description: 'milliseconds the check took' })),
  message: Type.Optional(Type.String({ description: 'what was found' })),
});
export type Check = Static<typeof Check>;

export const FeedHealth = Type.Object({
  kind: Type.String({ description: 'sim, replay, the-odds-api, …' }),
  simulated: Type.Boolean({ description: 'true if its prices are simulated' }),
  state: Type.Enum([...FEED_STATES], {
    description:
      'starting: nothing has arrived yet; running; failing: its last attempt failed, and it retries; ' +
      'ended: its recording is over; failed: it gave up',
  }),
  last_success_at: orNull(instant('when it last brought something')),
  error: orNull(Type.String({ description: 'the error; null while there is none' })),
  lag_ms: orNull(
    Type.Integer({ minimum: 0, description: 'from its newest poll to the commit of that, in milliseconds' }),
  ),
  not_understood: Type.Object(
    {
      bad_messages: Type.Integer({ minimum: 0, description: 'messages that cannot be read' }),
      refused_parts: Type.Integer({ minimum: 0, description: 'parts of messages that cannot be: prices, levels' }),
      left_out: Type.Integer({ minimum: 0, description: 'markets and games whose meaning nothing tells' }),
      unknown_fields: Type.Array(
        Type.Object({
          field: Type.String({ description: 'kind of object and field: `market.new_fee`; `others`: further ones' }),
          times: Type.Integer({ minimum: 1, description: 'how often it was there, in samples' }),
        }),
        { description: "fields that the upstream's documents, as they were last read, do not have" },
      ),
    },
    { description: 'what was not understood of its source since the start' },
  ),
});
export type FeedHealth = Static<typeof FeedHealth>;

const BookHealth = Type.Object({
  sportsbook: Type.String({ description: 'book id' }),
  newest_poll_at: instant('its newest poll'),
  age_seconds: Type.Integer({ minimum: 0, description: 'age of that, in seconds' }),
});

const ClusterHealth = Type.Object({
  role: Type.Enum(['engine', 'front', 'all'], {
    description: 'role of the process that answers; all: engine and front',
  }),
  writer: orNull(Type.String({ description: 'the process that writes the change log; null while there is none' })),
  position: Type.Integer({ minimum: 0, description: 'position in the change log that this process serves' }),
  lag_ms: Type.Integer({ minimum: 0, description: 'how far that is behind the writer, in milliseconds' }),
  fronts: Type.Integer({ minimum: 0, description: 'running front processes' }),
});

export const Health = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded', 'down'], {
      description: 'the worst of the checks; down comes with HTTP 503',
    }),
    version: Type.Literal('v1', { description: 'version of the API' }),
    release: Type.String({ description: 'version of the program' }),
    timestamp: instant('when the checks were made'),
    simulated: Type.Boolean({
      description: 'true while the prices of a running feed are simulated',
    }),
    feeds: Type.Array(FeedHealth, { description: 'all feeds' }),
    books: Type.Array(BookHealth, { description: 'every book with odds, and the age of its newest poll' }),
    cluster: ClusterHealth,
    replay: Type.Optional(ReplayStatus),
    checks: Type.Object({
      lmdb: Check,
      data: Check,
      schema: Check,
    }),
  },
  { description: 'state of the service' },
);
export type Health = Static<typeof Health>;

/** The health object itself and, for clients that read every answer alike, the same under `data`. */
export const HealthBody = Type.Object({
  success: Type.Literal(true),
  ...Health.properties,
  data: Health,
  updated_at: UpdatedAt,
});

const includeEmpty = Type.Boolean({ default: false, description: 'true also lists those without events' });

export const SportsQuery = Type.Object({ include_empty: includeEmpty });
export const LeaguesQuery = Type.Object({ sport: filters.sport, include_empty: includeEmpty });
export const SportsbooksQuery = Type.Object({
  region: Type.Optional(Type.Enum([...REGIONS], { description: 'only books that accept bets there' })),
  sharp: Type.Optional(Type.Boolean({ description: 'true only sharp books, false only the others; default both' })),
  catalog: Type.Boolean({
    default: false,
    description: 'true lists the whole catalogue, with or without odds',
  }),
  include_unlisted: Type.Boolean({
    default: false,
    description: 'true also lists books that the catalogue does not have',
  }),
  include_inactive: Type.Boolean({ default: false, description: 'true also lists books without events' }),
});
export type SportsbooksQuery = Static<typeof SportsbooksQuery>;
export const TeamsQuery = Type.Object({
  sport: filters.sport,
  league: filters.league,
  q: filters.text('words that the name, the id or an alias must have; beginnings of words are enough'),
});
export type TeamsQuery = Static<typeof TeamsQuery>;

const place = (description: string, example: string) => Type.String({ description, examples: [example] });

export const IndexBody = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    name: Type.Literal('overround'),
    version: Type.Literal('v1'),
    release: Type.String({ description: 'version of the program' }),
    docs: place('the documentation; every endpoint is at /docs/api', '/docs'),
    openapi: place('the endpoints', '/api/v1/openapi.json'),
    asyncapi: place('the streams', '/api/v1/asyncapi.json'),
    dashboard: place('the odds screen', '/dashboard'),
    health: place('state of the service', '/api/v1/health'),
  }),
  updated_at: UpdatedAt,
});

export const WarningMeaning = Type.Object({
  id: Type.Enum([...WARNING_CODES], { description: 'as in warnings of opportunities' }),
  description: Type.String({ description: 'what it means' }),
});
export type WarningMeaning = Static<typeof WarningMeaning>;
