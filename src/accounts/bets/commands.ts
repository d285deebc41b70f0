// What changes an account's bets: each command is a function of what is stored, run one after another by the process
// that writes. A paper bet is judged by the row as it stood when the message was executed.
import { isDeepStrictEqual } from 'node:util';
import { type BetRejection, BY_HAND, type HandResult } from '../../base/model/bet-words.js';
import { type Commission, netDecimal } from '../../base/model/commission.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import { DEFAULT_CURRENCY, exchangeRate, type Rates } from '../../base/model/money.js';
import type { Draft } from '../../log/control/command.js';
import type { Tier } from '../../rules/catalogue/types.js';
import {
  type Bet,
  type BetFill,
  type BetGrading,
  type BetRequest,
  type BetSubject,
  counts,
  profitOfFill,
  reachOf,
  riskOf,
} from './bet.js';
import { halfEven } from './cents.js';
import { fill, isAccepted, isWorse, type Quote, samePrice, type TakenOfRow } from './fill.js';
import {
  type Bankroll,
  type Entry,
  isWithinReach,
  NO_ENTRY,
  newBankroll,
  recounted,
  replaced,
  withDeposits,
} from './ledger.js';

/** What is stored, with the changes of one command (log/control/command.ts). */
export type BetDraft = Pick<Draft, 'nowMs' | 'value' | 'entries' | 'put' | 'remove'>;

/** A row when a bet on it is judged; null if there is none. */
export interface JudgedRow {
  subject: BetSubject;
  /** Its line is part of its id: bets on it have no other. */
  alternate: boolean;
  /** Why nothing is filled now, whatever the price; null if the row counts. */
  closed: BetRejection | null;
  quote: Quote;
  live: boolean;
  /** How long a bet in play waits (ms). */
  delayMs: number;
}

export interface Placed {
  request: BetRequest;
  standing: JudgedRow | null;
}

const BETS_MAX = LIMITS.accountBets.max;
const LINE_NOISE = 1e-6;
/** Names sort as their numbers do. */
const NO_DIGITS = 12;

const EVENTS = 'betevent';

export const entryOf = {
  bankroll: (account: string): string => `bankroll|${account}`,
  bankrolls: 'bankroll',
  bets: (account: string): string => `bet|${account}`,
  bet: (account: string, no: number): string => `bet|${account}|${String(no).padStart(NO_DIGITS, '0')}`,
  client: (account: string, id: string): string => `betclient|${account}|${encodeURIComponent(id)}`,
  taken: (account: string, oddsId: string): string => `bettaken|${account}|${oddsId}`,
  allTaken: 'bettaken',
  /** Bets that a result of their game may grade. */
  ofEvent: (event: string): string => `${EVENTS}|${encodeURIComponent(event)}`,
  events: EVENTS,
  /** Bets that wait to be judged. */
  waiting: 'betwaiting',
};

/** Whose bet an entry is; undefined if it is none. */
export function accountOfBet(entry: string): string | undefined {
  return entry.startsWith('bet|') ? entry.split('|')[1] : undefined;
}

export function bankrollOf(stored: Pick<BetDraft, 'value'>, account: string): Bankroll {
  return (stored.value(entryOf.bankroll(account)) as Bankroll | undefined) ?? newBankroll(DEFAULT_CURRENCY);
}

/** Records bets, all or none; one whose client id is known stays as it was. Throws `conflict` if it says something else. */
export function placeBets(
  draft: BetDraft,
  { account, tier, bets, rates }: { account: string; tier: Tier; bets: readonly Placed[]; rates: Rates },
): Bet[] {
  return bets.map(({ request: { line, ...request }, standing }) => {
    const known = draft.value(entryOf.client(account, request.clientId)) as number | undefined;
    if (known !== undefined) return repeated(draft.value(entryOf.bet(account, known)) as Bet, { line, ...request });
    const bankroll = bankrollOf(draft, account);
    if (bankroll.bets >= BETS_MAX) throw new ApiError('invalid_request', `an account records at most ${BETS_MAX} bets`);
    const no = bankroll.bets + 1;
    draft.put(entryOf.bankroll(account), { ...bankroll, bets: no });
    draft.put(entryOf.client(account, request.clientId), no);
    const bet: Bet = {
      ...request,
      no,
      tier,
      subject: standing && (line === undefined ? standing.subject : { ...standing.subject, line }),
      status: 'pending',
      reason: null,
      fills: [],
      bound: null,
      live: standing?.live ?? false,
      rate: 1,
      recordedMs: draft.nowMs,
      judgeMs: null,
      grading: null,
    };
    if (request.mode === 'paper' && standing?.live && standing.closed === null && standing.delayMs > 0) {
      const waiting = { ...bet, judgeMs: draft.nowMs + standing.delayMs };
      draft.put(`${entryOf.waiting}|${account}|${no}`, waiting.judgeMs);
      draft.put(entryOf.bet(account, no), waiting);
      return waiting;
    }
    return judged(draft, account, bet, standing, rates);
  });
}

