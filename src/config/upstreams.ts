// Addresses and keys of other odds services.
import { httpUrl, word } from './parsers.js';
import type { Setting } from './setting.js';

export interface UpstreamsConfig {
  opticOddsUrl: string;
  opticOddsKey: string | undefined;
  sharpApiUrl: string;
  sharpApiKey: string | undefined;
}

export const UPSTREAMS_SETTINGS: readonly Setting<UpstreamsConfig>[] = [
  {
    name: 'opticOddsUrl',
    env: 'OPTICODDS_URL',
    default: 'https://api.opticodds.com',
    description: 'URL of OpticOdds, with or without /api/v3',
    parse: httpUrl,
  },
  {
    name: 'opticOddsKey',
    env: 'OPTICODDS_KEY',
    description: 'key for the feed opticodds',
    parse: word('a key without blanks'),
  },
  {
    name: 'sharpApiUrl',
    env: 'SHARPAPI_URL',
    default: 'https://api.sharpapi.io',
    description: 'URL of SharpAPI, or of another overround, with or without /api/v1',
    parse: httpUrl,
  },
  {
    name: 'sharpApiKey',
    env: 'SHARPAPI_KEY',
    description: 'key for the feed sharpapi',
    parse: word('a key without blanks'),
  },
];
