// Turns a stream's events into what is to be written: parts whose rows may be written a table at a time, and the position
// that they lead to. A position is only told once all that leads to it is here, so that a cut never goes through a change.

import { formatUs, parseTimeUs } from '../../base/model/time.js';
import type { OddsDelta, OddsRow, StreamEvent, StreamItem } from '../../client/client.js';

/** A row of a table, by column. */
export type Fields = Readonly<Record<string, unknown>>;

/** A row that is not there any more. */
export interface Removal {
  id: string;
  /** The position's instant; of a row that came again before that, just before it did. */
  at: string;
}

/** Of the rows of `odds_changes` those that are removals, and the others. */
export function splitRemovals(rows: readonly Fields[]): [removed: Fields[], told: Fields[]] {
  const isRemoval = ({ change }: Fields): boolean => change === 'removed';
  return [rows.filter(isRemoval), rows.filter((row) => !isRemoval(row))];
}

/**
 * Written in this order: rows that are put, then what changed of rows, then rows that went. What would need another order
 * is in the next part.
 */
export class Part {
  readonly put: OddsRow[] = [];
  readonly changed: OddsDelta[] = [];
  readonly removed: Removal[] = [];
  readonly opportunities: Fields[] = [];
  readonly moves: Fields[] = [];
  /** Moves that are over. */
  readonly movesOver: Removal[] = [];
  readonly results: Fields[] = [];
  readonly #stages = new Map<string, number>();

  get size(): number {
    return (
      this.put.length +
      this.changed.length +
      this.removed.length +
      this.opportunities.length +
      this.moves.length +
      this.movesOver.length +
      this.results.length
    );
  }

