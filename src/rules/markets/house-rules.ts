// House rules: what differs between books in how a bet ends. One table of entries, and the one resolver that everything
// asks; nothing else knows a book's rule.
import type { Static, TObject } from 'typebox';
import { BoundedMap } from '../../base/memory/bounded-map.js';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { Type } from '../../base/model/json-schema.js';
import { LIMITS } from '../../base/model/limits.js';
import { FAMILIES } from './rules.js';

/** Of a winner without a draw that ends level: refunded, half of what a win pays, the stake shared out, or lost. */
export const HOUSE_TIES = ['push', 'half', 'dead_heat', 'loses'] as const;
/** Void unless begun on the same local day of its league. */
export const SAME_DAY = 'same_day';
/** Of books, sports: all that no other entry names. */
export const ALL = '*';

const oneOf = <const Values extends string[]>(values: readonly [...Values], description: string) =>
  Type.Optional(Type.Enum(values, { description }));
const least = Type.Number({ exclusiveMinimum: 0, maximum: 1000 });
const closed = { additionalProperties: false };

/** The rules as entries of the catalogue state them and answers show them. */
export const houseRules = {
  overtime: oneOf(
    ['counts', 'regulation'],
    'of a winner shown with a draw, its double chance and draw no bet: what decides them',
  ),
  score_from: oneOf(['match', 'bet'], 'bet: a handicap made in play counts only what follows the bet'),
  retirement: oneOf(
    ['completed', 'first_set', 'started'],
    'when a winner stands although a side gave up: never, after a set, once a point was played',
  ),
  /** The least of a game that must be played for bets that it has not decided to stand; absent: the whole game. */
  shortened: Type.Optional(
    Type.Union([
      Type.Object({ innings: least }, closed),
      Type.Object({ overs: least }, closed),
      Type.Object({ share: Type.Number({ exclusiveMinimum: 0, maximum: 1 }) }, closed),
    ]),
  ),
  /** Void if not begun within so many hours of the start at which the bet was made. */
  postponed_hours: Type.Optional(
    Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 10_000 }), Type.Literal(SAME_DAY)]),
  ),
  tie: oneOf(HOUSE_TIES, 'what a tie pays in a winner of the game that is shown without a draw'),
  dead_heat: oneOf(['divide', 'full'], 'whether those who share a place share the stake, or are paid in full'),
  super_over: oneOf(['counts', 'does_not'], 'whether what decides a tied cricket match decides its winner'),
};

type Stated = Readonly<Required<Static<TObject<typeof houseRules>>>>;
export type Shortened = Readonly<Stated['shortened']>;
export type HouseRules = Omit<Stated, 'shortened'> & { readonly shortened: Shortened | null };

export const HOUSE_RULES = Object.keys(houseRules) as (keyof HouseRules)[];
type Name = keyof HouseRules;
/** What no entry need state for all books and sports. */
const NOT_STATED: Partial<HouseRules> = { shortened: null };

export type Family = (typeof FAMILIES)[number];

export interface HouseRuleEntry extends Partial<HouseRules> {
  readonly id: string;
  /** Book ids, or `*` alone. Either books or owners are named. */
  readonly books?: readonly string[];
  /** All books of an owner. */
  readonly owners?: readonly string[];
  /** A sport or `*`. Either sports or leagues are named. */
  readonly sports?: readonly string[];
  readonly leagues?: readonly string[];
  /** Families of market types; all if absent. */
  readonly families?: readonly Family[];
  /** Where this is public, in words. */
  readonly source: string;
}

export type RulesByFamily = Readonly<Record<Family, HouseRules>>;

/** How an entry says whom it is about: what is named precisely goes before what is named loosely. */
interface Scope {
  /** 2: by book, 1: by owner, 0: everyone. */
  readonly book: number;
  /** 2: by league, 1: by sport, 0: every one. */
  readonly game: number;
  /** 1: by family. */
  readonly family: number;
}

export class HouseRuleTable {
  readonly entries: readonly HouseRuleEntry[];
  readonly #ownerOf: (book: string) => { id: string; owner: string };
  readonly #books = new Set<string>();
  readonly #owners = new Set<string>();
  readonly #sports = new Set<string>();
  readonly #leagues = new Set<string>();
  /** By book as it is asked for: a book that no entry names shares the others' rules. */
  readonly #byBook = new BoundedMap<string, Map<string, RulesByFamily>>(LIMITS.houseRules.max);
  readonly #made = new Map<string, RulesByFamily>();

  /** @param ownerOf the entry's id under which a book is known, and its owner */
  constructor(entries: readonly HouseRuleEntry[], ownerOf: (book: string) => { id: string; owner: string }) {
    this.entries = entries;
    this.#ownerOf = ownerOf;
    for (const { books = [], owners = [], sports = [], leagues = [] } of entries) {
      for (const book of books) this.#books.add(book);
      for (const owner of owners) this.#owners.add(owner);
      for (const sport of sports) this.#sports.add(sport);
      for (const league of leagues) this.#leagues.add(league);
    }
  }

