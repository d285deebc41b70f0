// Which outcome a price is of: the game's, one team's or one player's, and at which line. All that finds, compares or
// names the prices of one bet goes by it: Over and Under are the names of many outcomes of one market.
import { lineText } from './odds-format.js';

/** Whose market it is, as rows, opportunities and moves say it; nothing is said of the game's own. */
export interface Subject {
  player_name?: string | null | undefined;
  stat_category?: string | null | undefined;
  team_name?: string | null | undefined;
}

export interface Outcome extends Subject {
  market_type: string;
  selection: string;
  line: number | null;
}

export function subjectKey({ player_name, stat_category, team_name }: Subject): string {
  return [player_name ?? '', stat_category ?? '', team_name ?? ''].join('|');
}

export function subjectOf({ player_name = null, stat_category = null, team_name = null }: Subject): Subject {
  return { player_name, stat_category, team_name };
}

/** Player or team; '' if it is about the game. */
export function whoOf({ player_name, team_name }: Subject): string {
  return player_name ?? team_name ?? '';
}

/** Of one game: its id is compared by whoever has several. */
export function isSameOutcome(a: Outcome, b: Outcome): boolean {
  return (
    a.market_type === b.market_type &&
    a.selection === b.selection &&
    a.line === b.line &&
    subjectKey(a) === subjectKey(b)
  );
}

/** With the player, or the team whose total it is: `Boston Celtics Over 110.5`. */
export function outcomeText(of: Outcome): string {
  const who = whoOf(of);
  const named = of.selection.includes(who) ? '' : who;
  return [isolated(named), isolated(of.selection), lineText(of.line, of.market_type)].filter(Boolean).join(' ');
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name that is written from right to left would take the numbers beside it along. */
function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}
