// Posts batches of ingest messages to a server's /api/v1/ingest and survives temporary failures: full queues, restarts,
// lost connections.

import type { Clock } from '../base/model/clock.js';
import { isMap, jsonOf } from '../base/model/json-map.js';
import { LIMITS } from '../base/model/limits.js';
import { boundedFetch, type FetchAnswer, retryAfterSeconds } from '../intake/feeds/bounded-fetch.js';
import type { FeedLog } from '../intake/feeds/feed.js';
import { backoffMs, type Wait } from '../intake/feeds/wait.js';

export interface IngestClientOptions {
  /** The server's address, `http://127.0.0.1:8080`. */
  url: string;
  /** A key with the `ingest` scope. */
  key: string;
  clock: Clock;
  log: FeedLog;
  signal: AbortSignal;
  wait: Wait;
  random: () => number;
}

export type PostResult =
  | {
      kind: 'taken';
      accepted: number;
      changed: number;
      removed: number;
      rejected: number;
      firstRejected: unknown;
      retries: number;
    }
  /** The server read the request and refused it: 400 or 413. */
  | { kind: 'refused'; status: number; message: string; retries: number };

const FETCH_LIMITS = { timeoutMs: 60_000, bodyBytesMax: LIMITS.serverAnswer.max };
const BACKOFF = { firstMs: 250, capMs: 15_000 };
const QUEUE_FULL_MS_MIN = 50;
/** Consecutive failures after which the server counts as gone: about a minute and a half. */
const FAILURES_MAX = LIMITS.ingestFailures.max;
/** Statuses that neither a retry nor another batch can fix. */
const FATAL = new Map([
  [401, 'the key is refused'],
  [403, 'the key may not push odds (it needs the ingest scope)'],
  [404, 'there is no ingest endpoint at this address'],
  [405, 'there is no ingest endpoint at this address'],
  [415, 'the server does not take NDJSON'],
]);

export class IngestClient {
  readonly #options: IngestClientOptions;
  readonly #url: URL;

