// Bets that were placed, kept in this browser: what became of their games, and whether the close confirmed them.
import { html, nothing, type TemplateResult } from 'lit-html';
import {
  type AccountBet,
  type BetGrade,
  type OverroundClient,
  OverroundError,
  type Settled,
} from '../src/client/client.js';
import type { Context } from './context.js';
import { moneyText, percentText, priceText, words } from './model/odds-format.js';
import { PLACED_MAX, type PlacedBet, placedOf } from './model/ticket.js';

const STORAGE_KEY = 'overround-placed';
const EVERY_MS = 60_000;
const LOGGED_AT_ONCE = 20;

interface Outcome {
  settled: Settled | undefined;
  close: BetGrade | undefined;
}

export class PlacedBets {
  readonly #context: Context;
  #bets = placedOf(localStorage.getItem(STORAGE_KEY));
  #outcomes = new Map<PlacedBet, Outcome>();
  #note = '';

  constructor(context: Context) {
    this.#context = context;
    setInterval(() => void this.#ask(), EVERY_MS);
    if (this.#bets.length > 0) setTimeout(() => void this.#ask(), 3_000);
  }

  get isEmpty(): boolean {
    return this.#bets.length === 0;
  }

  add(bets: readonly PlacedBet[]): void {
    this.#set([...bets, ...this.#bets].slice(0, PLACED_MAX));
    void this.#ask();
  }

  #set(bets: PlacedBet[]): void {
    this.#bets = bets;
    localStorage.setItem(STORAGE_KEY, JSON.stringify(bets));
    this.#context.changed();
  }

  /** Into the account's own book of bets; one that is sent again is not recorded again. */
  async #log(client: OverroundClient, bets: readonly PlacedBet[]): Promise<void> {
    const unlogged = bets.filter(
      ({ isLogged, oddsId, stake }) => isLogged !== true && oddsId !== null && stake >= 0.01,
    );
    for (let i = 0; i < unlogged.length; i += LOGGED_AT_ONCE) {
      const some = unlogged.slice(i, i + LOGGED_AT_ONCE);
      const { data } = await client.post<AccountBet[]>('/account/bets', {
        bets: some.map(({ oddsId, at, stake, decimal, isPaper }) => ({
          client_id: `desk-${at}-${oddsId}`,
          odds_id: oddsId,
          stake: Math.round(stake * 100) / 100,
          odds_decimal: decimal,
          mode: isPaper === true ? 'paper' : 'placed',
        })),
      });
      for (const [at, bet] of some.entries()) {
        const { status, reason, stake_filled } = data[at]!;
        bet.isLogged = true;
        // Its profit is of what was filled.
        bet.stake = stake_filled;
        if (status !== 'filled') bet.status = reason === null ? status : `${status}: ${reason}`;
      }
    }
    if (unlogged.length > 0) localStorage.setItem(STORAGE_KEY, JSON.stringify(this.#bets));
  }

  /** Results and closing line values of all, with the account's key: a viewer token may not ask for them. */
  async #ask(client = this.#context.account.client): Promise<void> {
    const bets = this.#bets;
    if (client === undefined || bets.length === 0 || document.hidden || this.#context.isLost) return;
    const named = ({ oddsId, eventId, market, selection, line, book }: PlacedBet) =>
      oddsId === null
        ? { market_type: market, event_id: eventId, selection, line, sportsbook: book }
        : { odds_id: oddsId, line };
    const [settled, closes, logged] = await Promise.allSettled([
      client.post<Settled[]>('/grade', { bets: bets.map((bet) => ({ ...named(bet), odds_decimal: bet.decimal })) }),
      client.gradeBets(
        bets.map(({ oddsId, eventId, market, selection, book, line, american, at }) => ({
          ...(oddsId === null ? { event: eventId, market, selection, sportsbook: book, line } : { odds_id: oddsId }),
          odds_american: american,
          at,
        })),
      ),
      this.#log(client, bets),
    ]);
    this.#note = reasonOf(settled) || reasonOf(closes) || reasonOf(logged);
    this.#outcomes = new Map(
      bets.map((bet, i) => [
        bet,
        {
          settled: settled.status === 'fulfilled' ? settled.value.data[i] : undefined,
          close: closes.status === 'fulfilled' ? closes.value.data[i] : undefined,
        },
      ]),
    );
    this.#context.changed();
  }

  template(): TemplateResult | typeof nothing {
    if (this.#bets.length === 0) return nothing;
    const { session, state } = this.#context;
    return html`<div class="ticket-head"><h3>Placed</h3><button type="button" @click=${() => this.#set([])}>forget all</button></div>
      ${
        this.#context.account.client === undefined
          ? this.#context.account.form(
              "results, and into the account's bets, with its key",
              (client) => client.account().then(() => this.#ask(client)),
              this.#context.changed,
            )
          : nothing
      }
      ${this.#note === '' ? nothing : html`<p class="quiet">${this.#note}</p>`}
      <ul class="plain placed">${this.#bets.map((bet) => {
        const { settled, close } = this.#outcomes.get(bet) ?? {};
        const profit = settled?.profit_units == null ? null : settled.profit_units * bet.stake;
        const clv = close?.clv_percent ?? null;
        return html`<li><div class="bet-line"><span>${bet.outcome}</span><b>${priceText(bet, state.format)}</b></div>
          <small>${bet.eventName} · ${session.nameOf(bet.book)} · ${moneyText(bet.stake)}</small>
          <div class="bet-line"><small>CLV ${clv === null ? 'after the start' : percentText(clv)}</small>
            <span class=${profit === null ? 'quiet' : profit >= 0 ? 'gain' : 'loss'}>${bet.isPaper ? 'paper · ' : ''}${bet.isLogged ? 'in the account · ' : ''}${bet.status === undefined ? '' : `${words(bet.status)} · `}${settled === undefined ? '' : words(settled.result)}${profit === null ? '' : ` ${profit >= 0 ? '+' : ''}${moneyText(profit)}`}</span></div></li>`;
      })}</ul>`;
  }
}

function reasonOf(answer: PromiseSettledResult<unknown>): string {
  if (answer.status === 'fulfilled' || !(answer.reason instanceof OverroundError)) return '';
  const { tier, status, message } = answer.reason;
  if (tier !== undefined) return `Results and closing line values need the tier ${tier}.`;
  return status === 404 ? 'This server keeps no history: bets have no results here.' : message;
}
