// The address that limits are counted by for callers without a key.

import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { isIP } from 'node:net';

/**
 * IPv4 addresses individually, IPv6 by /64: one customer's line has that many.
 * @param trustProxy the address is the last one that the proxy in front added to X-Forwarded-For
 */
export function clientAddress(trustProxy: boolean, request: HttpRequest, response: HttpResponse): string {
  const forwarded = trustProxy ? lastForwarded(request) : '';
  // Never equal to an address of this machine's own, which some limits do not apply to.
  if (forwarded !== '') return `proxy ${counted(forwarded)}`;
  const address = Buffer.from(response.getRemoteAddress());
  if (address.length !== 16) return address.toString('hex');
  const mapped = address.readBigUInt64BE(0) === 0n && address.readUInt32BE(8) === 0xffff;
  return mapped ? address.toString('hex', 12) : address.toString('hex', 0, 8);
}

/** 127.0.0.0/8, or ::1, the only address used in the first /64. */
export function isLoopback(address: string): boolean {
  return /^(7f[0-9a-f]{6}|0{16})$/.test(address);
}

/** A proxy may append a line of its own instead of extending the client's: the last line is the proxy's. */
function lastForwarded(request: HttpRequest): string {
  let last = '';
  request.forEach((name, value) => {
    if (name === 'x-forwarded-for') last = value;
  });
  return last.split(',').at(-1)!.trim();
}

/** Without the port that some proxies add, and IPv6 as its first 64 bits. */
function counted(forwarded: string): string {
  const host = /^\[([^\]]*)\](?::\d+)?$/.exec(forwarded)?.[1] ?? /^([\d.]+):\d+$/.exec(forwarded)?.[1] ?? forwarded;
  if (isIP(host) !== 6) return host.slice(0, 64);
  // As URLs write it: hexadecimal, without leading zeros.
  const [before, after] = new URL(`http://[${host.replace(/%.*$/, '')}]/`).hostname.slice(1, -1).split('::');
  const groups = before === '' ? [] : before!.split(':');
  if (after !== undefined) {
    const last = after === '' ? [] : after.split(':');
    groups.push(...new Array<string>(8 - groups.length - last.length).fill('0'), ...last);
  }
  if (groups.slice(0, 6).join() === '0,0,0,0,0,ffff') return groups.slice(6).join(':');
  return groups.slice(0, 4).join(':');
}
