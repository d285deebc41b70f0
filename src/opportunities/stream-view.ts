// What groups of stream subscribers are told of opportunities: the port of src/opportunities/stream-source.ts. A group has no
// state of its own here; whether it had been told of an opportunity follows from the position it stands at.
import type { Clock } from '../model/clock.js';
import type { KeptLimits, Opportunity, OpportunityKind } from '../model/opportunity.js';
import type { EdgeHistory } from './edge-history.js';
import type { Outline } from './endings.js';
import type { OpportunityServer } from './serve.js';
import { orderOf } from './sort.js';
import type { OpportunityAsk, OpportunityNews, OpportunitySource, OpportunityView } from './stream-source.js';
import { DEFAULT_LIMITS, type Limits, meets } from './thresholds.js';
import type { UniverseOpportunities } from './universe-opportunities.js';
import type { Held, Universes } from './universes.js';

/** An item's JSON for every group that asks for it in the same turn of the event loop. */
interface Encoded {
  state: string;
  text: string;
}

export class OpportunityStreams implements OpportunitySource {
  readonly #universes: Universes;
  readonly #server: OpportunityServer;
  readonly #clock: Clock;
  readonly #encoded = new Map<Opportunity, Encoded>();
  /** The time they were encoded for; NaN where that turn is over. */
  #encodedMs = Number.NaN;

  constructor(universes: Universes, server: OpportunityServer, clock: Clock) {
    this.#universes = universes;
    this.#server = server;
    this.#clock = clock;
    // What has news is not what it was.
    universes.onNews = () => this.#encoded.clear();
  }

  open(ask: OpportunityAsk): OpportunityView {
    const encode = (opportunity: Opportunity): string => this.#encode(opportunity, ask.state);
    return new StreamView(this.#universes.hold(ask.universe, limitsOf(ask)), ask, encode);
  }

  #encode(opportunity: Opportunity, state: string): string {
    if (Number.isNaN(this.#encodedMs)) {
      this.#encodedMs = this.#clock.now();
      // What outlives its turn is what a collection has to copy.
      setImmediate(() => {
        this.#encoded.clear();
        this.#encodedMs = Number.NaN;
      });
    }
    const known = this.#encoded.get(opportunity);
    if (known?.state === state) return known.text;
    const text = JSON.stringify(this.#server.item(opportunity, this.#encodedMs, state));
    this.#encoded.set(opportunity, { state, text });
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
  readonly #encode: (opportunity: Opportunity) => string;

  constructor(held: Held, ask: OpportunityAsk, encode: (opportunity: Opportunity) => string) {
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
    return news.told(nowMs);
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
    return news.told(nowMs);
  }

  text(id: string): string | undefined {
    const opportunity = this.#held.opportunities.get(id);
    return opportunity !== undefined && this.#meets(opportunity, opportunity.edge)
      ? this.#encode(opportunity)
      : undefined;
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
  told(nowMs: number): OpportunityNews[] {
    if (this.#detected.length === 0 && this.#expired.length === 0) return [];
    return this.#kinds.flatMap((kind) => {
      const detected = this.#detected.filter((opportunity) => opportunity.kind === kind);
      const expired = this.#expired.filter((end) => end.kind === kind);
      if (detected.length === 0 && expired.length === 0) return [];
      detected.sort(orderOf(kind, undefined, nowMs));
      return [
        {
          kind,
          detected: detected.map(({ id }) => id),
          expired: [...new Set(expired.map(({ id }) => id))],
        },
      ];
    });
  }
}
