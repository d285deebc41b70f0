// The matches of a rule after a position: opportunities and moves that began to meet it, or prices that changed.

import type { OpportunityView, OpportunityViews } from '../answers/opportunities/views.js';
import { rowText } from '../answers/row-objects.js';
import { getOrInsert } from '../base/memory/get-or-insert.js';
import { isOffered } from '../base/model/activity.js';
import type { AlertRule } from '../base/model/alert.js';
import { formatMs } from '../base/model/time.js';
import { hasLaggard } from '../detection/kinds/move.js';
import type { Engine } from '../engine/engine.js';
import { DEFAULT_STATE } from '../rules/catalogue/deep-link.js';
import type { Move } from '../schema/moves.js';
import type { TableEvent } from '../tables/events.js';
import type { StreamFilter } from '../tables/filter/stream-filter.js';
import { laggardsOf, priceBounds, requestOf, stateOf } from './rules.js';

export interface Found {
  /** Ids that were not reported yet, each with its JSON, to be read in the same turn; prices have no ids. */
  begun: { readonly id: string; readonly text: string }[];
  /** Reported ids that are over. */
  ended: string[];
}

export interface RuleMatches {
  /** False while its data is not known yet. */
  readonly ready: boolean;
  /** Those that met the rule at a position: one that crosses its threshold later begins then. */
  activeAt(position: number): string[];
  since(after: number, reported: ReadonlySet<string>, nowMs: number): Found;
  close(): void;
}

type Tables = Pick<Engine, 'table' | 'catalogue'>;

export interface MatchSources {
  engine: Tables;
  source: OpportunityViews;
  prices: ChangedPrices;
}

/** Throws ApiError if no more sets of books can be watched, or not for this account. */
export function matchesOf(
  { engine, source, prices }: MatchSources,
  rule: AlertRule,
  filter: StreamFilter,
): RuleMatches {
  return rule.channel === 'odds'
    ? new PriceMatches(engine, prices, rule, filter)
    : new OpportunityMatches(source, rule, filter, laggardsOf(engine, { tier: filter.universe.tier, ...rule }, rule));
}

class OpportunityMatches implements RuleMatches {
  readonly #unclaim: () => void;
  readonly #view: OpportunityView;
  readonly #rule: AlertRule;
  readonly #laggards: ReadonlySet<string> | null;
  /** It has been evaluated since this program began: before that it may have reported what came and went. */
  #continued = false;

  constructor(source: OpportunityViews, rule: AlertRule, filter: StreamFilter, laggards: ReadonlySet<string> | null) {
    this.#laggards = laggards;
    const caller = { account: rule.account, viewer: false };
    const request = { ...requestOf(rule, filter), caller };
    this.#unclaim = source.claim(request, caller);
    try {
      this.#view = source.open(request);
    } catch (error) {
      this.#unclaim();
      throw error;
    }
    this.#rule = rule;
  }

  get ready(): boolean {
    return this.#view.ready;
  }

  activeAt(position: number): string[] {
    return this.#view.activeAt(position);
  }

