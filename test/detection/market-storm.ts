// Random polls that often collide: few games, many markets on the same few lines, books with the same owner, prices
// that make arbitrages, middles and edges, stale quotes, draws that appear and disappear.
import fc from 'fast-check';
import type { GameState } from '../../src/base/model/game-state.js';
import type { IngestMarket, IngestMessage, IngestSelection } from '../../src/intake/ingest/message.js';

export const START_MS = Date.parse('2026-11-20T18:00:00Z');
export const BOOKS = [
  'draftkings',
  'fanduel',
  'betmgm',
  'betrivers',
  'ballybet',
  'bovada',
  'pinnacle',
  'corner_shop',
  'betfair',
  'kalshi',
];

const GAMES = [
  { league: 'nba', home_team: 'Los Angeles Lakers', away_team: 'Boston Celtics', startS: 600 },
  { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea', startS: 90 },
];

interface Quote {
  kind: number;
  side: number;
  line: number;
  alternate: boolean;
  /** Of this side, and of the others; 0 is no price. */
  price: number;
  other: number;
  /** Suspends the side, or the whole market. */
  suspended: 'side' | 'market' | undefined;
  /** The prices are to lay, in a market of their own. */
  laid?: true | undefined;
  /** What can be staked at the prices. */
  size?: number | undefined;
}

interface Poll {
  book: string;
  game: number;
  scope: 'event' | 'none';
  ageS: number;
  quotes: Quote[];
  live: boolean | undefined;
  status: 'ended' | undefined;
  state: GameState | undefined;
}

export interface MarketBatch {
  passMs: number;
  polls: Poll[];
}

/** One time in `times`, otherwise undefined. */
function seldom<T>(arbitrary: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 1, arbitrary }, { weight: times - 1, arbitrary: fc.constant(undefined) });
}

const quote = fc.record({
  kind: fc.constantFrom(0, 0, 1, 2, 2, 3, 3, 4, 5, 6, 7),
  side: fc.nat(2),
  line: fc.constantFrom(-1.5, 0, 0.25, 1.5, 2, 2.5, 3),
  alternate: fc.boolean(),
  price: fc.constantFrom(1.5, 1.8, 1.91, 1.95, 2, 2.05, 2.1, 2.3, 3.1, 3.4),
  // With most prices above they leave no third side out.
  other: fc.constantFrom(0, 1.4, 1.8, 1.8, 1.85, 1.85, 1.9, 1.95, 2, 2.1, 3.3),
  suspended: seldom(fc.constantFrom('side', 'market'), 6),
  laid: seldom(fc.constant(true as const), 5),
  size: seldom(fc.constantFrom(0.4, 3, 60), 4),
}) as fc.Arbitrary<Quote>;

const poll: fc.Arbitrary<Poll> = fc.record({
  // Edges need the sharp book's prices beside others'.
  book: fc.constantFrom(...BOOKS, 'pinnacle', 'pinnacle'),
  game: fc.nat(GAMES.length - 1),
  scope: fc.constantFrom('event', 'none'),
  ageS: fc.constantFrom(0, 0, 0, 5, 58, 200, 298, 400),
  quotes: fc.array(quote, { minLength: 6, maxLength: 24 }),
  live: seldom(fc.boolean(), 12),
  status: seldom(fc.constant('ended' as const), 60),
  state: seldom(
    fc.record({
      period: fc.constantFrom('Q1', 'H1', 'Q3', 'Halftime', '2nd Half', 'OT', 'Final', 'Live'),
      clock: fc.constantFrom(null, '0:30', '7:00', '48:12', '80:00'),
      home_score: fc.constantFrom(null, 0, 1, 5),
      away_score: fc.constantFrom(0, 2),
    }),
    4,
  ),
});

export const marketStorm: fc.Arbitrary<MarketBatch[]> = fc.array(
  fc.record({
    passMs: fc.constantFrom(1, 100, 400, 1_500, 30_000, 70_000, 310_000),
    polls: fc.array(poll, { minLength: 1, maxLength: 8, size: 'max' }),
  }),
  { minLength: 1, maxLength: 14 },
);

export function messagesOf({ polls }: MarketBatch, nowMs: number): IngestMessage[] {
  return polls.map((from) => {
    const { startS, ...teams } = GAMES[from.game]!;
    return {
      book: from.book,
      polled_at: new Date(nowMs).toISOString(),
      scope: from.scope,
      events: [
        {
          ...teams,
          start_time: new Date(START_MS + startS * 1000).toISOString(),
          ...(from.live === undefined ? {} : { is_live: from.live }),
          ...(from.status === undefined ? {} : { status: from.status }),
          ...(from.state === undefined ? {} : { game_state: from.state }),
          markets: from.quotes.map((each) => marketOf(each, nowMs - from.ageS * 1000)),
        },
      ],
    };
  });
}

/** The same price in one format or the other, so that books tie across formats. */
function stated(decimal: number): Pick<IngestSelection, 'odds_american' | 'odds_decimal'> {
  const american = decimal >= 2 ? Math.round(100 * decimal) - 100 : Number.NaN;
  return american % 10 === 5 || decimal === 2.1 ? { odds_american: american } : { odds_decimal: decimal };
}

function marketOf(quote: Quote, seenMs: number): IngestMarket {
  const market = backedMarketOf(quote, seenMs);
  const { laid, size } = quote;
  if (laid) market.market_type += '_lay';
  if (size !== undefined) market.selections = market.selections.map((each) => ({ ...each, size }));
  return market;
}

function backedMarketOf({ kind, side, line, alternate, price, other, suspended }: Quote, seenMs: number): IngestMarket {
  const seen = {
    last_seen_at: new Date(seenMs).toISOString(),
    ...(suspended === 'market' ? { is_active: false } : {}),
  };
  const sideSuspended = suspended === 'side' ? { is_active: false } : {};
  const sides = (types: readonly string[], at: number, more: (i: number) => Partial<IngestSelection> = () => ({})) =>
    types.flatMap((type, i): IngestSelection[] =>
      i !== at && other === 0
        ? []
        : [
            {
              selection: type,
              selection_type: type,
              ...stated(i === at ? price : other),
              ...(i === at ? sideSuspended : {}),
              ...more(i),
            },
          ],
    );
  const two = side % 2;
  const total = (market_type: string, more: Partial<IngestMarket> = {}): IngestMarket => ({
    market_type,
    ...seen,
    ...more,
    selections: sides(['over', 'under'], two, () => ({ line: Math.abs(line) + 5, is_alternate_line: alternate })),
  });
  switch (kind) {
    case 0:
      return { market_type: 'moneyline', ...seen, selections: sides(['home', 'away'], two) };
    case 1:
      return { market_type: 'moneyline', ...seen, selections: sides(['home', 'away', 'draw'], side) };
    case 2: {
      const handicap = (i: number) => ({ line: i === 0 ? line : 0 - line, is_alternate_line: alternate });
      const types = line === 3 && side === 2 ? ['home', 'away', 'draw'] : ['home', 'away'];
      return { market_type: 'point_spread', ...seen, selections: sides(types, two, handicap) };
    }
    case 3:
      return total('total_points');
    case 4:
      return total('player_points', { player_name: side === 2 ? 'Al Jones Jr.' : 'Al Jones', stat_category: 'points' });
    case 5:
      return total('team_total', { team: side === 2 ? 'home' : 'away' });
    case 6:
      return { market_type: 'moneyline_3way', ...seen, selections: sides(['home', 'away', 'draw'], side) };
    default:
      return { market_type: 'both_teams_to_score', ...seen, selections: sides(['yes', 'no'], two) };
  }
}
