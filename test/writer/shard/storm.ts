// Random storms of messages for property tests: few books, games and selections, so that they often collide.
import fc from 'fast-check';
import { EVENT_STATUSES, type EventStatus } from '../../../src/base/model/normal-message.js';
import type { IngestMessage } from '../../../src/intake/ingest/message.js';
import { event, market, message, selection } from '../../intake/ingest/messages.js';

export const STORM_START_MS = Date.parse('2026-11-20T18:00:00Z');
const BOOKS = ['draftkings', 'fanduel', 'corner_shop', 'pinnacle'];
export const GAMES = [
  { league: 'nba', home_team: 'Los Angeles Lakers', away_team: 'Boston Celtics' },
  { league: 'nba', home_team: 'Miami Heat', away_team: 'New York Knicks' },
  { league: 'nba', home_team: 'Utah Jazz', away_team: 'Phoenix Suns' },
  { league: 'nhl', home_team: 'Boston Bruins', away_team: 'Toronto Maple Leafs' },
  { league: 'epl', home_team: 'Arsenal', away_team: 'Everton' },
];

export interface StormQuote {
  kind: 'moneyline' | 'spread' | 'total' | 'prop' | 'team' | 'other';
  side: 0 | 1;
  line: number;
  alternate: boolean;
  price: number;
  /** Of a prop: he, or his father. */
  son: boolean;
  offer: 'open' | 'suspended' | 'market suspended' | 'price left out' | 'removed';
}

export interface StormSighting {
  game: number;
  quotes: StormQuote[];
  suspended: boolean;
  /** Only a wild storm varies these. */
  turned: boolean;
  startShift: number;
  live: boolean | undefined;
  status: EventStatus | undefined;
  externalId: string | undefined;
  score: number | undefined;
  maxBet: number | undefined;
}

export interface StormMessage {
  book: string;
  /** Seconds after the storm's start. */
  at: number;
  scope: 'event' | 'league' | 'none';
  league: string;
  sightings: StormSighting[];
}

/** Messages of one batch, and the milliseconds that pass before it. */
export interface StormBatch {
  passMs: number;
  messages: StormMessage[];
}

const quote = (wild: boolean): fc.Arbitrary<StormQuote> =>
  fc.record({
    kind: fc.constantFrom('moneyline', 'spread', 'total', 'prop', 'team', 'other'),
    side: fc.constantFrom(0, 1),
    line: fc.constantFrom(0.5, 1.5, 2),
    alternate: fc.boolean(),
    price: fc.constantFrom(-110, 100, 1250, -100000),
    son: wild ? fc.boolean() : fc.constant(true),
    offer: fc.constantFrom(
      'open',
      'open',
      'open',
      'open',
      'suspended',
      'market suspended',
      'price left out',
      'removed',
    ),
  });

function sighting(wild: boolean): fc.Arbitrary<StormSighting> {
  const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    wild ? fc.option(arbitrary, { nil: undefined, freq: 3 }) : fc.constant(undefined);
  return fc.record({
    game: fc.nat(GAMES.length - 1),
    quotes: fc.array(quote(wild), { maxLength: 8 }),
    suspended: fc.constantFrom(false, false, false, true),
    turned: wild ? fc.boolean() : fc.constant(false),
    startShift: wild ? fc.nat(2) : fc.constant(0),
    live: some(fc.boolean()),
    status: some(fc.constantFrom(...EVENT_STATUSES)),
    externalId: some(fc.constantFrom('7', 'a long id of the event at this book')),
    score: some(fc.nat(120)),
    maxBet: some(fc.constantFrom(5, 250_000)),
  });
}

function storm(wild: boolean): fc.Arbitrary<StormBatch[]> {
  const one = fc.record({
    book: fc.constantFrom(...BOOKS),
    at: fc.nat(20),
    scope: fc.constantFrom('event', 'league', 'none'),
    league: fc.constantFrom('nba', 'nhl', 'epl'),
    sightings: fc.array(sighting(wild), { maxLength: 4 }),
  }) as fc.Arbitrary<StormMessage>;
  const batch = fc.record({ passMs: fc.nat(3_000), messages: fc.array(one, { maxLength: 3 }) });
  return fc.array(batch, { minLength: 1, maxLength: 25 });
}

