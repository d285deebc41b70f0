// The words of accounts' bets: how they are made, what became of them, by what they and closing line value are summed up.

export const BET_MODES = ['paper', 'placed'] as const;
export type BetMode = (typeof BET_MODES)[number];

export const BET_STATUSES = ['pending', 'filled', 'part_filled', 'rejected', 'struck'] as const;
export type BetStatus = (typeof BET_STATUSES)[number];

export const BET_REJECTIONS = [
  'unknown_odds',
  'game_over',
  'postponed',
  'suspended',
  'model',
  'stale_price',
  'no_score',
  'price_moved',
  'below_minimum',
  'no_liquidity',
  'insufficient_funds',
  'no_rate',
] as const;
export type BetRejection = (typeof BET_REJECTIONS)[number];

/** Results that a caller may state of a bet placed elsewhere. */
export const HAND_RESULTS = ['won', 'half_won', 'push', 'half_lost', 'lost', 'void'] as const;
export type HandResult = (typeof HAND_RESULTS)[number];
/** The reason of such a result. */
export const BY_HAND = 'by_hand';

/** What bounds a row's money: its ladder, the size at its price, the book's limit, or the operator's where nothing is stated. */
export const FILL_BOUNDS = ['depth', 'size', 'max_bet', 'paper_max'] as const;
export type FillBound = (typeof FILL_BOUNDS)[number];

export const BET_GROUPS = ['sportsbook', 'sport', 'league', 'market', 'day', 'tag'] as const;
export type BetGrouping = (typeof BET_GROUPS)[number];

export const CLV_GROUPS = ['sportsbook', 'sport', 'league', 'market', 'day', 'devig_book', 'edge'] as const;
export type ClvGrouping = (typeof CLV_GROUPS)[number];
