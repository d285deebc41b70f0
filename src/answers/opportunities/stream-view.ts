// The opportunities of groups of stream subscribers: implements the port of src/answers/opportunities/views.ts. A group
// has no state of its own here; whether it was sent an opportunity follows from its position.

import type { Caller } from '../../accounts/key-record.js';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { Clock } from '../../base/model/clock.js';
import type { Rates } from '../../base/model/money.js';
import type { DetectionLimits, OpportunityKind } from '../../base/model/opportunity.js';
import { DEFAULT_LIMITS, type Limits } from '../../detection/kinds/caller-thresholds.js';
import { KINDS } from '../../detection/kinds/kinds.js';
import type { Opportunity } from '../../log/delta/opportunity.js';
import type { EdgeMoves } from '../../tables/edge-history.js';
import type { Ended, Outline } from '../../tables/endings.js';
import type { Entry, OpportunityTable, UniverseOpportunities } from '../../tables/universe-opportunities.js';
import { meets, orderOf } from './list.js';
import type { OpportunityPresenter } from './presenter.js';
import type { UniverseLease, Universes } from './universes.js';
import type {
  NewsWalk,
  OpportunityNews,
  OpportunityRequest,
  OpportunityView,
  OpportunityViews,
  UniverseRequest,
} from './views.js';

/** Items' JSON, shared by every group that needs it in the same turn of the event loop. */
interface Encoded {
  state: string;
  currency: string;
  text: string;
}

export class OpportunityStreams implements OpportunityViews {
  readonly #universes: Universes;
  readonly #server: OpportunityPresenter;
  readonly #clock: Clock;
  readonly #encoded = new Map<Opportunity, Encoded>();
  /** By universe and position, until the turn of the event loop is over. */
  readonly #changes = new Map<UniverseOpportunities, Map<number, SharedChanges>>();
  /** The time they were encoded for; NaN if that turn is over. */
  #encodedMs = Number.NaN;

