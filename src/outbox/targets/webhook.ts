// A program of the account's: rows as JSON, signed as Standard Webhooks are.
import { signedHeaders } from '../signature.js';
import { addressOfUrl, type Target } from '../target.js';

export const webhook: Target = {
  needs: 'url',
  chat: null,
  gone: [410],
  openUrl: true,
  address: addressOfUrl,
  headers: ({ id, secret }, { seq, body }, nowMs) =>
    signedHeaders(secret, `msg_${id}_${seq}`, Math.floor(nowMs / 1000), body),
};
