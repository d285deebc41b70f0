// What groups of stream subscribers are told of opportunities: the port of src/broadcast/channels.ts. A group has no
// state of its own here; whether it had been told of an opportunity follows from the position it stands at.
import type { OpportunityAsk, OpportunityNews, OpportunitySource, OpportunityView } from '../broadcast/channels.js';
import type { KeptLimits, Opportunity, OpportunityKind } from '../detect/opportunity.js';
import type { EdgeHistory } from './edge-history.js';
import type { Outline } from './endings.js';
import type { OpportunityServer } from './serve.js';
import { orderOf } from './sort.js';
import { DEFAULT_LIMITS, type Limits, meets } from './thresholds.js';
import type { UniverseOpportunities } from './universe-opportunities.js';
import type { Held, Universes } from './universes.js';

/** An item's JSON for every group that asks for it in the same tick. */
interface Encoded {
  state: string;
  movedUs: number;
  seenMs: readonly number[];
  text: string;
}

export class OpportunityStreams implements OpportunitySource {
  readonly #universes: Universes;
  readonly #server: OpportunityServer;
  readonly #encoded = new Map<Opportunity, Encoded>();
  /** The time of the tick they were encoded for: no text is of use after it. */
  #encodedMs = 0;

  constructor(universes: Universes, server: OpportunityServer) {
    this.#universes = universes;
    this.#server = server;
  }

  open(ask: OpportunityAsk): OpportunityView {
    const encode = (opportunity: Opportunity, nowMs: number): string => this.#encode(opportunity, nowMs, ask.state);
    return new StreamView(this.#universes.hold(ask.universe, limitsOf(ask)), ask, encode);
  }

  #encode(opportunity: Opportunity, nowMs: number, state: string): string {
    if (nowMs !== this.#encodedMs) {
      this.#encoded.clear();
      this.#encodedMs = nowMs;
      // What outlives its tick is what a collection has to copy.
      setImmediate(() => this.#encoded.clear());
    }
    const { movedUs, seenMs } = opportunity;
    const known = this.#encoded.get(opportunity);
    if (known?.state === state && known.movedUs === movedUs && known.seenMs === seenMs) return known.text;
    const text = JSON.stringify(this.#server.item(opportunity, nowMs, state));
    this.#encoded.set(opportunity, { state, movedUs, seenMs, text });
    return text;
  }
}

/** The limits of the ask's kinds: those of others have no say in what is kept. */
function limitsOf({ kinds, minEv, minSize, maxHold }: OpportunityAsk): Partial<KeptLimits> {
  return {
    ...(kinds.includes('ev') ? { minEv } : {}),
    ...(kinds.includes('middle') ? { minMiddleSize: minSize } : {}),
    ...(kinds.includes('low_hold') ? { maxHold } : {}),
  };
}

class StreamView implements OpportunityView {
  readonly #held: Held;
  readonly #ask: OpportunityAsk;
  readonly #limits: Limits;
  readonly #encode: (opportunity: Opportunity, nowMs: number) => string;

  constructor(held: Held, ask: OpportunityAsk, encode: (opportunity: Opportunity, nowMs: number) => string) {
    this.#held = held;
    this.#ask = ask;
    const { minEv, minProfit, maxHold, minSize } = ask;
    this.#limits = { ...DEFAULT_LIMITS, minEv, minProfit, maxHold, minSize };
    this.#encode = encode;
  }

  get ready(): boolean {
    return this.#held.ready;
  }

  reaches(position: number): boolean {
    return this.#held.reaches(position);
  }

  alive(nowMs: number): OpportunityNews[] {
    const news = new News(this.#ask.kinds);
    for (const opportunity of this.#held.opportunities.opportunities())
      if (this.#meets(opportunity, opportunity.edge)) news.detected(opportunity);
    return news.told(nowMs, this.#encode);
  }

  changesSince(after: number, nowMs: number, resumed = false): OpportunityNews[] {
    // Who comes back may have heard of those that came and went, in news that was cut short.
    const bornBy = resumed ? Number.POSITIVE_INFINITY : after;
    const universe = this.#held.opportunities;
    const news = new News(this.#ask.kinds);
    for (const ended of universe.endedSince(after, bornBy)) {
      const { kind, id } = ended;
      // One of an earlier run nobody knows more of is told to all: who never had it passes over it.
      const met = ended.outlined ? this.#met(ended, ended.edges, after, resumed) : this.#ask.kinds.includes(kind);
      if (met && !this.#meetsNow(universe, id)) news.expired(kind, id);
    }
    for (const { opportunity, bornUs, movedUs, edges } of universe.touchedSince(after)) {
      if (this.#meets(opportunity, opportunity.edge)) {
        // One that moved within the second waits; that it came to meet the limits, or ceased to, never does.
        if (resumed || movedUs > after || !this.#meets(opportunity, edges.at(after))) news.detected(opportunity);
      } else if (bornUs <= bornBy && this.#met(opportunity, edges, after, resumed))
        news.expired(opportunity.kind, opportunity.id);
    }
    return news.told(nowMs, this.#encode);
  }

  close(): void {
    this.#held.release();
  }

  /** Ended and found again since: to the client it only moved. */
  #meetsNow(universe: UniverseOpportunities, id: string): boolean {
    const opportunity = universe.get(id);
    return opportunity !== undefined && this.#meets(opportunity, opportunity.edge);
  }

  /** Whether the client may have been told of it: it met the ask at `after`, or, for one that comes back, at any time since. */
  #met(opportunity: Outline, edges: EdgeHistory, after: number, resumed: boolean): boolean {
    const known = resumed ? edges.since(after) : [edges.at(after)];
    return known.some((edge) => this.#meets(opportunity, edge));
  }

  #meets(opportunity: Outline, edge: number): boolean {
    const { kind, eventId: id, sport, league, market } = opportunity;
    return (
      this.#ask.kinds.includes(kind) &&
      meets(opportunity, edge, this.#limits) &&
      this.#ask.hasEvent({ id, sport, league }) &&
      this.#ask.hasMarket(market)
    );
  }
}

class News {
  readonly #kinds: readonly OpportunityKind[];
  readonly #detected: Opportunity[] = [];
  readonly #expired: { kind: OpportunityKind; id: string }[] = [];

  constructor(kinds: readonly OpportunityKind[]) {
    this.#kinds = kinds;
  }

  detected(opportunity: Opportunity): void {
    this.#detected.push(opportunity);
  }

  expired(kind: OpportunityKind, id: string): void {
    this.#expired.push({ kind, id });
  }

  /** By kind, best first; a kind without news is left out. */
  told(nowMs: number, encode: (opportunity: Opportunity, nowMs: number) => string): OpportunityNews[] {
    if (this.#detected.length === 0 && this.#expired.length === 0) return [];
    return this.#kinds.flatMap((kind) => {
      const detected = this.#detected.filter((opportunity) => opportunity.kind === kind);
      const expired = this.#expired.filter((end) => end.kind === kind);
      if (detected.length === 0 && expired.length === 0) return [];
      detected.sort(orderOf(kind, undefined, nowMs));
      return [
        {
          kind,
          detected: detected.map((opportunity) => encode(opportunity, nowMs)),
          expired: [...new Set(expired.map(({ id }) => id))],
        },
      ];
    });
  }
}
