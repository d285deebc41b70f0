// The selections of a market as a book shows them, and the order books of the simulated exchanges: behind each best
// price further levels, each a little worse, with amounts that depend on the price, so that a price that stands keeps
// its ladder.

import type { Depth, Level } from '../../../base/model/depth.js';
import { present } from '../../../base/model/present.js';
import { decimalFromAmerican, roundDecimal } from '../../../base/model/price.js';
import type { IngestSelection } from '../../ingest/message.js';
import { ladderOf, turned } from '../kit/ladder.js';
import { type BookStyle, outcomeIds } from './book-style.js';
import type { SimEvent } from './event.js';
import { mix, unit } from './prng.js';

/** One line of a market: two prices, or three with a draw in the middle. */
export interface Quote {
  /** Null for moneylines; for spreads the margin the home side must exceed. */
  line: number | null;
  prices: number[];
  alternate: boolean;
}

/** What a market's selections have in common. */
export interface SelectionContext {
  style: BookStyle;
  event: SimEvent;
  /** Whether its sides are the teams, or over and under. */
  ofTeams: boolean;
  /** The market's. */
  seed: number;
  /** The book's id of the event. */
  externalId: string;
}

/** @param tickets the first side's share of bets, if the book shows it */
export function selectionsOf(
  context: SelectionContext,
  quotes: readonly Quote[],
  tickets: number | null,
): IngestSelection[] {
  const { style, event, ofTeams, seed, externalId } = context;
  const isDecimal = style.grid === 'decimal';
  return quotes.flatMap((quote) => {
    const { line, prices, alternate } = quote;
    const depths = style.levels === 0 ? [] : ladders(mix(style.bookSeed, seed), prices, !isDecimal, style.levels);
    return prices.map((price, i): IngestSelection => {
      const outcome = ofTeams ? teamOutcome(event, line, i, prices.length) : OVER_UNDER[i]!;
      const ownLine = 'line' in outcome ? outcome.line : line;
      return present({
        selection: outcome.name,
        selection_type: outcome.type,
        line: ownLine,
        ...(isDecimal ? { odds_decimal: price } : { odds_american: price }),
        is_alternate_line: alternate || undefined,
        ...outcomeIds(style, externalId, seed, outcomeNumber(i, quote)),
        public_bet_pct: tickets === null || alternate ? null : shareOf(i, prices.length, tickets),
        depth: depths[i],
        size: depths[i]?.back[0]?.[1],
      });
    });
  });
}

const OVER_UNDER = [
  { name: 'Over', type: 'over' },
  { name: 'Under', type: 'under' },
] as const;

function teamOutcome({ home, away }: SimEvent, line: number | null, i: number, sides: number) {
  if (i === 0) return { name: home.name, type: 'home', line: line === null || line === 0 ? line : -line };
  if (i === sides - 1) return { name: away.name, type: 'away', line };
  return { name: 'Draw', type: 'draw', line: null };
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

/** Steps between levels, of what the price pays. */
const STEP = { least: 0.008, more: 0.014 } as const;
/** The backers' stake at a level; further behind there is more. */
const STAKE = { least: 60, more: 900, behind: 0.6 } as const;
const LAY_GAP = 0.012;

/**
 * The ladders of the sides of one line, by their prices: of two sides each is also what laying the other offers.
 * @param american whether the prices are
 */
function ladders(seed: number, prices: readonly number[], american: boolean, levels: number): (Depth | null)[] {
  const decimals = prices.map((price) => (american ? roundDecimal(decimalFromAmerican(price)) : price));
  const backs = decimals.map((decimal, i) => levelsFrom(seed, i, decimal, -1, levels));
  return decimals.map((decimal, i) => {
    const lays =
      decimals.length === 2
        ? backs[1 - i]!.map(turned).map(([odds, size]): Level => [odds, cents(size)])
        : levelsFrom(seed, i + 8, decimal * (1 + LAY_GAP), 1, levels);
    return ladderOf([backs[i]!], [lays], levels);
  });
}

function levelsFrom(seed: number, side: number, best: number, way: 1 | -1, levels: number): Level[] {
  const key = Math.round(best * 1e4);
  const made: Level[] = [];
  let decimal = best;
  for (let i = 0; i < levels && decimal > 1.001; i++) {
    const size = STAKE.least + STAKE.more * unit(seed, side, key, i) * (1 + STAKE.behind * i);
    made.push([roundDecimal(decimal), cents(size)]);
    const step = (decimal - 1) * (STEP.least + STEP.more * unit(seed, side, key, 0x40 + i));
    decimal += way * Math.max(0.001, step);
  }
  return made;
}

function cents(size: number): number {
  return Math.round(size * 100) / 100;
}
