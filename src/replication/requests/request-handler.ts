// The writer's side of fronts' requests (requests.ts): each is answered as bytes, over the transport it came by.

import type { UniverseLease, Universes } from '../../answers/opportunities/universes.js';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { ApiError } from '../../base/model/errors.js';
import type { EngineLog } from '../../base/model/log.js';
import { shownFailure } from '../../base/model/storage-error.js';
import type { Engine } from '../../engine/engine.js';
import type { AskHistory } from '../../store/clv/queries.js';
import { requireHistory } from '../../store/history/queries.js';
import {
  type AnyRequest,
  type AskedUniverse,
  encodeAnswer,
  encodeFailure,
  type Granting,
  LEASE_MS,
  type RequestKind,
  type Requests,
} from './requests.js';

interface Leased {
  readonly lease: UniverseLease;
  /** Unix ms. */
  untilMs: number;
}

export interface RequestHandlerOptions {
  engine: Engine;
  universes: Universes;
  /** If there is one. */
  history?: AskHistory | undefined;
  log: EngineLog;
  /** If other processes serve, too. */
  grants?: Granting | undefined;
}

type Answers = {
  [Kind in RequestKind]: (body: Requests[Kind]['body']) => Requests[Kind]['answer'] | Promise<Requests[Kind]['answer']>;
};

const SWEEP_MS = 5_000;

export class RequestHandler {
  readonly #options: RequestHandlerOptions;
  /** By universe key and front. */
  readonly #leased = new Map<string, Map<string, Leased>>();
  readonly #sweep: NodeJS.Timeout;
  readonly #answers: Answers = {
    ingest: ({ messages, strict = false, sender = '', account }) =>
      this.#options.engine.ingest(messages, { strict, sender, account }),
    universes: (body) => this.#universes(body),
    lease: (body) => this.#lease(body),
    history: ({ kind, question }) => requireHistory(this.#options.history)(kind, question),
    position: () => this.#options.engine.table.position,
    unmatched: () => this.#options.engine.unmatched(),
    control: (body) => this.#options.engine.control.answer(body),
    grants: ({ node, window, asked }) => this.#options.grants?.grant(node, window, asked) ?? null,
    evaluate: ({ question, caller }) => this.#options.engine.evaluate(question, caller),
  };

  constructor(options: RequestHandlerOptions) {
    this.#options = options;
    this.#sweep = setInterval(() => this.sweep(), SWEEP_MS);
    this.#sweep.unref();
  }

  /** Never rejects. The answer is as of the position that the engine's table has when the promise settles. */
  async answer({ kind, body }: AnyRequest): Promise<Uint8Array> {
    try {
      return encodeAnswer(await (this.#answers[kind] as (body: unknown) => unknown)(body));
    } catch (error) {
      if (error instanceof ApiError) return encodeFailure(error);
      this.#options.log.error({ err: error, kind }, 'a request of a front failed');
      return encodeFailure(shownFailure(error));
    }
  }

  /** Releases universes that no front has renewed. */
  sweep(): void {
    const nowMs = this.#options.engine.clock.now();
    for (const [key, fronts] of this.#leased) {
      for (const [front, { lease, untilMs }] of fronts) {
        if (untilMs > nowMs) continue;
        fronts.delete(front);
        lease.release();
      }
      if (fronts.size === 0) this.#leased.delete(key);
    }
  }

  close(): void {
    clearInterval(this.#sweep);
    for (const fronts of this.#leased.values()) for (const { lease } of fronts.values()) lease.release();
    this.#leased.clear();
  }

  async #universes({ front, asked }: Requests['universes']['body']): Promise<Requests['universes']['answer']> {
    await Promise.all(asked.map((each) => this.#hold(front, each)));
    return { position: this.#options.engine.table.position };
  }

  async #hold(front: string, { spec, caller }: AskedUniverse): Promise<void> {
    const { engine, universes } = this.#options;
    const lease = await universes.watch(spec, caller);
    const fronts = getOrInsert(this.#leased, spec.key, () => new Map<string, Leased>());
    fronts.get(front)?.lease.release();
    fronts.set(front, { lease, untilMs: engine.clock.now() + LEASE_MS });
  }

  #lease({ front, keys }: Requests['lease']['body']): Requests['lease']['answer'] {
    const untilMs = this.#options.engine.clock.now() + LEASE_MS;
    const missing: string[] = [];
    for (const key of keys) {
      const leased = this.#leased.get(key)?.get(front);
      if (leased === undefined) missing.push(key);
      else leased.untilMs = untilMs;
    }
    return { missing };
  }
}
