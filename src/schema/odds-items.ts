// Items of the odds endpoints: rows, groups, best prices, comparisons, batches.

import type { Static } from 'typebox';
import { orNull, Type } from '../base/model/json-schema.js';
import { EVENT_STATUSES } from '../base/model/normal-message.js';
import { Commission } from './commission.js';
import { instant } from './envelope.js';
import { GameState } from './events.js';

export const eventId = Type.String({
  description: '{league}_{home}_{away}_{date}; never changes',
  examples: ['nba_lakers_celtics_2026-11-20'],
});
const eventName = Type.String({
  description: '{away_team} @ {home_team}',
  examples: ['Boston Celtics @ Los Angeles Lakers'],
});
export const sportId = Type.String({ description: 'sport id', examples: ['basketball'] });
export const leagueId = Type.String({ description: 'league id', examples: ['nba'] });
export const bookId = Type.String({ description: 'sportsbook id', examples: ['draftkings'] });
const bookName = Type.String({ description: 'display name', examples: ['DraftKings'] });
export const homeTeam = Type.String({ description: 'display name', examples: ['Los Angeles Lakers'] });
export const awayTeam = Type.String({ description: 'display name', examples: ['Boston Celtics'] });
const startTime = instant('scheduled start');
const isLive = Type.Boolean({ description: 'true while the game is in play', examples: [false] });
export const marketType = Type.String({ description: 'market type', examples: ['point_spread'] });
export const selection = Type.String({
  description: 'team, Over, Under, Draw, or as the book calls it',
  examples: ['Los Angeles Lakers'],
});
export const selectionType = Type.String({ description: 'home, away, draw, over, under, …', examples: ['home'] });
export const american = Type.Number({ description: 'American odds', examples: [-110] });
export const decimal = Type.Number({ description: 'decimal odds, up to 6 decimals', examples: [1.909091] });
export const probability = Type.Number({ description: 'implied probability, 0-1', examples: [0.52381] });
export const decimalNet = Type.Number({
  description: "decimal odds after the book's commission; prices are ranked by them",
  examples: [1.909091],
});
const commission = orNull(Commission, "the book's commission; null if it has none");
export const line = orNull(Type.Number({ examples: [-3.5] }), 'points, goals, …; null if the selection has none');
/** The ids that a book's feed tells of a price: what a bet by the book's own interface names. */
export const feedIds = {
  external_event_id: Type.Optional(
    Type.String({ description: "the book's own id of the event, where its feed tells it", examples: ['31987654'] }),
  ),
  market_id: Type.Optional(
    Type.String({ description: "the book's own id of the market, where its feed tells it", examples: ['1.234567'] }),
  ),
  selection_id: Type.Optional(
    Type.String({ description: "the book's own id of the selection, where its feed tells it", examples: ['0ML123'] }),
  ),
};
const seenAt = instant('newest poll with the row');
/** History does not keep when each price was polled. */
const polled = {
  last_seen_at: Type.Optional(instant('newest poll with the row; left out with at')),
  timestamp: Type.Optional(instant('the same as last_seen_at; left out with at')),
};
export const changedAt = instant('when price, line, liveness or activity last changed here');
export const isActive = Type.Boolean({ description: 'false: suspended, no bets are accepted', examples: [true] });
export const isIndicative = Type.Optional(
  Type.Boolean({
    description: 'true: a price at which something was traded; nothing is on offer at it. Absent: false',
    examples: [true],
  }),
);
export const isMainLine = Type.Boolean({
  description: "true for the book's main line: not is_alternate_line",
  examples: [true],
});
export const isStalePregame = Type.Optional(
  Type.Boolean({
    description: 'of games in play: true while the price has not moved since the start',
    examples: [false],
  }),
);
export const previousAmerican = orNull(
  Type.Number({ examples: [-105] }),
  'American odds before the last change; null if there are none',
);
export const playerName = Type.Optional(Type.String({ description: 'player props only', examples: ['LeBron James'] }));
export const statCategory = Type.Optional(Type.String({ description: 'player props only', examples: ['points'] }));
const teamName = Type.Optional(
  Type.String({ description: 'team totals only: the team', examples: ['Boston Celtics'] }),
);
export const oddsId = Type.String({ description: 'id of the odds row; numeric', examples: ['4611686018427387904'] });
const threeWay = Type.Optional(
  Type.Literal(true, {
    description: 'present if the draw is a selection of its own: never mixed with two-way prices',
  }),
);
/** The league and the teams of a game. */
export const gameFields = {
  sport: sportId,
  league: leagueId,
  home_team: homeTeam,
  away_team: awayTeam,
};
/** What a price is of within its game. */
export const betFields = {
  market_type: marketType,
  selection,
  selection_type: selectionType,
  player_name: playerName,
  stat_category: statCategory,
};
const deepLink = orNull(
  Type.String({ examples: ['https://sportsbook.draftkings.com/event/123'] }),
  "the book's page of it",
);

