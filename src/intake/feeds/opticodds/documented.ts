// Fields that the documents of OpticOdds' API v3 describe.
import type { Documented } from '../kit/documented-fields.js';

export const DOCUMENTED = {
  odds: {
    fields: `id sportsbook market market_id name is_main is_live is_locked selection normalized_selection selection_line
      selection_points player_id team_id price points timestamp grouping_key deep_link betlink source_ids limits
      order_book fixture_id game_id sport sport_id league league_id locked status settlement missing_fields`,
  },
  fixture: {
    fields: `id numerical_id game_id start_date home_competitors away_competitors home_team_display away_team_display
      status is_live sport league tournament tournament_stage season season_type season_year season_week venue_name
      venue_location venue_neutral venue broadcast home_starter home_record home_seed home_rotation_number away_starter
      away_record away_seed away_rotation_number has_odds weather weather_temp result lineups odds source_ids
      has_changed_participants updated_at`,
  },
  fixture_status: {
    fields: `fixture_id game_id sport league league_id sport_id old_status new_status old_start_date new_start_date
      status start_date is_live`,
  },
} as const satisfies Record<string, Documented>;