function repeated(bet: Bet, request: BetRequest): Bet {
  const isAs = ({ cents, decimal, tag, note }: NonNullable<Bet['recorded']>): boolean =>
    cents === request.cents && samePrice(decimal, request.decimal) && tag === request.tag && note === request.note;
  const { subject } = bet;
  const atLine = request.line === undefined || subject === null || isSameLine(subject.line, request.line);
  const ofRow = bet.oddsId === request.oddsId && bet.mode === request.mode && atLine;
  const same = ofRow && (isAs(bet) || isAs(bet.recorded ?? bet));
  if (!same) throw new ApiError('conflict', `client_id ${request.clientId} is another bet's`);
  return bet;
}

/** A row that is gone does not say which line is meant, and earlier releases recorded what a float had made of one. */
function isSameLine(one: number | null, other: number | null): boolean {
  return one === other || (one !== null && other !== null && Math.abs(one - other) < LINE_NOISE);
}

/** Judges a bet that waited; undefined if it does not wait any more. */
export function judgeBet(
  draft: BetDraft,
  { account, no, standing, rates }: { account: string; no: number; standing: JudgedRow | null; rates: Rates },
): Bet | undefined {
  draft.remove(`${entryOf.waiting}|${account}|${no}`);
  const bet = draft.value(entryOf.bet(account, no)) as Bet | undefined;
  if (bet?.status !== 'pending') return undefined;
  // It is made at the score at which it is accepted.
  const scored = standing?.subject.scored;
  const subject = bet.subject && (scored === undefined ? bet.subject : { ...bet.subject, scored });
  return judged(draft, account, { ...bet, subject }, standing, rates);
}

function judged(draft: BetDraft, account: string, bet: Bet, standing: JudgedRow | null, rates: Rates): Bet {
  const decide = bet.mode === 'placed' ? asPlaced : onPaper;
  const after = { ...decide(draft, account, bet, standing, rates), judgeMs: null };
  draft.put(entryOf.bet(account, bet.no), after);
  if (!counts(after)) return after;
  enter(draft, account, NO_ENTRY, entryOfBet(after));
  if (!isWithinReach(bankrollOf(draft, account)))
    throw new ApiError('invalid_request', 'the sums of the account would be beyond 2^53 cents');
  draft.put(`${entryOf.ofEvent(after.subject!.event)}|${account}|${after.no}`, after.status);
  return after;
}

/** What the caller did elsewhere is taken as stated. */
function asPlaced(draft: BetDraft, account: string, bet: Bet, standing: JudgedRow | null, rates: Rates): Bet {
  if (standing === null) return rejected(bet, 'unknown_odds');
  if (standing.closed === 'model') return rejected(bet, 'model');
  const rate = rateFor(draft, account, standing, rates);
  if (Number.isNaN(rate)) return rejected(bet, 'no_rate');
  return { ...bet, status: 'filled', rate, fills: [fillAt(bet, bet, rate, draft.nowMs)] };
}

function onPaper(draft: BetDraft, account: string, bet: Bet, standing: JudgedRow | null, rates: Rates): Bet {
  if (standing === null) return rejected(bet, 'unknown_odds');
  const { closed, quote } = standing;
  if (closed !== null) return rejected(bet, closed);
  // A moved line is another price.
  const best = quote.levels[0]?.decimal;
  if (bet.subject!.line !== quote.line || best === undefined || isWorse(best, bet.decimal, quote.lay ?? false))
    return rejected(bet, 'price_moved');
  if (!isAccepted(bet.cents, best, quote.order)) return rejected(bet, 'below_minimum');
  const rate = rateFor(draft, account, standing, rates);
  if (Number.isNaN(rate)) return rejected(bet, 'no_rate');
  const taken = entryOf.taken(account, bet.oddsId);
  const found = fill(quote, draft.value(taken) as TakenOfRow | undefined, bet.cents, bet.decimal);
  if (found.fills.length === 0) return rejected({ ...bet, bound: quote.bound }, 'no_liquidity');
  const fills = found.fills.map((one) => fillAt(bet, one, rate, draft.nowMs));
  const bankroll = bankrollOf(draft, account);
  if (bankroll.deposits !== null && riskOf({ fills }) > bankroll.cash) return rejected(bet, 'insufficient_funds');
  const whole = found.fills.reduce((sum, { cents }) => sum + cents, 0) === bet.cents;
  const filled: Bet = { ...bet, status: whole ? 'filled' : 'part_filled', rate, fills, bound: quote.bound };
  // There is no request any more that could be refused for it.
  if (bet.judgeMs !== null && !isWithinReach(replaced(bankroll, NO_ENTRY, entryOfBet(filled))))
    return rejected(bet, 'insufficient_funds');
  draft.put(taken, found.taken);
  return filled;
}

