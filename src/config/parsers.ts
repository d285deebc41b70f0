// Parsers of setting texts. Each throws an Error whose message completes the sentence "… must be".

export const MIB = 1024 * 1024;

export function text(what: string): (value: string) => string {
  return (value) => {
    if (value.trim() === '' || value.includes('\0')) throw new Error(what);
    return value;
  };
}

export function word(what: string): (value: string) => string {
  return (value) => {
    if (!/^[\x21-\x7e]+$/.test(value)) throw new Error(what);
    return value;
  };
}

export function integer(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most)) throw new Error(`a whole number from ${least} to ${most}`);
    return number;
  };
}

const BYTE_UNITS = { '': 1, KiB: 1024, MiB: MIB, GiB: 1024 * MIB } as const;

export function bytes(least: number, most: number): (value: string) => number {
  return (value) => {
    const match = /^(\d{1,15})(KiB|MiB|GiB|)$/.exec(value);
    const size = match === null ? Number.NaN : Number(match[1]) * BYTE_UNITS[match[2] as keyof typeof BYTE_UNITS];
    if (!(size >= least && size <= most)) {
      throw new Error(`a number of bytes (KiB, MiB and GiB may follow) from ${least} to ${most}`);
    }
    return size;
  };
}

export function choice<const Values extends readonly string[]>(values: Values): (value: string) => Values[number] {
  return (value) => {
    if (!values.includes(value)) throw new Error(`one of ${values.join(', ')}`);
    return value;
  };
}

/** Separated by commas, in lower case. */
export function list(each: RegExp, what: string): (value: string) => string[] {
  return (value) => {
    const given = value.split(/[,;]/).flatMap((one) => one.trim().toLowerCase() || []);
    if (!given.every((one) => each.test(one))) throw new Error(what);
    return given;
  };
}

export function yesNo(value: string): boolean {
  if (value === 'yes' || value === 'true' || value === '1') return true;
  if (value === 'no' || value === 'false' || value === '0') return false;
  throw new Error('yes or no');
}

export function onOff(value: string): boolean {
  if (value === 'on' || value === 'off') return value === 'on';
  throw new Error('on or off');
}

export function httpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !(url.protocol === 'https:' || url.protocol === 'http:')) {
    throw new Error('a URL that begins with https:// or http://');
  }
  return value.replace(/\/+$/, '');
}

export function webSocketUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !(url.protocol === 'wss:' || url.protocol === 'ws:')) {
    throw new Error('a URL that begins with wss:// or ws://');
  }
  return value.replace(/\/+$/, '');
}

/** `host:port`; an IPv6 address stands in brackets. */
export function host(value: string): { host: string; port: number } {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^\s:/]+):(\d{1,5})$/.exec(value);
  const port = Number(match?.[2]);
  if (match === null || !(port >= 1 && port <= 65_535)) throw new Error('host:port');
  return { host: match[1]!.replace(/^\[|\]$/g, ''), port };
}

/** A day, or an RFC 3339 time: Unix ms. */
export function instant(value: string): number {
  const ms = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(value)
    ? Date.parse(value)
    : Number.NaN;
  if (Number.isNaN(ms)) throw new Error('a day or an RFC 3339 time');
  return ms;
}

/** The address with `path` appended unless it already ends with the path or a beginning of it. */
export function withPath(url: string, path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  for (let there = parts.length; there > 0; there--) {
    const begun = `/${parts.slice(0, there).join('/')}`;
    if (url.endsWith(begun)) return url + path.slice(begun.length);
  }
  return url + path;
}
