// The lines of one game in the list of games: who plays, and of each market the best price with its book, the fair
// price, the edge, the hold and the last hour.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { Result } from '../src/client/client.js';
import type { Context } from './context.js';
import { bookFreshness } from './fresh-dot.js';
import type { BestMoves } from './model/best-moves.js';
import type { BlockView, OutcomeView } from './model/block.js';
import type { Block, Board } from './model/board.js';
import { GAME_MARKETS, type Game, type GameMarket, linesOf } from './model/games.js';
import { type GradedSums, unitsText } from './model/graded.js';
import { priceText, sideLineText, startText, zeroAsShown } from './model/odds-format.js';
import { polyline } from './model/spark-points.js';
import { shortTeam } from './model/team-name.js';

const SPARK = { width: 36, height: 16 };

export interface RowContext {
  context: Context;
  board: Board;
  nowMs: number;
  /** The active cell, if it is in this game. */
  active: { line: number; column: number } | undefined;
  score: { text: string; more: string } | undefined;
  isPinned: boolean;
  isOpen: boolean;
  isNarrow: boolean;
  /** How the best price of an outcome moved. */
  bestMoves: BestMoves;
  sparkOf(block: Block): readonly (readonly [number, number])[];
}

export function gameCells(game: Game, shown: RowContext): TemplateResult[] {
  const views = new Map(
    GAME_MARKETS.map((name) => {
      const block = game.markets[name];
      return [name, block === undefined ? undefined : shown.board.view(block, shown.nowMs)] as const;
    }),
  );
  return Array.from({ length: linesOf(game, shown.board, shown.nowMs) }, (_, line) =>
    gameLine(game, line, views, shown),
  );
}

function gameLine(
  game: Game,
  line: number,
  views: ReadonlyMap<GameMarket, BlockView | undefined>,
  shown: RowContext,
): TemplateResult {
  const { isLive, away, home, startMs } = game;
  const when = isLive ? (shown.score ?? { text: 'live', more: '' }) : startText(startMs, shown.nowMs);
  const time = line === 0 ? when.text : line === 1 ? when.more : '';
  const name = [away, home, 'draw'][line] ?? '';
  const isActive = shown.active?.line === line && shown.active.column === 0;
  const tools =
    line === 0
      ? html`<button type="button" class="pin" tabindex="-1" aria-pressed=${shown.isPinned} aria-label=${`pin ${away} at ${home}`}>${shown.isPinned ? '★' : '☆'}</button>`
      : line === 1
        ? html`<button type="button" class="all" tabindex="-1" aria-label=${`all prices of ${away} at ${home}`}>⤢</button>`
        : nothing;
  return html`<div class="line" role="row">
    <div class=${`game-name${isActive ? ' active' : ''}`} role="rowheader" id=${isActive ? 'active-cell' : nothing} data-line=${line} data-column="0" aria-expanded=${line === 0 ? shown.isOpen : nothing}>
      <span class=${`time${isLive && line === 0 ? ' live' : ''}`}>${time}</span><span class="team" title=${name}>${line === 2 ? name : teamName(name, game.eventId, line === 0 ? 'away' : 'home')}</span>${tools}</div>
    ${GAME_MARKETS.map((market, i) => marketCell(game.markets[market], views.get(market), line, i + 1, shown))}</div>`;
}

/** The whole name, and what stands in its place where there is no room for it (games.css). */
function teamName(name: string, eventId: string, side: 'home' | 'away'): TemplateResult | string {
  const short = shortTeam(name, eventId, side);
  return short === name ? name : html`<span class="whole">${name}</span><span class="short">${short}</span>`;
}

