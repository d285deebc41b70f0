// The right of the desk: a ticket that stays. What is on it is priced live; it warns when a price moved or went, splits
// the stakes, opens each book's own page, and keeps placed bets until their result.
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { Bankroll, OpportunityItem, OpportunityItems } from '../src/client/client.js';
import { browserStore } from './browser-store.js';
import type { Context } from './context.js';
import { LiveBoard } from './live-board.js';
import { leastPrices } from './model/bounds.js';
import { backedStake, type Leg } from './model/legs.js';
import { americanOf, moneyText } from './model/odds-format.js';
import { checkQuery, isHedge, joined, kindNow, sameBets } from './model/pair.js';
import { MORE_THAN_ANY, paperCap } from './model/paper.js';
import { bookOf, evaluate, type Play, type PlayTerms } from './model/play.js';
import { termsOf } from './model/profile.js';
import {
  ENTRIES_MAX,
  entriesOf,
  type LegNow,
  legNow,
  type PlacedBet,
  playNow,
  type TicketEntry,
  typesOf,
} from './model/ticket.js';
import { PlacedBets } from './placed-bets.js';
import { type EntryNow, entryTemplate } from './ticket-entry.js';

const STORAGE_KEY = 'overround-ticket';
/** How often the server is asked what it holds against joined prices. */
const CHECK_MS = 15_000;

export class Ticket {
  readonly #context: Context;
  readonly #placed: PlacedBets;
  #entries = entriesOf(browserStore.getItem(STORAGE_KEY));
  /** Ids of entries that are being bet on paper. */
  readonly #busy = new Set<string>();
  #live: LiveBoard | undefined;
  /** Ids of prices that came a moment ago: what they belong to is not known yet. */
  readonly #fresh = new Set<string>();
  /** What the server lists of joined prices, by entry; null if it does not list them together. */
  readonly #checks = new Map<string, { atMs: number; item: OpportunityItem | null | undefined }>();

  constructor(context: Context) {
    this.#context = context;
    this.#placed = new PlacedBets(context);
    this.#point();
  }

  get count(): number {
    return this.#entries.length;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0 && this.#placed.isEmpty;
  }

  has(id: string): boolean {
    return this.#holding(id) !== undefined;
  }

