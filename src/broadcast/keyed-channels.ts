// The channels of items by id, with the source of each: adding one takes an entry here, one in model/channels.ts and
// the shape of its items in schema/frames.ts.
import type { StreamFilter } from '../filter/stream-filter.js';
import type { ChannelName, KeyedChannel } from '../model/channels.js';
import { KEYED_CHANNELS } from '../model/channels.js';
import type { ResultsBoard } from '../table/results.js';
import type { OddsTable } from '../table/table.js';
import { GameStates } from './game-states.js';
import type { ItemWalk, KeyedSources } from './keyed-items.js';
import { ResultItems } from './result-items.js';

export function keyedSources({ table, results }: { table: OddsTable; results: ResultsBoard }): KeyedSources {
  return { gamestate: new GameStates(table), results: new ResultItems(results) };
}

/** Ids of items of one channel. */
export interface ItemNews {
  channel: KeyedChannel;
  ids: readonly string[];
}

/** The items of one subscription's channels. */
export class SubscribedItems {
  readonly #sources: KeyedSources;
  readonly #channels: readonly KeyedChannel[];
  readonly #filter: StreamFilter;

  constructor(sources: KeyedSources, channels: ReadonlySet<ChannelName>, filter: StreamFilter) {
    this.#sources = sources;
    this.#channels = KEYED_CHANNELS.filter((channel) => channels.has(channel));
    this.#filter = filter;
  }

  /** Whether the subscription has such channels at all. */
  get any(): boolean {
    return this.#channels.length > 0;
  }

  /** What changed after a position or, if it is null, what is current. */
  list(after: number | null): ItemNews[] {
    return this.#channels.map((channel) => ({ channel, ids: this.#sources[channel].items.list(after, this.#filter) }));
  }

  /** The same, looked up piece by piece. */
  walks(after: number | null, upTo: number): ItemWalk[] {
    return this.#channels.map((channel) => {
      const { items } = this.#sources[channel];
      const take = items.walk(after, upTo, this.#filter, (id) => this.text(channel, id)?.length ?? 0);
      return { channel, from: 0, take };
    });
  }

  /** An item as it is now, as JSON. */
  text(channel: KeyedChannel, id: string): string | undefined {
    return this.#sources[channel].text(id);
  }
}
