// Items by id of all kinds, with the source of each: adding one takes an entry here, one in base/model/stream-channels.ts and the
// shape of its items in schema/frames.ts.

import type { Bet } from '../accounts/bets/bet.js';
import { accountOfBet } from '../accounts/bets/commands.js';
import { betItem } from '../answers/bets.js';
import { resultItem } from '../answers/results.js';
import { getOrInsert } from '../base/memory/get-or-insert.js';
import type { ResultRecord } from '../base/model/result.js';
import { type ChannelName, KEYED, KEYED_NAMES, type KeyedName } from '../base/model/stream-channels.js';
import { formatMs } from '../base/model/time.js';
import { decode } from '../base/wire/codec.js';
import type { ControlStore } from '../log/control/entries.js';
import type { TableEvent } from '../tables/events.js';
import type { StreamFilter } from '../tables/filter/stream-filter.js';
import type { ResultsBoard } from '../tables/results.js';
import type { OddsTable } from '../tables/table.js';
import { type ItemWalk, type KeyedChannel, type KeyedChannels, KeyedItems } from './keyed-items.js';

export function keyedSources(table: OddsTable, results: ResultsBoard, { filled, graded }: BetItems): KeyedChannels {
  return { gamestate: gameStateItems(table), results: resultItems(results), filled, graded };
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

export function resultItems(board: ResultsBoard): KeyedChannel {
  const items = new KeyedItems();
  /** A game of which only settlements were told has no result yet. */
  const note = (record: ResultRecord): void => {
    const { eventId: id, sport, league, updatedPosition } = record;
    if (board.wordOf(record) === null) return;
    items.put({ id, event: { id, sport, league }, current: true }, updatedPosition);
  };
  for (const record of board.all()) note(record);
  return {
    itemsOf: () => items,
    apply: (_applied, delta) => {
      for (const id of delta.expiredResults ?? []) items.delete(id);
      for (const { eventId } of delta.results ?? []) {
        const record = board.of(eventId);
        // A source that says the same again only renews its time.
        if (record !== undefined && record.updatedPosition > items.positionOf(eventId)) note(record);
      }
    },
    forget: () => undefined,
    text: (id) => {
      const record = board.of(id);
      const word = record === undefined ? null : board.wordOf(record);
      return word === null ? undefined : JSON.stringify(resultItem(record!, word));
    },
  };
}

// Scores and clocks of live games for the channel `gamestate`.

/**
 * @param table just loaded. When its states last changed is unknown: a returning reader is sent all that have begun,
 * including those without a score, as it may know one of theirs
 */
function gameStateItems(table: OddsTable): KeyedChannel {
  const items = new KeyedItems();
  /** By event, as last sent. */
  const texts = new Map<string, string>();
  const note = (event: TableEvent, position: number, begun: boolean): void => {
    const { id, sport, league } = event;
    const known = texts.get(id);
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
    texts.set(id, text);
    items.put({ id, event: { id, sport, league }, current: event.live && event.state !== null }, position, begun);
  };
  for (const event of table.events.ordered()) note(event, table.position, event.live || event.status !== 'upcoming');
  return {
    itemsOf: () => items,
    apply: ({ events, position }) => {
      for (const event of events) note(event, position, false);
    },
    /** Events that left the table. */
    forget: () => {
      for (const id of texts.keys()) {
        if (table.events.get(id) !== undefined) continue;
        texts.delete(id);
        items.delete(id);
      }
    },
    text: (id) => texts.get(id),
  };
}

// What became of accounts' bets, for the channel `bets`: each when it was judged (`filled`), and when it was graded, also
// anew. They are changes of the control store, which no delta carries: a change is shown once everything before it is.

/** The control store, which has the bets. */
export type BetStore = Pick<ControlStore, 'changesFrom' | 'changesAfter' | 'onChange' | 'value'>;

interface BetItemsOptions {
  store: BetStore;
  /** Position up to which everything is shown. */
  reached(): number;
  /** There is something to send. */
  changed(): void;
}

/** How soon it is looked again whether what came before a change is shown (ms). */
const POLL_MS = 5;

interface Change {
  position: number;
  entry: string;
  account: string;
  bet: Bet;
}

export class BetItems {
  readonly filled: KeyedChannel;
  readonly graded: KeyedChannel;
  readonly #options: BetItemsOptions;
  readonly #unlisten: () => void;
  readonly #items = { filled: new Map<string, KeyedItems>(), graded: new Map<string, KeyedItems>() };
  /** Not shown yet, oldest first. */
  readonly #waiting: Change[] = [];
  #readTo: number;
  #position: number;
  #completeFrom: number;
  #look: NodeJS.Timeout | undefined;

  constructor(options: BetItemsOptions) {
    this.#options = options;
    const { store } = options;
    this.#completeFrom = store.changesFrom;
    this.#position = this.#completeFrom;
    this.#readTo = this.#completeFrom;
    this.#read();
    this.#unlisten = store.onChange((changes, position) => {
      if (changes === null || changes.some(([entry]) => accountOfBet(entry) !== undefined)) this.#read();
      this.#readTo = position;
      if (this.#waiting.length > 0) options.changed();
    });
    this.filled = this.#source('filled');
    this.graded = this.#source('graded');
  }

  /** Of the newest change that is shown. */
  get position(): number {
    this.#show();
    return this.#position;
  }

  close(): void {
    clearTimeout(this.#look);
    this.#unlisten();
  }

  #source(what: 'filled' | 'graded'): KeyedChannel {
    const accounts = this.#items[what];
    const news = this;
    return {
      itemsOf: (account) => getOrInsert(accounts, account, () => new KeyedItems()),
      apply: () => undefined,
      get position() {
        return news.position;
      },
      get completeFrom() {
        return news.#completeFrom;
      },
      forget: (upTo) => {
        this.#completeFrom = Math.max(this.#completeFrom, upTo);
        for (const items of accounts.values()) items.forget(upTo);
      },
      text: (entry) => {
        const bet = this.#options.store.value(entry) as Bet | undefined;
        return bet === undefined ? undefined : JSON.stringify(betItem(bet));
      },
    };
  }

  #read(): void {
    for (const [position, changes] of this.#options.store.changesAfter(this.#readTo)) {
      this.#readTo = position;
      for (const [entry, value] of changes) {
        const account = value === null ? undefined : accountOfBet(entry);
        if (account !== undefined) this.#waiting.push({ position, entry, account, bet: decode(value!) as Bet });
      }
    }
  }

  #show(): void {
    if (this.#waiting.length === 0) return;
    const reached = this.#options.reached();
    const hidden = this.#waiting.findIndex(({ position }) => position > reached);
    for (const change of this.#waiting.splice(0, hidden < 0 ? this.#waiting.length : hidden)) this.#publish(change);
    if (this.#waiting.length === 0) return;
    this.#look ??= setTimeout(() => {
      this.#look = undefined;
      this.#options.changed();
    }, POLL_MS);
  }

  #publish({ position, entry, account, bet: { status, grading, subject } }: Change): void {
    if (status === 'pending' || status === 'struck') return;
    const { itemsOf } = grading === null ? this.filled : this.graded;
    const event = subject === null ? null : { id: subject.event, sport: subject.sport, league: subject.league };
    itemsOf(account).put({ id: entry, event, current: false }, position);
    this.#position = position;
  }
}
