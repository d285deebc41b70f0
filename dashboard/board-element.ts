// <overround-board>: the board in another site's page, with a viewer token in place of a key. It has its own style in
// its shadow tree and needs nothing but the modules beside it.
import { boardSheet } from './board-style.js';
import { BooksBoard, oneMarket } from './books-board.js';
import { element } from './dom.js';
import { LiveBoard } from './live-board.js';
import { BOARD_SORTS, DEFAULTS, LIVE, type ScreenState } from './model/address.js';
import { ageText, ODDS_FORMATS } from './model/odds-format.js';
import type { SourceState } from './odds-source.js';
import { Session } from './session.js';

/** Attributes that require another connection. */
const CONNECTION = ['server', 'token'] as const;
/** Attributes that only change the view. */
const SHOWN = ['market', 'leagues', 'sport', 'books', 'format', 'sort', 'live', 'hours', 'search'] as const;

const HOST_STYLE = `
:host { display: flex; flex-direction: column; height: 480px; }
:host([hidden]) { display: none; }
.note { margin: 0; padding: 4px 8px; font: 11px / 1.4 ui-sans-serif, system-ui, sans-serif; color: light-dark(#5a6472, #8f99a8); background: var(--overround-ground, light-dark(#ffffff, #0e1116)); }
`;

/** Detail of the event `overround-open`: a price or a game was selected. */
export interface BoardOpenDetail {
  event_id: string;
  market_type: string;
  /** Book id if the price of a book was selected. */
  sportsbook: string | undefined;
}

/** Without a DOM (a server that renders pages) the module can be loaded all the same. */
const Base = (globalThis as { HTMLElement?: typeof HTMLElement }).HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * Attributes: `server` (address; default the page's own), `token` (viewer token), `market` (`moneyline`, `spread`, `total` or
 * a market type), `leagues`, `sport`, `books` (ids, comma-separated), `format`, `sort`, `live`, `hours`, `search`. Events:
 * `overround-open` (BoardOpenDetail), `overround-state` (detail: connecting, live, polling or lost), `overround-refused`
 * (detail: the error; set another token).
 */
export class OverroundBoard extends Base {
  static readonly observedAttributes: readonly string[] = [...CONNECTION, ...SHOWN];
  #view: BooksBoard | undefined;
  #live: LiveBoard | undefined;
  #note: HTMLElement | undefined;
  /** Counts connections: data of an earlier one is ignored. */
  #opened = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  connectedCallback(): void {
    if (this.shadowRoot === null) {
      const own = new CSSStyleSheet();
      own.replaceSync(HOST_STYLE);
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [boardSheet(), own];
      this.#note = element('p', 'note', 'connecting');
      this.#note.role = 'status';
      root.append(this.#note);
    }
    this.#timer = setInterval(() => this.#showAge(), 1_000);
    void this.#open();
  }

  disconnectedCallback(): void {
    clearInterval(this.#timer);
    this.#opened++;
    this.#close();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.isConnected || before === now) return;
    if ((CONNECTION as readonly string[]).includes(name)) void this.#open();
    else this.#view?.show(this.#state());
  }

  #state(): ScreenState {
    const text = (name: string): string => this.getAttribute(name)?.trim() ?? '';
    const list = (name: string): string[] =>
      text(name)
        .split(',')
        .flatMap((part) => part.trim() || []);
    const oneOf = <const T extends string>(name: string, values: readonly T[], otherwise: T): T =>
      values.find((value) => value === text(name)) ?? otherwise;
    return {
      ...DEFAULTS,
      market: text('market') || DEFAULTS.market,
      leagues: list('leagues'),
      sport: text('sport'),
      books: list('books'),
      q: text('search'),
      hours: Math.max(0, Number(text('hours')) || 0),
      format: oneOf('format', ODDS_FORMATS, DEFAULTS.format),
      sort: oneOf('sort', BOARD_SORTS, DEFAULTS.sort),
      live: oneOf('live', LIVE, DEFAULTS.live),
    };
  }

  async #open(): Promise<void> {
    const opened = ++this.#opened;
    this.#close();
    const token = this.getAttribute('token') ?? '';
    if (token === '') {
      this.#say('no token');
      return;
    }
    const session = new Session(token, this.getAttribute('server') ?? location.origin);
    try {
      await session.open();
    } catch (error) {
      if (opened === this.#opened) this.#refused(error as Error);
      return;
    }
    if (opened !== this.#opened) return;
    const live = new LiveBoard({
      session,
      visible: () => this.#view?.visible() ?? [],
      onChange: () => this.#view?.draw(),
      onState: (state) => this.#showState(state),
      onRefused: (error) => this.#refused(error),
    });
    this.#live = live;
    this.#view = new BooksBoard({
      session,
      content: oneMarket(live),
      open: (block, sportsbook) => {
        const detail: BoardOpenDetail = { event_id: block.eventId, market_type: block.market, sportsbook };
        this.#emit('overround-open', detail);
      },
      scoreOf: () => undefined,
    });
    // The note is below the board.
    this.shadowRoot!.append(this.#view.grid.root, this.#note!);
    this.#view.show(this.#state());
  }

  #close(): void {
    this.#view?.close();
    this.#live?.close();
    this.#view = undefined;
    this.#live = undefined;
  }

  #refused(error: Error): void {
    this.#say(error.message);
    this.#emit('overround-refused', error);
  }

  #showState(state: SourceState): void {
    this.#view?.connection(state);
    this.#say(state === 'lost' ? 'connection lost' : state === 'refused' ? (this.#live?.source.reason ?? '') : state);
    this.#emit('overround-state', state);
  }

  #showAge(): void {
    const source = this.#live?.source;
    if (source?.state === 'lost') this.#say(`connection lost, prices ${ageText(source.silentMs)} old`);
  }

  #say(text: string): void {
    if (this.#note !== undefined && this.#note.textContent !== text) this.#note.textContent = text;
  }

  #emit(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

if (globalThis.customElements?.get('overround-board') === undefined)
  globalThis.customElements?.define('overround-board', OverroundBoard);