/** A game that is over: its score, and what the prices above fair made that were detected in it. */
export function resultLine(result: Result, sums: GradedSums | undefined, { go }: Context): TemplateResult {
  const { event_id, away_team, home_team, away_score, home_score, status } = result;
  const [away, home] = [away_score ?? '–', home_score ?? '–'];
  const graded =
    sums === undefined || sums.settled === 0
      ? nothing
      : html`<span class=${sums.profit >= 0 ? 'gain' : 'loss'}>${unitsText(sums.profit)}</span> <span class="quiet">of ${sums.isPart ? 'the newest ' : ''}${sums.settled} graded</span>`;
  const open = (): void => go({ view: 'event', event: event_id, eventMarket: '' });
  return html`<div class="game result" role="row" data-event=${event_id}><div class="line" role="gridcell"><button type="button" class="link" @click=${open}>
    <span class="time">${status}</span><span class="team">${away_team} <b>${away}</b> @ ${home_team} <b>${home}</b></span></button><span class="sums">${graded}</span></div></div>`;
}

function marketCell(
  block: Block | undefined,
  view: BlockView | undefined,
  line: number,
  column: number,
  shown: RowContext,
): TemplateResult {
  const outcome = view?.outcomes[line];
  const isActive = shown.active?.line === line && shown.active.column === column;
  const id = isActive ? 'active-cell' : nothing;
  if (block === undefined || view === undefined || outcome === undefined)
    return html`<div class=${`market${isActive ? ' active' : ''}`} role="gridcell" id=${id} data-line=${line} data-column=${column}></div>`;
  const { best, fair } = outcome;
  const { format } = shown.context.state;
  const exact = best === null || fair === null ? null : (best.net * fair - 1) * 100;
  const edge = zeroAsShown(exact);
  const hold = zeroAsShown(view.hold);
  const { nameOf } = shown.context.session;
  const last =
    line === 0
      ? html`<span class=${`sub hold${hold !== null && hold < 0 ? ' gain' : ''}`}>${hold === null ? '' : `${hold.toFixed(1)}%`}</span>`
      : line === 1
        ? html`<span class="sub">${spark(shown.sparkOf(block), shown.nowMs)}</span>`
        : html`<span class="sub"></span>`;
  return html`<div class=${`market${isActive ? ' active' : ''}`} role="gridcell" id=${id} data-line=${line} data-column=${column}>
    ${price(`${block.key}|${outcome.key}`, outcome, shown)}<span class="sub fair" title=${fair === null ? nothing : `fair price of ${nameOf(outcome.fairFrom)}`}>${fair === null ? '' : priceText({ decimal: 1 / fair }, format)}</span><span
      class=${`sub edge${edge !== null && edge > 0 ? ' gain' : ''}`}>${edge === null ? '' : `${edge > 0 ? '+' : ''}${edge.toFixed(1)}`}</span>${last}</div>`;
}

function price(key: string, { best, bestBooks, line }: OutcomeView, shown: RowContext): TemplateResult {
  if (best === null) return html`<span class="price">–</span>`;
  const { context, board, bestMoves, nowMs } = shown;
  const { row } = best;
  const direction = bestMoves.seen(key, best.net, line, nowMs);
  const moved = direction === 0 ? '' : direction === 1 ? ' up' : ' down';
  const taken = context.isOnTicket(row.id) ? ' taken' : '';
  const more = bestBooks.length > 1 ? `+${bestBooks.length - 1}` : '';
  const at = sideLineText(line, row);
  const { className, text } = bookFreshness(context.session, bestBooks[0]!, board);
  return html`<span class=${`price${moved}${taken}`}><span class="at">${at}</span><b>${priceText(
    { decimal: row.odds_decimal, american: row.odds_american },
    context.state.format,
  )}</b><small title=${`${context.session.nameOf(bestBooks[0]!)}, ${text}`}>${context.session.shortOf(bestBooks[0]!)}<i>${more}</i><i class=${className} aria-hidden="true"></i></small></span>`;
}

function spark(points: readonly (readonly [number, number])[], nowMs: number): TemplateResult | typeof nothing {
  const { width, height } = SPARK;
  const line = polyline(points, nowMs, width, height);
  if (line === '') return nothing;
  return html`<svg class="spark" viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height} aria-hidden="true">${svg`<polyline points=${line} />`}</svg>`;
}