function rejected(bet: Bet, reason: Bet['reason']): Bet {
  return { ...bet, status: 'rejected', reason };
}

function rateFor(draft: BetDraft, account: string, { subject }: JudgedRow, rates: Rates): number {
  return exchangeRate(subject.currency, bankrollOf(draft, account).currency, rates);
}

function fillAt({ subject }: Bet, { decimal, cents }: { decimal: number; cents: number }, rate: number, atMs: number) {
  const filled: BetFill = { decimal, cents, home: halfEven(cents * rate), atMs };
  return subject?.lay ? { ...filled, liability: halfEven(cents * (decimal - 1) * rate) } : filled;
}

function enter(draft: BetDraft, account: string, before: Entry, after: Entry): void {
  const entry = entryOf.bankroll(account);
  draft.put(entry, replaced(draft.value(entry) as Bankroll, before, after));
}

function entryOfBet(bet: Bet): Entry {
  return counts(bet) ? { risk: riskOf(bet), reach: reachOf(bet), profit: bet.grading?.profit ?? null } : NO_ENTRY;
}

/** What an account had taken of a row, and what is left of that by what the row stated since. */
export interface SeenTaken {
  account: string;
  oddsId: string;
  before: TakenOfRow;
  after: TakenOfRow;
}

/** Stores what was seen of rows since; what was filled meanwhile counts from what stood then. */
export function noteSeen(draft: BetDraft, seen: readonly SeenTaken[]): void {
  for (const { account, oddsId, before, after } of seen) {
    const entry = entryOf.taken(account, oddsId);
    if (!isDeepStrictEqual(draft.value(entry), before)) continue;
    if (after.levels.length === 0) draft.remove(entry);
    else draft.put(entry, after);
  }
}

/** How a bet ended: profit for a unit staked at the price of each fill, in their order; null while it is open. */
export interface BetOutcome extends Omit<BetGrading, 'profit' | 'atMs'> {
  no: number;
  account: string;
  /** Position of the last word about its game (Unix µs). */
  toldUs: number;
  units: readonly (number | null)[];
}

/** Why a bet that was settled is not any more: the game is to be played again, or the corrected score has no rule. */
const UNSETTLES: ReadonlySet<string> = new Set(['postponed', 'tie', 'dead_heat']);

/**
 * Grades bets, again where a result was corrected; returns those that changed. What is settled stays settled until there
 * is a newer word about its game: that a result, a price or a rule is not known any more changes nothing.
 */
export function gradeBets(draft: BetDraft, outcomes: readonly BetOutcome[]): { account: string; bet: Bet }[] {
  return outcomes.flatMap(({ account, no, units, toldUs, ...outcome }) => {
    const bet = draft.value(entryOf.bet(account, no)) as Bet | undefined;
    if (bet === undefined || !counts(bet)) return [];
    const open = units.length !== bet.fills.length || units.includes(null);
    const profit = open ? null : bet.fills.reduce((sum, one, i) => sum + profitOfFill(one, units[i]!), 0);
    const { grading } = bet;
    if (grading?.reason === BY_HAND) return valued(draft, account, bet, grading, outcome.clv);
    if (grading === null && open && outcome.result === 'pending') return [];
    const now = regraded(grading, { ...outcome, profit, atMs: draft.nowMs }, toldUs);
    if (now === grading) return [];
    const after: Bet = { ...bet, grading: now };
    enter(draft, account, entryOfBet(bet), entryOfBet(after));
    draft.put(entryOf.bet(account, no), after);
    // Its market is closed.
    if (!open) draft.remove(entryOf.taken(account, bet.oddsId));
    return [{ account, bet: after }];
  });
}

