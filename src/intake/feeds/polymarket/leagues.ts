// Polymarket's codes of the leagues whose games settle as books settle theirs. Tennis and fights are excluded:
// retirements and draws are settled differently there.

/** Polymarket's code (`sport` of GET /sports, the beginning of a game's slug) -> our league. */
const LEAGUES: Readonly<Record<string, string>> = {
  nba: 'nba',
  wnba: 'wnba',
  cbb: 'ncaab',
  ncaab: 'ncaab',
  nfl: 'nfl',
  cfb: 'ncaaf',
  mlb: 'mlb',
  nhl: 'nhl',
  epl: 'epl',
  lal: 'la-liga',
  bun: 'bundesliga',
  sea: 'serie-a',
  fl1: 'ligue-1',
  ere: 'eredivisie',
  por: 'primeira-liga',
  ucl: 'ucl',
  uel: 'uel',
  mls: 'mls',
  mex: 'liga-mx',
  bra: 'brasileirao',
  col: 'uecl',
  elc: 'efl-championship',
  tur: 'super-lig',
  scop: 'scottish-premiership',
};

export interface VenueLeague {
  /** Polymarket's codes; the first is the one requested. */
  codes: string[];
  league: string;
}

/**
 * The requested leagues, by Polymarket's codes or catalogue ids; all known ones if none is named. Throws for an unknown
 * one.
 */
export function leaguesOf(requested: readonly string[]): VenueLeague[] {
  const found = new Map<string, VenueLeague>();
  for (const name of requested.length === 0 ? Object.keys(LEAGUES) : requested) {
    const wanted = name.toLowerCase();
    const league = LEAGUES[wanted] ?? Object.values(LEAGUES).find((id) => id === wanted);
    if (league === undefined)
      throw new Error(`polymarket: sports has a name that is not one of ${Object.keys(LEAGUES).join(', ')}`);
    const codes = Object.keys(LEAGUES).filter((code) => LEAGUES[code] === league);
    found.set(league, { league, codes });
  }
  return [...found.values()];
}
