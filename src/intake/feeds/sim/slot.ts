// One market of one event as one book shows it. It is priced again only when the book's opinion has moved; otherwise
// the same object is returned again, which must not be changed.

import type { Depth, Level } from '../../../base/model/depth.js';
import { present } from '../../../base/model/present.js';
import { decimalFromAmerican, roundDecimal } from '../../../base/model/price.js';
import { MINUTE_MS } from '../../../base/model/time.js';
import type { IngestMarket, IngestSelection } from '../../ingest/message.js';
import { ladderOf, turned } from '../kit/ladder.js';
import { type BookStyle, logit, outcomeIds, toGrid, withMargin } from './book-style.js';
import type { SimEvent, Version } from './event.js';
import type { Ladder } from './ladder.js';
import type { SlotKind, SlotPlan } from './league-model.js';
import { mix, signed, unit } from './prng.js';
import { type Prop, propAbove } from './props.js';

const BIAS_MS = 40 * MINUTE_MS;
const ERROR_MS = 30_000;
const SUSPEND_MS = 45_000;
const TICKETS_MS = 10 * MINUTE_MS;
const SUSPEND_CHANCE = 0.002;
/** Chance that a single market is suspended, at books that show suspended markets as locked. */
const LOCKED_SHARE = 0.6;
/** Largest deviation of a contract on a game that may be tied, log odds. */
const TIED_BIAS = 0.26;
/** Size of a mispricing, log odds. */
const ERROR_LEAST = 0.13;
const ERROR_MORE = 0.13;
/** Probabilities below this (and above its complement) are not offered. */
const LEAST_CHANCE = { line: 0.07, moneyline: 0.015 } as const;
/** Per unit of log odds: lopsided lines have wider margins, which would otherwise vanish in rounding. */
const LOPSIDED_MARGIN = 0.35;
/** How far a player's prop moves in a step, and how far, with which chance, on news about the player. */
const PROP_STEP = { usual: 0.02, news: 0.07, newsChance: 0.02 } as const;

export class MarketSlot {
  readonly #style: BookStyle;
  readonly #event: SimEvent;
  readonly #plan: SlotPlan;
  readonly #seed: number;
  readonly #group: number;
  readonly #selections: SelectionContext;
  #market: IngestMarket | null = null;
  #version: Version | null = null;
  #propStep = -1;
  #offset = Number.NaN;
  #extraKey = -1;
  #line = Number.NaN;

  constructor(style: BookStyle, event: SimEvent, plan: SlotPlan, index: number, externalId: string) {
    this.#style = style;
    this.#event = event;
    this.#plan = plan;
    this.#seed = plan.prop?.seed ?? mix(event.seed, index);
    const { ofTeams } = KINDS[plan.kind];
    this.#group = plan.kind === 'prop' ? this.#seed : ofTeams ? 1 : 2;
    this.#selections = { style, event, ofTeams, seed: this.#seed, externalId };
  }

  /** The market as the book shows it now, or null if it does not. */
  quote(nowMs: number): IngestMarket | null {
    const stop = this.#stopAt(nowMs);
    // Locked, it shows the previous prices, if there were any.
    if (stop !== 'none')
      return stop === 'locked' && this.#market !== null ? { ...this.#market, is_active: false } : null;
    const version = this.#repricedAt(nowMs);
    const propStep = this.#plan.prop === null ? 0 : this.#propStepAt(nowMs);
    const offset = this.#offsetAt(nowMs, version);
    const extraKey = this.#extraKeyAt(nowMs);
    if (
      version !== this.#version ||
      propStep !== this.#propStep ||
      offset !== this.#offset ||
      extraKey !== this.#extraKey
    ) {
      this.#version = version;
      this.#propStep = propStep;
      this.#offset = offset;
      this.#extraKey = extraKey;
      this.#market = this.#build(version, nowMs);
    }
    return this.#market;
  }

