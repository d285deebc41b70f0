// Player props: the statistics of each sport, and invented players.
import { countMass, normalCdf } from './ladder.js';
import { mix, unit } from './prng.js';

export interface PropKind {
  market: string;
  stat: string;
  /** Mean of the leading player, falling to `least` for the last player who has it. */
  most: number;
  least: number;
  /** Number of players per team who have it. */
  players: number;
  /** Index in the team of the first player who has it: a passer does not receive. */
  from: number;
  /** Standard deviation as a share of the mean (normal); 0 for a count (Poisson). */
  scatter: number;
  /** The statistic that this one is a part of: no more hits than total bases. */
  within: string | null;
  /** The statistics that it is the sum of. */
  sumOf: readonly string[];
}

function kind(
  market: string,
  stat: string,
  [most, least]: [number, number],
  [from, players]: [number, number],
  scatter = 0,
  parts: Partial<Pick<PropKind, 'within' | 'sumOf'>> = {},
): PropKind {
  return { market, stat, most, least, from, players, scatter, within: null, sumOf: [], ...parts };
}

export const PROPS: Record<'football' | 'basketball' | 'hockey' | 'baseball' | 'soccer', PropKind[]> = {
  football: [
    kind('player_pass_yds', 'pass_yds', [262, 238], [0, 1], 0.27),
    kind('player_rush_yds', 'rush_yds', [74, 31], [1, 2], 0.42),
    kind('player_reception_yds', 'reception_yds', [78, 28], [3, 4], 0.45),
    kind('player_pass_tds', 'pass_tds', [1.8, 1.5], [0, 1]),
    kind('player_receptions', 'receptions', [6.1, 2.7], [3, 4]),
    kind('player_rush_attempts', 'rush_attempts', [15.5, 7], [1, 2], 0.3),
  ],
  basketball: [
    kind('player_points', 'points', [27.5, 11], [0, 6], 0.3),
    kind('player_rebounds', 'rebounds', [10.2, 3.4], [0, 6]),
    kind('player_assists', 'assists', [7.8, 2.1], [0, 6]),
    kind('player_threes', 'threes', [3.1, 1.2], [0, 4]),
    kind('player_points_rebounds_assists', 'points_rebounds_assists', [0, 0], [0, 4], 0.21, {
      sumOf: ['points', 'rebounds', 'assists'],
    }),
  ],
  hockey: [
    kind('player_shots_on_goal', 'shots_on_goal', [3.5, 1.8], [0, 5]),
    kind('player_points', 'points', [1.05, 0.5], [0, 4]),
    kind('player_total_saves', 'total_saves', [27.5, 25], [6, 1], 0.2),
    kind('player_assists', 'assists', [0.65, 0.4], [0, 3], 0, { within: 'points' }),
  ],
  baseball: [
    kind('player_pitcher_strikeouts', 'pitcher_strikeouts', [6.4, 4.6], [0, 1]),
    kind('player_batter_hits', 'batter_hits', [1.15, 0.8], [1, 5], 0, { within: 'batter_total_bases' }),
    kind('player_batter_total_bases', 'batter_total_bases', [1.9, 1.2], [1, 5]),
    kind('player_pitcher_outs', 'pitcher_outs', [17.4, 15.8], [0, 1], 0.2),
  ],
  soccer: [
    kind('player_shots', 'shots', [3.1, 1.2], [0, 4]),
    kind('player_shots_on_target', 'shots_on_target', [1.3, 0.5], [0, 4], 0, { within: 'shots' }),
  ],
};

export interface Prop {
  kind: PropKind;
  player: string;
  /** Input of all its random values. */
  seed: number;
  mean: number;
}

