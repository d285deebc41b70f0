// Posts a form, with a client certificate if there is one, which fetch cannot do; time and answer are bounded.

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { LIMITS } from '../../../base/model/limits.js';

/** Both in PEM. */
export interface ClientCertificate {
  cert: string;
  key: string;
}

export interface FormPostOptions {
  headers: Record<string, string>;
  certificate: ClientCertificate | undefined;
  timeoutMs: number;
  signal: AbortSignal;
}

const ANSWER_BYTES_MAX = LIMITS.loginAnswer.max;

/** Throws an Error with a short reason (never the form) if no complete answer came. */
export async function postForm(
  url: URL,
  form: string,
  { headers, certificate, timeoutMs, signal }: FormPostOptions,
): Promise<{ status: number; text: string; retryAfter: string | undefined }> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const options = {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(form),
      ...headers,
    },
    agent: false as const,
    signal: limit,
  };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request =
        url.protocol === 'https:' ? httpsRequest(url, { ...options, ...certificate }) : httpRequest(url, options);
      request.on('response', resolve);
      request.on('error', reject);
      request.end(form);
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES_MAX) throw new Error('the answer is too long');
      chunks.push(chunk);
    }
    return {
      status: response.statusCode ?? 0,
      text: Buffer.concat(chunks).toString('utf8'),
      retryAfter: response.headers['retry-after'],
    };
  } catch (error) {
    if (limit.aborted && !signal.aborted) throw new Error(`no complete answer within ${timeoutMs} ms`);
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(code ?? message);
  }
}
