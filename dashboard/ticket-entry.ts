// One entry of the ticket: what is bet, what speaks against it, what to stake at which book, and what every result makes.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { OddsRow } from '../src/client/client.js';
import { amountField } from './amount-field.js';
import { bookTile } from './book-tile.js';
import type { Context } from './context.js';
import { betHref } from './dom.js';
import { beyondText, leastText } from './model/bounds.js';
import { backedStake, type Leg } from './model/legs.js';
import {
  ageText,
  americanOf,
  americanText,
  moneyText,
  type OddsFormat,
  percentText,
  priceText,
  signedText,
  words,
} from './model/odds-format.js';
import { gameText } from './model/outcome.js';
import { NOT_COMPARED, saysOf } from './model/pair.js';
import { bookOf, type Evaluation, type Play, type PlayTerms, type Terms } from './model/play.js';
import { NO_PRICE, parsePrice } from './model/price-input.js';
import { type Chip, chipsOf } from './model/reservations.js';
import { gradesText } from './model/results.js';
import { effectiveDecimal } from './model/stakes.js';
import type { LegNow, TicketEntry } from './model/ticket.js';

const STATUS: Readonly<Record<LegNow['status'], string>> = {
  open: '',
  moved: 'moved',
  suspended: 'suspended: no bets now',
  gone: 'gone: the book lists it no more',
  unknown: '',
};

/** An entry as it is now. */
export interface EntryNow {
  entry: TicketEntry;
  legs: readonly LegNow[];
  evaluation: Evaluation;
  reservations: TicketEntry['play']['reservations'];
  terms: PlayTerms;
  /** As its prices are now. */
  play: Play;
  /** The server states how these bets end together. */
  isCompared: boolean;
  /** Of each leg, the price below which it is not worth it; null where there is none. */
  least: readonly (number | null)[];
  /** That both bets of a middle win, 0-1; null if nobody says. */
  chance: number | null;
  /** A paper bet of it is on its way. */
  isBusy: boolean;
}

export interface EntryActions {
  remove(): void;
  /** Joined prices, each by itself again. */
  split(): void;
  accept(leg: number, now: Leg): void;
  set(terms: PlayTerms): void;
  place(isPaper: boolean): void;
}

export function chipTemplates(chips: readonly Chip[]): TemplateResult[] {
  return chips.map(({ text, title, look }) => html`<span class=${`chip ${look}`} title=${title}>${text}</span>`);
}

export function entryTemplate(now: EntryNow, context: Context, actions: EntryActions): TemplateResult {
  const { entry, legs, evaluation, reservations, terms } = now;
  const over = legs.some(({ status }) => status === 'gone' || status === 'suspended');
  const isOpen = legs.every(({ status }) => status === 'open' || status === 'moved');
  const isJoined = entry.parts !== undefined;
  const chips = [...(now.isCompared ? [] : [NOT_COMPARED]), ...chipsOf(reservations)];
  const { currency } = context.profile;
  const [what, when] = isJoined ? saysOf(now.play, evaluation, terms, currency, now.chance) : [];
  return html`<li class=${`entry${over ? ' over' : ''}`}>
    <div class="entry-head"><div><b><bdi>${gameText(entry.eventName)}</bdi></b><small>${words(entry.market)}${entry.play.kind === 'single' || isJoined ? '' : ` · ${words(entry.play.kind)}`}</small></div>
      <button type="button" class="icon" aria-label=${`take ${entry.eventName} off the ticket`} @click=${actions.remove}>×</button></div>
    ${isJoined ? html`<p class="says" role="status"><b>${what}</b> <span>${when}</span> <button type="button" class="link" title="each price by itself" @click=${actions.split}>bet apart</button></p>` : nothing}
    ${chips.length === 0 ? nothing : html`<p class="chips" aria-label="What to know before betting">${chipTemplates(chips)}</p>`}
    ${over ? html`<p class="warn" role="status">Not all of it can be bet now.</p>` : nothing}
    ${
      evaluation.lacking.length === 0
        ? nothing
        : html`<p class="warn" role="status">The server has no rate for ${evaluation.lacking.join(' and ')} (--fx): stakes cannot be split or added to ${currency}.</p>`
    }
    ${total(now, context, actions)}
    <ul class="plain">${legs.map((leg, i) => legTemplate(now, leg, i, context, actions))}</ul>
    ${summary(now, currency)}${results(now, currency)}
    <div class="row">${isSet(terms) ? html`<button type="button" class="link" @click=${() => actions.set({ legs: [] })}>as computed</button>` : nothing}${[
      false,
      true,
    ].map(
      (isPaper) =>
        html`<button type="button" ?disabled=${!isOpen || now.isBusy || evaluation.plan.stakes.every((stake) => stake <= 0) || context.isLost} title=${isPaper ? 'filled from what stands in the table, in your account' : 'I placed it at the book'}
          @click=${() => actions.place(isPaper)}>${isPaper ? 'paper' : 'placed'}</button>`,
    )}</div>
  </li>`;
}