  since(after: number, reported: ReadonlySet<string>, nowMs: number): Found {
    const view = this.#view;
    const whole = !view.reaches(after);
    const news = whole ? view.active(nowMs) : view.changesSince(after, nowMs, !this.#continued);
    this.#continued = true;
    const found: Found = { begun: [], ended: [] };
    const active = new Set<string>();
    for (const { detected, expired } of news) {
      for (const id of expired) if (reported.has(id)) found.ended.push(id);
      for (const id of detected) {
        active.add(id);
        const text = reported.has(id) ? undefined : view.text(id);
        if (text !== undefined && this.#meets(text, nowMs)) found.begun.push({ id, text });
      }
    }
    // Not evaluated for longer than the log reaches back: what is not active is over.
    if (whole) for (const id of reported) if (!active.has(id)) found.ended.push(id);
    return found;
  }

  close(): void {
    this.#view.close();
    this.#unclaim();
  }

  /** What streams have no filter for. */
  #meets(text: string, nowMs: number): boolean {
    const { channel, filters } = this.#rule;
    if (isTooOld(this.#rule, nowMs, () => (JSON.parse(text) as { detected_at: string }).detected_at)) return false;
    const { kinds, min_edge } = filters;
    if (channel !== 'moves' || (kinds ?? min_edge ?? this.#laggards) == null) return true;
    const move = JSON.parse(text) as Pick<Move, 'kind' | 'laggards'>;
    if (kinds !== undefined && !kinds.includes(move.kind)) return false;
    return hasLaggard(move, this.#laggards, min_edge);
  }
}

/** @param since RFC 3339 */
function isTooOld({ maxAgeSeconds }: AlertRule, nowMs: number, since: () => string): boolean {
  return maxAgeSeconds !== undefined && nowMs - Date.parse(since()) > maxAgeSeconds * 1000;
}

class PriceMatches implements RuleMatches {
  readonly #engine: Tables;
  readonly #prices: ChangedPrices;
  readonly #filter: StreamFilter;
  readonly #rule: AlertRule;
  readonly #bounds: readonly [least: number, most: number];
  readonly #state: string;

  constructor(engine: Tables, prices: ChangedPrices, rule: AlertRule, filter: StreamFilter) {
    this.#engine = engine;
    this.#prices = prices;
    this.#filter = filter;
    this.#rule = rule;
    this.#bounds = priceBounds(rule);
    this.#state = stateOf(rule);
  }

  readonly ready = true;

  activeAt(): string[] {
    return [];
  }

  since(after: number, _reported: ReadonlySet<string>, nowMs: number): Found {
    const { activity, changedUs } = this.#engine.table.columns;
    const [least, most] = this.#bounds;
    const isBounded = least > 0 || Number.isFinite(most);
    const found: Found = { begun: [], ended: [] };
    for (const slot of this.#prices.since(after, this.#filter, least, most)) {
      if (isBounded && !isOffered(activity[slot]!)) continue;
      if (isTooOld(this.#rule, nowMs, () => formatMs(changedUs[slot]! / 1000))) continue;
      found.begun.push(new ChangedPrice(() => this.#text(slot)));
    }
    return found;
  }

  #text(slot: number): string {
    if (this.#state === DEFAULT_STATE) return this.#prices.text(slot);
    return rowText(this.#engine.table, this.#engine.catalogue, slot, this.#state);
  }

  close(): void {}
}

/** Its JSON is made when it is sent, not while waiting for more of a burst. */
class ChangedPrice {
  readonly id = '';
  readonly #text: () => string;

  constructor(text: () => string) {
    this.#text = text;
  }

  get text(): string {
    return this.#text();
  }
}

// The prices that changed after a position, walked once for all rules that are evaluated in the same turn from the same
// position, and grouped by league and event, so that a rule examines only what its filter may match.

/** Changed rows of an event, or of a league. */
class Changed {
  readonly event: TableEvent;
  /** Indices among all that changed, oldest change first. */
  readonly places: number[] = [];
  /** Their lowest and highest decimal price. */
  least = Number.POSITIVE_INFINITY;
  most = 0;

  constructor(event: TableEvent) {
    this.event = event;
  }

  add(place: number, decimal: number): void {
    this.places.push(place);
    if (decimal < this.least) this.least = decimal;
    if (decimal > this.most) this.most = decimal;
  }
}

interface Walk {
  slots: number[];
  byEvent: Map<string, Changed>;
  /** By sport and league. */
  byLeague: Map<string, Changed>;
}

export class ChangedPrices {
  readonly #engine: Pick<Engine, 'table'>;
  readonly #walks = new Map<number, Walk>();
  readonly #texts = new Map<number, string>();

  constructor(engine: Pick<Engine, 'table'>) {
    this.#engine = engine;
  }

  /**
   * Slots whose price changed after a position, oldest change first, that match a filter and lie between two decimal
   * prices, both inclusive. Exact until the table changes; clear() must be called before.
   */
  since(after: number, filter: StreamFilter, least: number, most: number): number[] {
    const { decimal } = this.#engine.table.columns;
    const { slots, byEvent, byLeague } = this.#walkOf(after);
    const found: number[] = [];
    let groups = 0;
    const take = (changed: Changed): void => {
      if (changed.most < least || changed.least > most || !filter.hasEvent(changed.event)) return;
      const before = found.length;
      for (const place of changed.places) {
        const slot = slots[place]!;
        const price = decimal[slot]!;
        if (price >= least && price <= most && filter.hasRow(slot)) found.push(place);
      }
      if (found.length > before) groups++;
    };
    const { event: ids } = filter.applied;
    if (ids === null) for (const changed of byLeague.values()) take(changed);
    else
      for (const id of ids) {
        const changed = byEvent.get(id);
        if (changed !== undefined) take(changed);
      }
    if (groups > 1) found.sort((a, b) => a - b);
    return found.map((place) => slots[place]!);
  }

  /** The row's JSON. */
  text(slot: number): string {
    return getOrInsert(this.#texts, slot, () => this.#engine.table.json.text(slot));
  }

  /** The turn is over. */
  clear(): void {
    this.#walks.clear();
    this.#texts.clear();
  }

  #walkOf(after: number): Walk {
    const known = this.#walks.get(after);
    if (known !== undefined) return known;
    const { columns, events, recency } = this.#engine.table;
    const walk: Walk = { slots: [], byEvent: new Map(), byLeague: new Map() };
    for (const slot of recency.since(after)) {
      // Links and limits change, too.
      if (columns.changedUs[slot]! <= after) continue;
      const place = walk.slots.push(slot) - 1;
      const event = events.at(columns.event[slot]!);
      const decimal = columns.decimal[slot]!;
      const changed = (): Changed => new Changed(event);
      getOrInsert(walk.byEvent, event.id, changed).add(place, decimal);
      getOrInsert(walk.byLeague, `${event.sport}|${event.league}`, changed).add(place, decimal);
    }
    this.#walks.set(after, walk);
    return walk;
  }
}
