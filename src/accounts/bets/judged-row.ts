// A row of the table as a bet on it is judged: whether it counts at all, which is what detection asks of a price; what can be
// had at which price, and how long a bet in play waits.

import { isModelPrice, isOffered } from '../../base/model/activity.js';
import type { BetRejection } from '../../base/model/bet-words.js';
import { depthOf } from '../../base/model/depth.js';
import { freshMs } from '../../base/model/freshness.js';
import { isOn } from '../../base/model/game-end.js';
import { LIMITS } from '../../base/model/limits.js';
import type { PairOfScores } from '../../base/model/result.js';
import type { RowFields } from '../../base/model/row.js';
import { hasShownDraw } from '../../detection/draws.js';
import { eventName } from '../../detection/kinds/parts.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import type { Tier } from '../../rules/catalogue/types.js';
import { isGradeable } from '../../rules/grading/grade.js';
import { lineFault } from '../../rules/markets/lines.js';
import type { RecordedRow } from '../../store/history/recorded-row.js';
import { readRow } from '../../tables/columns.js';
import type { TableEvent } from '../../tables/events.js';
import type { OddsTable } from '../../tables/table.js';
import type { BetSubject } from './bet.js';
import type { JudgedRow } from './commands.js';
import type { Level, Quote } from './fill.js';

/** Of decimals that come out even. */
const NOISE = 1e-6;

export interface JudgingSettings {
  /** By book: seconds that a bet in play waits, in place of the catalogue's. */
  betDelays: Readonly<Record<string, number>>;
  /** What a price is good for where nothing is stated, in units of the row's currency. */
  paperMax: number;
}

/** Null if there is no such row among the tier's books. */
export function judgedRow(
  { catalogue, table }: { catalogue: Catalogue; table: OddsTable },
  oddsId: string,
  tier: Tier,
  { betDelays, paperMax }: JudgingSettings,
  nowMs: number,
): JudgedRow | null {
  const slot = table.slotOf(oddsId);
  if (slot === undefined) return null;
  const { columns } = table;
  const book = table.books.name(columns.book[slot]!);
  if (!catalogue.tierAllows(tier, book)) return null;
  const row = readRow(table, slot);
  const event = table.events.at(columns.event[slot]!);
  const rules = table.rulesOf(columns.market[slot]!);
  const { lay, rest } = rules;
  const settled = isGradeable(rules) || catalogue.book(book)?.isExchange === true;
  const circumstances = circumstancesOf(table, slot);
  return {
    subject: {
      oddsId,
      event: event.id,
      eventName: event.name,
      sport: event.sport,
      league: event.league,
      market: row.market,
      selection: row.selection,
      selectionType: row.selectionType,
      player: row.player,
      ...(row.stat === null ? {} : { stat: row.stat }),
      team: row.team,
      teamName: row.team && event[row.team],
      sportsbook: book,
      line: row.line,
      currency: table.bookRulesOf(book).currency,
      home: event.home,
      away: event.away,
      startMs: event.startMs,
      ...circumstances,
      ...(row.commission === undefined ? {} : { commission: row.commission }),
      ...(lay ? { lay } : {}),
      ...(settled ? {} : { noRule: true }),
    },
    alternate: row.alternate,
    closed: closedBy(event, row, nowMs) ?? (rest && circumstances.scored === undefined ? 'no_score' : null),
    quote: quoteOf(table, slot, paperMax),
    live: event.live,
    delayMs: 1000 * (betDelays[book] ?? catalogue.betDelayOf(book)),
  };
}

/** What a bet on a row is settled by beside its own words: whether its book shows a third side, and the score. */
export function circumstancesOf(table: OddsTable, slot: number): Pick<BetSubject, 'threeWay' | 'scored'> {
  const { columns } = table;
  const event = table.events.at(columns.event[slot]!);
  const { backed, family } = table.rulesOf(columns.market[slot]!);
  const scored = family === 'handicap' ? scoreOf(event) : undefined;
  return {
    ...(hasShownDraw(event, table.books.name(columns.book[slot]!), backed) ? { threeWay: true } : {}),
    ...(scored === undefined ? {} : { scored }),
  };
}

