// How bets ended: a caller's, and the engine's own predictions. The row says what was bet, its market type how that is
// settled, the result of the game how it came out; a venue's own word on its market comes before both.
import type { Catalogue } from '../catalogue/catalogue.js';
import { canonicalPlayerName } from '../catalogue/player-name.js';
import { type BetQuestion, type Grade, gradeBet } from '../grading/grade.js';
import { gradeOfOutcome, laidResult, laidReturns, type Returns, returnsOf } from '../grading/returns.js';
import type { HistoryEvent, HistoryRow } from '../history/event-record.js';
import { lastPoint } from '../history/recorded-row.js';
import type { Recorder } from '../history/recorder.js';
import type { TypeRules } from '../markets/rules.js';
import { chargeOf, netDecimal } from '../model/commission.js';
import { countingWord, type ResultRecord, type ResultWord, settlementKey } from '../model/result.js';
import { DAY_MS } from '../model/time.js';
import type { Prediction } from './prediction.js';

/** Nobody tells more of a game that has been over for this long. */
const CLOSED_MS = DAY_MS;

/** A bet by its row, or as it is described; decimal price as the book states it. */
export interface StatedBet {
  oddsId: string | null;
  event: string | null;
  market: string | null;
  /** Name or type. */
  selection: string | null;
  sportsbook: string | null;
  /** Undefined: the row's. */
  line: number | null | undefined;
  player: string | null;
  team: 'home' | 'away' | null;
  /** Null: the row's last price. */
  decimal: number | null;
}

export type BetFault = 'unknown_bet' | 'no_price';

export interface SettledBet extends Returns {
  result: Grade['result'];
  reason: Grade['reason'] | BetFault;
  /** Of the result; 0 if there is none. */
  revision: number;
  /** Position of the last word about the game (Unix µs); 0 if there is none. */
  toldUs: number;
}

export interface KnownResults {
  /** What is known of a game's end. */
  resultOf(eventId: string): ResultRecord | undefined;
}

/** What counts of what is known of a game. */
interface Read {
  record: ResultRecord | undefined;
  word: ResultWord | null;
  /** Whether venues have settled any of their markets. */
  settled: boolean;
}

/** What was bet, whatever it was found by. */
interface Subject extends Omit<BetQuestion, 'tieSettlesHalf'> {
  event: string;
  book: string;
  market: string;
  /** The row's own words for its selection. */
  names: readonly string[];
}

