// What identifies a venue's game, market and outcome, as the fields of a message.

import { present } from '../../../base/model/present.js';
import type { Outcome as Word } from '../../../base/model/result.js';
import { formatMs } from '../../../base/model/time.js';
import type { IngestEvent } from '../../ingest/message.js';

export interface GameFacts {
  /** The venue's id of the game. */
  id: string;
  league: string;
  home: string;
  away: string;
  startMs: number;
  /** The venue states no start: it is estimated. */
  startEstimated?: boolean;
  /** Only if the venue states it; otherwise the start time decides. */
  isLive?: boolean;
  status?: NonNullable<IngestEvent['status']>;
}

export interface OutcomeFacts {
  selection: string;
  /** home, away, draw, over, under; others are kept unchanged. */
  selectionType: string;
  line?: number;
  externalId?: string;
  /** The venue's id of its market, as an order names it. */
  marketId?: string;
  deepLink?: string;
  /** The id that an order at the venue refers to. */
  tokenId?: string;
}

export interface MarketFacts {
  /** The venue's id of the market, unique in its game. */
  id: string;
  type: string;
  player?: string;
  stat?: string;
  team?: 'home' | 'away';
}

/** The venue's own word on an outcome. */
export interface Settled {
  game: GameFacts;
  market: MarketFacts;
  outcome: OutcomeFacts;
  word: Word;
}

/** What identifies the game, without its markets. `externalId` is the book's, if that is not the service's. */
export function refOf(facts: GameFacts, externalId = facts.id): Omit<IngestEvent, 'markets'> {
  const { league, home, away, startMs, startEstimated, isLive, status } = facts;
  return present({
    league,
    home_team: home,
    away_team: away,
    start_time: formatMs(startMs),
    start_estimated: startEstimated || undefined,
    external_id: externalId,
    is_live: isLive,
    status,
  });
}

/** As an ingest settlement. */
export function settlementOf({ game, market, outcome, word }: Settled): object {
  const { league, home_team, away_team, start_time } = refOf(game);
  const { selection, selectionType, line } = outcome;
  const named = selectionType === 'contract' ? { selection } : { selection_type: selectionType };
  return present({
    ...{ league, home_team, away_team, start_time },
    ...{ market_type: market.type, player_name: market.player, team: market.team },
    ...named,
    line,
    ...(typeof word === 'number' ? { value: word } : { outcome: word }),
  });
}
