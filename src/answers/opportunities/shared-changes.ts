// The changes of a universe after a position, walked once for all readers that need them and grouped by kind, league
// and event, so that each reader examines only what its filter and thresholds may match.
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { OpportunityKind } from '../../base/model/opportunity.js';
import type { Ended, Outline } from '../../tables/endings.js';
import type { Entry, UniverseOpportunities } from '../../tables/universe-opportunities.js';

/** Changes of one kind in a league or an event. */
export interface ChangedGroup {
  readonly kind: OpportunityKind;
  /** One of its events; undefined for ends of which only kind and id are known. */
  readonly event: { id: string; sport: string; league: string } | undefined;
  readonly touched: Entry[];
  readonly ended: Ended[];
  /** Over all edges that any of them has had since the position (percent); an unknown one lies between any two. */
  least: number;
  most: number;
}

export class SharedChanges {
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
