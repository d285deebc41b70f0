// The one message the engine accepts, as sent. Every feed produces it and anyone may push it; normalise.ts turns it into
// a NormalMessage, or reports what is wrong with which part.
import type { Commission } from '../../base/model/commission.js';
import type { Depth } from '../../base/model/depth.js';
import type { GameState } from '../../base/model/game-state.js';

export interface IngestMessage {
  /** Sportsbook id. */
  book: string;
  /** `model`: its prices are somebody's own estimate, fair, and on offer nowhere. Every message says so. */
  kind?: 'book' | 'model';
  /** Of a model: seen by the account alone that pushes it. */
  private?: boolean;
  /** Set in recordings of the simulated market: refused where odds are real. */
  simulated?: boolean;
  /** RFC 3339: when the book was polled. */
  polled_at: string;
  /**
   * The scope in which the message is complete: the book's earlier quotes there that it does not repeat are removed.
   */
  scope: 'event' | 'league' | 'none';
  /** Required for scope `league`. */
  league?: string;
  events?: IngestEvent[];
  splits?: unknown[];
  futures?: unknown[];
  game_states?: unknown[];
  /** What became of games. A message with nothing but these two may have no book and no polled_at. */
  results?: unknown[];
  settlements?: unknown[];
  /** Who says so; else the book, else `manual`. */
  source?: string;
}

export interface IngestEvent {
  /** In place of league, teams and start_time: an event that the engine already knows. */
  event_id?: string;
  league?: string;
  home_team?: string;
  away_team?: string;
  /** RFC 3339. */
  start_time?: string;
  /** The start is the source's own estimate: whoever states one is believed before it. */
  start_estimated?: boolean;
  /** The book's own id of the event. */
  external_id?: string;
  /** The same. */
  external_event_id?: string;
  is_live?: boolean;
  status?: 'upcoming' | 'live' | 'ended' | 'postponed' | 'cancelled';
  game_state?: GameState;
  /** No bet on the event is accepted now: all its rows of this book stay, suspended; `markets` may be empty. */
  suspended?: boolean;
  markets: IngestMarket[];
}

export interface IngestMarket {
  /** `[a-z0-9_]+`: moneyline, point_spread, total_points, player_points … */
  market_type: string;
  player_name?: string;
  stat_category?: string;
  /** The team whose total it is (`team_total` only). */
  team?: 'home' | 'away';
  /** US dollars. */
  max_bet?: number;
  /** The book's commission in this market if it differs from its usual one; rate 0: none. */
  commission?: Commission;
  /** RFC 3339: when the source last saw this market at the book, if known; else the message's polled_at applies. */
  last_seen_at?: string;
  /** False: suspended. Its rows stay with their prices; `selections` may be empty. Defaults to true. */
  is_active?: boolean;
  /** The book's own id of the market. */
  market_id?: string;
  selections: IngestSelection[];
}

export interface IngestSelection {
  selection: string;
  /** home, away, draw, over, under; others (yes, no, …) are kept unchanged. */
  selection_type: string;
  line?: number | null;
  /** Exactly one of the two prices: the book's own format. Strings ("-110", "EVEN", a Unicode minus) are parsed. */
  odds_american?: number | string;
  odds_decimal?: number | string;
  /** In place of a price: 0 to 1, a model's own estimate. */
  probability?: number;
  /** False: suspended; the price may be omitted if the engine has one. Defaults to true. */
  is_active?: boolean;
  /** The price is one at which something was traded, and nothing is on offer; false by default. */
  indicative?: boolean;
  is_alternate_line?: boolean;
  deep_link?: string;
  external_id?: string;
  /** The same. */
  selection_id?: string;
  /** The book's own id of the market at this line, if it has several. */
  market_id?: string;
  /** Share of tickets, 0-1. */
  public_bet_pct?: number;
  /** Amount that can be staked at the price, in the venue's currency. */
  size?: number;
  /** Levels of the order book, best first, each `[decimal odds, size]`. */
  depth?: Partial<Depth>;
  /** Amount traded in 24 h, in the venue's currency. */
  volume_24h?: number;
  /** Open contracts, in the venue's unit. */
  open_interest?: number;
  /** The id that an order at an exchange refers to: a token, a ticker. */
  exchange_token_id?: string;
}