const row = {
  id: oddsId,
  sportsbook: bookId,
  sportsbook_name: bookName,
  currency: Type.String({ description: 'ISO 4217 code of stakes and limits at the book', examples: ['USD'] }),
  event_id: eventId,
  ...gameFields,
  ...betFields,
  team: Type.Optional(Type.Enum(['home', 'away'], { description: 'team totals only' })),
  team_name: teamName,
  is_alternate_line: Type.Boolean({ description: "true for lines other than the book's main line", examples: [false] }),
  odds_american: american,
  odds_decimal: decimal,
  odds_probability: probability,
  line,
  is_live: isLive,
  odds_changed_at: changedAt,
  is_active: isActive,
  indicative: isIndicative,
  is_main_line: isMainLine,
  is_stale_pregame_price: isStalePregame,
  odds_american_previous: previousAmerican,
  probability,
  last_seen_at: seenAt,
  timestamp: instant('the same as last_seen_at'),
  event_start_time: startTime,
  status: Type.Enum([...EVENT_STATUSES], { description: "the event's", examples: ['upcoming'] }),
  deep_link: deepLink,
  public_bet_pct: Type.Optional(Type.Number({ description: 'share of tickets, 0-1', examples: [0.61] })),
  max_bet: Type.Optional(Type.Number({ description: 'largest stake, in currency', examples: [2500] })),
  size: Type.Optional(
    Type.Number({
      description: 'exchanges: the stake available at the price, in currency',
      examples: [250],
    }),
  ),
  volume_24h: Type.Optional(Type.Number({ description: 'exchanges: traded in 24 h', examples: [18500] })),
  open_interest: Type.Optional(Type.Number({ description: 'exchanges: open contracts', examples: [42000] })),
  exchange_token_id: Type.Optional(
    Type.String({ description: 'exchanges: identifier used in an order', examples: ['KXNBAGAME-26NOV22LALBOS-BOS'] }),
  ),
  commission: Type.Optional(
    Type.Union([Commission], {
      description:
        "what its market alone charges, in place of the book's commission; rate 0: nothing. Absent: the book's",
    }),
  ),
  ...feedIds,
};

export const Opening = Type.Object(
  {
    odds_american: american,
    odds_decimal: decimal,
    indicative: isIndicative,
    line,
    at: instant('when the row was first seen'),
  },
  { description: 'the first price of the row' },
);

const opening = Type.Optional(orNull(Opening, 'with include=opening; null if none is known'));

const Levels = (description: string) =>
  Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), { description, examples: [[[1.9, 250]]] });

export const Depth = Type.Object(
  {
    back: Levels('[odds_decimal, size] to back, highest odds first; size in the currency of the row'),
    lay: Levels("[odds_decimal, size] to lay, lowest odds first; size is the backers' stake"),
  },
  { description: "levels of an exchange's order book, best first" },
);

export const depth = Type.Optional(orNull(Depth, 'with include=depth; null in a change: it has none any more'));

export const Odds = Type.Object({ ...row, opening, depth }, { description: "one book's price of one selection" });
export type Odds = Static<typeof Odds>;

/** With `fields` an item has the requested fields only. */
export const OddsPart = Type.Partial(Type.Object({ ...row, opening, depth }), { description: 'the requested fields' });

const { event_id: _e, sport: _s, league: _l, home_team: _h, away_team: _a, ...inEvent } = row;
const { team: _t, event_start_time: _st, status: _status, public_bet_pct: _p, max_bet: _m, ...grouped } = inEvent;

export const OddsGroup = Type.Object(
  {
    event_id: eventId,
    event_name: eventName,
    sport: sportId,
    league: leagueId,
    start_time: startTime,
    is_live: isLive,
    odds: Type.Union([Type.Array(Type.Object({ ...grouped, opening, depth })), Type.Array(OddsPart)], {
      description: 'rows; with fields only these',
    }),
  },
  { description: "a page's rows of one event" },
);
export type OddsGroup = Static<typeof OddsGroup>;

const price = {
  american,
  decimal,
  probability,
  odds_probability: probability,
};

