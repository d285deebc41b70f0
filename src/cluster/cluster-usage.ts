// Requests of accounts over a cluster: each node publishes its own store's counts, under a name in its store, and adds
// up the others'. Nothing is counted twice, whichever node restarts.
import type { KvEntry } from '@nats-io/kv';
import type { Counters, SharedUsage } from '../accounts/usage.js';
import type { EngineLog } from '../model/log.js';
import { decode, encode } from '../wire/codec.js';
import { answered } from './attempts.js';
import type { ClusterNats } from './nats.js';

const USAGE = 'usage.';

export class ClusterUsage implements SharedUsage {
  readonly #nats: ClusterNats;
  /** Name of this node's store. */
  readonly #name: string;
  readonly #log: EngineLog;
  /** By account, then by the name of the store that counted: at most one entry per account and store on the servers. */
  readonly #others = new Map<string, Map<string, Counters>>();
  #watch: { stop(): void } | undefined;

  constructor(nats: ClusterNats, name: string, log: EngineLog) {
    this.#nats = nats;
    this.#name = name;
    this.#log = log;
  }

  async start(): Promise<void> {
    const watch = await answered(() => this.#nats.state.watch({ key: `${USAGE}>` }));
    this.#watch = watch;
    const watching = async (): Promise<void> => {
      for await (const entry of watch) this.#received(entry);
    };
    watching().catch((error: unknown) =>
      this.#log.error({ err: error }, 'usage of other nodes is not received any more'),
    );
  }

  publish(entries: readonly (readonly [account: string, counters: Counters])[]): void {
    for (const [account, counters] of entries)
      this.#nats.state
        .put(`${USAGE}${this.#name}.${account}`, encode(counters))
        .catch((error: unknown) =>
          this.#log.warn({ err: error }, 'usage could not be published; it is added to the next'),
        );
  }

  others(account: string): Iterable<Counters> {
    return this.#others.get(account)?.values() ?? [];
  }

  close(): void {
    this.#watch?.stop();
  }

  #received({ key, value, operation }: KvEntry): void {
    const [, name, account] = key.split('.');
    if (name === undefined || account === undefined || name === this.#name || operation !== 'PUT') return;
    const known = this.#others.get(account) ?? new Map<string, Counters>();
    known.set(name, decode(value) as Counters);
    this.#others.set(account, known);
  }
}
