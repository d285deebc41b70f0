// What a selection means that names teams: "LA Lakers" is home or away, "Arsenal or Draw" is home_or_draw.
import { BoundedMap } from '../../base/memory/bounded-map.js';
import { LIMITS } from '../../base/model/limits.js';
import type { MarketRules } from '../markets/rules.js';
import { doubleOutcome, outcomeBeside, outcomeOf, saysMoreThanSide } from '../markets/selection-words.js';
import type { Catalogue } from './catalogue.js';
import { canonicalPlayerName } from './player-name.js';

export interface GameOf {
  readonly league: string;
  readonly home: string;
  readonly away: string;
}

/** What a side begins with, by type. */
const SIDE = /^(?:home|away|draw|over|under|yes|no|odd|even|exactly)(?![a-z])/;
/** Families of market types whose selections may name teams. */
const NAMES_TEAMS: ReadonlySet<string> = new Set(['winner', 'handicap', 'other']);

/** Whether a selection in lower case says its side by itself. */
export function isSide(selection: string): boolean {
  return SIDE.test(selection);
}

/** Between the names of a selection: two results of three, half time and full time. */
const BETWEEN = /\s+or\s+|\s*\/\s*|_or_/i;
/** The same, where it may also be within a name. */
const WITHIN = /\s+(?:&|and|-|–)\s+/i;
/** After the name of a team: a margin, a line, a number to reach. */
const BEHIND =
  /^(.*?)((?:\s+(?:to\s+)?(?:wins?\s+)?by(?:\s+exactly)?)?\s+[+-]?\d[\d\s.:+-]*(?:or more|points?|goals?|runs?)?)$/i;

/**
 * One word for a selection, in lower case: `home` for a team's name, wherever its market is about teams, and
 * `home_or_draw` for every way to write that. What names no team is as it is.
 */
export function sideOrName(catalogue: Catalogue, rules: MarketRules, game: GameOf, selection: string): string {
  const name = selection.trim().toLowerCase();
  const outcome = outcomeOf(rules, name);
  if (outcome !== undefined) return outcome;
  // "Draw or Arsenal" names a team behind its first word.
  if ((isSide(name) && !BETWEEN.test(name) && !WITHIN.test(name)) || !NAMES_TEAMS.has(rules.family)) return name;
  const named = sidesNamed(catalogue, game, selection);
  return named === null ? name : (outcomeOf(rules, named) ?? named);
}

/** Types whose selections every book names alike, of markets that ask for a side alone. */
const PLAIN: ReadonlySet<string> = new Set(['home', 'away', 'draw', 'over', 'under', 'yes', 'no']);

/**
 * A selection's type, one word for each outcome whichever way its source writes it: by the type, and where that leaves it
 * open by the name.
 * @param game as its source has home and away; null if its teams are not known
 */
export function typeMeant(
  catalogue: Catalogue,
  rules: MarketRules,
  game: GameOf | null,
  type: string,
  name: string,
): string {
  if (rules.family !== 'other' && PLAIN.has(type)) return type;
  const outcome = outcomeOf(rules, type);
  if (outcome !== undefined || !saysMoreThanSide(rules)) return outcome ?? type;
  return outcomeBeside(rules, type, name, game === null ? name : sideOrName(catalogue, rules, game, name)) ?? type;
}

/** The selection with `home`, `away` and `draw` for the names in it, in lower case; null if it names neither team. */
function sidesNamed(catalogue: Catalogue, game: GameOf, selection: string): string | null {
  const text = selection.trim();
  const whole = sideOf(catalogue, game, text);
  if (whole !== null) return whole;
  for (const between of [BETWEEN, WITHIN]) {
    const parts = text.split(between);
    if (parts.length !== 2) continue;
    const sides = parts.map((part) => sideOf(catalogue, game, part.trim()) ?? drawOf(part));
    if (sides.every((side) => side !== null)) return sides.join(text.includes('/') ? '/' : '_or_');
  }
  const [, name, behind] = BEHIND.exec(text) ?? [];
  const side = name === undefined ? null : sideOf(catalogue, game, name);
  return side === null ? null : `${side}${behind!.toLowerCase()}`;
}

function drawOf(name: string): string | null {
  return /^(?:(?:the )?draw|tie|x)$/i.test(name.trim()) ? 'draw' : null;
}

function sideOf(catalogue: Catalogue, { league, home, away }: GameOf, name: string): 'home' | 'away' | null {
  if (name === '') return null;
  const [isHome, isAway] = [home, away].map((team) => isTeam(catalogue, league, team, name));
  return isHome === isAway ? null : isHome ? 'home' : 'away';
}

