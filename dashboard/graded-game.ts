// What became of a game: its result by parts, and the prices above fair that were detected in it, as they closed and how
// they ended.
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { Prediction, Result } from '../src/client/client.js';
import type { Context } from './context.js';
import { lineScore, sumsOf, unitsText } from './model/graded.js';
import { percentText, priceText, timeText, words } from './model/odds-format.js';
import { outcomeText } from './model/outcome.js';

const SHOWN_MAX = 200;

export function resultTemplate(result: Result): TemplateResult {
  const columns = lineScore(result);
  const row = (team: string, of: 'away' | 'home'): TemplateResult =>
    html`<tr><th scope="row">${team}</th>${columns.map((column, i) => html`<td class=${i === columns.length - 1 ? 'whole' : ''}>${column[of]}</td>`)}</tr>`;
  const revised = result.revision > 1 ? `, revision ${result.revision}` : '';
  return html`<div class="ended scroll-x" tabindex="0" role="region" aria-label="Result"><table><caption>${result.status} <small>by ${words(result.source)}${revised}</small></caption>
    <thead><tr><th scope="col"><span class="unseen">team</span></th>${columns.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${row(result.away_team, 'away')}${row(result.home_team, 'home')}</tbody></table></div>`;
}

/**
 * @param total how many there are, of which these are the newest
 * @param open id of the one whose page this is
 */
export function gradedTemplate(
  context: Context,
  predictions: readonly Prediction[],
  total: number,
  open: string,
): TemplateResult {
  const { detected, settled, profit, expected, clv, isPart } = sumsOf(predictions, total);
  const listed = Math.min(predictions.length, SHOWN_MAX);
  const figures: [string, string, string][] = [
    ['detected', String(detected), ''],
    ['CLV', clv === null ? 'after the close' : percentText(clv), clv === null ? '' : clv >= 0 ? 'gain' : 'loss'],
    ['settled', String(settled), ''],
    ...(settled === 0
      ? []
      : ([
          ['profit', unitsText(profit), profit >= 0 ? 'gain' : 'loss'],
          ['expected', unitsText(expected), ''],
        ] as [string, string, string][])),
  ];
  return html`<section class="graded" aria-label="Graded opportunities"><div class="bar"><h3>Prices above fair, one unit each${isPart ? html` <small>sums of the newest ${predictions.length}</small>` : nothing}</h3>
      <dl class="figures">${figures.map(([name, value, look]) => html`<div><dt>${name}</dt><dd class=${look}>${value}</dd></div>`)}</dl></div>
    <div class="scroll" tabindex="0" role="region" aria-label="Table of graded opportunities"><table class="moves graded-table"><thead><tr>${[
      'detected',
      'bet',
      'book',
      'price',
      'edge',
      'closed',
      'CLV',
      'ended',
      'profit',
    ].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${repeat(
      predictions.slice(0, SHOWN_MAX),
      ({ id }) => id,
      (one) => prediction(context, one, one.id === open),
    )}</tbody></table>${listed < total ? html`<p class="quiet note">The newest ${listed} of ${total} are listed.</p>` : nothing}</div></section>`;
}

function prediction({ session, state, go }: Context, one: Prediction, isOpen: boolean): TemplateResult {
  const { clv_percent: clv, profit_units: profit, closing_odds_american: american } = one;
  const closed = american === null ? '' : priceText({ decimal: one.closing_odds_decimal!, american }, state.format);
  const ended = one.result_reason === null ? words(one.result) : `${words(one.result)}: ${words(one.result_reason)}`;
  return html`<tr aria-current=${isOpen ? 'true' : nothing}><td>${timeText(one.detected_at, session.clock.now())}</td>
    <td><button type="button" class="link" @click=${() => go({ open: isOpen ? '' : one.id })}><span class="quiet">${words(one.market_type)}</span> ${outcomeText(one)}</button></td>
    <td>${session.nameOf(one.sportsbook)}</td><td>${priceText({ decimal: one.odds_decimal_net }, state.format)}</td>
    <td>${percentText(one.ev_percentage)}</td><td>${closed}</td>
    <td class=${clv === null ? '' : clv >= 0 ? 'gain' : 'loss'}>${clv === null ? '' : percentText(clv)}</td>
    <td>${ended}</td><td class=${profit === null ? '' : profit >= 0 ? 'gain' : 'loss'}>${profit === null ? '' : unitsText(profit)}</td></tr>`;
}

/** How it closed and ended, in words. */
export function fateText(prediction: Prediction | undefined, nameOf: (book: string) => string): [string, string][] {
  if (prediction === undefined) return [];
  const { closing_no_vig_probability: fair, devig_book: by, clv_percent: clv, profit_units: profit } = prediction;
  const source = by === null ? '' : by === 'consensus' ? 'the consensus' : nameOf(by);
  const closed =
    prediction.closing_odds_american === null
      ? profit === null
        ? 'It has not closed.'
        : 'It was found in play, or no book closed at its line.'
      : fair === null || clv === null
        ? 'It closed, and no reference stood at its line then.'
        : `Closed with a fair chance of ${(fair * 100).toFixed(1)} % by ${source}: closing line value ${percentText(clv)}.`;
  const ended =
    profit === null
      ? `${words(prediction.result)}${prediction.result_reason === null ? '' : `: ${words(prediction.result_reason)}`}`
      : `${words(prediction.result)}: ${unitsText(profit)}`;
  return [
    ['closed', closed],
    ['ended', ended],
  ];
}