/** The caller's own word on a bet stands; its closing line value is the market's. */
function valued(draft: BetDraft, account: string, bet: Bet, grading: BetGrading, clv: number | null) {
  if (clv === null || clv === grading.clv) return [];
  const after: Bet = { ...bet, grading: { ...grading, clv } };
  draft.put(entryOf.bet(account, bet.no), after);
  return [{ account, bet: after }];
}

function regraded(before: BetGrading | null, after: BetGrading, toldUs: number): BetGrading {
  if (before === null) return after;
  const clv = after.clv ?? before.clv;
  const newer = after.revision > before.revision || toldUs > before.atMs * 1000;
  // Once it is settled, less than a word that settles it, or takes its settlement back, says nothing new.
  if (before.profit !== null && !(newer && (after.profit !== null || UNSETTLES.has(after.reason ?? ''))))
    return before.clv === clv ? before : { ...before, clv };
  const { result, reason, profit, revision } = after;
  const same = before.result === result && before.reason === reason && before.profit === profit;
  if (same && before.clv === clv && revision <= before.revision) return before;
  // A result that was forgotten and is told again counts its revisions anew.
  return { ...after, clv, revision: newer && !same ? Math.max(revision, before.revision + 1) : revision };
}

/** Strikes a bet that was recorded by mistake. Throws `not_found`, and `conflict` for a paper bet or a rejected one. */
export function strikeBet(draft: BetDraft, { account, no }: { account: string; no: number }): Bet {
  const bet = draft.value(entryOf.bet(account, no)) as Bet | undefined;
  if (bet === undefined) throw new ApiError('not_found', 'there is no bet with this id');
  if (bet.mode === 'paper') throw new ApiError('conflict', 'only bets placed elsewhere can be struck');
  if (bet.status === 'struck') return bet;
  if (!counts(bet)) throw new ApiError('conflict', `a bet that is ${bet.status} has nothing to strike`);
  const after: Bet = { ...bet, status: 'struck' };
  enter(draft, account, entryOfBet(bet), NO_ENTRY);
  draft.remove(`${entryOf.ofEvent(bet.subject!.event)}|${account}|${no}`);
  draft.put(entryOf.bet(account, no), after);
  return after;
}

/** What a caller says otherwise of a bet; undefined stays as it is. */
export interface BetChange {
  /** Of the row's currency. */
  cents?: number | undefined;
  price?: { decimal: number; american: number } | undefined;
  tag?: string | null | undefined;
  note?: string | null | undefined;
  /** Recorded by mistake, or not after all. */
  struck?: boolean | undefined;
  /** Null takes one back that was stated: the bet is graded again. */
  result?: HandResult | null | undefined;
}

/**
 * Changes a bet: of a paper bet, which is what was filled, the words alone. Throws `not_found` and `conflict`.
 * @param charge what its market charges
 */
export function changeBet(
  draft: BetDraft,
  { account, no, change, charge }: { account: string; no: number; change: BetChange; charge: Commission | null },
): Bet {
  const bet = draft.value(entryOf.bet(account, no)) as Bet | undefined;
  if (bet === undefined) throw new ApiError('not_found', 'there is no bet with this id');
  const { cents = bet.cents, price, tag = bet.tag, note = bet.note, struck, result } = change;
  const isMoney = change.cents !== undefined || price !== undefined || struck !== undefined || result !== undefined;
  if (isMoney && bet.mode === 'paper')
    throw new ApiError('conflict', 'of a paper bet only tag and note can be changed');
  if (isMoney && bet.subject === null) throw new ApiError('conflict', 'a rejected bet has nothing to change');
  if (isMoney && bet.status !== 'filled' && bet.status !== 'struck')
    throw new ApiError('conflict', `a bet that is ${bet.status} has nothing to change`);
  // Where rejected ones could be struck, before.
  if (isMoney && bet.fills.length === 0)
    throw new ApiError('conflict', 'a bet that was rejected has nothing to change');
  const { decimal, american, recorded } = bet;
  const changed: Bet = { ...bet, decimal, american, ...price, cents, tag, note };
  changed.recorded = recorded ?? { cents: bet.cents, decimal, tag: bet.tag, note: bet.note };
  if (!isMoney) {
    draft.put(entryOf.bet(account, no), changed);
    return changed;
  }
  if (struck !== undefined) changed.status = struck ? 'struck' : 'filled';
  changed.fills = [fillAt(changed, changed, bet.rate, bet.fills[0]?.atMs ?? bet.recordedMs)];
  changed.grading = gradingAfter(draft, bet, changed, result, charge);
  enter(draft, account, entryOfBet(bet), entryOfBet(changed));
  if (!isWithinReach(bankrollOf(draft, account)))
    throw new ApiError('invalid_request', 'the sums of the account would be beyond 2^53 cents');
  const ofEvent = `${entryOf.ofEvent(bet.subject!.event)}|${account}|${no}`;
  // Stated anew, it is looked at again.
  if (counts(changed)) draft.put(ofEvent, changed.status);
  else draft.remove(ofEvent);
  draft.put(entryOf.bet(account, no), changed);
  return changed;
}

