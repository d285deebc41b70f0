// Random worlds from a seed: true games, books that quote them, and the messages that the books push, batch by batch.
// `makeWorld` is all that a rig needs: it sends `batches` in order at their times, and `games` gives the true game of
// each event of a message. Every selection's `external_id` is `game|contract` (see games.ts), which the engine does not
// read.
import type { IngestEvent, IngestMarket, IngestMessage } from '../../src/intake/ingest/message.js';
import { BookListings, makeBooks } from './books.js';
import { countsFromBet, type Game, makeGames } from './games.js';
import type { BookStyle } from './quote.js';
import { Random } from './random.js';

export interface WorldOptions {
  /** Ids to choose books from. */
  books: readonly string[];
  /** Suspensions (`is_active`, `suspended`) are pushed. */
  suspensions: boolean;
  nowMs: number;
}

export interface Push {
  message: IngestMessage;
  /** The true game of each event of the message, or of each result. */
  games: number[];
}

export interface Batch {
  /** The time at which the engine receives it. */
  atMs: number;
  pushes: Push[];
}

export interface World {
  seed: number;
  games: readonly Game[];
  batches: readonly Batch[];
}

export function makeWorld(seed: number, options: WorldOptions): World {
  const random = new Random(seed);
  const games = makeGames(random, options.nowMs);
  const books = makeBooks(random, options.books);
  const shelves = books.map((style) => new BookListings(style, games, random, options.suspensions, options.nowMs));
  const batches: Batch[] = [];
  let atMs = options.nowMs;
  const batch = (pushes: Push[]): void => {
    if (pushes.length > 0) batches.push({ atMs, pushes });
    atMs += Math.round(random.between(1_100, 9_000));
  };
  let first: Push[] = [];
  for (const listings of random.shuffled(shelves)) {
    first.push(...pushesOf(listings, atMs, random));
    if (random.chance(0.5)) {
      batch(first);
      first = [];
    }
  }
  batch(first);
  const delayed: Push[] = [];
  const sent = batches.flatMap(({ pushes }) => pushes);
  for (let round = random.int(2, 5); round > 0; round--) {
    if (random.chance(0.1)) atMs += random.pick([61_000, 250_000, 301_000]);
    const pushes: Push[] = [];
    for (const listings of random.shuffled(shelves).slice(0, random.int(1, 4))) {
      listings.change(random, atMs);
      // Some books are asked long before what they answered arrives.
      const lateMs = random.chance(0.06) ? random.pick([20_000, 70_000, 310_000]) : 0;
      const statements = random.chance(0.2)
        ? changesOf(listings, atMs, random)
        : pushesOf(listings, atMs - lateMs, random);
      // Messages may be delayed and arrive after newer ones.
      if (random.chance(0.1)) delayed.push(...statements);
      else pushes.push(...statements);
    }
    if (random.chance(0.3)) pushes.push(...delayed.splice(0));
    if (sent.length > 0 && random.chance(0.2)) pushes.push(random.pick(sent));
    if (random.chance(0.2)) pushes.push(...resultOf(random.pick(games), sent, atMs, random));
    sent.push(...pushes);
    batch(pushes);
  }
  return { seed, games, batches };
}

function pushesOf(listings: BookListings, atMs: number, random: Random): Push[] {
  const { style } = listings;
  const polled_at = new Date(atMs + style.clockMs - random.int(0, 900)).toISOString();
  const listed = random.shuffled(listings.listed());
  if (style.scope === 'league') {
    const leagues = new Set(listings.leagues());
    return [...leagues].map((league) => {
      const own = listed.filter(({ game }) => game.league === league);
      return push(style, polled_at, own, { scope: 'league', league });
    });
  }
  // Without ids, a list with only one of several games would be ambiguous: only complete lists distinguish two games.
  const single = style.ids !== 'none' && random.chance(0.5);
  if (single) return listed.map((one) => push(style, polled_at, [one], { scope: style.scope }));
  return listed.length === 0 ? [] : [push(style, polled_at, listed, { scope: style.scope })];
}

