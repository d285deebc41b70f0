// What is known of a price, beside it while the pointer rests on it or the keyboard has it: its words, and what its line
// did at each book. A finger that holds a price opens it, too: it stays then, and has the alert that a mouse has by its
// right button. History is asked for after a rest, one answer at a time, and kept for a while.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { BoundedMap } from '../src/base/memory/bounded-map.js';
import { keyPart } from '../src/base/model/key-part.js';
import { type OddsRow, OverroundError } from '../src/client/client.js';
import { element } from './dom.js';
import { ageText, type OddsFormat, priceText } from './model/odds-format.js';
import { outcomeText, subjectKey } from './model/outcome.js';
import { type LineHistory, lineHistoryOf } from './model/price-history.js';
import { historyOf } from './outcome-history.js';
import type { Session } from './session.js';

/** Until it opens: a pointer on its way asks for nothing. */
const REST_MS = 400;
const KEPT_MS = 60_000;
const KEPT_MAX = 100;
const BOOKS_MAX = 8;
const MOVES_MAX = 4;
const PAUSE_S = 60;
const GAP_PX = 4;

interface Shown {
  place: HTMLElement;
  row: OddsRow;
  text: string;
  /** By a finger: it stays until something else is touched. */
  isHeld: boolean;
}

interface Kept {
  atMs: number;
  lines: readonly LineHistory[];
}

export class PriceCard {
  readonly root = element('div', 'price-card');
  readonly #session: Session;
  readonly #format: () => OddsFormat;
  readonly #kept = new BoundedMap<string, Kept>(KEPT_MAX);
  #shown: Shown | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  /** Nothing is asked for before: too many requests. */
  #pausedUntilMs = Number.NEGATIVE_INFINITY;
  /** Why there is no history at all; said once. */
  #lack: string | undefined;
  #isLackSaid = false;
  readonly #alert: (row: OddsRow) => void;
  /** What pressed last was a finger. */
  isTouched = false;

