// Webhook signatures according to Standard Webhooks: HMAC-SHA256 over id, time and body.
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret: `whsec_` and base64 of 256 random bits. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Headers of one attempt. @param timestampS Unix seconds of the attempt */
export function signedHeaders(
  secret: string,
  id: string,
  timestampS: number,
  body: Uint8Array,
): Record<string, string> {
  const hmac = createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'));
  hmac.update(`${id}.${timestampS}.`).update(body);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': `v1,${hmac.digest('base64')}`,
  };
}