const isSet = ({ total: all, legs }: PlayTerms): boolean =>
  all !== undefined || legs.some((leg) => leg != null && Object.values(leg).some((value) => value !== undefined));

/** The stake first: of one bet its own, of several what they cost together. */
function total(
  { entry, evaluation, terms, legs }: EntryNow,
  { profile }: Context,
  { set }: EntryActions,
): TemplateResult | typeof nothing {
  // The stake that stands decides.
  if (legs.some(({ leg }) => leg.placed !== undefined)) return nothing;
  const { stakes, cost } = evaluation.plan;
  const isSingle = legs.length === 1;
  const currency = isSingle ? legs[0]!.leg.currency : profile.currency;
  const name = isSingle ? 'stake' : 'stake in all';
  const proposed = isSingle ? stakes[0]! : cost;
  const given = isSingle ? terms.legs[0]?.stake : terms.total;
  const change = (value: number | undefined): void =>
    set(isSingle ? withLeg(terms, 0, { stake: value }) : { ...terms, total: value });
  const hint = proposed > 0 ? moneyText(proposed) : entry.play.kind === 'low_hold' ? 'amount' : '0.00';
  return html`<label class="total"><span>${name}</span>${amountField({ label: `${name}, ${currency}`, name: 'total', value: given, min: 0, max: 1e9, placeholder: hint, set: change })}<span>${currency}</span></label>`;
}

function withLeg(terms: PlayTerms, at: number, changes: Terms): PlayTerms {
  const legs = Array.from({ length: Math.max(at + 1, terms.legs.length) }, (_, i) => terms.legs[i] ?? {});
  legs[at] = { ...legs[at], ...changes };
  return { ...terms, legs };
}

