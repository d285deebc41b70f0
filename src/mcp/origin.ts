// Which web pages may call the server: a page of another site that resolves its own name to this machine (DNS
// rebinding) must not reach what listens for this machine alone.

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/**
 * True for callers that are not pages (no Origin header), pages of this machine and, if the server listens on more than
 * this machine, pages of the same host as requested.
 */
export function originAllowed(origin: string, hostHeader: string, listensOn: string): boolean {
  if (origin === '') return true;
  const page = URL.canParse(origin) ? new URL(origin) : undefined;
  if (page === undefined || !['http:', 'https:'].includes(page.protocol)) return false;
  if (isLoopback(page.hostname)) return true;
  return !isLoopback(listensOn) && page.host !== '' && page.host === hostHeader.toLowerCase();
}
