// What met nothing: its kinds, and why.
export const UNMATCHED_KINDS = ['team', 'league', 'market', 'sportsbook', 'player', 'time', 'price', 'other'] as const;
export type UnmatchedKind = (typeof UNMATCHED_KINDS)[number];
/** unknown: accepted under this name; refused: the part was rejected; unlisted: a feed left the game out; joined: who plays told whom it means. */
export const UNMATCHED_REASONS = ['unknown', 'refused', 'unlisted', 'joined'] as const;
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number];

export interface Unmatched {
  kind: UnmatchedKind;
  reason: UnmatchedReason;
  /** As it was sent; of a refused part the last one, empty if that was no text or number. */
  name: string;
  /** Of a team. */
  league: string | null;
  /** Why it was refused. */
  why: string | null;
  /** Of a joined team: the name that it is another of. */
  meant?: string;
  /** Some of those that sent it. */
  books: string[];
  times: number;
  /** Unix ms. */
  firstMs: number;
  lastMs: number;
}