export const EventOdds = Type.Object(
  { ...row, ...polled, odds: Type.Object(price), opening, depth },
  { description: 'a row with its price as an object as well' },
);
export type EventOdds = Static<typeof EventOdds>;

const eventFields = {
  event_id: eventId,
  event_name: eventName,
  ...gameFields,
  start_time: startTime,
  is_live: isLive,
};

export const BestOdds = Type.Object(
  {
    ...eventFields,
    ...betFields,
    team_name: teamName,
    three_way: threeWay,
    line,
    best_odds: Type.Object({ ...price, decimal_net: decimalNet }),
    best_book: Type.String({
      description: 'sportsbook id; of equal prices the book listed first',
      examples: ['draftkings'],
    }),
    commission,
    odds_id: oddsId,
    deep_link: deepLink,
    all_books: Type.Array(
      Type.Object({
        book: bookId,
        odds: Type.Object({ ...price, decimal_net: decimalNet }),
        edge: Type.Number({
          description: 'points of implied probability better than the worst price',
          examples: [1.39],
        }),
        line,
        odds_id: oddsId,
        deep_link: deepLink,
        last_seen_at: polled.last_seen_at,
      }),
      { description: 'books with a fresh price, best first' },
    ),
    last_seen_at: Type.Optional(instant('newest poll with the best price; left out with at')),
  },
  { description: 'the best price of one selection and line' },
);
export type BestOdds = Static<typeof BestOdds>;

const bookOrNull = (description: string) => orNull(Type.String({ examples: ['fanduel'] }), description);
const numberOrNull = (description: string, example: number) =>
  orNull(Type.Number({ examples: [example] }), description);

const ComparedSelection = Type.Object({
  selection,
  selection_type: selectionType,
  line,
  books: Type.Record(
    Type.String(),
    Type.Object({
      odds_american: american,
      odds_decimal: decimal,
      odds_decimal_net: decimalNet,
      odds_probability: probability,
      probability,
      last_seen_at: polled.last_seen_at,
      odds_id: oddsId,
      deep_link: deepLink,
      is_active: isActive,
      indicative: isIndicative,
      possibly_stale: Type.Optional(
        Type.Boolean({ description: 'true if the price is too old to count as best or worst; left out with at' }),
      ),
    }),
    { description: 'sportsbook id → price' },
  ),
  best_book: bookOrNull('null if no price is fresh'),
  best_odds: numberOrNull('American', -108),
  best_odds_decimal: numberOrNull('decimal', 1.925926),
  best_odds_decimal_net: numberOrNull('decimal, after commission', 1.925926),
  worst_book: bookOrNull('null if no price is fresh'),
  worst_odds: numberOrNull('American', -115),
  worst_odds_decimal: numberOrNull('decimal', 1.869565),
  worst_odds_decimal_net: numberOrNull('decimal, after commission', 1.869565),
  spread: numberOrNull('points of implied probability between best and worst', 1.56),
});

export const Comparison = Type.Object(
  {
    ...eventFields,
    books_available: Type.Array(bookId),
    markets: Type.Array(
      Type.Object({
        market_type: marketType,
        player_name: playerName,
        stat_category: statCategory,
        team_name: teamName,
        three_way: threeWay,
        hold: Type.Object({
          best_available: numberOrNull(
            'hold in percent of the best prices at the main line; null where no line is whole',
            2.1,
          ),
          line: numberOrNull('the main line: the one most books quote whole', -3.5),
          by_book: Type.Record(Type.String(), Type.Number({ examples: [4.7619] }), {
            description: "sportsbook id → hold in percent of the book's own line",
          }),
        }),
        selections: Type.Array(ComparedSelection),
      }),
      { description: 'one for each market type, and for each player, stat, team of it' },
    ),
  },
  { description: 'all prices of one event side by side' },
);
export type Comparison = Static<typeof Comparison>;

export const BatchEvent = Type.Object(
  {
    ...eventFields,
    game_state: Type.Optional(GameState),
    odds: Type.Array(
      Type.Object({
        id: oddsId,
        sportsbook: bookId,
        sportsbook_name: bookName,
        ...betFields,
        odds_american: american,
        odds_decimal: decimal,
        odds_probability: probability,
        probability,
        line,
        is_active: isActive,
        indicative: isIndicative,
        odds_american_previous: previousAmerican,
        last_seen_at: seenAt,
        deep_link: deepLink,
        timestamp: instant('the same as last_seen_at'),
      }),
    ),
  },
  { description: 'an event with its odds' },
);
export type BatchEvent = Static<typeof BatchEvent>;
