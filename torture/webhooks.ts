// A receiver of two alerts, of prices and of arbitrages, that at times refuses or hangs: every message is signed,
// arrives at least once and in order, and at quiet moments nothing is missing.
import { setTimeout as wait } from 'node:timers/promises';
import { parseTimeUs } from '../src/base/model/time.js';
import type { OddsRow } from '../src/client/types.js';
import { type Received, Receiver } from '../test/alerts/receiver.js';
import type { Answer, Run } from './run.js';

/** A target that hangs is given up after 10 s and retried after 5, 15 and 30 s; in time given to the program. */
const DELIVERED_MS_MAX = 75_000;
const POLL_MS = 50;
const MADE_MS_MAX = 10_000;
const IDS_RETAINED = 10_000;

const CHANNELS = ['odds', 'arbitrage'] as const;
type Channel = (typeof CHANNELS)[number];

interface Delivered {
  decimal: number;
  line: number | null;
  changedAt: string;
}

/** What one alert has sent. */
class Hook {
  readonly receiver = new Receiver();
  readonly #run: Run;
  readonly #channel: Channel;
  readonly #ids = new Set<string>();
  #last = '';
  /** Rows that an alert only counts (`more`) are never sent. */
  cut = 0;
  readonly prices = new Map<string, Delivered>();
  /** Opportunities that it reported. */
  readonly found = new Set<string>();
  /** Message ids may be out of order once more after a loss of power. */
  repeats = false;

  constructor(run: Run, channel: Channel) {
    this.#run = run;
    this.#channel = channel;
  }

  async begin(key: string): Promise<void> {
    await this.receiver.listen();
    const target = { type: 'webhook', url: this.receiver.url };
    const threshold = this.#channel === 'arbitrage' ? { min_profit: 0.5 } : {};
    const make = (): Promise<Answer | null> =>
      this.#run.call('/api/v1/account/alerts', key, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: this.#channel, channel: this.#channel, target, quiet_s: 0, ...threshold }),
      });
    let answer = await make();
    // The first writer of a cluster may not have begun with them yet.
    for (const late = this.#run.patience(MADE_MS_MAX); answer?.status === 503 && !late(); answer = await make())
      await wait(POLL_MS);
    if (answer?.status !== 201) throw new Error(`no alert: ${answer?.status} ${JSON.stringify(answer?.body)}`);
    this.receiver.secret = (answer.body as { data: { secret: string } }).data.secret;
  }

  /** Reads what has arrived since the last call. */
  read(): void {
    for (const bad of this.receiver.bad.splice(0)) this.#run.find('webhooks are signed', bad);
    for (const message of this.receiver.taken.splice(0)) this.#take(message);
  }

  #take({ id, body }: Received): void {
    this.#run.count(`webhooks: messages of ${this.#channel}`);
    if (this.#ids.has(id)) {
      this.#run.count('webhooks: messages that came again');
      // A writer of a cluster that stood still may send what its successor has sent already.
      if (id !== this.#last && !this.repeats && !this.#run.deployment.clustered)
        this.#run.find('webhooks come in their order', `${this.#channel}: ${id} again after ${this.#last}`);
      return;
    }
    this.#ids.add(id);
    for (const oldest of this.#ids) {
      if (this.#ids.size <= IDS_RETAINED) break;
      this.#ids.delete(oldest);
    }
    this.#last = id;
    this.cut += body.data.more;
    for (const item of body.data.items)
      if (this.#channel === 'odds') this.#price(item as unknown as OddsRow);
      else this.found.add(item['id'] as string);
  }

  #price(row: OddsRow): void {
    const lie = this.#run.truth.lie(row);
    if (lie !== null) this.#run.find('no state that never was', `webhook: ${lie}`);
    const before = this.prices.get(row.id);
    // Both are RFC 3339 of the same length.
    if (before !== undefined && row.odds_changed_at < before.changedAt && !this.repeats)
      this.#run.find('webhooks come in their order', `${row.id}: ${row.odds_changed_at} after ${before.changedAt}`);
    this.prices.set(row.id, { decimal: row.odds_decimal, line: row.line, changedAt: row.odds_changed_at });
  }
}

