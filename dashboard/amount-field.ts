// The one field for amounts: a text that is read as people write numbers, and that says why it was not taken.
import { html, nothing, type TemplateResult } from 'lit-html';
import { amountInput, parseAmount } from './model/amount.js';

export interface AmountField {
  /** Said where nothing beside it does. */
  label?: string;
  name?: string;
  value: number | null | undefined;
  min?: number;
  max?: number;
  placeholder?: string;
  isDisabled?: boolean;
  isRequired?: boolean;
  /** Undefined if it was emptied. */
  set?(value: number | undefined): void;
}

export function amountField({ label, name, value, set, ...field }: AmountField): TemplateResult {
  const change = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const given = readAmount(input, field);
    if (given === 'refused') input.reportValidity();
    else set?.(given);
  };
  return html`<input type="text" class="amount" inputmode="decimal" autocomplete="off" name=${name ?? nothing} aria-label=${label ?? nothing} placeholder=${field.placeholder ?? nothing}
    data-min=${field.min ?? nothing} data-max=${field.max ?? nothing} ?disabled=${field.isDisabled ?? false} ?required=${field.isRequired ?? false} .value=${amountInput(value)} @change=${change}>`;
}

type Bounds = Pick<AmountField, 'min' | 'max'>;

/** What is in the field; marks it as invalid where that is no amount. */
function readAmount(input: HTMLInputElement, { min, max }: Bounds): number | undefined | 'refused' {
  const text = input.value.trim();
  const given = text === '' ? undefined : parseAmount(text);
  const reason =
    text === ''
      ? ''
      : given === undefined
        ? 'Not an amount, or one that can be read in two ways: write 12.5 or 1000.'
        : given < (min ?? Number.NEGATIVE_INFINITY)
          ? `At least ${min}.`
          : given > (max ?? Number.POSITIVE_INFINITY)
            ? `At most ${max}.`
            : '';
  input.setCustomValidity(reason);
  return reason === '' ? given : 'refused';
}

/** Of a form that is being submitted: every amount by its name, or undefined where one of them is none. */
export function amountsOf(form: HTMLFormElement): Record<string, number | undefined> | undefined {
  const amounts: Record<string, number | undefined> = {};
  for (const input of form.querySelectorAll<HTMLInputElement>('input.amount')) {
    const { min = '-Infinity', max = 'Infinity' } = input.dataset;
    const given = readAmount(input, { min: Number(min), max: Number(max) });
    if (given === 'refused') {
      input.reportValidity();
      return undefined;
    }
    amounts[input.name] = given;
  }
  return amounts;
}
