// Items by id of all kinds, with the source of each: adding one takes an entry here, one in base/model/stream-channels.ts and the
// shape of its items in schema/frames.ts.

import { type ChannelName, KEYED, KEYED_NAMES, type KeyedName } from '../base/model/stream-channels.js';
import type { StreamFilter } from '../tables/filter/stream-filter.js';
import type { ResultsBoard } from '../tables/results.js';
import type { OddsTable } from '../tables/table.js';
import type { BetItems } from './bet-items.js';
import { GameStateItems } from './game-state-items.js';
import type { ItemWalk, KeyedChannels, KeyedItems } from './keyed-items.js';
import { ResultItems } from './result-items.js';

export function keyedSources(table: OddsTable, results: ResultsBoard, { filled, graded }: BetItems): KeyedChannels {
  return { gamestate: new GameStateItems(table), results: new ResultItems(results), filled, graded };
}

/** Ids of items of one kind. */
export interface ItemNews {
  name: KeyedName;
  ids: readonly string[];
  /** Those among them that are current no more. */
  gone: readonly string[];
}

/** The items of one subscription's channels. */
export class SubscribedItems {
  readonly #sources: KeyedChannels;
  readonly #names: readonly KeyedName[];
  readonly #filter: StreamFilter;
  readonly #account: string;

  /** @param account whose streams they are */
  constructor(sources: KeyedChannels, channels: ReadonlySet<ChannelName>, filter: StreamFilter, account: string) {
    this.#sources = sources;
    this.#names = KEYED_NAMES.filter((name) => channels.has(KEYED[name].channel));
    this.#filter = filter;
    this.#account = account;
  }

  /** Of the newest change that no delta carries; 0 if there is none. */
  get position(): number {
    let newest = 0;
    for (const name of this.#names) newest = Math.max(newest, this.#sources[name].position ?? 0);
    return newest;
  }

  /** Whether all changes since a position are known, as far as that is not the table's matter. */
  reaches(position: number): boolean {
    return this.#names.every((name) => position >= (this.#sources[name].completeFrom ?? 0));
  }

  /** Whether the subscription has such channels at all. */
  get any(): boolean {
    return this.#names.length > 0;
  }

  /** What changed after a position or, if it is null, what is current. */
  list(after: number | null): ItemNews[] {
    return this.#names.map((name) => ({ name, ...this.#itemsOf(name).list(after, this.#filter) }));
  }

  /** The same, looked up piece by piece. */
  walks(after: number | null, upTo: number): ItemWalk[] {
    return this.#names.map((name) => {
      const take = this.#itemsOf(name).walk(after, upTo, this.#filter, (id) => this.text(name, id)?.length ?? 0);
      return { name, from: 0, take };
    });
  }

  /** An item as it is now, as JSON. */
  text(name: KeyedName, id: string): string | undefined {
    return this.#sources[name].text(id);
  }

  #itemsOf(name: KeyedName): KeyedItems {
    return this.#sources[name].itemsOf(this.#account);
  }
}
