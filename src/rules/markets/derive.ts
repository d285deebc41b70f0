// The rules of a market type from its name: of those that the catalogue lacks, and of what its entries leave out.
import { GAME, REGULATION, splitPart } from './parts.js';
import { ADVANCED, type DeclaredRules, type MarketRules, SCORE } from './rules.js';

const LAY = '_lay';
const CONTRACT = /^(.+)_contract_[a-z0-9_]+$/;
/** A handicap that counts from the score at the bet: in its name after what is counted and before the part. */
const REST = /^(.*(?:spread|handicap))_rest(?=_|$)/;
const HANDICAP_NAME = /^.*(?:spread|handicap)(?=_|$)/;
const SIDED = /^(home|away)_/;
const TEAM_BEHIND = /^((?:alternate_)?team_total(?:_\w+)?)_(home|away)$/;
/** Longest market type. */
export const TYPE_LENGTH = 64;

const CORRECT_SCORE = /^(?:(?:correct|exact)_(?:(?:set|map)_)?score(?:_(?:sets|maps))?|(?:set|map)_betting)$/;
/** A side as a word of a name; who scores a home run is none. */
const SIDE = /(?<![a-z0-9])(?:home|away)(?![a-z0-9])(?!_runs?(?![a-z]))/g;

const THREE_WAY = /_3_?way$/;
/** A handicap on which the draw is a result of its own. */
const EUROPEAN = /^european_(?:spread|handicap)$/;
const WINNER = /^(?:(\w+)_)?moneyline$/;
const TO_QUALIFY = /^to_(?:qualify|advance)$/;
const HANDICAP = /^(?:(\w+)_)?(?:spread|handicap)$/;
/** Words before `spread` and `handicap` that name no statistic of their own. */
const SCORE_WORDS = new Set(['point', 'goal', 'run', 'asian', 'european', 'alternate']);
const SCORE_HANDICAPS = new Set(['puck_line', 'run_line']);
const TOTAL = /^(?:alternate_)?total(?:_(\w+))?$/;
const TEAM_TOTAL = /^(?:(?:home|away)_)?(?:alternate_)?team_total(?:_(\w+))?$/;
const SCORE_TOTALS = new Set(['points', 'goals', 'runs']);
const YES_NO =
  /^(?:both_teams_to_score|btts|overtime|fight_goes_distance|\w+_yes_no|(?:home|away)_(?:clean_sheet|to_\w+))$/;
/** Questions that grading knows, by the name of what they ask. */
const QUESTIONS: ReadonlySet<string> = new Set([
  'both_teams_to_score',
  'double_chance',
  'half_time_full_time',
  'winning_margin',
  'first_team_to_score',
]);
/** Other names of theirs. */
const ASKED: Readonly<Record<string, string>> = {
  first_team_to_score: 'first_to_score',
  team_to_score_first: 'first_to_score',
  first_to_score: 'first_to_score',
  btts: 'both_teams_to_score',
  ht_ft: 'half_time_full_time',
  htft: 'half_time_full_time',
  double_result: 'half_time_full_time',
  margin_of_victory: 'winning_margin',
  victory_margin: 'winning_margin',
};
const OVERTIME = 'overtime';
const OUTRIGHT = /^(?:outrights?|(?:championship|tournament|league|conference|division)_winner)$/;
/** Player markets that name no statistic: the book's own text tells them apart. */
const NO_STATISTIC = /^(?:props?|stats?|specials?|totals?|markets?|bets?|performance|over_under|yes_no|other)$/;
const PLAYER_YES_NO =
  /(?:^|_)(?:anytime|1st|first|last|double_double|triple_double|quadruple_double|record_a|to_\w+|yes_no)(?:_|$)|_most$/;
/** What is asked is how something was done, and not by whom. */
const METHOD = /^method_of_/;

/** The type of the lay prices of a type's selections. */
export function layType(type: string): string {
  return `${type}${LAY}`;
}

/** The type whose selections a lay type lays; undefined for any other type. */
export function laidType(type: string): string | undefined {
  return type.endsWith(LAY) ? type.slice(0, -LAY.length) : undefined;
}

/**
 * The type of a contract venue's strike at a whole or quarter line, on which books' bets push and the venue's do not.
 * `book` makes it the venue's own: venues differ in what they pay there.
 */
export function contractType(type: string, book: string): string {
  return `${type}_contract_${book.replaceAll('-', '_')}`.slice(0, TYPE_LENGTH - LAY.length);
}

/** Whether a book's bet at the line settles as a contract does: no result is equal to it. Also where there is no line. */
export function isHalfOrNone(line: number | null): boolean {
  return line === null || Number.isInteger(line + 0.5);
}

/** The type that a contract venue's own strikes belong to; undefined for any other type. */
export function strikeBase(type: string): string | undefined {
  return CONTRACT.exec(type)?.[1];
}