  /** By family of market type; the same object wherever the rules are the same entries'. */
  of(book: string, sport: string, league: string): RulesByFamily {
    const own = getOrInsert(this.#byBook, book, () => new Map<string, RulesByFamily>());
    const game = this.#leagues.has(league) ? league : this.#sports.has(sport) ? sport : ALL;
    const known = own.get(game);
    if (known !== undefined) return known;
    const { id, owner } = this.#ownerOf(book);
    const who = `${this.#books.has(id) ? id : ''}|${this.#owners.has(owner) ? owner : ''}`;
    const key = `${who}|${this.#sports.has(sport) ? sport : ''}|${game}`;
    const found = getOrInsert(this.#made, key, () => this.#resolve(id, owner, sport, league));
    own.set(game, found);
    return found;
  }

  /** The entries that name a book or its owner. */
  ofBook(book: string): HouseRuleEntry[] {
    const { id, owner } = this.#ownerOf(book);
    return this.entries.filter(({ books, owners }) => books?.includes(id) === true || owners?.includes(owner) === true);
  }

  #resolve(book: string, owner: string, sport: string, league: string): RulesByFamily {
    const applying = this.entries.flatMap((entry) => {
      const scope = scopeOf(entry, book, owner, sport, league);
      return scope === undefined ? [] : [{ entry, scope }];
    });
    applying.sort((a, b) => rank(a.scope) - rank(b.scope));
    const byFamily = FAMILIES.map((family): [Family, HouseRules] => {
      const rules: Partial<Record<Name, unknown>> = { ...NOT_STATED };
      for (const { entry } of applying)
        if (entry.families?.includes(family) !== false)
          for (const name of HOUSE_RULES) if (entry[name] !== undefined) rules[name] = entry[name];
      return [family, rules as unknown as HouseRules];
    });
    return Object.fromEntries(byFamily) as Record<Family, HouseRules>;
  }
}

function scopeOf(
  { books, owners, sports, leagues, families }: HouseRuleEntry,
  book: string,
  owner: string,
  sport: string,
  league: string,
): Scope | undefined {
  const ofBook =
    books?.includes(book) === true ? 2 : owners?.includes(owner) === true ? 1 : books?.[0] === ALL ? 0 : -1;
  const ofGame =
    leagues?.includes(league) === true ? 2 : sports?.includes(sport) === true ? 1 : sports?.[0] === ALL ? 0 : -1;
  if (ofBook < 0 || ofGame < 0) return undefined;
  return { book: ofBook, game: ofGame, family: families === undefined ? 0 : 1 };
}

/** Whose rule it is counts before which game it is about, and that before the kind of bet. */
function rank({ book, game, family }: Scope): number {
  return book * 6 + game * 2 + family;
}

/** Why a table cannot be, with the entry at fault; undefined if it can. */
export function faultOfRules(entries: readonly HouseRuleEntry[]): { id: string; fault: string } | undefined {
  const stated = new Map<string, string>();
  for (const entry of entries) {
    const { id, books, owners, sports, leagues } = entry;
    if ((books === undefined) === (owners === undefined)) return { id, fault: 'needs either books or owners' };
    if ((sports === undefined) === (leagues === undefined)) return { id, fault: 'needs either sports or leagues' };
    if ([books, sports].some((names) => names?.includes(ALL) === true && names.length > 1))
      return { id, fault: `${ALL} stands alone` };
    const names = HOUSE_RULES.filter((name) => entry[name] !== undefined);
    if (names.length === 0) return { id, fault: `states none of ${HOUSE_RULES.join(', ')}` };
    for (const key of keysOf(entry, names)) {
      const other = stated.get(key);
      if (other !== undefined) return { id, fault: `states what "${other}" states already` };
      stated.set(key, id);
    }
  }
  const missing = HOUSE_RULES.find((name) => !(name in NOT_STATED) && !stated.has(keyOf(ALL, ALL, '', name)));
  return missing === undefined ? undefined : { id: missing, fault: 'no entry states it for all books and sports' };
}

function keysOf({ books, owners, sports, leagues, families }: HouseRuleEntry, names: readonly Name[]): string[] {
  const who = books ?? owners!.map((owner) => `owner ${owner}`);
  const games = sports ?? leagues!.map((league) => `league ${league}`);
  return who.flatMap((book) =>
    games.flatMap((game) =>
      (families ?? ['']).flatMap((family) => names.map((name) => keyOf(book, game, family, name))),
    ),
  );
}

const keyOf = (book: string, game: string, family: string, name: string): string =>
  [book, game, family, name].join('|');
