// What a market type's entry in the catalogue says: everything that any part of the program asks of a market type.

export const FAMILIES = ['winner', 'handicap', 'total', 'yes_no', 'odd_even', 'outright', 'other'] as const;
export const SIDE_COUNTS = ['two', 'three', 'by_book'] as const;
export const SUBJECTS = ['game', 'team', 'player'] as const;
export const LINE_RULES = ['required', 'none'] as const;
export const TIES = ['push', 'loses', 'third_side', 'cannot_happen'] as const;
export const OVERTIMES = ['counts', 'does_not'] as const;
/** The distributions of detection/maths/result-model.ts. */
export const MODELS = ['margin', 'total', 'wide_margin', 'wide_total'] as const;
export type ModelName = (typeof MODELS)[number];

/** The statistic of everything that the scoreboard counts: points, goals or runs, whichever the sport has. */
export const SCORE = 'score';

/** Who goes on to the next round, which no score says. */
export const ADVANCED = 'advanced';

export interface MarketRules {
  readonly family: (typeof FAMILIES)[number];
  /** `by_book`: three where a book shows a draw, else two. */
  readonly sides: (typeof SIDE_COUNTS)[number];
  /** `game` (with overtime if that counts), `regulation`, `h1`, `q3`, `p2`, `innings_1_5`, `set_1`, `map_1` … */
  readonly part: string;
  readonly subject: (typeof SUBJECTS)[number];
  readonly line: (typeof LINE_RULES)[number];
  /** Lines are multiples of it; null without a line. */
  readonly line_step: number | null;
  /** What is counted: `score`, `corners`, `pass_yds` …; null if the type leaves it open, or counts nothing. */
  readonly statistic: string | null;
  /** A tie is a draw for winners, and a result equal to the line for handicaps and totals. */
  readonly tie: (typeof TIES)[number];
  readonly overtime: (typeof OVERTIMES)[number];
  /** The distribution of what is counted; null if none is known. */
  readonly model: ModelName | null;
}

export interface DeclaredRules extends MarketRules {
  /** What differs in single sports, by sport id. */
  readonly by_sport?: Readonly<Record<string, Partial<MarketRules>>>;
}

/** A market type's rules in one sport. One object per type and sport: it can be compared and be a key. */
export interface TypeRules extends MarketRules {
  readonly type: string;
  /** The type is not in the catalogue: the rules follow from its name. */
  readonly derived: boolean;
  /** A handicap that counts only what follows the bet. */
  readonly rest: boolean;
  /** Its selections are laid: its prices cannot be backed. */
  readonly lay: boolean;
  /** The type whose selections are laid; for any other type itself. */
  readonly backed: string;
  /** The same question of a game that is listed the other way round: itself unless its name tells home from away. */
  readonly turned: string;
}
