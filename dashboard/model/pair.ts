// Prices of one game that come onto the ticket one by one, as what they are together: a pair of opposite sides (an
// arbitrage, or a low hold that costs), a middle, or a hedge of a bet that stands already.
import type { OddsRow, OpportunityChannel, OpportunityItem, OpportunityItems } from '../../src/client/client.js';
import { laidType } from '../../src/rules/markets/derive.js';
import { sideOf as sideIn, wholeFrom } from '../../src/rules/markets/sides.js';
import type { Leg } from './legs.js';
import { rulesOf } from './market-choice.js';
import { signedText } from './odds-format.js';
import { isSameSubject, sideOf, subjectOf } from './outcome.js';
import { betOf, type Evaluation, type Play, type PlayTerms } from './play.js';
import type { Profile } from './profile.js';
import { type Chip, NO_RESERVATIONS } from './reservations.js';
import { playedResults } from './results.js';
import { effectiveDecimal } from './stakes.js';
import type { PlacedBet, TicketEntry } from './ticket.js';
import { lacksSide, ThirdSides } from './whole.js';

/** What the rows of the market say of it. */
export interface MarketRows {
  rows: Iterable<OddsRow>;
  /** Every book's rows of the market are among them. */
  isComplete: boolean;
}

/**
 * The new price with what it belongs to: a bet that stands, or prices that wait on the ticket. Undefined if it belongs
 * to nothing, `unknown` while the rows that say so are on their way.
 */
export function joined(
  fresh: TicketEntry,
  waiting: readonly TicketEntry[],
  placed: readonly PlacedBet[],
  market: MarketRows,
): TicketEntry | 'unknown' | undefined {
  if (!isSingle(fresh)) return undefined;
  const mates = waiting.filter((entry) => entry.id !== fresh.id && isSingle(entry) && isSameMarket(entry, fresh));
  const standing = standingBets(placed, fresh).map((bet) => placedEntry(bet, fresh));
  let isUnknown = false;
  for (const parts of [...standing, ...mates].map((mate) => [mate, fresh])) {
    const together = togetherOf(parts, market);
    if (together === 'unknown') isUnknown = true;
    else if (together !== undefined) return together;
  }
  // Three outcomes: any two of the others.
  for (const [i, one] of mates.entries())
    for (const other of mates.slice(i + 1)) {
      const together = togetherOf([other, one, fresh], market);
      if (together === 'unknown') isUnknown = true;
      else if (together !== undefined) return together;
    }
  return isUnknown ? 'unknown' : undefined;
}

function isSingle({ play, apart, teams }: TicketEntry): boolean {
  return (play.kind === 'single' || play.kind === 'ev') && apart !== true && teams !== undefined;
}

function isSameMarket(a: Pick<TicketEntry, 'eventId' | 'market' | 'of'>, b: TicketEntry): boolean {
  return a.eventId === b.eventId && a.market === b.market && isSameSubject(a.of, b.of, a.market);
}

/** Bets on the market that nothing stands against yet. */
function standingBets(placed: readonly PlacedBet[], fresh: TicketEntry): PlacedBet[] {
  const ofMarket = placed.filter(({ of, ...bet }) => of !== undefined && isSameMarket({ ...bet, of }, fresh));
  const sides = new Set(ofMarket.map(({ selection }) => selection));
  if (sides.size !== 1) return [];
  return ofMarket.filter(({ ticket, status, stake }) => {
    return ticket === undefined && stake > 0 && (status === undefined || status.startsWith('filled'));
  });
}

function placedEntry(bet: PlacedBet, { teams, eventName }: TicketEntry): TicketEntry {
  const { outcome, selection, line, book, american, decimal, oddsId, currency, stake, commission = null } = bet;
  const isLay = laidType(bet.market) !== undefined;
  const leg: Leg = {
    ...{ outcome, selection, line, american, decimal, oddsId, currency, commission },
    ...{ books: [book], net: decimal, links: {}, stakePercent: null, fair: null, isLay, stakeMax: null },
    // Kept as the backer's stake; what is at risk is the liability.
    placed: isLay ? stake * (decimal - 1) : stake,
  };
  const play: Play = { kind: 'single', legs: [leg], played: undefined, decided: 1, reservations: NO_RESERVATIONS };
  return {
    ...{ id: `placed ${bet.at} ${oddsId}`, eventId: bet.eventId, eventName, market: bet.market },
    ...{ of: subjectOf(bet.of ?? {}), play, teams },
  };
}

