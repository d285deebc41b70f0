// What a book is like, and what it quotes.
import type { Contract } from './games.js';

export interface BookStyle {
  id: string;
  american: boolean;
  ids: 'none' | 'own' | 'shared';
  scope: 'event' | 'league';
  /** Moves starts by hours, for games with an id. */
  delays: boolean;
  /** Its clock minus ours. */
  clockMs: number;
  /** Added to every probability. */
  margin: number;
  /** Moneylines of hockey, and handicaps, are of regulation, with a draw. */
  threeWay: boolean;
  threeWayHandicap: boolean;
  /** Names the statistic of a prop beside its market. */
  statistic: boolean;
  /** An exchange that states sizes. */
  sized: boolean;
  /** How it writes the only player of his name. */
  playerName: string;
  /** Whom it lists of two men of one name. */
  namesakes: readonly Player[];
  /** What it says of a game beside its prices; a wild one contradicts itself and others. */
  says: 'nothing' | 'truth' | 'anything';
  /** It states when it last saw each market. */
  stamps: boolean;
  /** Prices are texts. */
  texts: boolean;
  /** A model: fair prices that nobody offers, as probabilities. */
  fair: boolean;
}

/** Two men of one name, or one whom each book calls otherwise. */
export type Player = 'jones' | 'smith' | 'smith jr';

export function playerOf(name: string): Player {
  if (!/smith/i.test(name)) return 'jones';
  return /jr/i.test(name) ? 'smith jr' : 'smith';
}

export interface Quote {
  market: string;
  player: Player | null;
  team: 'home' | 'away' | null;
  contract: Contract;
  type: string;
  line: number | null;
  alternate: boolean;
  price: number;
  active: boolean;
  size?: number;
  /** Off the list for now; or listed as removed. */
  hidden: boolean;
  removed?: boolean;
}
