// A season: true games, and the books that quote them for a while. Its teams are invented anew, so that the program's
// memory of an earlier season is never mistaken for this one.
import type { IngestMessage } from '../src/intake/ingest/message.js';
import { BookListings, makeBooks } from '../test/world/books.js';
import { type Game, makeGames } from '../test/world/games.js';
import type { BookStyle } from '../test/world/quote.js';
import type { Random } from '../test/world/random.js';
import type { Push } from '../test/world/world.js';

const SYLLABLES = ['ba', 'co', 'di', 'fu', 'ga', 'ki', 'lo', 'mu', 'ne', 'po', 'ra', 'si', 'to', 'vu', 'ze'] as const;

export interface Season {
  games: readonly Game[];
  books: readonly SeasonBook[];
}

export interface SeasonBook {
  style: BookStyle;
  listings: BookListings;
}

/** @param first number of its first game: games are counted over all seasons */
export function makeSeason(random: Random, bookIds: readonly string[], first: number, nowMs: number): Season {
  const names = new Map<string, string>();
  const nameOf = (team: string): string => {
    let name = names.get(team);
    if (name === undefined) {
      const word = Array.from({ length: 4 }, () => random.pick(SYLLABLES)).join('');
      name = `${word[0]!.toUpperCase()}${word.slice(1)} ${random.pick(['Rovers', 'United', 'Stars', 'Hawks'])}`;
      names.set(team, name);
    }
    return name;
  };
  const games = makeGames(random, nowMs).map((game) => ({
    ...game,
    no: first + game.no,
    home: nameOf(game.home),
    away: nameOf(game.away),
  }));
  const books = makeBooks(random, bookIds).map((style) => ({
    style,
    listings: new BookListings(style, games, random, true, nowMs),
  }));
  return { games, books };
}

/** The book's complete list in one message; `polled_at` is set when it is sent. */
export function pollOf({ style, listings }: SeasonBook, random: Random): Push[] {
  const listed = random.shuffled(listings.listed());
  const push = (fields: Partial<IngestMessage>, part: typeof listed): Push => ({
    message: { book: style.id, polled_at: '', ...fields, events: part.map(({ event }) => event) } as IngestMessage,
    games: part.map(({ game }) => game.no),
  });
  if (style.scope !== 'league') return listed.length === 0 ? [] : [push({ scope: style.scope }, listed)];
  return [...new Set(listings.leagues())].map((league) =>
    push(
      { scope: 'league', league },
      listed.filter(({ game }) => game.league === league),
    ),
  );
}

/** The book leaves: an empty list of every league it was in. */
export function farewellOf({ style, listings }: SeasonBook): Push[] {
  return [...new Set(listings.leagues())].map((league) => ({
    message: { book: style.id, polled_at: '', scope: 'league', league, events: [] },
    games: [],
  }));
}