/** `home_team_total_h1` is `team_total_h1` of the home team. Undefined for types whose name says no team. */
export function teamType(type: string): { type: string; team: 'home' | 'away' } | undefined {
  const behind = TEAM_BEHIND.exec(type);
  if (behind !== null) return { type: behind[1]!, team: behind[2] === 'home' ? 'home' : 'away' };
  const side = SIDED.exec(type)?.[1];
  if (side !== 'home' && side !== 'away') return undefined;
  const rest = type.slice(side.length + 1);
  return rest.startsWith('team_total') ? { type: rest, team: side } : undefined;
}

/** Whether a handicap counts only what follows the bet. */
export function isRest(type: string): boolean {
  return REST.test(type);
}

/** The type of a handicap that counts only what follows the bet. */
export function restType(type: string): string {
  return isRest(type) ? type : type.replace(HANDICAP_NAME, '$&_rest').slice(0, TYPE_LENGTH);
}

/** The type of the same question with home and away exchanged: itself if it is about neither, or both. */
export function turnedType(type: string): string {
  const sides = new Set(type.match(SIDE));
  if (sides.size !== 1 || type.startsWith('player_')) return type;
  return type.replace(SIDE, (side) => (side === 'home' ? 'away' : 'home'));
}

/** Never fails: a name that says nothing is of the family `other`. */
export function deriveRules(type: string): DeclaredRules {
  const strike = strikeBase(type);
  if (strike !== undefined) return { ...deriveRules(strike), tie: 'loses' };
  if (isRest(type)) return deriveRules(type.replace(REST, '$1'));
  const { base, part } = splitPart(laidType(type) ?? type);
  if (base.startsWith('player_')) return playerRules(base.slice('player_'.length), part);
  const threeWay = THREE_WAY.test(base) || EUROPEAN.test(base);
  const name = base.replace(THREE_WAY, '');
  const winner = WINNER.exec(name);
  if (winner !== null) return winnerRules(winner[1] ?? SCORE, part, threeWay);
  if (name === 'draw_no_bet') return drawNoBet(part);
  if (TO_QUALIFY.test(name)) return { ...common(part), family: 'winner', sides: 'two', statistic: ADVANCED };
  const handicap = HANDICAP.exec(name);
  if (SCORE_HANDICAPS.has(name)) return handicapRules(SCORE, part, threeWay);
  if (handicap !== null) return handicapRules(scoreOr(handicap[1], SCORE_WORDS, true), part, threeWay);
  const team = TEAM_TOTAL.exec(name);
  if (team !== null) return totalRules(scoreOr(team[1], SCORE_TOTALS, false), part, 'team', threeWay);
  const total = TOTAL.exec(name);
  if (total !== null) return totalRules(scoreOr(total[1], SCORE_TOTALS, false), part, 'game', threeWay);
  if (name.endsWith('odd_even')) return inEverySport({ ...common(part), family: 'odd_even', sides: 'two' });
  if (name === OVERTIME) return { ...common(part), family: 'yes_no', sides: 'two', statistic: name };
  if (YES_NO.test(name))
    return inEverySport({ ...common(part), family: 'yes_no', sides: 'two', statistic: questionOf(name) });
  if (CORRECT_SCORE.test(name)) return inEverySport({ ...common(part), statistic: SCORE });
  if (questionOf(name) !== null) return inEverySport({ ...common(part), statistic: questionOf(name) });
  if (OUTRIGHT.test(name)) return { ...common(part), family: 'outright' };
  if (name.startsWith('race_to_')) return { ...common(part), line: 'required', line_step: 1, statistic: 'race' };
  return common(part);
}

function questionOf(name: string): string | null {
  if (Object.hasOwn(ASKED, name)) return ASKED[name]!;
  return QUESTIONS.has(name) ? name : null;
}

/** A statistic as it is counted: `set` of a handicap is `sets` of a total. */
function scoreOr(named: string | undefined, score: ReadonlySet<string>, singular: boolean): string {
  if (named === undefined || score.has(named)) return SCORE;
  return singular && !named.endsWith('s') ? `${named}s` : named;
}

/** What is counted in overtime belongs to the game and, except in soccer, to its second half. */
function common(part: string): DeclaredRules {
  const overtime = part === GAME || part === 'h2' ? 'counts' : 'does_not';
  return {
    family: 'other',
    sides: 'by_book',
    part,
    subject: 'game',
    line: 'none',
    line_step: null,
    statistic: null,
    tie: 'cannot_happen',
    overtime,
    model: null,
  };
}

function inEverySport(rules: DeclaredRules): DeclaredRules {
  return { ...rules, by_sport: { soccer: inSoccer(rules) } };
}

/** Soccer's extra time is another game. */
function inSoccer({ overtime, part }: MarketRules): Partial<MarketRules> {
  if (overtime === 'does_not') return {};
  return part === GAME ? { part: REGULATION, overtime: 'does_not' } : { overtime: 'does_not' };
}

