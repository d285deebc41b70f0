// Sends one message to its target over HTTP: only to the checked address, following no redirect, within a time limit,
// and reading no more of the answer than needed.
import { Agent, type Dispatcher, request } from 'undici';
import type { AlertRule, QueuedMessage } from '../../base/model/alert.js';
import { LIMITS } from '../../base/model/limits.js';
import type { Reach } from './target.js';
import { TARGETS } from './targets.js';

export interface SenderOptions extends Reach {
  /** For a connection, for the answer's head, and for its body, each (ms). */
  timeoutMs: number;
  now(): number;
}

export type Outcome =
  | { kind: 'taken' }
  /** The target wants no more messages. */
  | { kind: 'gone'; reason: string }
  | { kind: 'failed'; reason: string; waitMs: number };

const HEADERS = { 'content-type': 'application/json', 'user-agent': 'overround-alerts' };
/** Idle connections to targets are closed after this time. */
const KEEP_ALIVE_MS = 30_000;
const REASON_CHARS_MAX = LIMITS.alertReason.max;

export class Sender {
  readonly #options: SenderOptions;
  /** By origin, and by whether it is the operator's: an agent of theirs connects to any address. */
  readonly #agents = new Map<string, Agent>();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  async send(rule: AlertRule, message: QueuedMessage): Promise<Outcome> {
    try {
      return await this.#send(rule, message);
    } catch (error) {
      return { kind: 'failed', reason: this.#readable((error as Error).message), waitMs: 0 };
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
    this.#agents.clear();
  }

  async #send(rule: AlertRule, message: QueuedMessage): Promise<Outcome> {
    const { timeoutMs, now } = this.#options;
    const { address, gone, headers, trusted = false } = TARGETS[rule.target.type];
    const url = address(rule.target, this.#options);
    const response = await request(url, {
      method: 'POST',
      headers: { ...HEADERS, ...headers?.(rule, message, now()) },
      body: message.body,
      dispatcher: await this.#agentOf(url, trusted),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      // The head may arrive in time and the rest byte by byte.
      signal: AbortSignal.timeout(2 * timeoutMs),
    });
    const { statusCode } = response;
    const text = await readSome(response);
    if (statusCode >= 200 && statusCode < 300) return { kind: 'taken' };
    const reason = this.#readable(`${statusCode}${text === '' ? '' : ` ${text}`}`);
    if (gone.includes(statusCode)) return { kind: 'gone', reason };
    const retryAfter = response.headers['retry-after'];
    const requested = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
    return { kind: 'failed', reason, waitMs: retryAfterMs(statusCode, requested, text, now()) };
  }

  /** @param trusted configured by the operator: it may be anywhere */
  async #agentOf(url: URL, trusted: boolean): Promise<Agent> {
    const name = `${trusted ? 'trusted ' : ''}${url.origin}`;
    const known = this.#agents.get(name);
    if (known !== undefined) return known;
    for (const [oldestName, oldest] of this.#agents) {
      if (this.#agents.size < LIMITS.alertOrigins.max) break;
      this.#agents.delete(oldestName);
      await oldest.close();
    }
    const { addresses, timeoutMs } = this.#options;
    const agent = new Agent({
      connections: LIMITS.alertConnections.max,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connect: { timeout: timeoutMs, ...(trusted ? {} : { lookup: addresses.lookup(url) }) },
    });
    this.#agents.set(name, agent);
    return agent;
  }

  /** An answer or error as a reason, short and without the bot's token. */
  #readable(text: string): string {
    const { token } = this.#options.telegram;
    const plain = token === undefined ? text : text.replaceAll(token, '…');
    return plain
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, REASON_CHARS_MAX);
  }
}

/** The beginning of the answer; a larger one is cut off by closing the connection. */
async function readSome({ body }: Dispatcher.ResponseData): Promise<string> {
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length;
    text += (chunk as Buffer).toString();
    if (bytes > LIMITS.alertAnswer.max) break;
  }
  return text;
}

// The delay that a target requests when it accepts nothing now.

/**
 * In ms, 0 if it states nothing: `Retry-After` in seconds or as a date, else the `retry_after` (seconds) in the body of
 * a 429, as Discord and Telegram send it.
 */
function retryAfterMs(status: number, retryAfter: string | undefined, body: string, nowMs: number): number {
  const inBody = status === 429 ? /"retry_after"\s*:\s*(\d+(?:\.\d+)?)/.exec(body)?.[1] : undefined;
  const seconds = Number(retryAfter ?? inBody);
  const ms = Number.isNaN(seconds) ? Date.parse(retryAfter ?? '') - nowMs : Math.ceil(seconds * 1000);
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}
