// Makes a market's selections and reuses the previous objects if nothing changed.

import type { Depth } from '../../../base/model/depth.js';
import type { IngestSelection } from '../../ingest/message.js';
import { sameLadder } from '../kit/ladder.js';
import type { OutcomeIds } from './book-style.js';
import type { SimEvent } from './event.js';

/** One line of a market: two prices, or three with a draw in the middle. */
export interface Quote {
  /** Null for moneylines; for spreads the margin the home side must exceed. */
  line: number | null;
  prices: number[];
  alternate: boolean;
}

interface Outcome {
  name: string;
  type: string;
  line: number | null;
}

export class SelectionWriter {
  readonly #event: SimEvent;
  readonly #sides: boolean;
  readonly #idsOf: (outcome: number) => OutcomeIds;
  readonly #laddersOf: (quote: Quote) => readonly (Depth | null)[];
  #selections: IngestSelection[] = [];

  /** @param laddersOf of a quote's sides; of a book that is no exchange an empty list */
  constructor(
    event: SimEvent,
    kind: string,
    idsOf: (outcome: number) => OutcomeIds,
    laddersOf: (quote: Quote) => readonly (Depth | null)[],
  ) {
    this.#event = event;
    this.#sides = kind === 'moneyline' || kind === 'spread';
    this.#idsOf = idsOf;
    this.#laddersOf = laddersOf;
  }

  /** The previous array if every selection is unchanged. `tickets` is the first side's share of bets. */
  write(quotes: readonly Quote[], decimal: boolean, tickets: number | null): IngestSelection[] {
    const before = this.#selections;
    const selections: IngestSelection[] = [];
    let same = true;
    for (const quote of quotes) {
      const ladders = this.#laddersOf(quote);
      for (let i = 0; i < quote.prices.length; i++) {
        const share = tickets === null || quote.alternate ? undefined : shareOf(i, quote.prices.length, tickets);
        const old = before[selections.length];
        const selection = this.#selection(quote, i, { decimal, share, depth: ladders[i] ?? null }, old);
        same &&= selection === old;
        selections.push(selection);
      }
    }
    if (!same || selections.length !== before.length) this.#selections = selections;
    return this.#selections;
  }

  #selection(
    quote: Quote,
    i: number,
    { decimal, share, depth }: { decimal: boolean; share: number | undefined; depth: Depth | null },
    old: IngestSelection | undefined,
  ): IngestSelection {
    const { name, type, line } = this.#outcome(quote, i);
    const price = quote.prices[i]!;
    const sameOutcome =
      old !== undefined &&
      old.selection_type === type &&
      (old.line ?? null) === line &&
      (old.is_alternate_line === true) === quote.alternate;
    const samePrice = sameOutcome && (decimal ? old.odds_decimal : old.odds_american) === price;
    if (samePrice && old.public_bet_pct === share && sameLadder((old.depth ?? null) as Depth | null, depth)) return old;
    const selection: IngestSelection = { selection: name, selection_type: type };
    if (line !== null) selection.line = line;
    if (decimal) selection.odds_decimal = price;
    else selection.odds_american = price;
    if (quote.alternate) selection.is_alternate_line = true;
    if (sameOutcome) {
      if (old.external_id !== undefined) selection.external_id = old.external_id;
      if (old.deep_link !== undefined) selection.deep_link = old.deep_link;
    } else {
      const ids = this.#idsOf(outcomeNumber(i, quote));
      if (ids.externalId !== null) selection.external_id = ids.externalId;
      if (ids.deepLink !== null) selection.deep_link = ids.deepLink;
    }
    if (share !== undefined) selection.public_bet_pct = share;
    if (depth !== null) {
      selection.depth = depth;
      if (depth.back.length > 0) selection.size = depth.back[0]![1];
    }
    return selection;
  }

  #outcome(quote: Quote, i: number): Outcome {
    const { line } = quote;
    if (!this.#sides) return { name: i === 0 ? 'Over' : 'Under', type: i === 0 ? 'over' : 'under', line };
    const { home, away } = this.#event;
    if (i === 0) return { name: home.name, type: 'home', line: line === null || line === 0 ? line : -line };
    if (i === quote.prices.length - 1) return { name: away.name, type: 'away', line };
    return { name: 'Draw', type: 'draw', line: null };
  }
}

/** A main line keeps its id when it moves, as most books' ids do; alternates have one id per line. */
function outcomeNumber(i: number, quote: Quote): number {
  return quote.alternate ? 16 + i + 4 * Math.round((quote.line ?? 0) * 4 + 4_000) : i;
}

const DRAW_SHARE = 0.14;

function shareOf(i: number, sides: number, tickets: number): number {
  const first = Math.max(0.04, Math.min(0.96, tickets));
  const whole = Math.round(first * (sides === 3 ? 1 - DRAW_SHARE : 1) * 100) / 100;
  if (i === 0) return whole;
  if (sides === 3 && i === 1) return DRAW_SHARE;
  return Math.round((1 - whole - (sides === 3 ? DRAW_SHARE : 0)) * 100) / 100;
}
