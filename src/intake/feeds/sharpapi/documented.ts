// Fields of the rows that SharpAPI's documents describe (3.1 and earlier), and of those of overround itself.
import type { Documented } from '../kit/documented-fields.js';

export const DOCUMENTED = {
  odds: {
    fields: `id sportsbook sportsbook_name currency event_id sport league home_team away_team market_type selection
      selection_type player_name stat_category team team_name is_alternate_line is_main_line odds_american odds_decimal
      odds_probability odds_fractional implied_probability no_vig_probability probability line is_live is_active
      indicative is_stale_pregame_price odds_changed_at odds_american_previous wire_received_at last_seen_at timestamp
      event_start_time event_name start_time status deep_link public_bet_pct max_bet size volume_24h open_interest
      exchange_token_id external_event_id market_id selection_id opening depth team_side numerical_id game_id odds
      warnings limits country region`,
  },
} as const satisfies Record<string, Documented>;
