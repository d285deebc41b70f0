// Kalshi's series: the league and question of each. By list: other series ask something else, whatever their names
// suggest.

export type SeriesKind = 'winner' | 'spread' | 'total' | 'other';

export interface Series {
  ticker: string;
  league: string;
  kind: SeriesKind;
}

/** The part between KX and the question, by catalogue league. */
const LEAGUES: Readonly<Record<string, string>> = {
  NBA: 'nba',
  WNBA: 'wnba',
  NCAAMB: 'ncaab',
  NFL: 'nfl',
  NCAAF: 'ncaaf',
  MLB: 'mlb',
  NHL: 'nhl',
  EPL: 'epl',
  LALIGA: 'la-liga',
  BUNDESLIGA: 'bundesliga',
  SERIEA: 'serie-a',
  LIGUE1: 'ligue-1',
  UCL: 'ucl',
  UEL: 'uel',
  MLS: 'mls',
  UECL: 'uecl',
  EREDIVISIE: 'eredivisie',
  LIGAPORTUGAL: 'primeira-liga',
  LIGAMX: 'liga-mx',
  EFLCHAMPIONSHIP: 'efl-championship',
  SUPERLIG: 'super-lig',
  SCOTTISHPREM: 'scottish-premiership',
  BELGIANPL: 'belgian-pro-league',
  LALIGA2: 'la-liga-2',
  BUNDESLIGA2: '2-bundesliga',
  SERIEB: 'serie-b',
  CSGO: 'cs2',
  CS2: 'cs2',
  LOL: 'lol',
  DOTA2: 'dota2',
  VALORANT: 'valorant',
};

const KINDS: Readonly<Record<string, SeriesKind>> = { GAME: 'winner', SPREAD: 'spread', TOTAL: 'total' };
const TICKER = /^KX[A-Z0-9]{1,40}$/;

/** Series of games in the known leagues, the default. */
const USUAL = ['NBA', 'NFL', 'MLB', 'NHL'].flatMap((league) => Object.keys(KINDS).map((kind) => `KX${league}${kind}`));

/** The requested series. Throws if a name is not a series, or its league is unknown. */
export function seriesOf(requested: readonly string[]): Series[] {
  const names = requested.length === 0 ? [...USUAL, 'KXEPLGAME'] : requested.map((name) => name.toUpperCase());
  return [...new Set(names)].map((ticker) => {
    if (!TICKER.test(ticker)) throw new Error('kalshi: series has a name that is no series ticker (KX…)');
    // The longest league name first: KXNCAAFGAME is not a series of the NCAA's basketball.
    const code = Object.keys(LEAGUES)
      .sort((a, b) => b.length - a.length)
      .find((each) => ticker.startsWith(`KX${each}`));
    if (code === undefined)
      throw new Error(`kalshi: series has one of an unknown league; known: ${Object.keys(LEAGUES).join(', ')}`);
    return { ticker, league: LEAGUES[code]!, kind: KINDS[ticker.slice(2 + code.length)] ?? 'other' };
  });
}
