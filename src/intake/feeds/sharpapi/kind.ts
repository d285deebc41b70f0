// The feed sharpapi on the command line, and its settings: `sharpapi[:leagues=nba,…][,books=…]`.
import { httpUrl, withPath, word } from '../../../config/parsers.js';
import { feedKind, listArg } from '../feed-kind.js';

export const feed = feedKind({
  kind: 'sharpapi',
  parameters: { leagues: 'list', books: 'list' },
  settings: [
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
  ],
  once: true,
  async make(spec, { settings: { sharpApiUrl, sharpApiKey }, random }) {
    if (sharpApiKey === undefined) throw new Error('sharpapi needs the environment variable SHARPAPI_KEY');
    const { SharpApiFeed } = await import('./feed.js');
    return new SharpApiFeed({
      url: withPath(sharpApiUrl, '/api/v1'),
      apiKey: sharpApiKey,
      leagues: listArg(spec, 'leagues'),
      books: listArg(spec, 'books'),
      random,
    });
  },
});
