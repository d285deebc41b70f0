// The types of the catalogue: what the operator may replace, checked once at the start by load.ts.

import type { Commission } from '../../base/model/commission.js';
import type { OperatorSettings } from '../../base/model/money.js';
import type { HouseRuleEntry } from '../markets/house-rules.js';
import type { DeclaredRules } from '../markets/rules.js';

export const TIERS = ['free', 'hobby', 'pro', 'sharp', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];

export interface SportEntry {
  id: string;
  name: string;
  /** Aliases in sport filters. An alias shared by several sports is a category and means them all. */
  aliases: string[];
}

export interface LeagueEntry {
  id: string;
  name: string;
  sport: string;
  /** IANA zone whose calendar date is part of the event id. */
  timeZone: string;
  /** Whether its games may end level; absent: as in its sport. */
  ties?: boolean;
  /** Teams beyond the listed ones play here, too: entrants of a cup, clubs that rise, teams of esports. */
  open?: boolean;
  /** The league, or leagues, whose teams may play here beside those of its own file: a cup's entrants. */
  teamsOf?: string | string[];
  /** Aliases that feeds use; `tennis_atp_*` matches every name that begins with `tennis_atp_`. */
  aliases: string[];
}

export interface BookEntry {
  id: string;
  name: string;
  displayName: string;
  /**
   * Who makes its prices (Kambi for its skins), else its company. Books of one owner are one opinion: in the reference, a
   * market's centre, moves and confidence.
   */
  owner: string;
  isSharp: boolean;
  isExchange: boolean;
  /** What it charges on a bet in addition to its margin; absent if nothing. */
  commission?: Commission;
  /** Each market states its own rate: `commission` is the highest one known, for those that do not. */
  feesVary?: boolean;
  /** ISO 4217 code of its stakes, sizes and limits; US dollars if absent. */
  currency?: string;
  /** The smallest bet, in its currency. */
  minStake?: number;
  /** Stakes are multiples of this, in its currency. */
  stakeStep?: number;
  /** Of a venue of contracts that pay 1 or nothing, so that no result is a push: orders are multiples of this number of them. */
  contracts?: number;
  settles?: Omit<BookSettlement, 'tie'>;
  /** Seconds that it holds a bet in play before it accepts it. */
  betDelay?: number;
  hasLiveOdds: boolean;
  hasPlayerProps: boolean;
  regions: ('US' | 'UK' | 'EU' | 'AU' | 'GLOBAL')[];
  /** The lowest tier that sees the book. */
  requiresTier: Tier;
  /** Aliases that feeds use. */
  aliases: string[];
  /**
   * URL templates; null if the book has no deep links. Placeholders: {state}, {event}, {outcome}, and {market} for
   * books that need the market too: the outcome's external id then has the form `market/outcome`.
   */
  deepLink: { homepage: string; event: string | null; outcome: string | null; stateDependent: boolean } | null;
}

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
  /** A row without a commission of its own is reckoned with an assumed one. */
  feesVary: boolean;
}

export interface MarketTypeEntry extends DeclaredRules {
  id: string;
  name: string;
  description: string;
  examples: string[];
  sports: string[];
}

export interface TeamEntry {
  /** Token in event ids: `[a-z0-9-]`, unique in its league. */
  id: string;
  /** Display name. */
  name: string;
  aliases: string[];
}

export interface ResolvedTeam {
  token: string;
  name: string;
  /** False if the name is not in the catalogue and was only slugged. */
  known: boolean;
}

/** The contents of all files: everything a Catalogue is made of. */
export interface CatalogueData extends OperatorSettings {
  sports: SportEntry[];
  leagues: LeagueEntry[];
  books: BookEntry[];
  /** Books that are not listed, but of which money matters are known: owner, commission, currency. */
  unlistedBooks: BookEntry[];
  marketTypes: MarketTypeEntry[];
  /** What differs between books in how a bet ends. */
  houseRules: HouseRuleEntry[];
  /** By league id; a league without a file has none. */
  teams: Map<string, TeamEntry[]>;
}
