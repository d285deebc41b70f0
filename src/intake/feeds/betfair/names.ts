// Maps Betfair's names of leagues and teams to the catalogue's. A league is identified by its competition's name, a
// side by its runner's.
import { slug } from '../../../rules/catalogue/team-name.js';
import { type TeamLookup, VenueTeams } from '../kit/teams.js';

/** The part of the catalogue used here. */
export interface NameLookup extends TeamLookup {
  leagueOf(name: string): { id: string; sport: string } | undefined;
}

/** The catalogue's sport for Betfair's event types; others are not followed. */
export const SPORT_OF_EVENT_TYPE: Readonly<Record<string, string>> = {
  '1': 'soccer',
  '7522': 'basketball',
  '6423': 'football',
  '7511': 'baseball',
  '7524': 'hockey',
};

/** Competitions whose names the catalogue lacks, by sport; compared without case, accents and punctuation. */
const COMPETITIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  soccer: {
    'English Premier League': 'epl',
    'English Championship': 'efl-championship',
    'Sky Bet Championship': 'efl-championship',
    'English FA Cup': 'fa-cup',
    'English League Cup': 'efl-cup',
    'English EFL Cup': 'efl-cup',
    'EFL Cup': 'efl-cup',
    'Spanish La Liga': 'la-liga',
    'German Bundesliga': 'bundesliga',
    'Italian Serie A': 'serie-a',
    'French Ligue 1': 'ligue-1',
    'Dutch Eredivisie': 'eredivisie',
    'Portuguese Primeira Liga': 'primeira-liga',
    'Scottish Premiership': 'scottish-premiership',
    'English League 1': 'efl-league-one',
    'English Sky Bet League 1': 'efl-league-one',
    'English League 2': 'efl-league-two',
    'English Sky Bet League 2': 'efl-league-two',
    'English National League': 'national-league',
    'German Bundesliga 2': '2-bundesliga',
    'Italian Serie B': 'serie-b',
    'Spanish Segunda Division': 'la-liga-2',
    'French Ligue 2': 'ligue-2',
    'Belgian Pro League': 'belgian-pro-league',
    'Belgian First Division A': 'belgian-pro-league',
    'Turkish Super League': 'super-lig',
    'Greek Super League': 'super-league-greece',
    'UEFA Champions League': 'ucl',
    'UEFA Europa League': 'uel',
    'UEFA Europa Conference League': 'uecl',
    'UEFA Conference League': 'uecl',
    'US Major League Soccer': 'mls',
    'Major League Soccer': 'mls',
    'Mexican Liga MX': 'liga-mx',
    'Brazilian Serie A': 'brasileirao',
    'Australian A-League': 'a-league',
    'Australian A-League Men': 'a-league',
    'FIFA World Cup': 'world-cup',
  },
  basketball: {
    'NBA Matches': 'nba',
    NCAAB: 'ncaab',
    'US NCAA Basketball': 'ncaab',
    Euroleague: 'euroleague',
    'Turkish Airlines Euroleague': 'euroleague',
    'Australian NBL': 'nbl',
  },
  football: { 'NFL Season': 'nfl', 'NFL Matches': 'nfl', NCAAF: 'ncaaf', 'US NCAA Football': 'ncaaf' },
  baseball: { 'Major League Baseball': 'mlb', 'US MLB': 'mlb', 'Japanese NPB': 'npb', 'Korean KBO': 'kbo' },
  hockey: { 'US NHL': 'nhl', 'NHL Matches': 'nhl', 'Swedish SHL': 'shl', 'Finnish Liiga': 'liiga' },
};

const leagueNames = new Map<string, string>();
for (const [sport, names] of Object.entries(COMPETITIONS))
  for (const [name, league] of Object.entries(names)) leagueNames.set(`${sport}|${slug(name)}`, league);

export interface Teams {
  /** As Betfair writes them. */
  home: string;
  away: string;
}

const AWAY_FIRST = /^(.+?)\s+(?:@|at)\s+(.+)$/i;
const HOME_FIRST = /^(.+?)\s+(?:v|vs)\.?\s+(.+)$/i;

/** Parses "Away @ Home" and "Home v Away"; undefined if the event's name is neither. */
export function sidesOf(eventName: string): Teams | undefined {
  const away = AWAY_FIRST.exec(eventName);
  if (away !== null) return { home: away[2]!, away: away[1]! };
  const home = HOME_FIRST.exec(eventName);
  return home === null ? undefined : { home: home[1]!, away: home[2]! };
}

export class Names {
  readonly #lookup: NameLookup;
  readonly known: VenueTeams;

  constructor(lookup: NameLookup) {
    this.#lookup = lookup;
    this.known = new VenueTeams(lookup);
  }

  /** The league of a competition, undefined if it is unknown in this sport. */
  league(competition: string, sport: string): string | undefined {
    const own = leagueNames.get(`${sport}|${slug(competition)}`);
    const league = this.#lookup.leagueOf(own ?? competition);
    return league !== undefined && league.sport === sport ? league.id : undefined;
  }

  /** The teams in the name of an event; undefined if it is not a game of two known teams. */
  teams(eventName: string, league: string): Teams | undefined {
    const names = sidesOf(eventName);
    if (names === undefined) return undefined;
    const first = this.known.ofGame(league, names.home);
    const second = this.known.ofGame(league, names.away);
    if (first === undefined || second === undefined || first.token === second.token) return undefined;
    return { home: first.name, away: second.name };
  }

  /** The side a runner belongs to; undefined if it is neither. */
  side(runner: string, teams: Teams, league: string): 'home' | 'away' | undefined {
    const token = this.known.find(league, runner)?.token;
    if (token === undefined) return undefined;
    if (token === this.known.find(league, teams.home)?.token) return 'home';
    return token === this.known.find(league, teams.away)?.token ? 'away' : undefined;
  }
}