  constructor(table: OpportunityTable, universes: Universes, server: OpportunityPresenter, clock: Clock) {
    this.#universes = universes;
    this.#server = server;
    this.#clock = clock;
    // Items that changed must be encoded again.
    table.onNews = () => {
      this.#encoded.clear();
      this.#changes.clear();
      // A recording has many instants in one turn.
      if (!Number.isNaN(this.#encodedMs)) this.#encodedMs = this.#clock.now();
    };
  }

  claim(request: UniverseRequest, caller: Caller): () => void {
    return this.#universes.claim(request.universe, limitsOf(request), caller);
  }

  open(request: OpportunityRequest): OpportunityView {
    const encode = (opportunity: Opportunity): string => this.#encode(opportunity, request);
    const shared = (universe: UniverseOpportunities, after: number): SharedChanges => this.#changesOf(universe, after);
    return new StreamView(this.#universes.hold(request.universe, limitsOf(request), request.caller), {
      request,
      encode,
      shared,
      clock: this.#clock,
      rates: this.#server.rates,
    });
  }

  #changesOf(universe: UniverseOpportunities, after: number): SharedChanges {
    if (this.#changes.size === 0) setImmediate(() => this.#changes.clear());
    const ofUniverse = getOrInsert(this.#changes, universe, () => new Map<number, SharedChanges>());
    return getOrInsert(ofUniverse, after, () => new SharedChanges(universe, after));
  }

  #encode(
    opportunity: Opportunity,
    { state, currency, universe }: Pick<OpportunityRequest, 'state' | 'currency' | 'universe'>,
  ): string {
    if (Number.isNaN(this.#encodedMs)) {
      this.#encodedMs = this.#clock.now();
      // Anything that outlives its turn is a cost to the garbage collector.
      setImmediate(() => {
        this.#encoded.clear();
        this.#encodedMs = Number.NaN;
      });
    }
    const known = this.#encoded.get(opportunity);
    if (known?.state === state && known.currency === currency) return known.text;
    const text = JSON.stringify(this.#server.item(opportunity, this.#encodedMs, state, currency, universe));
    this.#encoded.set(opportunity, { state, currency, text });
    return text;
  }
}

/** The limits of the request's kinds: those of others are irrelevant to what is retained. */
function limitsOf({ kinds, minEv, minSize, maxHold }: UniverseRequest): Partial<DetectionLimits> {
  return {
    ...(kinds.includes('ev') ? { minEv } : {}),
    ...(kinds.includes('middle') ? { minMiddleSize: minSize } : {}),
    ...(kinds.includes('low_hold') ? { maxHold } : {}),
  };
}

interface ViewOptions {
  request: OpportunityRequest;
  encode(opportunity: Opportunity): string;
  /** Changes in a universe after a position, for all who need them in the same turn. */
  shared(universe: UniverseOpportunities, after: number): SharedChanges;
  clock: Clock;
  rates: Rates;
}

class StreamView implements OpportunityView {
  readonly #lease: UniverseLease;
  readonly #request: OpportunityRequest;
  readonly #limits: Limits;
  readonly #encode: (opportunity: Opportunity) => string;
  readonly #shared: ViewOptions['shared'];
  readonly #clock: Clock;

  constructor(lease: UniverseLease, options: ViewOptions) {
    const { request, encode, shared, clock } = options;
    this.#lease = lease;
    this.#clock = clock;
    this.#request = request;
    const { minEv, minProfit, maxHold, minSize, minStake, currency, guaranteed, assumed } = request;
    const { rates } = options;
    this.#limits = {
      ...DEFAULT_LIMITS,
      ...{ minEv, minProfit, maxHold, minSize, minStake, currency, guaranteed, assumed, rates },
    };
    this.#encode = encode;
    this.#shared = shared;
  }

  get ready(): boolean {
    return this.#lease.ready;
  }

  reaches(position: number): boolean {
    return this.#lease.reaches(position);
  }

  active(nowMs: number): OpportunityNews[] {
    const news = new News(this.#request.kinds);
    for (const opportunity of this.#lease.opportunities.opportunities())
      if (this.#meets(opportunity, opportunity.edge)) news.detected(opportunity);
    return news.toNews(nowMs);
  }

  changesSince(after: number, nowMs: number, resumed = false): OpportunityNews[] {
    const reader = readerAt(after, resumed);
    const universe = this.#lease.opportunities;
    const { kinds, shared } = this.#request;
    const news = new News(kinds);
    if (shared === undefined)
      this.#takeAll(universe.endedSince(after, reader.createdUpTo), universe.touchedSince(after), reader, news);
    else
      for (const group of this.#shared(universe, after).groups(kinds, shared.events))
        if (this.#mayHaveNews(group)) this.#takeAll(group.ended, group.touched, reader, news);
    return news.toNews(nowMs);
  }

  #mayHaveNews({ kind, event, least, most }: ChangedGroup): boolean {
    return event === undefined || (KINDS[kind].mayMeet(least, most, this.#limits) && this.#request.hasEvent(event));
  }

  #takeAll(ended: Iterable<Ended>, touched: readonly Entry[], reader: Reader, news: News): void {
    for (const end of ended)
      if (end.createdPosition <= reader.createdUpTo && this.#endIsNews(end, reader)) news.expired(end.kind, end.id);
    for (const entry of touched) this.#takeEntry(entry, reader, news);
  }

  activeAt(position: number): string[] {
    const universe = this.#lease.opportunities;
    const ids: string[] = [];
    for (let at = 0; at < universe.slotLimit; at++) {
      const entry = universe.at(at);
      if (entry === undefined || entry.createdPosition > position) continue;
      if (this.#passedAt(entry.opportunity, entry.edges, position)) ids.push(entry.opportunity.id);
    }
    return ids;
  }

  activeWalk(upTo: number): NewsWalk[] {
    return [
      this.#entriesWalk((entry, news) => {
        if (entry.createdPosition <= upTo && this.#meets(entry.opportunity, entry.opportunity.edge))
          news.detected(entry.opportunity);
      }),
    ];
  }

  changesWalk(after: number, upTo: number, resumed: boolean): NewsWalk[] {
    const reader = readerAt(after, resumed);
    return [
      this.#endsWalk(reader),
      this.#entriesWalk((entry, news) => {
        if (entry.createdPosition <= upTo && entry.touchedPosition > after) this.#takeEntry(entry, reader, news);
      }),
    ];
  }

  #endsWalk(reader: Reader): NewsWalk {
    const { endings } = this.#lease.opportunities;
    const end = endings.end;
    return {
      from: endings.numberAfter(reader.after),
      kinds: this.#request.kinds,
      lost: (place) => place < Math.min(endings.first, end),
      take: (from, to, bytesMax) =>
        this.#take({ from, to, end, bytesMax }, (at, news) => {
          const ended = endings.at(at)!;
          if (ended.createdPosition <= reader.createdUpTo && this.#endIsNews(ended, reader))
            news.expired(ended.kind, ended.id);
        }),
    };
  }

  #entriesWalk(take: (entry: Entry, news: News) => void): NewsWalk {
    const universe = this.#lease.opportunities;
    // Later ones may use slots beyond it, and follow later.
    const end = universe.slotLimit;
    return {
      from: 0,
      kinds: this.#request.kinds,
      lost: () => false,
      take: (from, to, bytesMax) =>
        this.#take({ from, to, end, bytesMax }, (at, news) => {
          const entry = universe.at(at);
          if (entry !== undefined) take(entry, news);
        }),
    };
  }

  /** All up to `to` or, if that is null, about as many bytes' worth. */
  #take(
    { from, to, end, bytesMax }: { from: number; to: number | null; end: number; bytesMax: number },
    look: (at: number, news: News) => void,
  ): { news: OpportunityNews[]; next: number | null } {
    const news = new News(this.#request.kinds, (opportunity) => this.#encode(opportunity).length);
    const stop = Math.min(end, to ?? end);
    let at = from;
    while (at < stop && (to !== null || news.bytes < bytesMax)) look(at++, news);
    return { news: news.toNews(this.#clock.now()), next: at < end ? at : null };
  }

  text(id: string): string | undefined {
    const opportunity = this.#lease.opportunities.get(id);
    return opportunity !== undefined && this.#meets(opportunity, opportunity.edge)
      ? this.#encode(opportunity)
      : undefined;
  }

  close(): void {
    this.#lease.release();
  }

  #endIsNews(ended: Ended, reader: Reader): boolean {
    const { kind, id } = ended;
    // One from an earlier run of which nothing else is known is sent to everyone: a client that never had it ignores
    // it.
    const met = ended.outlined ? this.#met(ended, ended, reader) : this.#request.kinds.includes(kind);
    return met && !this.#meetsNow(this.#lease.opportunities, id);
  }

  /** One that changed since the client's position. */
  #takeEntry(entry: Entry, reader: Reader, news: News): void {
    const { opportunity, createdPosition, updatedPosition, edges } = entry;
    const { after, resumed, createdUpTo } = reader;
    if (this.#meets(opportunity, opportunity.edge)) {
      // A change of numbers within the second waits; starting or ceasing to meet the limits never does.
      if (resumed || updatedPosition > after || !this.#passedAt(opportunity, edges, after)) news.detected(opportunity);
    } else if (createdPosition <= createdUpTo && this.#met(opportunity, entry, reader))
      news.expired(opportunity.kind, opportunity.id);
  }

  /** It ended and was found again since: for the client it only changed. */
  #meetsNow(universe: UniverseOpportunities, id: string): boolean {
    const opportunity = universe.get(id);
    return opportunity !== undefined && this.#meets(opportunity, opportunity.edge);
  }

  /** Whether the client may know it: it met the request at `after`, or, for a returning client, at any time since. */
  #met(
    opportunity: Outline,
    { edges, createdPosition }: Pick<Ended, 'edges' | 'createdPosition'>,
    { after, resumed }: Reader,
  ): boolean {
    if (!resumed) return this.#passedAt(opportunity, edges, after);
    // Its edges of before a restart are not known.
    if (this.#passedAt(opportunity, edges, Math.max(after, createdPosition))) return true;
    return edges.passedSince(after, (edge, terms) => this.#meets(opportunity, edge, terms));
  }

  #passedAt(opportunity: Outline, edges: EdgeMoves, after: number): boolean {
    return edges.passedAt(after, (edge, terms) => this.#meets(opportunity, edge, terms));
  }

  #meets(opportunity: Outline, edge: number, terms = opportunity.terms): boolean {
    const { kind, eventId: id, sport, league, market } = opportunity;
    return (
      this.#request.kinds.includes(kind) &&
      meets(opportunity, edge, this.#limits, terms) &&
      this.#request.hasEvent({ id, sport, league }) &&
      this.#request.hasMarket(market)
    );
  }
}

/** A client, by what it may know. */
interface Reader {
  after: number;
  resumed: boolean;
  /** It may know of those that began by then. */
  createdUpTo: number;
}

/** A returning client may know of those that came and went, from a sequence that was cut short. */
function readerAt(after: number, resumed: boolean): Reader {
  return { after, resumed, createdUpTo: resumed ? Number.POSITIVE_INFINITY : after };
}

class News {
  /** Approximate bytes of all of it. */
  bytes = 0;
  readonly #kinds: readonly OpportunityKind[];
  readonly #bytesOf: (opportunity: Opportunity) => number;
  readonly #ofKind = new Map<OpportunityKind, { detected: Opportunity[]; expired: Set<string> }>();

  constructor(kinds: readonly OpportunityKind[], bytesOf: (opportunity: Opportunity) => number = () => 0) {
    this.#kinds = kinds;
    this.#bytesOf = bytesOf;
  }

  detected(opportunity: Opportunity): void {
    this.#of(opportunity.kind).detected.push(opportunity);
    this.bytes += this.#bytesOf(opportunity);
  }

  expired(kind: OpportunityKind, id: string): void {
    this.#of(kind).expired.add(id);
    this.bytes += id.length + 3;
  }

  /** By kind, best first; a kind without changes is omitted. */
  toNews(nowMs: number): OpportunityNews[] {
    return this.#kinds.flatMap((kind) => {
      const news = this.#ofKind.get(kind);
      if (news === undefined) return [];
      const detected = news.detected.sort(orderOf(kind, undefined, nowMs)).map(({ id }) => id);
      return [{ kind, detected, expired: [...news.expired] }];
    });
  }

  #of(kind: OpportunityKind): { detected: Opportunity[]; expired: Set<string> } {
    return getOrInsert(this.#ofKind, kind, () => ({ detected: [], expired: new Set() }));
  }
}

// The changes of a universe after a position, walked once for all readers that need them and grouped by kind, league
// and event, so that each reader examines only what its filter and thresholds may match.

/** Changes of one kind in a league or an event. */
interface ChangedGroup {
  readonly kind: OpportunityKind;
  /** One of its events; undefined for ends of which only kind and id are known. */
  readonly event: { id: string; sport: string; league: string } | undefined;
  readonly touched: Entry[];
  readonly ended: Ended[];
  /** Over all edges that any of them has had since the position (percent); an unknown one lies between any two. */
  least: number;
  most: number;
}

class SharedChanges {
  readonly #byLeague = new Map<string, ChangedGroup>();
  readonly #byEvent = new Map<string, ChangedGroup>();
  readonly #unknown = new Map<string, ChangedGroup>();