export class Settler {
  readonly #recorder: Recorder;
  readonly #catalogue: Catalogue;
  readonly #results: KnownResults;
  /** Sources of results, the most trusted first. */
  readonly #ranks: readonly string[];
  #lastRead: Read = { record: undefined, word: null, settled: false };
  /** Markets in which a book offers a draw, of the event that was looked at last when it had so many rows. */
  #draws: { event: HistoryEvent | null; rows: number; markets: ReadonlySet<string> } = {
    event: null,
    rows: 0,
    markets: new Set(),
  };

  constructor(recorder: Recorder, catalogue: Catalogue, results: KnownResults, ranks: readonly string[]) {
    this.#recorder = recorder;
    this.#catalogue = catalogue;
    this.#results = results;
    this.#ranks = ranks;
  }

  settleBet(bet: StatedBet, nowMs: number): SettledBet {
    const event = bet.oddsId === null ? this.#recorder.find(bet.event ?? '') : this.#recorder.findByRow(bet.oddsId);
    const row = event === undefined ? undefined : this.#rowOf(event, bet);
    const subject = row === undefined ? this.#stated(bet) : this.#ofRow(event!, row, bet.line);
    if (subject === undefined) return fault('unknown_bet');
    const decimal = bet.decimal ?? (row === undefined ? undefined : lastPoint(this.#recorder, event!, row).decimal);
    if (decimal === undefined) return fault('no_price');
    const charge = chargeOf(row?.commission, this.#catalogue.commissionOf(subject.book));
    // What a lay wins is what backing at the turned price would, for each unit that it may lose.
    const { lay } = subject.rules;
    const net = netDecimal(lay ? decimal / (decimal - 1) : decimal, charge);
    return this.#settle(subject, net, nowMs, lay ? decimal - 1 : undefined);
  }

  /** A prediction of an event that history knows. */
  settlePrediction(event: HistoryEvent, { oddsId, line, decimalNet }: Prediction, nowMs: number): SettledBet {
    const row = event.byId.get(oddsId);
    return row === undefined ? fault('unknown_bet') : this.#settle(this.#ofRow(event, row, line), decimalNet, nowMs);
  }

  /** @param liability of a lay, per unit of the backer's stake */
  #settle(subject: Subject, decimalNet: number, nowMs: number, liability?: number): SettledBet {
    const record = this.#results.resultOf(subject.event);
    const { word, settled } = this.#read(record);
    const own = settled ? ownWord(record!, subject) : undefined;
    const grade = own ?? this.#grade(subject, word, nowMs);
    return {
      result: liability === undefined ? grade.result : laidResult(grade.result),
      reason: grade.reason,
      ...(liability === undefined ? returnsOf(grade, decimalNet) : laidReturns(grade, decimalNet, liability)),
      revision: record?.revision ?? 0,
      toldUs: record?.updatedPosition ?? 0,
    };
  }

  /** Bets of one game are graded one after the other. */
  #read(record: ResultRecord | undefined): Read {
    if (this.#lastRead.record !== record) {
      const word = record === undefined ? null : countingWord(Object.values(record.words), this.#ranks);
      const settled = record !== undefined && Object.keys(record.settlements).length > 0;
      this.#lastRead = { record, word, settled };
    }
    return this.#lastRead;
  }

  #grade(subject: Subject, word: ResultWord | null, nowMs: number): Grade {
    const tieSettlesHalf = this.#catalogue.rulesOf(subject.book).settles.tie === 'half' && isGameWinner(subject.rules);
    return gradeBet({ ...subject, tieSettlesHalf }, word, word !== null && nowMs - word.atMs > CLOSED_MS);
  }

  #rowOf(event: HistoryEvent, bet: StatedBet): HistoryRow | undefined {
    if (bet.oddsId !== null) return event.byId.get(bet.oddsId);
    const book = this.#bookOf(bet);
    const stated = this.#catalogue.types.stated(bet.market ?? '');
    const selection = bet.selection?.trim().toLowerCase() ?? '';
    const player = bet.player === null ? null : canonicalPlayerName(bet.player);
    const rows = event.rows.filter(
      (row) =>
        row.book === book &&
        row.market === stated.type &&
        namesOf(row).includes(selection) &&
        (player === null || (row.player !== null && canonicalPlayerName(row.player) === player)) &&
        row.team === (bet.team ?? stated.team ?? row.team),
    );
    return rows.find((row) => !row.alternate) ?? rows[0];
  }

  #ofRow(event: HistoryEvent, row: HistoryRow, line: number | null | undefined): Subject {
    const { book, market, selectionType, player, team } = row;
    const rules = this.#catalogue.types.of(market, event.sport);
    return {
      event: event.id,
      sport: event.sport,
      book,
      market,
      rules,
      selection: selectionType.toLowerCase(),
      names: namesOf(row),
      line: line === undefined ? lastPoint(this.#recorder, event, row).line : line,
      player: player === null ? null : canonicalPlayerName(player),
      team,
      threeWay: this.#offersDraw(event, book, market) || (rules.lay && this.#offersDraw(event, book, rules.backed)),
    };
  }

  #offersDraw(event: HistoryEvent, book: string, market: string): boolean {
    const { rows } = event;
    if (this.#draws.event !== event || this.#draws.rows !== rows.length) {
      const markets = new Set<string>();
      for (const row of rows) if (row.selectionType === 'draw') markets.add(`${row.book}|${row.market}`);
      this.#draws = { event, rows: rows.length, markets };
    }
    return this.#draws.markets.size > 0 && this.#draws.markets.has(`${book}|${market}`);
  }

  /** A bet of a game whose result is known, of which no row is. */
  #stated(bet: StatedBet): Subject | undefined {
    const { event, market, selection, line, player, team } = bet;
    if (event === null || market === null || selection === null) return undefined;
    const sport = this.#results.resultOf(event)?.sport ?? this.#recorder.find(event)?.sport;
    if (sport === undefined) return undefined;
    const stated = this.#catalogue.types.stated(market);
    const name = selection.trim().toLowerCase();
    return {
      event,
      sport,
      book: this.#bookOf(bet),
      market: stated.type,
      rules: this.#catalogue.types.of(stated.type, sport),
      selection: name,
      names: [name],
      line: line ?? null,
      player: player === null ? null : canonicalPlayerName(player),
      team: team ?? stated.team,
      threeWay: name === 'draw',
    };
  }

  #bookOf({ sportsbook }: StatedBet): string {
    return sportsbook === null ? '' : this.#catalogue.bookId(sportsbook);
  }
}

/**
 * A venue's word on its own market; a line that it does not name is every line. Of a lay it is a word on the selection, in
 * whichever of the two markets it is told.
 */
function ownWord({ settlements }: ResultRecord, subject: Subject): Grade | undefined {
  const { book, line, player, team, names, rules } = subject;
  for (const market of rules.lay ? [subject.market, rules.backed] : [subject.market])
    for (const selection of names)
      for (const at of line === null ? [null] : [line, null]) {
        const outcome = settlements[settlementKey({ book, market, selection, line: at, player, team })];
        if (outcome !== undefined) return gradeOfOutcome(outcome);
      }
  return undefined;
}

function namesOf({ selection, selectionType }: HistoryRow): string[] {
  return [selectionType.toLowerCase(), selection.toLowerCase()];
}

function isGameWinner({ family, sides }: TypeRules): boolean {
  return family === 'winner' && sides !== 'three';
}

function fault(reason: BetFault): SettledBet {
  return { result: 'ungradeable', reason, profit_units: null, return_units: null, revision: 0, toldUs: 0 };
}
