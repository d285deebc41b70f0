// What is changed of a recorded bet: stake and price, words, its result by hand; and whatever was done last, undone.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AccountBet, ChangedBet } from '../src/client/client.js';
import { amountField, amountsOf } from './amount-field.js';
import { option } from './filters.js';
import { americanOf, americanText, type OddsFormat, words } from './model/odds-format.js';
import { NO_PRICE, readPrice } from './model/price-input.js';

/** As bettors say them, in the order from best to worst. */
const RESULTS: readonly [result: NonNullable<ChangedBet['result']>, name: string][] = [
  ['won', 'won'],
  ['half_won', 'half won'],
  ['push', 'refunded'],
  ['void', 'void'],
  ['half_lost', 'half lost'],
  ['lost', 'lost'],
];
type Hand = NonNullable<ChangedBet['result']> | null;
const BY_HAND = 'by_hand';

/** The result that was stated by hand; '' if results grade it. */
export const handOf = ({ result, result_reason }: AccountBet): string =>
  result_reason === BY_HAND && result !== null ? result : '';

/** What takes a change back. */
export function before(bet: AccountBet, change: ChangedBet): ChangedBet {
  const { stake, tag, note, status, odds_american, odds_decimal } = bet;
  const isPriced = change.odds_decimal !== undefined || change.odds_american !== undefined;
  // Whole American odds are what was stated; decimal ones are shown rounded.
  const price = Number.isInteger(odds_american) ? { odds_american } : { odds_decimal };
  return {
    ...(change.stake === undefined ? {} : { stake }),
    ...(isPriced ? price : {}),
    ...(change.tag === undefined ? {} : { tag }),
    ...(change.note === undefined ? {} : { note }),
    ...(change.result === undefined ? {} : { result: (handOf(bet) || null) as Hand }),
    ...(change.struck === undefined ? {} : { struck: status === 'struck' }),
  };
}

export interface BetForm {
  bet: AccountBet;
  format: OddsFormat;
  save(change: ChangedBet): void;
  cancel(): void;
}

export function editForm({ bet, format, save, cancel }: BetForm): TemplateResult {
  const isPlaced = bet.mode === 'placed';
  const american = Number.isInteger(bet.odds_american) ? bet.odds_american : americanOf(bet.odds_decimal);
  const shown = format === 'american' ? americanText(american) : String(bet.odds_decimal);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const change = changeIn(form, bet, shown, format);
    if (change === undefined) return;
    if (Object.keys(change).length === 0) cancel();
    else save(change);
  };
  return html`<form class="bet-form" aria-label="Change this bet" @submit=${submit} @keydown=${(
    event: KeyboardEvent,
  ) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    cancel();
  }}>${
    isPlaced
      ? html`<label>stake ${amountField({ name: 'stake', value: bet.stake, min: 0.01, max: 1e9, isRequired: true })} ${bet.currency}</label>
        <label>price <input type="text" class="price" autocomplete="off" name="price" size="7" required .value=${shown} @input=${(event: Event) => (event.target as HTMLInputElement).setCustomValidity('')}></label>
        <label>result <select name="result">${option('', 'as results say', handOf(bet))}${RESULTS.map(([result, name]) => option(result, name, handOf(bet)))}</select></label>`
      : html`<small>A paper bet stays as it was filled; its words can be changed.</small>`
  }<label>tag <input type="text" name="tag" maxlength="64" size="10" autocomplete="off" .value=${bet.tag ?? ''}></label>
    <label class="wide">note <input type="text" name="note" maxlength="200" autocomplete="off" .value=${bet.note ?? ''}></label>
    <button>save</button><button type="button" @click=${cancel}>cancel</button></form>`;
}

/** What differs; undefined if something of it is wrong, which is said at its field. */
function changeIn(form: HTMLFormElement, bet: AccountBet, shown: string, format: OddsFormat): ChangedBet | undefined {
  const amounts = amountsOf(form);
  if (amounts === undefined) return undefined;
  const given = new FormData(form);
  const text = (name: string): string => String(given.get(name) ?? '').trim();
  const change: ChangedBet = {};
  const { stake } = amounts;
  if (stake !== undefined && stake !== bet.stake) change.stake = stake;
  const field = form.querySelector<HTMLInputElement>('input[name="price"]');
  if (field !== null && text('price') !== shown) {
    const price = readPrice(text('price'), format);
    field.setCustomValidity(price === undefined ? NO_PRICE : '');
    if (price === undefined) {
      field.reportValidity();
      return undefined;
    }
    if (price.american === undefined) change.odds_decimal = price.decimal;
    else change.odds_american = price.american;
  }
  if (given.has('result') && text('result') !== handOf(bet)) change.result = (text('result') || null) as Hand;
  if (text('tag') !== (bet.tag ?? '')) change.tag = text('tag') || null;
  if (text('note') !== (bet.note ?? '')) change.note = text('note') || null;
  return change;
}

/** What was done last, with the way back, in the place where it was done. */
export interface Done {
  text: string;
  /** Absent where there is none. */
  undo?: () => void;
}

export function doneTemplate(done: Done | undefined, isBusy: boolean): TemplateResult | typeof nothing {
  if (done === undefined) return nothing;
  const { text, undo } = done;
  return html`<p class="done" role="status">${text} ${undo === undefined ? nothing : html`<button type="button" ?disabled=${isBusy} @click=${undo}>undo</button>`}</p>`;
}

/** What a change did, in a word. */
export function changeText(change: ChangedBet): string {
  if (change.struck !== undefined) return change.struck ? 'Struck' : 'Restored';
  if (change.result === null) return 'Graded by results again';
  if (change.result === 'void') return 'Void';
  if (change.result !== undefined) return `Graded as ${change.result === 'push' ? 'refunded' : words(change.result)}`;
  return 'Changed';
}
