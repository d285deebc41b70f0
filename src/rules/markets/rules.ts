// What a market type's entry in the catalogue says: everything that any part of the program asks of a market type.

import type { Static, TObject } from 'typebox';
import { orNull, Type } from '../../base/model/json-schema.js';

export const FAMILIES = ['winner', 'handicap', 'total', 'yes_no', 'odd_even', 'outright', 'other'] as const;
/** The statistic of everything that the scoreboard counts: points, goals or runs, whichever the sport has. */
export const SCORE = 'score';

/** Who goes on to the next round, which no score says. */
export const ADVANCED = 'advanced';

/** As entries of the catalogue state them and answers show them. */
export const marketRules = {
  family: Type.Enum([...FAMILIES], { description: 'kind of question' }),
  sides: Type.Enum(['two', 'three', 'by_book'], {
    description: 'results to bet on; by_book: three where a book shows a draw',
  }),
  part: Type.String({ description: 'game, regulation, h1, h2, q1 …, p1 …, innings_1_5 …, set_1 …' }),
  subject: Type.Enum(['game', 'team', 'player'], {
    description: 'whose result it is; team needs `team`, player `player_name`',
  }),
  line: Type.Enum(['required', 'none'], { description: 'whether its selections need a line' }),
  line_step: orNull(Type.Number({ description: 'lines are multiples of it; null without a line' })),
  statistic: orNull(
    Type.String({ description: 'what is counted; score is the scoreboard’s points, goals or runs; null if open' }),
  ),
  tie: Type.Enum(['push', 'loses', 'third_side', 'cannot_happen'], {
    description: 'what becomes of a bet on a draw, or on a result equal to the line',
  }),
  overtime: Type.Enum(['counts', 'does_not'], { description: 'whether overtime counts' }),
  /** Of detection/maths/result-model.ts. */
  model: orNull(
    Type.Enum(['margin', 'total', 'wide_margin', 'wide_total'], {
      description: 'distribution of what is counted; null if none is known',
    }),
  ),
};

export type MarketRules = Readonly<Static<TObject<typeof marketRules>>>;
export type ModelName = NonNullable<MarketRules['model']>;

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
