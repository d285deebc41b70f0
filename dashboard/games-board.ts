// The left of the desk: one row a game, with its spread, total and moneyline beside each other. Only visible games have
// elements. Rows open in place. The focus stays on the list, which says what is active in it (aria-activedescendant), so
// that no update takes it away.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { linePx } from './board-style.js';
import { filtersOf } from './books-board.js';
import type { Context } from './context.js';
import { CELL_STEPS, element, oncePerFrame } from './dom.js';
import type { EventPanel } from './event-panel.js';
import type { Finished } from './finished.js';
import { gameCells, type RowContext, resultLine } from './game-row.js';
import type { LiveBoard } from './live-board.js';
import { BestMoves } from './model/best-moves.js';
import type { OutcomeView } from './model/block.js';
import type { Block } from './model/board.js';
import {
  arrangeGames,
  GAME_MARKETS,
  GAME_TYPES,
  type Game,
  type GameItem,
  linesOf,
  resultItems,
} from './model/games.js';
import { ageText, words } from './model/odds-format.js';
import { RowWindow } from './model/row-window.js';
import type { SourceState } from './odds-source.js';
import { Sparks } from './sparks.js';

const REST_MS = 120;
/** Narrower lists show prices and books alone. */
const NARROW_PX = 480;
const ARRANGE_EVERY_MS = 1_000;
const HEADING_PX = 24;
const PANEL_PX = { usual: 340, narrow: 540 } as const;
const BEYOND_PX = 200;
/** Cells of a line: the game, then the price of each market. */
const COLUMNS = 1 + GAME_MARKETS.length;

export interface GamesBoardOptions {
  context: Context;
  live: LiveBoard;
  panel: EventPanel;
  pins: { has(eventId: string): boolean; toggle(eventId: string): void; all: ReadonlySet<string> };
  finished: Finished;
  scoreOf(eventId: string): { text: string; more: string } | undefined;
}

interface Active {
  eventId: string;
  line: number;
  column: number;
}

