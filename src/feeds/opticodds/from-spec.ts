// Makes the OpticOdds feed from the command line and the environment.
import { withPath } from '../../config/parsers.js';
import type { FeedAccess } from '../feed-kind.js';
import { type FeedSpec, listArg } from '../spec.js';
import { OpticOddsFeed } from './feed.js';
import { isLaySide, slugOf } from './rows.js';
import type { OpticOddsSettings } from './settings.js';

/** OpticOdds' ids of leagues that differ from ours; others may be given as OpticOdds calls them, if an alias says so. */
const OWN_IDS: Readonly<Record<string, string>> = { epl: 'england_-_premier_league', mls: 'usa_-_major_league_soccer' };

/** `opticodds:leagues=nba,…,books=draftkings,…`. Throws an Error with a one-line message. */
export function opticOddsFromSpec(
  spec: FeedSpec,
  { settings: { opticOddsUrl, opticOddsKey }, catalogue, random }: FeedAccess<OpticOddsSettings>,
): OpticOddsFeed {
  if (opticOddsKey === undefined) throw new Error('opticodds needs the environment variable OPTICODDS_KEY');
  const leagues = listArg(spec, 'leagues').map((given) => {
    const league = catalogue.leagueOf(given);
    if (league === undefined) throw new Error('opticodds: a league that the catalogue does not know; see leagues.json');
    return { id: league.id, sport: league.sport, opticId: OWN_IDS[league.id] ?? given };
  });
  const books = listArg(spec, 'books');
  if (leagues.length === 0 || books.length === 0) throw new Error('opticodds: leagues=… and books=… are needed');
  if (books.some(isLaySide)) throw new Error('opticodds: the lay side of an exchange is no book to back at');
  return new OpticOddsFeed({
    url: withPath(opticOddsUrl, '/api/v3'),
    apiKey: opticOddsKey,
    leagues,
    books,
    bookId: (name) => catalogue.book(name)?.id ?? slugOf(name),
    random,
  });
}
