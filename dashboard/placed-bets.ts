// Bets that were placed: with the account's key they are in the account, and this browser's list of them is a copy. What
// became of their games, and whether the close confirmed them.
import { html, nothing, type TemplateResult } from 'lit-html';
import {
  type AccountBet,
  type BetGrade,
  type OverroundClient,
  OverroundError,
  type Settled,
} from '../src/client/client.js';
import { browserStore } from './browser-store.js';
import type { Context } from './context.js';
import { onStored } from './dom.js';
import { moneyText, percentText, priceText, signedText, words } from './model/odds-format.js';
import { gameText } from './model/outcome.js';
import { partedText } from './model/paper.js';
import { type PlacedBet, placedOf, withPlaced } from './model/ticket.js';

const STORAGE_KEY = 'overround-placed';
const EVERY_MS = 60_000;
const LOGGED_AT_ONCE = 20;
/** The newest bets of the account that are looked at for those of this list. */
const FOLLOWED = 1_000;

interface Outcome {
  settled: Settled | undefined;
  close: BetGrade | undefined;
}

export class PlacedBets {
  readonly #context: Context;
  #bets = placedOf(browserStore.getItem(STORAGE_KEY));
  #outcomes = new Map<PlacedBet, Outcome>();
  /** As the account has them, by client id: what was changed there holds here. */
  #own = new Map<string, AccountBet>();
  #note = '';
  /** Until something else is done, they can be had back. */
  #forgotten: PlacedBet[] | undefined;

  constructor(context: Context) {
    this.#context = context;
    setInterval(() => void this.#ask(), EVERY_MS);
    onStored(STORAGE_KEY, (stored) => {
      this.#bets = placedOf(stored);
      context.changed();
    });
    if (this.#bets.length > 0) setTimeout(() => void this.#ask(), 3_000);
  }

  get isEmpty(): boolean {
    return this.#bets.length === 0 && this.#forgotten === undefined;
  }

  /** Bets on this game that no result is known of. */
  openOf(eventId: string): PlacedBet[] {
    return this.#bets.filter((bet) => {
      const { result } = this.#outcomes.get(bet)?.settled ?? {};
      return bet.eventId === eventId && (result === undefined || result === 'pending' || result === 'ungradeable');
    });
  }

  add(bets: readonly PlacedBet[]): void {
    this.#forgotten = undefined;
    this.#set(withPlaced(this.#bets, bets));
    void this.#ask();
  }

