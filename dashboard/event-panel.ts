// One event: all its markets as a ladder of lines, every book's prices of each with the best, the fair price and the
// hold, and the history of an outcome. In the list of games it opens in place, and it is a page by itself.
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { OddsRow } from '../src/client/client.js';
import type { Context } from './context.js';
import { tabs } from './dom.js';
import { bookFreshness } from './fresh-dot.js';
import { HistoryChart } from './history-chart.js';
import { LiveBoard } from './live-board.js';
import type { BlockView, Cell, OutcomeView } from './model/block.js';
import type { Board } from './model/board.js';
import { type LadderLine, ladderOf, MAIN, marketsOf } from './model/ladder.js';
import { ageText, type OddsFormat, priceText, sideLineText, words, zeroAsShown } from './model/odds-format.js';
import { isSameOutcome } from './model/outcome.js';
import { termsOf } from './model/profile.js';

const LINES_MAX = 120;
const LEVELS_SHOWN = 3;

export class EventPanel {
  readonly #context: Context;
  /** Redraws what the panel is in. */
  readonly #changed: () => void;
  readonly #chart: HistoryChart;
  /** While it is visible. */
  #live: LiveBoard | undefined;
  #eventId = '';
  #market = '';

  constructor(context: Context, changed: () => void) {
    this.#context = context;
    this.#changed = changed;
    this.#chart = new HistoryChart(context.session, () => {
      this.#chart.clear();
      this.#changed();
    });
  }

  /** @param eventId '' if none is visible any more */
  show(eventId: string, market = ''): void {
    const { session, profile, refused } = this.#context;
    this.#live?.board.setTerms(termsOf(profile));
    this.#market = market === '' && eventId === this.#eventId ? this.#market : market;
    if (eventId === this.#eventId) return;
    this.#eventId = eventId;
    this.#market = market;
    this.#chart.clear();
    if (eventId === '') {
      this.#live?.close();
      this.#live = undefined;
      return;
    }
    if (this.#live === undefined) {
      this.#live = new LiveBoard({ session, onRefused: refused, onState: this.#changed, onChange: this.#changed });
      this.#live.board.setTerms(termsOf(profile));
    }
    this.#live.point({ eventIds: [eventId], include: 'depth' });
  }

  /** The prices of the event; undefined while they are on their way. */
  get board(): Board | undefined {
    return this.#live?.source.isComplete ? this.#live.board : undefined;
  }

  template(): TemplateResult {
    const live = this.#live;
    const rows = live?.board.rows() ?? [];
    const markets = marketsOf(rows);
    // The requested one may still arrive.
    const market = markets.some(([type]) => type === this.#market) ? this.#market : (markets[0]?.[0] ?? '');
    return html`<div class=${`panel${live?.source.state === 'lost' ? ' lost' : ''}`} tabindex="-1">
      <div class="panel-tabs" role="tablist" aria-label="Markets">${tabs(
        markets.map(([type, count]) => ({
          name: words(type),
          count,
          selected: type === market,
          choose: () => this.#choose(type),
        })),
      )}</div>
      <div class="panel-table scroll" role="tabpanel" tabindex="0" aria-label="Prices">${
        live === undefined || rows.length === 0
          ? html`<p class="empty">${live?.note ?? ''}</p>`
          : this.#table(live.board, rows, market)
      }</div>
      ${this.#depths(rows)}${this.#chart.root}</div>`;
  }

  /** Order books of the exchanges for the outcome whose chart is open. */
  #depths(rows: readonly OddsRow[]): TemplateResult | typeof nothing {
    const of = this.#charted;
    if (of === undefined || this.#chart.root.hidden) return nothing;
    const { session, state } = this.#context;
    const deep = rows.filter((row) => row.depth != null && isSameOutcome(row, of));
    return deep.length === 0
      ? nothing
      : html`<dl class="depths">${deep.map((row) => html`<div><dt>${session.nameOf(row.sportsbook)}</dt><dd>${depthText(row, state.format)}</dd></div>`)}</dl>`;
  }

  #charted: OddsRow | undefined;

  #choose(type: string): void {
    this.#market = type === MAIN ? '' : type;
    const { state, go } = this.#context;
    if (state.view === 'event') go({ eventMarket: this.#market });
    this.#changed();
  }

  #table(board: Board, rows: readonly OddsRow[], market: string): TemplateResult {
    const { session, state } = this.#context;
    const nowMs = session.clock.now();
    const lines = ladderOf(rows, market, board, nowMs);
    const present = new Set(lines.flatMap(({ view }) => view.outcomes.flatMap(({ cells }) => [...cells.keys()])));
    const columns = session.columns(state.books, present).filter(({ id }) => present.has(id));
    return html`<table class="ladder"><thead><tr><th scope="col">outcome</th><th scope="col">best</th><th scope="col">fair</th><th scope="col">hold</th>${columns.map(
      ({ id, name, is_sharp }) =>
        html`<th scope="col" class=${is_sharp ? 'sharp' : ''} title=${name}><i class=${bookFreshness(session, id, board).className} aria-hidden="true"></i><abbr title=${`${name}, ${bookFreshness(session, id, board).text}`}>${session.shortOf(id)}</abbr></th>`,
    )}</tr></thead>${repeat(
      lines.slice(0, LINES_MAX),
      ({ key }) => key,
      (line, i) =>
        html`<tbody class=${line.isAlternate ? 'alternate' : ''}>${
          lines[i - 1]?.market === line.market || market !== MAIN
            ? nothing
            : html`<tr class="caption"><th scope="rowgroup" colspan=${4 + columns.length}>${words(line.market)}</th></tr>`
        }${line.view.outcomes.map((outcome, at) => this.#outcome(line, outcome, at, columns))}</tbody>`,
    )}</table>${lines.length > LINES_MAX ? html`<p class="quiet note">The first ${LINES_MAX} of ${lines.length} lines are shown.</p>` : nothing}`;
  }

  #outcome(
    { who, view }: LadderLine,
    outcome: OutcomeView,
    at: number,
    columns: readonly { id: string; name: string }[],
  ): TemplateResult {
    const { session, state } = this.#context;
    const { best, fair, cells, bestBooks } = outcome;
    const name = [
      who,
      who !== '' && outcome.name.includes(who) ? '' : outcome.name,
      outcome.line === null ? '' : lineOf(outcome),
    ]
      .filter(Boolean)
      .join(' ');
    const first = [...cells.values()][0]?.row;
    const text =
      best === null
        ? ''
        : priceText({ decimal: best.row.odds_decimal, american: best.row.odds_american }, state.format);
    return html`<tr><th scope="row"><button type="button" class="link" title="its prices over time" @click=${() => first !== undefined && this.#showChart(best?.row ?? first)}>${name}</button></th>
      <td class="best">${text}<small>${best === null ? '' : ` ${session.shortOf(bestBooks[0]!)}`}</small></td>
      <td title=${fair === null ? nothing : `fair price of ${session.nameOf(outcome.fairFrom)}`}>${fair === null ? '' : priceText({ decimal: 1 / fair }, state.format)}</td><td>${holdOf(view, at)}</td>
      ${columns.map(({ id, name: book }) => {
        const cell = cells.get(id);
        return cell === undefined ? html`<td></td>` : this.#price(cell, bestBooks, `${name} at ${book}`, fair);
      })}</tr>`;
  }

  #price(cell: Cell, bestBooks: readonly string[], what: string, fair: number | null): TemplateResult {
    const { state: look, isOnTicket, addPrice, card } = this.#context;
    const { row, state } = cell;
    const text = priceText({ decimal: row.odds_decimal, american: row.odds_american }, look.format);
    return html`<td class=${`price ${this.#classOf(cell, bestBooks)}`}><button type="button" aria-pressed=${isOnTicket(row.id)} ?disabled=${state === 'suspended'}
      aria-label=${`${text}, ${what}${state === 'open' ? '' : `, ${state}`}`} @pointerover=${(event: PointerEvent) => event.pointerType !== 'touch' && this.#rest(event, row)} @focus=${(event: FocusEvent) => this.#rest(event, row)} @pointerleave=${card.leave} @blur=${card.leave} @click=${() => addPrice(row, fair)}
      @contextmenu=${(event: Event) => (card.isTouched ? this.#rest(event, row, 'hold') : this.#alert(event, row))} @keydown=${(event: KeyboardEvent) => event.key === 'a' && this.#alert(event, row)}>${text}</button></td>`;
  }

  #rest(event: Event, row: OddsRow, how: 'rest' | 'hold' = 'rest'): void {
    const { card, session, state } = this.#context;
    const seen = `seen ${ageText(session.clock.now() - (this.#live?.board.lastSeenMs(row) ?? 0))} ago`;
    const depth = depthText(row, state.format);
    if (how === 'hold') event.preventDefault();
    card[how](
      event.currentTarget as HTMLElement,
      row,
      [session.nameOf(row.sportsbook), seen, depth].filter(Boolean).join(' · '),
    );
  }

  #alert(event: Event, row: OddsRow): void {
    event.preventDefault();
    this.#context.alertOnPrice(row);
  }

  #classOf({ row, state }: Cell, bestBooks: readonly string[]): string {
    const move = this.#live?.board.move(row.id);
    const recent = move !== undefined && this.#context.session.clock.now() - move.atMs < 1_500;
    const moved = recent ? (move.direction === 1 ? 'up' : 'down') : '';
    const best = state === 'open' && bestBooks.includes(row.sportsbook) ? 'top' : '';
    return [state === 'open' ? '' : state, best, moved].filter(Boolean).join(' ');
  }

  #showChart(row: OddsRow): void {
    this.#charted = row;
    void this.#chart.show(row, this.#context.state.format);
    this.#changed();
  }
}

const lineOf = (outcome: OutcomeView): string => {
  const row = [...outcome.cells.values()][0]?.row;
  return row === undefined ? '' : sideLineText(outcome.line, row).replace(/^[ou]/, '');
};

/** The best levels of an exchange's order book: `back +104 × 250, +102 × 900; lay +106 × 40`. */
function depthText({ depth }: OddsRow, format: OddsFormat): string {
  if (depth == null) return '';
  const side = (name: string, levels: readonly (readonly number[])[]): string =>
    levels.length === 0
      ? ''
      : `${name} ${levels
          .slice(0, LEVELS_SHOWN)
          .map(([decimal, size]) => `${priceText({ decimal: decimal! }, format)} × ${Math.round(size!)}`)
          .join(', ')}`;
  return [side('back', depth.back), side('lay', depth.lay)].filter(Boolean).join('; ');
}

/** Once a line. */
function holdOf(view: BlockView, at: number): string {
  const hold = at === 0 ? zeroAsShown(view.hold) : null;
  return hold === null ? '' : `${hold.toFixed(1)}%`;
}