function legTemplate(
  { entry, play, evaluation, terms, least }: EntryNow,
  { leg, status, row, others, unseenMs }: LegNow,
  i: number,
  context: Context,
  { accept, set }: EntryActions,
): TemplateResult {
  const { state, profile, isLost } = context;
  const before = entry.play.legs[i]!;
  const stake = evaluation.plan.stakes[i]!;
  const book = bookOf(leg, profile);
  const canBet = !isLost && (status === 'open' || status === 'moved');
  const got = terms.legs[i]?.decimal;
  const leastNow = least[i] ?? null;
  const warnings = [
    unseenMs === undefined ? '' : `not seen for ${ageText(unseenMs)}: the price may be another one now`,
    leastNow !== null && evaluation.bets[i]!.decimal < leastNow - 1e-9
      ? `below the least price of ${leastText(leastNow, state.format)}`
      : '',
    beyondText(play.legs, i, evaluation, profile, terms, context.session.nameOf),
  ].filter(Boolean);
  return html`<li class="bet">
    <div class="bet-line"><bdi>${leg.outcome}</bdi><span class="of-price">${
      status === 'moved' ? html`<s>${priceText(before, state.format)}</s> ` : nothing
    }${
      got === undefined
        ? html`<b class=${status === 'moved' ? (leg.decimal > before.decimal !== leg.isLay ? 'gain' : 'loss') : ''}>${priceText(leg, state.format)}</b>`
        : html`<s>${priceText(leg, state.format)}</s> <b>${priceText({ decimal: got }, state.format)}</b> <small>got</small>`
    }</span></div>
    ${STATUS[status] === '' ? nothing : html`<p class="warn" role="status">${STATUS[status]}${status === 'moved' ? html` <button type="button" class="link" @click=${() => accept(i, leg)}>take the new price</button>` : nothing}</p>`}
    <div class="bet-line"><span>${bookTile(book)} ${leg.placed === undefined ? nothing : 'placed at '}${link(context, book, leg.links[book], canBet && leg.placed === undefined)}${others.map((other) => html`, ${otherBook(context, other, leg, canBet)}`)}</span>
      <span class="stake"><output aria-label=${`stake on ${leg.outcome}`}>${moneyText(stake)}</output> <small>${leg.currency}</small></span></div>
    <small>${factsOf(leg, row, evaluation, i, { least: leastNow, got }, context).join(', ')}</small>
    ${warnings.map((text) => html`<p class="warn" role="status">${text}</p>`)}
    ${row === undefined ? nothing : html`<button type="button" class="link" @click=${() => context.alertOnPrice(row)}>alert on this line</button>`}
    ${leg.placed === undefined ? options(terms, i, leg, evaluation, state.format, set) : nothing}</li>`;
}

function factsOf(
  leg: Leg,
  row: OddsRow | undefined,
  { plan, bets }: Evaluation,
  i: number,
  { least, got }: { least: number | null; got: number | undefined },
  { session, state }: Context,
): string[] {
  const bet = bets[i]!;
  const effective = effectiveDecimal(bet);
  const stake = plan.stakes[i]!;
  const isOther = !leg.isLay && Math.abs(effective - bet.decimal) > 1e-9;
  const laidAt = { isLay: leg.isLay, decimal: got ?? leg.decimal };
  return [
    leg.isLay ? `liability; the backer's stake is ${moneyText(backedStake(laidAt, stake), leg.currency)}` : '',
    isOther ? `worth ${priceText({ decimal: effective }, state.format)} to you` : '',
    least === null || bet.decimal < least - 1e-9 ? '' : `least price ${leastText(least, state.format)}`,
    leg.placed !== undefined
      ? ''
      : bet.cap === null
        ? 'max stake unknown'
        : `max stake ${moneyText(bet.cap, leg.currency)}`,
    row === undefined ? '' : `changed ${ageText(session.clock.now() - Date.parse(row.odds_changed_at))} ago`,
  ].filter(Boolean);
}

/** What the viewer knows better: how much the book takes, what is placed there already, and at which price. */
function options(
  terms: PlayTerms,
  i: number,
  leg: Leg,
  { bets }: Evaluation,
  format: OddsFormat,
  set: EntryActions['set'],
): TemplateResult {
  const own = terms.legs[i] ?? {};
  const change = (changes: Terms): void => set(withLeg(terms, i, changes));
  const price = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const decimal = input.value.trim() === '' ? undefined : parsePrice(input.value, format);
    const isWrong = decimal === undefined && input.value.trim() !== '';
    input.setCustomValidity(isWrong ? NO_PRICE : '');
    if (isWrong) input.reportValidity();
    else change({ decimal });
  };
  const gotText =
    own.decimal === undefined ? '' : format === 'decimal' ? String(own.decimal) : americanText(americanOf(own.decimal));
  return html`<details><summary>options</summary><div class="terms">
    <label>max stake ${amountField({ value: own.cap, min: 0, set: (cap) => change({ cap }) })} ${leg.currency}</label>
    ${bets.length === 1 ? nothing : html`<label title="this much is placed here: the other stakes follow it">placed here ${amountField({ name: 'fixed', value: own.stake, min: 0, set: (stake) => change({ stake }) })} ${leg.currency}</label>`}
    <label title="the price that I got, in place of the one that stands">I got <input type="text" class="amount" autocomplete="off" name="got" placeholder=${priceText(leg, format)} .value=${gotText} @change=${price}></label>
    <label>boost ${amountField({ value: own.boostPercent, min: 0, max: 1000, set: (boostPercent = 0) => change({ boostPercent }) })} %</label>
    <label><input type="checkbox" .checked=${bets[i]!.isFree} @change=${(event: Event) => change({ isFree: (event.target as HTMLInputElement).checked })}> free bet</label>
  </div></details>`;
}