  #set(bets: PlacedBet[]): void {
    this.#bets = bets;
    browserStore.setItem(STORAGE_KEY, JSON.stringify(bets));
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
        bets: some.map(({ oddsId, line, at, stake, decimal, isPaper }) => ({
          client_id: clientId({ at, oddsId }),
          odds_id: oddsId,
          line,
          stake: Math.round(stake * 100) / 100,
          odds_decimal: decimal,
          mode: isPaper === true ? 'paper' : 'placed',
        })),
      });
      for (const [at, bet] of some.entries()) {
        const { status, reason, stake, stake_filled, limited_by } = data[at]!;
        bet.isLogged = true;
        // Its profit is of what was filled.
        bet.stake = stake_filled;
        // Where all was filled, nothing limited it.
        if (limited_by !== null && stake_filled < stake) bet.limitedBy = limited_by;
        if (status === 'part_filled') bet.status = `filled ${moneyText(stake_filled)} of ${moneyText(stake)}`;
        else if (status !== 'filled') bet.status = reason === null ? status : `${status}: ${reason}`;
      }
      this.#tellParted(some);
    }
    if (unlogged.length > 0) browserStore.setItem(STORAGE_KEY, JSON.stringify(this.#bets));
  }

  /** What became of them in the account since: it has the last word, and this list is a copy. */
  async #follow(client: OverroundClient): Promise<void> {
    if (!this.#bets.some(({ isLogged }) => isLogged)) return;
    const { data } = await client.bets({ limit: FOLLOWED });
    this.#own = new Map(data.map((bet) => [bet.client_id, bet]));
    const kept = this.#bets.flatMap((bet) => {
      const own = this.#own.get(clientId(bet));
      if (own === undefined || bet.isLogged !== true) return bet;
      if (own.status === 'struck') return [];
      if (own.mode === 'placed')
        Object.assign(bet, { stake: own.stake, decimal: own.odds_decimal, american: own.odds_american });
      return bet;
    });
    this.#bets = kept;
    browserStore.setItem(STORAGE_KEY, JSON.stringify(kept));
  }

  /** What one leg's refusal means for those that were bet with it. */
  #tellParted(bets: readonly PlacedBet[]): void {
    const tickets = new Set(bets.flatMap(({ ticket }) => ticket ?? []));
    for (const ticket of tickets) {
      const text = partedText(
        this.#bets.filter((bet) => bet.ticket === ticket),
        this.#context.session.nameOf,
      );
      if (text !== '') this.#context.tell(text, true);
    }
  }

  readonly #forget = (): void => {
    this.#forgotten = this.#bets;
    this.#set([]);
  };

  readonly #restore = (): void => {
    const forgotten = this.#forgotten ?? [];
    this.#forgotten = undefined;
    this.#set(withPlaced(this.#bets, forgotten));
  };

  /** Results and closing line values of all, with the account's key: a viewer token may not ask for them. */
  async #ask(client = this.#context.account.client): Promise<void> {
    if (client === undefined || this.#bets.length === 0 || document.hidden || this.#context.isLost) return;
    const followed = await this.#follow(client).then(
      () => '',
      (error: unknown) => reasonOf({ status: 'rejected', reason: error }),
    );
    const bets = this.#bets;
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
    this.#note = followed || reasonOf(settled) || reasonOf(closes) || reasonOf(logged);
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
    const forgotten = this.#forgotten;
    if (this.#bets.length === 0)
      return forgotten === undefined
        ? nothing
        : html`<p class="ticket-head" role="status"><span class="quiet">${forgotten.length} forgotten in this browser; what is in the account stays there.</span><button type="button" @click=${this.#restore}>undo</button></p>`;
    const { account, changed, go } = this.#context;
    const local = this.#bets.filter(({ isLogged }) => isLogged !== true).length;
    return html`<div class="ticket-head"><h3>Placed</h3><button type="button" @click=${() => go({ view: 'bets' })}>all bets</button><button type="button" @click=${this.#forget}>forget all</button></div>
      ${local === 0 ? nothing : html`<p class="quiet">${local} only in this browser, until the account's key is entered.</p>`}
      ${
        account.client === undefined
          ? account.form(
              "results, and into the account's bets, with its key",
              (client) => client.account().then(() => this.#ask(client)),
              changed,
            )
          : nothing
      }
      ${this.#note === '' ? nothing : html`<p class="quiet">${this.#note}</p>`}
      <ul class="plain placed">${this.#bets.map((bet) => this.#bet(bet))}</ul>`;
  }

  #bet(bet: PlacedBet): TemplateResult {
    const { session, state } = this.#context;
    const { settled, close } = this.#outcomes.get(bet) ?? {};
    const own = bet.isLogged ? this.#own.get(clientId(bet)) : undefined;
    const graded = settled?.profit_units == null ? null : settled.profit_units * bet.stake;
    const profit = own?.profit ?? graded;
    // The account's profit is in the currency of its bankroll.
    const isOwn = own?.profit != null && own.exposure !== own.stake_filled;
    const clv = close?.clv_percent ?? null;
    const parted = bet.ticket === undefined ? '' : this.#partedOf(bet.ticket, bet);
    const facts = [
      bet.isPaper ? 'paper' : '',
      bet.isLogged ? 'in the account' : '',
      bet.status === undefined ? '' : words(bet.status),
      bet.limitedBy === undefined ? '' : `limited by ${LIMITS[bet.limitedBy] ?? words(bet.limitedBy)}`,
      own?.result != null ? words(own.result) : settled === undefined ? '' : words(settled.result),
    ].filter(Boolean);
    return html`<li><div class="bet-line"><bdi>${bet.outcome}</bdi><b>${priceText(bet, state.format)}</b></div>
      <small><bdi>${gameText(bet.eventName)}</bdi> · ${session.nameOf(bet.book)} · ${moneyText(bet.stake, bet.currency)}</small>
      <div class="bet-line"><small>CLV ${clv === null ? 'after the start' : percentText(clv)}</small>
        <span class=${profit === null ? 'quiet' : profit >= 0 ? 'gain' : 'loss'}>${facts.join(' · ')}${profit === null ? '' : ` ${signedText(profit, isOwn ? undefined : bet.currency)}`}</span></div>
      ${parted === '' ? nothing : html`<p class="warn" role="status">${parted}</p>`}</li>`;
  }

  /** Said once a ticket, at its first leg. */
  #partedOf(ticket: string, bet: PlacedBet): string {
    const legs = this.#bets.filter((one) => one.ticket === ticket);
    return legs[0] === bet ? partedText(legs, this.#context.session.nameOf) : '';
  }
}

const LIMITS: Readonly<Record<string, string>> = {
  depth: 'what the exchange had',
  size: 'what the price had',
  max_bet: "the book's limit",
  paper_max: 'the bound of paper bets, as the book states no limit',
};

function clientId({ at, oddsId }: Pick<PlacedBet, 'at' | 'oddsId'>): string {
  return `desk-${at}-${oddsId}`;
}

function reasonOf(answer: PromiseSettledResult<unknown>): string {
  if (answer.status === 'fulfilled' || !(answer.reason instanceof OverroundError)) return '';
  const { tier, status, message } = answer.reason;
  if (tier !== undefined) return `Results and closing line values need the tier ${tier}.`;
  return status === 404 ? 'This server keeps no history: bets have no results here.' : message;
}
