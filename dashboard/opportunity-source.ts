// The source of opportunities: a stream, or polling of the kinds the key may see; and which kinds those are.

import type { DevigMethod } from '../src/base/model/devig-method.js';
import {
  type EvOpportunity,
  type LiveStream,
  LiveTable,
  type OpportunityChannel,
  type OpportunityItem,
  OverroundError,
  type StreamEvent,
} from '../src/client/client.js';
import { KINDS } from './model/address.js';
import { HEARD } from './model/alert-rules.js';
import { ageOf } from './model/opportunity-rows.js';
import type { SourceState } from './odds-source.js';
import type { Session } from './session.js';

export interface OpportunitySourceOptions {
  session: Session;
  /** How the viewer's fair prices are computed; undefined if as the server does by itself. */
  fair(): { devig: DevigMethod; devig_book?: string[] } | undefined;
  /** The books in which bets and pairs are looked for; undefined if they are all. */
  books(): string[] | undefined;
  /** What lists are narrowed by, in the words of the server. */
  params(): object;
  onChange(detected: { kind: OpportunityChannel; items: OpportunityItem[] } | undefined): void;
  onRefused(error: OverroundError): void;
}

const POLL_MS = 15_000;
const OWN_EV_MS = 5_000;
const LISTED_MAX = 200;
const SILENT_MS = 45_000;
/** So long a stream may be silent at first. */
const UNHEARD_MS = 15_000;
const FULL = 'As many streams as this key may have are open (other tabs of this page?): opportunities are polled.';
const HELD_BACK = 'No stream comes through (does a proxy hold it back?): opportunities are polled.';
/** HTTP status. */
const TOO_MANY = 429;
/** A choice of books changes with every tick of a box: so long nothing is asked for. */
const NARROW_AFTER_MS = 600;
/** Threshold of the stream; the list narrows further. */
const STREAMED_FROM = { min_ev: HEARD.ev, min_profit: HEARD.arbitrage };

export class OpportunitySource {
  table = new LiveTable();
  readonly #options: OpportunitySourceOptions;
  #stopped = false;

  constructor(options: OpportunitySourceOptions) {
    this.#options = options;
    this.#books = this.#chosen = options.books();
  }

  /** When each item came, Unix ms of the server's clock: what it says of ages is as of then. */
  readonly #receivedMs = new WeakMap<object, number>();

  receivedMs(item: OpportunityItem): number | undefined {
    return this.#receivedMs.get(item);
  }

