// The viewer: the client, the rights of its key or token, the names of books, leagues and markets, and the server's
// time.

import type { Rates } from '../src/base/model/money.js';
import {
  type Account,
  type League,
  type MarketType,
  type OpportunityChannel,
  OverroundClient,
  type Sportsbook,
  type TierRights,
} from '../src/client/client.js';
import type { Column } from './board-block.js';
import { tabStore } from './browser-store.js';
import { declareMarkets } from './model/market-choice.js';
import { abbreviation, abbreviations } from './model/odds-format.js';
import { ServerClock } from './model/server-clock.js';

const TOKEN_TTL_S = 86_400;
/** The server's time changes slowly. */
const HEALTH_EVERY_MS = 60_000;
/** A page may be open before a book has its first odds. */
const NAMES_KEY = 'overround-names';
const NAMES_KEPT_MS = 300_000;
const ALL_BOOKS = { catalog: true, include_unlisted: true };

interface Names {
  books: Sportsbook[];
  leagues: League[];
  markets: MarketType[];
}

interface KeptNames {
  atMs: number;
  /** Whose: another key may see others. */
  of: string;
  names: Names;
}

export class Session {
  client: OverroundClient;
  readonly clock = new ServerClock();
  account!: Account;
  books: Sportsbook[] = [];
  leagues: League[] = [];
  markets: MarketType[] = [];
  simulated = false;
  /** The server's rates, by currency. */
  rates: Rates = {};
  readonly #url: string;
  /** What tells one key from another, without being one. */
  readonly #of: string;
  #tiers: Promise<TierRights[]> | undefined;

  constructor(apiKey: string, url = location.origin) {
    this.#url = url;
    this.#of = `${url}|${markOf(apiKey)}`;
    this.client = new OverroundClient({ url, apiKey });
  }

  /** From now on this key or token. */
  use(apiKey: string): void {
    this.client = new OverroundClient({ url: this.#url, apiKey });
  }

  /** Throws OverroundError if the key is invalid. */
  async open(): Promise<void> {
    const { client } = this;
    const kept = this.#keptNames();
    const [account] = await Promise.all([
      client.account(),
      kept === undefined ? this.refreshNames() : undefined,
      this.checkHealth(),
    ]);
    this.account = account.data;
    if (kept !== undefined) this.#takeNames(kept);
  }

  #takeNames({ books, leagues, markets }: Names): void {
    this.#takeBooks(books);
    this.leagues = leagues;
    this.markets = markets;
    declareMarkets(markets);
  }

  /** A reload a moment later asks for them no more: a key of few requests a minute has none to spare. */
  #keptNames(): Names | undefined {
    try {
      const { atMs, of, names } = JSON.parse(tabStore.getItem(NAMES_KEY) ?? '{}') as Partial<KeptNames>;
      return names !== undefined && of === this.#of && Date.now() - atMs! < NAMES_KEPT_MS ? names : undefined;
    } catch {
      // Written by another program.
      return undefined;
    }
  }

  #keepNames(names: Names): void {
    const kept: KeptNames = { atMs: Date.now(), of: this.#of, names };
    tabStore.setItem(NAMES_KEY, JSON.stringify(kept));
  }

  /** Throws OverroundError. */
  async refreshNames(): Promise<void> {
    const { client } = this;
    const [books, leagues, markets] = await Promise.all([
      client.sportsbooks(ALL_BOOKS),
      client.leagues(),
      client.markets(),
    ]);
    const names = { books: books.data, leagues: leagues.data, markets: markets.data };
    this.#takeNames(names);
    this.#keepNames(names);
  }

