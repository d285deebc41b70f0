// Requests of a command to the writer of a cluster.
import type { Config } from '../../config/config.js';
import type { LogSource } from '../port/source.js';
import { commandRetry } from '../requests/requests.js';
import { readHolder } from './lease.js';
import { connectNode } from './open-node.js';
import { WriterRequests } from './requests.js';
import { answered, NatsUnavailable } from './retries.js';

/** Rejects with NatsUnavailable, or ApiError `unavailable` if there is no writer. */
export async function withWriter(config: Config, work: (ask: LogSource['request']) => Promise<void>): Promise<void> {
  const nats = await connectNode(config, 'keys');
  try {
    const requests = new WriterRequests(nats);
    const patiently = commandRetry();
    await work((kind, body) =>
      patiently(async () => {
        const holder = await answered(() => readHolder(nats.state));
        if (holder === undefined) throw new NatsUnavailable('no engine of this cluster has been started yet');
        requests.writer = holder;
        return requests.ask(kind, body);
      }),
    );
  } finally {
    await nats.close();
  }
}
