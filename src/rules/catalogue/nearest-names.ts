// Known names that are spelled like an unknown one: hints for whoever misspelled it.
import leven from 'leven';
import { BoundedMap } from '../../base/memory/bounded-map.js';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { LIMITS } from '../../base/model/limits.js';
import { GAME_MARKETS, typesMeant } from '../markets/aliases.js';
import type { Catalogue } from './catalogue.js';
import { marksOf } from './squads.js';
import { foldBook, foldId, foldName } from './team-name.js';

type Known = readonly (readonly [folded: string, shown: string])[];

const NAMES_MAX = LIMITS.nearestNames.max;
const LENGTH_MAX = LIMITS.comparedName.max;

/** Up to three names each, nearest first; a name that is too different from all gets none. */
export class NearestNames {
  readonly #catalogue: Catalogue;
  readonly #known = new Map<string, Known>();
  /** A feed repeats a name with every poll, and comparing it with hundreds takes as long as storing the poll. */
  readonly #found = new BoundedMap<string, string[]>(LIMITS.unmatchedEntries.max);

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Names of teams of a league in the catalogue. */
  teams(league: string, name: string): readonly string[] {
    return getOrInsert(this.#found, `team ${league}|${name}`, () => {
      const squad = marksOf(name);
      const known = this.#knownAs(`team ${league} ${squad}`, foldName, () =>
        this.#catalogue
          .teams(league)
          .filter((team) => marksOf(team.name) === squad)
          .map((team) => [team.name, team.id, team.name, ...team.aliases]),
      );
      return nearest(foldName(name), known);
    });
  }

  /** Ids of leagues. */
  leagues(name: string): readonly string[] {
    const { leagues } = this.#catalogue;
    return this.#nearest('league', name, foldId, () => leagues.map(({ id, aliases }) => [id, id, ...aliases]));
  }

  /** Ids of sports. */
  sports(name: string): readonly string[] {
    const { sports } = this.#catalogue;
    return this.#nearest('sport', name, foldId, () => sports.map(({ id, aliases = [] }) => [id, id, ...aliases]));
  }

  /** Market types, also by what other services call them. */
  markets(name: string): readonly string[] {
    return this.#nearest('market', name, foldId, () => [
      ...this.#catalogue.marketTypes.map(({ id }) => [id, id]),
      ...GAME_MARKETS.flatMap((alias) => typesMeant(alias).map((type) => [type, alias])),
    ]);
  }

  /** Ids of books. */
  books(name: string): readonly string[] {
    const { books, unlistedBooks } = this.#catalogue;
    return this.#nearest('book', name, foldBook, () =>
      [...books, ...unlistedBooks].map((book) => [book.id, book.id, book.name, ...book.aliases]),
    );
  }

  /** @param entries of each name its form as shown, then all its spellings */
  #nearest(kind: string, name: string, fold: (name: string) => string, entries: () => string[][]): readonly string[] {
    return getOrInsert(this.#found, `${kind}|${name}`, () => nearest(fold(name), this.#knownAs(kind, fold, entries)));
  }

  #knownAs(kind: string, fold: (name: string) => string, entries: () => string[][]): Known {
    return getOrInsert(this.#known, kind, () =>
      entries().flatMap(([shown, ...spellings]) => spellings.map((name) => [fold(name), shown!] as const)),
    );
  }
}

/** The ids in a list that are spelled most like the name. */
export function nearestOf(name: string, ids: Iterable<string>): string[] {
  return nearest(
    foldId(name),
    [...ids].map((id) => [foldId(id), id] as const),
  );
}

function nearest(name: string, known: Known): string[] {
  if (name === '' || name.length > LENGTH_MAX) return [];
  const most = mostDifferences(name);
  const found = new Map<string, number>();
  for (const [spelling, shown] of known) {
    if (Math.abs(spelling.length - name.length) > most) continue;
    const differences = isTransposed(name, spelling) ? 1 : leven(name, spelling, { maxDistance: most + 1 });
    if (differences > most) continue;
    // Misspellings are rarer at the beginning.
    const distance = differences + 1 / (2 + commonBeginning(name, spelling));
    if (distance < (found.get(shown) ?? Number.POSITIVE_INFINITY)) found.set(shown, distance);
  }
  return [...found]
    .sort(([, a], [, b]) => a - b)
    .slice(0, NAMES_MAX)
    .map(([shown]) => shown);
}

/** The same letters in another order, as `prot` and `port`: one slip of the fingers. */
function isTransposed(a: string, b: string): boolean {
  return a.length === b.length && a !== b && [...a].sort().join('') === [...b].sort().join('');
}

function commonBeginning(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** Of short names nearly every one is within two letters of another. */
function mostDifferences({ length }: string): number {
  if (length <= 4) return 1;
  return length <= 8 ? 2 : 3;
}
