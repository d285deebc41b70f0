// What changes an account's bets: each command is a function of what is stored, run one after another by the process
// that writes. A paper bet is judged by the row as it stood when the message was executed.
import type { Tier } from '../catalogue/types.js';
import { ApiError } from '../model/errors.js';
import { LIMITS } from '../model/limits.js';
import { DEFAULT_CURRENCY, exchangeRate, type Rates } from '../model/money.js';
import type { Draft } from '../replication/control/command.js';
import { type Bet, type BetFill, type BetGrading, type BetRequest, type BetSubject, counts, stakeOf } from './bet.js';
import { halfEven } from './cents.js';
import { fill, type Quote, samePrice, type TakenOfRow } from './fill.js';
import { type Bankroll, type Entry, NO_ENTRY, newBankroll, replaced, withDeposits } from './ledger.js';

/** What is stored, with the changes of one command (replication/control/command.ts). */
export type BetDraft = Pick<Draft, 'nowMs' | 'value' | 'entries' | 'put' | 'remove'>;

/** A row when a bet on it is judged; null if there is none. */
export interface Standing {
  subject: BetSubject;
  quote: Quote;
  live: boolean;
  /** Lays cannot be filled on paper. */
  lay: boolean;
  /** How long a bet in play waits (ms). */
  delayMs: number;
}

export interface Placed {
  request: BetRequest;
  standing: Standing | null;
}

const BETS_MAX = LIMITS.accountBets.max;
/** Names sort as their numbers do. */
const NO_DIGITS = 12;

const EVENTS = 'betevent';