/**
 * Some prices of a game, and some that are taken back: what is not named stays. Nothing where it cannot be told of which
 * game, or of which of its handicaps, they are.
 */
function changesOf(listings: BookListings, atMs: number, random: Random): Push[] {
  const { style } = listings;
  const [one] = random.shuffled(listings.listed());
  if (one === undefined || style.ids === 'none' || countsFromBet(style.id, one.game.sport)) return [];
  const selections = ({ selections: all }: IngestMarket) =>
    all
      .filter(() => random.chance(0.6))
      // Where a draw was never shown, one side alone cannot be told from a side of two.
      .map((each) =>
        random.chance(0.2) && !String(each.external_id).endsWith('winner3') ? { ...each, is_removed: true } : each,
      );
  const markets = one.event.markets
    .filter(() => random.chance(0.5))
    .map((market) => ({ ...market, selections: selections(market) }))
    .filter((market) => market.selections.length > 0);
  if (markets.length === 0) return [];
  const polled_at = new Date(atMs + style.clockMs).toISOString();
  return [push(style, polled_at, [{ ...one, event: { ...one.event, markets } }], { scope: 'none' })];
}

/** What a source of results, or a venue, says of a game, if books list it, at about its start, and no other one of these teams. */
function resultOf(
  { league, home, away, startMs, no }: Game,
  sent: readonly Push[],
  atMs: number,
  random: Random,
): Push[] {
  const events = sent.flatMap(({ message }) => message.events ?? []);
  const starts = events.flatMap((event) =>
    event.home_team === home || event.away_team === home ? [Date.parse(event.start_time!)] : [],
  );
  if (starts.length === 0 || starts.some((ms) => Math.abs(ms - startMs) > 60 * 60_000)) return [];
  const at = new Date(atMs).toISOString();
  const reference = { league, home_team: home, away_team: away, start_time: new Date(startMs).toISOString() };
  if (random.chance(0.3)) {
    // Of the whole game it says that it is over, of a part nothing.
    const market_type = random.pick(['moneyline', 'moneyline_1st_half']);
    const settlement = { ...reference, market_type, selection_type: 'home', outcome: 'won' };
    return [{ message: { book: 'kalshi', polled_at: at, settlements: [settlement] } as IngestMessage, games: [no] }];
  }
  const status = random.pick(['live', 'final', 'final', 'cancelled', 'abandoned'] as const);
  const scores = { home_score: random.int(0, 9), away_score: random.int(0, 9) };
  const result = { ...reference, status, at, ...scores };
  // One source's "live" would take back what it called off; another's does not.
  const source = status === 'live' ? 'ticker' : 'league_office';
  return [{ message: { source, polled_at: at, results: [result] } as IngestMessage, games: [no] }];
}

function push(
  style: BookStyle,
  polled_at: string,
  listed: readonly { game: Game; event: IngestEvent }[],
  fields: { scope: IngestMessage['scope']; league?: string },
): Push {
  return {
    message: {
      book: style.id,
      ...(style.fair ? { kind: 'model' as const } : {}),
      polled_at,
      ...fields,
      events: listed.map(({ event }) => (style.stamps ? stamped(event, polled_at) : event)),
    },
    games: listed.map(({ game }) => game.no),
  };
}

const UNSEEN_MS = [0, 20_000, 70_000, 310_000];

/** Some of its markets were last seen before the poll. */
function stamped(event: IngestEvent, polled_at: string): IngestEvent {
  const last_seen_at = (i: number) => new Date(Date.parse(polled_at) - UNSEEN_MS[i % UNSEEN_MS.length]!).toISOString();
  return { ...event, markets: event.markets.map((market, i) => ({ ...market, last_seen_at: last_seen_at(i) })) };
}
