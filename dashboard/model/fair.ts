// Fair probabilities of a market's outcomes from its books' prices: as the server's reference, or as the viewer's profile
// says.

import type { DevigMethod } from '../../src/base/model/devig-method.js';
import type { OddsRow } from '../../src/client/client.js';
import { devig } from '../../src/detection/maths/devig.js';
import { isOpinionSum, OPINION_STAKE_MIN } from '../../src/detection/maths/opinion.js';
import { OwnerMeans } from '../../src/detection/maths/owner-means.js';

interface Priced {
  row: OddsRow;
  /** Decimal odds after commission. */
  net: number;
}

export interface FairContext {
  /** Rank of a book in the catalogue. */
  rank(book: string): number;
  /** Who makes a book's prices: books of one owner are one opinion. By default each has its own. */
  ownerOf?(book: string): string;
  /** Whether its prices count for the fair one: by default the sharp book's, else those of every book. */
  isReference?(book: string): boolean;
  /** A book whose prices others follow: where it prices every outcome, its prices alone are the reference. */
  isSharp?(book: string): boolean;
  /** Somebody's own fair prices, at which nothing is on offer: a reference only where the viewer chose it. */
  isModel?(book: string): boolean;
  /** Fair probabilities from one book's implied ones; undefined if there are none. By default by power, as the server's. */
  fairOf?(implied: readonly number[]): readonly number[] | undefined;
}

export const CONSENSUS = 'consensus';

/** One book's fair probabilities by a method; undefined if it gives none. */
export function fairBy(method: DevigMethod, implied: readonly number[]): readonly number[] | undefined {
  const fair = implied.map(() => 0);
  return devig(method, [...implied], implied.length, fair) ? fair : undefined;
}

/** One for all: it is used again and again, and allocates nothing. */
const means = new OwnerMeans();

/**
 * As the server's: the sharp book that is listed first, else the median over the owners of all. The mean of the viewer's own
 * reference where it has prices.
 * @param outcomes the whole of a market
 * @param priced of each outcome, the prices that may say what is fair: books' main ones, and their alternate ones, which say it
 *   where the main ones do not
 */
export function addFair(
  outcomes: readonly { fair: number | null; fairFrom: string }[],
  priced: readonly (readonly ReadonlyMap<string, Priced>[])[],
  context: FairContext & { isOfPlayer: boolean },
): void {
  const { isReference, isSharp, rank, ownerOf = (book) => book } = context;
  const opinions = new Map(priced.toReversed().flatMap((cells) => [...opinionsOf(cells, context)]));
  const all = [...opinions.keys()].sort((a, b) => rank(a) - rank(b));
  const own = isReference === undefined ? [] : all.filter((book) => isReference(book));
  const sharp = all.find((book) => isSharp?.(book) === true);
  const books = own.length > 0 ? own : sharp === undefined ? all : [sharp];
  if (books.length === 0) return;
  const owners = [...new Set(books.map(ownerOf))];
  const fair = outcomes.map((_, i) => {
    means.begin();
    for (const book of books) means.add(owners.indexOf(ownerOf(book)), opinions.get(book)![i]!);
    return own.length > 0 ? means.mean() : means.median();
  });
  // Medians of three sides need not sum to 1. One book's worst case does not either, and is not meant to.
  const sum = books.length === 1 ? 1 : fair.reduce((total, one) => total + one, 0);
  for (const [i, outcome] of outcomes.entries()) {
    outcome.fair = fair[i]! / sum;
    outcome.fairFrom = books.length === 1 ? books[0]! : CONSENSUS;
  }
}

/** Of each book whose prices of all outcomes are an opinion about them. */
function opinionsOf(
  cells: readonly ReadonlyMap<string, Priced>[],
  { isOfPlayer, fairOf = (implied) => fairBy('power', implied) }: FairContext & { isOfPlayer: boolean },
): Map<string, readonly number[]> {
  const opinions = new Map<string, readonly number[]>();
  for (const book of cells[0]?.keys() ?? []) {
    const prices = cells.flatMap((side) => side.get(book) ?? []);
    if (prices.length < cells.length || prices.some(({ row }) => (row.size ?? OPINION_STAKE_MIN) < OPINION_STAKE_MIN))
      continue;
    const implied = prices.map(({ net }) => 1 / net);
    const sum = implied.reduce((total, one) => total + one, 0);
    if (!isOpinionSum(sum, isOfPlayer)) continue;
    const fair = fairOf(implied);
    if (fair !== undefined) opinions.set(book, fair);
  }
  return opinions;
}
