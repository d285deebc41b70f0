// Pictures of an account's bets, each with its numbers in words beside it: what open bets make on each result, a calendar
// of days, how closing line values spread.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { AccountBet, BetsSummary } from '../src/client/client.js';
import { bookTile } from './book-tile.js';
import { clvSpread, type Day, monthBy, monthOf } from './model/bet-sums.js';
import { type CommissionOf, exposureOf, type GameExposure, riskBy, type SideExposure } from './model/exposure.js';
import { moneyText, signedText, words } from './model/odds-format.js';

/** Games at once; the rest is in the sums by book and side. */
const GAMES_SHOWN = 12;

const lookOf = (amount: number): string => (amount > 0 ? 'gain' : amount < 0 ? 'loss' : 'quiet');

/** A length between 0 and what is the largest, to the left or right of a middle where there are losses. */
function barOf(amount: number, most: number, hasLoss: boolean): TemplateResult {
  const length = most === 0 ? 0 : (Math.abs(amount) / most) * 100;
  return html`<svg class="length" viewBox=${hasLoss ? '-100 0 200 8' : '0 0 100 8'} preserveAspectRatio="none" aria-hidden="true">${svg`<rect class=${hasLoss ? (amount < 0 ? 'lost' : 'won') : ''} x=${amount < 0 ? -length : 0} y="0" width=${length} height="8"></rect>`}${hasLoss ? svg`<line x1="0" x2="0" y1="0" y2="8"></line>` : nothing}</svg>`;
}

export interface ExposureOptions {
  bets: readonly AccountBet[];
  /** The server's sums by book, if these are all bets. */
  byBook: BetsSummary | undefined;
  currency: string;
  commissionOf: CommissionOf;
  nameOf(book: string): string;
  openGame(eventId: string): void;
}

/** What is at risk, by game, book and side. */
export function exposureTemplate(options: ExposureOptions): TemplateResult | typeof nothing {
  const { bets, byBook, currency, commissionOf, nameOf } = options;
  const games = exposureOf(bets, commissionOf);
  if (games.length === 0) return nothing;
  const books =
    byBook === undefined
      ? riskBy(bets, ({ sportsbook }) => sportsbook ?? '')
      : byBook.groups.flatMap(({ group_key: key, open_exposure: risk }) => (risk > 0 ? { key, risk } : []));
  books.sort((a, b) => b.risk - a.risk);
  const sides = riskBy(
    bets,
    ({ selection_type, is_lay }) => `${is_lay ? 'lay ' : ''}${words(selection_type ?? 'other')}`,
  );
  const rest = games.length - GAMES_SHOWN;
  return html`<section class="exposure" aria-label="Exposure"><div class="bar"><h3>Exposure: what open bets make on each result</h3><small>${currency}, as the lines decide; books may settle ties, retirements and shortened games in other ways</small></div>
    <div class="exposed"><figure><figcaption>at risk by book</figcaption>${lengths(books, ({ key }) => html`${bookTile(key)} ${nameOf(key)}`)}</figure>
      <figure><figcaption>at risk by side</figcaption>${lengths(sides, ({ key }) => html`${key}`)}</figure>
      ${games.slice(0, GAMES_SHOWN).map((game) => gameTemplate(game, options))}</div>
    ${rest > 0 ? html`<p class="quiet">${rest} more games with less at risk are in the sums by book and side.</p>` : nothing}</section>`;
}

function lengths<T extends { risk: number }>(list: readonly T[], name: (one: T) => TemplateResult): TemplateResult {
  const most = Math.max(...list.map(({ risk }) => risk), 0);
  return html`<ul class="plain lengths">${list.map((one) => html`<li><span class="name">${name(one)}</span>${barOf(one.risk, most, false)}<span class="number">${moneyText(one.risk)}</span></li>`)}</ul>`;
}

function gameTemplate(
  { eventId, name, bets, risk, worst, best, on }: GameExposure,
  { openGame }: ExposureOptions,
): TemplateResult {
  const most = Math.max(...on.flatMap(({ results }) => results.map(({ profit }) => Math.abs(profit))));
  return html`<figure><figcaption><button type="button" class="link" @click=${() => openGame(eventId)}><bdi>${name}</bdi></button> <small>${bets === 1 ? 'one bet' : `${bets} bets`}, ${moneyText(risk)} at risk, ${on.length > 1 ? 'between' : ''} <b class=${lookOf(worst)}>${signedText(worst)}</b> ${on.length > 1 ? 'and' : 'to'} <b class=${lookOf(best)}>${signedText(best)}</b></small></figcaption>
    ${on.map(
      (axis) =>
        html`<p class="quiet axis">${axis.name}</p>${sidesTemplate(axis.sides)}<ul class="plain lengths">${axis.results.map(
          ({ name: result, profit }) =>
            html`<li><span class="name"><bdi>${result}</bdi></span>${barOf(profit, most, true)}<span class=${`number ${lookOf(profit)}`}>${signedText(profit)}</span></li>`,
        )}</ul>`,
    )}</figure>`;
}