export class GamesBoard {
  readonly root = element('div', 'games');
  /** Prices changed. */
  readonly draw = oncePerFrame(() => this.#redraw(), REST_MS);
  /** Anything else did. */
  readonly refresh = (): void => this.#arrangeNow();
  readonly #options: GamesBoardOptions;
  readonly #window = new RowWindow();
  readonly #sparks: Sparks;
  readonly #bestMoves = new BestMoves();
  #items: GameItem[] = [];
  #active: Active | undefined;
  #opened = '';
  #isShown = false;
  #isNarrow = false;
  /** Something other than a price may have changed. */
  #isAsked = true;
  #arrangedMs = Number.NEGATIVE_INFINITY;
  /** There was no price when it was arranged last. */
  #isBare = true;

  constructor(options: GamesBoardOptions) {
    const { context, live } = options;
    this.#options = options;
    this.#sparks = new Sparks(context.session, live.board);
    this.root.role = 'grid';
    this.root.tabIndex = 0;
    this.root.ariaLabel = 'Games';
    this.root.addEventListener('scroll', () => this.#render(), { passive: true });
    this.root.addEventListener('keydown', (event) => this.#onKey(event));
    this.root.addEventListener('click', (event) => this.#onClick(event));
    this.root.addEventListener('contextmenu', (event) => this.#onMenu(event));
    this.root.addEventListener('pointerover', (event) => this.#onPointer(event));
    this.root.addEventListener('pointerleave', context.card.leave);
    this.root.addEventListener('blur', context.card.leave);
    new ResizeObserver(() => this.#arrangeNow()).observe(this.root);
    setInterval(() => this.draw(), ARRANGE_EVERY_MS);
  }

  show(isShown: boolean): void {
    this.#isShown = isShown;
    // With the profile as it is now; nothing is followed for what nobody sees.
    this.#options.panel.show(isShown ? this.#opened : '');
    if (!isShown) return;
    this.#options.live.point(filtersOf(this.#options.context.state, GAME_TYPES));
    this.#arrangeNow();
  }

  connection(state: SourceState): void {
    this.root.classList.toggle('lost', state === 'lost');
    this.#arrangeNow();
  }

  get #nowMs(): number {
    return this.#options.context.session.clock.now();
  }

  #arrangeNow(): void {
    this.#isAsked = true;
    this.#arrangedMs = Number.NEGATIVE_INFINITY;
    this.draw();
  }

  #redraw(): void {
    if (!this.#isShown) return;
    const { live } = this.#options;
    const { blocks } = live.board.takeChanges();
    // The first prices are shown as they come.
    const first = this.#isBare && live.board.size > 0;
    const due = first || performance.now() - this.#arrangedMs >= ARRANGE_EVERY_MS;
    if (due) this.#arrange();
    // Most changes are of games that are not visible.
    if (due || this.#isAsked || this.visible().some((block) => blocks.has(block))) this.#render();
    this.#isAsked = false;
  }

  #arrange(): void {
    const { context, live, pins } = this.#options;
    this.#arrangedMs = performance.now();
    this.#isBare = live.board.size === 0;
    const games = arrangeGames(live.board, context.state, pins.all, this.#nowMs);
    const listed = new Set(games.map(({ key }) => key));
    this.#items = [...games, ...resultItems(this.#options.finished.all, listed, context.state)];
    // Read once: it may cost a layout.
    const width = this.root.clientWidth;
    const narrow = width > 0 && width < NARROW_PX;
    this.#isNarrow = narrow;
    this.root.classList.toggle('narrow', narrow);
    const line = linePx(context.state.density, narrow);
    if (this.root.style.getPropertyValue('--line') !== `${line}px`) this.root.style.setProperty('--line', `${line}px`);
    this.#window.set(
      this.#items.map((item) => {
        if (item.kind === 'heading') return HEADING_PX;
        if (item.kind === 'result') return line + 1;
        const lines = linesOf(item.game, live.board, this.#nowMs) * line + 1;
        return item.game.eventId === this.#opened ? lines + PANEL_PX[narrow ? 'narrow' : 'usual'] : lines;
      }),
    );
    if (this.#opened !== '' && !this.#items.some(({ key }) => key === this.#opened)) {
      this.#opened = '';
      this.#options.panel.show('');
    }
    this.#sparks.take(this.visible(), this.#nowMs);
  }

  #gamesInSight(): Game[] {
    const { from, to } = this.#window.range(this.root.scrollTop, this.root.clientHeight, 0);
    return this.#items.slice(from, to).flatMap((item) => (item.kind === 'game' ? [item.game] : []));
  }

  /** Blocks of the games in sight. */
  visible(): Block[] {
    return this.#gamesInSight().flatMap(({ markets }) => Object.values(markets));
  }

  #render(): void {
    render(this.#template(), this.root);
    this.#options.context.keepFocus();
    if (this.#active === undefined) this.root.removeAttribute('aria-activedescendant');
    else this.root.setAttribute('aria-activedescendant', 'active-cell');
  }

  #template(): TemplateResult {
    const { context, live } = this.#options;
    const { from, to } = this.#window.range(this.root.scrollTop, this.root.clientHeight, BEYOND_PX);
    const below = this.#window.height - (to > from ? this.#window.bottom(to - 1) : 0);
    const { sort } = context.state;
    const figure = (name: 'edge' | 'hold'): TemplateResult =>
      html`<button type="button" class="sub" tabindex="-1" aria-pressed=${sort === name} title=${name === 'edge' ? 'the largest edge first' : 'the smallest hold first'}
        @click=${() => context.go({ sort: sort === name ? 'time' : name })}>${name}${sort === name ? '▾' : ''}</button>`;
    const head = (name: (typeof GAME_MARKETS)[number]): TemplateResult =>
      html`<div role="columnheader" class="market" aria-sort=${sort === name ? 'descending' : 'none'}><button type="button" tabindex="-1"
        @click=${() => context.go({ sort: sort === name ? 'time' : name })} title=${`by the edge of the ${name}`}>${name}${sort === name ? ' ▾' : ''}</button><span class="sub">fair</span>${figure('edge')}${figure('hold')}</div>`;
    return html`<div class="games-head line" role="row"><div role="columnheader" class="game-name"><button type="button" tabindex="-1"
        @click=${() => context.go({ sort: 'time' })}>game</button></div>${GAME_MARKETS.map(head)}</div>
      ${this.#items.some(({ kind }) => kind === 'game') ? nothing : html`<div role="row"><p class="empty" role="gridcell">${live.note}</p></div>`}
      <div role="presentation" .style=${`height:${this.#items.length === 0 ? 0 : this.#window.top(from)}px`}></div>
      ${repeat(
        this.#items.slice(from, to),
        ({ key }) => key,
        (item) => this.#item(item),
      )}
      <div role="presentation" .style=${`height:${Math.max(0, below)}px`}></div>`;
  }

  #item(item: GameItem): TemplateResult {
    if (item.kind === 'heading')
      return html`<div class="games-heading" role="presentation">${words(item.text)} · ${item.count}</div>`;
    const { context, live, panel, pins, finished, scoreOf } = this.#options;
    if (item.kind === 'result') return resultLine(item.result, finished.sumsOf(item.result.event_id), context);
    const { game } = item;
    const opened = game.eventId === this.#opened;
    const row: RowContext = {
      context,
      board: live.board,
      nowMs: this.#nowMs,
      active: this.#active?.eventId === game.eventId ? this.#active : undefined,
      score: scoreOf(game.eventId),
      isPinned: pins.has(game.eventId),
      isOpen: opened,
      isNarrow: this.#isNarrow,
      bestMoves: this.#bestMoves,
      sparkOf: (block) => this.#sparks.of(block),
    };
    return html`<div class=${`game${opened ? ' open' : ''}`} role="rowgroup" data-event=${game.eventId}>${guard(this.#signs(game, row), () => gameCells(game, row))}
      ${opened ? html`<div class="game-panel" role="row"><div role="gridcell">${panel.template()}</div></div>` : nothing}</div>`;
  }

  /** What a game's lines depend on: they are drawn again only when one of it changed. */
  #signs(game: Game, { board, nowMs, active, score, isPinned, isOpen, isNarrow, context }: RowContext): unknown[] {
    const views = GAME_MARKETS.map((name) => {
      const block = game.markets[name];
      return block === undefined ? undefined : board.view(block, nowMs);
    });
    const { format } = context.state;
    const second = Math.floor(nowMs / 1_000);
    return [
      ...views,
      active?.line,
      active?.column,
      score?.text,
      score?.more,
      isPinned,
      isOpen,
      isNarrow,
      format,
      second,
      context.ticketSize,
    ];
  }

  #toggle(eventId: string): void {
    this.#opened = this.#opened === eventId ? '' : eventId;
    this.#options.panel.show(this.#opened);
    this.#arrangeNow();
  }

  // What is pressed

  #onClick({ target }: MouseEvent): void {
    if (!(target instanceof Element) || target.closest('.game-panel') !== null) return;
    const eventId = target.closest<HTMLElement>('.game')?.dataset['event'];
    const place = target.closest<HTMLElement>('[data-column]')?.dataset;
    if (eventId === undefined) return;
    const { context, pins } = this.#options;
    if (target.closest('.pin') !== null) {
      pins.toggle(eventId);
      this.#arrangeNow();
      return;
    }
    if (target.closest('.all') !== null) {
      context.go({ view: 'event', event: eventId, eventMarket: '' });
      return;
    }
    if (place === undefined) return;
    this.#active = { eventId, line: Number(place['line']), column: Number(place['column']) };
    if (this.#active.column === 0) this.#toggle(eventId);
    else this.#add();
    this.#arrangeNow();
  }

  /** An alert on the price under the pointer; under a finger, what is known of it. */
  #onMenu(event: MouseEvent): void {
    if (!(event.target instanceof Element) || event.target.closest('.game-panel') !== null) return;
    const eventId = event.target.closest<HTMLElement>('.game')?.dataset['event'];
    const place = event.target.closest<HTMLElement>('[data-column]')?.dataset;
    if (eventId === undefined || place === undefined) return;
    const outcome = this.#outcomeAt({ eventId, line: Number(place['line']), column: Number(place['column']) });
    const best = outcome?.best;
    if (best == null) return;
    event.preventDefault();
    const { context } = this.#options;
    const cell = event.target.closest<HTMLElement>('[data-column]')!;
    if (context.card.isTouched) context.card.hold(cell, best.row, this.#textOf(outcome!));
    else context.alertOnPrice(best.row);
  }

  /** Prices inside an open game have their own. */
  #onPointer({ target, pointerType }: PointerEvent): void {
    if (!(target instanceof Element) || target.closest('.game-panel') !== null) return;
    const place = target.closest<HTMLElement>('.price')?.closest<HTMLElement>('[data-column]') ?? null;
    const eventId = target.closest<HTMLElement>('.game')?.dataset['event'];
    if (place === null || eventId === undefined || pointerType === 'touch') this.#options.context.card.leave();
    else this.#rest(place, { eventId, line: Number(place.dataset['line']), column: Number(place.dataset['column']) });
  }

  #rest(place: HTMLElement, at: Active): void {
    const { context } = this.#options;
    const outcome = this.#outcomeAt(at);
    const best = outcome?.best;
    if (outcome === undefined || best == null) {
      context.card.leave();
      return;
    }
    context.card.rest(place, best.row, this.#textOf(outcome));
  }

  #textOf({ best, bestBooks }: OutcomeView): string {
    const { context, live } = this.#options;
    const { nameOf, clock } = context.session;
    const seen = best === null ? '' : ` · seen ${ageText(clock.now() - live.board.lastSeenMs(best.row))} ago`;
    return `${bestBooks.map(nameOf).join(', ')}${seen}`;
  }

  /** The active price to the ticket, or off it. */
  #add(): void {
    const outcome = this.#outcomeAt(this.#active!);
    if (outcome?.best != null) this.#options.context.addPrice(outcome.best.row, outcome.fair);
  }

  #outcomeAt({ eventId, line, column }: Active): OutcomeView | undefined {
    const game = this.#items
      .flatMap((item) => (item.kind === 'game' ? [item.game] : []))
      .find((one) => one.eventId === eventId);
    const block = game?.markets[GAME_MARKETS[column - 1]!];
    return block === undefined ? undefined : this.#options.live.board.view(block, this.#nowMs).outcomes[line];
  }

  #onKey(event: KeyboardEvent): void {
    if (event.target !== this.root || event.altKey || event.metaKey || event.ctrlKey) return;
    const step = CELL_STEPS[event.key];
    const { context, pins } = this.#options;
    if (step !== undefined) this.#move(step[0], step[1]);
    else if (this.#active === undefined) return;
    else if (event.key === 'Enter') this.#toggle(this.#active.eventId);
    else if (event.key === 't' || event.key === ' ') this.#add();
    else if (event.key === 'a') {
      const best = this.#outcomeAt(this.#active)?.best;
      if (best != null) context.alertOnPrice(best.row);
    } else if (event.key === 'e') context.go({ view: 'event', event: this.#active.eventId, eventMarket: '' });
    else if (event.key === 'p') {
      pins.toggle(this.#active.eventId);
      this.#arrangeNow();
    } else return;
    event.preventDefault();
    this.#arrangeNow();
  }

  #move(lines: number, columns: number): void {
    const games = this.#items.flatMap((item) => (item.kind === 'game' ? [item.game] : []));
    if (games.length === 0) return;
    const count = (game: Game): number => linesOf(game, this.#options.live.board, this.#nowMs);
    let at = games.findIndex(({ eventId }) => eventId === this.#active?.eventId);
    // The first key press only shows the active cell.
    if (at < 0) {
      at = Math.max(0, games.indexOf(this.#gamesInSight()[0]!));
      this.#active = { eventId: games[at]!.eventId, line: 0, column: 1 };
    } else {
      let { line, column } = this.#active!;
      column = Math.min(COLUMNS - 1, Math.max(0, column + columns));
      line += lines;
      while (line < 0 && at > 0) line += count(games[--at]!);
      while (line >= count(games[at]!) && at < games.length - 1) line -= count(games[at++]!);
      line = Math.min(count(games[at]!) - 1, Math.max(0, line));
      this.#active = { eventId: games[at]!.eventId, line, column };
    }
    const row = this.#items.findIndex(({ key }) => key === this.#active!.eventId);
    const head = this.root.querySelector<HTMLElement>('.games-head')?.offsetHeight ?? 0;
    const [top, bottom] = [this.#window.top(row), this.#window.bottom(row) + head];
    if (top < this.root.scrollTop) this.root.scrollTop = top;
    else if (bottom > this.root.scrollTop + this.root.clientHeight)
      this.root.scrollTop = Math.min(top, bottom - this.root.clientHeight);
    this.#render();
    const cell = this.root.querySelector<HTMLElement>('#active-cell');
    if (cell !== null) this.#rest(cell, this.#active);
  }
}