  /** The entry, or the joined one that it is a part of. */
  #holding(id: string): TicketEntry | undefined {
    return this.#entries.find((entry) => entry.id === id || (entry.parts?.some((part) => part.id === id) ?? false));
  }

  /** Adds it, or takes it off again. */
  toggle(entry: TicketEntry): void {
    const held = this.#holding(entry.id);
    const has = held !== undefined;
    // Of joined ones the others stay, each by itself.
    const others = (held?.parts ?? []).filter(({ id, play }) => id !== entry.id && play.legs[0]!.placed === undefined);
    const left = held?.id === entry.id ? [] : others;
    const rest = this.#entries.flatMap((one) => (one === held ? left : [one]));
    if (!has) this.#fresh.add(entry.id);
    this.#set(has ? rest : [entry, ...rest].slice(0, ENTRIES_MAX));
    const isFull = !has && rest.length >= ENTRIES_MAX;
    const what = entry.play.legs.map(({ outcome }) => outcome).join(', ');
    this.#context.tell(
      has
        ? `Off the ticket: ${what}`
        : `On the ticket${isFull ? `, in place of the oldest of ${ENTRIES_MAX}` : ''}: ${what}`,
      isFull,
    );
  }

  #set(entries: TicketEntry[]): void {
    this.#entries = entries;
    browserStore.setItem(STORAGE_KEY, JSON.stringify(entries));
    this.#point();
    this.#join();
    this.#context.changed();
  }

  /** Prices that came a moment ago, with what they belong to. */
  #join(): void {
    for (const id of this.#fresh) {
      const entry = this.#entries.find((one) => one.id === id);
      const { isComplete, rows } = this.#rows;
      const bets = entry === undefined ? [] : this.#placed.openOf(entry.eventId);
      const together =
        entry === undefined ? undefined : joined(entry, this.#entries, bets, { rows: rows.values(), isComplete });
      if (together === 'unknown') continue;
      this.#fresh.delete(id);
      if (together === undefined) continue;
      const parts = new Set(together.parts!.map((part) => part.id));
      this.#set([together, ...this.#entries.filter((one) => !parts.has(one.id))]);
    }
  }

  readonly #news = (): void => {
    if (this.#fresh.size > 0) this.#join();
    this.#context.changed();
  };

  get #rows() {
    const source = this.#live?.source;
    const isComplete = source?.isComplete === true && source.state !== 'lost';
    return { rows: source?.rows ?? new Map(), isComplete };
  }

  #split(entry: TicketEntry): void {
    const parts = (entry.parts ?? []).filter(({ play }) => play.legs[0]!.placed === undefined);
    const apart = parts.map((part) => ({ ...part, apart: true }));
    this.#set(this.#entries.flatMap((one) => (one.id === entry.id ? apart : [one])));
  }

  /** What the server holds against joined prices: which results their books settle differently, and what it warns of. */
  async #check(entry: TicketEntry, kind: Exclude<Play['kind'], 'single'>, legs: readonly Leg[]): Promise<void> {
    const { session, changed } = this.#context;
    const known = this.#checks.get(entry.id);
    const nowMs = performance.now();
    if (known !== undefined && nowMs - known.atMs < CHECK_MS) return;
    if (!session.account.features[kind]) return void this.#checks.set(entry.id, { atMs: nowMs, item: null });
    this.#checks.set(entry.id, { atMs: nowMs, item: known?.item });
    try {
      const { data } = await session.client.opportunities(
        kind,
        checkQuery({ ...entry, play: { ...entry.play, kind } }),
      );
      this.#checks.set(entry.id, { atMs: nowMs, item: sameBets(kind, data, legs) ?? null });
    } catch {
      // It is asked again; until then nothing is said to be compared.
      this.#checks.set(entry.id, { atMs: nowMs, item: null });
    }
    changed();
  }

  /** Only the rows of its own games and markets are asked for; of all books where one price has to have a fair one. */
  #point(): void {
    if (this.#entries.length === 0) {
      this.#live?.close();
      this.#live = undefined;
      return;
    }
    const { session, refused } = this.#context;
    const all = <T>(of: (entry: TicketEntry) => T[]): T[] => [...new Set(this.#entries.flatMap(of))].sort();
    this.#live ??= new LiveBoard({ session, onChange: this.#news, onState: this.#news, onRefused: refused });
    this.#live.point({
      eventIds: all(({ eventId }) => [eventId]),
      markets: all(typesOf),
      ...(this.#entries.some(({ play, parts }) => play.kind === 'single' || parts !== undefined)
        ? {}
        : {
            // A bet that stands may be joined with it.
            sportsbooks: all(({ play, eventId }) => [
              ...play.legs.flatMap(({ books }) => books),
              ...this.#placed.openOf(eventId).map(({ book }) => book),
            ]),
          }),
    });
  }

  template(): TemplateResult {
    this.#live?.board.setTerms(termsOf(this.#context.profile));
    return html`<div class="ticket-head"><h2>Ticket</h2>${
      this.#entries.length > 1 ? html`<button type="button" @click=${() => this.#set([])}>clear</button>` : nothing
    }</div>
    <div class="scroll" tabindex="0" role="region" aria-label="On the ticket">
      ${
        this.#entries.length === 0
          ? html`<p class="empty">Click a price or an opportunity, or press <kbd>t</kbd> on it: it is priced live here, with what to stake.</p>`
          : html`<ul class="plain">${repeat(
              this.#entries,
              ({ id }) => id,
              (entry) => this.#entry(entry),
            )}</ul>`
      }${this.#placed.template()}</div>`;
  }

  #now(entry: TicketEntry): EntryNow {
    const { profile, session } = this.#context;
    const known = this.#rows;
    const board = known.isComplete ? this.#live?.board : undefined;
    const nowMs = session.clock.now();
    const legs = entry.play.legs.map((leg) => {
      const now = legNow(entry, leg, known, profile);
      return board === undefined || now.row === undefined || board.staleAtMs(now.row) >= nowMs
        ? now
        : { ...now, unseenMs: nowMs - board.lastSeenMs(now.row) };
    });
    const terms = entry.terms ?? { legs: [] };
    const { joint, standing } = this.#standing(entry, legs, terms);
    const play = playNow(joint, legs, board, standing, nowMs);
    const { reservations } = play;
    const evaluation = evaluate(play, profile, terms);
    return {
      entry: joint,
      play,
      isCompared: entry.parts === undefined || standing != null,
      chance:
        play.kind === 'middles' && standing != null
          ? (standing as OpportunityItems['middles']).middle_probability
          : null,
      legs,
      evaluation,
      least: leastPrices(play, evaluation, standing, isHedge(play, terms)),
      reservations,
      terms,
      isBusy: this.#busy.has(entry.id),
    };
  }

  /** Of the opportunity as the list has it; of joined prices as the server answers when it is asked for them. */
  #standing(entry: TicketEntry, legs: readonly LegNow[], terms: PlayTerms) {
    if (entry.parts === undefined) return { joint: entry, standing: this.#context.standing(entry.id) };
    const now = legs.map(({ leg }) => leg);
    const kind = kindNow({ ...entry.play, legs: now }, this.#context.profile, terms);
    void this.#check(entry, kind, now);
    return { joint: { ...entry, play: { ...entry.play, kind } }, standing: this.#checks.get(entry.id)?.item };
  }

  #entry(entry: TicketEntry): TemplateResult {
    const now = this.#now(entry);
    return entryTemplate(now, this.#context, {
      remove: () => this.toggle(entry),
      split: () => this.#split(entry),
      accept: (leg, taken) => this.#accept(entry, leg, taken),
      set: (terms) => {
        this.#change({ ...entry, terms });
        // What is bet with the next click is what was typed before it.
        this.#context.draw();
      },
      place: (isPaper) => {
        // A second click may come before the entry is drawn away.
        if (this.#busy.has(entry.id) || !this.#entries.some(({ id }) => id === entry.id)) return;
        if (isPaper) void this.#placeOnPaper(entry);
        else this.#place(now, false);
      },
    });
  }

  #change(entry: TicketEntry): void {
    this.#set(this.#entries.map((one) => (one.id === entry.id ? entry : one)));
  }

  #accept(entry: TicketEntry, i: number, leg: Leg): void {
    const legs = entry.play.legs.map((one, at) => (at === i ? leg : one));
    this.#change({ ...entry, play: { ...entry.play, legs } });
  }

  /** What the server would fill bounds the split before it is sent: half an arbitrage is none. */
  async #placeOnPaper(entry: TicketEntry): Promise<void> {
    const { account, session, profile, changed, go, tell } = this.#context;
    const { client } = account;
    if (client === undefined) {
      // It is filled now or not at all.
      go({ view: 'bets' });
      tell("Paper bets need the account's key: enter it here, then bet again.", true);
      return;
    }
    this.#busy.add(entry.id);
    changed();
    try {
      const before = this.#now(entry);
      const [bankroll, ...filled] = await Promise.all([
        client.get<Bankroll>('/account/bankroll'),
        ...before.legs.map(({ leg, row }) => this.#bound(leg.oddsId ?? row?.id)),
      ]);
      const caps = before.legs.map((leg, i) =>
        leg.leg.placed === undefined ? paperCap(leg, bankroll.data.paper_max, filled[i]!) : Number.POSITIVE_INFINITY,
      );
      const { play } = entry;
      const legs = play.legs.map((_, i) => {
        const own = before.terms.legs[i] ?? {};
        return { ...own, cap: Math.min(own.cap ?? Number.POSITIVE_INFINITY, caps[i]!) };
      });
      const now = this.#now({ ...entry, terms: { ...before.terms, legs } });
      if (now.evaluation.plan.stakes.every((stake) => stake <= 0)) tell('Nothing of it can be had on paper now.', true);
      else {
        const [cost, asked] = [now, before].map(({ evaluation }) => evaluation.plan.cost) as [number, number];
        if (cost < asked)
          tell(
            `On paper ${moneyText(cost, profile.currency)} of ${moneyText(asked, profile.currency)}: ${boundText(before, caps, session.nameOf)}`,
            true,
          );
        this.#place(now, true);
      }
    } catch (error) {
      tell(`Not bet on paper: ${error instanceof Error ? error.message : String(error)}`, true);
    } finally {
      this.#busy.delete(entry.id);
      changed();
    }
  }

  /** What the price takes at most; null if the server does not say. */
  async #bound(oddsId: string | undefined): Promise<number | null> {
    if (oddsId === undefined) return null;
    try {
      return (await this.#context.session.client.executableOdds(oddsId, MORE_THAN_ANY)).data.stake_filled;
    } catch {
      // The row's own limits bound it then, and the fill tells what bounded it.
      return null;
    }
  }

  #place({ entry, legs, evaluation, terms }: EntryNow, isPaper: boolean): void {
    const at = new Date(this.#context.session.clock.now()).toISOString();
    const bets = legs.flatMap(({ leg, row }, i): PlacedBet[] => {
      const { outcome, selection, line } = leg;
      const book = bookOf(leg, this.#context.profile);
      const { eventId, eventName, market, of } = entry;
      const staked = evaluation.plan.stakes[i]!;
      const got = terms.legs[i]?.decimal;
      const decimal = got ?? leg.decimal;
      if (staked <= 0 || leg.placed !== undefined) return [];
      return [
        {
          oddsId: leg.oddsId ?? row?.id ?? null,
          ...{ eventId, eventName, market, of, outcome, selection, line, book, decimal, at },
          commission: leg.commission,
          american: got === undefined ? leg.american : americanOf(got),
          stake: backedStake({ ...leg, decimal }, staked),
          currency: leg.currency,
          ...(legs.length > 1 && legs.every((one) => one.leg.placed === undefined)
            ? { ticket: `${entry.id}|${at}` }
            : {}),
          ...(isPaper ? { isPaper } : {}),
        },
      ];
    });
    this.#placed.add(bets);
    this.#set(this.#entries.filter(({ id }) => id !== entry.id));
  }
}

/** The leg that bounds the others. */
function boundText({ legs, evaluation }: EntryNow, caps: readonly number[], nameOf: (book: string) => string): string {
  const parts = evaluation.plan.stakes.map((stake, i) => caps[i]! / stake);
  const least = parts.indexOf(Math.min(...parts));
  const { leg } = legs[least]!;
  return `${nameOf(leg.books[0]!)} takes ${moneyText(caps[least]!, leg.currency)}`;
}
