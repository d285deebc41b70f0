// How bets ended: a caller's, and the engine's own predictions. The row says what was bet, its market type how that is
// settled, the result of the game how it came out; a venue's own word on its market comes before both.

import { type Commission, chargeOf, keptOf, netDecimal } from '../../base/model/commission.js';
import {
  countingWord,
  type PairOfScores,
  type ResultRecord,
  type ResultWord,
  settlementKey,
} from '../../base/model/result.js';
import { DAY_MS } from '../../base/model/time.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { describedRows, lineMeant, namesIn, rowNames } from '../../rules/catalogue/described-bet.js';
import { type GameOf, isSide } from '../../rules/catalogue/named-sides.js';
import { canonicalPlayerName, playerKey, playerKeys } from '../../rules/catalogue/player-name.js';
import { type BetQuestion, type Grade, gradeBet, type Timing } from '../../rules/grading/grade.js';
import { gradeOfOutcome, laidResult, laidReturns, type Returns, returnsOf } from '../../rules/grading/returns.js';
import type { MarketRules } from '../../rules/markets/rules.js';
import { outcomeOf } from '../../rules/markets/selection-words.js';
import { isThirdSide } from '../../rules/markets/sides.js';
import { firstStartOf, type HistoryEvent, type HistoryRow, isCalledOff, rowOfBet } from '../history/event-record.js';
import { lastPoint } from '../history/recorded-row.js';
import type { Recorder } from '../history/recorder.js';
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
  /** When it was made (Unix µs); absent if that is not told. */
  atUs?: number | undefined;
  /** The score at which it was made, where handicaps count from there. */
  scored?: PairOfScores | null | undefined;
  /** The start that stood when it was made (Unix ms); absent: the first that stood for some time. */
  startMs?: number | null | undefined;
  /** Of a bet that was recorded, where its row is not known any more: its book offered a draw, and its market's charge. */
  threeWay?: boolean | undefined;
  commission?: Commission | undefined;
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

/** What is known of the bet itself. */
type Own = Pick<StatedBet, 'line' | 'scored' | 'startMs'>;

/** Decimal price after commission, of a lay per unit that it may lose. */
interface Price {
  net: number;
  charge: Commission | null;
  /** Of a lay, per unit of the backer's stake. */
  liability?: number | undefined;
}