  /** Throws if the address is invalid. */
  constructor(options: IngestClientOptions) {
    if (!URL.canParse(options.url) || !/^https?:$/.test(new URL(options.url).protocol))
      throw new Error('url is not an http or https address');
    this.#options = options;
    this.#url = new URL(`${options.url.replace(/\/+$/, '')}/api/v1/ingest`);
    // Both would be refused by fetch at every try.
    if (this.#url.username + this.#url.password !== '')
      throw new Error('url has a user or a password: a server takes a key');
    if (/[^\x21-\x7e]/.test(options.key.trim())) throw new Error('the key has characters that no key has');
  }

  /**
   * Posts the lines as one NDJSON body, repeatedly until the server accepts or refuses them. Sending twice is harmless:
   * the same message changes nothing the second time. Undefined if the signal ended it. Throws an Error with a one-line
   * message if continuing is pointless.
   */
  async post(lines: readonly string[]): Promise<PostResult | undefined> {
    const { key, clock, log, signal, wait, random } = this.#options;
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson', accept: 'application/json', 'x-api-key': key },
      body: `${lines.join('\n')}\n`,
    };
    let failures = 0;
    for (let retries = 0; !signal.aborted; retries++) {
      let waitMs: number;
      let reason: string;
      try {
        const answer = await boundedFetch(this.#url, init, FETCH_LIMITS, signal);
        if (answer.status === 200) return taken(answer, retries);
        reason = `HTTP ${answer.status}`;
        const body = errorOf(answer);
        if (answer.status === 429) {
          // A full queue is not a failure: the server is there and says when to return.
          const requestedS = body.retryAfterS ?? retryAfterSeconds(answer.headers.get('retry-after'), clock.now()) ?? 1;
          waitMs = Math.max(QUEUE_FULL_MS_MIN, requestedS * 1000);
        } else if (answer.status < 500) {
          const fatal = FATAL.get(answer.status);
          if (fatal !== undefined) throw new FatalAnswer(`HTTP ${answer.status}: ${fatal}`);
          return { kind: 'refused', status: answer.status, message: body.message, retries };
        } else {
          failures++;
          waitMs = Math.max((body.retryAfterS ?? 0) * 1000, backoffMs(failures, BACKOFF, random));
        }
      } catch (error) {
        if (error instanceof FatalAnswer) throw error;
        if (signal.aborted) return undefined;
        reason = (error as Error).message;
        failures++;
        waitMs = backoffMs(failures, BACKOFF, random);
      }
      if (failures > FAILURES_MAX) throw new Error(`the server does not answer: ${reason}`);
      if (failures === 1)
        log.warn({ reason, retry_s: waitMs / 1000 }, 'the server does not take the odds; trying again');
      await wait(waitMs, signal);
    }
    return undefined;
  }
}

class FatalAnswer extends Error {}

function taken(answer: FetchAnswer, retries: number): PostResult {
  const body = parsed(answer.text);
  const receipt = isMap(body['data']) ? body['data'] : body;
  const rejected = Array.isArray(receipt['rejected']) ? receipt['rejected'] : [];
  const count = (name: string): number => (typeof receipt[name] === 'number' ? receipt[name] : 0);
  return {
    kind: 'taken',
    accepted: count('accepted'),
    changed: count('changed'),
    removed: count('removed'),
    rejected: rejected.length,
    firstRejected: rejected[0],
    retries,
  };
}

function errorOf(answer: FetchAnswer): { message: string; retryAfterS: number | undefined } {
  const error = parsed(answer.text)['error'];
  const fields = isMap(error) ? error : {};
  const message = typeof fields['message'] === 'string' ? fields['message'] : `HTTP ${answer.status}`;
  const retryAfter = fields['retryAfter'];
  const usable = typeof retryAfter === 'number' && retryAfter >= 0 && Number.isFinite(retryAfter);
  return { message, retryAfterS: usable ? retryAfter : undefined };
}

/** Of a proxy's page, or of nothing, it has no fields: the status is enough. */
function parsed(text: string): Record<string, unknown> {
  const value = jsonOf(text);
  return isMap(value) ? value : {};
}

/** What became of the messages sent. */
export interface SentTotals {
  /** Messages the server has acknowledged. */
  sent: number;
  accepted: number;
  changed: number;
  removed: number;
  rejected: number;
  requests: number;
  retries: number;
}

export function sentNothing(): SentTotals {
  return { sent: 0, accepted: 0, changed: 0, removed: 0, rejected: 0, requests: 0, retries: 0 };
}

/** A request is sent when its body is this long. */
const BODY_BYTES = 512 * 1024;
const LINES_MAX = LIMITS.ingestParts.max / 20;

/** Messages of the request being built. */
export function ingestBatch(client: IngestClient, totals: SentTotals, log: FeedLog, onSent: () => void = () => {}) {
  let waiting: string[] = [];
  let bytes = 0;
  const post = async (lines: string[]): Promise<void> => {
    const result = await client.post(lines);
    if (result === undefined) return;
    totals.requests++;
    totals.retries += result.retries;
    if (result.kind === 'refused' && result.status === 413 && lines.length > 1) {
      const half = Math.ceil(lines.length / 2);
      await post(lines.slice(0, half));
      await post(lines.slice(half));
      return;
    }
    totals.sent += lines.length;
    if (result.kind === 'refused') {
      if (totals.rejected === 0) log.warn({ status: result.status, reason: result.message }, 'messages refused');
      totals.rejected += lines.length;
    } else {
      if (totals.rejected === 0 && result.rejected > 0) log.warn({ first: result.firstRejected }, 'quotes rejected');
      totals.accepted += result.accepted;
      totals.changed += result.changed;
      totals.removed += result.removed;
      totals.rejected += result.rejected;
    }
    onSent();
  };
  const send = async (): Promise<void> => {
    const lines = waiting;
    waiting = [];
    bytes = 0;
    if (lines.length > 0) await post(lines);
  };
  return {
    send,
    async add(message: object): Promise<void> {
      const line = JSON.stringify(message);
      waiting.push(line);
      bytes += Buffer.byteLength(line) + 1;
      if (bytes >= BODY_BYTES || waiting.length >= LINES_MAX) await send();
    },
  };
}
