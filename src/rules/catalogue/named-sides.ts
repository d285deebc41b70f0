// What a selection means that names teams: "LA Lakers" is home or away, "Arsenal or Draw" is home_or_draw.
import type { MarketRules } from '../markets/rules.js';
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
/** After the name of a team: a margin, a line, a number to reach. */
const BEHIND = /^(.*?)((?:\s+by)?\s+[+-]?\d[\d\s.+-]*(?:or more|points|goals|runs)?)$/i;

const SHORT: ReadonlyMap<string, string> = new Map([
  ['1x', 'home_or_draw'],
  ['12', 'home_or_away'],
  ['x2', 'draw_or_away'],
]);

/**
 * One word for a selection, in lower case: `home` for a team's name, wherever its market is about teams. What names no team
 * is as it is.
 */
export function sideOrName(catalogue: Catalogue, { family }: MarketRules, game: GameOf, selection: string): string {
  const name = selection.trim().toLowerCase();
  return isSide(name) || !NAMES_TEAMS.has(family) ? name : (sidesNamed(catalogue, game, selection) ?? name);
}

/** The selection with `home`, `away` and `draw` for the names in it, in lower case; null if it names neither team. */
function sidesNamed(catalogue: Catalogue, game: GameOf, selection: string): string | null {
  const text = selection.trim();
  const short = SHORT.get(text.toLowerCase());
  if (short !== undefined) return short;
  const whole = sideOf(catalogue, game, text);
  if (whole !== null) return whole;
  const parts = text.split(BETWEEN);
  if (parts.length === 2) {
    const sides = parts.map((part) => sideOf(catalogue, game, part.trim()) ?? drawOf(part));
    if (sides.every((side) => side !== null)) return sides.join(text.includes('/') ? '/' : '_or_');
  }
  const [, name, behind] = BEHIND.exec(text) ?? [];
  const side = name === undefined ? null : sideOf(catalogue, game, name);
  return side === null ? null : `${side}${behind!.toLowerCase()}`;
}

function drawOf(name: string): string | null {
  return /^(?:draw|tie|x)$/i.test(name.trim()) ? 'draw' : null;
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
