// A webhook of a Slack channel; one that was deleted is 404.
import { addressOfUrl, type Target, unlinked } from '../target.js';

export const slack: Target = {
  needs: 'url',
  chat: {
    charactersMax: 3_500,
    plain: (text) => unlinked(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    body: (text) => ({ text, mrkdwn: false }),
  },
  gone: [404, 410],
  address: addressOfUrl,
};