  #heard(items: readonly object[]): void {
    const nowMs = this.#options.session.clock.now();
    for (const item of items) this.#receivedMs.set(item, nowMs);
  }

  /** Once. */
  begin(): void {
    this.#begun = true;
    if (this.#options.session.account.features.streaming) this.#stream();
    else void this.#poll();
    this.narrow();
    this.#streamOwn();
  }

  #begun = false;
  /** By which the lists were asked for last. */
  #params = '{}';
  #books: string[] | undefined;
  /** The books that are chosen now, for which nothing may have been asked yet. */
  #chosen: string[] | undefined;
  #narrowing: ReturnType<typeof setTimeout> | undefined;
  /** Within the viewer's own books, whose pairs the best ones of all books may hide. */
  #own: LiveStream | undefined;
  #ownOf = '';

  /** Follows the choice of books and the filters: what is listed is found within them, and a list of so many is of what fits. */
  narrow(): void {
    const params = JSON.stringify(this.#options.params());
    if (params !== this.#params) {
      this.#params = params;
      this.evaluateAnew();
      this.#wake?.();
    }
    const chosen = this.#options.books();
    if (chosen?.join() === this.#chosen?.join()) return;
    this.#chosen = chosen;
    clearTimeout(this.#narrowing);
    this.#narrowing = setTimeout(() => {
      this.#books = chosen;
      this.evaluateAnew();
      this.#wake?.();
      this.#streamOwn();
    }, NARROW_AFTER_MS);
  }

  /** What a list is asked for. The fair price of a bet is the same, whichever books are asked for. */
  #asked(): object {
    return { ...this.#options.params(), ...(this.#books?.length ? { sportsbook: this.#books } : {}) };
  }

  #streamOwn(): void {
    const { session, onChange } = this.#options;
    const sportsbook = this.#books;
    const ownOf = sportsbook?.join() ?? '';
    if (!this.#begun || !session.account.features.streaming || ownOf === this.#ownOf) return;
    this.#ownOf = ownOf;
    this.#own?.close();
    this.#own = undefined;
    this.#ownRefusal = '';
    if (sportsbook === undefined || sportsbook.length === 0) {
      onChange(undefined);
      return;
    }
    const stream = session.client.stream(
      'opportunities',
      { ...STREAMED_FROM, sportsbook },
      {
        firstTriesMax: Number.POSITIVE_INFINITY,
        silenceMsMax: SILENT_MS,
        onEvent: (event) => {
          if (event.type === 'detected') this.#heard(event.items);
          if (event.type !== 'heartbeat' && this.#own === stream) onChange(undefined);
        },
        onError: () => undefined,
      },
    );
    this.#own = stream;
    void stream.ended.then((error) => {
      if (error === undefined || this.#own !== stream) return;
      // Those of all books are narrowed by the page then.
      this.#own = undefined;
      this.#ownRefusal = error.message;
      onChange(undefined);
    });
  }

  /** Whether the key's tier has opportunities of this kind. */
  has(kind: OpportunityChannel): boolean {
    return this.#options.session.account.features[kind];
  }

  get state(): SourceState {
    if (!this.#options.session.account.features.streaming || this.#isPolled) return 'polling';
    return this.table.complete ? 'live' : 'connecting';
  }

  /** True while what is shown may be out of date. */
  isLost = false;

  /**
   * With other fair prices than the server's own: +EV is asked for with them, as often as prices age, in place of the
   * stream's.
   */
  evaluateAnew(): void {
    const fair = this.#options.fair();
    const text = fair === undefined ? '' : JSON.stringify([fair, this.#asked()]);
    if (text === this.#fairOf) return;
    this.#fairOf = text;
    clearInterval(this.#timer);
    this.#ownEv = undefined;
    this.#fairRefusal = '';
    if (fair === undefined || !this.has('ev')) return;
    this.#timer = setInterval(() => void this.#readOwn(), OWN_EV_MS);
    void this.#readOwn();
  }

  #fairRefusal = '';
  #ownRefusal = '';

  /** What of the profile cannot be had. */
  get notice(): string {
    return [
      this.#fairRefusal === ''
        ? ''
        : `Your reference (profile) cannot be used: ${this.#fairRefusal}. Fair prices are the server's own.`,
      this.#ownRefusal === ''
        ? ''
        : `Opportunities cannot be looked for within your books alone: ${this.#ownRefusal}. Those of all books are narrowed to yours.`,
      this.#isPolled ? this.#pollReason : '',
    ]
      .filter(Boolean)
      .join(' ');
  }

  #fairOf = '';
  #timer: ReturnType<typeof setInterval> | undefined;
  #ownEv: Map<string, EvOpportunity> | undefined;

  /**
   * What to show: the streamed table, or the one within the viewer's own books, with the viewer's own +EV in place of the
   * server's where there is one.
   */
  get shown(): LiveTable {
    const { table } = this;
    const own = this.#own?.table.complete ? this.#own.table.opportunities : undefined;
    if (this.#ownEv === undefined && own === undefined) return table;
    const opportunities = own ?? table.opportunities;
    return {
      ...table,
      odds: table.odds,
      complete: table.complete,
      opportunities: { ...opportunities, ev: this.#ownEv ?? opportunities.ev },
    } as LiveTable;
  }

  /** The one that stands now. */
  find(id: string): { kind: OpportunityChannel; item: OpportunityItem } | undefined {
    // What is on the ticket stands, whatever is shown now.
    for (const { opportunities } of [this.shown, this.table])
      for (const kind of KINDS) {
        const item = opportunities[kind].get(id);
        if (item !== undefined) return { kind, item };
      }
    return undefined;
  }

  /** As `find`; null if it stands no more, undefined where what is listed may not be all. */
  standing(id: string): OpportunityItem | null | undefined {
    const isAll =
      this.#ownEv === undefined
        ? this.state === 'live'
        : JSON.stringify(this.#asked()) === '{}' && this.#ownEv.size < LISTED_MAX;
    return this.find(id)?.item ?? (isAll && !this.isLost ? null : undefined);
  }

  /** Of the listed ones of these games and markets: how old their oldest price is now, by id, in seconds. */
  async agesNow(kind: OpportunityChannel, of: { event: string[]; market: string[] }): Promise<Map<string, number>> {
    // What is asked for again and again has its ages.
    if (this.state === 'polling' || (kind === 'ev' && this.#ownEv !== undefined)) return new Map();
    const least = kind === 'arbitrage' ? { min_profit: STREAMED_FROM.min_profit } : {};
    const asked = { ...this.#asked(), ...of, ...least, limit: LISTED_MAX };
    const { data } = await this.#options.session.client.opportunities(kind, asked);
    return new Map(data.map((item) => [item.id, ageOf(item)]));
  }

  async #readOwn(): Promise<void> {
    const asked = this.#fairOf;
    const fair = this.#options.fair();
    if (fair === undefined || document.hidden) return;
    try {
      const { data } = await this.#options.session.client.opportunities('ev', {
        ...this.#asked(),
        ...fair,
        min_ev: STREAMED_FROM.min_ev,
        limit: LISTED_MAX,
      });
      if (asked !== this.#fairOf) return;
      this.#heard(data);
      this.#ownEv = new Map(data.map((item) => [item.id, item]));
    } catch (error) {
      // What is listed stays, with its ages, until the next turn; what the key may not have is not asked for again.
      if (error instanceof OverroundError && error.status >= 400 && error.status < 405 && asked === this.#fairOf) {
        clearInterval(this.#timer);
        this.#ownEv = undefined;
        this.#fairRefusal = error.message;
      }
    }
    this.#options.onChange(undefined);
  }

  #stream(): void {
    const { session, onChange, onRefused } = this.#options;
    let hasStreamed = false;
    const poll = (reason: string): void => {
      this.#pollReason = reason;
      if (!this.#isPolled) void this.#poll();
    };
    this.#unheard = setTimeout(() => poll(HELD_BACK), UNHEARD_MS);
    const stream = session.client.stream('opportunities', STREAMED_FROM, {
      firstTriesMax: Number.POSITIVE_INFINITY,
      silenceMsMax: SILENT_MS,
      onEvent: (event) => {
        hasStreamed = true;
        clearTimeout(this.#unheard);
        this.isLost = false;
        if (this.#isPolled && stream.table.complete) {
          this.#isPolled = false;
          this.table = stream.table;
          this.#wake?.();
        }
        if (event.type === 'detected') this.#heard(event.items);
        if (event.type !== 'heartbeat') onChange(newsOf(event, stream.table.complete));
      },
      onLost: ({ status }) => {
        // Until there is one.
        if (status === TOO_MANY) poll(FULL);
        else if (!hasStreamed) poll(HELD_BACK);
        this.isLost = status !== TOO_MANY && hasStreamed;
        onChange(undefined);
      },
      onError: () => undefined,
    });
    this.table = stream.table;
    void stream.ended.then((error) => {
      if (error === undefined) return;
      if (error.status === 403) void this.#poll();
      else onRefused(error);
    });
  }

  #unheard: ReturnType<typeof setTimeout> | undefined;
  /** Polls at once. */
  #wake: (() => void) | undefined;
  /** By what each kind was asked for last. */
  readonly #readBy = new Map<OpportunityChannel, string>();

  #isPolled = false;
  /** Why, where the key may stream. */
  #pollReason = '';

  async #poll(): Promise<void> {
    this.#isPolled = true;
    const table = new LiveTable();
    this.table = table;
    while (!this.#stopped && this.table === table && KINDS.some((kind) => this.has(kind))) {
      for (const kind of KINDS) if (this.has(kind)) await this.#read(kind, table);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  async #read(kind: OpportunityChannel, table: LiveTable): Promise<void> {
    const { session, onChange } = this.#options;
    // What is shown is streamed again.
    if (this.table !== table) return;
    try {
      const asked = { limit: LISTED_MAX, ...this.#asked() };
      const { data } = await session.client.opportunities(kind, asked);
      if (this.table !== table) return;
      this.isLost = false;
      this.#heard(data);
      const items = table.opportunities[kind] as Map<string, OpportunityItem>;
      const news = data.filter(({ id }) => !items.has(id));
      const begun = items.size > 0 && this.#readBy.get(kind) === JSON.stringify(asked);
      this.#readBy.set(kind, JSON.stringify(asked));
      items.clear();
      for (const item of data) items.set(item.id, item);
      onChange(begun && news.length > 0 ? { kind, items: news } : undefined);
    } catch (error) {
      // The listed items stay, with their ages, until the next turn.
      if (this.table === table) this.isLost = !(error instanceof OverroundError) || error.status === 0;
      onChange(undefined);
    }
  }

  close(): void {
    this.#stopped = true;
    clearTimeout(this.#unheard);
    clearTimeout(this.#narrowing);
    this.#own?.close();
    clearInterval(this.#timer);
  }
}

/** Newly detected items; nothing of a snapshot is new. */
function newsOf(event: StreamEvent, complete: boolean) {
  // The board requests no moves.
  if (event.type !== 'detected' || event.channel === 'moves' || !complete) return undefined;
  return { kind: event.channel, items: event.items };
}
