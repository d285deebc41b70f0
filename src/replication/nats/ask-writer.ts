// Requests of a command to the writer of a cluster.
import type { Config } from '../../config/config.js';
import { monotonicMs } from '../../model/clock.js';
import { ApiError } from '../../model/errors.js';
import type { RequestKind, Requests } from '../requests/requests.js';
import { answered, NatsUnavailable, pause } from './attempts.js';
import { readHolder } from './lease.js';
import { connectNode } from './open-node.js';
import { WriterRequests } from './requests.js';

export type AskWriter = <Kind extends RequestKind>(
  kind: Kind,
  body: Requests[Kind]['body'],
) => Promise<Requests[Kind]['answer']>;

/** Longer than a change of writer takes. What is asked again must have the same effect as once. */
const PATIENCE_MS = 10_000;
const AGAIN_MS = 250;

/** Rejects with NatsUnavailable, or ApiError `unavailable` if there is no writer. */
export async function withWriter(config: Config, work: (ask: AskWriter) => Promise<void>): Promise<void> {
  const nats = await connectNode(config, 'keys');
  try {
    const requests = new WriterRequests(nats);
    const untilMs = monotonicMs() + PATIENCE_MS;
    await work(async (kind, body) => {
      for (;;) {
        const holder = await answered(() => readHolder(nats.state));
        if (holder === undefined) throw new NatsUnavailable('no engine of this cluster has been started yet');
        requests.writer = holder;
        try {
          return await requests.ask(kind, body);
        } catch (error) {
          const passes = error instanceof ApiError && error.code === 'unavailable';
          if (!passes || monotonicMs() > untilMs) throw error;
          await pause(AGAIN_MS);
        }
      }
    });
  } finally {
    await nats.close();
  }
}
