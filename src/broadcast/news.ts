// Changes other than odds that streams are sent, as ids: listed, or looked up piece by piece.
import type { NewsWalk, OpportunityNews } from '../opportunities/stream-source.js';

/** Changes other than odds. */
export interface News {
  opportunities: readonly OpportunityNews[];
  /** Ids of events. */
  gameStates: readonly string[];
}

export const NO_NEWS: News = { opportunities: [], gameStates: [] };

/** The same for states of games. */
export interface StatesWalk {
  readonly from: number;
  take(from: number, to: number | null, bytesMax: number): { ids: string[]; next: number | null };
}

export interface NewsWalks {
  opportunities: readonly NewsWalk[];
  gameStates: StatesWalk | null;
}
