// The ingest message as documented. It is read by ingest/normalise.ts part by part: a bad quote is refused by itself
// and the others are accepted, so nothing here is validated as a whole.
import { Type } from '../model/json-schema.js';
import { Commission } from './commission.js';
import { instant, success, UpdatedAt } from './envelope.js';

const text = (description: string, example: string) => Type.String({ description, examples: [example] });
const optionalText = (description: string, example: string) => Type.Optional(text(description, example));
const record = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const Selection = Type.Object({
  selection: text('team, Over, Under, …', 'Los Angeles Lakers'),
  selection_type: text('home, away, draw, over, under; others are kept as they are', 'home'),
  line: Type.Optional(
    Type.Union([Type.Number({ examples: [-3.5] }), Type.Null()], { description: 'points, goals, …' }),
  ),
  odds_american: Type.Optional(
    Type.Union([Type.Number({ examples: [-110] }), Type.String()], { description: 'this or odds_decimal' }),
  ),
  odds_decimal: Type.Optional(Type.Union([Type.Number({ examples: [1.909091] }), Type.String()])),
  is_active: Type.Optional(
    Type.Boolean({
      description: 'false: suspended; the row stays, and the price may be left out where there is one',
      examples: [true],
    }),
  ),
  is_alternate_line: Type.Optional(Type.Boolean({ description: "beside the book's main line", examples: [false] })),
  deep_link: optionalText('http or https', 'https://sportsbook.draftkings.com/event/123'),
  external_id: optionalText("the book's own id of the selection", '0ML123'),
  public_bet_pct: Type.Optional(Type.Number({ minimum: 0, maximum: 1, examples: [0.61] })),
  size: Type.Optional(
    Type.Number({ minimum: 0, description: 'exchanges: what can be staked at the price', examples: [250] }),
  ),
  volume_24h: Type.Optional(Type.Number({ minimum: 0, description: 'exchanges: traded in 24 h', examples: [18500] })),
  open_interest: Type.Optional(
    Type.Number({ minimum: 0, description: 'exchanges: contracts that stand open', examples: [42000] }),
  ),
  exchange_token_id: optionalText('exchanges: what an order names', 'KXNBAGAME-26NOV22LALBOS-BOS'),
});

const Market = Type.Object({
  market_type: text('[a-z0-9_]+', 'point_spread'),
  player_name: Type.Optional(Type.String({ description: 'needed for player_*' })),
  stat_category: Type.Optional(Type.String()),
  team: Type.Optional(Type.Enum(['home', 'away'], { description: 'team_total only' })),
  max_bet: Type.Optional(Type.Number({ description: 'US dollars', examples: [2500] })),
  commission: Type.Optional(
    Type.Union([Commission], {
      description: 'what is taken of a bet in this market, where that is not what the book takes elsewhere',
    }),
  ),
  is_active: Type.Optional(
    Type.Boolean({ description: 'false: all of the market is suspended; selections may be empty', examples: [true] }),
  ),
  last_seen_at: Type.Optional(instant('when the source last saw this market, where it says so; else polled_at')),
  selections: Type.Array(Selection),
});

const IngestEvent = Type.Object({
  league: optionalText('league id; with teams and start_time, or event_id in place of the four', 'nba'),
  home_team: optionalText('any name the team is known by', 'LA Lakers'),
  away_team: optionalText('any name the team is known by', 'Boston Celtics'),
  start_time: Type.Optional(instant('scheduled start')),
  event_id: Type.Optional(Type.String({ description: 'an event that is known already' })),
  external_id: optionalText("the book's own id of the event", '123'),
  is_live: Type.Optional(Type.Boolean({ examples: [false] })),
  status: Type.Optional(Type.Enum(['upcoming', 'live', 'ended', 'postponed', 'cancelled'])),
  game_state: Type.Optional(record('home_score, away_score, period, clock, …')),
  suspended: Type.Optional(
    Type.Boolean({ description: 'true: no bet is taken on the event; markets may be empty', examples: [false] }),
  ),
  markets: Type.Array(Market),
});

export const IngestMessage = Type.Object(
  {
    book: text('sportsbook id or alias', 'draftkings'),
    polled_at: instant('when the book was asked; refused more than 30 s ahead of the server'),
    scope: Type.Enum(['event', 'league', 'none'], {
      description: 'what the message is complete for: what the book had before there and does not repeat is removed',
    }),
    league: Type.Optional(Type.String({ description: 'needed for scope league' })),
    events: Type.Optional(Type.Array(IngestEvent)),
    splits: Type.Optional(Type.Array(record('betting splits of one game at one source'))),
    futures: Type.Optional(Type.Array(record('a futures market with its selections'))),
    game_states: Type.Optional(Type.Array(record('score and course of one game'))),
  },
  { description: 'what one book showed at one time' },
);

const counts = {
  accepted: Type.Integer({ description: 'quotes taken' }),
  changed: Type.Integer({ description: 'quotes that were new or different' }),
  removed: Type.Integer({ description: 'quotes that are gone' }),
  rejected: Type.Array(
    Type.Object({
      path: Type.String({ description: 'where in the message', examples: ['events[0].markets[0].selections[1]'] }),
      reason: Type.String({ description: 'why', examples: ['no price: needs odds_american or odds_decimal'] }),
    }),
  ),
};

export const IngestAnswer = Type.Object({
  success,
  ...counts,
  stale: Type.Integer({ description: 'events passed over because the message was older than what is stored' }),
  position: Type.Integer({
    description: 'position in the change log that shows all of it: min_position of a read that is to see it',
    minimum: 0,
  }),
  data: Type.Object(counts),
  updated_at: UpdatedAt,
});
