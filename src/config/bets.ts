// How bets are judged on paper.
import { LIMITS } from '../base/model/limits.js';
import type { Setting } from './setting.js';

export const BETS_SETTINGS = [
  {
    name: 'betDelays',
    flag: 'bet-delay',
    env: 'BET_DELAY',
    default: '',
    unit: 's',
    description:
      "how long a bet in play waits at a book before it is filled or rejected, in place of the catalogue's: betfair=5; may be given several times (in the environment: separated by semicolons)",
    repeatable: true,
    parse: delays,
  },
  {
    name: 'paperMax',
    flag: 'paper-max',
    env: 'PAPER_MAX',
    default: '100',
    description:
      "the most that all paper bets of an account get at one price whose book states no limit, size or ladder, in the row's currency",
    parse: amount,
  },
] as const satisfies readonly Setting[];

function delays(value: string): Record<string, number> {
  const delays: Record<string, number> = {};
  for (const entry of value.split(/[;,]/).flatMap((each) => each.trim() || [])) {
    const [, book, seconds] = /^([a-z0-9_]+)=(\d{1,2}(?:\.\d{1,3})?)$/.exec(entry) ?? [];
    if (book === undefined) throw new Error('BOOK=SECONDS, as betfair=5');
    delays[book] = Number(seconds);
  }
  return delays;
}

function amount(value: string): number {
  const amount = /^\d{1,13}(\.\d{1,2})?$/.test(value) ? Number(value) : Number.NaN;
  if (!(amount >= 0 && amount <= LIMITS.money.max)) throw new Error('an amount of money');
  return amount;
}
