// Which addresses messages may be sent to: public ones, and those the operator lists. A caller's target must not reach
// into the operator's own network, whatever its name resolves to after it was checked.
import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP } from 'node:net';

/** Not on the public internet, or not a single host: IANA's registries of special-purpose and multicast addresses. */
const CLOSED_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's host: metadata and keys of the machine that runs the server, from nowhere else.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;
/** Only this part of IPv6 is assigned to hosts; the ranges within it lead elsewhere or nowhere. */
const OPEN_V6 = ['2000::', 3] as const;
const CLOSED_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3ffe::', 16],
  ['3fff::', 20],
] as const;

const closed = new BlockList();
for (const [net, bits] of CLOSED_V4) closed.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of CLOSED_V6) closed.addSubnet(net, bits, 'ipv6');
const open = new BlockList();
open.addSubnet(...OPEN_V6, 'ipv6');

/** Whether an IP address is one of the public internet. */
export function isPublic(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !closed.check(address, 'ipv4');
    case 6:
      return open.check(address, 'ipv6') && !closed.check(address, 'ipv6');
    default:
      return false;
  }
}

class AddressRefused extends Error {
  constructor(host: string) {
    super(`${host} is not on the public internet, and not among --alert-hosts`);
    this.name = 'AddressRefused';
  }
}

type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export class Addresses {
  readonly #hosts: ReadonlySet<string>;
  readonly #resolve: Resolve;

  /** @param hosts names or addresses that are allowed anywhere, `host` or `host:port`; `*` means any */
  constructor(hosts: readonly string[], resolve: Resolve = systemLookup) {
    this.#hosts = new Set(hosts.map((host) => host.toLowerCase()));
    this.#resolve = resolve;
  }

  /** The checked address of a target. Throws an Error that says what is wrong with it. */
  parse(text: string): URL {
    if (!URL.canParse(text)) throw new Error('is no address');
    const url = new URL(text);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('must begin with https:// or http://');
    if (url.username !== '' || url.password !== '') throw new Error('must not carry a name or password');
    const host = bare(url.hostname);
    if (this.#isNamed(url)) return url;
    if (isIP(host) !== 0 ? !isPublic(host) : isLocalName(host)) throw new AddressRefused(host);
    return url;
  }

  #isNamed({ host, hostname }: URL): boolean {
    return this.#hosts.has('*') || this.#hosts.has(host) || this.#hosts.has(bare(hostname));
  }

  /**
   * Replaces the system's look-up when a connection is made: the checked address is the one connected to. A name with
   * any forbidden address is refused whole.
   */
  lookup(url: URL) {
    const named = this.#isNamed(url);
    return (
      host: string,
      options: LookupOptions,
      callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
    ): void => {
      this.#resolve(host, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return callback(error, '');
        const [first] = addresses;
        if (first === undefined) return callback(new Error(`${host} has no address`), '');
        if (!named && !addresses.every(({ address }) => isPublic(address)))
          return callback(new AddressRefused(host), '');
        if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
    };
  }
}

/** Names that never mean a host of the internet. */
function isLocalName(host: string): boolean {
  const name = host.replace(/\.$/, '');
  return !name.includes('.') || /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/.test(name);
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
}
