// The feed opticodds on the command line, and its settings: `opticodds:leagues=nba,…,books=draftkings,…`.
import { httpUrl, withPath, word } from '../../../config/parsers.js';
import { feedKind, listArg } from '../feed-kind.js';

/** OpticOdds' ids of leagues that differ from ours; others may be given as OpticOdds calls them, if an alias says so. */
const OWN_IDS: Readonly<Record<string, string>> = {
  '2-bundesliga': 'germany_-_bundesliga_2',
  'belgian-pro-league': 'belgium_-_jupiler_pro_league',
  brasileirao: 'brazil_-_serie_a',
  bundesliga: 'germany_-_bundesliga',
  'danish-superliga': 'denmark_-_superliga',
  'efl-championship': 'england_-_championship',
  epl: 'england_-_premier_league',
  eredivisie: 'netherlands_-_eredivisie',
  'fa-cup': 'england_-_fa_cup',
  'la-liga': 'spain_-_la_liga',
  'ligue-1': 'france_-_ligue_1',
  'ligue-2': 'france_-_ligue_2',
  mls: 'usa_-_major_league_soccer',
  'primeira-liga': 'portugal_-_primeira_liga',
  'scottish-premiership': 'scotland_-_premiership',
  'serie-a': 'italy_-_serie_a',
  'serie-b': 'italy_-_serie_b',
  'super-lig': 'turkey_-_super_lig',
  ucl: 'uefa_-_champions_league',
  uecl: 'uefa_-_europa_conference_league',
  uel: 'uefa_-_europa_league',
};

export const feed = feedKind({
  kind: 'opticodds',
  parameters: { leagues: 'list', books: 'list' },
  settings: [
    {
      name: 'opticOddsUrl',
      env: 'OPTICODDS_URL',
      default: 'https://api.opticodds.com',
      description: 'URL of OpticOdds, with or without /api/v3',
      parse: httpUrl,
    },
    {
      name: 'opticOddsKey',
      env: 'OPTICODDS_KEY',
      description: 'key for the feed opticodds',
      parse: word('a key without blanks'),
    },
  ],
  once: true,
  async make(spec, { settings: { opticOddsUrl, opticOddsKey }, catalogue, random }) {
    if (opticOddsKey === undefined) throw new Error('opticodds needs the environment variable OPTICODDS_KEY');
    const leagues = listArg(spec, 'leagues').map((given) => {
      const league = catalogue.leagueOf(given);
      if (league === undefined)
        throw new Error('opticodds: a league that the catalogue does not know; see leagues.json');
      return { id: league.id, sport: league.sport, opticId: OWN_IDS[league.id] ?? given };
    });
    const books = listArg(spec, 'books');
    if (leagues.length === 0 || books.length === 0) throw new Error('opticodds: leagues=… and books=… are needed');
    const { OpticOddsFeed } = await import('./feed.js');
    const { isLaySide, slugOf } = await import('./rows.js');
    if (books.some(isLaySide)) throw new Error('opticodds: the lay side of an exchange is no book to back at');
    return new OpticOddsFeed({
      url: withPath(opticOddsUrl, '/api/v3'),
      apiKey: opticOddsKey,
      leagues,
      books,
      bookId: (name) => catalogue.book(name)?.id ?? slugOf(name),
      random,
    });
  },
});
