// Why an opportunity is one, in one sentence.
import type {
  ArbitrageOpportunity,
  EvOpportunity,
  LowHoldOpportunity,
  MiddleOpportunity,
  OpportunityChannel,
  OpportunityItem,
} from '../../src/client/client.js';
import { lineText, type OddsFormat, priceText, words } from './odds-format.js';
import { reservationsOf } from './reservations.js';

export type NameOf = (book: string) => string;

export function explain(kind: OpportunityChannel, item: OpportunityItem, format: OddsFormat, nameOf: NameOf): string {
  switch (kind) {
    case 'ev':
      return explainEv(item as EvOpportunity, format, nameOf);
    case 'arbitrage':
      return explainArbitrage(item as ArbitrageOpportunity);
    case 'middles':
      return explainMiddle(item as MiddleOpportunity);
    case 'low_hold':
      return explainLowHold(item as LowHoldOpportunity);
  }
}

function explainEv(item: EvOpportunity, format: OddsFormat, nameOf: NameOf): string {
  const fair = priceText({ decimal: 1 / item.fair_probability }, format);
  const chance = `${(item.fair_probability * 100).toFixed(1)} %`;
  const reference =
    item.sharp_book === 'consensus'
      ? `the consensus of ${item.book_count} books`
      : `${nameOf(item.sharp_book)}'s prices`;
  const method = item.devig_method.replaceAll('_', ' ');
  const price = priceText({ decimal: item.odds_decimal, american: item.odds_american }, format);
  const after = item.commission === null ? '' : ' after commission';
  return `${nameOf(item.sportsbook)} pays ${price}; the fair price is ${fair} (${chance}), from ${reference} with the margin taken out by the ${method} method: ${item.ev_percentage.toFixed(2)} % more than fair${after}.`;
}

function explainArbitrage(item: ArbitrageOpportunity): string {
  const { implied_total, profit_percent, legs } = item;
  const sides = legs.length === 2 ? 'Both sides' : `All ${legs.length} outcomes`;
  const { isGuaranteed, exceptions } = reservationsOf('arbitrage', item);
  const but = exceptions.map(({ result, profitPercent }) => `on a ${words(result)}: ${profitPercent.toFixed(2)} %`);
  const left = isGuaranteed ? ', whatever the result' : but.length === 0 ? '' : `, except ${but.join(', ')}`;
  return `${sides} at their best prices cost ${implied_total.toFixed(2)} for a return of 100: ${profit_percent.toFixed(2)} % is left${left}.`;
}

function explainMiddle(item: MiddleOpportunity): string {
  const [low, high] = [item.middle_numbers[0], item.middle_numbers.at(-1)];
  const between = low === high ? `on ${low}` : `from ${low} to ${high}`;
  const keys = item.key_numbers.length === 0 ? '' : `, among them the key ${item.key_numbers.join(', ')}`;
  const [one, other] = [item.side1, item.side2].map(
    (side) => `${side.selection} ${lineText(side.line, item.market_type)}`,
  );
  const worst = item.worst_case_loss;
  if (low === undefined)
    return `${one} and ${other} never both win, but between them one wins while the other is refunded; ${worst < 0 ? `the worst result costs ${(-worst).toFixed(2)} %` : `the worst result wins ${worst.toFixed(2)} %`}.`;
  const { exceptions } = reservationsOf('middles', item);
  const but = exceptions.map(({ result, profitPercent }) => `; ${words(result)} makes ${profitPercent.toFixed(2)} %`);
  const else_ = worst < 0 ? `costs ${(-worst).toFixed(2)} % at worst` : `still wins ${worst.toFixed(2)} %`;
  return `${one} and ${other} both win ${between}${keys}: ${(item.middle_probability * 100).toFixed(1)} % of the time (${item.break_even_percent.toFixed(1)} % would break even); every other result ${else_}${but.join('')}.`;
}

function explainLowHold({ hold_percentage, side3 }: LowHoldOpportunity): string {
  const sides = side3 === null ? 'both sides' : 'all three outcomes';
  return `The best prices of ${sides} keep only ${hold_percentage.toFixed(2)} % of what is staked: the cheapest way to have turnover on this market.`;
}
