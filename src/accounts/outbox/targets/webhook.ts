// A program of the account's: rows as JSON, signed as Standard Webhooks are.
import type { QueuedMessage } from '../../../base/model/alert.js';
import { signedHeaders } from '../signature.js';
import { addressOfUrl, type Target } from '../target.js';

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
