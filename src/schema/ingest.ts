// The ingest message: its types (intake/ingest/message.ts) and its documents. It is read by intake/ingest/normalise.ts part
// by part: a bad quote is refused by itself and the others are accepted, so nothing here is validated as a whole; a test
// compares what is read with what stands here, field by field.
import type { Static, TSchema, TUnsafe } from 'typebox';
import type { Depth as Ladders } from '../base/model/depth.js';
import type { GameState } from '../base/model/game-state.js';
import { orNull, Type } from '../base/model/json-schema.js';
import { OUTCOMES } from '../base/model/result.js';
import { Commission } from './commission.js';
import { instant, success, UpdatedAt } from './envelope.js';
import { Depth } from './odds-items.js';
import { StatedScores } from './results.js';

const text = (description: string, example: string) => Type.String({ description, examples: [example] });
const optionalText = (description: string, example: string) => Type.Optional(text(description, example));
const record = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
/** The schema of values that the program has a type of its own for. */
const typed = <T>(schema: TSchema) => schema as TUnsafe<T>;
/** Of what feeds make in forms of their own: its parts are checked where they are read. */
const parts = (schema: TSchema) => Type.Optional(Type.Array(typed<object>(schema)));

const Selection = Type.Object({
  selection: text('team, Over, Under, …', 'Los Angeles Lakers'),
  selection_type: text(
    'home, away, draw, over, under; 1x, draw_or_home … become home_or_draw; others are kept as they are',
    'home',
  ),
  line: Type.Optional(orNull(Type.Number({ examples: [-3.5] }), 'points, goals, …')),
  odds_american: Type.Optional(
    Type.Union([Type.Number({ examples: [-110] }), Type.String()], { description: 'this or odds_decimal' }),
  ),
  odds_decimal: Type.Optional(Type.Union([Type.Number({ examples: [1.909091] }), Type.String()])),
  probability: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      exclusiveMaximum: 1,
      description: "a model's own estimate, in place of a price",
      examples: [0.53],
    }),
  ),
  is_active: Type.Optional(
    Type.Boolean({
      description: 'false: suspended; the row stays, and the price may be omitted if it is known',
      examples: [true],
    }),
  ),
  indicative: Type.Optional(
    Type.Boolean({
      description: 'true: a price at which something was traded; nothing is on offer at it',
      examples: [false],
    }),
  ),
  is_removed: Type.Optional(
    Type.Boolean({
      description: 'true: the book has taken it back: its row is removed, in any scope, and a price is not read',
      examples: [false],
    }),
  ),
  is_alternate_line: Type.Optional(
    Type.Boolean({ description: "true for lines other than the book's main line", examples: [false] }),
  ),
  deep_link: optionalText('http or https', 'https://sportsbook.draftkings.com/event/123'),
  external_id: optionalText("the book's own id of the selection", '0ML123'),
  selection_id: optionalText('the same as external_id', '0ML123'),
  market_id: optionalText("the book's own id of the market at this line, if not the market's", '3.101'),
  public_bet_pct: Type.Optional(Type.Number({ minimum: 0, maximum: 1, examples: [0.61] })),
  depth: Type.Optional(
    typed<Partial<Ladders>>(
      Type.Partial(Depth, {
        description: 'exchanges: the order book, best first; the best ten levels of a side are kept',
      }),
    ),
  ),
  size: Type.Optional(
    Type.Number({ minimum: 0, description: 'exchanges: the stake available at the price', examples: [250] }),
  ),
  volume_24h: Type.Optional(Type.Number({ minimum: 0, description: 'exchanges: traded in 24 h', examples: [18500] })),
  open_interest: Type.Optional(
    Type.Number({ minimum: 0, description: 'exchanges: open contracts', examples: [42000] }),
  ),
  exchange_token_id: optionalText('exchanges: identifier used in an order', 'KXNBAGAME-26NOV22LALBOS-BOS'),
});

const Market = Type.Object({
  market_type: text('[a-z0-9_]+', 'point_spread'),
  player_name: Type.Optional(Type.String({ description: 'required for player_*' })),
  stat_category: Type.Optional(Type.String()),
  team: Type.Optional(Type.Enum(['home', 'away'], { description: 'team_total only' })),
  max_bet: Type.Optional(Type.Number({ description: "largest stake, in the book's currency", examples: [2500] })),
  commission: Type.Optional(
    Type.Union([Commission], {
      description: "commission of this market, if it differs from the book's",
    }),
  ),
  is_active: Type.Optional(
    Type.Boolean({
      description: 'false: suspended are the selections it lists or, if it lists none, all that the book has there',
      examples: [true],
    }),
  ),
  market_id: optionalText("the book's own id of the market", '1.234567'),
  last_seen_at: Type.Optional(instant('when the source last saw this market, if it states that; otherwise polled_at')),
  selections: Type.Array(Selection),
});

const IngestEvent = Type.Object({
  league: optionalText('league id; with teams and start_time, or event_id in place of the four', 'nba'),
  home_team: optionalText('any name the team is known by', 'LA Lakers'),
  away_team: optionalText('any name the team is known by', 'Boston Celtics'),
  start_time: Type.Optional(instant('scheduled start')),
  start_estimated: Type.Optional(
    Type.Boolean({
      description:
        "true: start_time is the source's own estimate; it finds the game, and any stated start counts before it",
      examples: [false],
    }),
  ),
  event_id: Type.Optional(Type.String({ description: 'id of a known event' })),
  external_id: optionalText("the book's own id of the event", '123'),
  external_event_id: optionalText('the same as external_id', '123'),
  is_live: Type.Optional(Type.Boolean({ examples: [false] })),
  status: Type.Optional(Type.Enum(['upcoming', 'live', 'ended', 'postponed', 'cancelled'])),
  game_state: Type.Optional(
    typed<GameState>(
      record('home_score, away_score, period, clock, …, and what its sport has: inning, outs, down, home_sets …'),
    ),
  ),
  suspended: Type.Optional(
    Type.Boolean({ description: 'true: no bets are accepted on the event; markets may be empty', examples: [false] }),
  ),
  markets: Type.Array(Market),
});

