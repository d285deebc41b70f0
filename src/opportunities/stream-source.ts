// The port through which a group of streams gets its opportunities: it asks an OpportunitySource for a view once.

import type { Universe } from '../filter/universe.js';
import type { OpportunityKind } from '../model/opportunity.js';

export interface Thresholds {
  /** Lowest EV in percent. */
  minEv: number;
  /** Lowest arbitrage profit in percent. */
  minProfit: number;
  /** Highest hold in percent. */
  maxHold: number;
  /** Smallest middle. */
  minSize: number;
}

/** What a group of subscribers wants to be told of opportunities. */
export interface OpportunityAsk extends Thresholds {
  universe: Universe;
  /** Kinds of the group's channels; the caller's tier has been looked at. */
  kinds: readonly OpportunityKind[];
  /** US state of deep links, lower case. */
  state: string;
  hasEvent(event: { id: string; sport: string; league: string }): boolean;
  hasMarket(market: string): boolean;
}

/**
 * One kind's news, as ids: of those to be told, and of those that ended. Whoever has still to be told of many holds no
 * more than these; the view makes the items' texts when they are written.
 */
export interface OpportunityNews {
  kind: OpportunityKind;
  detected: readonly string[];
  expired: readonly string[];
}

/** News of opportunities looked up bit by bit, in an order that stays. Places are numbers that rise. */
export interface NewsWalk {
  readonly from: number;
  /** Those of the ask. */
  readonly kinds: readonly OpportunityKind[];
  /** Whether something from a place on has been forgotten. */
  lost(place: number): boolean;
  /**
   * What lies between two places, or, where the second is null, as much as takes about so many bytes. `next` is where
   * what follows begins, null at the end.
   */
  take(from: number, to: number | null, bytesMax: number): { news: OpportunityNews[]; next: number | null };
}

/**
 * What one group sees. Its changes happen at positions of the change log: when the broadcaster is told of a position
 * (after the delta's other listeners), the view already shows everything up to it, and nothing after it.
 * So the once-a-second limit on moving numbers belongs before the log, where a position can still be given to what was
 * held back: here whatever moved after a position is told, whenever that is asked.
 */
export interface OpportunityView {
  /**
   * False until every shard has told what is alive in the universe. A joining client waits for it; the source tells
   * the broadcaster (`changed()`) when it comes true.
   */
  readonly ready: boolean;
  /** True while it is looked up what happened after a position, after which the broadcaster is told (`changed()`). */
  looksBack(position: number): boolean;
  /** Whether changesSince() is exact for a position; a client further behind needs a new snapshot. Asked after looksBack(). */
  reaches(position: number): boolean;
  /** Everything that meets the ask now, best first. */
  alive(nowMs: number): OpportunityNews[];
  /**
   * Net effect for a client that had everything up to `after`: detected are those that came to meet the ask since, or
   * moved and still do; expired are those that met it then and no longer do, never one that came and went since: unless
   * the client comes back (`resumed`) and may hold of those, too, from news that was cut short.
   */
  changesSince(after: number, nowMs: number, resumed?: boolean): OpportunityNews[];
  /** As alive(), of what there was up to a position: the best first within what is taken at once. */
  aliveWalk(upTo: number): NewsWalk[];
  /** As changesSince(), of what happened up to `upTo`. */
  changesWalk(after: number, upTo: number, resumed: boolean): NewsWalk[];
  /**
   * The item as it stands now, as JSON (REST and stream show the same); undefined where it has ended or does not meet the
   * ask any more, which the changes that follow tell.
   */
  text(id: string): string | undefined;
  /** The group is gone. */
  close(): void;
}

export interface OpportunitySource {
  open(ask: OpportunityAsk): OpportunityView;
}

/** Where nothing is detected: every view is empty. */
export const noOpportunities: OpportunitySource = {
  open: () => ({
    ready: true,
    looksBack: () => false,
    reaches: () => true,
    alive: () => [],
    changesSince: () => [],
    aliveWalk: () => [],
    changesWalk: () => [],
    text: () => undefined,
    close: () => undefined,
  }),
};
