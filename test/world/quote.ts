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
  playerName: string;
}

export interface Quote {
  market: string;
  player: boolean;
  team: 'home' | 'away' | null;
  contract: Contract;
  type: string;
  line: number | null;
  alternate: boolean;
  price: number;
  active: boolean;
  size?: number;
  /** Off the list for now. */
  hidden: boolean;
}
