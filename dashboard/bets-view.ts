// The bets of the account: what was bet, what became of it, what it made. They need the account's key: a viewer token
// may not read them.
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { AccountBet, ChangedBet, OverroundClient } from '../src/client/client.js';
import { amountField, amountsOf } from './amount-field.js';
import { BetCharts } from './bet-charts.js';
import { changeText, type Done, doneTemplate, before as earlier, editForm } from './bet-edit.js';
import { calendarTemplate, clvTemplate, exposureTemplate } from './bet-pictures.js';
import { type BetsGroup, BetsSource } from './bets-source.js';
import type { Context } from './context.js';
import { saveFile } from './dom.js';
import { matches } from './model/arrange.js';
import { clvBands } from './model/bet-sums.js';
import { completedTable, faultsOf, type LineFault, tableOf } from './model/bet-table.js';
import { lineText, moneyText, percentText, priceText, timeText, words } from './model/odds-format.js';
import { whoOf } from './model/outcome.js';

const GROUPS: readonly BetsGroup[] = ['sportsbook', 'sport', 'league', 'market', 'day', 'tag'];
const STATUSES = ['filled', 'part_filled', 'pending', 'rejected', 'struck'] as const;
const ENDS = ['open', 'won', 'lost', 'other'] as const;
const SHOWN_MAX = 300;
/** Columns whose heads stand over numbers. */
const NUMBERS = new Set(['price', 'stake', 'CLV', 'profit']);

export class BetsView {
  readonly #context: Context;
  readonly #charts: BetCharts;
  #source: BetsSource | undefined;
  #bets: readonly AccountBet[] = [];
  #status = '';
  #end = '';
  #mode = '';
  #tag = '';
  #note = '';
  #isShown = false;
  /** Id of the bet whose form is open. */
  #editing = '';
  #done: Done | undefined;
  #isBusy = false;
  /** Of the table that was read last. */
  #faults: LineFault[] = [];
  #month = new Date().toISOString().slice(0, 7);

  constructor(context: Context) {
    this.#context = context;
    this.#charts = new BetCharts();
  }

  show(isShown: boolean): void {
    const begins = isShown && !this.#isShown;
    this.#isShown = isShown;
    if (!isShown) {
      this.#source?.close();
      this.#source = undefined;
    } else if (begins && this.#context.account.client !== undefined)
      this.#begin(this.#context.account.client).catch((error: Error) => this.#say(error.message));
  }

  /** Throws OverroundError if the key may not. */
  async #begin(client: OverroundClient): Promise<void> {
    this.#source?.close();
    const source = new BetsSource(client, () => this.#changed());
    this.#source = source;
    try {
      await source.open();
    } catch (error) {
      source.close();
      throw error;
    }
  }

  #changed(): void {
    const { bets = [] } = this.#source ?? {};
    if (bets.length !== this.#bets.length || bets.some((bet, i) => bet !== this.#bets[i])) {
      this.#bets = bets;
      this.#charts.draw(this.#shownBets());
    }
    this.#context.changed();
  }