export const entryOf = {
  bankroll: (account: string): string => `bankroll|${account}`,
  bets: (account: string): string => `bet|${account}`,
  bet: (account: string, no: number): string => `bet|${account}|${String(no).padStart(NO_DIGITS, '0')}`,
  client: (account: string, id: string): string => `betclient|${account}|${encodeURIComponent(id)}`,
  taken: (account: string, oddsId: string): string => `bettaken|${account}|${oddsId}`,
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
  return bets.map(({ request, standing }) => {
    const known = draft.value(entryOf.client(account, request.clientId)) as number | undefined;
    if (known !== undefined) return repeated(draft.value(entryOf.bet(account, known)) as Bet, request);
    const bankroll = bankrollOf(draft, account);
    if (bankroll.bets >= BETS_MAX) throw new ApiError('invalid_request', `an account records at most ${BETS_MAX} bets`);
    const no = bankroll.bets + 1;
    draft.put(entryOf.bankroll(account), { ...bankroll, bets: no });
    draft.put(entryOf.client(account, request.clientId), no);
    const bet: Bet = {
      ...request,
      no,
      tier,
      subject: standing?.subject ?? null,
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
    if (request.mode === 'paper' && standing !== null && standing.live && standing.delayMs > 0) {
      const waiting = { ...bet, judgeMs: draft.nowMs + standing.delayMs };
      draft.put(`${entryOf.waiting}|${account}|${no}`, waiting.judgeMs);
      draft.put(entryOf.bet(account, no), waiting);
      return waiting;
    }
    return judged(draft, account, bet, standing, rates);
  });
}

function repeated(bet: Bet, request: BetRequest): Bet {
  const same =
    bet.oddsId === request.oddsId &&
    bet.mode === request.mode &&
    bet.cents === request.cents &&
    samePrice(bet.decimal, request.decimal) &&
    bet.tag === request.tag &&
    bet.note === request.note;
  if (!same) throw new ApiError('conflict', `client_id ${request.clientId} is another bet's`);
  return bet;
}

/** Judges a bet that waited; undefined if it does not wait any more. */
export function judgeBet(
  draft: BetDraft,
  { account, no, standing, rates }: { account: string; no: number; standing: Standing | null; rates: Rates },
): Bet | undefined {
  draft.remove(`${entryOf.waiting}|${account}|${no}`);
  const bet = draft.value(entryOf.bet(account, no)) as Bet | undefined;
  return bet?.status === 'pending' ? judged(draft, account, { ...bet, judgeMs: null }, standing, rates) : undefined;
}

function judged(draft: BetDraft, account: string, bet: Bet, standing: Standing | null, rates: Rates): Bet {
  const after =
    bet.mode === 'placed'
      ? asPlaced(draft, account, bet, standing, rates)
      : onPaper(draft, account, bet, standing, rates);
  draft.put(entryOf.bet(account, bet.no), after);
  if (!counts(after)) return after;
  enter(draft, account, NO_ENTRY, { stake: stakeOf(after), profit: null });
  draft.put(`${entryOf.ofEvent(after.subject!.event)}|${account}|${after.no}`, after.status);
  return after;
}

/** What the caller did elsewhere is taken as stated. */
function asPlaced(draft: BetDraft, account: string, bet: Bet, standing: Standing | null, rates: Rates): Bet {
  if (standing === null) return rejected(bet, 'unknown_odds');
  const rate = rateFor(draft, account, standing, rates);
  if (Number.isNaN(rate)) return rejected(bet, 'no_rate');
  return { ...bet, status: 'filled', rate, fills: [fillAt(bet.decimal, bet.cents, rate, draft.nowMs)] };
}

function onPaper(draft: BetDraft, account: string, bet: Bet, standing: Standing | null, rates: Rates): Bet {
  if (standing === null) return rejected(bet, 'unknown_odds');
  const { quote, lay } = standing;
  if (lay) return rejected(bet, 'lay');
  if (!quote.active) return rejected(bet, 'suspended');
  // A moved line is another price.
  const best = quote.levels[0]?.decimal ?? 0;
  if (bet.subject!.line !== quote.line || (best < bet.decimal && !samePrice(best, bet.decimal)))
    return rejected(bet, 'price_moved');
  const rate = rateFor(draft, account, standing, rates);
  if (Number.isNaN(rate)) return rejected(bet, 'no_rate');
  const taken = entryOf.taken(account, bet.oddsId);
  const found = fill(quote, draft.value(taken) as TakenOfRow | undefined, bet.cents, bet.decimal);
  if (found.fills.length === 0) return rejected({ ...bet, bound: quote.bound }, 'no_liquidity');
  const fills = found.fills.map(({ decimal, cents }) => fillAt(decimal, cents, rate, draft.nowMs));
  const { deposits, cash } = bankrollOf(draft, account);
  if (deposits !== null && stakeOf({ fills }) > cash) return rejected(bet, 'insufficient_funds');
  draft.put(taken, found.taken);
  const whole = found.fills.reduce((sum, { cents }) => sum + cents, 0) === bet.cents;
  return { ...bet, status: whole ? 'filled' : 'part_filled', rate, fills, bound: quote.bound };
}

function rejected(bet: Bet, reason: Bet['reason']): Bet {
  return { ...bet, status: 'rejected', reason };
}

function rateFor(draft: BetDraft, account: string, { subject }: Standing, rates: Rates): number {
  return exchangeRate(subject.currency, bankrollOf(draft, account).currency, rates);
}

function fillAt(decimal: number, cents: number, rate: number, atMs: number): BetFill {
  return { decimal, cents, home: halfEven(cents * rate), atMs };
}

function enter(draft: BetDraft, account: string, before: Entry, after: Entry): void {
  const entry = entryOf.bankroll(account);
  draft.put(entry, replaced(draft.value(entry) as Bankroll, before, after));
}

function entryOfBet(bet: Bet): Entry {
  return counts(bet) ? { stake: stakeOf(bet), profit: bet.grading?.profit ?? null } : NO_ENTRY;
}

/** How a bet ended: profit for a unit staked at the price of each fill, in their order; null while it is open. */
export interface BetOutcome extends Omit<BetGrading, 'profit' | 'atMs'> {
  no: number;
  account: string;
  units: readonly (number | null)[];
}

/** Grades bets, again where a result was corrected; returns those that changed. */
export function gradeBets(draft: BetDraft, outcomes: readonly BetOutcome[]): { account: string; bet: Bet }[] {
  return outcomes.flatMap(({ account, no, units, ...outcome }) => {
    const bet = draft.value(entryOf.bet(account, no)) as Bet | undefined;
    if (bet === undefined || !counts(bet)) return [];
    const open = units.length !== bet.fills.length || units.includes(null);
    const profit = open ? null : bet.fills.reduce((sum, { home }, i) => sum + halfEven(home * units[i]!), 0);
    const { grading } = bet;
    if (grading === null && open && outcome.result === 'pending') return [];
    const same =
      grading !== null &&
      grading.profit === profit &&
      grading.result === outcome.result &&
      grading.revision === outcome.revision &&
      grading.clv === outcome.clv;
    if (same) return [];
    const after: Bet = { ...bet, grading: { ...outcome, profit, atMs: draft.nowMs } };
    enter(draft, account, entryOfBet(bet), entryOfBet(after));
    draft.put(entryOf.bet(account, no), after);
    // Its market is closed.
    if (!open) draft.remove(entryOf.taken(account, bet.oddsId));
    return [{ account, bet: after }];
  });
}

/** Strikes a bet that was recorded by mistake. Throws `not_found`, and `conflict` for a paper bet. */
export function strikeBet(draft: BetDraft, { account, no }: { account: string; no: number }): Bet {
  const bet = draft.value(entryOf.bet(account, no)) as Bet | undefined;
  if (bet === undefined) throw new ApiError('not_found', 'there is no bet with this id');
  if (bet.mode === 'paper') throw new ApiError('conflict', 'only bets placed elsewhere can be struck');
  if (bet.status === 'struck') return bet;
  const after: Bet = { ...bet, status: 'struck' };
  if (counts(bet)) {
    enter(draft, account, entryOfBet(bet), NO_ENTRY);
    draft.remove(`${entryOf.ofEvent(bet.subject!.event)}|${account}|${no}`);
  }
  draft.put(entryOf.bet(account, no), after);
  return after;
}

/** States the deposits. Throws `conflict` if bets in another currency are recorded. */
export function setBankroll(
  draft: BetDraft,
  { account, deposits, currency }: { account: string; deposits: number; currency: string },
): Bankroll {
  const before = bankrollOf(draft, account);
  if (before.currency !== currency && before.bets > 0)
    throw new ApiError('conflict', `bets are recorded in ${before.currency}`);
  const after = withDeposits(before, deposits, currency);
  draft.put(entryOf.bankroll(account), after);
  return after;
}

/** Every bet and bankroll of every account: a recording begins anew. */
export function forgetBets(draft: BetDraft, _: null): void {
  for (const kind of ['bankroll', 'bet', 'betclient', 'bettaken', EVENTS, entryOf.waiting])
    for (const [entry] of draft.entries(kind)) draft.remove(entry);
}