function isTeam(catalogue: Catalogue, league: string, team: string, name: string): boolean {
  return (
    catalogue.resolveTeam(league, name).token === catalogue.resolveTeam(league, team).token ||
    canonicalPlayerName(name) === canonicalPlayerName(team)
  );
}

// Whether a selection's name says another side than its type: the price of one would be the other's.

/** Of types that say a side: which of them exclude each other. */
const KINDS: ReadonlyMap<string, 'team' | 'two teams' | 'total' | 'answer' | 'parity'> = new Map([
  ['home_or_draw', 'two teams'],
  ['draw_or_home', 'two teams'],
  ['home_or_away', 'two teams'],
  ['away_or_home', 'two teams'],
  ['draw_or_away', 'two teams'],
  ['away_or_draw', 'two teams'],
  ['home', 'team'],
  ['away', 'team'],
  ['draw', 'team'],
  ['tie', 'team'],
  ['over', 'total'],
  ['under', 'total'],
  ['yes', 'answer'],
  ['no', 'answer'],
  ['odd', 'parity'],
  ['even', 'parity'],
]);
const IN_WORDS = /^(over|under|yes|no|odd|even)(\s+[\d.+-]+(\s.*)?)?$/i;
const LOWER_CASE = 0x20;

/**
 * What names said of a game's sides, by the game as it was read: feeds name the same game, and its teams otherwise than the
 * game does, poll after poll.
 */
const saidOf = new WeakMap<GameOf, BoundedMap<string, string | null>>();

/**
 * The side that the name says where its type says another one; undefined if they agree, or the name says none.
 * @param game as its source has home and away
 * @param selectionType the type that is meant (typeMeant)
 * @param statedType as its source has it
 */
export function contradictedSide(
  catalogue: Catalogue,
  rules: MarketRules,
  game: GameOf,
  name: string,
  selectionType: string,
  statedType: string,
): string | undefined {
  const kind = KINDS.get(selectionType);
  if (saysMoreThanSide(rules)) return contradictedOutcome(catalogue, rules, game, name, selectionType, statedType);
  if (kind === undefined) return undefined;
  if (kind === 'team' || kind === 'two teams') {
    if (selectionType === 'home' ? name === game.home : selectionType === 'away' && name === game.away)
      return undefined;
    const said = saidByName(catalogue, game, name);
    return said === null || agrees(said, selectionType, kind === 'two teams') ? undefined : said;
  }
  // As nearly every one: "Over 2.5" of over.
  if ((name.charCodeAt(0) | LOWER_CASE) === selectionType.charCodeAt(0)) return undefined;
  const said = IN_WORDS.exec(name)?.[1]?.toLowerCase();
  return said !== undefined && KINDS.get(said) === kind ? said : undefined;
}

/** Of a double chance, a margin, a score, or half time and full time. */
function contradictedOutcome(
  catalogue: Catalogue,
  rules: MarketRules,
  game: GameOf,
  name: string,
  selectionType: string,
  statedType: string,
): string | undefined {
  const outcome = outcomeOf(rules, statedType);
  // Of a type that left it open, the name said it (typeMeant), unless the two contradict each other.
  if (outcome === undefined && selectionType !== statedType) return undefined;
  const said = outcomeOf(rules, sideOrName(catalogue, rules, game, name));
  return said === outcome ? undefined : said;
}

function agrees(said: string, type: string, isDouble: boolean): boolean {
  if (isDouble) return !said.includes('_or_') || doubleOutcome(said) === doubleOutcome(type);
  return said.includes('_or_') || said === (type === 'tie' ? 'draw' : type);
}

/** `home`, `away`, `draw` or two of them; null if it says none, as a label that is also another school's name (`Miami`). */
function saidByName(catalogue: Catalogue, game: GameOf, name: string): string | null {
  let names = saidOf.get(game);
  const before = names?.get(name);
  if (before !== undefined) return before;
  if (names === undefined) {
    names = new BoundedMap(LIMITS.namesOfSides.max);
    saidOf.set(game, names);
  }
  const said = readName(catalogue, game, name);
  names.set(name, said);
  return said;
}

function readName(catalogue: Catalogue, game: GameOf, name: string): string | null {
  const word = name.toLowerCase();
  if (word === 'home' || word === 'away' || word === 'draw') return word;
  if (word === 'tie') return 'draw';
  const double = doubleOutcome(word);
  if (double !== undefined) return double;
  const named = sidesNamed(catalogue, game, name);
  return named === null ? null : (/^(?:home|away)(?=[\s+-]|$)|^[a-z]+_or_[a-z]+$/.exec(named)?.[0] ?? null);
}
