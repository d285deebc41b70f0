// Resolves a market type to its rules: the catalogue's, or for a type that it lacks those that follow from the name.
import { BoundedMap } from '../../base/memory/bounded-map.js';
import { marketAlias } from './aliases.js';
import { contractType, deriveRules, isRest, laidType, layType, strikeBase, teamType, turnedType } from './derive.js';
import { GAME } from './parts.js';
import type { DeclaredRules, MarketRules, TypeRules } from './rules.js';

/** The rules of one type: in most sports, and in those where they differ. */
interface Resolved {
  readonly usual: TypeRules;
  readonly bySport: ReadonlyMap<string, TypeRules> | undefined;
}

export class MarketTypes {
  readonly #declared = new Map<string, DeclaredRules>();
  readonly #known = new Map<string, Resolved>();
  /** By league: whether its games may end level, where that is otherwise than in its sport. */
  readonly #ties = new Map<string, boolean>();
  /** Rules that hold in those leagues, by the rules in their sport. */
  readonly #ofTies = new WeakMap<TypeRules, { readonly push: TypeRules; readonly none: TypeRules }>();
  readonly #derived: BoundedMap<string, Resolved>;

  /**
   * @param entries of the catalogue; without any, every type's rules follow from its name
   * @param derivedMax types that are remembered beside them; dropped together
   */
  constructor(
    entries: Iterable<{ readonly id: string } & DeclaredRules> = [],
    leagues: Iterable<{ readonly id: string; readonly ties?: boolean }> = [],
    derivedMax = 1_000,
  ) {
    this.#derived = new BoundedMap(derivedMax);
    for (const { id, ties } of leagues) if (ties !== undefined) this.#ties.set(id, ties);
    for (const entry of entries) this.#declared.set(entry.id, entry);
    for (const [type, rules] of this.#declared) this.#known.set(type, resolved(type, rules, false));
  }

  /**
   * The same object for the same type, sport and league.
   * @param league whose games may end level, or cannot, otherwise than its sport's
   */
  of(type: string, sport: string, league = ''): TypeRules {
    const { usual, bySport } = this.#known.get(type) ?? this.#derived.get(type) ?? this.#derive(type);
    const rules = bySport === undefined ? usual : (bySport.get(sport) ?? usual);
    const ties = this.#ties.get(league);
    return ties === undefined || !isGameWinner(rules) ? rules : this.#withTies(rules, ties);
  }

  #withTies(rules: TypeRules, ties: boolean): TypeRules {
    let both = this.#ofTies.get(rules);
    if (both === undefined) {
      both = { push: { ...rules, tie: 'push' }, none: { ...rules, tie: 'cannot_happen' } };
      this.#ofTies.set(rules, both);
    }
    return ties ? both.push : both.none;
  }

  /** The rules that hold in most sports. */
  usual(type: string): TypeRules {
    return (this.#known.get(type) ?? this.#derived.get(type) ?? this.#derive(type)).usual;
  }

  /** The rules by sport where they differ from the usual ones; undefined if they are the same in every sport. */
  bySport(type: string): DeclaredRules['by_sport'] {
    return this.#rulesOf(type).by_sport;
  }

  /**
   * A type as books state it, by its alias too: a team total of the home team is a team total, and `team` says whose.
   * @param sport in which a name like `totals` is meant; without one its type in most sports
   */
  stated(name: string, sport = ''): { type: string; team: 'home' | 'away' | null; alternate: boolean } {
    if (this.#declared.has(name)) return { type: name, team: null, alternate: false };
    const { type, alternate } = marketAlias(name, sport) ?? { type: name, alternate: false };
    return { ...(teamType(type) ?? { type, team: null }), alternate };
  }

  /** The type of a contract venue's strikes on which a book's bet would push. */
  contract(type: string, book: string): string {
    if (strikeBase(type) !== undefined) return type;
    const laid = laidType(type);
    return laid === undefined ? contractType(type, book) : layType(contractType(laid, book));
  }

  /** The type that a contract venue's own strikes are of; for any other type itself. */
  base(type: string): string {
    return strikeBase(type) ?? type;
  }

  #derive(type: string): Resolved {
    const found = resolved(type, this.#rulesOf(type), true);
    this.#derived.set(type, found);
    return found;
  }

  #rulesOf(type: string): DeclaredRules {
    const declared = this.#declared.get(type);
    if (declared !== undefined) return declared;
    const laid = laidType(type);
    if (laid !== undefined) return this.#rulesOf(laid);
    const strike = strikeBase(type);
    return strike === undefined ? deriveRules(type) : { ...this.#rulesOf(strike), tie: 'loses' };
  }
}

/** Two-way unless a book shows a draw, and about the whole game. */
function isGameWinner({ family, sides, part }: MarketRules): boolean {
  return family === 'winner' && sides === 'by_book' && part === GAME;
}

function resolved(type: string, rules: DeclaredRules, derived: boolean): Resolved {
  const { family, sides, part, subject, line, line_step, statistic, tie, overtime, model } = rules;
  const own: MarketRules = { family, sides, part, subject, line, line_step, statistic, tie, overtime, model };
  const laid = laidType(type);
  const names = {
    type,
    derived,
    rest: isRest(type),
    lay: laid !== undefined,
    backed: laid ?? type,
    turned: turnedType(type),
  };
  const usual: TypeRules = { ...names, ...own };
  if (rules.by_sport === undefined) return { usual, bySport: undefined };
  const bySport = new Map<string, TypeRules>();
  for (const [sport, other] of Object.entries(rules.by_sport)) bySport.set(sport, { ...usual, ...other });
  return { usual, bySport };
}
