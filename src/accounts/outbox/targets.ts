// The kinds of alert targets, a record each, by name.

import { createHmac, randomBytes } from 'node:crypto';
import type { QueuedMessage, TargetType } from '../../base/model/alert.js';
import { addressOfUrl, type Target, unlinked } from './target.js';

/** A program of the account's: rows as JSON, signed as Standard Webhooks are. */
export const webhook: Target = {
  needs: 'url',
  chat: null,
  gone: [410],
  openUrl: true,
  address: addressOfUrl,
  headers: ({ id, secret }, message, nowMs) =>
    signedHeaders(secret, messageId(id, message), Math.floor(nowMs / 1000), message.body),
};

/**
 * The same whenever the message is sent again, and never another's: receivers drop what they know. A loss of power may
 * take back the last numbers, but no position is ever used again.
 */
function messageId(rule: string, { seq, position }: QueuedMessage): string {
  return position === undefined ? `msg_${rule}_${seq}` : `msg_${rule}_${seq}_${position}`;
}

/** A webhook of a Discord channel; one that was deleted is 404. */
const discord: Target = {
  needs: 'url',
  chat: {
    charactersMax: 2_000,
    plain: (text) => unlinked(text).replace(/[\\*_~`|<>[\]()#@:-]/g, '\\$&'),
    body: (content) => ({ content, allowed_mentions: { parse: [] } }),
  },
  gone: [404, 410],
  address: addressOfUrl,
};

/** A webhook of a Slack channel; one that was deleted is 404. */
const slack: Target = {
  needs: 'url',
  chat: {
    charactersMax: 3_500,
    plain: (text) => unlinked(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    body: (text) => ({ text, mrkdwn: false }),
  },
  gone: [404, 410],
  address: addressOfUrl,
};

/** A chat of Telegram, by the operator's bot; 403 says that the bot was blocked or removed from the group. */
const telegram: Target = {
  needs: 'chat',
  chat: {
    charactersMax: 4_096,
    plain: unlinked,
    body: (text, { chat }) => ({ chat_id: chat, text, link_preview_options: { is_disabled: true } }),
  },
  gone: [403],
  trusted: true,
  address(_target, { telegram: { url, token } }) {
    if (token === undefined) throw new Error('this server has no bot for Telegram (TELEGRAM_BOT_TOKEN)');
    return new URL(`${url}/bot${token}/sendMessage`);
  },
};

export const TARGETS: Readonly<Record<TargetType, Target>> = { webhook, discord, slack, telegram };

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret: `whsec_` and base64 of 256 random bits. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Headers of one attempt, signed as Standard Webhooks say: HMAC-SHA256 over id, time and body. @param timestampS Unix seconds of the attempt */
function signedHeaders(secret: string, id: string, timestampS: number, body: Uint8Array): Record<string, string> {
  const hmac = createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'));
  hmac.update(`${id}.${timestampS}.`).update(body);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': `v1,${hmac.digest('base64')}`,
  };
}
