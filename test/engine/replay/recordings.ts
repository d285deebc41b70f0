// A generated recording: books whose prices wander around each other, with games that start while it runs.

import { recording } from '../../intake/feeds/replay/recordings.js';

export const BEGIN_MS = Date.UTC(2026, 9, 20, 18);
const BOOKS = ['pinnacle', 'draftkings', 'fanduel', 'betmgm', 'caesars'];
const TEAMS = ['Boston Celtics', 'Los Angeles Lakers', 'Miami Heat', 'Chicago Bulls', 'Denver Nuggets', 'Utah Jazz'];

export const at = (s: number): string => new Date(BEGIN_MS + s * 1000).toISOString();

/** Deterministic numbers in [0, 1). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const american = (probability: number): number => {
  const decimal = 1 / Math.min(0.95, Math.max(0.05, probability));
  return decimal >= 2 ? Math.round((decimal - 1) * 100) : -Math.round(100 / (decimal - 1));
};

/** Polls of five books about three games, `every` seconds for `seconds`; the last game starts halfway. */
export function wanderingMessages(seed: number, seconds: number, every = 5): object[] {
  const random = randomOf(seed);
  const fair = [0.5, 0.4, 0.62];
  const messages: object[] = [];
  for (let s = 0; s < seconds; s += every) {
    const book = BOOKS[Math.floor(random() * BOOKS.length)]!;
    const events = fair.map((probability, game) => {
      fair[game] = Math.min(0.8, Math.max(0.2, probability + (random() - 0.5) * 0.02));
      const shade = (random() - 0.5) * 0.06;
      const hold = book === 'pinnacle' ? 0.01 : 0.02;
      const line = 220.5 + Math.round((random() - 0.5) * 4);
      const total = 0.5 + (random() - 0.5) * 0.06;
      return {
        league: 'nba',
        home_team: TEAMS[2 * game],
        away_team: TEAMS[2 * game + 1],
        start_time: at(game === 2 ? seconds / 2 : 20_000),
        markets: [
          {
            market_type: 'moneyline',
            max_bet: 50 + 10 * Math.floor(random() * 10),
            selections: [
              { selection: 'home', selection_type: 'home', odds_american: american(fair[game]! + shade + hold) },
              { selection: 'away', selection_type: 'away', odds_american: american(1 - fair[game]! - shade + hold) },
            ],
          },
          {
            market_type: 'total_points',
            selections: [
              { selection: 'Over', selection_type: 'over', line, odds_american: american(total + hold) },
              { selection: 'Under', selection_type: 'under', line, odds_american: american(1 - total + hold) },
            ],
          },
        ],
      };
    });
    messages.push({ book, polled_at: at(s), scope: 'event', events });
  }
  return messages;
}

export function wandering(seed: number, seconds: number, every?: number): string {
  return recording(wanderingMessages(seed, seconds, every), 'wandering.ndjson');
}
