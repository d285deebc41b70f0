// Opportunities of each kind as detection would publish them, and a source that the test controls.

import type { DetectionPort } from '../../../src/answers/opportunities/universes.js';
import type { BetKind, UniverseSpec } from '../../../src/base/model/opportunity.js';
import { NO_TERMS } from '../../../src/base/model/stake-terms.js';
import type { EvaluationQuestion } from '../../../src/detection/question.js';
import type { Evaluated } from '../../../src/engine/engine-options.js';
import type { Opportunity, UniverseNews } from '../../../src/log/delta/opportunity.js';
import { OpportunityTable } from '../../../src/tables/universe-opportunities.js';

/** 2026-11-20 13:00:30 in New York. */
export const NOW_MS = Date.UTC(2026, 10, 20, 18, 0, 30);

const EVENT = {
  event_id: 'nba_lakers_celtics_2026-11-20',
  event_name: 'Boston Celtics @ Los Angeles Lakers',
  sport: 'basketball',
  league: 'nba',
  home_team: 'Los Angeles Lakers',
  away_team: 'Boston Celtics',
  start_time: '2026-11-21T02:00:00.000Z',
  is_live: false,
};
const PLAIN = { is_player_prop: false, player_name: null, stat_category: null, is_alternate_line: false };

const ITEMS: Record<BetKind, Record<string, unknown>> = {
  ev: {
    game_id: EVENT.event_id,
    ...EVENT,
    game: EVENT.event_name,
    market: 'moneyline',
    market_type: 'moneyline',
    selection: 'Boston Celtics',
    line: null,
    sportsbook: 'betmgm',
    odds_american: 150,
    odds_decimal: 2.5,
    odds_decimal_net: 2.5,
    implied_probability: 0.4,
    probability: 0.4,
    commission: null,
    currency: 'USD',
    ev_percentage: 4,
    fair_probability: 0.416,
    no_vig_odds: 140,
    kelly_percent: 2.6667,
    kelly_fraction: 0.026667,
    max_stake: 250,
    confidence_score: 80,
    book_count: 8,
    market_width: 2.1,
    devig_method: 'power',
    sharp_book: 'pinnacle',
    odds_id: '1001',
    deep_link: 'https://sports.pa.betmgm.com/en/sports/events/77',
    arb_available: false,
    arb_profit: null,
    ...PLAIN,
    warnings: [],
  },
  arbitrage: {
    ...EVENT,
    market_type: 'moneyline',
    line: null,
    profit_percent: 2,
    implied_total: 98.04,
    max_stake: 500,
    exceptions: [],
    legs: [leg('draftkings', 'home', '2001'), leg('betmgm', 'away', '2002')],
    game_state: null,
    ...PLAIN,
    warnings: [],
  },
  middle: {
    ...EVENT,
    market_type: 'total_points',
    side1: side('draftkings', 'Over', 219.5, '3001'),
    side2: side('betmgm', 'Under', 223.5, '3002'),
    max_stake: null,
    exceptions: [],
    middle_size: 4,
    middle_numbers: [220, 221, 222, 223],
    middle_probability: 0.08,
    expected_value: 3,
    roi_percentage: 3,
    worst_case_loss: -4.5,
    best_case_profit: 90.9,
    break_even_percent: 4.76,
    is_guaranteed_profit: false,
    key_numbers: [],
    key_number_probability: 0,
    market_overround: 1.0476,
    quality_score: 70,
    ...PLAIN,
    warnings: [],
  },
  low_hold: {
    ...EVENT,
    market_type: 'point_spread',
    line: -3.5,
    hold_percentage: 1.8,
    max_stake: null,
    exceptions: [],
    side1: holdSide('Los Angeles Lakers', { draftkings: 'https://sportsbook.draftkings.com/event/5' }),
    side2: holdSide('Boston Celtics', { fanduel: 'https://pa.sportsbook.fanduel.com/' }),
    side3: null,
    all_books: ['draftkings', 'fanduel'],
    confidence: 60,
    game_state: null,
    ...PLAIN,
    warnings: [],
  },
};

const SCORE_FIELD: Record<BetKind, string | null> = {
  ev: 'confidence_score',
  arbitrage: null,
  middle: 'quality_score',
  low_hold: 'confidence',
};

const EDGE_FIELD: Record<BetKind, string> = {
  ev: 'ev_percentage',
  arbitrage: 'profit_percent',
  middle: 'expected_value',
  low_hold: 'hold_percentage',
};

