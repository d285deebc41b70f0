// Kalshi's series: which league a series is of and what its contracts ask. Allowed by list: what is not on it asks
// something else, whatever its name looks like.

export type SeriesKind = 'winner' | 'spread' | 'total' | 'other';

export interface Series {
  ticker: string;
  league: string;
  kind: SeriesKind;
}

/** What stands between KX and the question, by our league. */
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
};

const KINDS: Readonly<Record<string, SeriesKind>> = { GAME: 'winner', SPREAD: 'spread', TOTAL: 'total' };
const TICKER = /^KX[A-Z0-9]{1,40}$/;

/** Series of the games of the leagues that are known, where none is named. */
const USUAL = ['NBA', 'NFL', 'MLB', 'NHL'].flatMap((league) => Object.keys(KINDS).map((kind) => `KX${league}${kind}`));

/** The series asked for. Throws where a name is none, or its league is not known. */
export function seriesOf(asked: readonly string[]): Series[] {
  const names = asked.length === 0 ? [...USUAL, 'KXEPLGAME'] : asked.map((name) => name.toUpperCase());
  return [...new Set(names)].map((ticker) => {
    if (!TICKER.test(ticker)) throw new Error('kalshi: series has a name that is no series ticker (KX…)');
    // The longest league name first: KXNCAAFGAME is not of the NCAA's basketball.
    const code = Object.keys(LEAGUES)
      .sort((a, b) => b.length - a.length)
      .find((each) => ticker.startsWith(`KX${each}`));
    if (code === undefined)
      throw new Error(`kalshi: series has one of an unknown league; known: ${Object.keys(LEAGUES).join(', ')}`);
    return { ticker, league: LEAGUES[code]!, kind: KINDS[ticker.slice(2 + code.length)] ?? 'other' };
  });
}
