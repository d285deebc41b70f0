// Which outcome a price is of: the game's, one team's or one player's, and at which line. All that finds, compares or
// names the prices of one bet goes by it: Over and Under are the names of many outcomes of one market.
import { BoundedMap } from '../../src/base/memory/bounded-map.js';
import { getOrInsert } from '../../src/base/memory/get-or-insert.js';
import { keyPart } from '../../src/base/model/key-part.js';
import type { OddsRow } from '../../src/client/client.js';
import { canonicalPlayerName, namesakesIn, playerKey } from '../../src/rules/catalogue/player-name.js';
import { selectionName } from '../../src/rules/catalogue/selection-name.js';
import { openStatistic } from '../../src/rules/markets/sides.js';
import { rulesOf } from './market-choice.js';
import { lineText } from './odds-format.js';

/** Whose market it is, as rows, opportunities and moves say it; nothing is said of the game's own. */
export interface Subject {
  player_name?: string | null | undefined;
  stat_category?: string | null | undefined;
  team_name?: string | null | undefined;
}

const NAMES_KEPT = 5_000;

export interface Outcome extends Subject {
  market_type: string;
  selection: string;
  line: number | null;
}

const canonical = new BoundedMap<string, string>(NAMES_KEPT);

/** One spelling of a player's name for all, as the server groups by it. @param namesakes of the game: see namesakesOf() */
function playerOf(name: string, namesakes: readonly string[]): string {
  return namesakes.length > 0
    ? playerKey(name, namesakes)
    : getOrInsert(canonical, name, () => canonicalPlayerName(name));
}

/**
 * Equal for all that one market of a game is about.
 * @param market whose statistic is said by its type, unless that leaves it open
 */
export function subjectKey(of: Subject, market: string, namesakes: readonly string[] = []): string {
  const { player_name, stat_category, team_name } = of;
  if (!player_name && !stat_category && !team_name) return '';
  const stat = openStatistic(rulesOf(market), stat_category ?? null) ?? '';
  return [player_name ? playerOf(player_name, namesakes) : '', stat, team_name ?? ''].map(keyPart).join('|');
}

export function isSameSubject(a: Subject, b: Subject, market: string, namesakes?: readonly string[]): boolean {
  return subjectKey(a, market, namesakes) === subjectKey(b, market, namesakes);
}

/** Players of a game whose suffix (Jr, II) tells two men apart, as some book lists both. */
export function namesakesOf(rows: Iterable<OddsRow>): string[] {
  const names = new Map<string, Set<string>>();
  for (const { sportsbook, market_type, event_id, player_name } of rows)
    if (player_name !== undefined)
      getOrInsert(names, `${event_id}|${sportsbook}|${market_type}`, () => new Set<string>()).add(player_name);
  return [...new Set([...names.values()].flatMap((some) => namesakesIn(some)))];
}

export function subjectOf({ player_name = null, stat_category = null, team_name = null }: Subject): Subject {
  return { player_name, stat_category, team_name };
}

/** Player or team; '' if it is about the game. */
export function whoOf({ player_name, team_name }: Subject): string {
  return player_name ?? team_name ?? '';
}

/** Of one game: its id is compared by whoever has several. */
export function isSameOutcome(a: Outcome, b: Outcome, namesakes: readonly string[] = []): boolean {
  return (
    a.market_type === b.market_type &&
    a.line === b.line &&
    isSameSubject(a, b, a.market_type, namesakes) &&
    nameOf(a, namesakes) === nameOf(b, namesakes)
  );
}

/** What tells an outcome from the others of its line. */
export function nameOf(
  { selection, player_name }: Pick<Outcome, 'selection' | 'player_name'>,
  namesakes: readonly string[] = [],
  type = '',
): string {
  const who = player_name ? playerOf(player_name, namesakes) : '';
  return selectionName(type, selection, who, (name) => playerOf(name, namesakes));
}

/** The side of its market that a selection is by its name, as rows have its type. Undefined for any other selection. */
export function sideOf(selection: string, { home_team, away_team }: Pick<OddsRow, 'home_team' | 'away_team'>) {
  if (selection === home_team) return 'home';
  if (selection === away_team) return 'away';
  return /^(over|under|exactly|yes|no|odd|even|draw)\b/i.exec(selection)?.[1]?.toLowerCase();
}

/** With the player, or the team whose total it is: `Boston Celtics Over 110.5`. */
export function outcomeText(of: Outcome): string {
  const who = whoOf(of);
  const named = of.selection.includes(who) ? '' : who;
  return [isolated(named), isolated(of.selection), lineText(of.line, of.market_type)].filter(Boolean).join(' ');
}

const TAIL = /(?:(?:^|\s)(?:over|under|exactly|yes|no|odd|even)\b)?(?:(?:^|\s)[-+]?\d+(?:\.\d+)?)?$/i;

/** Whose it is, which may be cut where there is no room, and what must not be: the side and the line. */
export function outcomeParts(text: string): [who: string, tail: string] {
  const at = TAIL.exec(text)?.index ?? text.length;
  return [text.slice(0, at), text.slice(at)];
}

/** `Away @ Home`, in this order also where both are written from right to left. */
export function gameText(name: string): string {
  return name.split(' @ ').map(isolated).join(' @ ');
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name that is written from right to left would take the numbers beside it along. */
function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}