function leg(sportsbook: string, type: string, oddsId: string) {
  return {
    sportsbook,
    selection: type === 'home' ? EVENT.home_team : EVENT.away_team,
    selection_type: type,
    line: null,
    odds_american: 104,
    odds_decimal: 2.04,
    odds_decimal_net: 2.04,
    commission: null,
    currency: 'USD',
    implied_probability: 0.490196,
    probability: 0.490196,
    stake_percent: 50,
    max_stake: 250,
    odds_id: oddsId,
    last_seen_at: '2026-11-20T18:00:00.000Z',
    deep_link: null,
  };
}

function side(book: string, selection: string, line: number, oddsId: string) {
  const odds = {
    american: -110,
    decimal: 1.909091,
    decimal_net: 1.909091,
    implied_probability: 0.52381,
    probability: 0.52381,
    fair_probability: 0.5,
  };
  return {
    book,
    selection,
    line,
    odds_american: odds.american,
    odds_decimal: odds.decimal,
    odds_probability: odds.probability,
    odds,
    commission: null,
    currency: 'USD',
    stake_percent: 50,
    max_stake: null,
    odds_id: oddsId,
    deep_link: null,
  };
}

function holdSide(selection: string, deepLinks: Record<string, string>) {
  const odds = {
    american: -103,
    decimal: 1.970874,
    decimal_net: 1.970874,
    implied_probability: 0.507389,
    probability: 0.507389,
    fair_probability: 0.5,
  };
  return {
    selection,
    books: Object.keys(deepLinks),
    line: -3.5,
    odds,
    commission: null,
    currency: 'USD',
    max_stake: null,
    deep_links: deepLinks,
  };
}

export type Change = Partial<Omit<Opportunity, 'kind' | 'item'>> & { item?: Record<string, unknown> };

/** An opportunity of this kind; its item follows `edge`, `eventId`, `sport`, … if these are changed. */
export function example(kind: BetKind, change: Change = {}): Opportunity {
  const fields = { ...ITEMS[kind], ...change.item };
  const scoreField = SCORE_FIELD[kind];
  const edge = change.edge ?? (fields[EDGE_FIELD[kind]] as number);
  const id = change.id ?? '00000000000000e1';
  const books = change.books ?? ['draftkings', 'betmgm'];
  const opportunity = {
    kind,
    id,
    eventId: EVENT.event_id,
    sport: EVENT.sport,
    league: EVENT.league,
    market: ITEMS[kind]['market_type'] as string,
    startMs: Date.UTC(2026, 10, 21, 2),
    live: false,
    edge,
    books,
    detectedUs: NOW_MS * 1000,
    updatedPosition: NOW_MS * 1000,
    oldestSeenMs: NOW_MS - 10_000,
    seenMs: books.map(() => NOW_MS - 10_000),
    suspicious: kind === 'arbitrage' && edge > 10,
    score: scoreField === null ? 0 : (fields[scoreField] as number),
    size: kind === 'middle' ? (fields['middle_size'] as number) : 0,
    terms: NO_TERMS,
    ...change,
    item: {} as Record<string, unknown>,
  };
  opportunity.item = {
    id,
    hash_id: id,
    ...fields,
    [EDGE_FIELD[kind]]: edge,
    event_id: opportunity.eventId,
    sport: opportunity.sport,
    league: opportunity.league,
    market_type: opportunity.market,
    is_live: opportunity.live,
  };
  return opportunity as unknown as Opportunity;
}

export const idOf = (n: number): string => n.toString(16).padStart(16, '0');

export function news(universe: string, part: Partial<UniverseNews>): UniverseNews {
  return { universe, detected: [], expired: [], ...part };
}

/** Detection controlled by the test: registrations wait until they are answered. */
export class TestSource implements DetectionPort {
  readonly asked: UniverseSpec[] = [];
  readonly dropped: string[] = [];
  readonly questions: EvaluationQuestion[] = [];
  readonly opportunities = new OpportunityTable();
  answer: readonly Opportunity[] = [];
  readonly #watched = new Set<string>();
  /** Called for each registration; resolves at once by default. */
  ensure: (spec: UniverseSpec) => Promise<void> = () => Promise.resolve();

  ensureUniverse(spec: UniverseSpec): Promise<void> {
    this.asked.push(spec);
    return this.ensure(spec).then(() => void this.#watched.add(spec.key));
  }

  isWatched(key: string): boolean {
    return this.#watched.has(key);
  }

  dropUniverse(key: string): void {
    this.dropped.push(key);
    this.#watched.delete(key);
  }

  evaluate(question: EvaluationQuestion): Promise<Evaluated> {
    this.questions.push(question);
    return Promise.resolve({ opportunities: [...this.answer], from: 1, to: 1, prices: 0 });
  }
}
