// Kalshi's team names: places, with a letter added where two teams share one.
import type { TeamAliases } from '../kit/teams.js';

export const KALSHI_TEAMS: TeamAliases = {
  nba: { 'los angeles l': 'lakers', 'los angeles c': 'clippers' },
  nfl: {
    'los angeles r': 'rams',
    'los angeles c': 'chargers',
    'new york g': 'giants',
    'new york j': 'jets',
  },
  mlb: {
    'los angeles d': 'dodgers',
    'los angeles a': 'angels',
    'new york y': 'yankees',
    'new york m': 'mets',
    'chicago c': 'cubs',
    'chicago ws': 'white-sox',
    'chicago w': 'white-sox',
    "a's": 'athletics',
  },
  mls: { 'los angeles g': 'galaxy', 'los angeles f': 'lafc' },
  nhl: { 'new york r': 'rangers', 'new york i': 'islanders' },
};
