// The one message the engine accepts, as it stands on the wire. Every feed adapter makes it and
// anybody may push it; normalise.ts turns it into an OddsBatch or says what is wrong with which part.
import type { Commission } from '../model/commission.js';
import type { GameState } from '../model/game-state.js';

export interface IngestMessage {
  /** Sportsbook id. */
  book: string;
  /** RFC 3339: when the book was asked. */
  polled_at: string;
  /** What the message is complete for: what the book had before in that scope and does not repeat is removed. */
  scope: 'event' | 'league' | 'none';
  /** Needed for scope `league`. */
  league?: string;
  events?: IngestEvent[];
  splits?: unknown[];
  futures?: unknown[];
  game_states?: unknown[];
}

export interface IngestEvent {
  /** In place of league, teams and start_time: an event the engine already knows. */
  event_id?: string;
  league?: string;
  home_team?: string;
  away_team?: string;
  /** RFC 3339. */
  start_time?: string;
  /** The book's own id of the event. */
  external_id?: string;
  is_live?: boolean;
  status?: 'upcoming' | 'live' | 'ended' | 'postponed' | 'cancelled';
  game_state?: GameState;
  /** No bet on the event is taken now: all its rows of this book stay, suspended; `markets` may be empty. */
  suspended?: boolean;
  markets: IngestMarket[];
}

export interface IngestMarket {
  /** `[a-z0-9_]+`: moneyline, point_spread, total_points, player_points … */
  market_type: string;
  player_name?: string;
  stat_category?: string;
  /** Whose total (`team_total` only). */
  team?: 'home' | 'away';
  /** US dollars. */
  max_bet?: number;
  /** What the book takes of a bet in this market, where that is not what it takes elsewhere; rate 0: nothing. */
  commission?: Commission;
  /** RFC 3339: when the source last saw this market at the book, where it says so; else the message's polled_at. */
  last_seen_at?: string;
  /** False: suspended. Its rows stay with their prices; `selections` may be empty. Not said means true. */
  is_active?: boolean;
  selections: IngestSelection[];
}

export interface IngestSelection {
  selection: string;
  /** home, away, draw, over, under; others (yes, no, …) are kept as they are. */
  selection_type: string;
  line?: number | null;
  /** Exactly one of the two prices: the book's own format. Strings ("-110", "EVEN", a Unicode minus) are read. */
  odds_american?: number | string;
  odds_decimal?: number | string;
  /** False: suspended; the price may be left out where the engine has one. Not said means true. */
  is_active?: boolean;
  is_alternate_line?: boolean;
  deep_link?: string;
  external_id?: string;
  /** Share of tickets, 0-1. */
  public_bet_pct?: number;
  /** What can be staked at the price, in the venue's currency. */
  size?: number;
  /** Traded in 24 h, in the venue's currency. */
  volume_24h?: number;
  /** Contracts that stand open, in the venue's count. */
  open_interest?: number;
  /** What an order at an exchange names: a token, a ticker. */
  exchange_token_id?: string;
}
