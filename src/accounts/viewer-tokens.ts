// Viewer tokens: what a web page uses in place of a key. A token states its key, its expiry and its restrictions,
// signed with a secret of the data directory; it is not stored, and ends with its key.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { LIMITS } from '../base/model/limits.js';
import type { VIEWER_FILTERS } from '../schema/account.js';

/** So that it fits beside other parameters in a URL. */
export const TOKEN_CHARS_MAX = LIMITS.tokenChars.max;
export type ViewerFilter = (typeof VIEWER_FILTERS)[number];

/** The part of the key's data that the bearer of a token may see. */
export interface Viewer {
  /** Unix ms. */
  expiresAt: number;
  /** Null means all of the key's. */
  channels: readonly string[] | null;
  filters: Readonly<Partial<Record<ViewerFilter, readonly string[]>>>;
  /** The origin of the pages that may use it; null means any program. */
  origin: string | null;
}

const PREFIX = 'vt_';

/** As signed; short names, as it is part of URLs. */
interface Payload {
  k: string;
  e: number;
  c?: readonly string[];
  f?: Viewer['filters'];
  o?: string;
}

export function isViewerToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

export function signViewerToken(
  secret: Buffer,
  keyId: string,
  { expiresAt, channels, filters, origin }: Viewer,
): string {
  const payload: Payload = { k: keyId, e: expiresAt };
  if (channels !== null) payload.c = channels;
  if (Object.keys(filters).length > 0) payload.f = filters;
  if (origin !== null) payload.o = origin;
  const body = PREFIX + Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${body}.${signatureOf(secret, body).toString('base64url')}`;
}

/** The contents of a token; undefined if it was not signed with this secret. The caller checks the expiry. */
export function readViewerToken(secret: Buffer, token: string): { keyId: string; viewer: Viewer } | undefined {
  const dot = token.indexOf('.');
  if (token.length > TOKEN_CHARS_MAX || dot === -1) return undefined;
  const body = token.slice(0, dot);
  const given = Buffer.from(token.slice(dot + 1), 'base64url');
  const wanted = signatureOf(secret, body);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
  const { k, e, c, f, o } = JSON.parse(Buffer.from(body.slice(PREFIX.length), 'base64url').toString()) as Payload;
  return { keyId: k, viewer: { expiresAt: e, channels: c ?? null, filters: f ?? {}, origin: o ?? null } };
}

function signatureOf(secret: Buffer, body: string): Buffer {
  return createHmac('sha256', secret).update(body).digest();
}
