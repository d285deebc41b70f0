// What a selection's row shows of Betfair's offers.
import type { Depth } from '../../../base/model/depth.js';
import type { Quote } from '../kit/games.js';
import { ladderOf, turned } from '../kit/ladder.js';
import type { MarketBook, Offer } from './market-cache.js';
import type { PlannedSelection } from './questions.js';

/** Prices closer to each other than this are equal: float noise of L / (L - 1). */
const SAME_PRICE = 1e-9;

export const NOTHING: Quote = { decimal: null, size: null };

/** The price at which the selection can be backed: the best offer, or laying the other runner if that is better. */
export function quoteOf(planned: PlannedSelection, book: MarketBook, depth: number): Quote {
  const { definition } = book;
  if (definition?.status !== 'OPEN' || definition.statuses.get(planned.runner) !== 'ACTIVE') return NOTHING;
  const runner = book.runner(planned.runner);
  if (!book.hasOffers) {
    const traded = runner?.traded ?? null;
    return planned.lay || traded === null ? NOTHING : { decimal: traded, size: null, indicative: true };
  }
  let best: Offer | undefined = planned.lay ? runner?.lay : runner?.back;
  const laid = planned.opposite === null ? undefined : book.runner(planned.opposite)?.lay;
  if (laid !== undefined) {
    const [price, size] = turned([laid.price, laid.size]);
    if (best === undefined || price > best.price + SAME_PRICE) best = { price, size };
    else if (price > best.price - SAME_PRICE) best = { price: best.price, size: best.size + size };
  }
  if (best !== undefined && inCents(best.size) === 0) best = nextOffer(planned, book);
  if (best === undefined) return NOTHING;
  return {
    decimal: best.price,
    size: inCents(best.size),
    depth: depth === 0 ? null : ladderIn(planned, book, depth),
  };
}

/** The best offer of at least half a cent: turned, what stands at a short price is so little that it cannot be had. */
function nextOffer(planned: PlannedSelection, book: MarketBook): Offer | undefined {
  const ladder = ladderIn(planned, book, 1);
  const [best] = (planned.lay ? ladder?.lay : ladder?.back) ?? [];
  return best === undefined ? undefined : { price: best[0], size: best[1] };
}

const CENTS = 100;

function inCents(size: number): number {
  return Math.round(size * CENTS) / CENTS;
}

/** The runner's own offers and, where there is one other result, the other runner's, turned. */
function ladderIn({ runner: key, opposite }: PlannedSelection, book: MarketBook, depth: number): Depth | null {
  const own = book.runner(key);
  const other = opposite === null ? undefined : book.runner(opposite);
  const backs = [own?.offers('back') ?? [], (other?.offers('lay') ?? []).map(turned)];
  const lays = [own?.offers('lay') ?? [], (other?.offers('back') ?? []).map(turned)];
  return ladderOf(backs, lays, depth, CENTS);
}
