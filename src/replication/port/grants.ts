// A process's side of grants: what it was granted, and the requests that wait for more. Where nobody grants, as while
// the writer is being replaced, the counts that heartbeats carry are all there is.

import type { CountedKind, SharedCounts, SharedGrants } from '../../accounts/shared-counts.js';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { monotonicMs } from '../../base/model/clock.js';
import { LIMITS } from '../../base/model/limits.js';
import type { AskedGrant, Grant, Granting } from '../requests/requests.js';
import { type Heartbeats, nameOf } from './heartbeats.js';

export interface GrantedCountsOptions {
  heartbeats: Heartbeats;
  /** If this process grants now. */
  grants(): Granting | null;
  /** Asks the process that does. Rejects if there is none. */
  ask(question: { node: string; window: number; asked: AskedGrant[] }): Promise<Grant[] | null>;
}

interface Held extends Grant {
  readonly name: string;
  own: number;
  limit: number;
  readonly waiting: (() => void)[];
  /** Those that no longer wait and are about to be counted. */
  due: number;
  isAsked: boolean;
}

/** After a question that was not answered. */
const WITHOUT_MS = 1_000;
const ASKED_MAX = LIMITS.heartbeatCallers.max;

export class GrantedCounts implements SharedCounts, SharedGrants {
  readonly #options: GrantedCountsOptions;
  #window = 0;
  readonly #held = new Map<string, Held>();
  #toAsk: Held[] = [];
  #soon: NodeJS.Immediate | undefined;
  #withoutUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: GrantedCountsOptions) {
    this.#options = options;
  }

  get grants(): SharedGrants {
    return this;
  }

  counted(kind: CountedKind, caller: string, window: number, total: number, limit: number): void {
    this.#options.heartbeats.counted(kind, caller, window, total, limit);
    const held = window === this.#window ? this.#held.get(nameOf(kind, caller)) : undefined;
    if (held === undefined) return;
    held.own = total;
    if (held.due > 0) held.due--;
  }

  others(kind: CountedKind, caller: string, window: number): number {
    return this.#options.heartbeats.others(kind, caller, window);
  }

  holds(account: string, streams: number): void {
    this.#options.heartbeats.holds(account, streams);
  }

  openAtOthers(account: string): number {
    return this.#options.heartbeats.openAtOthers(account);
  }

  upTo(kind: CountedKind, caller: string, window: number): number | undefined {
    if (window !== this.#window || this.#isWithout) return undefined;
    return this.#held.get(nameOf(kind, caller))?.upTo;
  }

  prepare(kind: CountedKind, caller: string, window: number, own: number, limit: number): Promise<void> | null {
    if (this.#isWithout) return null;
    this.#begin(window);
    const name = nameOf(kind, caller);
    const held = getOrInsert(this.#held, name, () => newlyHeld(name));
    held.own = own;
    if (held.limit !== limit) {
      held.limit = limit;
      held.isLast = false;
    }
    if (own + held.waiting.length + held.due < held.upTo) {
      if (held.upTo - own <= held.ahead / 2) this.#askFor(held);
      return null;
    }
    if (held.isLast) return null;
    const grants = this.#options.grants();
    if (grants !== null) {
      const granted = grants.grant(this.#node, window, [{ name, own, more: 1, limit }]);
      if (granted === null) this.#doWithout();
      else take(held, granted[0]!);
      return null;
    }
    return new Promise((resolve) => {
      held.waiting.push(resolve);
      this.#askFor(held);
    });
  }

  get #node(): string {
    return this.#options.heartbeats.node;
  }

  get #isWithout(): boolean {
    return monotonicMs() < this.#withoutUntilMs;
  }

  /** Heartbeats' counts hold for a moment. */
  #doWithout(): void {
    this.#withoutUntilMs = monotonicMs() + WITHOUT_MS;
  }

  /** Those that wait for the window before are counted in this one. */
  #begin(window: number): void {
    if (window <= this.#window) return;
    this.#window = window;
    const before = [...this.#held.values()];
    this.#held.clear();
    this.#toAsk = [];
    for (const { waiting } of before) release(waiting, waiting.length);
  }

  #askFor(held: Held): void {
    if (held.isAsked || held.isLast) return;
    held.isAsked = true;
    this.#toAsk.push(held);
    // All of a turn together.
    this.#soon ??= setImmediate(() => {
      this.#soon = undefined;
      for (let from = 0; from < this.#toAsk.length; from += ASKED_MAX)
        void this.#ask(this.#window, this.#toAsk.slice(from, from + ASKED_MAX));
      this.#toAsk = [];
    });
  }

  /** Never rejects. */
  async #ask(window: number, held: readonly Held[]): Promise<void> {
    const asked = held.map(({ name, own, limit, waiting }) => ({ name, own, more: waiting.length, limit }));
    // No writer, or one that does not answer in time.
    const grants = await this.#options.ask({ node: this.#node, window, asked }).catch(() => null);
    if (grants === null) this.#doWithout();
    for (const [i, each] of held.entries()) {
      each.isAsked = false;
      const grant = grants?.[i];
      if (grant !== undefined) take(each, grant);
      const isOver = grant === undefined || grant.isLast;
      each.due += release(each.waiting, isOver ? each.waiting.length : asked[i]!.more);
      if (each.waiting.length > 0) this.#askFor(each);
    }
    setImmediate(() => {
      for (const each of held) each.due = 0;
    });
  }
}

