// The types of the catalogue: what the operator may replace, checked once at the start by load.ts.
import type { Commission, Commissions } from '../model/commission.js';

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
  /** Aliases that feeds use; `tennis_atp_*` matches every name that begins with `tennis_atp_`. */
  aliases: string[];
}

export interface BookEntry {
  id: string;
  name: string;
  displayName: string;
  /** Books of one owner share one price feed: they count as one opinion in a consensus. */
  owner: string;
  isSharp: boolean;
  isExchange: boolean;
  /** What it charges on a bet in addition to its margin; absent if nothing. */
  commission?: Commission;
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

export interface MarketTypeEntry {
  id: string;
  name: string;
  description: string;
  hasLine: boolean;
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
export interface CatalogueData {
  sports: SportEntry[];
  leagues: LeagueEntry[];
  books: BookEntry[];
  marketTypes: MarketTypeEntry[];
  /** By league id; a league without a file has none. */
  teams: Map<string, TeamEntry[]>;
  /** The operator's settings, which replace the entries' own. */
  commissions?: Commissions;
}
