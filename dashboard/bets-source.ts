// The account's bets as they are: listed once, then told by the channel `bets`. Where the key has no streams, they are as
// of their reading.
import type { AccountBet, Bankroll, BetsSummary, LiveStream, OverroundClient } from '../src/client/client.js';
import { oncePerFrame } from './dom.js';

const PAGE = 1_000;
/** Older ones are in the CSV and in the sums. */
const LOADED_MAX = 10_000;
const SILENT_MS = 45_000;
const UNHEARD_MS = 3_000;
/** Sums of the server are read again after news, not more often than this. */
const SUMS_EVERY_MS = 2_000;
/** Each is a sum over all bets of the account. */
const PICTURES_EVERY_MS = 6_000;

export type BetsGroup = 'sportsbook' | 'sport' | 'league' | 'market' | 'day' | 'tag';

export class BetsSource {
  bankroll: Bankroll | undefined;
  summary: BetsSummary | undefined;
  /** Sums that pictures are made of, whatever the table groups by. */
  byDay: BetsSummary | undefined;
  byBook: BetsSummary | undefined;
  groupBy: BetsGroup = 'sportsbook';
  /** What failed last. */
  #failure = '';
  /** Why what is shown is not live, if it is not. */
  #stale = '';
  #byId = new Map<string, AccountBet>();
  /** Of each reading under way, what was told meanwhile: its list may have been written before. */
  readonly #told = new Set<AccountBet[]>();
  #stream: LiveStream | undefined;
  readonly #client: OverroundClient;
  readonly #changed: () => void;
  readonly #sumsLater = oncePerFrame(() => void this.try(() => this.#readSums()), SUMS_EVERY_MS);
  readonly #picturesLater = oncePerFrame(() => void this.try(() => this.#readPictures()), PICTURES_EVERY_MS);

  constructor(client: OverroundClient, changed: () => void) {
    this.#client = client;
    this.#changed = changed;
  }

  get note(): string {
    return this.#failure || this.#stale;
  }

  /** The newest first. */
  get bets(): AccountBet[] {
    return [...this.#byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
  }

  /** Reads all, and follows. Throws OverroundError if the key may not read them. */
  async open(): Promise<void> {
    /** The last reading, under way or done. */
    let reading: Promise<unknown> | undefined;
    // A stream that does not come now is no reason to show nothing.
    let goOn = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      goOn = resolve;
      setTimeout(resolve, UNHEARD_MS);
    });
    const stream = this.#client.stream(
      'bets',
      {},
      {
        firstTriesMax: Number.POSITIVE_INFINITY,
        silenceMsMax: SILENT_MS,
        onEvent: (event) => {
          if (event.type === 'bets') this.#take(event.items);
          else if (event.type === 'started') this.#follow('');
          // What was before it began, or began again, is not told.
          if (event.type === 'started' && !event.resumed) reading = reading?.then(() => this.try(() => this.read()));
        },
        onLost: ({ message }) => {
          goOn();
          this.#follow(`Not live: ${message}. Bets are as of ${new Date().toLocaleTimeString()}.`);
        },
        onError: () => undefined,
      },
    );
    this.#stream = stream;
    void stream.ended.then((error) => {
      if (error !== undefined) this.#follow(`Not live: ${error.message}. The bets are as of their reading.`);
    });
    await Promise.race([stream.ready.catch(() => undefined), late]);
    const first = this.read();
    reading = first.catch(() => undefined);
    await first;
  }

  close(): void {
    this.#stream?.close();
  }

  /** The list, the bankroll and the sums. Throws OverroundError. */
  async read(): Promise<void> {
    const told: AccountBet[] = [];
    this.#told.add(told);
    try {
      const [bets] = await Promise.all([this.#list(), this.#readSums(), this.#readPictures()]);
      this.#byId = new Map([...bets, ...told].map((bet) => [bet.id, bet]));
      this.#fail('');
    } finally {
      this.#told.delete(told);
    }
  }

  /** Runs it; says why it failed. */
  async try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
    }
  }

  #take(items: readonly AccountBet[]): void {
    for (const bet of items) this.#byId.set(bet.id, bet);
    for (const told of this.#told) told.push(...items);
    this.#sumsLater();
    this.#picturesLater();
    this.#changed();
  }

  #fail(why: string): void {
    this.#failure = why;
    this.#changed();
  }

  #follow(stale: string): void {
    this.#stale = stale;
    this.#changed();
  }

  async #list(): Promise<AccountBet[]> {
    const all: AccountBet[] = [];
    let cursor: string | undefined;
    do {
      const { data, pagination } = await this.#client.bets({ limit: PAGE, cursor });
      all.push(...data);
      cursor = pagination?.next_cursor ?? undefined;
    } while (cursor !== undefined && all.length < LOADED_MAX);
    return all;
  }

  async #readSums(): Promise<void> {
    const [bankroll, summary] = await Promise.all([
      this.#client.get<Bankroll>('/account/bankroll'),
      this.#client.betsSummary({ group_by: this.groupBy }),
    ]);
    this.bankroll = bankroll.data;
    this.summary = summary.data;
    this.#changed();
  }

  async #readPictures(): Promise<void> {
    const [byDay, byBook] = await Promise.all([
      this.#client.betsSummary({ group_by: 'day' }),
      this.#client.betsSummary({ group_by: 'sportsbook' }),
    ]);
    this.byDay = byDay.data;
    this.byBook = byBook.data;
    this.#changed();
  }
}
