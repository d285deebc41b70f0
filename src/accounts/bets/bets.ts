// Accounts' bets: recorded and judged as messages are executed, graded when the results of their games arrive. Every
// process reads its own copy of the control store; the process that writes runs the commands.

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { Clock } from '../../base/model/clock.js';
import { chargeOf } from '../../base/model/commission.js';
import { ApiError } from '../../base/model/errors.js';
import { eventId } from '../../base/model/identity.js';
import { LIMITS } from '../../base/model/limits.js';
import type { AwaitedGame, EventRef } from '../../base/model/normal-message.js';
import { command } from '../../log/control/command.js';
import type { Control } from '../../log/control/control.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { lineMeant } from '../../rules/catalogue/described-bet.js';
import { playerKey } from '../../rules/catalogue/player-name.js';
import type { Bet as ClosedBet } from '../../store/clv/grader.js';
import type { AskHistory } from '../../store/clv/queries.js';
import type { StatedBet } from '../../store/clv/settler.js';
import type { DeltaListener, OddsTable } from '../../tables/table.js';
import type { KeyRecord } from '../key-record.js';
import { type Bet, type BetFill, type BetRequest, type BetSubject, counts, riskOf } from './bet.js';
import {
  type BetChange,
  type BetOutcome,
  bankrollOf,
  changeBet,
  countBets,
  entryOf,
  forgetBets,
  gradeBets,
  judgeBet,
  noteSeen,
  type Placed,
  placeBets,
  setBankroll,
  strikeBet,
} from './commands.js';
import { ConsumedDepth } from './consumed-depth.js';
import { type JudgingSettings, judgedRow, judgedRowInHistory, lineFaultOf } from './judged-row.js';
import type { Bankroll } from './ledger.js';

const place = command('bets.place', placeBets);
const judge = command('bets.judge', judgeBet);
const grade = command('bets.grade', gradeBets);
const seen = command('bets.seen', noteSeen);
const strike = command('bets.strike', strikeBet);
const change = command('bets.change', changeBet);
const bankroll = command('bets.bankroll', setBankroll);
const count = command('bets.count', countBets);
export const forget = command('bets.forget', forgetBets);

/** What bets need of the engine. */
export interface BetsEngine {
  readonly catalogue: Catalogue;
  readonly table: OddsTable;
  readonly clock: Clock;
  readonly control: Control;
  onDelta(listener: DeltaListener): void;
  /** To be asked which games open bets wait for. */
  awaited?: ((ref: EventRef) => AwaitedGame | undefined) | undefined;
}

export interface BetsOptions extends JudgingSettings {
  engine: BetsEngine;
  /** Grades them, and knows rows that have left the table; without it all stay open. */
  history: AskHistory | undefined;
  hasResult(event: string): boolean;
  /** This process judges and grades: others see what it did. */
  judges: boolean;
  /** Time passes only with passTime(): the clock is a recording's. */
  recorded: boolean;
  onError(error: unknown): void;
}

/** Bets graded with one command. */
const GRADED_AT_ONCE = LIMITS.gradedBets.max;
/** Between two pauses: about a millisecond. */
const READ_AT_ONCE = 128;
const LOOK_MS = 250;
/** A recording is not looked at again once it is over: so often bets that could not be graded are tried at once. */
const TRIES_AT_ONCE = 20;
/** What nobody told of a game may be given up: how often that is looked at. */
const REGRADE_MS = 3_600_000;

interface Waiting {
  account: string;
  no: number;
  dueMs: number;
}

export class Bets {
  readonly #options: BetsOptions;
  readonly #control: Control;
  readonly #timer: NodeJS.Timeout | undefined;
  #waiting: Waiting[] | null = null;
  /** Events whose bets are to be graded: all of them, or those of these entries. */
  readonly #events = new Map<string, 'all' | 'open' | Set<string>>();
  #grading: Promise<void> | undefined;
  readonly #taken: ConsumedDepth | undefined;
  #regradeMs: number;
  /** Bets that were read to be graded. */
  #read = 0;
  #closed = false;
  /** Settles when bets of an earlier version are counted. */
  #counted: Promise<void> = Promise.resolve();
  readonly #unlisten: () => void;

