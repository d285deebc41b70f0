// Searching events by day, teams or words: the same for every list that can be narrowed to some events.

import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { slug } from '../../rules/catalogue/team-name.js';
import type { TableEvent } from '../events.js';
import { splitList } from './universe.js';

export interface SearchParams {
  /** YYYY-MM-DD: day of the start in the league's home time zone. */
  date?: string | undefined;
  /** Comma list of ids, aliases or whole words of names. */
  team?: string | undefined;
  /** Words, or beginnings of words, of the teams, the league or the sport. */
  q?: string | undefined;
}

/** A test of events; null if nothing is searched for. */
export function eventSearch(
  catalogue: Catalogue,
  { date, team, q }: SearchParams,
): ((event: TableEvent) => boolean) | null {
  const tests: ((event: TableEvent) => boolean)[] = [];
  if (date !== undefined) tests.push((event) => catalogue.localDate(event.league, event.startMs) === date);
  if (team !== undefined) {
    const names = searchedTeams(team);
    tests.push((event) =>
      names.some(
        ({ name, words }) => standsIn(words, textOf(catalogue, event).teams) || isTeam(catalogue, event, name),
      ),
    );
  }
  if (q !== undefined) {
    const words = slug(q).split('-');
    tests.push((event) => wordsStartIn(words, textOf(catalogue, event).all) || isTeam(catalogue, event, q));
  }
  return tests.length === 0 ? null : (event) => tests.every((test) => test(event));
}

/** The names of a `team` parameter. Each is looked for in every event: throws invalid_request if there are too many. */
export function searchedTeams(team: string): { name: string; words: string[] }[] {
  const names = splitList(team);
  if (names.length > LIMITS.searchedTeams.max)
    throw new ApiError('invalid_request', `team: at most ${LIMITS.searchedTeams.max} names`);
  return names.map((name) => ({ name, words: slug(name).split('-') }));
}

/** Whether the event's league resolves the name to one of its two teams. */
function isTeam(catalogue: Catalogue, event: TableEvent, name: string): boolean {
  const { token } = catalogue.resolveTeam(event.league, name);
  return token === event.homeToken || token === event.awayToken;
}

/** Names never change while an event lives. */
const texts = new WeakMap<TableEvent, { teams: string; all: string }>();

function textOf(catalogue: Catalogue, event: TableEvent): { teams: string; all: string } {
  let text = texts.get(event);
  if (text === undefined) {
    const teams = wordsOf(event.home, event.homeToken, event.away, event.awayToken);
    const league = catalogue.league(event.league)?.name ?? '';
    const sport = catalogue.sport(event.sport)?.name ?? '';
    text = { teams, all: `${teams}|${wordsOf(event.league, league, event.sport, sport)}` };
    texts.set(event, text);
  }
  return text;
}

// Free-text search in lists of names: words without case, accents and punctuation, matched whole or by their
// beginnings.

/** The names' words, each between hyphens: `-los-angeles-lakers-|-lal-`. */
export function wordsOf(...names: readonly string[]): string {
  return names.map((name) => `-${slug(name)}-`).join('|');
}

/** Whether every one of `words` is the beginning of a word of `text` (as wordsOf makes it). */
export function wordsStartIn(words: readonly string[], text: string): boolean {
  return words.every((word) => text.includes(`-${word}`));
}

/** Whether the words occur whole and in order in one of the text's names: `nets` is not in `hornets`. */
export function standsIn(words: readonly string[], text: string): boolean {
  return text.includes(`-${words.join('-')}-`);
}
