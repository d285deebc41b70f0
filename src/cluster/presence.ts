// Which nodes are present: each announces itself twice a second, with data for the others. Nothing of it is stored: a
// silent node is gone.
import type { Subscription } from '@nats-io/transport-node';
import { monotonicMs } from '../model/clock.js';
import { decode, encode } from '../wire/codec.js';
import { type ClusterNats, listen } from './nats.js';

export type NodeRole = 'engine' | 'front' | 'all';

interface PresenceMessage {
  node: string;
  role: NodeRole;
  /** It is about to end. */
  bye: boolean;
}

/** Nodes announce themselves at this interval, and are gone after this silence (ms). */
const ANNOUNCED = { everyMs: 500, goneAfterMs: 3_000 };

export class Presence {
  readonly #nats: ClusterNats;
  readonly #own: PresenceMessage;
  readonly #subscription: Subscription;
  readonly #timer: NodeJS.Timeout;
  readonly #nodes = new Map<string, { role: NodeRole; atMs: number }>();

  constructor(nats: ClusterNats, node: string, role: NodeRole) {
    this.#nats = nats;
    this.#own = { node, role, bye: false };
    this.#subscription = listen(
      nats.connection,
      nats.names.presence,
      ({ data }) => this.#received(decode(data) as PresenceMessage),
      nats.onUnreadable,
    );
    this.#timer = setInterval(() => this.#say(), ANNOUNCED.everyMs);
    this.#say();
  }

  /** Nodes that serve readers, including this one if it does. */
  get fronts(): number {
    this.#sweep();
    let fronts = 0;
    for (const { role } of this.#nodes.values()) if (role !== 'engine') fronts++;
    return fronts;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#own.bye = true;
    this.#say();
    this.#subscription.unsubscribe();
  }

  #say(): void {
    if (!this.#nats.connection.isClosed()) this.#nats.connection.publish(this.#nats.names.presence, encode(this.#own));
  }

  #received({ node, role, bye }: PresenceMessage): void {
    if (bye) this.#nodes.delete(node);
    else this.#nodes.set(node, { role, atMs: monotonicMs() });
  }

  #sweep(): void {
    const nowMs = monotonicMs();
    for (const [node, { atMs }] of this.#nodes) if (nowMs - atMs > ANNOUNCED.goneAfterMs) this.#nodes.delete(node);
  }
}
