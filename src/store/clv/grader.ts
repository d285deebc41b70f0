// Grades bets by the close: the engine's predictions stored with history, and bets of a caller.

import { chargeOf, netDecimal } from '../../base/model/commission.js';
import { LIMITS } from '../../base/model/limits.js';
import { decimalFromAmerican } from '../../base/model/price.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { describedRows, lineMeant } from '../../rules/catalogue/described-bet.js';
import { playerKey } from '../../rules/catalogue/player-name.js';
import { selectionName } from '../../rules/catalogue/selection-name.js';
import type { MarketTypes } from '../../rules/markets/market-types.js';
import { openStatistic } from '../../rules/markets/sides.js';
import { closingLines } from '../history/answers.js';
import {
  changePoint,
  closeUs,
  type HistoryEvent,
  type HistoryRow,
  isCalledOff,
  type Point,
  rowOfBet,
} from '../history/event-record.js';
import type { ChangeVisitor } from '../history/page.js';
import type { Recorder } from '../history/recorder.js';
import { type ClosingPrice, closingPrices, isThreeWay } from './fair-prices.js';
import type { Prediction } from './prediction.js';
import { clvPercent, type Graded } from './summary.js';

export interface Bet {
  oddsId: string | null;
  event: string | null;
  market: string | null;
  /** Name or type. */
  selection: string | null;
  sportsbook: string | null;
  line: number | null;
  player?: string | null;
  team?: 'home' | 'away' | null;
  /** Null: the row's price at `atUs`. */
  american: number | null;
  /** The same where decimal odds were stated. */
  decimal?: number | null;
  /** Unix µs; 0 if it is not known: before the close. */
  atUs: number;
}

export type NoGrade = 'unknown_bet' | 'not_closed' | 'no_price' | 'in_play' | 'no_closing_line' | 'no_reference';

export interface BetGrade {
  row: HistoryRow | null;
  event: HistoryEvent | null;
  line: number | null;
  american: number | null;
  decimalNet: number | null;
  closing: ClosingPrice | null;
  clv: number | null;
  reason: NoGrade | null;
}

/** A price that is first seen so shortly before the close has it for its closing price, nearly. */
const AT_CLOSE_US = 300e6;
/** Events whose closing prices are cached. */
const REMEMBERED_MAX = LIMITS.closingPrices.max;

export class Grader {
  readonly #recorder: Recorder;
  readonly #catalogue: Catalogue;
  readonly #remembered = new Map<number, { key: string; closing: Map<string, ClosingPrice> }>();

  constructor(recorder: Recorder, catalogue: Catalogue) {
    this.#recorder = recorder;
    this.#catalogue = catalogue;
  }

  grade(
    event: HistoryEvent,
    prediction: Prediction,
    nowUs: number,
    against: readonly string[] | null = null,
  ): Graded & { row: HistoryRow | undefined; closing: ClosingPrice | undefined } {
    const { book, market, atUs, ev, decimalNet, devigBook, line } = prediction;
    const row = rowOfBet(event, prediction.oddsId, atUs);
    // A bet found in play cannot be graded by the close.
    const closesUs = closeUs(event, book);
    const inPlay = atUs >= closesUs;
    const closing = row === undefined || inPlay ? undefined : this.#closingOf(event, row, line, nowUs, against);
    const known = closing !== undefined && !Number.isNaN(closing.probability);
    return {
      sportsbook: book,
      sport: event.sport,
      league: event.league,
      market,
      devigBook: known ? closing.source : devigBook,
      atUs,
      clv: known ? clvPercent(closing, decimalNet) : null,
      atClose: !inPlay && atUs > closesUs - AT_CLOSE_US,
      ev,
      decimalNet,
      row,
      closing,
    };
  }

