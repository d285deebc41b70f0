// The universes in use in a process that does not write the log: the writer watches them on its behalf, for as long as it
// renews them, and the log brings what is found in them.
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../accounts/caller.js';
import { monotonicMs } from '../../base/model/clock.js';
import { ApiError } from '../../base/model/errors.js';
import type { UniverseSpec } from '../../base/model/opportunity.js';
import { nodeName } from '../../engine/node-name.js';
import type { LogSource } from '../port/source.js';
import { type AskedUniverse, DEADLINE_MS, RENEW_MS } from '../requests/requests.js';
import type { Waiter } from './waiter.js';

/** Delay before a failed attempt is repeated. */
const RETRY_MS = 250;

export interface RequestedUniversesOptions {
  /** To the writer. */
  request: LogSource['request'];
  /** Watched by every writer from its start. */
  permanent: ReadonlySet<string>;
  /** Told when a position is reached, and of another writer. */
  conditions: Waiter;
  hasReached(position: number): boolean;
  /** Whether another process writes the log. */
  asks(): boolean;
}

export class RequestedUniverses {
  readonly #options: RequestedUniversesOptions;
  readonly #name = nodeName();
  /** Universes in use here, and the connection whose writer watches each. */
  readonly #universes = new Map<string, { asked: AskedUniverse; watchedBy: number }>();
  /** Incremented with every writer: what an earlier one was asked for is asked for again. */
  #connection = 1;
  #renewal: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: RequestedUniversesOptions) {
    this.#options = options;
  }

  start(): void {
    this.#renewal = setInterval(() => this.#renew(), RENEW_MS);
  }

  /** There is another writer, or another connection to it. */
  connected(): void {
    this.#connection++;
    this.#options.conditions.changed();
    this.#watchAgain([...this.#universes.values()].map((each) => each.asked));
  }

  /** Settles when the table of opportunities has its active ones. Rejects as in EngineView. */
  async ensure(spec: UniverseSpec, caller: Caller | undefined): Promise<void> {
    const asked = { spec, caller };
    const { permanent } = this.#options;
    this.#universes.set(spec.key, { asked, watchedBy: 0 });
    const untilMs = permanent.has(spec.key) ? Number.POSITIVE_INFINITY : monotonicMs() + DEADLINE_MS.universes;
    while (!this.isWatched(spec.key)) {
      try {
        await this.#watch([asked]);
      } catch (error) {
        // A writer that has just started does not answer yet.
        const passes = error instanceof ApiError && error.code !== 'rate_limited' && this.#asks;
        if (passes && monotonicMs() < untilMs) await pause(RETRY_MS);
        else {
          this.#universes.delete(spec.key);
          throw error;
        }
      }
    }
  }

  /** Another writer does not keep it up to date before it is asked to. */
  isWatched(key: string): boolean {
    const by = this.#universes.get(key)?.watchedBy ?? 0;
    return by === this.#connection || (by > 0 && this.#options.permanent.has(key));
  }

  /** The writer releases it if nobody renews it. */
  drop(key: string): void {
    if (!this.#options.permanent.has(key)) this.#universes.delete(key);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#renewal);
  }

  get #asks(): boolean {
    return !this.#closed && this.#options.asks();
  }

  async #watch(asked: readonly AskedUniverse[]): Promise<void> {
    const connection = this.#connection;
    const { request, conditions, hasReached } = this.#options;
    const { position } = await request('universes', { front: this.#name, asked });
    const isOver = (): boolean => connection !== this.#connection;
    await conditions.until(() => hasReached(position) || isOver(), DEADLINE_MS.universes);
    for (const { spec } of asked) {
      const universe = this.#universes.get(spec.key);
      if (universe !== undefined) universe.watchedBy = connection;
    }
  }

  /** What fails is asked for again by those who use it. */
  #watchAgain(asked: readonly AskedUniverse[]): void {
    if (asked.length > 0 && this.#asks) this.#watch(asked).catch(() => undefined);
  }

  #renew(): void {
    const keys = [...this.#universes.keys()];
    if (keys.length === 0 || !this.#asks) return;
    const connection = this.#connection;
    this.#options.request('lease', { front: this.#name, keys }).then(
      ({ missing }) => {
        const asked: AskedUniverse[] = [];
        for (const key of missing) {
          const universe = this.#universes.get(key);
          if (universe === undefined || universe.watchedBy !== connection) continue;
          universe.watchedBy = 0;
          asked.push(universe.asked);
        }
        this.#watchAgain(asked);
      },
      () => undefined,
    );
  }
}