  /** False if the row has already come further than this stage. */
  accepts(id: string, stage: number): boolean {
    if ((this.#stages.get(id) ?? 0) > stage) return false;
    this.#stages.set(id, stage);
    return true;
  }
}

/** Parts that lead to one position, or, while a snapshot is under way, to none yet. */
export interface Cut {
  parts: Part[];
  position: number | null;
  /** The first of a snapshot: what stood before is replaced by it. */
  restarts: boolean;
  /** Why what was missed could not be told. */
  reason: string | null;
}

const PUT = 1;
const CHANGED = 2;
const REMOVED = 3;

const MOVES = 'moves';

/** Of an opportunity or a move. */
export interface Identity {
  kind: string;
  id: string;
  event_id: string | null;
  sport: string | null;
  league: string | null;
  market_type: string | null;
}

interface Open {
  identity: Identity;
  /** What was written of it; empty where an earlier run did that. */
  text: string;
}

/** Where each kind says how good it is, in percent. */
const PERCENT: Readonly<Record<string, string>> = {
  ev: 'ev_percentage',
  arbitrage: 'profit_percent',
  middles: 'expected_value',
  low_hold: 'hold_percentage',
};

export class PartBuilder {
  readonly #sink: string;
  /** Opportunities and moves that are not over. */
  readonly #open: Map<string, Open>;
  /** False if there may be others. */
  #knowsOpen: boolean;
  #parts: Part[] = [new Part()];
  /** Opportunities, moves and results: they wait for a position, and are told of once, whatever begins anew meanwhile. */
  #items = new Part();
  /** Of the cut under way, the last of each row. */
  readonly #removals = new Map<string, Removal>();
  /** Of these, what a snapshot has told so far; null outside of one. */
  #told: Set<string> | null = null;
  #restarts = false;
  #reason: string | null = null;

  /** @param open opportunities and moves that are not over as far as the target knows; null if it does not know any */
  constructor(sink: string, open: readonly Identity[] | null) {
    this.#sink = sink;
    this.#open = new Map((open ?? []).map((identity) => [keyOf(identity), { identity, text: '' }]));
    this.#knowsOpen = open !== null;
  }

  get #part(): Part {
    return this.#parts.at(-1)!;
  }

  take(event: StreamEvent): void {
    switch (event.type) {
      case 'started':
        if (!event.resumed) this.#restart();
        return;
      case 'snapshot_required':
        this.#reason = event.reason;
        return;
      case 'snapshot':
      case 'added':
        for (const row of event.rows) {
          this.#staged(row.id, PUT).put.push(row);
          this.#cameAgain(row);
        }
        return;
      case 'updated':
        for (const delta of event.deltas) this.#staged(delta.id, CHANGED).changed.push(delta);
        return;
      case 'removed':
        for (const id of event.ids) {
          // A row that comes and goes while nothing is read is told to have gone each time.
          if (this.#removals.get(id)?.at === '') continue;
          const removal = { id, at: '' };
          this.#staged(id, REMOVED).removed.push(removal);
          this.#removals.set(id, removal);
        }
        return;
      case 'detected':
        for (const item of event.items) this.#detected(event.channel, item);
        return;
      case 'expired':
        for (const id of event.ids) this.#expired(event.channel, id);
        return;
      case 'results':
        for (const item of event.items) this.#items.results.push({ ...item, data: item });
        return;
    }
  }

  /** What came since the last cut. Without a position the cut is one of several of a snapshot. */
  cut(position: number | null): Cut {
    if (position !== null) {
      this.#complete(position);
      if (this.#items.size > 0) this.#parts.push(this.#items);
      this.#items = new Part();
    }
    const made = { parts: this.#parts, position, restarts: this.#restarts, reason: this.#reason };
    this.#parts = [new Part()];
    this.#restarts = false;
    if (position !== null) this.#reason = null;
    return made;
  }

  /** Prices since the last cut. */
  get waiting(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0);
  }

  /** What waits may be written before its position is known: a removal needs its instant. */
  get divisible(): boolean {
    return this.#removals.size === 0;
  }

  #cameAgain({ id, odds_changed_at }: OddsRow): void {
    const removal = this.#removals.get(id);
    if (removal !== undefined) removal.at = formatUs((parseTimeUs(odds_changed_at) ?? 0) - 1);
  }

  #staged(id: string, stage: number): Part {
    if (!this.#part.accepts(id, stage)) this.#parts.push(new Part());
    this.#part.accepts(id, stage);
    return this.#part;
  }

  #restart(): void {
    this.#parts = [new Part()];
    this.#removals.clear();
    this.#restarts = true;
    this.#told = new Set();
    this.#knowsOpen = true;
  }

  #detected(kind: string, item: StreamItem): void {
    const { event_id, sport, league } = item;
    const fields = item as unknown as Record<string, unknown>;
    const identity = { kind, id: item.id, event_id, sport, league, market_type: String(fields['market_type']) };
    const key = keyOf(identity);
    this.#told?.add(key);
    const text = JSON.stringify(item);
    const before = this.#open.get(key);
    // Sent again as it was: there is nothing to write.
    if (before?.text === text) return;
    this.#open.set(key, { identity, text });
    if (kind === MOVES) {
      const over = this.#items.movesOver.findIndex(({ id }) => id === item.id);
      if (over !== -1) this.#items.movesOver.splice(over, 1);
      this.#items.moves.push({ ...item, expired_at: null, data: item, sink: this.#sink });
      return;
    }
    this.#items.opportunities.push({
      ...identity,
      at: null,
      detected_at: item.detected_at,
      change: before === undefined ? 'detected' : 'updated',
      percent: fields[PERCENT[kind] ?? ''] ?? null,
      data: item,
      sink: this.#sink,
    });
  }

  #expired(kind: string, id: string): void {
    const key = keyOf({ kind, id });
    const open = this.#open.get(key);
    if (open === undefined && this.#knowsOpen) return;
    this.#open.delete(key);
    const identity = open?.identity ?? { kind, id, event_id: null, sport: null, league: null, market_type: null };
    if (kind === MOVES) this.#items.movesOver.push({ id, at: '' });
    else this.#items.opportunities.push({ ...identity, at: null, change: 'expired', sink: this.#sink });
  }

  /** A snapshot tells what is; what it does not tell is over. What has no time of its own has that of the position. */
  #complete(position: number): void {
    if (this.#told !== null)
      for (const [key, { identity }] of this.#open) if (!this.#told.has(key)) this.#expired(identity.kind, identity.id);
    this.#told = null;
    const at = timeOf(position);
    this.#removals.clear();
    // Of one that changed several times on the way to the position, each is a microsecond after the one before.
    const later = new Map<string, number>();
    const { opportunities, movesOver } = this.#items;
    for (const [i, row] of [...opportunities.entries()].reverse()) {
      const key = keyOf(row as unknown as Identity);
      const after = later.get(key) ?? 0;
      later.set(key, after + 1);
      opportunities[i] = { ...row, at: timeOf(position - after) };
    }
    for (const removal of [...this.#parts.flatMap(({ removed }) => removed), ...movesOver]) removal.at ||= at;
  }
}

function keyOf({ kind, id }: Pick<Identity, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

/** The instant that a position is. */
export const timeOf = formatUs;