  constructor(session: Session, format: () => OddsFormat, alert: (row: OddsRow) => void) {
    this.#session = session;
    this.#alert = alert;
    this.#format = format;
    this.root.id = 'price-card';
    this.root.ariaLabel = 'The price';
    this.root.hidden = true;
    document.body.append(this.root);
    addEventListener('keydown', (event) => this.#onKey(event), { capture: true });
    // What is pressed has its own answer.
    addEventListener('pointerdown', (event) => this.#onPress(event), { capture: true });
    addEventListener('scroll', () => this.#close(), { capture: true, passive: true });
  }

  #onPress({ pointerType, target }: PointerEvent): void {
    this.isTouched = pointerType === 'touch';
    if (!(target instanceof Node && this.root.contains(target))) this.#close();
  }

  /** Escape closes it, and nothing else with it. */
  #onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || this.root.hidden) return;
    event.stopPropagation();
    this.#close();
  }

  /** The pointer or the keyboard is on this price. */
  rest(place: HTMLElement, row: OddsRow, text: string): void {
    if (this.#shown?.row.id === row.id && this.#shown.place === place) return;
    this.#close();
    this.#shown = { place, row, text, isHeld: false };
    this.#timer = setTimeout(() => void this.#open(), REST_MS);
  }

  /** A finger holds this price. */
  hold(place: HTMLElement, row: OddsRow, text: string): void {
    this.#close();
    this.#shown = { place, row, text, isHeld: true };
    void this.#open();
  }

  /** The pointer or the focus is elsewhere. */
  readonly leave = (): void => {
    if (this.#shown?.isHeld !== true) this.#close();
  };

  readonly #close = (): void => {
    clearTimeout(this.#timer);
    this.#shown?.place.removeAttribute('aria-describedby');
    this.#shown = undefined;
    this.root.hidden = true;
  };

  async #open(): Promise<void> {
    const shown = this.#shown;
    if (shown === undefined || !shown.place.isConnected) {
      this.#close();
      return;
    }
    this.root.role = shown.isHeld ? 'dialog' : 'tooltip';
    this.root.classList.toggle('held', shown.isHeld);
    this.#draw();
    shown.place.setAttribute('aria-describedby', this.root.id);
    const key = keyOf(shown.row);
    const kept = this.#kept.get(key);
    if (kept !== undefined && performance.now() - kept.atMs < KEPT_MS && isNow(kept, shown.row)) return;
    if (this.#isAsking || performance.now() < this.#pausedUntilMs || this.#lack !== undefined) return;
    this.#isAsking = true;
    try {
      this.#lack = await this.#lackOfTier();
      if (this.#lack === undefined) await this.#read(key, shown.row);
    } catch (error) {
      this.#refused(error);
    }
    this.#isAsking = false;
    if (this.#shown === shown) this.#draw();
    // Meanwhile it rests on another one.
    else if (this.#shown !== undefined && !this.root.hidden) void this.#open();
  }

  async #read(key: string, row: OddsRow): Promise<void> {
    const found = await historyOf(this.#session.client, row, 1);
    const order = this.#session.columns([], new Set(found.map(({ sportsbook }) => sportsbook))).map(({ id }) => id);
    const lines = found
      .flatMap((one) => lineHistoryOf(one, MOVES_MAX) ?? [])
      .sort((a, b) => order.indexOf(a.sportsbook) - order.indexOf(b.sportsbook));
    this.#kept.set(key, { atMs: performance.now(), lines });
  }

  /** Which tier has history, where this one has none: it is not asked for in vain. */
  async #lackOfTier(): Promise<string | undefined> {
    const tiers = await this.#session.tiers();
    const own = tiers.find(({ id }) => id === this.#session.account.key.tier);
    // They cannot be read now.
    if (tiers.length === 0) throw new Error('unknown tiers');
    if (own === undefined || own.limits['history_seconds'] !== 0) return undefined;
    const first = tiers.find(({ limits }) => limits['history_seconds'] !== 0);
    return `What its line did needs the tier ${first?.id ?? 'above'}.`;
  }

  #refused(error: unknown): void {
    if (error instanceof OverroundError && error.status === 404) this.#lack = 'This server keeps no history.';
    else if (error instanceof OverroundError && error.status === 403) this.#lack = error.message;
    // What it is asked for again too soon is refused again.
    else {
      const seconds = error instanceof OverroundError ? (error.retryAfter ?? PAUSE_S) : PAUSE_S;
      this.#pausedUntilMs = performance.now() + seconds * 1_000;
    }
  }

  #draw(): void {
    const shown = this.#shown;
    if (shown === undefined) return;
    render(this.#template(shown), this.root);
    this.root.hidden = false;
    this.#put(shown.place);
  }

  /** Below the price, or above where there is no room; within the screen. */
  #put(place: HTMLElement): void {
    const at = place.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.root;
    const below = at.bottom + GAP_PX;
    const top = below + height <= innerHeight ? below : Math.max(GAP_PX, at.top - GAP_PX - height);
    const left = Math.max(GAP_PX, Math.min(at.left, innerWidth - width - GAP_PX));
    this.root.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  #template({ row, text, isHeld }: Shown): TemplateResult {
    const kept = this.#kept.get(keyOf(row));
    const alert = (): void => {
      this.#close();
      this.#alert(row);
    };
    return html`<p><b>${outcomeText(row)}</b></p><p class="quiet">${text}</p>${this.#lackLine()}${
      kept === undefined || kept.lines.length === 0 ? nothing : this.#table(row, kept.lines)
    }${isHeld ? html`<button type="button" @click=${alert}>alert on this price</button>` : nothing}`;
  }

  #lackLine(): TemplateResult | typeof nothing {
    if (this.#lack === undefined || this.#isLackSaid) return nothing;
    this.#isLackSaid = true;
    return html`<p>${this.#lack}</p>`;
  }

  #table(row: OddsRow, lines: readonly LineHistory[]): TemplateResult {
    const own = lines.find(({ sportsbook }) => sportsbook === row.sportsbook);
    const others = lines.filter((line) => line !== own).slice(0, BOOKS_MAX - 1);
    const price = (decimal: number | null): string =>
      decimal === null ? 'suspended' : priceText({ decimal }, this.#format());
    const nowMs = this.#session.clock.now();
    const move = ({ atMs, from, to }: LineHistory['moves'][number]): string =>
      `${price(from)} → ${price(to)}, ${ageText(nowMs - atMs)} ago`;
    return html`<table><thead><tr>${['book', 'open', 'high', 'low', 'now', 'last move'].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${[
      ...(own === undefined ? [] : [own]),
      ...others,
    ].map(
      (line) =>
        html`<tr class=${line === own ? 'own' : ''}><th scope="row">${this.#session.nameOf(line.sportsbook)}</th><td>${price(line.open)}</td><td>${price(line.high)}</td><td>${price(line.low)}</td><td>${price(line.now)}</td><td class="quiet">${line.moves[0] === undefined ? '' : move(line.moves[0])}</td></tr>`,
    )}</tbody></table>${
      own === undefined || own.moves.length < 2
        ? nothing
        : html`<p class="quiet">before: ${own.moves.slice(1).map(move).join('; ')}</p>`
    }`;
  }
}

/** Whether its book's price is still what was told of it. */
function isNow({ lines }: Kept, { sportsbook, odds_decimal, is_active }: OddsRow): boolean {
  const own = lines.find((line) => line.sportsbook === sportsbook);
  return own === undefined || own.now === (is_active ? odds_decimal : null);
}

const keyOf = (row: OddsRow): string =>
  [row.event_id, row.market_type, keyPart(row.selection), row.line ?? '', subjectKey(row, row.market_type)].join('|');