  #takeBooks(books: Sportsbook[]): void {
    this.books = books;
    const shorts = abbreviations(books.map(({ name }) => name));
    this.#shorts = new Map(books.map(({ id }, i) => [id, shorts[i]!]));
    this.rates = Object.fromEntries(
      books.flatMap(({ currency, usd_rate }) => (usd_rate === null ? [] : [[currency, usd_rate]])),
    );
  }

  /** What each tier may see, the lowest first; read when it is first needed, and empty while it cannot be read. */
  tiers(): Promise<TierRights[]> {
    this.#tiers ??= this.client.tiers().then(
      ({ data }) => data,
      () => {
        this.#tiers = undefined;
        return [];
      },
    );
    return this.#tiers;
  }

  /** `: pro has it`, from the server's table; nothing if it cannot be read now. */
  async whoHas(kind: OpportunityChannel): Promise<string> {
    const tiers = await this.tiers();
    const own = tiers.find(({ id }) => id === this.account.key.tier);
    // A viewer token may see less than its account's tier.
    if (own?.features.includes(kind)) return ', though its tier has it: this token is for other channels';
    const lowest = tiers.find(({ features, addons }) => [...features, ...addons].includes(kind));
    if (lowest === undefined) return '';
    return `: ${lowest.id} has it${lowest.features.includes(kind) ? '' : ` with the ${kind} feature`}`;
  }

  #checkedMs = Number.NEGATIVE_INFINITY;

  /** Also measures the server's time. Not more often than it changes; what a server that is down cannot say stays as it was. */
  async checkHealth(): Promise<void> {
    if (performance.now() - this.#checkedMs < HEALTH_EVERY_MS) return;
    this.#checkedMs = performance.now();
    const sentMs = Date.now();
    const answer = await this.client.health().catch(() => undefined);
    if (answer === undefined) return;
    const { data } = answer;
    this.clock.take({ sentMs, receivedMs: Date.now(), serverMs: Date.parse(data.timestamp) });
    this.simulated = data.simulated;
    this.#polledMs = new Map(
      data.books.map(({ sportsbook, newest_poll_at }) => [sportsbook, Date.parse(newest_poll_at)]),
    );
  }

  #polledMs: ReadonlyMap<string, number> = new Map();

  /** Unix ms of a book's newest poll, as the server said a while ago; 0 if it said nothing. */
  polledMs(book: string): number {
    return this.#polledMs.get(book) ?? 0;
  }

  /** A low rate limit: optional data is requested rarely. */
  get isTight(): boolean {
    return this.account.limits.requests_per_minute < 60;
  }

  #shorts: ReadonlyMap<string, string> = new Map();

  /** In at most four characters. */
  shortOf = (book: string): string => this.#shorts.get(book) ?? abbreviation(this.nameOf(book));

  nameOf = (book: string): string => this.books.find(({ id }) => id === book)?.name ?? book;

  /**
   * Columns of the requested books, in that order; by default of all that have odds, sharp ones first.
   * @param present books with rows here; by default those that the server lists with odds
   */
  columns(asked: readonly string[], present?: ReadonlySet<string>): Column[] {
    const listed = new Set(this.books.map(({ id }) => id));
    const strange = [...(present ?? [])].flatMap((id) => (listed.has(id) ? [] : [{ id, name: id, is_sharp: false }]));
    const known = this.books.filter(({ id, active }) => asked.includes(id) || (present?.has(id) ?? active));
    const seen = [...known, ...strange];
    const chosen =
      asked.length > 0
        ? asked.flatMap((id) => seen.find((book) => book.id === id) ?? [])
        : [...seen].sort((a, b) => Number(b.is_sharp) - Number(a.is_sharp));
    return chosen.map(({ id, name, is_sharp }) => ({ id, name, is_sharp, short: this.shortOf(id) }));
  }
}

/** A number that another key hardly has; the key cannot be made from it. */
function markOf(key: string): number {
  let mark = 0;
  for (const char of key) mark = (mark * 31 + char.charCodeAt(0)) >>> 0;
  return mark;
}

/**
 * The token that the page uses in place of a key: it only reads and lasts a day, so that the key itself is stored
 * nowhere. A given token is unchanged. Throws OverroundError if the key is invalid.
 */
export async function tokenFor(key: string): Promise<string> {
  if (key.startsWith('vt_')) return key;
  const client = new OverroundClient({ url: location.origin, apiKey: key });
  const { data } = await client.createToken({ ttl_s: TOKEN_TTL_S });
  return data.token;
}
