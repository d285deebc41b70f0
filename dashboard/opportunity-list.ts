// The active opportunities of the caller's books, the largest first; one outcome at several books is one card. Cards
// keep their elements, so that neither focus nor a press under way is lost to an update.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { LiveTable, OpportunityChannel, OpportunityItem } from '../src/client/client.js';
import { drawTabs } from './dom.js';
import { KINDS, type ScreenState } from './model/address.js';
import { booksOf, edgeOf } from './model/alert-rules.js';
import { matches } from './model/arrange.js';
import { type Leg, legsOf } from './model/legs.js';
import { percentText, priceText, timeText, words } from './model/odds-format.js';
import type { Session } from './session.js';

export const KIND_NAMES: Readonly<Record<OpportunityChannel, string>> = {
  ev: '+EV',
  arbitrage: 'Arbitrage',
  middles: 'Middles',
  low_hold: 'Low hold',
};

const SHOWN_MAX = 100;
/** For an outcome that many books price too high. */
const BOOKS_SHOWN = 3;

export interface Card {
  id: string;
  /** The best one first. */
  items: OpportunityItem[];
  edge: number;
}

export interface ListOptions {
  session: Session;
  has(kind: OpportunityChannel): boolean;
  choose(kind: OpportunityChannel, id: string): void;
  turnTo(kind: OpportunityChannel): void;
}

export class OpportunityList {
  readonly #kinds: HTMLElement;
  readonly #feed: HTMLElement;
  readonly #options: ListOptions;
  /** Shown before: anything else is new. */
  #known = new Set<string>();
  #begun = false;
  #turn = 0;

  constructor(kinds: HTMLElement, feed: HTMLElement, options: ListOptions) {
    this.#kinds = kinds;
    this.#feed = feed;
    this.#options = options;
  }

