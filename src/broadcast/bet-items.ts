// What became of accounts' bets, for the channel `bets`: each when it was judged (`filled`), and when it was graded, also
// anew. They are changes of the control store, which no delta carries: a change is shown once everything before it is.
import type { Bet } from '../accounts/bets/bet.js';
import { accountOfBet } from '../accounts/bets/commands.js';
import { betItem } from '../answers/bets.js';
import { getOrInsert } from '../base/memory/get-or-insert.js';
import { decode } from '../base/wire/codec.js';
import type { ControlStore } from '../log/control/entries.js';
import { type KeyedChannel, KeyedItems } from './keyed-items.js';

/** The control store, which has the bets. */
export type BetStore = Pick<ControlStore, 'changesFrom' | 'changesAfter' | 'onChange' | 'value'>;

export interface BetItemsOptions {
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