  constructor(universe: UniverseOpportunities, after: number) {
    for (const ended of universe.endedSince(after, Number.POSITIVE_INFINITY))
      for (const group of ended.outlined ? this.#groupsOf(ended) : [groupOf(this.#unknown, ended.kind, ended.kind)]) {
        group.ended.push(ended);
        if (ended.outlined) widen(group, ended, after);
      }
    for (const entry of universe.touchedSince(after))
      for (const group of this.#groupsOf(entry.opportunity)) {
        group.touched.push(entry);
        widen(group, entry, after);
      }
  }

  /** The groups of some kinds with all changes of some events or, if that is null, of all. */
  *groups(kinds: readonly OpportunityKind[], events: readonly string[] | null): Iterable<ChangedGroup> {
    for (const kind of kinds) {
      const unknown = this.#unknown.get(kind);
      if (unknown !== undefined) yield unknown;
      if (events === null) continue;
      for (const id of events) {
        const group = this.#byEvent.get(`${kind}|${id}`);
        if (group !== undefined) yield group;
      }
    }
    if (events === null) for (const group of this.#byLeague.values()) if (kinds.includes(group.kind)) yield group;
  }

  #groupsOf(outline: Outline): [ChangedGroup, ChangedGroup] {
    const { kind, eventId, sport, league } = outline;
    return [
      groupOf(this.#byLeague, `${kind}|${sport}|${league}`, kind, outline),
      groupOf(this.#byEvent, `${kind}|${eventId}`, kind, outline),
    ];
  }
}

function groupOf(groups: Map<string, ChangedGroup>, key: string, kind: OpportunityKind, of?: Outline): ChangedGroup {
  return getOrInsert(groups, key, () => {
    const event = of === undefined ? undefined : { id: of.eventId, sport: of.sport, league: of.league };
    return { kind, event, touched: [], ended: [], least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY };
  });
}

function widen(
  group: ChangedGroup,
  { edges, createdPosition }: Pick<Ended, 'edges' | 'createdPosition'>,
  after: number,
) {
  const edgesSince = edges.since(after);
  const lowest = Math.min(...edgesSince);
  const highest = Math.max(...edgesSince);
  // An unknown edge meets every threshold.
  const isUnknown = Number.isNaN(lowest) || Number.isNaN(edges.at(Math.max(after, createdPosition)));
  group.least = isUnknown ? Number.NEGATIVE_INFINITY : Math.min(group.least, lowest);
  group.most = isUnknown ? Number.POSITIVE_INFINITY : Math.max(group.most, highest);
}