  #say(note: string): void {
    this.#note = note;
    this.#context.changed();
  }

  /** Runs the action and reads again; says why it failed. */
  async #do(work: () => Promise<unknown>): Promise<void> {
    const source = this.#source;
    await source?.try(async () => {
      await work();
      await source.read();
    });
  }

  /** A change of the account with its way back; what fails is said, and changes nothing. */
  async #act(text: string, work: () => Promise<unknown>, undo?: () => Promise<unknown>): Promise<void> {
    const source = this.#source;
    if (source === undefined || this.#isBusy) return;
    this.#isBusy = true;
    this.#context.changed();
    await source.try(async () => {
      await work();
      this.#done = { text, ...(undo === undefined ? {} : { undo: () => void this.#act(`Undone: ${text}`, undo) }) };
      this.#editing = '';
      await source.read();
    });
    this.#isBusy = false;
    this.#context.changed();
  }

  #change(bet: AccountBet, change: ChangedBet): void {
    const { client } = this.#context.account;
    if (client === undefined) return;
    const text = `${changeText(change)}: ${whatOf(bet)}`;
    void this.#act(
      text,
      () => client.changeBet(bet.id, change),
      () => client.changeBet(bet.id, earlier(bet, change)),
    );
  }

  readonly #import = async (event: Event): Promise<void> => {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    const { client } = this.#context.account;
    if (file === undefined || client === undefined) return;
    const table = await file.text();
    input.value = '';
    const known = new Set(this.#bets.map(({ id }) => id));
    this.#faults = [];
    const source = this.#source;
    this.#isBusy = true;
    try {
      const { data, meta } = await client.placeBetTable(completedTable(table));
      const added = data.filter(({ id }) => !known.has(id));
      const placed = added.filter(({ mode, status }) => mode === 'placed' && status === 'filled');
      const rejected = added.filter(({ status }) => status === 'rejected').length;
      const skipped = Number((meta as { skipped?: number } | undefined)?.skipped ?? 0);
      const parts = [
        `${added.length} ${added.length === 1 ? 'bet' : 'bets'} of ${file.name} recorded`,
        data.length > added.length ? `${data.length - added.length} known already` : '',
        rejected > 0 ? `${rejected} rejected` : '',
        skipped > 0 ? `${skipped} lines of bets that came to nothing passed over` : '',
      ];
      const text = parts.filter(Boolean).join(', ');
      const strikeAll = async (): Promise<void> => {
        for (const { id } of placed) await client.strikeBet(id);
      };
      this.#done = {
        text,
        ...(placed.length === 0 ? {} : { undo: () => void this.#act(`Undone: ${text}`, strikeAll) }),
      };
      await source?.try(() => source.read());
    } catch (error) {
      this.#done = { text: `Nothing of ${file.name} was recorded:` };
      this.#faults = faultsOf(error instanceof Error ? error.message : String(error), table);
    } finally {
      this.#isBusy = false;
      this.#context.changed();
    }
  };

  template(): TemplateResult {
    const { account, changed } = this.#context;
    const note = this.#note || (this.#source?.note ?? '');
    return html`<section id="bets-view" class="pane page scroll" aria-label="Bets" tabindex="0" data-focus><div class="bar"><h2>Bets of the account</h2>${account.client === undefined ? nothing : html`<button type="button" class="push" @click=${this.#forgetKey}>forget the key</button>`}</div>
      ${note === '' ? nothing : html`<p role="status" class="warn">${note}</p>`}
      ${
        account.client === undefined
          ? html`<p class="quiet">Recorded from the ticket, or by a program; on paper or placed. They are read with the account's key, which is not kept unless you say so.</p>
              ${account.form("the account's key", (client) => this.#begin(client), changed)}`
          : html`${this.#money()}<div class="bets-top"><div>${this.#sums()}${this.#bands()}${this.#calendar()}</div><div>${this.#charts.template()}${clvTemplate(this.#shownBets())}</div></div>${this.#exposure()}${this.#list()}`
      }</section>`;
  }

  readonly #forgetKey = (): void => {
    this.#context.account.forget();
    this.#source?.close();
    this.#source = undefined;
    this.#bets = [];
    this.#context.changed();
  };

  #money(): TemplateResult | typeof nothing {
    const bankroll = this.#source?.bankroll;
    if (bankroll === undefined) return nothing;
    const { account } = this.#context;
    const { deposits, currency, cash, open_stakes, profit } = bankroll;
    const figures: [string, string, string][] = [
      ['cash', moneyText(cash), ''],
      ['open', moneyText(open_stakes), ''],
      ['profit', signed(profit), lookOf(profit)],
    ];
    const submit = (event: SubmitEvent): void => {
      event.preventDefault();
      const amounts = amountsOf(event.target as HTMLFormElement);
      if (amounts === undefined) return;
      const form = new FormData(event.target as HTMLFormElement);
      const { deposits: given = null } = amounts;
      const stated = { deposits: given, currency: String(form.get('currency')).toUpperCase() };
      void this.#do(() => account.send('PUT', '/account/bankroll', stated));
    };
    return html`<form class="rule" id="bankroll" @submit=${submit}>
      <dl class="figures">${figures.map(([name, value, look]) => html`<div><dt>${name}</dt><dd class=${look}>${value} ${currency}</dd></div>`)}</dl>
      <label>deposits ${amountField({ name: 'deposits', value: deposits, min: 0 })}</label>
      <label>currency <input name="currency" size="3" minlength="3" maxlength="3" .value=${currency}></label><button>set</button>
      ${deposits === null ? html`<small>Without deposits a paper bet has no limit of money.</small>` : nothing}</form>`;
  }

  #sums(): TemplateResult | typeof nothing {
    const source = this.#source;
    const summary = source?.summary;
    if (source === undefined || summary === undefined) return nothing;
    const choose = (event: Event): void => {
      source.groupBy = (event.target as HTMLSelectElement).value as BetsGroup;
      void this.#do(async () => undefined);
    };
    const heads = ['bets', 'stake', 'profit', 'ROI', 'CLV', 'won', 'drawdown', 'open'];
    return html`<div class="bar"><h3>Sums</h3><label class="field">by <select name="group" aria-label="Group of the sums" @change=${choose}>${GROUPS.map(
      (group) => html`<option value=${group} .selected=${group === source.groupBy}>${group}</option>`,
    )}</select></label>${summary.struck > 0 ? html`<small>${summary.struck} struck</small>` : nothing}</div>
      <div class="scroll-x" tabindex="0" role="region" aria-label="Sums of bets"><table class="moves sums"><thead><tr><th scope="col">${source.groupBy}</th>${heads.map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
      <tbody>${summary.groups.map(
        (
          group,
        ) => html`<tr><th scope="row">${this.#groupName(source.groupBy, group.group_key)}</th><td class="number">${group.bets}</td><td class="number">${moneyText(group.stake)}</td>
          <td class=${`number ${lookOf(group.profit)}`}>${signed(group.profit)}</td><td class="number">${percentOrNone(group.roi_percent)}</td><td class="number">${percentOrNone(group.clv_percent)}</td>
          <td class="number">${group.win_rate === null ? '' : `${(group.win_rate * 100).toFixed(0)} %`}</td><td class="number">${moneyText(group.max_drawdown)}</td><td class="number">${moneyText(group.open_exposure)}</td></tr>`,
      )}</tbody></table>${summary.groups.length === 0 ? html`<p class="quiet">No bets yet.</p>` : nothing}</div>`;
  }

  #groupName(by: BetsGroup, key: string): string {
    if (by === 'sportsbook') return this.#context.session.nameOf(key);
    return by === 'market' ? words(key) : key === '' ? 'none' : key;
  }

  /** Whether what the close confirmed is what won. */
  #bands(): TemplateResult | typeof nothing {
    const bands = clvBands(this.#shownBets());
    if (bands.length === 0) return nothing;
    return html`<table class="moves sums bands"><caption>Closing line value against result</caption><thead><tr><th scope="col">CLV</th>${['bets', 'stake', 'profit', 'ROI'].map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
      <tbody>${bands.map(({ name, bets, stake, profit, roi }) => html`<tr><th scope="row">${name}</th><td class="number">${bets}</td><td class="number">${moneyText(stake)}</td><td class=${`number ${lookOf(profit)}`}>${signed(profit)}</td><td class="number">${percentText(roi)}</td></tr>`)}</tbody></table>`;
  }

  #calendar(): TemplateResult | typeof nothing {
    return calendarTemplate(this.#source?.byDay, this.#month, (month) => {
      this.#month = month;
      this.#context.changed();
    });
  }

  #exposure(): TemplateResult | typeof nothing {
    const { session, go } = this.#context;
    const { byBook, bankroll } = this.#source ?? {};
    const shown = this.#shownBets();
    return exposureTemplate({
      bets: shown,
      byBook: shown.length === this.#bets.length ? byBook : undefined,
      currency: bankroll?.currency ?? '',
      commissionOf: (book) => session.books.find(({ id }) => id === book)?.commission ?? null,
      nameOf: session.nameOf,
      openGame: (event) => go({ view: 'event', event, eventMarket: '', open: '' }),
    });
  }

  /** By the filters of the list, and by the page's league and search. */
  #shownBets(): AccountBet[] {
    return this.#bets.filter(
      (bet) =>
        matches(
          this.#context.state.q,
          `${bet.event_name ?? ''} ${bet.selection ?? ''} ${bet.player_name ?? ''} ${bet.league ?? ''}`,
        ) &&
        (this.#status === '' || bet.status === this.#status) &&
        (this.#mode === '' || bet.mode === this.#mode) &&
        (this.#tag === '' || (bet.tag ?? '') === this.#tag) &&
        (this.#end === '' || endOf(bet) === this.#end),
    );
  }

  #list(): TemplateResult {
    const shown = this.#shownBets();
    const tags = [...new Set(this.#bets.flatMap(({ tag }) => tag ?? []))].sort();
    const select = (
      label: string,
      value: string,
      options: readonly string[],
      set: (value: string) => void,
    ): TemplateResult =>
      html`<select aria-label=${label} @change=${(event: Event) => {
        set((event.target as HTMLSelectElement).value);
        this.#charts.draw(this.#shownBets());
        this.#context.changed();
      }}><option value="">any ${label}</option>${options.map((option) => html`<option value=${option} .selected=${option === value}>${words(option)}</option>`)}</select>`;
    const heads = ['when', 'game', 'bet', 'book', 'price', 'stake', 'status', 'CLV', 'ended', 'profit', 'tag'];
    return html`<div class="bar"><h3>${shown.length} of ${this.#bets.length} bets</h3>
        ${select('status', this.#status, STATUSES, (value) => (this.#status = value))}
        ${select('mode', this.#mode, ['paper', 'placed'], (value) => (this.#mode = value))}
        ${select('end', this.#end, ENDS, (value) => (this.#end = value))}
        ${tags.length === 0 ? nothing : select('tag', this.#tag, tags, (value) => (this.#tag = value))}
        <label class="button push" title="a table with the columns of the export, or your own: odds_id or event_id, market_type, selection and sportsbook; stake and a price">import CSV<input type="file" accept="text/csv,.csv" class="unseen" aria-label="import a CSV of bets" @change=${this.#import}></label>
        <button type="button" @click=${this.#download}>export CSV</button></div>
      ${doneTemplate(this.#done, this.#isBusy)}${
        this.#faults.length === 0
          ? nothing
          : html`<ul class="plain faults" role="alert">${this.#faults.map(({ line, why, text }) => html`<li>${line === null ? nothing : html`<b>line ${line}</b> `}${why}${text === '' ? nothing : html` <code>${text}</code>`}</li>`)}</ul>`
      }
      <div class="scroll-x" tabindex="0" role="region" aria-label="Table of bets"><table class="moves bets-table"><thead><tr>${heads.map((name) => html`<th scope="col" class=${NUMBERS.has(name) ? 'number' : ''}>${name}</th>`)}<th scope="col"><span class="unseen">actions</span></th></tr></thead>
        <tbody>${repeat(
          shown.slice(0, SHOWN_MAX),
          ({ id }) => id,
          (bet) => this.#row(bet),
        )}</tbody></table>${shown.length === 0 ? html`<p class="quiet">${this.#bets.length === 0 ? 'No bets yet: "placed" and "paper" on the ticket record them, or a table is imported.' : 'None of these.'}</p>` : nothing}
      ${shown.length > SHOWN_MAX ? html`<p class="quiet">The newest ${SHOWN_MAX} are listed; the CSV has all.</p>` : nothing}</div>`;
  }

  #row(bet: AccountBet): TemplateResult {
    const { session, state, go } = this.#context;
    const { clv_percent: clv, profit, event_id, currency } = bet;
    const filled = bet.fills.length === 0 ? bet.odds_decimal : meanPrice(bet);
    const price =
      bet.mode === 'placed' ? { decimal: bet.odds_decimal, american: bet.odds_american } : { decimal: filled };
    const name = bet.event_name ?? event_id ?? '';
    const what = whatOf(bet);
    const ended =
      bet.result === null
        ? ''
        : bet.result_reason === null
          ? words(bet.result)
          : `${words(bet.result)}: ${words(bet.result_reason)}`;
    return html`<tr class=${bet.status === 'struck' ? 'dead' : ''}><td>${timeText(bet.recorded_at, session.clock.now())}</td>
      <td title=${name}>${event_id === null ? name : html`<button type="button" class="link" @click=${() => go({ view: 'event', event: event_id, eventMarket: bet.market_type ?? '', open: '' })}>${name}</button>`}</td>
      <td title=${what}><span class="quiet">${words(bet.market_type ?? '')}</span> ${what}</td><td>${session.nameOf(bet.sportsbook ?? '')}</td>
      <td class="number">${priceText(price, state.format)}</td><td class="number">${moneyText(bet.stake_filled)}${bet.stake_filled === bet.stake ? '' : ` of ${moneyText(bet.stake)}`} ${currency ?? ''}</td>
      <td>${words(bet.mode)}, ${words(bet.status)}${bet.reason === null ? '' : `: ${words(bet.reason)}`}</td>
      <td class=${`number ${lookOf(clv)}`}>${percentOrNone(clv)}</td><td>${ended}</td>
      <td class=${`number ${lookOf(profit)}`}>${profit === null ? '' : signed(profit)}</td><td>${bet.tag ?? ''}</td>
      <td class="acts">${this.#acts(bet, what)}</td></tr>${
        this.#editing === bet.id
          ? html`<tr class="edit"><td colspan="12">${editForm({ bet, format: state.format, save: (change) => this.#change(bet, change), cancel: () => this.#edit('') })}</td></tr>`
          : nothing
      }`;
  }

  #acts(bet: AccountBet, what: string): TemplateResult {
    const { id, mode, status, reason } = bet;
    const button = (name: string, title: string, run: () => void): TemplateResult =>
      html`<button type="button" aria-label=${`${name} ${what}`} title=${title} ?disabled=${this.#isBusy} @click=${run}>${name}</button>`;
    if (status === 'struck')
      return reason === null
        ? button('restore', 'it counts again', () => this.#change(bet, { struck: false }))
        : html`${nothing}`;
    return html`${button('edit', 'stake, price, result, words', () => this.#edit(this.#editing === id ? '' : id))}${
      mode === 'placed' && status === 'filled'
        ? html`${bet.result === 'void' ? nothing : button('void', 'the stake came back', () => this.#change(bet, { result: 'void' }))}${button('strike', 'recorded by mistake: it stays in the list, and leaves the sums', () => this.#change(bet, { struck: true }))}`
        : nothing
    }`;
  }

  #edit(id: string): void {
    this.#editing = id;
    this.#context.changed();
  }

  /** The server's own table; of what it has no filters for, those that are shown. */
  readonly #download = async (): Promise<void> => {
    const query = new URLSearchParams({ format: 'csv', limit: 'all' });
    if (this.#status !== '') query.set('status', this.#status);
    if (this.#tag !== '') query.set('tag', this.#tag);
    const headers = { 'x-api-key': this.#context.account.key };
    const answer = await fetch(`/api/v1/account/bets?${query}`, { headers }).catch(() => undefined);
    const isNarrowed = this.#mode !== '' || this.#end !== '' || this.#context.state.q !== '';
    const ids = new Set(this.#shownBets().map(({ id }) => id));
    if (answer?.ok === true) {
      const table = await answer.text();
      saveFile('bets.csv', 'text/csv', isNarrowed ? tableOf(table, ids) : table);
      this.#say('');
    } else this.#say(`No CSV: ${answer === undefined ? 'the server could not be reached' : `HTTP ${answer.status}`}.`);
  };
}

const signed = (amount: number): string => `${amount > 0 ? '+' : ''}${moneyText(amount)}`;
const lookOf = (amount: number | null): string => (amount === null || amount === 0 ? '' : amount > 0 ? 'gain' : 'loss');
const percentOrNone = (value: number | null): string => (value === null ? '' : percentText(value));
function endOf({ result }: AccountBet): (typeof ENDS)[number] {
  if (result === null || result === 'pending') return 'open';
  if (result === 'won' || result === 'half_won') return 'won';
  return result === 'lost' || result === 'half_lost' ? 'lost' : 'other';
}

function whatOf(bet: AccountBet): string {
  return [whoOf(bet), bet.selection, lineText(bet.line, bet.market_type ?? '')].filter(Boolean).join(' ');
}

/** Of its fills, by their stakes. */
function meanPrice({ fills, odds_decimal }: AccountBet): number {
  const stake = fills.reduce((sum, fill) => sum + fill.stake, 0);
  return stake === 0 ? odds_decimal : fills.reduce((sum, fill) => sum + fill.stake * fill.odds_decimal, 0) / stake;
}