/** Books agree on teams, start and state: only prices, suspensions, lines, scopes and times vary. */
export const plainStorm = storm(false);
/** Everything a book may state, including contradictions; the games begin during the storm. */
export const wildStorm = storm(true);

export function stormTime(seconds: number): string {
  return new Date(STORM_START_MS + seconds * 1000).toISOString();
}

/** As the book would send it. `startMinutes`: when the games begin, from the start of the storm. */
export function toMessage(from: StormMessage, startMinutes: number): IngestMessage {
  // A league message lists its own league only.
  const listed = from.sightings.filter(({ game }) => from.scope !== 'league' || GAMES[game]!.league === from.league);
  return message(
    listed.map((seen) => toEvent(seen, startMinutes)),
    { book: from.book, polled_at: stormTime(from.at), scope: from.scope, league: from.league },
  );
}

function toEvent(seen: StormSighting, startMinutes: number) {
  const game = GAMES[seen.game]!;
  const teams = seen.turned ? { home_team: game.away_team, away_team: game.home_team } : {};
  return event(
    seen.quotes.map((each) => toMarket(each, seen.maxBet)),
    {
      ...game,
      ...teams,
      start_time: stormTime(startMinutes * 60 + seen.startShift * 10),
      ...(seen.suspended ? { suspended: true } : {}),
      ...(seen.live === undefined ? {} : { is_live: seen.live }),
      ...(seen.status === undefined ? {} : { status: seen.status }),
      ...(seen.externalId === undefined ? {} : { external_id: seen.externalId }),
      ...(seen.score === undefined ? {} : { game_state: { home_score: seen.score, away_score: 1, period: 'Q1' } }),
    },
  );
}

function toMarket({ kind, side, line, alternate, price, son, offer }: StormQuote, max_bet: number | undefined) {
  const overUnder = side === 0 ? 'over' : 'under';
  const homeAway = side === 0 ? 'home' : 'away';
  const types = {
    moneyline: ['moneyline', homeAway, {}],
    spread: ['point_spread', homeAway, {}],
    total: ['total_points', overUnder, {}],
    prop: [
      'player_points',
      overUnder,
      { player_name: son ? 'José Álvarez Jr.' : 'José Álvarez', stat_category: 'points' },
    ],
    team: ['team_total', overUnder, { team: 'away' }],
    other: ['first_basket', 'player', {}],
  } as const;
  const [market_type, selection_type, fields] = types[kind];
  return market(
    [
      selection({
        selection: `${kind} ${side}`,
        selection_type,
        ...(kind === 'moneyline' ? {} : { line }),
        odds_american: offer === 'price left out' || offer === 'removed' ? undefined : price,
        is_alternate_line: alternate,
        ...(price % 3 === 0 ? { selection_id: `s${price % 2}` } : {}),
        ...(price % 5 === 0 ? { market_id: 'of this line' } : {}),
        ...(price === 1250 ? { deep_link: 'https://sports.example/{state}/7' } : {}),
        ...(price === 100 && line > 1 ? { deep_link: `https://bet.example/${line}` } : {}),
        ...(price === 100 ? { size: 20 * line, depth: { back: [[2, 20 * line]], lay: [[2.02, 5]] } } : {}),
        ...(price === 1250 && line === 2 ? { size: 5, exchange_token_id: 't' } : {}),
        ...(offer === 'suspended' || offer === 'price left out' ? { is_active: false } : {}),
        ...(offer === 'removed' ? { is_removed: true } : {}),
      }),
    ],
    {
      market_type,
      ...fields,
      ...(offer === 'market suspended' ? { is_active: false } : {}),
      ...(max_bet === undefined ? {} : { max_bet, market_id: `m${max_bet}` }),
    },
  );
}