/** The props of a game, the best known players first, both teams alternating. */
export function gameProps(
  kinds: readonly PropKind[],
  home: readonly string[],
  away: readonly string[],
  seed: number,
): Prop[] {
  const props: Prop[] = [];
  const seedOf = (k: number, place: number, side: number): number => mix(seed, k * 16 + place, side);
  const meanOf = (k: number, place: number, side: number): number => {
    const { most, least, players, sumOf } = kinds[k]!;
    let sum = 0;
    for (const [part, { stat }] of kinds.entries()) if (sumOf.includes(stat)) sum += meanOf(part, place, side);
    if (sumOf.length > 0) return sum;
    const fall = players === 1 ? 0 : place / (players - 1);
    return (most + (least - most) * fall) * (0.9 + 0.2 * unit(seedOf(k, place, side), 1));
  };
  for (let place = 0; place < 6; place++)
    for (const [k, propKind] of kinds.entries()) {
      if (place >= propKind.players) continue;
      for (const [side, names] of [home, away].entries()) {
        const player = names[propKind.from + place]!;
        props.push({ kind: propKind, player, seed: seedOf(k, place, side), mean: meanOf(k, place, side) });
      }
    }
  return props;
}

/** Probability that the player ends above the half-point `line` (x.5), at `mean`. */
export function propAbove(propKind: PropKind, mean: number, line: number): number {
  if (propKind.scatter > 0) return normalCdf((mean - line) / (propKind.scatter * mean));
  const mass = countMass(mean, Number.POSITIVE_INFINITY);
  let upTo = 0;
  for (let k = 0; k < line && k < mass.length; k++) upTo += mass[k]!;
  return 1 - upTo;
}

export const ROSTER_SIZE = 8;

const FIRST_NAMES =
  'Aaron Adrian Alvin Amari Andre Anton Ashton Barrett Beau Blaine Brendan Bryce Caleb Calvin Carter Cedric Chase Clay Colin Corey Dalton Damon Darius Davion Declan Desmond Devin Dorian Drew Elias Elliot Emmett Enzo Evan Felix Garrett Gavin Grady Graham Grant Griffin Harlan Hollis Hugo Isaac Ivan Jamal Jaren Jasper Joel Jonas Julian Kendrick Kieran Lamar Landon Leo Logan Lucas Malik Marcel Marcus Mason Mateo Micah Miles Nico Nolan Omar Oscar Otis Owen Pascal Perry Quentin Rafael Reggie Rhys Roman Ruben Rufus Ryder Santiago Seth Silas Simon Soren Tariq Terrell Theo Tobias Trent Tyson Vance Victor Warren Wesley Wyatt Xavier Zane'.split(
    ' ',
  );
const LAST_NAMES =
  'Abara Ackley Alcott Amundsen Arkwright Bancroft Barlowe Beckworth Belmonte Bexley Birdsong Blackwood Boudreau Brannigan Brightwell Calloway Carrow Castellan Chadwell Claymore Cobham Corrigan Cranston Dallimore Danforth Delacroix Dewhurst Dravic Dunmore Eastlake Ellsworth Emberton Fairbairn Farrow Fenwick Fontaine Galloway Garrick Gilchrist Goldwin Greaves Grimaldi Hadley Halvorsen Hargrove Hartwell Hatcher Hollander Ibarra Ingersoll Jessop Kearney Kellerman Kingsley Kovar Lancaster Larkin Lindqvist Lockhart Lovell Maddox Marchetti Mayfield Merrick Montrose Moreau Nakamura Norwood Oakley Okafor Oldham Ostrander Pemberton Penhale Prescott Quarles Radcliffe Ravenel Redfern Renshaw Rosario Rutledge Salcedo Sandoval Sheffield Sinclair Stanhope Sterling Stroud Talbot Tennant Thackeray Thorne Tillman Underhill Valdez Vandermeer Vasquez Wakefield Wentworth Whitlock Winslow Wycliffe Yarrow Zeller'.split(
    ' ',
  );
export const NAME_COUNT = FIRST_NAMES.length * LAST_NAMES.length;
/** Coprime to NAME_COUNT, so that steps of this size meet every name before any is repeated. */
const STRIDE = 3_571;

/** The n-th invented name of a league; the first NAME_COUNT are all different. */
export function inventedName(leagueSeed: number, n: number): string {
  const i = ((leagueSeed % NAME_COUNT) + n * STRIDE) % NAME_COUNT;
  return `${FIRST_NAMES[i % FIRST_NAMES.length]!} ${LAST_NAMES[Math.floor(i / FIRST_NAMES.length)]!}`;
}

export function roster(leagueSeed: number, teamIndex: number): string[] {
  return Array.from({ length: ROSTER_SIZE }, (_, place) => inventedName(leagueSeed, teamIndex * ROSTER_SIZE + place));
}