  /** What the tier lacks, at once, and which tier has it, once the table of tiers is there. */
  async #drawLack(kind: OpportunityChannel, turn: number): Promise<void> {
    const { session } = this.#options;
    render(lacking(kind, session, ''), this.#feed);
    const having = await tierWith(kind, session);
    if (turn === this.#turn) render(lacking(kind, session, having), this.#feed);
  }

  draw(table: LiveTable, state: ScreenState): void {
    const { session, has, turnTo } = this.#options;
    const turn = ++this.#turn;
    drawTabs(
      this.#kinds,
      KINDS.map((kind) => ({
        name: KIND_NAMES[kind],
        count: has(kind) ? countOf(kind, table, state) : 0,
        selected: kind === state.kind,
        choose: () => turnTo(kind),
      })),
    );
    if (!has(state.kind)) {
      void this.#drawLack(state.kind, turn);
      return;
    }
    const cards = cardsOf(state.kind, table, state).slice(0, SHOWN_MAX);
    const nowMs = session.clock.now();
    const list = repeat(
      cards,
      ({ id }) => id,
      (card) => this.#card(card, state, nowMs),
    );
    render(cards.length > 0 ? html`${list}` : html`<p class="empty">None at the moment</p>`, this.#feed);
    this.#known = new Set(KINDS.flatMap((kind) => [...table.opportunities[kind].keys()]));
    // Nothing in a snapshot is new.
    this.#begun = table.complete;
  }

  #card({ id, items, edge }: Card, state: ScreenState, nowMs: number): TemplateResult {
    const { kind, format, open } = state;
    const item = items[0]!;
    const fresh = this.#begun && !this.#known.has(item.id);
    const { nameOf } = this.#options.session;
    const bet = (leg: Leg, books: string): TemplateResult =>
      html`<span class="leg"><span>${leg.outcome}</span><span>${books} <b>${priceText(leg, format)}</b></span></span>`;
    const more = kind === 'ev' && items.length > BOOKS_SHOWN ? items.length - BOOKS_SHOWN : 0;
    const legs =
      kind === 'ev'
        ? items
            .slice(0, BOOKS_SHOWN)
            .flatMap((one) => legsOf(kind, one))
            .map((leg) => bet(leg, leg.books.map(nameOf).join(', ')))
        : legsOf(kind, item).map((leg) => bet(leg, leg.books.slice(0, 2).map(nameOf).join(', ')));
    return html`<button type="button" class=${`card${fresh ? ' fresh' : ''}`} aria-current=${items.some((one) => one.id === open)}
      @click=${() => this.#options.choose(kind, id)}>
      <span class="card-head"><span class="name">${item.event_name}</span><span class="edge">${percentText(Math.abs(edge))}</span></span>
      <small>${words(item.league)} · ${words(item.market_type)} · ${
        item.is_live
          ? html`<span class="live">live</span>`
          : item.start_time === null
            ? ''
            : timeText(item.start_time, nowMs)
      }${item.possibly_stale ? html` · <span class="warn">old price</span>` : nothing}</small>
      ${legs}${more > 0 ? html`<small>and at ${more} more books</small>` : nothing}</button>`;
  }
}

/** The items that match the filters, grouped and ranked. */
export function cardsOf(kind: OpportunityChannel, table: LiveTable, state: ScreenState): Card[] {
  const byOutcome = new Map<string, Card>();
  for (const item of table.opportunities[kind].values() as IterableIterator<OpportunityItem>) {
    if (!fits(kind, item, state)) continue;
    const edge = edgeOf(kind, item);
    const key =
      kind === 'ev' ? outcomeKey(item as OpportunityItem & { selection: string; line: number | null }) : item.id;
    const card = byOutcome.get(key);
    if (card === undefined) byOutcome.set(key, { id: item.id, items: [item], edge });
    else {
      card.items.push(item);
      card.edge = Math.max(card.edge, edge);
    }
  }
  const cards = [...byOutcome.values()];
  for (const card of cards) {
    card.items.sort((a, b) => edgeOf(kind, b) - edgeOf(kind, a));
    card.id = card.items[0]!.id;
  }
  return cards.sort((a, b) => b.edge - a.edge || (a.id < b.id ? -1 : 1));
}

/** How many match the filters, each book's separately. */
function countOf(kind: OpportunityChannel, table: LiveTable, state: ScreenState): number {
  let count = 0;
  for (const item of table.opportunities[kind].values() as IterableIterator<OpportunityItem>)
    if (fits(kind, item, state)) count++;
  return count;
}

function outcomeKey(item: OpportunityItem & { selection: string; line: number | null }): string {
  return [item.event_id, item.market_type, item.player_name, item.selection, item.line].join('|');
}

function fits(kind: OpportunityChannel, item: OpportunityItem, state: ScreenState): boolean {
  const edge = edgeOf(kind, item);
  if (kind !== 'low_hold' && edge < state.edge) return false;
  if (state.leagues.length > 0 && !state.leagues.includes(item.league)) return false;
  if (state.sport !== '' && item.sport !== state.sport) return false;
  if (state.live !== 'all' && item.is_live !== (state.live === 'live')) return false;
  if (state.books.length > 0 && !booksOf(kind, item).every((book) => state.books.includes(book))) return false;
  return matches(state.q, `${item.event_name} ${item.player_name ?? ''} ${item.league}`);
}

function lacking(kind: OpportunityChannel, session: Session, having: string): TemplateResult {
  const { tier } = session.account.key;
  return html`<p class="empty">This key (tier ${tier}) has no ${KIND_NAMES[kind]}${having}.
    Best prices, consensus and holds of your books are on the board.</p>`;
}

/** `: pro has`, from the server's table; nothing if it cannot be read now. */
async function tierWith(kind: OpportunityChannel, session: Session): Promise<string> {
  const tiers = await session.tiers();
  const own = tiers.find(({ id }) => id === session.account.key.tier);
  // A viewer token may see less than its account's tier.
  if (own?.features.includes(kind)) return ', though its tier has it: this token is for other channels';
  const lowest = tiers.find(({ features, addons }) => [...features, ...addons].includes(kind));
  if (lowest === undefined) return '';
  return `: ${lowest.id} has${lowest.features.includes(kind) ? ' it' : ` it with the ${kind} feature`}`;
}
