// Betting splits: of each game and source the shares of tickets and of money on both sides.
import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { repeat } from 'lit-html/directives/repeat.js';
import type { SplitsGame } from '../src/client/client.js';
import type { Context } from './context.js';
import { matches } from './model/arrange.js';
import { ageText, words } from './model/odds-format.js';
import { MORE_POINTS, SPLIT_MARKETS, type SplitSide, sidesOf } from './model/splits.js';
import { PagedList } from './paged-list.js';

/** Sources publish about every five minutes. */
const EVERY_MS = 60_000;
const EVERY_MS_TIGHT = 300_000;
const GAMES_MAX = 1_000;

export class SplitsView {
  readonly #context: Context;
  readonly #list: PagedList<SplitsGame>;

  constructor(context: Context) {
    this.#context = context;
    const { session } = context;
    this.#list = new PagedList<SplitsGame>({
      page: (query) => session.client.splits(query),
      everyMs: session.isTight ? EVERY_MS_TIGHT : EVERY_MS,
      itemsMax: GAMES_MAX,
      changed: () => context.changed(),
    });
  }

  show(isShown: boolean): void {
    this.#list.show(isShown);
  }

  template(): TemplateResult {
    const { leagues, sport, q } = this.#context.state;
    const { items = [] } = this.#list;
    const shown = items.filter(
      (game) =>
        (leagues.length === 0 || leagues.includes(game.league)) &&
        (sport === '' || game.sport === sport) &&
        matches(q, `${game.away_team} ${game.home_team} ${game.league} ${game.sport}`),
    );
    return html`<section class="pane page" aria-label="Splits"><div class="bar"><h2 tabindex="-1" data-focus>Betting splits</h2><span class="quiet">bets: share of the bets; money: share of the money. <b>money +${MORE_POINTS}</b> and more: few large bets are on that side</span></div>
      ${
        shown.length === 0
          ? html`<p class="empty">${this.#emptyNote()}</p>`
          : html`<div class="scroll" tabindex="0" role="region" aria-label="Table of splits">${guard([items, leagues, sport, q], () => this.#table(shown))}</div>`
      }${this.#list.isCut ? html`<p class="quiet">The first ${items.length} are shown: choose a league for the others.</p>` : nothing}</section>`;
  }

  #emptyNote(): string {
    const { items, note } = this.#list;
    if (note !== '') return note;
    if (items === undefined) return 'Loading splits';
    if (items.length > 0) return `None of ${items.length} fits these filters.`;
    return 'No splits yet: the shares of tickets and money of DraftKings and Circa come about every 5 minutes once a feed has them, or a program sends them. The simulated market publishes its first within seconds.';
  }

  #table(games: readonly SplitsGame[]): TemplateResult {
    const nowMs = this.#context.session.clock.now();
    return html`<table class="splits"><thead><tr><th scope="col" rowspan="2">game</th><th scope="col" rowspan="2">source</th>${SPLIT_MARKETS.map(
      (market) => html`<th scope="colgroup" colspan="3">${market}</th>`,
    )}</tr><tr>${SPLIT_MARKETS.map(
      () =>
        html`<th scope="col"><span class="unseen">line</span></th><th scope="col">bets</th><th scope="col">money</th>`,
    )}</tr></thead>${repeat(
      games,
      ({ event_id, sportsbook }) => `${event_id}|${sportsbook}`,
      (game) => this.#game(game, nowMs),
    )}</table>`;
  }

  #game(game: SplitsGame, nowMs: number): TemplateResult {
    const { session, go } = this.#context;
    const markets = SPLIT_MARKETS.map((market) => sidesOf(game, market));
    const open = (): void => go({ view: 'event', event: game.event_id, eventMarket: '' });
    return html`<tbody>${[game.away_team, game.home_team].map(
      (
        team,
        i,
      ) => html`<tr><th scope="row"><button type="button" class="link" @click=${open}><bdi>${team}</bdi></button>${i === 0 ? html`<small class="source"> ${session.nameOf(game.sportsbook)}</small>` : nothing}</th>
        <td class="quiet">${i === 0 ? session.nameOf(game.sportsbook) : html`<small>${words(game.league)}, ${ageText(nowMs - Date.parse(game.fetched_at))} ago</small>`}</td>${markets.map(
          (sides) => sideCells(sides?.[i]),
        )}</tr>`,
    )}</tbody>`;
  }
}

function sideCells(side: SplitSide | undefined): TemplateResult {
  if (side === undefined) return html`<td></td><td></td><td></td>`;
  return html`<td class="at">${side.at}</td><td class="share" .style=${bar(side.tickets)}>${shareText(side.tickets)}</td><td class="share" .style=${bar(side.money)}>${
    side.more > 0 ? html`<span class="chip hint">money +${side.more}</span>` : nothing
  }${shareText(side.money)}</td>`;
}

const shareText = (share: number | null): string => (share === null ? '' : `${share} %`);
const bar = (share: number | null): string => `--share:${share ?? 0}%`;