  /** @param against the book whose closing prices are the fair ones, the first of these that has any; the engine's own reference by default */
  gradeBet(bet: Bet, nowUs: number, against: readonly string[] | null = null): BetGrade {
    const grade: BetGrade = {
      row: null,
      event: null,
      line: bet.line,
      american: bet.american,
      decimalNet: null,
      closing: null,
      clv: null,
      reason: 'unknown_bet',
    };
    const event = bet.oddsId === null ? this.#recorder.find(bet.event ?? '') : this.#recorder.findByRow(bet.oddsId);
    if (event === undefined) return grade;
    const row = bet.oddsId === null ? this.#rowOf(event, bet) : rowOfBet(event, bet.oddsId, bet.atUs);
    if (row !== undefined || bet.oddsId === null) grade.event = event;
    if (row === undefined) return grade;
    grade.row = row;
    grade.line = lineMeant(this.#catalogue, event, row.market, bet.line);
    const stood = this.#pricesAt(event, [row], () => bet.atUs).get(row);
    grade.american ??= stood?.american ?? null;
    grade.line ??= stood?.line ?? null;
    const stated = bet.decimal ?? (bet.american === null ? null : decimalFromAmerican(bet.american));
    const decimal = stated ?? stood?.decimal ?? Number.NaN;
    if (Number.isNaN(decimal)) return { ...grade, reason: 'no_price' };
    const charge = chargeOf(row.commission, this.#catalogue.commissionOf(row.book));
    // Of a lay per unit that it may lose.
    const { lay } = this.#catalogue.types.of(row.market, event.sport);
    grade.decimalNet = netDecimal(lay ? decimal / (decimal - 1) : decimal, charge);
    if (closeUs(event, row.book) > nowUs) return { ...grade, reason: 'not_closed' };
    if (bet.atUs >= closeUs(event, row.book)) return { ...grade, reason: 'in_play' };
    const closing = this.#closingOf(event, row, grade.line, nowUs, against);
    if (closing === undefined) return { ...grade, reason: 'no_closing_line' };
    grade.closing = closing;
    if (Number.isNaN(closing.probability)) return { ...grade, reason: 'no_reference' };
    return { ...grade, clv: clvPercent(closing, grade.decimalNet), reason: null };
  }

  /** The row's own closing price if it closed at the line, else that of another book's row of the same bet. */
  #closingOf(
    event: HistoryEvent,
    row: HistoryRow,
    line: number | null,
    nowUs: number,
    against: readonly string[] | null,
  ): ClosingPrice | undefined {
    const closing = this.#closing(event, nowUs, against);
    const own = closing.get(row.id);
    if (own?.line.row.place === row.place && own.line.point.line === line) return own;
    const threeWay = isThreeWay(event, row, this.#catalogue.types);
    const bet = betKey(row, event, this.#catalogue.types);
    const others = [...closing.values()].filter(
      (other) =>
        other.threeWay === threeWay &&
        other.line.point.line === line &&
        betKey(other.line.row, event, this.#catalogue.types) === bet,
    );
    // A consensus leaves out the owner of the book that is judged, which is the bet's.
    const owner = this.#catalogue.ownerOf(row.book);
    const kin = others.filter((other) => this.#catalogue.ownerOf(other.line.row.book) === owner);
    const judged = kin.length > 0 ? kin : others.map((other) => ({ ...other, ...other.outside }));
    return judged.find(({ probability }) => !Number.isNaN(probability)) ?? judged[0];
  }

  readonly #isExchange = (book: string): boolean => this.#catalogue.book(book)?.isExchange === true;

  #closing(event: HistoryEvent, nowUs: number, against: readonly string[] | null): Map<string, ClosingPrice> {
    // What may still change is not cached: prices from before the close may not be recorded yet. A new start closes again.
    const closed =
      !isCalledOff(event) && event.startMs * 1000 <= Math.min(nowUs, this.#recorder.cursors[event.shard] ?? 0);
    const key = closed ? `${event.startMs}|${against?.join() ?? ''}|${JSON.stringify(event.liveSince)}` : '';
    const known = this.#remembered.get(event.hno);
    if (closed && known?.key === key) return known.closing;
    const lines = closingLines(this.#recorder, event, nowUs, this.#isExchange);
    const closing = closingPrices(event, lines, this.#catalogue, against);
    if (!closed) return closing;
    this.#remembered.delete(event.hno);
    this.#remembered.set(event.hno, { key, closing });
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= REMEMBERED_MAX) break;
      this.#remembered.delete(oldest);
    }
    return closing;
  }

  #rowOf(event: HistoryEvent, bet: Bet): HistoryRow | undefined {
    const { market, selection, sportsbook, player = null, team = null } = bet;
    const named = { market: market ?? '', selection: selection ?? '', sportsbook: sportsbook ?? '', player, team };
    const line = lineMeant(this.#catalogue, event, named.market, bet.line);
    const described = { ...named, line: line ?? undefined };
    const rows = describedRows(this.#catalogue, event, described, event.rows);
    // Without a time it is one before the close: the line at which the row closed, or stands.
    const stood = this.#pricesAt(event, rows, (row) => (bet.atUs === 0 ? closeUs(event, row.book) : bet.atUs));
    const atLine = (row: HistoryRow): boolean => stood.get(row)?.line === line;
    return rows.find((row) => !row.alternate && atLine(row)) ?? rows.find(atLine) ?? rows.find((row) => !row.alternate);
  }

  /** What each row had at its instant (Unix µs), in one walk over the game's changes; rows that were not there yet are left out. */
  #pricesAt(
    event: HistoryEvent,
    rows: readonly HistoryRow[],
    atUs: (row: HistoryRow) => number,
  ): Map<HistoryRow, Pick<Point, 'american' | 'decimal' | 'line'>> {
    const wanted = new Uint8Array(event.rows.length);
    const untilUs = new Float64Array(event.rows.length);
    const stood = new Map<HistoryRow, Pick<Point, 'american' | 'decimal' | 'line'>>();
    let latestUs = 0;
    for (const row of rows) {
      const until = atUs(row);
      wanted[row.place] = 1;
      untilUs[row.place] = until;
      latestUs = Math.min(Number.MAX_SAFE_INTEGER, Math.max(latestUs, until));
      const first = [row.lastBeforeClose, row.opening].find((point) => point !== null && point.atUs <= until);
      if (first != null) stood.set(row, first);
    }
    const visit: ChangeVisitor = (place, at, american, decimal, line, flags) => {
      if (at <= untilUs[place]!) stood.set(event.rows[place]!, changePoint(at, american, decimal, line, flags));
    };
    if (rows.length > 0) this.#recorder.changes(event, 0, latestUs, visit, wanted);
    return stood;
  }
}

/** Equal for two books' rows of one bet, whatever its line. */
function betKey(row: HistoryRow, { sport, league, namesakes }: HistoryEvent, types: MarketTypes): string {
  const { market, selectionType, selection, player, stat, team } = row;
  const canonical = (name: string): string => playerKey(name, namesakes);
  const who = player === null ? '' : canonical(player);
  const name = selectionName(selectionType, selection, who, canonical);
  return JSON.stringify([market, selectionType, name, who, openStatistic(types.of(market, sport, league), stat), team]);
}
