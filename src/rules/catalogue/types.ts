// The types that come from the catalogue (its entries: file-schema.ts).

export const TIERS = ['free', 'hobby', 'pro', 'sharp', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];

/** Where a book settles a bet otherwise than its peers. */
export interface BookSettlement {
  /** A tie in a two-way winner of a game pays half of what a win pays; its peers refund the stake. */
  tie?: 'half';
  /**
   * Of a game that is not played a contract is paid at its last price, or half of what a win pays; its peers refund the
   * stake.
   */
  void?: 'last_price' | 'half';
}

/** What an opportunity's legs need to know of a book's money; amounts are in its currency, 0 if there is none. */
export interface BookRules {
  currency: string;
  minStake: number;
  stakeStep: number;
  contracts: number;
  settles: BookSettlement;
  /** A row without a commission of its own is computed with an assumed one. */
  feesVary: boolean;
}

export interface ResolvedTeam {
  token: string;
  name: string;
  /** False if the name is not in the catalogue and was only slugged. */
  known: boolean;
}