export class Webhooks {
  readonly #run: Run;
  readonly #key: string;
  readonly #odds: Hook;
  readonly #arbitrage: Hook;
  /** Later changes are reported (Unix µs). */
  #fromUs = 0;

  private constructor(run: Run, key: string) {
    this.#run = run;
    this.#key = key;
    this.#odds = new Hook(run, 'odds');
    this.#arbitrage = new Hook(run, 'arbitrage');
  }

  static async make(run: Run, key: string): Promise<Webhooks> {
    const made = new Webhooks(run, key);
    for (const hook of made.#hooks) await hook.begin(key);
    return made;
  }

  get #hooks(): Hook[] {
    return [this.#odds, this.#arbitrage];
  }

  /** Before the program starts after a loss of power: what it sent last may be revoked, and sent again. */
  powerLost(): void {
    for (const hook of this.#hooks) {
      hook.read();
      hook.repeats = true;
    }
  }

  /** Changes from this position on (Unix µs) are reported. */
  reportedFrom(positionUs: number): void {
    this.#fromUs = positionUs;
    for (const hook of this.#hooks) {
      hook.read();
      hook.prices.clear();
    }
  }

  /** For a while nothing is accepted: each message is refused, or hangs. */
  async fail(hangs: boolean, forMs: number): Promise<void> {
    for (const { receiver } of this.#hooks) receiver.behaviour = () => (hangs ? 'hang' : 503);
    await wait(forMs);
    for (const { receiver } of this.#hooks) receiver.behaviour = () => 'take';
  }

  /** Waits until everything in the table was reported. To be called while the books are quiet. */
  async check(rows: readonly OddsRow[]): Promise<void> {
    const run = this.#run;
    let missing = await this.#missing(rows);
    for (const late = run.patience(DELIVERED_MS_MAX); missing !== null && !late(); missing = await this.#missing(rows))
      await wait(POLL_MS);
    run.count('webhooks: tables compared');
    if (missing !== null) run.find('webhooks leave nothing out', `${missing}; ${await this.#state()}`);
    for (const hook of this.#hooks) hook.repeats = false;
    // Rows of earlier seasons, and those that were cut off.
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of this.#odds.prices.keys()) if (!ids.has(id)) this.#odds.prices.delete(id);
  }

  async close(): Promise<void> {
    for (const { receiver } of this.#hooks) await receiver.stop();
  }

  async #missing(rows: readonly OddsRow[]): Promise<string | null> {
    for (const hook of this.#hooks) hook.read();
    const odds = this.#odds;
    if (odds.cut > 0) {
      // It is unknown which ones: up to here they may be any.
      this.#run.count('webhooks: rows cut off', odds.cut);
      odds.cut = 0;
      this.#fromUs = Math.max(this.#fromUs, ...rows.map((row) => parseTimeUs(row.odds_changed_at) ?? 0));
    }
    const due = rows.filter((row) => (parseTimeUs(row.odds_changed_at) ?? 0) > this.#fromUs);
    const other = due.filter((row) => {
      const delivered = odds.prices.get(row.id);
      return (
        delivered?.decimal !== row.odds_decimal ||
        delivered.line !== row.line ||
        delivered.changedAt !== row.odds_changed_at
      );
    });
    if (other.length > 0)
      return `${other.length} of ${due.length} prices were not reported: ${JSON.stringify(other[0])} as ${JSON.stringify(odds.prices.get(other[0]!.id))}`;
    const answer = await this.#run.call('/api/v1/opportunities/arbitrage?limit=200', this.#key);
    if (answer?.status !== 200) return 'the list of arbitrages could not be read';
    const { data } = answer.body as { data: { id: string; detected_at: string }[] };
    const undelivered = data.filter(
      ({ id, detected_at }) => (parseTimeUs(detected_at) ?? 0) > this.#fromUs && !this.#arbitrage.found.has(id),
    );
    return undelivered.length === 0
      ? null
      : `${undelivered.length} of ${data.length} arbitrages were not reported: ${undelivered[0]!.id}`;
  }

  /** As the program sends it. */
  async #state(): Promise<string> {
    const answer = await this.#run.call('/api/v1/account/alerts', this.#key);
    return JSON.stringify(answer?.body);
  }
}
