// A webhook of a Discord channel; one that was deleted is 404.
import { addressOfUrl, type Target, unlinked } from '../target.js';

export const discord: Target = {
  needs: 'url',
  chat: {
    charactersMax: 2_000,
    plain: (text) => unlinked(text).replace(/[\\*_~`|<>[\]()#@:-]/g, '\\$&'),
    body: (content) => ({ content, allowed_mentions: { parse: [] } }),
  },
  gone: [404, 410],
  address: addressOfUrl,
};
