// Discovery: the games that Polymarket lists, page by page through its Gamma API.
import { LIMITS } from '../../../base/model/limits.js';
import { type Fields, listIn, textOf } from '../kit/field-readers.js';
import { type Rest, VenueRefusal } from '../kit/rest.js';

const PAGE = 100;
/** Maximum number of pages of events of one league: beyond it something is wrong with the paging. */
const PAGES_MAX = LIMITS.venuePages.max;

/** Tags of all sports and of all games, which identify no league. */
const COMMON_TAGS = new Set(['1', '100639']);

export interface SportEntry {
  /** Ids of its series of games. */
  series: string[];
  tags: string[];
  firstIs: 'home' | 'away' | undefined;
}

/** GET /sports by code. */
export async function readSports(gamma: Rest): Promise<Map<string, SportEntry>> {
  const sports = new Map<string, SportEntry>();
  for (const entry of listIn(await gamma.get('/sports'))) {
    const code = textOf(entry['sport'])?.toLowerCase();
    if (code === undefined) continue;
    const ordering = textOf(entry['ordering'])?.toLowerCase();
    sports.set(code, {
      series: listOf(entry['series']),
      tags: listOf(entry['tags']),
      firstIs: ordering === 'home' || ordering === 'away' ? ordering : undefined,
    });
  }
  return sports;
}

function listOf(value: unknown): string[] {
  return (textOf(value) ?? '').split(',').flatMap((part) => part.trim() || []);
}

/** All open events of a league, each once. Throws if a page is missing: an incomplete list would remove games. */
export async function readLeagueEvents(
  gamma: Rest,
  { codes }: VenueLeague,
  sports: ReadonlyMap<string, SportEntry>,
): Promise<unknown[]> {
  const entries = codes.flatMap((code) => sports.get(code) ?? []);
  const series = [...new Set(entries.flatMap((entry) => entry.series))];
  const tags = [...new Set(entries.flatMap((entry) => entry.tags))].filter((tag) => !COMMON_TAGS.has(tag));
  const found = new Map<string, unknown>();
  for (const series_id of series) await readPages(gamma, { series_id }, found);
  // A league without a series of games, or with an outdated one, is found by its tags, and without any by its code.
  if (found.size === 0) for (const tag_id of tags) await readPages(gamma, { tag_id }, found);
  if (found.size === 0 && entries.length === 0) await readPages(gamma, { tag_slug: codes[0]! }, found);
  return [...found.values()];
}

async function readPages(gamma: Rest, filter: Record<string, string>, found: Map<string, unknown>): Promise<void> {
  const query = { ...filter, closed: 'false', active: 'true', limit: PAGE };
  const listed = new Map<string, unknown>();
  try {
    await readByOffset(gamma, query, listed);
  } catch (error) {
    // Offsets are being replaced by cursors.
    if (!(error instanceof VenueRefusal)) throw error;
    for await (const answer of gamma.pages('/events/keyset', query, 'after_cursor', 'next_cursor', PAGES_MAX))
      addNew(listIn(answer, Array.isArray(answer['data']) ? 'data' : 'events'), listed);
  }
  for (const [id, event] of listed) found.set(id, event);
}

/** Pages may be shorter than requested: only an empty one is the end, and one that repeats is none. */
async function readByOffset(
  gamma: Rest,
  query: Record<string, string | number>,
  listed: Map<string, unknown>,
): Promise<void> {
  for (let page = 0, offset = 0; page < PAGES_MAX; page++) {
    const events = listIn(await gamma.get('/events', { ...query, order: 'id', ascending: 'true', offset }));
    if (events.length === 0) return;
    offset += events.length;
    if (!addNew(events, listed)) throw new Error(`/events: the page at ${offset} is one that was sent before`);
  }
  throw new Error(`/events: more than ${PAGES_MAX} pages`);
}

function addNew(events: readonly Fields[], found: Map<string, unknown>): boolean {
  const before = found.size;
  for (const event of events) {
    const id = textOf(event['id']) ?? textOf(event['slug']);
    if (id !== undefined) found.set(id, event);
  }
  return found.size > before;
}

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
    const league = Object.hasOwn(LEAGUES, wanted)
      ? LEAGUES[wanted]
      : Object.values(LEAGUES).find((id) => id === wanted);
    if (league === undefined)
      throw new Error(`polymarket: sports has a name that is not one of ${Object.keys(LEAGUES).join(', ')}`);
    const codes = Object.keys(LEAGUES).filter((code) => LEAGUES[code] === league);
    found.set(league, { league, codes });
  }
  return [...found.values()];
}
