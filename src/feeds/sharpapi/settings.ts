// Settings of the feed sharpapi: addresses and keys.
import { httpUrl, word } from '../../config/parsers.js';
import type { Setting } from '../../config/setting.js';

export interface SharpApiSettings {
  sharpApiUrl: string;
  sharpApiKey?: string;
}

export const SHARPAPI_SETTINGS: readonly Setting<SharpApiSettings>[] = [
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
