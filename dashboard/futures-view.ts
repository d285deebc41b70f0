// Futures: markets of a season, one of them open with its outcomes × books.
import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { repeat } from 'lit-html/directives/repeat.js';
import type { Future, FutureOdds } from '../src/client/client.js';
import type { Context } from './context.js';
import { choice, option } from './filters.js';
import { freshLegend, freshnessAt } from './fresh-dot.js';
import { matches } from './model/arrange.js';
import { type FutureGroup, type FutureOutcome, futureGroups } from './model/futures.js';
import { ageText, priceText, timeText, zeroAsShown } from './model/odds-format.js';
import { hasAccount } from './model/profile.js';
import { PagedList } from './paged-list.js';

const EVERY_MS = 60_000;
const EVERY_MS_TIGHT = 300_000;
/** Ages of polls on the page are at most so much younger than they are. */
const AGED_EVERY_MS = 5_000;
const MARKETS_MAX = 1_000;
const PRICES_MAX = 4_000;

export class FuturesView {
  readonly #context: Context;
  readonly #markets: PagedList<Future>;
  readonly #prices: PagedList<FutureOdds>;
  #opened = '';
  #isShown = false;

  constructor(context: Context) {
    this.#context = context;
    const { session } = context;
    const everyMs = session.isTight ? EVERY_MS_TIGHT : EVERY_MS;
    const changed = (): void => this.#follow();
    this.#markets = new PagedList<Future>({
      page: (query) => session.client.futures(query),
      everyMs,
      itemsMax: MARKETS_MAX,
      changed,
    });
    this.#prices = new PagedList<FutureOdds>({
      page: (query) => session.client.futureOdds(this.#opened, query),
      everyMs,
      itemsMax: PRICES_MAX,
      changed: () => context.changed(),
    });
  }

  show(isShown: boolean): void {
    this.#isShown = isShown;
    this.#markets.show(isShown);
    this.#follow();
  }

  /** Those of the chosen leagues and search. */
  #listed(): Future[] {
    const { leagues, sport, q } = this.#context.state;
    return (this.#markets.items ?? []).filter(
      (market) =>
        (leagues.length === 0 || leagues.includes(market.league)) &&
        (sport === '' || market.sport === sport) &&
        matches(q, `${market.display_name} ${market.league} ${market.sport}`),
    );
  }

  #chosen(): Future | undefined {
    const listed = this.#listed();
    return listed.find(({ market_id }) => market_id === this.#context.state.future) ?? listed[0];
  }

  /** The prices of the market that is open now. */
  #follow(): void {
    const id = this.#isShown ? (this.#chosen()?.market_id ?? '') : '';
    const isOther = id !== '' && id !== this.#opened;
    if (isOther) {
      this.#opened = id;
      this.#prices.restart();
    }
    this.#prices.show(id !== '');
    this.#context.changed();
  }

  template(): TemplateResult {
    const { go } = this.#context;
    const listed = this.#listed();
    const chosen = this.#chosen();
    return html`<section class="pane page" aria-label="Futures"><div class="bar"><h2 tabindex="-1" data-focus>Futures</h2>${
      chosen === undefined
        ? nothing
        : choice(
            'Market',
            chosen.market_id,
            (future) => go({ future }),
            listed.map(({ market_id, display_name }) => option(market_id, display_name, chosen.market_id)),
          )
    }</div>${chosen === undefined ? html`<p class="empty">${this.#emptyNote()}</p>` : this.#market(chosen)}</section>`;
  }

  #emptyNote(): string {
    if (this.#markets.note !== '') return this.#markets.note;
    if (this.#markets.items === undefined) return 'Loading futures';
    if (this.#markets.items.length > 0) return `None of ${this.#markets.items.length} markets fits these filters.`;
    return 'No futures yet: winners of leagues and awards come as soon as a feed has them (The Odds API has outrights), or a program sends them.';
  }

  #market(market: Future): TemplateResult {
    const { session, state, profile } = this.#context;
    const rows = this.#prices.items;
    if (rows === undefined || this.#opened !== market.market_id)
      return html`<p class="empty">${this.#prices.note === '' ? 'Loading prices' : this.#prices.note}</p>`;
    if (rows.length === 0) return html`<p class="empty">No book has a price of this at the moment.</p>`;
    return html`${guard([rows, state.format, state.books, profile, Math.floor(session.clock.now() / AGED_EVERY_MS)], () => this.#table(market, rows))}`;
  }

  #table(market: Future, rows: readonly FutureOdds[]): TemplateResult {
    const { session, state, profile } = this.#context;
    const isMine = (book: string): boolean =>
      hasAccount(profile, book) && (state.books.length === 0 || state.books.includes(book));
    const groups = futureGroups(rows, isMine);
    const present = new Set(rows.map(({ sportsbook }) => sportsbook));
    const columns = session.columns(state.books, present).filter(({ id }) => present.has(id));
    const nowMs = session.clock.now();
    const end = rows.find(({ event_start_time }) => event_start_time !== null)?.event_start_time;
    const polledMs = new Map<string, number>();
    for (const { sportsbook, timestamp } of rows)
      polledMs.set(sportsbook, Math.max(polledMs.get(sportsbook) ?? 0, Date.parse(timestamp)));
    const newestMs = Math.max(...polledMs.values());
    return html`<p class="quiet">${summaryText(market, groups)}${end == null ? '' : ` Decided by ${timeText(end, nowMs)}.`} Newest price ${ageText(nowMs - newestMs)} old.${this.#prices.isCut ? ` The first ${rows.length} prices are shown.` : ''}</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Prices of futures"><table class="ladder futures"><thead><tr><th scope="col">outcome</th><th scope="col">best</th><th scope="col" title="probability that the best price implies">implied</th>${columns.map(
        ({ id, name, is_sharp }) => {
          const { className, text } = freshnessAt(session, polledMs.get(id) ?? 0);
          return html`<th scope="col" class=${is_sharp ? 'sharp' : ''} title=${`${name}, ${text}`}><i class=${className} aria-hidden="true"></i><abbr title=${`${name}, ${text}`}>${session.shortOf(id)}</abbr></th>`;
        },
      )}</tr></thead>${groups.map(
        (group) =>
          html`<tbody>${repeat(
            group.outcomes,
            ({ key }) => key,
            (outcome) => this.#outcome(outcome, columns, nowMs),
          )}${group.sum === null ? nothing : sumRow(group, columns)}</tbody>`,
      )}</table></div>${freshLegend(false)}`;
  }

  #outcome(
    { name, best, bestBooks, prices }: FutureOutcome,
    columns: readonly { id: string; name: string }[],
    nowMs: number,
  ): TemplateResult {
    const { session, state } = this.#context;
    const more = bestBooks.length > 1 ? `+${bestBooks.length - 1}` : '';
    return html`<tr><th scope="row"><bdi>${name}</bdi></th>
      <td class="best" title=${bestBooks.map(session.nameOf).join(', ')}>${priceText(best, state.format)}<small> ${session.shortOf(bestBooks[0]!)}${more}</small></td>
      <td class="quiet">${(100 / best.decimal).toFixed(1)} %</td>${columns.map(({ id, name: book }) => {
        const price = prices.get(id);
        return price === undefined
          ? html`<td></td>`
          : html`<td class=${bestBooks.includes(id) ? 'most' : ''} title=${`${book}: ${price.decimal.toFixed(3)}, polled ${ageText(nowMs - price.atMs)} ago`}>${priceText(price, state.format)}</td>`;
      })}</tr>`;
  }
}

const holdText = (sum: number): string => `${(zeroAsShown((sum - 1) * 100) ?? 0).toFixed(1)} %`;

function sumRow(group: FutureGroup, columns: readonly { id: string }[]): TemplateResult {
  return html`<tr class="sums"><th scope="row" title="by how much the probabilities of the prices exceed 100 %">hold</th><td>${holdText(group.sum!)}</td><td class="quiet">${(group.sum! * 100).toFixed(1)} %</td>${columns.map(
    ({ id }) => {
      const sum = group.sums.get(id);
      return html`<td class="quiet">${sum === undefined ? '' : holdText(sum)}</td>`;
    },
  )}</tr>`;
}

function summaryText({ future_type }: Future, groups: readonly FutureGroup[]): string {
  const [group] = groups;
  if (group === undefined || groups.length > 1 || group.sum === null) return '';
  const sum = (group.sum * 100).toFixed(1);
  if (future_type !== 'TEAM' && future_type !== 'PLAYER') return `The best prices add up to ${sum} %.`;
  return `${group.outcomes.length} outcomes; the best prices add up to ${sum} %: a hold of ${holdText(group.sum)} where one of them wins.`;
}
