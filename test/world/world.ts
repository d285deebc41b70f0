// Random worlds from a seed: true games, books that quote them, and the messages that the books push, batch by batch.
// `makeWorld` is all that a rig needs: it sends `batches` in order at their times, and `games` gives the true game of
// each event of a message. Every selection's `external_id` is `game|contract` (see games.ts), which the engine does not
// read.
import type { IngestEvent, IngestMessage } from '../../src/intake/ingest/message.js';
import { BookListings, makeBooks } from './books.js';
import { type Game, makeGames } from './games.js';
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
  /** The true game of each event of the message. */
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
  const shelves = books.map((style) => new BookListings(style, games, random, options.suspensions));
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
  for (let round = random.int(2, 5); round > 0; round--) {
    if (random.chance(0.1)) atMs += random.pick([61_000, 250_000, 301_000]);
    const pushes: Push[] = [];
    for (const listings of random.shuffled(shelves).slice(0, random.int(1, 4))) {
      listings.change(random);
      const statements = pushesOf(listings, atMs, random);
      // Messages may be delayed and arrive after newer ones.
      if (random.chance(0.1)) delayed.push(...statements);
      else pushes.push(...statements);
    }
    if (random.chance(0.3)) pushes.push(...delayed.splice(0));
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

function push(
  style: BookStyle,
  polled_at: string,
  listed: readonly { game: Game; event: IngestEvent }[],
  fields: { scope: IngestMessage['scope']; league?: string },
): Push {
  return {
    message: { book: style.id, polled_at, ...fields, events: listed.map(({ event }) => event) },
    games: listed.map(({ game }) => game.no),
  };
}