const reference = {
  event_id: optionalText('event id; else league, teams and start', 'nba_celtics_lakers_2026-11-20'),
  league: optionalText('league id', 'nba'),
  home_team: optionalText('name, alias or abbreviation', 'Boston Celtics'),
  away_team: optionalText('the same', 'LA Lakers'),
  start_time: Type.Optional(instant('scheduled start')),
};

const StatedResult = Type.Object({ ...reference, ...StatedScores });

const StatedSettlement = Type.Object({
  ...reference,
  market_type: text('market type', 'moneyline'),
  selection_type: optionalText('home, away, draw, over, under …', 'home'),
  selection: optionalText('in place of selection_type: the name', 'Boston Celtics'),
  line: Type.Optional(orNull(Type.Number({ examples: [-3.5] }))),
  player_name: optionalText('markets of a player', 'LeBron James'),
  team: Type.Optional(Type.Enum(['home', 'away'], { description: 'markets of a team' })),
  outcome: Type.Optional(
    Type.Enum([...OUTCOMES], { description: "the venue's own word; half pays half of what a win pays" }),
  ),
  value: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'in place of outcome: what was paid for a contract',
      examples: [0.24],
    }),
  ),
});

export const IngestMessage = Type.Object(
  {
    book: text('sportsbook id or alias', 'draftkings'),
    kind: Type.Optional(
      Type.Enum(['book', 'model'], {
        default: 'book',
        description:
          "model: the prices are somebody's own estimate: fair, and on offer nowhere. Every message of a model says so",
      }),
    ),
    private: Type.Optional(
      Type.Boolean({ default: false, description: 'of a model: seen by the account alone that pushes it' }),
    ),
    polled_at: instant('when the book was asked; refused more than 30 s ahead of the server'),
    scope: Type.Enum(['event', 'league', 'none'], {
      description:
        'what the message is complete for: earlier prices of the book there that are not repeated are removed',
    }),
    league: Type.Optional(Type.String({ description: 'required for scope league' })),
    simulated: Type.Optional(
      Type.Boolean({
        description: 'true in recordings of the simulated market; refused by a server of real odds',
        examples: [false],
      }),
    ),
    events: Type.Optional(Type.Array(IngestEvent)),
    splits: parts(record('betting splits of one game at one source')),
    futures: parts(record('a futures market with its selections')),
    game_states: parts(record('score and progress of one game')),
    results: parts(StatedResult),
    settlements: parts(StatedSettlement),
    source: Type.Optional(text('who states the results; default the sportsbook, else manual', 'the-odds-api')),
  },
  {
    description: 'the prices of one book at one time',
    examples: [
      {
        book: 'draftkings',
        polled_at: '2026-11-20T18:00:00.123Z',
        scope: 'event',
        events: [
          {
            league: 'nba',
            home_team: 'LA Lakers',
            away_team: 'Boston Celtics',
            start_time: '2026-11-21T01:30:00Z',
            markets: [
              {
                market_type: 'point_spread',
                selections: [
                  { selection: 'LA Lakers', selection_type: 'home', line: -3.5, odds_american: -110 },
                  { selection: 'Boston Celtics', selection_type: 'away', line: 3.5, odds_american: -110 },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
);
export type IngestMessage = Static<typeof IngestMessage>;

const UnknownList = (kind: string, example: string, nearest: string) =>
  Type.Array(
    Type.Object({
      name: Type.String({ description: kind, examples: [example] }),
      league: Type.Optional(Type.String({ description: 'league of a team', examples: ['nba'] })),
      nearest: Type.Array(Type.String({ examples: [nearest] }), {
        description: 'known names that are spelled like it',
      }),
    }),
  );

export const IngestQuery = Type.Object({
  strict: Type.Boolean({
    default: false,
    description:
      'true: a message with a team, league, market type or book that the catalogue does not know is rejected',
  }),
});

const counts = {
  accepted: Type.Integer({ description: 'accepted quotes' }),
  changed: Type.Integer({ description: 'new or changed quotes' }),
  removed: Type.Integer({ description: 'removed quotes' }),
  rejected: Type.Array(
    Type.Object({
      path: Type.String({ description: 'place in the message', examples: ['events[0].markets[0].selections[1]'] }),
      reason: Type.String({ description: 'reason', examples: ['no price: needs odds_american or odds_decimal'] }),
    }),
  ),
  unknown: Type.Object(
    {
      teams: UnknownList('name as sent', 'LA Lakerz', 'Los Angeles Lakers'),
      leagues: UnknownList('league id', 'nbaa', 'nba'),
      markets: UnknownList('market type', 'moneylin', 'moneyline'),
      books: UnknownList('sportsbook id', 'draftking', 'draftkings'),
    },
    {
      description:
        'names that the catalogue does not know, at most ten of a kind; they were accepted as new ones, unless strict=true',
    },
  ),
};

export const IngestAnswer = Type.Object({
  success,
  ...counts,
  stale: Type.Integer({ description: 'events ignored because the message was older than the stored state' }),
  position: Type.Integer({
    description: 'position in the change log that includes all of it: use it as min_position of a read',
    minimum: 0,
  }),
  data: Type.Object(counts),
  updated_at: UpdatedAt,
});
export type IngestAnswer = Static<typeof IngestAnswer>;