function newlyHeld(name: string): Held {
  return { name, own: 0, limit: 0, upTo: 0, ahead: 0, isLast: false, waiting: [], due: 0, isAsked: false };
}

function take(held: Held, { upTo, ahead, isLast }: Grant): void {
  held.upTo = Math.max(held.upTo, upTo);
  held.ahead = ahead;
  held.isLast = isLast;
}

function release(waiting: (() => void)[], count: number): number {
  const released = waiting.splice(0, count);
  for (const resolve of released) resolve();
  return released.length;
}

// Limits by minute over several processes: the one that writes the log grants each process how far it may count for a
// caller. A process is granted a small part of the limit ahead, so that it rarely asks; where that part would be less
// than one, it asks for each request. Together they pass a limit by less than what is granted ahead: a tenth.

/** 1 / this of a limit is what all fronts together may have been granted and not counted. */
const AHEAD_PART = 10;
const REMEMBERED_MAX = LIMITS.countedCallers.max;

export class Grants implements Granting {
  readonly #heartbeats: Heartbeats;
  /** By name and process. */
  readonly #granted = new Map<string, Map<string, Granted>>();
  #window = 0;

  constructor(heartbeats: Heartbeats) {
    this.#heartbeats = heartbeats;
  }

  grant(node: string, window: number, asked: readonly AskedGrant[]): Grant[] | null {
    if (window < this.#window) return null;
    if (window > this.#window) {
      this.#window = window;
      this.#granted.clear();
    }
    const fronts = Math.max(1, this.#heartbeats.fronts);
    return asked.map((each) => this.#grant(node, fronts, each));
  }

  #grant(node: string, fronts: number, { name, own, more, limit }: AskedGrant): Grant {
    if (this.#granted.size >= REMEMBERED_MAX && !this.#granted.has(name))
      return { upTo: own + more, ahead: 0, isLast: false };
    const granted = getOrInsert(this.#granted, name, () => new Map<string, Granted>());
    // A process may have counted more than it was granted, by another writer or while there was none.
    const counted = new Map(this.#heartbeats.countsOf(name, this.#window));
    let atOthers = 0;
    let unused = 0;
    for (const other of new Set([...granted.keys(), ...counted.keys()])) {
      if (other === node) continue;
      const { upTo, ahead } = granted.get(other) ?? NOTHING;
      atOthers += Math.max(upTo, counted.get(other) ?? 0);
      unused += ahead;
    }
    // Fronts that have just begun are not known yet: what they are granted ahead is.
    const ahead = Math.max(
      0,
      Math.min(Math.floor(limit / (AHEAD_PART * fronts)), Math.floor(limit / AHEAD_PART) - unused),
    );
    // What others may not have counted yet is granted once more: nobody gets less than the limit.
    const most = limit + unused - atOthers;
    const before = granted.get(node) ?? NOTHING;
    const upTo = Math.max(before.upTo, Math.min(most, own + Math.max(more, ahead)));
    granted.set(node, { upTo, ahead: Math.max(before.ahead, ahead) });
    return { upTo, ahead, isLast: upTo >= most };
  }
}

interface Granted {
  upTo: number;
  /** The most that it was granted ahead. */
  ahead: number;
}

const NOTHING: Granted = { upTo: 0, ahead: 0 };