/** What each side of a question wins or loses by itself; beside the results, on which sides and lines meet. */
function sidesTemplate(sides: readonly SideExposure[]): TemplateResult | typeof nothing {
  if (sides.length === 0) return nothing;
  return html`<table class="sides"><thead><tr><th scope="col">side</th><th scope="col">bets</th><th scope="col">if it loses</th><th scope="col">if it wins</th></tr></thead><tbody>${sides.map(
    ({ name, bets, risk, wins }) =>
      html`<tr><th scope="row"><bdi>${name}</bdi></th><td class="number">${bets}</td><td class="number loss">${signedText(-risk)}</td><td class="number gain">${signedText(wins)}</td></tr>`,
  )}</tbody></table>`;
}

const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const MONTH = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** Profit by the day on which bets were recorded, as the server sums them up. */
export function calendarTemplate(
  days: BetsSummary | undefined,
  month: string,
  choose: (month: string) => void,
): TemplateResult | typeof nothing {
  if (days === undefined || days.groups.length === 0) return nothing;
  const { weeks, bets, profit } = monthOf(month, days.groups);
  const most = Math.max(...weeks.flat().map((day) => Math.abs(day?.profit ?? 0)));
  const title = MONTH.format(new Date(`${month}-01T00:00:00Z`));
  return html`<figure class="calendar"><figcaption><span>Days: <b>${title}</b></span> <span class=${lookOf(profit)}>${signedText(profit, days.currency)}</span> <small title="by the day on which they were recorded">${bets} bets, UTC days</small>
      <span class="push"><button type="button" aria-label="the month before" @click=${() => choose(monthBy(month, -1))}>‹</button><button type="button" aria-label="the month after" @click=${() => choose(monthBy(month, 1))}>›</button></span></figcaption>
    <table><thead><tr>${WEEKDAYS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${weeks.map((week) => html`<tr>${week.map((day) => dayTemplate(day, most))}</tr>`)}</tbody></table></figure>`;
}

function dayTemplate(day: Day | null, most: number): TemplateResult {
  if (day === null) return html`<td></td>`;
  const { date, bets, profit, open } = day;
  const no = Number(date.slice(8));
  if (bets === 0) return html`<td><small>${no}</small></td>`;
  const step = most === 0 || profit === 0 ? 0 : Math.ceil((Math.abs(profit) / most) * 3);
  const text = `${DAY.format(new Date(`${date}T00:00:00Z`))}: ${signedText(profit)} of ${bets === 1 ? 'one bet' : `${bets} bets`}${open > 0 ? `, ${moneyText(open)} open` : ''}`;
  return html`<td class=${`${profit < 0 ? 'lost' : profit > 0 ? 'won' : ''} step-${step}`} title=${text}><small>${no}</small><span class="unseen">${text}</span><span aria-hidden="true" class=${lookOf(profit)}>${profit === 0 && open > 0 ? html`<small>open</small>` : shortSigned(profit)}</span></td>`;
}

/** In a cell of a calendar: whole from 100 on. */
const shortSigned = (amount: number): string =>
  Math.abs(amount) >= 100 ? `${amount > 0 ? '+' : ''}${Math.round(amount)}` : signedText(amount);

/** How closing line values spread: whether prices were better than the last ones. */
export function clvTemplate(bets: readonly AccountBet[]): TemplateResult | typeof nothing {
  const spread = clvSpread(bets);
  if (spread === undefined) return nothing;
  const { bins, beat, mean, median } = spread;
  const most = Math.max(...bins.map((bin) => bin.bets));
  const percent = (value: number): string => `${value > 0.005 ? '+' : ''}${value.toFixed(2)} %`;
  const height = (count: number): number => (count / most) * 96;
  const name = (from: number): string =>
    from === bins[0]!.from
      ? `under ${from + 1} %`
      : from === bins.at(-1)!.from
        ? `${from} % and more`
        : `${from} to ${from + 1} %`;
  return html`<figure class="spread"><figcaption><span>Closing line value: <b>${beat} of ${spread.bets}</b> beat the close (${Math.round((beat / spread.bets) * 100)} %), mean <b>${percent(mean)}</b>, median <b>${percent(median)}</b></span></figcaption>
    <svg viewBox="0 0 400 100" preserveAspectRatio="none" role="img" aria-label=${`Bets by closing line value: ${bins
      .filter((bin) => bin.bets > 0)
      .map(({ from, bets: count }) => `${name(from)}: ${count}`)
      .join(', ')}`}>${bins.map(
      ({ from, bets: count }, i) =>
        svg`<rect class=${from >= 0 ? 'above' : 'below'} x=${i * 20 + 1} y=${100 - height(count)} width="18" height=${height(count)}><title>${name(from)}: ${count}</title></rect>`,
    )}${svg`<line x1="200" x2="200" y1="0" y2="100"></line>`}</svg>
    <div class="scale" aria-hidden="true"><span>-10 %</span><span>-5 %</span><span>0</span><span>+5 %</span><span>+10 %</span></div></figure>`;
}
