// Items by id of all kinds, with the source of each: adding one takes an entry here, one in base/model/stream-channels.ts and the
// shape of its items in schema/frames.ts.

import { resultItem } from '../answers/results.js';
import type { ResultRecord } from '../base/model/result.js';
import { type ChannelName, KEYED, KEYED_NAMES, type KeyedName } from '../base/model/stream-channels.js';
import { formatMs } from '../base/model/time.js';
import type { TableDelta } from '../log/delta/delta.js';
import type { TableEvent } from '../tables/events.js';
import type { StreamFilter } from '../tables/filter/stream-filter.js';
import type { ResultsBoard } from '../tables/results.js';
import type { Applied, OddsTable } from '../tables/table.js';
import type { BetItems } from './bet-items.js';
import { type ItemWalk, type KeyedChannel, type KeyedChannels, KeyedItems } from './keyed-items.js';

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

// What became of games, for the channel `results`: whole results, corrections with a higher revision. One that is no
// longer stored is not taken back.

export class ResultItems implements KeyedChannel {
  readonly #items = new KeyedItems();
  readonly #board: ResultsBoard;

  constructor(board: ResultsBoard) {
    this.#board = board;
    for (const record of board.all()) this.#note(record);
  }

  itemsOf(): KeyedItems {
    return this.#items;
  }

  apply(_applied: Applied, delta: TableDelta): void {
    for (const id of delta.expiredResults ?? []) this.#items.delete(id);
    for (const { eventId } of delta.results ?? []) {
      const record = this.#board.of(eventId);
      // A source that says the same again only renews its time.
      if (record !== undefined && record.updatedPosition > this.#items.positionOf(eventId)) this.#note(record);
    }
  }

  forget(): void {}

  text(id: string): string | undefined {
    const record = this.#board.of(id);
    const word = record === undefined ? null : this.#board.wordOf(record);
    return word === null ? undefined : JSON.stringify(resultItem(record!, word));
  }

  /** A game of which only settlements were told has no result yet. */
  #note(record: ResultRecord): void {
    const { eventId: id, sport, league, updatedPosition } = record;
    if (this.#board.wordOf(record) === null) return;
    this.#items.put({ id, event: { id, sport, league }, current: true }, updatedPosition);
  }
}

// Scores and clocks of live games for the channel `gamestate`.

class GameStateItems implements KeyedChannel {
  readonly #items = new KeyedItems();
  readonly #table: OddsTable;
  /** By event, as last sent. */
  readonly #texts = new Map<string, string>();

  /**
   * @param table just loaded. When its states last changed is unknown: a returning reader is sent all that have begun,
   * including those without a score, as it may know one of theirs
   */
  constructor(table: OddsTable) {
    this.#table = table;
    for (const event of table.events.ordered())
      this.#note(event, table.position, event.live || event.status !== 'upcoming');
  }

  itemsOf(): KeyedItems {
    return this.#items;
  }

  apply({ events, position }: Applied): void {
    for (const event of events) this.#note(event, position, false);
  }

  /** Events that left the table. */
  forget(): void {
    for (const id of this.#texts.keys()) {
      if (this.#table.events.get(id) !== undefined) continue;
      this.#texts.delete(id);
      this.#items.delete(id);
    }
  }

  text(id: string): string | undefined {
    return this.#texts.get(id);
  }

  #note(event: TableEvent, position: number, begun: boolean): void {
    const { id, sport, league } = event;
    const known = this.#texts.get(id);
    if (event.state === null && known === undefined && !begun) return;
    const text = JSON.stringify({
      event_id: id,
      sport,
      league,
      home_team: event.home,
      away_team: event.away,
      start_time: formatMs(event.startMs),
      status: event.status,
      is_live: event.live,
      game_state: event.state,
    });
    if (known === text) return;
    this.#texts.set(id, text);
    this.#items.put({ id, event: { id, sport, league }, current: event.live && event.state !== null }, position, begun);
  }
}