function togetherOf(parts: readonly TicketEntry[], market: MarketRows): TicketEntry | 'unknown' | undefined {
  const fresh = parts.at(-1)!;
  const legs = parts.map(({ play }) => play.legs[0]!);
  const results = resultsOf(legs, fresh, market);
  if (results === undefined || results === 'unknown') return results;
  return {
    id: `pair ${parts.map(({ id }) => id).join(' ')}`,
    ...{ eventId: fresh.eventId, eventName: fresh.eventName, market: fresh.market, of: fresh.of, teams: fresh.teams },
    play: {
      kind: isMiddle(results.played) ? 'middles' : 'low_hold',
      legs,
      played: results.played,
      decided: 1,
      reservations: NO_RESERVATIONS,
    },
    parts: [...parts],
  };
}

function resultsOf(legs: readonly Leg[], entry: TicketEntry, { rows, isComplete }: MarketRows) {
  const { market, of, eventId } = entry;
  const teams = entry.teams!;
  const sides = legs.map(({ selection }) => sideOf(selection, teams));
  // Between the lines all would lose, or a side is there twice.
  if (sides.includes(undefined) || (new Set(sides).size < sides.length && legs.length > 2)) return undefined;
  if (!isComplete) return 'unknown';
  const known = [...rows].filter((row) => row.event_id === eventId);
  const sport = known[0]?.sport ?? '';
  const thirds = new ThirdSides(known);
  const isThreeWay = (leg: Leg): boolean => {
    return thirds.isThreeWay({
      event_id: eventId,
      sport,
      market_type: market,
      sportsbook: leg.books[0]!,
      line: leg.line,
    });
  };
  const inMarket = known.filter((row) => row.market_type === market && isSameSubject(row, of, market));
  if (legs.some((leg, i) => lacksSide(priceOf(leg, sides[i]!), inMarket))) return undefined;
  const threeWay = legs.map(isThreeWay);
  // Prices of two results and of three settle differently.
  if (new Set(threeWay).size > 1) return undefined;
  return together(legs, sides as string[], { market_type: market, sport, ...teams }, threeWay[0]!);
}

/** As the rows of its book are compared with it. */
function priceOf({ books, line, decimal }: Leg, side: string): Parameters<typeof lacksSide>[0] {
  return { sportsbook: books[0]!, selection_type: side, line, odds_decimal: decimal };
}

function together(
  legs: readonly Leg[],
  sides: readonly string[],
  market: Parameters<typeof playedResults>[1],
  threeWay: boolean,
): { played: Play['played'] } | undefined {
  const lined = legs.every(({ line }) => line !== null);
  const rules = rulesOf(market.market_type, market.sport);
  if (lined) {
    if (threeWay || legs.length !== 2) return undefined;
    if (!sides.every((side) => ['handicap', 'total'].includes(sideIn(rules, side, true)?.pairing ?? '')))
      return undefined;
    const played = playedResults(legs, market);
    const hasHole = played?.some(({ grades }) => grades.every((grade) => grade < 0)) ?? true;
    return hasHole ? undefined : { played };
  }
  if (legs.some(({ line }) => line !== null)) return undefined;
  const whole = sides.flatMap((side) => wholeFrom(rules, side, false, threeWay) ?? []);
  const isWhole = whole.length === sides.length && whole.every((side) => sides.includes(side));
  return isWhole ? { played: undefined } : undefined;
}

const isMiddle = (played: Play['played']): boolean =>
  played?.some(({ grades }) => grades.every((grade) => grade >= 0) && grades.some((grade) => grade > 0)) ?? false;

/** What the joined prices are now: a pair is an arbitrage while its prices leave something. */
export function kindNow({ kind, legs }: Play, profile: Profile, terms: PlayTerms): OpportunityChannel {
  if (kind === 'middles') return 'middles';
  const sum = legs.reduce((all, leg, i) => all + 1 / effectiveDecimal(betOf(leg, profile, terms.legs[i] ?? {})), 0);
  return sum < 1 ? 'arbitrage' : 'low_hold';
}

