// An API key as it is stored: everything but the key itself, of which only the hash is kept.
import type { Tier } from '../catalogue/types.js';
import type { Viewer } from './viewer-tokens.js';

export const SCOPES = ['read', 'ingest'] as const;
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
  /** Features beyond the tier's own (`low_hold`). */
  features: string[];
  /** The streaming add-on. */
  streaming: boolean;
  /** Unix ms: until then the key may stream without the add-on. */
  trialEndsAt?: number;
  scopes: Scope[];
  /** Open streams in place of the tier's number. */
  maxStreams?: number;
  /** Requests a minute in place of the tier's number. */
  requestsPerMinute?: number;
  /** The account made it itself, by the interface; not set for the operator's. */
  selfMade?: boolean;
  active: boolean;
  /** Unix ms, as the next two. */
  createdAt: number;
  updatedAt: number;
  /** Set by a rotation: the key ends here. */
  expiresAt?: number;
  /** Never stored: the caller shows a viewer token of the key, and may see no more than this. */
  viewer?: Viewer;
}
