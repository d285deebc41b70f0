// The properties of each book that detection uses, by its number in the shard: order of ties, owner, commission,
// currency and minimum stakes, whether it is sharp.

import { getOrInsert } from '../base/memory/get-or-insert.js';
import { withPlace } from '../base/memory/grown.js';
import type { Commission } from '../base/model/commission.js';
import type { Rates } from '../base/model/money.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { BookRules } from '../rules/catalogue/types.js';
import type { RulesByFamily } from '../rules/markets/house-rules.js';

export type BookFacts = Pick<
  Catalogue,
  'bookOrder' | 'ownerOf' | 'isSharp' | 'commissionOf' | 'isCommissionKnown' | 'rulesOf' | 'houseRules' | 'rates'
>;

export class BookList {
  readonly #facts: BookFacts;
  readonly names: string[] = [];
  /** Ties go to the lower rank: catalogue order, then name. */
  rank = new Int32Array(64);
  owner = new Int32Array(64);
  sharp = new Uint8Array(64);
  readonly commission: (Commission | null)[] = [];
  readonly rules: BookRules[] = [];
  /** By sport and league: the house rules of each book that has prices there, by its number. */
  readonly #houses = new Map<string, RulesByFamily[]>();
  /** 1 if nobody knows what the book charges. */
  unknownCommission = new Uint8Array(64);
  readonly rates: Rates;
  readonly #owners: string[] = [];

  constructor(facts: BookFacts) {
    this.#facts = facts;
    this.rates = facts.rates;
  }

  /** Registers the book under its number. True if it was new. */
  note(no: number, name: string): boolean {
    if (this.names[no] === name) return false;
    if (no >= this.rank.length) {
      this.rank = withPlace(this.rank, no);
      this.owner = withPlace(this.owner, no);
      this.sharp = withPlace(this.sharp, no);
      this.unknownCommission = withPlace(this.unknownCommission, no);
    }
    // It may have been another book's.
    for (const houses of this.#houses.values()) delete houses[no];
    this.names[no] = name;
    const owner = this.#facts.ownerOf(name);
    let ownerNo = this.#owners.indexOf(owner);
    if (ownerNo < 0) ownerNo = this.#owners.push(owner) - 1;
    this.owner[no] = ownerNo;
    this.commission[no] = this.#facts.commissionOf(name);
    this.rules[no] = this.#facts.rulesOf(name);
    this.unknownCommission[no] = this.#facts.isCommissionKnown(name) ? 0 : 1;
    this.sharp[no] = this.#facts.isSharp(name) ? 1 : 0;
    this.#rankAll();
    return true;
  }

  /** The smallest bet that the book accepts at a net price; above 0, as what takes nothing is no price. */
  leastStake(no: number, net: number): number {
    const { minStake, contracts } = this.rules[no]!;
    return Math.max(minStake, contracts / net, Number.MIN_VALUE);
  }

  /** A list that markets of one league share. */
  housesOf({ sport, league }: { sport: string; league: string }): RulesByFamily[] {
    return getOrInsert(this.#houses, `${sport}|${league}`, () => []);
  }

  /** Resolves the rules of a book where it is not known yet. */
  noteHouse(no: number, houses: RulesByFamily[], { sport, league }: { sport: string; league: string }): void {
    houses[no] ??= this.#facts.houseRules.of(this.name(no), sport, league);
  }

  name(no: number): string {
    return this.names[no] ?? '';
  }

  no(name: string): number {
    return this.names.indexOf(name);
  }

  /** A new book never changes the relative order of those before it. */
  #rankAll(): void {
    const numbers: number[] = [];
    for (const no of this.names.keys()) if (this.names[no] !== undefined) numbers.push(no);
    numbers.sort((a, b) => {
      const order = this.#facts.bookOrder(this.name(a)) - this.#facts.bookOrder(this.name(b));
      return order !== 0 ? order : this.name(a) < this.name(b) ? -1 : 1;
    });
    for (const [rank, no] of numbers.entries()) this.rank[no] = rank;
  }
}