/** A stake stands, and the others follow it. */
export function isHedge({ legs }: Play, terms: PlayTerms): boolean {
  return legs.some(({ placed }, i) => (terms.legs[i]?.stake ?? placed) !== undefined);
}

/** What is asked of the server to find what it holds against these prices. */
export function checkQuery({ eventId, market, play }: TicketEntry): object {
  const books = [...new Set(play.legs.map(({ books: [book] }) => book!))];
  return {
    ...{ event: [eventId], market: [market], sportsbook: books, limit: 50 },
    ...(play.kind === 'arbitrage' ? { min_profit: -100, include_suspicious: true } : {}),
    ...(play.kind === 'low_hold' ? { max_hold: 100 } : {}),
    ...(play.kind === 'middles' ? { min_ev: -100, min_size: 0 } : {}),
  };
}

/** The opportunity of just these bets. */
export function sameBets(
  kind: OpportunityChannel,
  items: readonly OpportunityItem[],
  legs: readonly Leg[],
): OpportunityItem | undefined {
  const has = (books: readonly string[], selection: string, line: number | null): boolean =>
    legs.some((leg) => books.includes(leg.books[0]!) && leg.selection === selection && leg.line === line);
  return items.find((item) => {
    if (kind === 'arbitrage') {
      const of = (item as OpportunityItems['arbitrage']).legs;
      return of.length === legs.length && of.every((leg) => has([leg.sportsbook], leg.selection, leg.line));
    }
    if (kind === 'middles') {
      const { side1, side2 } = item as OpportunityItems['middles'];
      return [side1, side2].every((side) => has([side.book], side.selection, side.line));
    }
    const { side1, side2, side3 } = item as OpportunityItems['low_hold'];
    const of = [side1, side2, ...(side3 === null ? [] : [side3])];
    return of.length === legs.length && of.every((side) => has(side.books, side.selection, side.line));
  });
}

/** Where the server does not list these bets together. */
export const NOT_COMPARED: Chip = {
  text: 'rules not compared',
  title:
    'The server does not list these two together: how each book settles ties, refunds and games that end early is not compared',
  look: 'warn',
};

/** Which it is and what it locks, wins or costs; and on which results, or of what. */
export function saysOf(
  play: Play,
  { edge, plan, worst, worstPercent }: Evaluation,
  terms: PlayTerms,
  currency: string,
  chance: number | null,
): [what: string, when: string] {
  const isSure = play.reservations.isGuaranteed;
  const always = isSure ? 'whatever the result' : 'whichever side wins';
  if (plan.cost > 0 && isHedge(play, terms) && play.kind !== 'middles')
    return [`hedge: ${worst >= 0 ? 'locks' : 'leaves'} ${signedText(worst, currency)}`, always];
  if (play.kind === 'middles') {
    const best = Math.max(...plan.results.map(({ profit }) => profit));
    const both = plan.results.filter(({ grades }) => grades.every((grade) => grade > 0)).map(({ name }) => name);
    const where = both.length === 0 ? 'one wins, the other is refunded' : `both win on ${both.join(', ')}`;
    if (plan.cost <= 0) return ['middle', where];
    const percent = (amount: number): string => signedWhole((amount / plan.cost) * 100);
    const odds = chance === null ? '' : `${Math.round(chance * 100)} % of `;
    return [
      `middle: ${odds}${percent(best)}, worst ${signedWhole(worstPercent ?? 0)}`,
      `percent of the stake; ${where}`,
    ];
  }
  if (play.kind === 'arbitrage')
    return [`arbitrage: ${(edge ?? 0).toFixed(2)} %, ${signedText(worst, currency)}`, always];
  const costs = (1 / (1 + (edge ?? 0) / 100) - 1) * 100;
  const what = `low hold: costs ${costs.toFixed(2)} %`;
  return plan.cost > 0 ? [`${what}, ${signedText(worst, currency)}`, always] : [what, 'say what to stake in all'];
}

/** Halves away from 0: no loss is told as less than it is. */
function signedWhole(percent: number): string {
  const whole = Math.sign(percent) * Math.round(Math.abs(percent)) + 0;
  return `${whole > 0 ? '+' : ''}${whole}`;
}
