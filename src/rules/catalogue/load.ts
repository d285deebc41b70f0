// Reads the catalogue's JSON files once at the start: the operator's if there are any, else the built-in ones.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import type { Validator } from 'typebox/schema';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { OperatorSettings } from '../../base/model/money.js';
import { deriveRules } from '../markets/derive.js';
import { Catalogue } from './catalogue.js';
import { CatalogueError, crossCheck, namesOfBook } from './cross-check.js';
import {
  bookEntry,
  type CatalogueData,
  houseRuleEntry,
  leagueEntry,
  marketTypeEntry,
  sportEntry,
  type TeamEntry,
  teamEntry,
} from './file-schema.js';

/** The compiled file is three folders below the package's root; the data stays in the sources. */
const BUILT_IN = fileURLToPath(new URL('../../../../src/rules/catalogue/data/', import.meta.url));
const TEAM_FILE = /^(.+?)(?:\.overlay)?\.json$/;
const TEAM_OF_LEAGUE = /^([a-z0-9-]+):(.+)$/;

/**
 * The catalogue in `dir`: sports.json, leagues.json, books.json, unlisted-books.json, markets.json, house-rules.json,
 * teams/<league>.json. A missing file is taken from the built-in catalogue. Each file may be accompanied or replaced by
 * an overlay (books.overlay.json …) that changes, adds or removes single entries. `stated` replaces what the entries say
 * of it. Throws a CatalogueError that names the file and the entry at fault.
 */
export function loadCatalogue(dir?: string, stated: OperatorSettings = {}): Catalogue {
  const data = dir === undefined ? builtIn() : readData(dir);
  const { commissions = {}, currencies = {}, rates = {}, match = 'names' } = stated;
  return new Catalogue({ ...data, commissions, currencies, rates, match });
}

let builtInData: CatalogueData | undefined;

/** Read and checked once a process: the files are the package's own. */
function builtIn(): CatalogueData {
  builtInData ??= readData(undefined);
  return builtInData;
}