  /** Whether the book takes bets on this market, and what it shows while it does not. */
  #stopAt(nowMs: number): 'none' | 'locked' | 'down' {
    const { feedSeed, suspends } = this.#style;
    const chance = unit(feedSeed, this.#seed, stretch(nowMs, SUSPEND_MS, feedSeed), 0x5a);
    if (chance >= SUSPEND_CHANCE) return 'none';
    return suspends && chance < SUSPEND_CHANCE * LOCKED_SHARE ? 'locked' : 'down';
  }

  /** The version to price from: the previous one, unless a newer visible one differs enough. */
  #repricedAt(nowMs: number): Version {
    const { feedSeed, delayMs, liveDelayMs, patience } = this.#style;
    const seen = this.#event.visible(feedSeed, this.#event.live ? liveDelayMs : delayMs, nowMs);
    const priced = this.#version;
    if (priced === null || seen.stamp !== priced.stamp) return seen;
    const side = Math.abs(seen.side - priced.side);
    const total = Math.abs(seen.total - priced.total);
    const { kind } = this.#plan;
    const moved = this.#group === 1 ? side : kind === 'total' ? total : kind === 'prop' ? 0 : side + total;
    return moved >= patience ? seen : priced;
  }

  /** A prop's mean stays the same within a step of some minutes. */
  #propStepAt(nowMs: number): number {
    const lengthMs = (8 + 14 * unit(this.#seed, 1)) * MINUTE_MS;
    return Math.floor((nowMs - 2 * this.#style.delayMs) / lengthMs + unit(this.#seed, 2));
  }

  /** Log odds by which the book deviates from the market, towards the first side. */
  #offsetAt(nowMs: number, version: Version): number {
    const { feedSeed, lean, errorChance } = this.#style;
    const bias = this.#biasMax * signed(feedSeed, this.#event.serial, this.#group, stretch(nowMs, BIAS_MS, feedSeed));
    const towards = this.#group !== 1 ? 1 : version.fair.home >= 0.5 ? 1 : -1;
    const offset = bias + lean * towards;
    const errorStretch = stretch(nowMs, ERROR_MS, this.#seed);
    if (unit(feedSeed, this.#seed, errorStretch, 0xe1) >= errorChance) return offset;
    const error = signed(feedSeed, this.#seed, errorStretch, 0xe2);
    return offset + Math.sign(error) * (ERROR_LEAST + ERROR_MORE * Math.abs(error));
  }

  /**
   * A contract on the winner of a game that may be tied is no other book's bet: it pays half then. Who trades it makes
   * its price, which is often the best, and what a tie makes of the bet is seen.
   */
  get #biasMax(): number {
    const { contracts, biasMax } = this.#style;
    const isOther = contracts && this.#event.model.mayTie === true && this.#plan.kind === 'moneyline';
    return isOther ? TIED_BIAS : biasMax;
  }

  /** Changes what the book shows in addition to prices: share of bets, maximum stake. */
  #extraKeyAt(nowMs: number): number {
    const { showsTickets, showsLimits } = this.#style;
    if (showsTickets && this.#plan.kind !== 'prop') return stretch(nowMs, TICKETS_MS, this.#seed);
    return showsLimits ? this.#limitStage(nowMs) : 0;
  }

  /** 0 days ahead, 1 on the day, 2 live. */
  #limitStage(nowMs: number): number {
    if (this.#event.live) return 2;
    return this.#event.startMs - nowMs < 24 * 60 * MINUTE_MS ? 1 : 0;
  }

  #build(version: Version, nowMs: number): IngestMarket | null {
    const { kind, prop } = this.#plan;
    const { model } = this.#event;
    const quotes = kind === 'moneyline' ? this.#moneyline(version) : this.#lines(version);
    if (quotes.length === 0) return null;
    const tickets = this.#style.showsTickets && prop === null ? this.#ticketShare(nowMs) : null;
    const selections = selectionsOf(this.#selections, quotes, tickets);
    const market: IngestMarket = { market_type: marketType(kind, model, prop), selections };
    if (prop !== null) {
      market.player_name = prop.player;
      market.stat_category = prop.kind.stat;
    }
    const { team } = KINDS[kind];
    if (team !== null) market.team = team;
    if (this.#style.showsLimits) market.max_bet = this.#maxBet(nowMs);
    return market;
  }

  #moneyline(version: Version): Quote[] {
    const { home, draw } = version.fair;
    const fair = draw > 0 ? [home, draw, 1 - home - draw] : [home, 1 - home];
    if (Math.min(...fair) < LEAST_CHANCE.moneyline) return [];
    const { mainMargin } = this.#style;
    const prices = toGrid(withMargin(fair, this.#offset, this.#live(mainMargin)), this.#style.grid);
    return [{ line: null, prices, alternate: false }];
  }

  #lines(version: Version): Quote[] {
    const { kind, alternates, prop } = this.#plan;
    const { model } = this.#event;
    const { ladder: name } = KINDS[kind];
    const ladder = prop === null ? name && version.fair[name] : this.#propLadder(prop);
    if (ladder === null) return [];
    const shape = lineShape(this.#style, model, kind);
    const fixed = kind === 'spread' ? model.fixedSpread : 0;
    this.#line = fixed > 0 ? this.#fixedLine(version, fixed) : mainLine(ladder, this.#line, shape);
    const quotes: Quote[] = [];
    this.#addLine(quotes, ladder, this.#line, false);
    if (!this.#style.alternates || quotes.length === 0) return quotes;
    const ways = alternates === 0 ? [] : fixed > 0 ? fixedAlternates(this.#line) : [];
    for (let i = 1; fixed === 0 && i <= alternates; i++) ways.push(this.#line - i, this.#line + i);
    for (const line of ways) this.#addLine(quotes, ladder, line, true);
    return quotes;
  }

  #addLine(quotes: Quote[], ladder: Ladder, line: number, alternate: boolean): void {
    const { kind } = this.#plan;
    if (kind !== 'spread' && line <= 0) return;
    const above = ladder.above(line);
    if (above < LEAST_CHANCE.line || above > 1 - LEAST_CHANCE.line) return;
    const margin = this.#style[alternate ? 'alternateMargin' : KINDS[kind].margin];
    const dear = this.#live(margin) * (1 + LOPSIDED_MARGIN * Math.abs(logit(above)));
    const prices = toGrid(withMargin([above, 1 - above], this.#offset, dear), this.#style.grid);
    quotes.push({ line, prices, alternate });
  }

  #live(margin: number): number {
    return this.#event.live ? margin * this.#style.liveFactor : margin;
  }

  /** The favourite gives the runs or goals; it changes only when the other side is clearly better. */
  #fixedLine(version: Version, fixed: number): number {
    const { home } = version.fair;
    if (!Number.isNaN(this.#line) && Math.abs(home - 0.5) < 0.03) return this.#line;
    return home >= 0.5 ? fixed : -fixed;
  }

  #propLadder(prop: Prop): Ladder {
    const news = unit(this.#seed, this.#propStep, 3) < PROP_STEP.newsChance ? PROP_STEP.news : PROP_STEP.usual;
    const mean = prop.mean * (1 + news * signed(this.#seed, this.#propStep, 4));
    return { mean, above: (line) => propAbove(prop.kind, mean, line) };
  }

  /** Share of bets on the first side. */
  #ticketShare(nowMs: number): number {
    const lean = 0.5 + 0.3 * signed(this.#event.seed, this.#group, 0x71);
    return lean + 0.04 * signed(this.#seed, stretch(nowMs, TICKETS_MS, this.#seed), 0x72);
  }

  #maxBet(nowMs: number): number {
    const { share } = KINDS[this.#plan.kind];
    const stage = [0.35, 1, 0.5][this.#limitStage(nowMs)]!;
    return Math.max(100, Math.round((this.#event.model.maxBet * share * stage) / 50) * 50);
  }
}

/** Index of the current period of the given length; periods of different seeds do not start together. */
function stretch(nowMs: number, lengthMs: number, seed: number): number {
  return Math.floor(nowMs / lengthMs + (seed % 1_024) / 1_024);
}

/**
 * Whether its sides are the teams, or over and under; the game's ladder that its lines are priced from; the book's margin
 * for its main line; its share of the largest stake; the team it is about.
 */
const KINDS = {
  moneyline: { ofTeams: true, ladder: null, margin: 'mainMargin', share: 1, team: null },
  spread: { ofTeams: true, ladder: 'margin', margin: 'mainMargin', share: 1, team: null },
  total: { ofTeams: false, ladder: 'total', margin: 'mainMargin', share: 0.6, team: null },
  home_total: { ofTeams: false, ladder: 'homeScore', margin: 'alternateMargin', share: 0.15, team: 'home' },
  away_total: { ofTeams: false, ladder: 'awayScore', margin: 'alternateMargin', share: 0.15, team: 'away' },
  prop: { ofTeams: false, ladder: null, margin: 'propMargin', share: 0.05, team: null },
} as const;

function fixedAlternates(line: number): number[] {
  const sign = Math.sign(line);
  return [-line, line + sign, -line - sign];
}

function lineShape(style: BookStyle, model: SimEvent['model'], kind: SlotKind): LineShape {
  if (kind === 'prop') return { step: 1, halves: true };
  const own = kind === 'spread' ? model.spreadStep : model.totalStep;
  const ofTeam = KINDS[kind].team !== null;
  if (own === 0.25 && style.quarterLines && !ofTeam) return { step: 0.25, halves: false };
  const halves = own === 1 || style.halfLinesOnly || ofTeam;
  return { step: halves ? 1 : 0.5, halves };
}

function marketType(kind: SlotKind, model: SimEvent['model'], prop: Prop | null): string {
  if (prop !== null) return prop.kind.market;
  if (kind === 'moneyline') return 'moneyline';
  if (kind === 'spread') return model.spreadMarket;
  return kind === 'total' ? model.totalMarket : 'team_total';
}

// A book's main line: as near to even money as its steps allow, moved only when necessary.

/** A line stays while its probability is within this distance of even. */
const STAY = 0.055;
const TRIES = 40;

interface LineShape {
  step: number;
  /** True for lines that end in a half. */
  halves: boolean;
}

/** `current` is the present line, NaN for none. */
export function mainLine(ladder: Ladder, current: number, shape: LineShape): number {
  if (!Number.isNaN(current) && Math.abs(ladder.above(current) - 0.5) < STAY) return current;
  const start = Number.isNaN(current) ? nearest(ladder.mean, shape) : current;
  let line = start;
  let above = ladder.above(line);
  // The probability falls as the line rises: step towards even money until it is passed, then take the nearer of the
  // last two.
  const direction = above > 0.5 ? shape.step : -shape.step;
  for (let i = 0; i < TRIES; i++) {
    const next = line + direction;
    const nextAbove = ladder.above(next);
    if (Math.abs(nextAbove - 0.5) >= Math.abs(above - 0.5)) break;
    line = next;
    above = nextAbove;
  }
  return line === 0 ? 0 : line;
}

function nearest(mean: number, { step, halves }: LineShape): number {
  return halves ? Math.floor(mean) + 0.5 : Math.round(mean / step) * step;
}

// The selections of a market as a book shows them, and the order books of the simulated exchanges: behind each best
// price further levels, each a little worse, with amounts that depend on the price, so that a price that stands keeps
// its ladder.

/** One line of a market: two prices, or three with a draw in the middle. */
export interface Quote {
  /** Null for moneylines; for spreads the margin the home side must exceed. */
  line: number | null;
  prices: number[];
  alternate: boolean;
}

/** What a market's selections have in common. */
interface SelectionContext {
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
