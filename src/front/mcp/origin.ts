// Which web pages may call the server: a page of another site that resolves its own name to this machine (DNS
// rebinding) must not reach what listens for this machine alone.

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

export interface RequestedHost {
  /** The request's Host. */
  host: string;
  /** X-Forwarded-Host, of a proxy before the server; empty if there is none. */
  forwardedHost: string;
}

export interface Exposure {
  /** The address the server listens on. */
  host: string;
  /** A proxy is before it, and its headers are believed: what it serves is meant for others than this machine. */
  trustProxy: boolean;
}

/**
 * True for callers that are not pages (no Origin header), pages of this machine and, if the server is there for more
 * than this machine, pages of the same host as requested.
 */
export function originAllowed(origin: string, requested: RequestedHost, exposure: Exposure): boolean {
  if (origin === '') return true;
  const page = URL.canParse(origin) ? new URL(origin) : undefined;
  if (page === undefined || !['http:', 'https:'].includes(page.protocol)) return false;
  if (isLoopback(page.hostname)) return true;
  if (page.host === '' || (isLoopback(exposure.host) && !exposure.trustProxy)) return false;
  const forwarded = exposure.trustProxy ? requested.forwardedHost.split(',')[0]!.trim() : '';
  return page.host === (forwarded || requested.host).toLowerCase();
}
