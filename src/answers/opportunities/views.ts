// The port through which a group of streams gets its opportunities: it asks an OpportunityViews for one view.

import type { Caller } from '../../accounts/key-record.js';
import type { OpportunityKind } from '../../base/model/opportunity.js';
import type { Limits } from '../../detection/kinds/caller-thresholds.js';
import type { Universe } from '../../tables/filter/universe.js';

export type Thresholds = Pick<
  Limits,
  'minEv' | 'minProfit' | 'maxHold' | 'minSize' | 'minStake' | 'currency' | 'guaranteed' | 'assumed'
>;

/** What a group of subscribers requests of opportunities. */
export interface OpportunityRequest extends Thresholds {
  universe: Universe;
  /** Kinds of the group's channels; the caller's tier has been checked. */
  kinds: readonly OpportunityKind[];
  /** US state of deep links, lower case. */
  state: string;
  hasEvent(event: { id: string; sport: string; league: string }): boolean;
  hasMarket(market: string): boolean;
  /** Of the first stream of the group, whose claim is made. */
  caller?: Caller | undefined;
  /**
   * Set if many views ask for changes after the same position: they share one walk through all changes. The event ids
   * that hasEvent() is limited to, or null.
   */
  shared?: { events: readonly string[] | null };
}

/**
 * One kind's changes, as ids: those to send, and those that ended. A reader of a long sequence holds no more than
 * these; the view makes the items' texts when they are written.
 */
export interface OpportunityNews {
  kind: OpportunityKind;
  detected: readonly string[];
  expired: readonly string[];
}

/** Changes of opportunities, looked up piece by piece, in a stable order. Places are increasing numbers. */
export interface NewsWalk {
  readonly from: number;
  /** Those that meet the request. */
  readonly kinds: readonly OpportunityKind[];
  /** Whether something from a place on has been dropped. */
  lost(place: number): boolean;
  /**
   * The entries between two places or, if the second is null, about as many bytes' worth. `next` is where the following
   * entries begin, null at the end.
   */
  take(from: number, to: number | null, bytesMax: number): { news: OpportunityNews[]; next: number | null };
}

/**
 * The view of one group. Its changes happen at positions of the change log: when the broadcaster is called for a
 * position (after the delta's other listeners), the view already shows everything up to it, and nothing after it. The
 * once-a-second limit on changing numbers therefore belongs before the log, where delayed changes can still be given a
 * position: here everything that changed after a position is sent, whenever that is requested.
 */
export interface OpportunityView {
  /**
   * False until every shard has sent the active opportunities of the universe. A joining client waits for it; the
   * source notifies the broadcaster (`changed()`) when it becomes true.
   */
  readonly ready: boolean;
  /** Whether changesSince() is exact for a position; a client further behind needs a new snapshot. */
  reaches(position: number): boolean;
  /** Everything that meets the request now, best first. */
  active(nowMs: number): OpportunityNews[];
  /**
   * Net changes for a client that had everything up to `after`: detected are those that began to meet the request
   * since, or changed and still do; expired are those that met it then and no longer do, never one that came and went
   * since: unless the client comes back (`resumed`) and may know of those too, from a sequence that was cut short.
   */
  changesSince(after: number, nowMs: number, resumed?: boolean): OpportunityNews[];
  /** Ids of those that met the request at a position. */
  activeAt(position: number): string[];
  /** As active(), of those up to a position: the best first within one piece. */
  activeWalk(upTo: number): NewsWalk[];
  /** As changesSince(), of the changes up to `upTo`. */
  changesWalk(after: number, upTo: number, resumed: boolean): NewsWalk[];
  /**
   * The item as it is now, as JSON (the same for REST and streams); undefined if it has ended or no longer meets the
   * request, which the following changes will say.
   */
  text(id: string): string | undefined;
  /** The group was closed. */
  close(): void;
}

/** What decides the universe of a request. */
export type UniverseRequest = Pick<OpportunityRequest, 'universe' | 'kinds' | keyof Thresholds>;

export interface OpportunityViews {
  /**
   * Counts the request's universe for a stream's or alert's caller until the returned function is called. Throws
   * ApiError `rate_limited`.
   */
  claim(request: UniverseRequest, caller: Caller): () => void;
  open(request: OpportunityRequest): OpportunityView;
}

/** Used without detection: every view is empty. */
export const noOpportunities: OpportunityViews = {
  claim: () => () => undefined,
  open: () => ({
    ready: true,
    reaches: () => true,
    active: () => [],
    changesSince: () => [],
    activeAt: () => [],
    activeWalk: () => [],
    changesWalk: () => [],
    text: () => undefined,
    close: () => undefined,
  }),
};
