// What streams are told beside odds, as ids: listed, or looked up bit by bit.
import type { NewsWalk, OpportunityNews } from '../opportunities/stream-source.js';

/** What is told beside odds. */
export interface News {
  opportunities: readonly OpportunityNews[];
  /** Ids of events. */
  gameStates: readonly string[];
}

export const NO_NEWS: News = { opportunities: [], gameStates: [] };

/** The same of states of games. */
export interface StatesWalk {
  readonly from: number;
  take(from: number, to: number | null, bytesMax: number): { ids: string[]; next: number | null };
}

export interface NewsWalks {
  opportunities: readonly NewsWalk[];
  gameStates: StatesWalk | null;
}
