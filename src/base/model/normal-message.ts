// An ingest message after validation: canonical book, league and sport, exact numbers, quotes as tuples (they go to the
// shard's thread as MessagePack, where a tuple costs half as much as a map).
import type { Commission } from './commission.js';
import type { DepthText } from './depth.js';
import type { GameState } from './game-state.js';
import type { Outcome, ResultWord, SettlementOf } from './result.js';

export const EVENT_STATUSES = ['upcoming', 'live', 'ended', 'postponed', 'cancelled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

export interface NormalMessage {
  book: string;
  /** Its prices are fair ones, on offer nowhere. Absent of a book. */
  model?: true;
  /** Unix microseconds of polled_at. */
  polledUs: number;
  scope: 'event' | 'league' | 'none';
  /** Set only for scope `league`. */
  league: string | null;
  events: NormalEvent[];
  splits: NormalSplits[];
  futures: NormalFuture[];
  /** Absent if there are none. */
  results?: NormalResult[];
  settlements?: NormalSettlement[];
}

export interface EventRef {
  league: string;
  sport: string;
  /** Set if the message referred to the event by its id; teams and start are empty then. */
  eventId: string | null;
  home: string;
  away: string;
  /** Unix milliseconds. */
  startMs: number;
}

/** A game whose result is waited for, whether or not the table has it. */
export interface AwaitedGame extends EventRef {
  eventId: string;
}

export interface NormalEvent extends EventRef {
  /** The start is an estimate of the source's: it finds the game, and counts as no statement of its start. */
  startEstimated: boolean;
  externalId: string | null;
  live: boolean | null;
  status: EventStatus | null;
  state: GameState | null;
  /** False if the entry only carries a game state: it says nothing about the book's quotes. */
  quoted: boolean;
  /** No bet is accepted on any of the book's rows of it; rows of markets that are not named stay. */
  suspended: boolean;
  markets: NormalMarket[];
  /** Which rows it lists is not known: none is removed for not being among them. Absent if it is. */
  partial?: true;
  /** Position of the event in the caller's message, for rejections found later. */
  path: string;
}

export interface NormalMarket {
  type: string;
  player: string | null;
  stat: string | null;
  team: 'home' | 'away' | null;
  maxBet: number | null;
  /** Unix milliseconds, or null for the message's own time. */
  seenMs: number | null;
  /** The feed's own id of it, for quotes that state none of their own. Absent if it tells none. */
  id?: string;
  /** False if the market or its whole event is suspended; without quotes that applies to all its rows. */
  active: boolean;
  quotes: NormalQuote[];
}

export type NormalQuote = [
  selection: string,
  selectionType: string,
  line: number | null,
  /** Both prices are null if a suspended selection states none, where the present price stays, and of a removed one. */
  american: number | null,
  decimal: number | null,
  alternate: boolean,
  deepLink: string | null,
  externalId: string | null,
  publicBetPct: number | null,
  active: boolean,
  /** Exchange data; null if the book is no exchange or states none. */
  exchange: ExchangeDetails | null,
  /** The feed's own id of the market at this line. Absent if it tells none. */
  marketId?: string | undefined,
  /** Nothing is on offer: something was traded at the price, it is a model's, or the row is removed. Absent if not. */
  mark?: 'indicative' | 'model' | 'removed',
];

/** What an exchange or a prediction market states beside a price; money in the venue's currency, null if not stated. */
export type ExchangeDetails = readonly [
  /** Amount that can be staked at the price. */
  size: number | null,
  /** Amount traded in 24 h. */
  volume24h: number | null,
  /** Open contracts. */
  openInterest: number | null,
  /** The id that an order at the venue refers to. */
  tokenId: string | null,
  /** Commission of this market if it differs from the book's. Absent in records of older releases. */
  commission?: Commission | null,
  /** Absent if none is stated, and in records of older releases. */
  depth?: DepthText | null,
];

export interface Share {
  [side: string]: number | null;
}

export interface NormalSplits extends EventRef {
  /** The source of the betting splits. */
  source: string;
  spread: { awayLine: number | null; homeLine: number | null; handle: Share | null; bets: Share | null } | null;
  total: { line: number | null; handle: Share | null; bets: Share | null } | null;
  moneyline: { awayOdds: number | null; homeOdds: number | null; handle: Share | null; bets: Share | null } | null;
  fetchedMs: number;
  path: string;
}

/** What a source says became of a game; teams as this source lists them. */
export interface NormalResult extends EventRef {
  awaited?: AwaitedGame;
  word: ResultWord;
  path: string;
}

/** A venue's own word on a selection of its market. */
export interface NormalSettlement extends EventRef, SettlementOf {
  awaited?: AwaitedGame;
  outcome: Outcome;
  path: string;
}

export interface NormalFuture {
  league: string;
  sport: string;
  market: string;
  displayName: string;
  futureType: 'TEAM' | 'PLAYER' | 'OVER_UNDER' | 'YES_NO';
  eventStartMs: number | null;
  /** [selection, line, american, decimal] */
  quotes: [string, number | null, number, number][];
}

export interface Rejection {
  path: string;
  reason: string;
}

/** Result of the messages of one call. */
export interface IngestReceipt {
  /** Quotes accepted (new, changed or seen again). */
  accepted: number;
  /** Rows added, moved or otherwise changed. */
  changed: number;
  /** Rows removed by the message's scope, or one by one. */
  removed: number;
  rejected: Rejection[];
}

export interface BatchReceipt extends IngestReceipt {
  /** Events ignored because the message was older than what is stored for them. */
  stale: number;
  /** Names by which games were joined to others by who plays them. */
  joined?: { readonly league: string; readonly name: string; readonly meant: string; readonly book: string }[];
  /** Places in `events` of new games that the batch had no room for: they, and what else the message says, are left. */
  rest?: number[];
}
