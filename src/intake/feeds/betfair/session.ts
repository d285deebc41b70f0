// The one session shared by all requests and connections: logged in by certificate or password, kept alive, renewed
// only when Betfair rejects it.

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { LIMITS } from '../../../base/model/limits.js';
import { retryAfterSeconds } from '../bounded-fetch.js';
import type { VenueAccess } from '../kit/rest.js';
import { backoffMs, wait as timerWait } from '../wait.js';

export interface Login {
  /** The keep-alive address is derived from it. */
  loginUrl: URL;
  appKey: string;
  username: string;
  password: string;
  certificate?: ClientCertificate;
}

interface SessionOptions extends Login, Required<VenueAccess> {
  signal: AbortSignal;
}

const PART = 'login';
const TIMEOUT_MS = 10_000;
/** Sessions of some countries end after 20 minutes without activity. */
const KEEP_ALIVE_EVERY_MS = 8 * 60_000;
const BACKOFF = { firstMs: 500, capMs: 3_000 };
/** Errors that a person has to fix: an account with too many attempts is locked. */
const REFUSED_BACKOFF = { firstMs: 10_000, capMs: 300_000 };
/** Among others that of a country that Betfair does not serve. */
const REFUSED_STATUS = /^HTTP 4(?!29)/;
/** Errors that are temporary. */
const PASSING = /TEMPORARY|TOO_MANY|INTERNAL|TIMEOUT|UNAVAILABLE|SERVICE/i;

export class Session {
  readonly #options: SessionOptions;
  #token: string | undefined;
  #login: Promise<string | undefined> | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** The session's token; logs in if there is none. Undefined only if the feed was stopped meanwhile. */
  async token(): Promise<string | undefined> {
    if (this.#token !== undefined) return this.#token;
    this.#login ??= this.#logIn().finally(() => {
      this.#login = undefined;
    });
    return this.#login;
  }

  /** Betfair rejected this token: the next one requested is new. */
  refused(token: string): void {
    if (this.#token === token) this.#token = undefined;
  }

  /** Keeps the session alive until the signal is aborted. Never rejects. */
  async run(): Promise<void> {
    const { signal, appKey, context } = this.#options;
    while (await timerWait(KEEP_ALIVE_EVERY_MS, signal)) {
      const token = this.#token;
      if (token === undefined) continue;
      const headers = { 'X-Application': appKey, 'X-Authentication': token };
      try {
        const answer = await this.#post(keepAliveUrl(this.#options.loginUrl), '', headers);
        if (answer['status'] === 'FAIL' && /SESSION/.test(String(answer['error']))) this.refused(token);
      } catch (error) {
        if (!signal.aborted)
          context.log.warn({ reason: (error as Error).message }, 'betfair: the session could not be kept alive');
      }
    }
  }

  async #logIn(): Promise<string | undefined> {
    const { context, loginUrl, appKey, username, password, random, signal } = this.#options;
    // Encoded: passwords contain blanks and ampersands.
    const form = new URLSearchParams({ username, password }).toString();
    for (let failures = 1; !signal.aborted; failures++) {
      let reason: string;
      let limits = BACKOFF;
      try {
        const answer = await this.#post(loginUrl, form, { 'X-Application': appKey });
        const status = answer['loginStatus'] ?? answer['status'];
        const token = answer['sessionToken'] ?? answer['token'];
        if (status === 'SUCCESS' && typeof token === 'string' && token !== '') {
          context.report?.succeeded(PART);
          this.#token = token;
          return token;
        }
        const error = answer['error'];
        reason = `login refused: ${typeof error === 'string' && error !== '' ? error : String(status ?? 'no status')}`;
        if (!PASSING.test(reason)) limits = REFUSED_BACKOFF;
      } catch (error) {
        const { message } = error as Error;
        reason = `login: ${message}`;
        if (REFUSED_STATUS.test(message)) limits = REFUSED_BACKOFF;
      }
      if (signal.aborted) break;
      context.report?.failed(PART, reason);
      const waitMs = backoffMs(failures, limits, random);
      if (failures === 1 || failures % 10 === 0)
        context.log.warn({ reason, failures, retry_ms: Math.round(waitMs) }, 'betfair: not logged in; tried again');
      if (!(await timerWait(waitMs, signal))) break;
    }
    return undefined;
  }

  async #post(url: URL, form: string, headers: Record<string, string>): Promise<Record<string, unknown>> {
    const { certificate, signal, pause, context } = this.#options;
    for (let nowMs = context.clock.now(); pause.untilMs > nowMs; nowMs = context.clock.now())
      if (!(await timerWait(pause.untilMs - nowMs, signal))) throw new Error('stopped');
    const options = { headers, certificate, timeoutMs: TIMEOUT_MS, signal };
    const { status, text, retryAfter } = await postForm(url, form, options);
    if (status === 429) {
      const nowMs = context.clock.now();
      const requestedMs = 1000 * (retryAfterSeconds(retryAfter, nowMs) ?? 0);
      pause.extend(nowMs + Math.min(LIMITS.venueRetryAfter.max, requestedMs));
    }
    if (status !== 200) throw new Error(`HTTP ${status}`);
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch {
      throw new Error('the answer is not JSON');
    }
    if (typeof answer !== 'object' || answer === null) throw new Error('the answer is no object');
    return answer as Record<string, unknown>;
  }
}

/** Of the login by certificate too: its own host (`identitysso-cert.betfair.com`) does nothing else. */
export function keepAliveUrl(loginUrl: URL): URL {
  const url = new URL('/api/keepAlive', loginUrl);
  url.hostname = url.hostname.replace('-cert.', '.');
  return url;
}

// Posts a form, with a client certificate if there is one, which fetch cannot do; time and answer are bounded.

/** Both in PEM. */
interface ClientCertificate {
  cert: string;
  key: string;
}

interface FormPostOptions {
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
