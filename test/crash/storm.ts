// A storm whose state shows which of its messages was applied last: message n of a book prices everything at 100 + n,
// and lists alternate lines only if n is even. So prices rise above fair, and all kinds are found; those of one line have no
// other side that could show that the book does not mean them, and move far.
import type { IngestMessage } from '../../src/intake/ingest/message.js';
import { event, message, moneyline, total } from '../intake/ingest/messages.js';

export const BOOKS = ['draftkings', 'fanduel', 'betmgm', 'caesars'];
/** Prices count while they are less than five minutes old. */
const FIRST_POLL_MS = Date.now() - 120_000;

/** Two leagues that belong to different shards of two. */
export const LEAGUES = ['nba', 'nhl'];
const EVENTS_PER_LEAGUE = 3;

export function bookOf(seq: number): string {
  return BOOKS[seq % BOOKS.length]!;
}

export function stormMessage(seq: number): IngestMessage {
  const price = 100 + seq;
  const alone = total(170, price, price, true);
  const markets = [
    moneyline(price, price),
    total(200, price, price),
    { ...alone, selections: alone.selections.slice(0, 1) },
  ];
  if (isWide(seq)) for (const line of [190, 195, 205]) markets.push(total(line, price, price, true));
  const events = LEAGUES.flatMap((league) =>
    Array.from({ length: EVENTS_PER_LEAGUE }, (_, i) =>
      event(markets, { league, home_team: `Home ${i}`, away_team: `Away ${i}`, start_time: '2090-01-01T20:00:00Z' }),
    ),
  );
  const polled_at = new Date(FIRST_POLL_MS + seq * 100).toISOString();
  // Each book is a source of one game's result: its score says which message was applied last.
  const game = { league: 'nba', home_team: 'Home 0', away_team: 'Away 0', start_time: '2090-01-01T20:00:00Z' };
  const results = [{ ...game, status: 'live', home_score: seq, away_score: 0, at: polled_at }];
  return { ...message(events, { book: bookOf(seq), polled_at }), results };
}

function isWide(seq: number): boolean {
  return Math.floor(seq / BOOKS.length) % 2 === 0;
}

/** Rows a book has in one league once message `seq` is applied. */
export function rowsAt(seq: number): number {
  return EVENTS_PER_LEAGUE * (isWide(seq) ? 11 : 5);
}

export function seqOf(american: number): number {
  return american - 100;
}
