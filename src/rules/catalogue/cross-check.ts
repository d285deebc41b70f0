// What schemas cannot check in the catalogue's files: ids are unique, references resolve, and no name is ambiguous.

import { isCurrency } from '../../base/model/money.js';
import { ALL, faultOfRules, type HouseRuleEntry } from '../markets/house-rules.js';
import type { MarketRules } from '../markets/rules.js';
import type { BookEntry, CatalogueData, LeagueEntry, MarketTypeEntry, SportEntry, TeamEntry } from './file-schema.js';
import { foldBook, foldId, foldName } from './team-name.js';

/** A fault in the catalogue's files, as one line that names the file and the entry. */
export class CatalogueError extends Error {
  constructor(file: string, entry: string | undefined, fault: string) {
    super(`catalogue: ${file}: ${entry === undefined ? '' : `"${entry}": `}${fault}`);
    this.name = 'CatalogueError';
  }
}

/** The sport of leagues that are not in the catalogue. */
const OTHER_SPORT = 'other';

const FILES = {
  sports: 'sports.json',
  leagues: 'leagues.json',
  books: 'books.json',
  unlistedBooks: 'unlisted-books.json',
  marketTypes: 'markets.json',
  houseRules: 'house-rules.json',
};

/**
 * Throws the first CatalogueError it meets.
 * @param builtInRules may name what an operator's catalogue lacks
 */
export function crossCheck(data: CatalogueData, builtInRules: readonly HouseRuleEntry[]): void {
  checkSports(data.sports);
  const sports = new Set(data.sports.map((sport) => sport.id));
  checkLeagues(data.leagues, sports);
  checkBooks(FILES.books, data.books);
  checkBooks(FILES.unlistedBooks, data.unlistedBooks);
  checkMarketTypes(data.marketTypes, sports);
  checkHouseRules(data, builtInRules);
  for (const [league, teams] of data.teams) checkTeams(`teams/${league}.json`, teams);
}

/** The names of an entry, claimed so that a second entry with the same name is a fault. */
class Claims {
  readonly #file: string;
  readonly #fold: (name: string) => string;
  readonly #owners = new Map<string, string>();

  constructor(file: string, fold: (name: string) => string) {
    this.#file = file;
    this.#fold = fold;
  }

  claim(entry: string, names: readonly string[]): void {
    for (const name of names) {
      const key = this.#fold(name);
      const owner = this.#owners.get(key);
      if (owner !== undefined && owner !== entry)
        throw new CatalogueError(this.#file, entry, `"${name}" already means "${owner}"`);
      this.#owners.set(key, entry);
    }
  }
}

function checkIds(file: string, entries: readonly { id: string }[]): void {
  const seen = new Set<string>();
  for (const { id } of entries) {
    if (seen.has(id)) throw new CatalogueError(file, id, 'the id is there twice');
    seen.add(id);
  }
}

function checkSports(sports: readonly SportEntry[]): void {
  checkIds(FILES.sports, sports);
  const ids = new Set(sports.map((sport) => foldId(sport.id)));
  if (!ids.has(OTHER_SPORT))
    throw new CatalogueError(FILES.sports, OTHER_SPORT, 'missing: leagues outside the catalogue belong to it');
  for (const sport of sports)
    for (const alias of sport.aliases)
      if (ids.has(foldId(alias)) && foldId(alias) !== foldId(sport.id))
        throw new CatalogueError(FILES.sports, sport.id, `the alias "${alias}" is the id of another sport`);
}

function checkLeagues(leagues: readonly LeagueEntry[], sports: ReadonlySet<string>): void {
  checkIds(FILES.leagues, leagues);
  const claims = new Claims(FILES.leagues, foldId);
  for (const league of leagues) {
    if (!sports.has(league.sport))
      throw new CatalogueError(FILES.leagues, league.id, `unknown sport "${league.sport}"`);
    if (!isTimeZone(league.timeZone))
      throw new CatalogueError(FILES.leagues, league.id, `unknown time zone "${league.timeZone}"`);
    const unknown = [league.teamsOf ?? []].flat().find((name) => !leagues.some(({ id }) => id === name));
    if (unknown !== undefined) throw new CatalogueError(FILES.leagues, league.id, `unknown league "${unknown}"`);
    claims.claim(league.id, [league.id, ...league.aliases]);
  }
}

/** Making a formatter to see whether a zone exists costs milliseconds; most zones are in this list. */
const TIME_ZONES: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);