/** Shares of the stake that are won and refunded. */
const SHARES: Partial<Record<BetGrading['result'], readonly [won: number, refunded: number]>> = {
  won: [1, 0],
  half_won: [0.5, 0.5],
  push: [0, 1],
  void: [0, 1],
  half_lost: [0, 0.5],
  lost: [0, 0],
};

/** Profit in cents of the bankroll, as results grade it; undefined where the word alone does not say it. */
function profitOf({ fills, subject }: Bet, result: BetGrading['result'], charge: Commission | null) {
  const shares = SHARES[result];
  if (shares === undefined) return undefined;
  const [won, refunded] = shares;
  return fills.reduce((sum, one) => {
    const { decimal } = one;
    if (subject?.lay !== true) return sum + profitOfFill(one, won * netDecimal(decimal, charge) + refunded - 1);
    const winnings = (netDecimal(decimal / (decimal - 1), charge) - 1) * (decimal - 1);
    return sum + profitOfFill(one, won * winnings - (1 - won - refunded) * (decimal - 1));
  }, 0);
}

function gradingAfter(
  draft: BetDraft,
  { grading, decimal, fills }: Bet,
  changed: Bet,
  result: BetChange['result'],
  charge: Commission | null,
): BetGrading | null {
  const samePriced = samePrice(decimal, changed.decimal);
  const clv = samePriced ? (grading?.clv ?? null) : null;
  const revision = (grading?.revision ?? 0) + 1;
  if (result != null) {
    const profit = profitOf(changed, result, charge)!;
    return { result, reason: BY_HAND, profit, revision, clv, atMs: draft.nowMs };
  }
  if (grading === null || (result === null && grading.reason === BY_HAND)) return null;
  if (grading.profit === null) return { ...grading, clv };
  const scaled = samePriced ? scaledProfit(grading.profit, fills[0], changed.fills[0]!) : undefined;
  const profit = scaled ?? profitOf(changed, grading.result, charge);
  // It is graded again at its price.
  return profit === undefined ? null : { ...grading, profit, clv };
}

/** Of another stake at the same price; undefined where the profit of the first does not say it. */
function scaledProfit(profit: number, before: BetFill | undefined, after: BetFill): number | undefined {
  const stakeOf = ({ home, liability = home }: BetFill): number => (profit > 0 ? home : liability);
  const stake = before === undefined ? 0 : stakeOf(before);
  return stake > 0 ? (profit / stake) * stakeOf(after) : undefined;
}

/** States the deposits, or that there are none. Throws `conflict` if bets in another currency are recorded. */
export function setBankroll(
  draft: BetDraft,
  { account, deposits, currency }: { account: string; deposits: number | null; currency: string },
): Bankroll {
  const before = bankrollOf(draft, account);
  if (before.currency !== currency && before.bets > 0)
    throw new ApiError('conflict', `bets are recorded in ${before.currency}`);
  const after = withDeposits(before, deposits, currency);
  if (!isWithinReach(after)) throw new ApiError('invalid_request', 'deposits: the sums would be beyond 2^53 cents');
  draft.put(entryOf.bankroll(account), after);
  return after;
}

/** Counts the bets of an account whose bankroll is from before they were counted. */
export function countBets(draft: BetDraft, account: string): void {
  const bankroll = bankrollOf(draft, account);
  if (bankroll.counted !== undefined) return;
  let counted = { open: 0, settled: 0 };
  for (let no = 1; no <= bankroll.bets; no++) {
    const bet = draft.value(entryOf.bet(account, no)) as Bet | undefined;
    if (bet !== undefined) counted = recounted(counted, NO_ENTRY, entryOfBet(bet));
  }
  draft.put(entryOf.bankroll(account), { ...bankroll, counted });
}

/** Every bet and bankroll of every account: a recording begins anew. */
export function forgetBets(draft: BetDraft, _: null): void {
  for (const kind of ['bankroll', 'bet', 'betclient', entryOf.allTaken, EVENTS, entryOf.waiting])
    for (const [entry] of draft.entries(kind)) draft.remove(entry);
}
