// What an engine requests of the process that writes the log. That one watches the universes in use here on its behalf,
// for as long as they are renewed, and the log brings what is found in them.
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../accounts/key-record.js';
import { monotonicMs } from '../../base/model/clock.js';
import { ApiError, noWriter } from '../../base/model/errors.js';
import type { UniverseSpec } from '../../base/model/opportunity.js';
import type { Unmatched } from '../../base/model/unmatched.js';
import { startUniverses } from '../../detection/detection-limits.js';
import type { EvaluationQuestion } from '../../detection/question.js';
import {
  type Evaluated,
  type IngestAnswer,
  type IngestOptions,
  type NodeFacts,
  nodeName,
  type RemoteWriter,
} from '../../engine/engine-options.js';
import type { ControlAnswer, ControlRequest } from '../../log/control/control-queue.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import type { LogSource } from '../port/source.js';
import { type AskedUniverse, DEADLINE_MS, RENEW_MS } from '../requests/requests.js';

/** Delay before a failed attempt is repeated. */
const RETRY_MS = 250;

/** The process among those that share the log. */
export interface Node extends NodeFacts {
  /** To the writer. Rejects with ApiError `unavailable` if that is this process, or there is none. */
  readonly request: LogSource['request'];
  /** Ends the way to the writer, where that is the engine's own. */
  disconnect?(): Promise<void>;
}

export class RemoteRequests implements RemoteWriter {
  readonly #node: Node;
  /** Watched by every writer from its start. */
  readonly #permanent: ReadonlySet<string>;
  readonly #name = nodeName();
  /** Looked at when a position is reached, and when there is another writer. */
  readonly #conditions = new Waiter();
  /** Universes in use here, and the connection whose writer watches each. */
  readonly #universes = new Map<string, { asked: AskedUniverse; watchedBy: number }>();
  /** Incremented with every writer: what an earlier one was asked for is asked for again. */
  #connection = 1;
  /** Position up to which everything is shown here. */
  #reached = 0;
  #renewal: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(node: Node, catalogue: Catalogue) {
    this.#node = node;
    this.#permanent = new Set(startUniverses(catalogue).map(({ key }) => key));
  }

  start(): void {
    this.#renewal = setInterval(() => this.#renew(), RENEW_MS);
  }

  reached(position: number): void {
    this.#reached = position;
    this.#conditions.changed();
  }

  /** There is another writer, or another connection to it. */
  connected(): void {
    this.#connection++;
    this.#conditions.changed();
    this.#watchAgain([...this.#universes.values()].map((each) => each.asked));
  }

  async ingest(
    messages: readonly unknown[],
    { strict = false, sender = '', account }: IngestOptions = {},
  ): Promise<IngestAnswer> {
    const answer = await this.#node.request('ingest', { messages, strict, sender, account });
    await this.#conditions.until(() => this.#reached >= answer.position, DEADLINE_MS.ingest);
    return answer;
  }

  runControl(request: ControlRequest): Promise<ControlAnswer> {
    return this.#node.request('control', request);
  }

  evaluate(question: EvaluationQuestion, caller: Caller): Promise<Evaluated> {
    return this.#node.request('evaluate', { question, caller });
  }

  unmatched(): Promise<Unmatched[]> {
    return this.#node.request('unmatched', null);
  }

  async ensureUniverse(spec: UniverseSpec, caller?: Caller): Promise<void> {
    const asked = { spec, caller };
    this.#universes.set(spec.key, { asked, watchedBy: 0 });
    const untilMs = this.#permanent.has(spec.key) ? Number.POSITIVE_INFINITY : monotonicMs() + DEADLINE_MS.universes;
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
    return by === this.#connection || (by > 0 && this.#permanent.has(key));
  }

  /** The writer releases it if nobody renews it. */
  dropUniverse(key: string): void {
    if (!this.#permanent.has(key)) this.#universes.delete(key);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#renewal);
    await this.#node.disconnect?.();
    this.#conditions.close();
  }

  get #asks(): boolean {
    return !this.#closed && !this.#node.leads;
  }

  async #watch(asked: readonly AskedUniverse[]): Promise<void> {
    const connection = this.#connection;
    const { position } = await this.#node.request('universes', { front: this.#name, asked });
    const isOver = (): boolean => connection !== this.#connection;
    await this.#conditions.until(() => this.#reached >= position || isOver(), DEADLINE_MS.universes);
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
    this.#node.request('lease', { front: this.#name, keys }).then(
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

// Waiting, with a deadline, for a condition that others bring about.

class Waiter {
  readonly #looks = new Set<() => void>();
  #closed = false;

  /** Settles once it holds at a call of changed(). Rejects with `unavailable` after the deadline, and on close. */
  until(condition: () => boolean, withinMs: number): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => end(false), withinMs);
      const end = (holds: boolean): void => {
        clearTimeout(timer);
        this.#looks.delete(look);
        if (holds) resolve();
        else reject(noWriter());
      };
      const look = (): void => {
        if (this.#closed) end(false);
        else if (condition()) end(true);
      };
      this.#looks.add(look);
    });
  }

  /** To be called whenever something changed that a condition may depend on. */
  changed(): void {
    if (this.#looks.size > 0) for (const look of [...this.#looks]) look();
  }

  close(): void {
    this.#closed = true;
    this.changed();
  }
}