function isTimeZone(name: string): boolean {
  if (TIME_ZONES.has(name)) return true;
  // Newer engines accept offsets such as "+05:00" too; those have no summer time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Every name of a book, in the form in which they are compared. */
export function namesOfBook({ id, name, displayName, aliases }: BookEntry): string[] {
  return [id, name, displayName, ...aliases].map(foldBook);
}

function checkBooks(file: string, books: readonly BookEntry[]): void {
  checkIds(file, books);
  const claims = new Claims(file, foldBook);
  for (const book of books) {
    claims.claim(book.id, [book.id, book.name, book.displayName, ...book.aliases]);
    if (book.currency !== undefined && !isCurrency(book.currency))
      throw new CatalogueError(file, book.id, `unknown currency "${book.currency}"`);
    checkTemplates(file, book);
  }
}

function checkTemplates(file: string, book: BookEntry): void {
  if (book.deepLink === null) return;
  const { homepage, event, outcome, stateDependent } = book.deepLink;
  const allowed = { homepage: ['state'], event: ['state', 'event'], outcome: ['state', 'event', 'market', 'outcome'] };
  const needed = { homepage: [], event: ['event'], outcome: ['outcome'] };
  let usesState = false;
  for (const [kind, template] of Object.entries({ homepage, event, outcome }) as [
    keyof typeof allowed,
    string | null,
  ][]) {
    if (template === null) continue;
    const used = [...template.matchAll(/\{([^}]*)\}/g)].map((match) => match[1] ?? '');
    const unknown = used.find((name) => !allowed[kind].includes(name));
    if (unknown !== undefined) throw new CatalogueError(file, book.id, `deepLink.${kind} may not hold {${unknown}}`);
    const missing = needed[kind].find((name) => !used.includes(name));
    if (missing !== undefined) throw new CatalogueError(file, book.id, `deepLink.${kind} needs {${missing}}`);
    usesState ||= used.includes('state');
    if (!URL.canParse(template.replace(/\{[^}]*\}/g, 'xx')))
      throw new CatalogueError(file, book.id, `deepLink.${kind} is not a URL`);
  }
  if (usesState !== stateDependent)
    throw new CatalogueError(file, book.id, `deepLink.stateDependent must be ${usesState}, as its templates tell`);
}

function checkMarketTypes(types: readonly MarketTypeEntry[], sports: ReadonlySet<string>): void {
  checkIds(FILES.marketTypes, types);
  for (const type of types) {
    for (const sport of [...type.sports, ...Object.keys(type.by_sport ?? {})])
      if (!sports.has(sport)) throw new CatalogueError(FILES.marketTypes, type.id, `unknown sport "${sport}"`);
    for (const rules of [type, ...Object.values(type.by_sport ?? {}).map((own) => ({ ...type, ...own }))]) {
      const fault = contradiction(rules);
      if (fault !== undefined) throw new CatalogueError(FILES.marketTypes, type.id, fault);
    }
  }
}

/** Models of winners and handicaps are of the margin. */
const MODELS_OF: Readonly<Record<MarketRules['family'], readonly (string | null)[]>> = {
  winner: ['margin'],
  handicap: ['margin', 'wide_margin'],
  total: ['total', 'wide_total'],
  yes_no: [],
  odd_even: [],
  outright: [],
  other: [],
};

function contradiction({ family, line, line_step, model, subject }: MarketRules): string | undefined {
  if ((line === 'required') !== (line_step !== null)) return 'line_step is stated where a line is required, else null';
  if ((family === 'handicap' || family === 'total') && line === 'none') return `a ${family} needs a line`;
  if (family === 'winner' && line === 'required') return 'a winner has no line';
  if (family === 'handicap' && subject !== 'game') return 'a handicap is about the game';
  if (model !== null && !MODELS_OF[family].includes(model)) return `a ${family} has no model ${model}`;
  return undefined;
}

const NAMES = ['books', 'owners', 'sports', 'leagues'] as const;

function checkHouseRules(data: CatalogueData, builtInRules: readonly HouseRuleEntry[]): void {
  const { sports, leagues, houseRules } = data;
  checkIds(FILES.houseRules, houseRules);
  const books = [...data.books, ...data.unlistedBooks];
  const known = {
    books: new Set([ALL, ...books.map(({ id }) => id)]),
    owners: new Set(books.map(({ owner }) => owner)),
    sports: new Set([ALL, ...sports.map(({ id }) => id)]),
    leagues: new Set(leagues.map(({ id }) => id)),
  };
  for (const kind of NAMES) {
    for (const entry of builtInRules) for (const name of entry[kind] ?? []) known[kind].add(name);
    for (const entry of houseRules)
      for (const name of entry[kind] ?? [])
        if (!known[kind].has(name))
          throw new CatalogueError(FILES.houseRules, entry.id, `unknown ${kind.slice(0, -1)} "${name}"`);
  }
  const found = faultOfRules(houseRules);
  if (found !== undefined) throw new CatalogueError(FILES.houseRules, found.id, found.fault);
}

function checkTeams(file: string, teams: readonly TeamEntry[]): void {
  checkIds(file, teams);
  const claims = new Claims(file, foldName);
  for (const team of teams) claims.claim(team.id, [team.id, team.name, ...team.aliases]);
}