  constructor(options: BetsOptions) {
    this.#options = options;
    const { engine, judges } = options;
    this.#control = engine.control;
    this.#regradeMs = engine.clock.now() + REGRADE_MS;
    this.#unlisten = this.#control.store.onChange((changes) => {
      this.#waiting = null;
      if (!judges) return;
      this.#taken!.changed(changes);
      this.#noteRecorded(changes ?? []);
    });
    if (!judges) return;
    this.#taken = new ConsumedDepth({ table: engine.table, store: this.#control.store, paperMax: options.paperMax });
    engine.awaited = (ref) => this.#awaited(ref);
    engine.onDelta((applied, delta) => {
      this.#taken!.apply(applied);
      const { results } = delta;
      for (const { eventId } of results ?? []) this.#events.set(eventId, 'all');
      if (this.#events.size > 0) this.#grade();
    });
    for (const event of this.#eventsWithBets()) this.#events.set(event, 'all');
    this.#counted = this.#countUncounted();
    if (options.recorded) return;
    this.#timer = setInterval(() => void this.passTime(), LOOK_MS);
    this.#timer.unref();
  }

  /** Once per account, in a directory of a version that did not count them. */
  async #countUncounted(): Promise<void> {
    try {
      for (const [entry, value] of [...this.#control.store.entries(entryOf.bankrolls)]) {
        if (this.#closed) return;
        if ((value as Bankroll).counted === undefined) await this.#control.run(count, entry.split('|')[1]!);
      }
    } catch (error) {
      if (!this.#closed) this.#options.onError(error);
    }
  }

  /** The game of a bet that a result refers to, also when neither the table nor history has it any more. */
  #awaited(ref: EventRef): AwaitedGame | undefined {
    const { catalogue } = this.#options.engine;
    for (const id of ref.eventId === null ? possibleIds(ref, catalogue) : [ref.eventId])
      for (const [entry] of this.#control.store.entries(entryOf.ofEvent(id), 1)) {
        const [, , account = '', no = ''] = entry.split('|');
        const { league, sport, home, away, startMs } = this.get(account, Number(no))?.subject ?? {};
        if (league === undefined || sport === undefined || startMs === undefined) continue;
        return { eventId: id, league, sport, home: home!, away: away!, startMs };
      }
    return undefined;
  }

  /** Bets on games that are over already: they alone are graded, not all others of their game with them. */
  #noteRecorded(changes: readonly (readonly [entry: string, value: unknown])[]): void {
    for (const [entry, value] of changes) {
      if (value === null || !entry.startsWith(`${entryOf.events}|`)) continue;
      const event = decodeURIComponent(entry.split('|')[1]!);
      if (!this.#options.hasResult(event)) continue;
      const which = getOrInsert(this.#events, event, () => new Set<string>());
      if (which === 'open') this.#events.set(event, 'all');
      else if (which !== 'all') which.add(entry);
    }
    if (this.#events.size > 0) this.#grade();
  }

  /** Records and judges bets, all or none. Throws ApiError `conflict`, and `invalid_request` for a line that cannot be. */
  async place(key: KeyRecord, requests: readonly BetRequest[]): Promise<Bet[]> {
    const bets = requests.map((request) => ({ request, standing: this.#standing(request.oddsId, key) }));
    await this.#findPlaced(key, bets);
    this.#checkLines(bets);
    await this.#storeSeen();
    return await this.#control.run(place, { account: key.account, tier: key.tier, bets, rates: this.#rates });
  }

  async #storeSeen(): Promise<void> {
    const taken = this.#taken?.take() ?? [];
    if (taken.length > 0) await this.#control.run(seen, taken);
  }

  /** How many of them history would be asked about. */
  lookUps(requests: readonly BetRequest[]): number {
    const { engine, history } = this.#options;
    if (history === undefined) return 0;
    return requests.filter(({ mode, oddsId }) => mode === 'placed' && engine.table.slotOf(oddsId) === undefined).length;
  }

  /** What was bet elsewhere may have left the table since. */
  async #findPlaced({ tier }: KeyRecord, bets: Placed[]): Promise<void> {
    const { history, engine } = this.#options;
    const gone = bets.filter(({ request, standing }) => request.mode === 'placed' && standing === null);
    if (history === undefined || gone.length === 0) return;
    const rows = await history(
      'rows',
      gone.map(({ request }) => request.oddsId),
    );
    for (const [i, bet] of gone.entries()) {
      const row = rows[i] ?? null;
      if (row !== null) bet.standing = judgedRowInHistory(engine.catalogue, bet.request.oddsId, row, tier);
    }
  }

  #checkLines(bets: readonly Placed[]): void {
    const { catalogue } = this.#options.engine;
    for (const bet of bets) {
      const { request, standing } = bet;
      if (standing === null || request.line === undefined) continue;
      const line = lineMeant(catalogue, standing.subject, standing.subject.market, request.line);
      bet.request = { ...request, line };
      const fault = lineFaultOf(catalogue, standing, line);
      if (fault !== undefined) throw new ApiError('invalid_request', `bet ${request.clientId}: ${fault}`);
    }
  }

  /** Every bet, newest first; in pieces with pauses, as there may be many. */
  async *all(account: string, end?: AbortSignal): AsyncGenerator<Bet[], void> {
    let piece: Bet[] = [];
    for (let no = this.bankroll(account).bets; no > 0; no--) {
      const bet = this.get(account, no);
      if (bet !== undefined) piece.push(bet);
      if (piece.length < READ_AT_ONCE) continue;
      yield piece;
      piece = [];
      await nextTurn();
      end?.throwIfAborted();
    }
    yield piece;
  }

  /** Those with money at stake or waiting for it, newest first; in pieces too. */
  async open(account: string, end: AbortSignal): Promise<Bet[]> {
    let left = this.bankroll(account).open;
    let waiting = this.#waitingBets().filter((one) => one.account === account).length;
    const found: Bet[] = [];
    if (left === 0 && waiting === 0) return found;
    for await (const piece of this.all(account, end)) {
      for (const bet of piece) {
        if (bet.status === 'pending') waiting--;
        else if (counts(bet) && bet.grading?.profit == null) left -= riskOf(bet);
        else continue;
        found.push(bet);
      }
      if (left <= 0 && waiting <= 0) break;
    }
    return found;
  }

  get(account: string, no: number): Bet | undefined {
    return this.#control.store.value(entryOf.bet(account, no)) as Bet | undefined;
  }

  strike(account: string, no: number): Promise<Bet> {
    return this.#control.run(strike, { account, no });
  }

  /** Throws ApiError `not_found` and `conflict`. */
  change(account: string, no: number, changed: BetChange): Promise<Bet> {
    const { commission, sportsbook } = this.get(account, no)?.subject ?? {};
    const ofBook = sportsbook === undefined ? null : this.#options.engine.catalogue.commissionOf(sportsbook);
    return this.#control.run(change, { account, no, change: changed, charge: chargeOf(commission, ofBook) });
  }

  /** What paper bets get of a price that nothing bounds. */
  get paperMax(): number {
    return this.#options.paperMax;
  }

  bankroll(account: string): Bankroll {
    return bankrollOf(this.#control.store, account);
  }

  setBankroll(account: string, deposits: number | null, currency: string): Promise<Bankroll> {
    return this.#control.run(bankroll, { account, deposits, currency });
  }

  /** When the next bet in play is judged (Unix ms). */
  get nextDeadlineMs(): number {
    return Math.min(...this.#waitingBets().map(({ dueMs }) => dueMs), Number.POSITIVE_INFINITY);
  }

  /** Judges bets whose delay is over, and grades again what may have been given up. */
  async passTime(): Promise<void> {
    const nowMs = this.#options.engine.clock.now();
    const due = this.#waitingBets().filter(({ dueMs }) => dueMs <= nowMs);
    if (nowMs >= this.#regradeMs) {
      this.#regradeMs = nowMs + REGRADE_MS;
      for (const event of this.#eventsWithBets())
        if (this.#events.get(event) !== 'all') this.#events.set(event, 'open');
    }
    if (this.#events.size > 0) this.#grade();
    try {
      await this.#storeSeen();
      for (const { account, no } of due) {
        const { oddsId, tier, subject } = this.get(account, no)!;
        const standing = this.#standing(oddsId, { tier }, subject);
        await this.#control.run(judge, { account, no, standing, rates: this.#rates });
      }
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Settles when everything that results told so far is graded; to the number of games that could not be. */
  async graded(): Promise<number> {
    while (this.#grading !== undefined) await this.#grading;
    return this.#events.size;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#unlisten();
    this.#events.clear();
    await this.#counted;
    await this.graded();
  }

  get #rates() {
    return this.#options.engine.catalogue.rates;
  }

  /** @param waited what the id was of when the bet was made: of two players of one name it may be the other's by now */
  #standing(oddsId: string, { tier }: Pick<KeyRecord, 'tier'>, waited?: BetSubject | null) {
    const { engine } = this.#options;
    const row = judgedRow(engine, oddsId, tier, this.#options, engine.clock.now());
    const [player, before] = [row?.subject.player ?? null, waited?.player ?? null];
    if (player === null || before === null) return row;
    const { namesakes } = engine.table.eventOf(engine.table.slotOf(oddsId)!);
    return playerKey(player, namesakes) === playerKey(before, namesakes) ? row : null;
  }

  #waitingBets(): readonly Waiting[] {
    this.#waiting ??= [...this.#control.store.entries(entryOf.waiting)].map(([entry, dueMs]) => {
      const [, account = '', no = ''] = entry.split('|');
      return { account, no: Number(no), dueMs: dueMs as number };
    });
    return this.#waiting;
  }

  #eventsWithBets(): Set<string> {
    const events = new Set<string>();
    for (const [entry] of this.#control.store.entries(entryOf.events))
      events.add(decodeURIComponent(entry.split('|')[1]!));
    return events;
  }

  #grade(): void {
    this.#grading ??= this.#gradeAll().finally(() => {
      this.#grading = undefined;
    });
  }

  async #gradeAll(): Promise<void> {
    let failed = 0;
    // What is told meanwhile is part of it, and so is what is tried again.
    for (const [event, which] of this.#events) {
      this.#events.delete(event);
      try {
        await this.#gradeEvent(event, which);
      } catch (error) {
        if (this.#closed) return;
        this.#events.set(event, 'all');
        this.#options.onError(error);
        // Live, with the next look.
        if (!this.#options.recorded || ++failed === TRIES_AT_ONCE) return;
        await pause(LOOK_MS);
      }
    }
  }

  async #gradeEvent(event: string, which: 'all' | 'open' | ReadonlySet<string>): Promise<void> {
    const { store } = this.#control;
    const bets: { account: string; bet: Bet }[] = [];
    const entries =
      typeof which === 'string' ? [...store.entries(entryOf.ofEvent(event))].map(([entry]) => entry) : which;
    for (const entry of entries) {
      const [, , account = '', no = ''] = entry.split('|');
      const bet = this.get(account, Number(no));
      if (bet !== undefined && (which !== 'open' || bet.grading?.profit == null)) bets.push({ account, bet });
      if (++this.#read % READ_AT_ONCE === 0) await nextTurn();
    }
    for (let first = 0; first < bets.length; first += GRADED_AT_ONCE) {
      const some = bets.slice(first, first + GRADED_AT_ONCE);
      const outcomes = await this.#outcomes(some);
      if (outcomes.length > 0) await this.#control.run(grade, outcomes);
    }
  }

  async #outcomes(bets: readonly { account: string; bet: Bet }[]): Promise<BetOutcome[]> {
    const { history, engine } = this.#options;
    if (history === undefined) return [];
    const nowMs = engine.clock.now();
    const fills = bets.flatMap(({ bet }) => bet.fills.map((one) => statedOf(bet, one)));
    const settled = await history('settle', { bets: fills, nowMs });
    const closing = { bets: bets.map(({ bet }) => closedOf(bet)), nowUs: Math.floor(nowMs * 1000) };
    const closes = await history('grade', closing);
    let next = 0;
    return bets.map(({ account, bet: { no, fills: own } }, i) => {
      const parts = settled.slice(next, next + own.length);
      next += own.length;
      const { result, reason, revision, toldUs } = parts[0]!;
      const units = parts.map((end) => end.profit_units);
      return { account, no, result, reason, revision, toldUs, units, clv: closes[i]!.clv };
    });
  }
}

/** Ids of games of these teams on that day, whichever is at home. */
function possibleIds({ league, home, away, startMs }: EventRef, catalogue: Catalogue): string[] {
  const date = catalogue.localDate(league, startMs);
  const [one, other] = [home, away].map((name) => catalogue.resolveTeam(league, name).token) as [string, string];
  return [1, 2].flatMap((game) => [eventId(league, one, other, date, game), eventId(league, other, one, date, game)]);
}

function statedOf({ subject }: Bet, { decimal, atMs }: BetFill): StatedBet {
  const { oddsId, event, market, selectionType: selection, sportsbook, line, player, team } = subject!;
  const { threeWay, commission, startMs, scored } = subject!;
  return {
    oddsId,
    event,
    market,
    selection,
    sportsbook,
    line,
    player,
    team,
    decimal,
    atUs: Math.floor(atMs * 1000),
    threeWay,
    commission,
    startMs,
    scored,
  };
}

function closedOf({ subject, fills, recordedMs }: Bet): ClosedBet {
  const { oddsId, event, market, selection, sportsbook, line } = subject!;
  const cents = fills.reduce((sum, fill) => sum + fill.cents, 0);
  const decimal = fills.reduce((sum, fill) => sum + fill.cents * fill.decimal, 0) / cents;
  const atUs = Math.floor((fills[0]?.atMs ?? recordedMs) * 1000);
  return { oddsId, event, market, selection, sportsbook, line, american: null, decimal, atUs };
}