function readData(dir: string | undefined): CatalogueData {
  if (dir !== undefined && statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new CatalogueError(dir, undefined, 'not a folder');
  if (dir !== undefined) checkNames(dir);
  const data: CatalogueData = {
    sports: readEntries('sports.json', sportEntry, dir),
    leagues: readEntries('leagues.json', leagueEntry, dir),
    books: readEntries('books.json', bookEntry, dir),
    unlistedBooks: [],
    marketTypes: readEntries('markets.json', marketTypeEntry, dir, withRules),
    houseRules: readEntries('house-rules.json', houseRuleEntry, dir),
    teams: new Map(),
  };
  // A book that the operator lists is no unlisted one any more.
  const listed = new Set(data.books.flatMap(namesOfBook));
  for (const book of readEntries('unlisted-books.json', bookEntry, dir, asUnlisted))
    if (!namesOfBook(book).some((name) => listed.has(name))) data.unlistedBooks.push(book);
  const leagues = new Set(data.leagues.map((league) => league.id));
  for (const league of teamFiles(dir, leagues)) data.teams.set(league, readTeams(league, dir));
  crossCheck(data, dir === undefined ? data.houseRules : builtIn().houseRules);
  return data;
}

const FILES = ['sports', 'leagues', 'books', 'unlisted-books', 'markets', 'house-rules'].map((name) => `${name}.json`);

/** A mistyped name must not pass for a file that changes nothing. */
function checkNames(dir: string): void {
  for (const name of readdirSync(dir).filter((each) => each.endsWith('.json')))
    if (!FILES.some((file) => name === file || name === overlayName(file)))
      throw new CatalogueError(
        name,
        undefined,
        `no file of the catalogue (${FILES.join(', ')}, or .overlay.json of one)`,
      );
}

function teamFile(league: string): string {
  return join('teams', `${league}.json`);
}

function readTeams(league: string, dir: string | undefined): TeamEntry[] {
  return readEntries(teamFile(league), teamEntry, dir);
}

/** The leagues that have a file; a built-in file is not read if the operator's catalogue lacks its league. */
function teamFiles(dir: string | undefined, leagues: ReadonlySet<string>): string[] {
  const names = new Set(listTeams(BUILT_IN).filter((league) => leagues.has(league)));
  for (const league of dir === undefined ? [] : listTeams(dir)) {
    if (!leagues.has(league)) throw new CatalogueError(teamFile(league), undefined, `unknown league "${league}"`);
    names.add(league);
  }
  return [...names].sort();
}

function listTeams(dir: string): string[] {
  const folder = join(dir, 'teams');
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return [...new Set(readdirSync(folder).flatMap((name) => TEAM_FILE.exec(name)?.[1] ?? []))];
}

function readEntries<Entry>(
  file: string,
  entry: EntryCheck<Entry>,
  dir: string | undefined,
  complete: (raw: unknown) => unknown = (raw) => raw,
): Entry[] {
  const [own, overlay] = [file, overlayName(file)].map((name) => listIn(dir, name));
  // An overlay may add teams to a league that has none in the catalogue.
  const known = own ?? builtInList(file) ?? [];
  const list = overlaid(file, known.map(sharedTeam), overlay ?? []);
  if (list.length === 0) throw new CatalogueError(file, undefined, 'empty');
  return list.map((stated: unknown, index) => {
    const raw = complete(stated);
    if (entry.Check(raw)) return raw;
    const name = nameOf(raw, index);
    const source = overlay?.some((change) => isEntry(change) && change.id === name) ? overlayName(file) : file;
    throw new CatalogueError(source, name, complaint(entry.Errors(raw)[1]));
  });
}

/** Undefined if the folder has no such file. */
function listIn(dir: string | undefined, file: string): unknown[] | undefined {
  const path = dir === undefined ? undefined : join(dir, file);
  if (path === undefined || statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const list = parse(file, readFileSync(path, 'utf8'));
  if (!Array.isArray(list)) throw new CatalogueError(file, undefined, 'not a list');
  return list;
}

const builtInLists = new Map<string, unknown[] | undefined>();

function builtInList(file: string): unknown[] | undefined {
  return getOrInsert(builtInLists, file, () => listIn(BUILT_IN, file));
}

/** A team that plays in several leagues is said in one file; `ncaaf:alabama` in another is that of the built-in one. */
function sharedTeam(raw: unknown): unknown {
  const [, league, id] = typeof raw === 'string' ? (TEAM_OF_LEAGUE.exec(raw) ?? []) : [];
  if (league === undefined) return raw;
  return builtInList(teamFile(league))?.find((team) => isEntry(team) && team.id === id) ?? raw;
}

/** What an entry does not say follows from the market type's name. */
function withRules(raw: unknown): unknown {
  return isEntry(raw) ? { ...deriveRules(raw.id), ...raw } : raw;
}

/** What an entry of a book that is not listed does not say is the same for all of them. */
const UNLISTED = {
  isSharp: false,
  isExchange: false,
  hasLiveOdds: true,
  hasPlayerProps: false,
  requiresTier: 'sharp',
  aliases: [],
  deepLink: null,
};

function asUnlisted(raw: unknown): unknown {
  return isEntry(raw) ? { ...UNLISTED, ...raw } : raw;
}

type EntryCheck<Entry> = Pick<Validator<TSchema, Entry>, 'Check' | 'Errors'>;

/** For a nullable property, the deepest error is the useful one. */
function complaint(errors: readonly TLocalizedValidationError[]): string {
  let [error] = errors;
  for (const other of errors)
    if (error === undefined || other.instancePath.length > error.instancePath.length) error = other;
  if (error === undefined) return 'not valid';
  const at = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'boolean' || error.keyword === 'additionalProperties')
    return `unknown property ${at}`.trimEnd();
  if (error.keyword === 'enum') return `${at} must be one of ${error.params.allowedValues.join(', ')}`;
  return `${at} ${error.message}`.trimStart();
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CatalogueError(file, undefined, `not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function nameOf(raw: unknown, index: number): string {
  if (typeof raw === 'string') return raw;
  return isEntry(raw) ? raw.id : `entry ${index + 1}`;
}

// Overlays of the catalogue's files: an operator changes, adds or removes single entries without copying the whole
// file. Pure: the files are read above, and the result is checked like any other catalogue.

type Entry = Record<string, unknown> & { id: string };

/** books.json -> books.overlay.json */
function overlayName(file: string): string {
  return file.replace(/\.json$/, '.overlay.json');
}

/**
 * The entries of `file` with an overlay applied. An entry with the id of a known one replaces the properties it names,
 * and its `aliases` are added to the known ones; `{"id": …, "remove": true}` removes the entry; a new id is appended.
 * Throws a CatalogueError if an entry has no id, occurs twice, or removes an unknown id.
 */
function overlaid(file: string, entries: readonly unknown[], overlay: readonly unknown[]): unknown[] {
  const result = [...entries];
  const seen = new Set<string>();
  for (const [index, raw] of overlay.entries()) {
    const entry = readEntry(overlayName(file), raw, index, seen);
    const at = result.findIndex((known) => isEntry(known) && known.id === entry.id);
    if (entry['remove'] === true) {
      if (at < 0) throw new CatalogueError(overlayName(file), entry.id, 'there is no such entry to remove');
      result.splice(at, 1);
    } else if (at < 0) result.push(entry);
    else result[at] = changed(result[at] as Entry, entry);
  }
  return result;
}

function readEntry(file: string, raw: unknown, index: number, seen: Set<string>): Entry {
  if (!isEntry(raw)) throw new CatalogueError(file, `entry ${index + 1}`, 'needs an id');
  if (seen.has(raw.id)) throw new CatalogueError(file, raw.id, 'the id is there twice');
  seen.add(raw.id);
  return raw;
}

function changed(known: Entry, entry: Entry): Entry {
  const aliases = [known['aliases'], entry['aliases']].flatMap((list) => (Array.isArray(list) ? list : []));
  return { ...known, ...entry, ...('aliases' in entry ? { aliases: [...new Set(aliases)] } : {}) };
}

function isEntry(raw: unknown): raw is Entry {
  return typeof raw === 'object' && raw !== null && 'id' in raw && typeof raw.id === 'string' && raw.id !== '';
}