/** Why a bet on the row cannot have this line; undefined if it can: of a main line any that it may have had. */
export function lineFaultOf({ types }: Catalogue, { subject, alternate }: JudgedRow, line: number | null) {
  const { market, sport, league } = subject;
  if ((line === null) !== (subject.line === null))
    return subject.line === null ? `${market} has no line` : `${market} has a line`;
  if (alternate && line !== subject.line) return `the line of this odds_id is ${subject.line}, not ${line}`;
  if (line !== null && Math.abs(line) > LIMITS.line.max) return `${line} is no line`;
  return lineFault(types.of(market, sport, league), sport, line);
}

/** What stands at a row. */
export function quoteOf(table: OddsTable, slot: number, paperMax: number): Quote {
  const { columns } = table;
  const { maxBet, exchange } = table.restOf(slot).details;
  const { lay } = table.rulesOf(columns.market[slot]!);
  const depth = table.depths.get(slot);
  const sizes = depth == null ? null : depthOf(depth)[lay ? 'lay' : 'back'];
  const { minStake, stakeStep, contracts } = table.bookRulesOf(table.books.name(columns.book[slot]!));
  const line = columns.line[slot]!;
  return {
    ...(lay ? { lay } : {}),
    line: Number.isNaN(line) ? null : line,
    maxBetCents: maxBet === null ? null : wholeCents(maxBet),
    ...boundOf(columns.decimal[slot]!, sizes, exchange?.[0] ?? null, maxBet, paperMax),
    order: {
      minCents: Math.ceil(100 * minStake - NOISE),
      stepCents: 100 * stakeStep,
      contractCents: 100 * contracts,
      charge: table.commissionAt(slot),
    },
  };
}

/** Of a row that has left the table: nothing can be had of it. Null if its book is none of the tier's. */
export function judgedRowInHistory(
  catalogue: Catalogue,
  oddsId: string,
  row: RecordedRow,
  tier: Tier,
): JudgedRow | null {
  const { alternate, stat, ...words } = row;
  const { home, away } = row;
  if (!catalogue.tierAllows(tier, row.sportsbook)) return null;
  return {
    subject: {
      ...words,
      ...(stat === null ? {} : { stat }),
      oddsId,
      eventName: eventName({ home, away }),
      teamName: row.team && row[row.team],
      currency: catalogue.currencyOf(row.sportsbook),
      ...(catalogue.types.of(row.market, row.sport).lay ? { lay: true } : {}),
    },
    alternate,
    closed: 'game_over',
    quote: { line: row.line, bound: 'paper_max', levels: [], maxBetCents: null },
    live: false,
    delayMs: 0,
  };
}

/** Where the game stands, undefined if that is not known. */
function scoreOf({ live, state }: Pick<TableEvent, 'live' | 'state'>): PairOfScores | undefined {
  const { home_score, away_score } = state ?? {};
  if (typeof home_score === 'number' && typeof away_score === 'number') return { home: home_score, away: away_score };
  return live ? undefined : { home: 0, away: 0 };
}

/** Why nothing is filled at this price now; null if it counts. */
function closedBy(
  { status, live }: Pick<TableEvent, 'status' | 'live'>,
  { activity, seenMs }: Pick<RowFields, 'activity' | 'seenMs'>,
  nowMs: number,
): BetRejection | null {
  if (!isOn(status)) return status === 'postponed' ? 'postponed' : 'game_over';
  if (isModelPrice(activity)) return 'model';
  if (!isOffered(activity)) return 'suspended';
  return nowMs - seenMs > freshMs(live) ? 'stale_price' : null;
}

function boundOf(
  decimal: number,
  ladder: readonly (readonly [decimal: number, size: number])[] | null,
  size: number | null,
  maxBet: number | null,
  paperMax: number,
): Pick<Quote, 'bound' | 'levels'> {
  const one = (amount: number): Level[] => [{ decimal, cents: wholeCents(amount) }];
  if (ladder !== null && ladder.length > 0)
    return { bound: 'depth', levels: ladder.map(([price, amount]) => ({ decimal: price, cents: wholeCents(amount) })) };
  if (size !== null) return { bound: 'size', levels: one(size) };
  if (maxBet !== null) return { bound: 'max_bet', levels: one(maxBet) };
  return { bound: 'paper_max', levels: one(paperMax) };
}

/** A fraction of a cent cannot be had. */
function wholeCents(amount: number): number {
  return Math.floor(amount * 100 + 1e-6);
}
