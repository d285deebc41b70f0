// Signed requests: the key id, the time, and a signature over the time and the request.
import { constants, type KeyObject, sign } from 'node:crypto';
import type { Clock } from '../../../base/model/clock.js';

export interface KalshiKey {
  id: string;
  key: KeyObject;
}

const API = '/trade-api/';

/**
 * Headers of one request: RSA-PSS over SHA-256, salt as long as the digest, of time, method and path without its query.
 */
export function signedHeaders(
  { id, key }: KalshiKey,
  clock: Clock,
  method: string,
  path: string,
): Record<string, string> {
  const timestamp = String(Math.floor(clock.now()));
  // A path prefix belongs to a proxy.
  const from = path.indexOf(API);
  const signed = `${timestamp}${method}${from > 0 ? path.slice(from) : path}`;
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return {
    'KALSHI-ACCESS-KEY': id,
    'KALSHI-ACCESS-TIMESTAMP': timestamp,
    'KALSHI-ACCESS-SIGNATURE': sign('sha256', Buffer.from(signed), { key, ...padding }).toString('base64'),
  };
}
