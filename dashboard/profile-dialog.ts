// The form of the profile: accounts, reference books, devig method, money. It can be exported and imported.
import { html, nothing, type TemplateResult } from 'lit-html';
import { DEVIG_METHODS } from '../src/base/model/devig-method.js';
import { DEFAULT_CURRENCY, type Rates } from '../src/base/model/money.js';
import { amountField } from './amount-field.js';
import { bookTile } from './book-tile.js';
import type { Context } from './context.js';
import { saveFile } from './dom.js';
import { choice, option } from './filters.js';
import { DENSITIES, type ScreenState, THEMES } from './model/address.js';
import { words } from './model/odds-format.js';
import {
  type Account,
  COMMISSION_MAX,
  DEFAULT_PROFILE,
  type Profile,
  profileOf,
  storedProfile,
} from './model/profile.js';

/** Those that the server can turn into each other. */
const currenciesOf = (rates: Rates, own: string): string[] => [
  ...new Set([DEFAULT_CURRENCY, ...Object.keys(rates).sort(), own]),
];

const NO_TERMS: Account = { limit: null, bankroll: null, commission: null, currency: null };

export class ProfileDialog {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  template(): TemplateResult {
    const { session, profile, setProfile, state, go } = this.#context;
    const books = session.columns([]);
    const amount = (
      label: string,
      name: 'bankroll' | 'rounding' | 'kelly' | 'minStake',
      min: number,
      max: number,
    ): TemplateResult =>
      html`<label>${label} ${amountField({ name, value: profile[name], min, max, isRequired: true, set: (value) => value !== undefined && setProfile({ [name]: value }) })}</label>`;
    return html`<form method="dialog"><h2 id="profile-title">Profile</h2>
      <p class="quiet">Kept in this browser. Every number of the page follows it.</p>
      <div class="money">${amount('Bankroll', 'bankroll', 0, 1e9)}
        <label>Currency ${choice(
          'Currency',
          profile.currency,
          (currency) => setProfile({ currency }),
          currenciesOf(session.rates, profile.currency).map((one) => option(one, one, profile.currency)),
        )}</label>${amount('Round to', 'rounding', 0.01, 1e6)}${amount('Kelly %', 'kelly', 1, 100)}${amount('Least stake', 'minStake', 0, 1e9)}
        <label>Margin removed <select name="devig" @change=${(event: Event) => setProfile({ devig: (event.target as HTMLSelectElement).value as Profile['devig'] })}>${DEVIG_METHODS.map(
          (method) => html`<option value=${method} .selected=${method === profile.devig}>${words(method)}</option>`,
        )}</select></label>
        <label>Density ${choice(
          'Density',
          state.density,
          (density) => go({ density: density as ScreenState['density'] }),
          DENSITIES.map((one) => option(one, one, state.density)),
        )}</label><label>Colours ${choice(
          'Colours',
          state.theme,
          (theme) => go({ theme: theme as ScreenState['theme'] }),
          THEMES.map((theme) => option(theme, theme, state.theme)),
        )}</label></div>
      <table class="accounts"><thead><tr><th scope="col">book</th><th scope="col">mine</th><th scope="col">reference</th><th scope="col">limit</th><th scope="col">balance</th><th scope="col">commission %</th></tr></thead>
        <tbody>${books.map(({ id, name }) => this.#book(id, name))}</tbody></table>
      <p class="quiet">None ticked as mine: all are. None ticked as reference: the fair price is the sharp book’s, else the median of all.</p>
      <div class="row"><button type="button" @click=${this.#export}>export</button>
        <label class="button">import <input type="file" accept="application/json" class="unseen" @change=${this.#import}></label>
        <button type="button" @click=${() => setProfile(DEFAULT_PROFILE)}>reset</button><button>done</button></div></form>`;
  }

  #book(id: string, name: string): TemplateResult {
    const { profile, setProfile, session } = this.#context;
    const { accounts, reference } = profile;
    const account = accounts[id];
    const own = session.books.find((book) => book.id === id)?.currency ?? DEFAULT_CURRENCY;
    const field = (label: string, of: Exclude<keyof Account, 'currency'>, beside: unknown = nothing): TemplateResult =>
      html`<td>${amountField({
        label: `${label}, ${name}`,
        value: account?.[of],
        min: 0,
        max: of === 'commission' ? COMMISSION_MAX : 1e9,
        isDisabled: account === undefined,
        set: (value = Number.NaN) =>
          setProfile({
            accounts: { ...accounts, [id]: { ...NO_TERMS, ...account, [of]: Number.isNaN(value) ? null : value } },
          }),
      })}${beside}</td>`;
    const currencies = currenciesOf(session.rates, account?.currency ?? own);
    const currency =
      account === undefined || currencies.length < 2
        ? nothing
        : choice(
            `currency of the balance, ${name}`,
            account.currency ?? own,
            (chosen) => setProfile({ accounts: { ...accounts, [id]: { ...account, currency: chosen } } }),
            currencies.map((one) => option(one, one, account.currency ?? own)),
          );
    return html`<tr><th scope="row">${bookTile(id)} ${name} <small>${own}</small></th>
      <td><input type="checkbox" aria-label=${`account at ${name}`} .checked=${account !== undefined} @change=${() => {
        const { [id]: dropped, ...rest } = accounts;
        setProfile({ accounts: dropped === undefined ? { ...accounts, [id]: NO_TERMS } : rest });
      }}></td>
      <td><input type="checkbox" aria-label=${`reference: ${name}`} .checked=${reference.includes(id)} @change=${() =>
        setProfile({
          reference: reference.includes(id) ? reference.filter((one) => one !== id) : [...reference, id],
        })}></td>
      ${field('limit', 'limit')}${field('balance', 'bankroll', currency)}${field('commission', 'commission')}</tr>`;
  }

  readonly #export = (): void => {
    saveFile(
      'overround-profile.json',
      'application/json',
      JSON.stringify(storedProfile(this.#context.profile), null, 2),
    );
  };

  readonly #import = async (event: Event): Promise<void> => {
    const [file] = (event.target as HTMLInputElement).files ?? [];
    if (file !== undefined) this.#context.setProfile(profileOf(await file.text()));
  };
}
