// Fields that the documents of The Odds API v4 describe: odds and scores.
import type { Documented } from '../kit/documented-fields.js';

export const DOCUMENTED = {
  event: {
    fields: `id sport_key sport_title commence_time home_team away_team home_rotation_number away_rotation_number
      completed last_update`,
    within: { bookmakers: 'bookmaker', scores: 'score' },
  },
  bookmaker: { fields: 'key title last_update link sid', within: { markets: 'market' } },
  market: { fields: 'key last_update link sid', within: { outcomes: 'outcome' } },
  outcome: { fields: 'name price point description link sid bet_limit multiplier rotation_number' },
  score: { fields: 'name score' },
} as const satisfies Record<string, Documented>;
