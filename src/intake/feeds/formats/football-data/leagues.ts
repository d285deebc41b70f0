// The leagues of football-data.co.uk: its divisions, and the countries whose leagues have one file for all seasons.

/** By `Div`. */
export const LEAGUE_OF_DIVISION: ReadonlyMap<string, string> = new Map([
  ['E0', 'epl'],
  ['E1', 'efl-championship'],
  ['E2', 'efl-league-one'],
  ['E3', 'efl-league-two'],
  ['EC', 'national-league'],
  ['SC0', 'scottish-premiership'],
  ['SC1', 'scottish-championship'],
  ['SC2', 'scottish-league-one'],
  ['SC3', 'scottish-league-two'],
  ['D1', 'bundesliga'],
  ['D2', '2-bundesliga'],
  ['I1', 'serie-a'],
  ['I2', 'serie-b'],
  ['SP1', 'la-liga'],
  ['SP2', 'la-liga-2'],
  ['F1', 'ligue-1'],
  ['F2', 'ligue-2'],
  ['N1', 'eredivisie'],
  ['B1', 'belgian-pro-league'],
  ['P1', 'primeira-liga'],
  ['T1', 'super-lig'],
  ['G1', 'super-league-greece'],
]);

/** By `Country`, in lower case. */
export const LEAGUE_OF_COUNTRY: ReadonlyMap<string, string> = new Map([
  ['argentina', 'argentina-primera'],
  ['austria', 'austrian-bundesliga'],
  ['brazil', 'brasileirao'],
  ['china', 'chinese-super-league'],
  ['denmark', 'danish-superliga'],
  ['finland', 'veikkausliiga'],
  ['ireland', 'league-of-ireland'],
  ['japan', 'j-league'],
  ['mexico', 'liga-mx'],
  ['norway', 'eliteserien'],
  ['poland', 'ekstraklasa'],
  ['romania', 'romanian-superliga'],
  ['russia', 'russian-premier-league'],
  ['sweden', 'allsvenskan'],
  ['switzerland', 'swiss-super-league'],
  ['usa', 'mls'],
]);
