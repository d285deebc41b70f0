// How fresh a book's prices are as a whole: by the age of its newest poll.
import { FRESH_LIVE_MS, FRESH_MS } from './board.js';

export type Freshness = 'fresh' | 'slow' | 'old';

/** As the prices themselves are judged: beyond the first bound none of a game in play is compared, beyond the second none. */
export function freshnessOf(ageMs: number): Freshness {
  return ageMs <= FRESH_LIVE_MS ? 'fresh' : ageMs <= FRESH_MS ? 'slow' : 'old';
}

export const FRESH_WORDS: Readonly<Record<Freshness, string>> = {
  fresh: 'polled within a minute',
  slow: 'within 5 minutes',
  old: 'older',
};

/** What follows where prices are compared as long as they are fresh. */
export const FRESH_MEANS: Readonly<Record<Freshness, string>> = {
  fresh: '',
  slow: ': prices in play are not compared',
  old: ': no price is compared',
};
