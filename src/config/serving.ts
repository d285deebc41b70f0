// Where and how the server listens.
import { bytes, choice, integer, list, MIB, onOff, word, yesNo } from './parsers.js';
import type { Setting } from './setting.js';

const NATIVE_CODE_CHOICES = ['pinned', 'any'] as const;

export const SERVING_SETTINGS = [
  {
    name: 'host',
    flag: 'host',
    env: 'HOST',
    default: '127.0.0.1',
    description: 'address to listen on',
    parse: word('a host name or address'),
  },
  {
    name: 'port',
    flag: 'port',
    env: 'PORT',
    default: '8080',
    description: 'port to listen on; 0 is any free port',
    parse: integer(0, 65_535),
  },
  {
    name: 'bodyBytesMax',
    flag: 'body-limit',
    env: 'BODY_LIMIT',
    default: '8MiB',
    unit: 'bytes',
    description: 'largest body of POST /ingest, after decompression; other bodies have at most 256 KiB',
    parse: bytes(1024, 256 * MIB),
  },
  {
    name: 'deeplinkFallbackHosts',
    flag: 'deeplink-fallback-hosts',
    env: 'DEEPLINK_FALLBACK_HOSTS',
    default: '',
    description: 'hosts, separated by commas, to which fallback= of a deep link may lead; * is any; default: none',
    repeatable: true,
    parse: list(/^(?:\*|[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?)$/, 'host names separated by commas, or *'),
  },
  {
    name: 'trustProxy',
    flag: 'trust-proxy',
    env: 'TRUST_PROXY',
    default: 'no',
    description: 'yes, behind a proxy: the client address is the last one in X-Forwarded-For',
    parse: yesNo,
  },
  {
    name: 'maxConnections',
    flag: 'max-connections',
    env: 'MAX_CONNECTIONS',
    description:
      'maximum number of open connections; further ones are refused with 503; default: what the limit of open files (ulimit -n) allows',
    parse: integer(1, 10_000_000),
  },
  {
    name: 'compress',
    flag: 'compress',
    env: 'COMPRESS',
    default: 'on',
    description:
      'on: streams are compressed for clients that accept it, once for all with the same subscription (SSE: gzip, changes only from 20 such clients on; WebSocket: overround.deflate, overround.msgpack.deflate); off: never',
    parse: onOff,
  },
  {
    name: 'nativeCode',
    flag: 'native-code',
    env: 'NATIVE_CODE',
    default: 'pinned',
    description:
      'pinned: the uWebSockets binary must be the one this version was built with (SHA-256); any: any binary is loaded',
    parse: choice(NATIVE_CODE_CHOICES),
  },
] as const satisfies readonly Setting[];
