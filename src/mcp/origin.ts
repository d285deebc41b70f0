// Which web pages may speak to the server: a page elsewhere that has its own name resolve to this machine (DNS
// rebinding) must not reach what listens for this machine alone.

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/**
 * True for callers that are no page (no Origin header), pages of this machine, and, where the server listens on more than
 * this machine, pages of the very host that was asked.
 */
export function originAllowed(origin: string, hostHeader: string, listensOn: string): boolean {
  if (origin === '') return true;
  const page = URL.canParse(origin) ? new URL(origin) : undefined;
  if (page === undefined || !['http:', 'https:'].includes(page.protocol)) return false;
  if (isLoopback(page.hostname)) return true;
  return !isLoopback(listensOn) && page.host !== '' && page.host === hostHeader.toLowerCase();
}
