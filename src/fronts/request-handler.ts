// The writer's side of fronts' requests (log/requests.ts): each is answered as bytes, over the transport it came by.

import type { AlertSource } from '../alerts/source.js';
import type { ClvSource } from '../clv/source.js';
import type { EngineView } from '../engine/engine-view.js';
import { type HistorySource, requireHistory } from '../history/source.js';
import {
  type AnyRequest,
  encodeAnswer,
  encodeFailure,
  LEASE_MS,
  noWriter,
  type Requests,
  type ShardWhole,
} from '../log/requests.js';
import { ApiError } from '../model/errors.js';
import type { EngineLog } from '../model/log.js';
import type { UniverseSpec } from '../model/opportunity.js';
import type { UniverseLease, Universes } from '../opportunities/universes.js';
import { packNews, packOpportunities } from '../pool/packed-news.js';
import { shownFailure } from '../store/storage-error.js';

interface Leased {
  lease: UniverseLease;
  /** By front, until when (Unix ms). */
  readonly until: Map<string, number>;
}

export interface RequestHandlerOptions {
  engine: EngineView;
  universes: Universes;
  /** If there is one. */
  history?: (HistorySource & ClvSource) | undefined;
  /** The alerts of this process, for nodes of a cluster; throws if they are not here. */
  alerts?: () => AlertSource;
  log: EngineLog;
}

const SWEEP_MS = 5_000;

export class RequestHandler {
  readonly #options: RequestHandlerOptions;
  /** By universe key. */
  readonly #leased = new Map<string, Leased>();
  readonly #sweep: NodeJS.Timeout;

  constructor(options: RequestHandlerOptions) {
    this.#options = options;
    this.#sweep = setInterval(() => this.sweep(), SWEEP_MS);
    this.#sweep.unref();
  }

  /** Never rejects. The answer is as of the position that the engine's table has when the promise settles. */
  async answer({ kind, body }: AnyRequest): Promise<Uint8Array> {
    try {
      switch (kind) {
        case 'ingest':
          return encodeAnswer(await this.#ingest(body as Requests['ingest']['body']));
        case 'universes':
          return encodeAnswer(await this.#universes(body as Requests['universes']['body']));
        case 'lease':
          return encodeAnswer(this.#lease(body as Requests['lease']['body']));
        case 'history':
          return encodeAnswer(await this.#history(body as Requests['history']['body']));
        case 'alerts':
          return encodeAnswer({ reply: await this.#alerts(body as Requests['alerts']['body']) });
        case 'evaluate':
          return await this.#evaluate(body as Requests['evaluate']['body']);
      }
    } catch (error) {
      if (error instanceof ApiError) return encodeFailure(error);
      this.#options.log.error({ err: error, kind }, 'a request of a front failed');
      return encodeFailure(shownFailure(error));
    }
  }

  /** Releases universes that no front has renewed. */
  sweep(): void {
    const nowMs = this.#options.engine.clock.now();
    for (const [key, { lease, until }] of this.#leased) {
      for (const [front, untilMs] of until) if (untilMs <= nowMs) until.delete(front);
      if (until.size > 0) continue;
      this.#leased.delete(key);
      lease.release();
    }
  }

  close(): void {
    clearInterval(this.#sweep);
    for (const { lease } of this.#leased.values()) lease.release();
    this.#leased.clear();
  }

  #ingest({ messages }: Requests['ingest']['body']): Promise<Requests['ingest']['answer']> {
    return this.#options.engine.ingest(messages);
  }

  async #universes({ front, specs }: Requests['universes']['body']): Promise<Requests['universes']['answer']> {
    const leases = await Promise.all(specs.map((spec) => this.#hold(front, spec)));
    // No await from here on: everything is as of one position.
    const position = this.#options.engine.table.position;
    const shards: ShardWhole[] = [];
    for (const { opportunities } of leases)
      for (const [shard, news] of opportunities.whole()) {
        const packed = packNews([news]);
        // Its bytes are valid until the next is packed.
        shards.push({ shard, news: { ...packed, opened: Uint8Array.from(packed.opened) } });
      }
    return { position, shards };
  }

  async #hold(front: string, spec: UniverseSpec): Promise<UniverseLease> {
    const { engine, universes } = this.#options;
    const lease = await universes.watch(spec);
    const known = this.#leased.get(spec.key);
    if (known !== undefined) lease.release();
    const leased = known ?? { lease, until: new Map<string, number>() };
    leased.until.set(front, engine.clock.now() + LEASE_MS);
    this.#leased.set(spec.key, leased);
    return leased.lease;
  }

  #lease({ front, keys }: Requests['lease']['body']): Requests['lease']['answer'] {
    const untilMs = this.#options.engine.clock.now() + LEASE_MS;
    const missing: string[] = [];
    for (const key of keys) {
      const leased = this.#leased.get(key);
      if (leased === undefined) missing.push(key);
      else leased.until.set(front, untilMs);
    }
    return { missing };
  }

  async #history(body: Requests['history']['body']): Promise<Requests['history']['answer']> {
    const history = requireHistory(this.#options.history);
    if ('history' in body) return { reply: await history.history(body.history) };
    if ('lines' in body) return { reply: await history.lines(body.lines) };
    if ('clv' in body) return { reply: await history.clv(body.clv) };
    if ('bets' in body) return { reply: await history.gradeBets(body.bets, body.nowUs) };
    return { reply: [...(await history.openings(body.openings))] };
  }

  async #alerts(body: Requests['alerts']['body']): Promise<unknown> {
    const alerts = this.#options.alerts?.();
    // Processes of one machine share the store of alerts.
    if (alerts === undefined) throw noWriter();
    if ('list' in body) return alerts.list(body.list);
    if ('create' in body) return alerts.create(body.caller, body.create);
    return alerts.remove(body.account, body.remove);
  }

  async #evaluate({ question }: Requests['evaluate']['body']): Promise<Uint8Array> {
    const found = await this.#options.engine.evaluate(question);
    return encodeAnswer({ opportunities: packOpportunities(found) });
  }
}