/** What was bet, whatever it was found by. */
interface Subject extends BetQuestion {
  event: string;
  timing: Omit<Timing, 'nowMs'>;
  book: string;
  market: string;
  /** The row's own words for its selection. */
  names: readonly string[];
  /** His name as the bet has it, and canonical names that two players of the game have. */
  playerName: string | null;
  namesakes: readonly string[];
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
    const subject = row === undefined ? this.#stated(bet) : this.#ofRow(event!, row, bet);
    if (subject === undefined) return fault('unknown_bet');
    const decimal = bet.decimal ?? (row === undefined ? undefined : lastPoint(this.#recorder, event!, row).decimal);
    if (decimal === undefined) return fault('no_price');
    const charge = chargeOf(
      row === undefined ? bet.commission : row.commission,
      this.#catalogue.commissionOf(subject.book),
    );
    // What a lay wins is what backing at the turned price would, for each unit that it may lose.
    const { lay } = subject.rules;
    const net = netDecimal(lay ? decimal / (decimal - 1) : decimal, charge);
    return this.#settle(subject, { net, charge, liability: lay ? decimal - 1 : undefined }, nowMs);
  }

  /** A prediction of an event that history knows. */
  settlePrediction(
    event: HistoryEvent,
    { oddsId, atUs, line, decimalNet, scored }: Prediction,
    nowMs: number,
  ): SettledBet {
    const row = rowOfBet(event, oddsId, atUs);
    if (row === undefined) return fault('unknown_bet');
    const charge = chargeOf(row.commission, this.#catalogue.commissionOf(row.book));
    return this.#settle(this.#ofRow(event, row, { line, scored }), { net: decimalNet, charge }, nowMs);
  }

  #settle(subject: Subject, { net, charge, liability }: Price, nowMs: number): SettledBet {
    const record = this.#results.resultOf(subject.event);
    const { word, settled } = this.#read(record);
    const own = settled ? ownWord(record!, subject, this.#catalogue.types.base(subject.market)) : undefined;
    const grade = own ?? this.#grade(subject, word, nowMs);
    const kept = keptOf(charge);
    return {
      result: liability === undefined ? grade.result : laidResult(grade.result),
      reason: grade.reason,
      ...(liability === undefined ? returnsOf(grade, net, kept) : laidReturns(grade, net, liability, kept)),
      revision: record?.revision ?? 0,
      toldUs: record?.updatedPosition ?? 0,
    };
  }

  /** Bets of one game are graded one after the other. */
  #read(record: ResultRecord | undefined): Read {
    if (this.#lastRead.record !== record) {
      const counting = record === undefined ? null : countingWord(Object.values(record.words), this.#ranks);
      const word = counting && { ...counting, players: playersByName(counting.players) };
      const settled = record !== undefined && Object.keys(record.settlements).length > 0;
      this.#lastRead = { record, word, settled };
    }
    return this.#lastRead;
  }

  #grade(subject: Subject, word: ResultWord | null, nowMs: number): Grade {
    const closed = word !== null && nowMs - word.atMs > CLOSED_MS;
    const { playerName, namesakes } = subject;
    const player = playerName === null || word === null ? subject.player : keyIn(word.players, playerName, namesakes);
    return gradeBet({ ...subject, player }, word, closed, { ...subject.timing, nowMs });
  }

  #rowOf(event: HistoryEvent, bet: StatedBet): HistoryRow | undefined {
    if (bet.oddsId !== null) return rowOfBet(event, bet.oddsId, bet.atUs);
    const { market, selection, sportsbook, player, team } = bet;
    const line = lineMeant(this.#catalogue, event, market ?? '', bet.line);
    const named = { market: market ?? '', selection: selection ?? '', sportsbook: sportsbook ?? '' };
    const rows = describedRows(this.#catalogue, event, { ...named, line, player, team }, event.rows);
    return rows.find((row) => !row.alternate) ?? rows[0];
  }

  #ofRow(event: HistoryEvent, row: HistoryRow, { line: own, scored = null, startMs }: Own): Subject {
    const { book, player, team } = row;
    const { sport, league } = event;
    const line =
      own === undefined
        ? lastPoint(this.#recorder, event, row).line
        : lineMeant(this.#catalogue, event, row.market, own);
    const market = this.#catalogue.typeAt(row.market, book, line);
    const rules = this.#catalogue.types.of(market, sport, league);
    const shown = rowNames(row, rules);
    const names = isSide(shown[0]!) ? shown : [...shown, ...namesIn(this.#catalogue, event, row.selection, market)];
    return {
      event: event.id,
      sport,
      book,
      market,
      rules,
      selection: selectionOf(rules, names, row.selection),
      names,
      line,
      player: player === null ? null : canonicalPlayerName(player),
      playerName: player,
      namesakes: event.namesakes ?? [],
      team,
      threeWay: this.#offersDraw(event, book, market) || (rules.lay && this.#offersDraw(event, book, rules.backed)),
      scored,
      ...this.#gameOf(book, event, startMs ?? firstStartOf(event), isCalledOff(event)),
    };
  }

  /** @param betOnMs the start that stood when the bet was made */
  #gameOf(book: string, game: GameOf & { sport: string; startMs: number }, betOnMs: number, calledOff: boolean) {
    const { sport, league, startMs, home } = game;
    const dayOf = (ms: number): string => this.#catalogue.localDate(league, ms);
    return {
      house: this.#catalogue.houseRules.of(book, sport, league),
      pairs: home.includes('/') || home.includes('&'),
      timing: { betOnMs, startMs, calledOff, dayOf },
    };
  }

  #offersDraw(event: HistoryEvent, book: string, market: string): boolean {
    const { rows } = event;
    if (this.#draws.event !== event || this.#draws.rows !== rows.length) {
      const markets = new Set<string>();
      for (const row of rows) if (isThirdSide(row.selectionType)) markets.add(`${row.book}|${row.market}`);
      this.#draws = { event, rows: rows.length, markets };
    }
    return this.#draws.markets.size > 0 && this.#draws.markets.has(`${book}|${market}`);
  }

  /** A bet of a game whose result is known, of which no row is. */
  #stated(bet: StatedBet): Subject | undefined {
    const { event, market, selection, player, team } = bet;
    if (event === null || market === null || selection === null) return undefined;
    const known = this.#recorder.find(event);
    const game = this.#results.resultOf(event) ?? known;
    if (game === undefined) return undefined;
    const { sport, league, startMs } = game;
    const line = lineMeant(this.#catalogue, game, market, bet.line ?? null);
    const stated = this.#catalogue.types.stated(market, sport);
    const names = namesIn(this.#catalogue, game, selection, stated.type);
    const book = this.#bookOf(bet);
    const type = this.#catalogue.typeAt(stated.type, book, line);
    const rules = this.#catalogue.types.of(type, sport, league);
    const name = selectionOf(rules, names, selection);
    const betOnMs = bet.startMs ?? (known === undefined ? startMs : firstStartOf(known));
    return {
      event,
      sport,
      book,
      market: type,
      rules,
      selection: name,
      names,
      line,
      player: player === null ? null : canonicalPlayerName(player),
      playerName: player,
      namesakes: known?.namesakes ?? [],
      team: team ?? stated.team,
      threeWay:
        bet.threeWay === true || name === 'draw' || (known !== undefined && this.#offersDraw(known, book, type)),
      scored: bet.scored ?? null,
      ...this.#gameOf(book, known ?? game, betOnMs, known !== undefined && isCalledOff(known)),
    };
  }

  #bookOf({ sportsbook }: StatedBet): string {
    return sportsbook === null ? '' : this.#catalogue.bookId(sportsbook);
  }
}

type Players = ResultWord['players'];
const byName = new WeakMap<Players, Players>();

/** A result that an earlier version recorded may have another key for a name than the name has now. */
function playersByName(players: Players): Players {
  let named = byName.get(players);
  if (named === undefined) {
    const now = Object.entries(players).map(([key, player]) => {
      const name = canonicalPlayerName(player.name);
      return [key, key === playerKey(player.name, [name]) ? key : name, player] as const;
    });
    // Whom a name meant already, it means still.
    const meant = now.filter(([key, name]) => key === name || !Object.hasOwn(players, name));
    named = Object.fromEntries(meant.map(([, name, player]) => [name, player]));
    byName.set(players, named);
  }
  return named;
}

/** The key of a player's result: of two men of one name of him alone; '' if it is not told. */
function keyIn(players: Players, name: string, namesakes: readonly string[]): string {
  const key = canonicalPlayerName(name);
  const own = playerKey(name, [key]);
  if (own !== key && Object.hasOwn(players, own)) return own;
  const told = Object.hasOwn(players, key) ? players[key] : undefined;
  const apart = namesakes.includes(key) || Object.keys(players).some((other) => other.startsWith(`${key} `));
  return apart && told !== undefined && playerKey(told.name, [key]) !== own ? '' : key;
}

/**
 * A venue's word on its own market; a line that it does not name is every line. Of a lay it is a word on the selection, in
 * whichever of the two markets it is told.
 * @param base the market of which a contract venue's own strikes are; of others the same
 */
function ownWord({ settlements }: ResultRecord, subject: Subject, base: string): Grade | undefined {
  const { book, line, player, playerName, namesakes, team, names, rules } = subject;
  const wordOn = (who: string | null): Grade | undefined => {
    for (const market of new Set([subject.market, rules.lay ? rules.backed : base]))
      for (const selection of names)
        for (const at of line === null ? [null] : [line, null]) {
          const outcome = settlements[settlementKey({ book, market, selection, line: at, player: who, team })];
          if (outcome !== undefined) return gradeOfOutcome(outcome);
        }
    return undefined;
  };
  if (playerName === null || player === null) return wordOn(null);
  const [own, ...others] = playerKeys(playerName);
  const word = wordOn(own!);
  if (word !== undefined || namesakes.includes(player)) return word;
  // Told by another spelling of his name, and of no one else.
  const found = others.flatMap((who) => wordOn(who) ?? []);
  return found.length === 1 ? found[0] : undefined;
}

/** Of a row's names, the one word for its outcome, else the one that says its side; of an outright whoever it is. */
function selectionOf(rules: MarketRules, names: readonly string[], name: string): string {
  if (rules.family === 'outright')
    return names.find((each) => each === 'yes' || each === 'no') ?? canonicalPlayerName(name);
  return names.find((name) => outcomeOf(rules, name) === name) ?? names.find(isSide) ?? names[0]!;
}

function fault(reason: BetFault): SettledBet {
  return { result: 'ungradeable', reason, profit_units: null, return_units: null, revision: 0, toldUs: 0 };
}