function link({ session }: Context, book: string, address: string | null | undefined, canBet: boolean): TemplateResult {
  const name = session.nameOf(book);
  const href = betHref(address);
  if (href === null || !canBet) return html`${name}`;
  return html`<a href=${href} target="_blank" rel="noopener noreferrer">bet at ${name}</a>`;
}

/** Another book that had the price, with the price it has now if that is another one. */
function otherBook(context: Context, { sportsbook, is_active, ...row }: OddsRow, leg: Leg, canBet: boolean) {
  const price = { decimal: row.odds_decimal, american: row.odds_american };
  const same = price.decimal === leg.decimal;
  const now = is_active ? (same ? '' : priceText(price, context.state.format)) : 'suspended';
  return html`${link(context, sportsbook, leg.links[sportsbook], canBet && is_active)}${now === '' ? nothing : html` <small>${now}</small>`}`;
}

function summary({ entry: { play }, evaluation }: EntryNow, currency: string): TemplateResult {
  const { edge, plan, worst, worstPercent } = evaluation;
  const known = evaluation.lacking.length === 0;
  const edgeText = edge !== null ? percentText(edge) : play.kind === 'ev' ? 'above fair no more' : 'no fair price';
  const staked = known ? moneyText(plan.cost, currency) : 'no rate';
  const figures: [string, string, string][] =
    play.legs.length === 1
      ? [
          ['edge', edgeText, edge === null ? 'quiet' : edge >= 0 ? 'gain' : 'loss'],
          ['stake', staked, ''],
        ]
      : [
          ['staked', staked, ''],
          ['at worst', known ? signedText(worst, currency) : 'no rate', worst >= 0 ? 'gain' : 'loss'],
          ['of the stake', percentText(worstPercent), ''],
        ];
  return html`<dl class="figures">${figures.map(([name, value, className]) => html`<div><dt>${name}</dt><dd class=${className}>${value}</dd></div>`)}</dl>`;
}

/** Those that the lines decide, and those that the books settle differently. */
function results(
  { entry: { play }, evaluation: { plan, exceptions } }: EntryNow,
  currency: string,
): TemplateResult | typeof nothing {
  if (plan.cost <= 0) return nothing;
  const names = play.legs.map(({ outcome }) => outcome);
  const look = (profit: number): string => (profit >= 0 ? 'gain' : 'loss');
  const isLosing = exceptions.some(({ profit }) => profit < 0);
  return html`<details ?open=${isLosing}><summary>every result</summary><table class="results"><tbody>${plan.results.map(
    ({ name, grades, profit }) =>
      html`<tr><th scope="row">${name === '' ? nothing : html`<small>${name}</small> `}<bdi>${gradesText(grades, names)}</bdi></th><td class=${look(profit)}>${signedText(profit, currency)}</td></tr>`,
  )}${exceptions.map(
    ({ result, profit }) =>
      html`<tr class="exception"><th scope="row"><small>${words(result)}</small> the books settle differently</th><td class=${look(profit)} title="as the server states it of its own stakes">≈ ${signedText(profit, currency)}</td></tr>`,
  )}</tbody></table></details>`;
}
