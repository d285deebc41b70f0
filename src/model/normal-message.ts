// An ingest message after validation: canonical book, league and sport, exact numbers, quotes as tuples (they cross to
// the shard worker as MessagePack, where a tuple costs half of a map).
import type { Commission } from './commission.js';
import type { GameState } from './game-state.js';

export const EVENT_STATUSES = ['upcoming', 'live', 'ended', 'postponed', 'cancelled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

export interface NormalMessage {
  book: string;
  /** Unix microseconds of polled_at. */
  polledUs: number;
  scope: 'event' | 'league' | 'none';
  /** Set for scope `league`. */
  league: string | null;
  events: NormalEvent[];
  splits: NormalSplits[];
  futures: NormalFuture[];
}

export interface EventRef {
  league: string;
  sport: string;
  /** Set where the message named an event the engine already knows; teams and start are empty then. */
  eventId: string | null;
  home: string;
  away: string;
  /** Unix milliseconds. */
  startMs: number;
}

export interface NormalEvent extends EventRef {
  externalId: string | null;
  live: boolean | null;
  status: EventStatus | null;
  state: GameState | null;
  /** False where the entry only carries a game state: it says nothing about the book's quotes. */
  quoted: boolean;
  /** No bet is taken on any of the book's rows of it; those that `markets` does not name stay. */
  suspended: boolean;
  markets: NormalMarket[];
  /** Where the event stood in the caller's message, for rejections found later. */
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
  /** False where the market, or its whole event, is suspended; without quotes all its rows are. */
  active: boolean;
  quotes: NormalQuote[];
}

export type NormalQuote = [
  selection: string,
  selectionType: string,
  line: number | null,
  /** Both prices are null where a suspended selection names none: the one that stands stays. */
  american: number | null,
  decimal: number | null,
  alternate: boolean,
  deepLink: string | null,
  externalId: string | null,
  publicBetPct: number | null,
  active: boolean,
  /** What an exchange says of it; null where the book is none, or says nothing. */
  exchange: ExchangeDetails | null,
];

/** What an exchange or a prediction market says beside a price; money in the venue's currency, null where not told. */
export type ExchangeDetails = readonly [
  /** What can be staked at the price. */
  size: number | null,
  /** Traded in 24 h. */
  volume24h: number | null,
  /** Contracts that stand open. */
  openInterest: number | null,
  /** What an order at the venue names. */
  tokenId: string | null,
  /** What is taken of a bet in this market, where that is not what the book takes. Not there in what older releases stored. */
  commission?: Commission | null,
];

export interface Share {
  [side: string]: number | null;
}

export interface NormalSplits extends EventRef {
  /** The splits source. */
  source: string;
  spread: { awayLine: number | null; homeLine: number | null; handle: Share | null; bets: Share | null } | null;
  total: { line: number | null; handle: Share | null; bets: Share | null } | null;
  moneyline: { awayOdds: number | null; homeOdds: number | null; handle: Share | null; bets: Share | null } | null;
  fetchedMs: number;
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

/** What became of the messages of one call. */
export interface IngestReceipt {
  /** Quotes taken (new, changed or seen again). */
  accepted: number;
  /** Rows added, moved or otherwise different from before. */
  changed: number;
  /** Rows removed by the message's scope. */
  removed: number;
  rejected: Rejection[];
}

export interface BatchReceipt extends IngestReceipt {
  /** Events passed over because the message was older than what is stored for them. */
  stale: number;
}
