// Limits by minute over several processes: the one that writes the log grants each process how far it may count for a
// caller. A process is granted a small part of the limit ahead, so that it rarely asks; where that part would be less
// than one, it asks for each request. Together they pass a limit by less than what is granted ahead: a tenth.
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { LIMITS } from '../../base/model/limits.js';
import type { AskedGrant, Grant, Granting } from '../requests/requests.js';
import type { Heartbeats } from './heartbeats.js';

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
