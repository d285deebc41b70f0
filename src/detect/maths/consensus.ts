// Fair value from many books where no sharp one quotes: each book is devigged first, then the median is taken over
// owners, always without the judged book and its skins. A whole market at a time, for every book to be judged.

/** Fewer other opinions than this are no consensus. */
export const CONSENSUS_OPINIONS_MIN = 3;

/** Working space of `consensus`, made once and used for any number of markets. */
export interface ConsensusScratch {
  readonly booksMax: number;
  /** Owner of each opinion. */
  readonly ownerOfOpinion: Int32Array;
  /** Opinion of each book's owner, -1 where the owner has none. */
  readonly opinionOfBook: Int32Array;
  readonly quotes: Int32Array;
  readonly values: Float64Array;
  /** Opinions by rising value, and each opinion's place in that order. */
  readonly order: Int32Array;
  readonly rank: Int32Array;
}

export function createConsensusScratch(booksMax: number): ConsensusScratch {
  return {
    booksMax,
    ownerOfOpinion: new Int32Array(booksMax),
    opinionOfBook: new Int32Array(booksMax),
    quotes: new Int32Array(booksMax),
    values: new Float64Array(booksMax),
    order: new Int32Array(booksMax),
    rank: new Int32Array(booksMax),
  };
}

/**
 * Consensus probabilities for every book of one market at one line.
 *
 * `fair` holds a row of `outcomes` devigged probabilities (0-1) for each of `books` books; a row that begins with NaN
 * belongs to a book without a complete market: it is judged but has no say. `owners` names each book's owner: books of
 * one owner share a price, so their mean is one opinion. `out` gets a row per book: the median over all other owners'
 * opinions, normalised to sum 1, or NaN where there are fewer than three. `opinions` gets the number of them.
 * Returns how many owners have an opinion at all. Nothing depends on the order of the books.
 */
export function consensus(
  fair: Float64Array,
  owners: Int32Array,
  books: number,
  outcomes: number,
  out: Float64Array,
  opinions: Int32Array,
  scratch: ConsensusScratch,
): number {
  if (books > scratch.booksMax) throw new RangeError(`${books} books in a scratch for ${scratch.booksMax}`);
  const count = gatherOwners(fair, owners, books, outcomes, scratch);
  for (let b = 0; b < books; b++) opinions[b] = scratch.opinionOfBook[b]! < 0 ? count : count - 1;
  for (let i = 0; i < outcomes; i++) {
    rankOutcome(fair, books, outcomes, i, count, scratch);
    for (let b = 0; b < books; b++) {
      const own = scratch.opinionOfBook[b]!;
      out[b * outcomes + i] =
        opinions[b]! < CONSENSUS_OPINIONS_MIN
          ? Number.NaN
          : medianWithout(own < 0 ? count : scratch.rank[own]!, count, scratch);
    }
  }
  // Medians of two complementary sides sum to 1 by themselves, those of three sides need not.
  for (let b = 0; b < books; b++) normaliseRow(out, b * outcomes, outcomes);
  return count;
}

/** Numbers the owners that quote a complete market and points each book at its owner's opinion. */
function gatherOwners(
  fair: Float64Array,
  owners: Int32Array,
  books: number,
  outcomes: number,
  s: ConsensusScratch,
): number {
  let count = 0;
  for (let b = 0; b < books; b++) {
    if (Number.isNaN(fair[b * outcomes]!)) continue;
    let opinion = 0;
    while (opinion < count && s.ownerOfOpinion[opinion] !== owners[b]) opinion++;
    if (opinion === count) {
      s.ownerOfOpinion[count++] = owners[b]!;
      s.quotes[opinion] = 0;
    }
    s.quotes[opinion]!++;
  }
  for (let b = 0; b < books; b++) {
    let opinion = 0;
    while (opinion < count && s.ownerOfOpinion[opinion] !== owners[b]) opinion++;
    s.opinionOfBook[b] = opinion < count ? opinion : -1;
  }
  return count;
}

/** Sorts the owners' mean probabilities of one outcome (insertion sort: a few dozen at most). */
function rankOutcome(
  fair: Float64Array,
  books: number,
  outcomes: number,
  outcome: number,
  count: number,
  s: ConsensusScratch,
): void {
  for (let o = 0; o < count; o++) s.values[o] = 0;
  for (let b = 0; b < books; b++) {
    if (Number.isNaN(fair[b * outcomes]!)) continue;
    s.values[s.opinionOfBook[b]!]! += fair[b * outcomes + outcome]!;
  }
  for (let o = 0; o < count; o++) {
    const value = s.values[o]! / s.quotes[o]!;
    s.values[o] = value;
    let place = o;
    while (place > 0 && s.values[s.order[place - 1]!]! > value) {
      s.order[place] = s.order[place - 1]!;
      place--;
    }
    s.order[place] = o;
  }
  for (let place = 0; place < count; place++) s.rank[s.order[place]!] = place;
}

/** Median of the ranked values without the one at `left` (count: none left out). */
function medianWithout(left: number, count: number, s: ConsensusScratch): number {
  const rest = left < count ? count - 1 : count;
  const upper = valueAt(rest >> 1, left, s);
  return rest % 2 === 1 ? upper : (upper + valueAt((rest >> 1) - 1, left, s)) / 2;
}

function valueAt(place: number, left: number, s: ConsensusScratch): number {
  return s.values[s.order[place < left ? place : place + 1]!]!;
}

function normaliseRow(out: Float64Array, start: number, outcomes: number): void {
  let sum = 0;
  for (let i = 0; i < outcomes; i++) sum += out[start + i]!;
  for (let i = 0; i < outcomes; i++) out[start + i]! /= sum;
}
