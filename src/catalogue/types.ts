// The shapes of the catalogue: what the operator may replace, checked once at start by load.ts.
import type { Commission, Commissions } from '../model/commission.js';

export const TIERS = ['free', 'hobby', 'pro', 'sharp', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];

export interface SportEntry {
  id: string;
  name: string;
  /** Other names for it in sport filters. One shared by several sports is a category and names them all. */
  aliases: string[];
}

export interface LeagueEntry {
  id: string;
  name: string;
  sport: string;
  /** IANA zone whose calendar day names the event (event_id). */
  timeZone: string;
  /** Other names feeds use for it; `tennis_atp_*` is every name that begins with `tennis_atp_`. */
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
  /** What it takes of a bet beside its margin; not given where nothing. */
  commission?: Commission;
  hasLiveOdds: boolean;
  hasPlayerProps: boolean;
  regions: ('US' | 'UK' | 'EU' | 'AU' | 'GLOBAL')[];
  /** The lowest tier that sees the book. */
  requiresTier: Tier;
  /** Other names feeds use for it. */
  aliases: string[];
  /**
   * URL templates; null where the book has no deep links. Placeholders: {state}, {event}, {outcome}, and {market} for
   * books that want the market too: the outcome's external id is then written `market/outcome`.
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
  /** False where the name was only slugged. */
  known: boolean;
}

/** What the files hold together: everything a Catalogue is made of. */
export interface CatalogueData {
  sports: SportEntry[];
  leagues: LeagueEntry[];
  books: BookEntry[];
  marketTypes: MarketTypeEntry[];
  /** By league id; a league without a file has none. */
  teams: Map<string, TeamEntry[]>;
  /** The operator's settings, in place of the entries' own. */
  commissions?: Commissions;
}
