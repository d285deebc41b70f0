// The definition of a market on the simulated board, before it is played.
import type { Prop } from './props.js';

export type SlotKind = 'moneyline' | 'spread' | 'total' | 'home_total' | 'away_total' | 'prop';

export interface SlotPlan {
  kind: SlotKind;
  /** Alternate lines on either side of the main one. */
  alternates: number;
  prop: Prop | null;
}
