// Player props as a screen of their own: player × market × books. What is held are the books' main lines of every
// player; once a search leaves a few games, every line of these comes beside them, so that a name shows all of its bets.
import { html, type TemplateResult } from 'lit-html';
import { type BoardContent, BooksBoard, type BooksBoardOptions, filtersOf } from './books-board.js';
import type { Context } from './context.js';
import { choice, option } from './filters.js';
import { freshLegend } from './fresh-dot.js';
import { LiveBoard } from './live-board.js';
import type { ScreenState } from './model/address.js';
import type { Block } from './model/board.js';
import { termsOf } from './model/profile.js';
import { arrangeProps, LineBlocks, propName, searchedGames } from './model/props.js';
import type { SourceState } from './odds-source.js';

/** After the last letter of a search. */
const SEARCH_REST_MS = 350;

export interface PropsViewOptions {
  context: Context;
  live: LiveBoard;
  view: Omit<BooksBoardOptions, 'content' | 'session'>;
}

export class PropsView {
  readonly board: BooksBoard;
  readonly #context: Context;
  readonly #live: LiveBoard;
  /** Every line of the games that were searched. */
  #searched: LiveBoard | undefined;
  readonly #lines = new LineBlocks();
  #games = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isShown = false;
  #counts = { rows: 0, players: 0 };

  constructor({ context, live, view }: PropsViewOptions) {
    this.#context = context;
    this.#live = live;
    this.board = new BooksBoard({ ...view, session: context.session, content: this.#content() });
  }

  show(state: ScreenState | undefined): void {
    this.#isShown = state !== undefined;
    if (state === undefined) this.#search([]);
    else this.#searched?.board.setTerms(termsOf(this.#context.profile));
    this.board.show(state);
  }

  connection(state: SourceState): void {
    this.board.connection(state);
  }

  #content(): BoardContent {
    return {
      live: (state) => {
        const markets = this.#markets(state);
        this.#live.point({ ...filtersOf(state, markets), is_main_line: true });
        return this.#whole ?? this.#live;
      },
      items: (live, state, nowMs) => {
        this.#searchSoon(searchedGames(this.#live.board, state, nowMs));
        const linesOf = live === this.#live ? undefined : (block: Block) => this.#lines.of(block);
        const items = arrangeProps(live.board, state, nowMs, linesOf);
        this.#count(items.flatMap((item) => (item.kind === 'block' ? [item.block] : [])));
        return items;
      },
      label: () => 'Prices of players',
      changed: (blocks) => (this.#whole === undefined ? blocks : this.#lines.take(blocks)),
      detailOf: (block) => `${propName(block.market)}${block.isAlternate === true ? ' · alternate' : ''}`,
    };
  }

  /** The searched games once all their lines are there. */
  get #whole(): LiveBoard | undefined {
    const searched = this.#searched;
    return this.#games !== '' && searched?.source.isComplete === true ? searched : undefined;
  }

  #count(blocks: readonly Block[]): void {
    const counts = { rows: blocks.length, players: new Set(blocks.map(({ who }) => who)).size };
    if (counts.rows !== this.#counts.rows || counts.players !== this.#counts.players) this.#context.changed();
    this.#counts = counts;
  }

  #markets({ prop }: ScreenState): string[] {
    if (prop !== '') return [prop];
    return this.#context.session.markets.flatMap(({ id, subject }) => (subject === 'player' ? [id] : [])).sort();
  }

  #searchSoon(games: readonly string[]): void {
    clearTimeout(this.#timer);
    if (games.join() === this.#games) return;
    this.#timer = setTimeout(() => this.#search(games), games.length === 0 ? 0 : SEARCH_REST_MS);
  }

  #search(games: readonly string[]): void {
    clearTimeout(this.#timer);
    this.#games = this.#isShown ? games.join() : '';
    this.#lines.clear();
    if (this.#games === '') {
      this.#searched?.close();
      this.#searched = undefined;
    } else {
      const { session, profile, refused } = this.#context;
      this.#searched ??= new LiveBoard({
        session,
        visible: () => this.board.visible(),
        onChange: () => this.board.draw(),
        onState: () => this.board.draw(),
        onRefused: refused,
      });
      this.#searched.board.setTerms(termsOf(profile));
      this.#searched.point({ markets: this.#markets(this.#context.state), eventIds: games });
    }
    this.board.refresh();
  }

  template(): TemplateResult {
    const { session, state, go } = this.#context;
    const markets = session.markets.filter(
      ({ id, subject, event_count, sports }) =>
        subject === 'player' &&
        (id === state.prop || (event_count > 0 && (state.sport === '' || sports.includes(state.sport)))),
    );
    const { rows, players } = this.#counts;
    return html`<section class="pane left" aria-label="Player props"><div class="bar props-bar"><h2>Player props</h2>${choice(
      'Bet',
      state.prop,
      (prop) => go({ prop }),
      [option('', 'all bets', state.prop), ...markets.map(({ id }) => option(id, propName(id), state.prop))],
    )}<span class="quiet" role="status">${rows} ${rows === 1 ? 'line' : 'lines'} of ${players} ${players === 1 ? 'player' : 'players'}${this.#whole === undefined ? '; search a name for all of its lines' : ', alternates included'}</span></div>
      ${this.board.grid.root}${freshLegend()}</section>`;
  }
}