function winnerRules(statistic: string, part: string, threeWay: boolean): DeclaredRules {
  const model = statistic === SCORE ? 'margin' : null;
  const rules: DeclaredRules = { ...common(part), family: 'winner', statistic, model };
  if (threeWay) {
    const ofPart = part === GAME ? REGULATION : part;
    return { ...rules, sides: 'three', part: ofPart, tie: 'third_side', overtime: 'does_not' };
  }
  const decided: Partial<MarketRules> = { tie: 'cannot_happen' };
  return {
    ...rules,
    tie: 'push',
    by_sport: {
      soccer: { sides: 'three', tie: 'third_side', ...inSoccer(rules) },
      ...(part === GAME && statistic === SCORE ? { basketball: decided, baseball: decided, hockey: decided } : {}),
      ...(statistic === SCORE ? { tennis: decided, ...eachOf(SETS_OF_POINTS, decided), ...decidedInMaps(part) } : {}),
    },
  };
}

/** Sports whose score is of sets and whose spreads and totals are of the points in them. */
const SETS_OF_POINTS = ['volleyball', 'table_tennis', 'badminton'] as const;

function eachOf(sports: readonly string[], rules: Partial<MarketRules>): Record<string, Partial<MarketRules>> {
  return Object.fromEntries(sports.map((sport) => [sport, rules]));
}

/** Sports whose score is of maps, and what a map counts. */
const MAPS = { cs2: 'rounds', valorant: 'rounds', lol: 'kills', dota2: 'kills' } as const;
const MAP = /^map_\d$/;

/** A spread or total of a map is of its rounds or kills. */
function countedInMap(statistic: string, part: string): Record<string, Partial<MarketRules>> {
  if (statistic !== SCORE || !MAP.test(part)) return {};
  return Object.fromEntries(Object.entries(MAPS).map(([sport, counts]) => [sport, { statistic: counts }]));
}

/** A map cannot end level, nor a match, but for the two maps that Dota 2 plays in groups. */
function decidedInMaps(part: string): Record<string, Partial<MarketRules>> {
  const sports = Object.keys(MAPS).filter((sport) => sport !== 'dota2' || part !== GAME);
  return part === GAME || MAP.test(part) ? eachOf(sports, { tie: 'cannot_happen' }) : {};
}

function pointsOfSets(statistic: string): Record<string, Partial<MarketRules>> {
  return statistic === SCORE ? eachOf(SETS_OF_POINTS, { statistic: 'points' }) : {};
}

function drawNoBet(part: string): DeclaredRules {
  const ofPart = part === GAME ? REGULATION : part;
  const rules: DeclaredRules = { ...common(ofPart), family: 'winner', sides: 'two', statistic: SCORE };
  return { ...rules, tie: 'push', overtime: 'does_not', model: 'margin' };
}

/** A result equal to the line is a push, or a side of its own. */
function onTheLine(sides: MarketRules['sides'], threeWay: boolean): Pick<MarketRules, 'sides' | 'tie'> {
  return threeWay ? { sides: 'three', tie: 'third_side' } : { sides, tie: 'push' };
}

function handicapRules(statistic: string, part: string, threeWay: boolean): DeclaredRules {
  const score = statistic === SCORE;
  const rules: DeclaredRules = {
    ...common(part),
    family: 'handicap',
    line: 'required',
    line_step: 0.5,
    statistic,
    model: score ? 'margin' : 'wide_margin',
    ...onTheLine('by_book', threeWay),
  };
  // A tennis score is of sets, the lead that books ask for is of games.
  const tennis = score ? { tennis: { statistic: 'games' } } : {};
  return {
    ...rules,
    by_sport: {
      soccer: { ...inSoccer(rules), line_step: 0.25 },
      ...tennis,
      ...pointsOfSets(statistic),
      ...countedInMap(statistic, part),
    },
  };
}

function totalRules(statistic: string, part: string, subject: 'game' | 'team', threeWay: boolean): DeclaredRules {
  const score = statistic === SCORE;
  const rules: DeclaredRules = {
    ...common(part),
    family: 'total',
    subject,
    line: 'required',
    line_step: 0.5,
    statistic,
    model: score ? 'total' : 'wide_total',
    ...onTheLine('two', threeWay),
  };
  const soccer = { ...inSoccer(rules), line_step: 0.25 };
  return { ...rules, by_sport: { soccer, ...pointsOfSets(statistic), ...countedInMap(statistic, part) } };
}

function playerRules(stem: string, part: string): DeclaredRules {
  if (METHOD.test(stem)) return inEverySport(common(part));
  const statistic = NO_STATISTIC.test(stem) ? null : stem;
  const rules: DeclaredRules = { ...common(part), sides: 'two', subject: 'player', statistic };
  const by_sport = { soccer: inSoccer(rules) };
  if (PLAYER_YES_NO.test(stem)) return { ...rules, family: 'yes_no', by_sport };
  return { ...rules, family: 'total', line: 'required', line_step: 0.5, tie: 'push', model: 'wide_total', by_sport };
}
