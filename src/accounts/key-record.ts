// An API key as stored: everything but the key itself, of which only the hash is stored.
import type { Tier } from '../rules/catalogue/types.js';
import type { Viewer } from './viewer-tokens.js';

export const SCOPES = ['read', 'ingest', 'backup'] as const;
export type Scope = (typeof SCOPES)[number];

export interface KeyRecord {
  /** `key_…`, public. */
  id: string;
  /** `acc_…`: keys of one account see and manage each other. */
  account: string;
  name: string;
  tier: Tier;
  /** SHA-256 of the key, lowercase hex. */
  hash: string;
  /** `sk_live_abcd…wxyz`, for lists. */
  masked: string;
  /** Features in addition to the tier's own (`low_hold`). */
  features: string[];
  /** The streaming add-on. */
  streaming: boolean;
  /** Unix ms: until then the key may stream without the add-on. */
  trialEndsAt?: number;
  scopes: Scope[];
  /** Open streams, overriding the tier's number. */
  maxStreams?: number;
  /** Requests per minute, overriding the tier's number. */
  requestsPerMinute?: number;
  /** The account created it itself, through the API; not set for the operator's. */
  selfMade?: boolean;
  active: boolean;
  /** Unix ms, as the next two. */
  createdAt: number;
  updatedAt: number;
  /** Set by a rotation: the key ends here. */
  expiresAt?: number;
  /** Never stored: the caller uses a viewer token of the key, and may see no more than this. */
  viewer?: Viewer;
}

export function isActive(key: KeyRecord, nowMs: number): boolean {
  return key.active && (key.expiresAt === undefined || key.expiresAt > nowMs);
}
