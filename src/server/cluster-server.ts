// A server on a node of a cluster: its engine follows the cluster's log, and answers the other nodes while it writes
// it.
import { TIER_RULES } from '../catalogue/tiers.js';
import { ClusterAlerts } from '../cluster/cluster-alerts.js';
import { ClusterCounts } from '../cluster/cluster-counts.js';
import { ClusterUsage } from '../cluster/cluster-usage.js';
import { type ClusterNode, openNode } from '../cluster/open-node.js';
import { SharedKeys } from '../cluster/shared-keys.js';
import { Engine } from '../engine/engine.js';
import { nodeName } from '../engine/node-name.js';
import type { IngestSink } from '../feeds/feed.js';
import { RemoteHistory } from '../fronts/remote-history.js';
import { RequestHandler } from '../fronts/request-handler.js';
import { noWriter } from '../log/requests.js';
import { Server } from './server.js';
import type { ServerParts } from './server-parts.js';

/**
 * Settles when the server shows what the log had; listen() must follow. `close` must be called in place of the server's
 * own.
 */
export async function startClusterServer(
  parts: ServerParts,
  onEnd: (reason: string) => void,
): Promise<{ server: Server; close(): Promise<void> }> {
  const { config, clock, log } = parts;
  const simulated = parts.feeds.some((feed) => feed.simulated);
  const node = await openNode({ config, clock, log, delaySeconds: TIER_RULES.free.delaySeconds, simulated, onEnd });
  const sharedCounts = new ClusterCounts(node.nats, nodeName());
  let server: Server;
  const alerts = new ClusterAlerts({
    nats: node.nats,
    dataDir: config.dataDir,
    writer: node,
    open: (path, sharing) => server.openAlerts(path, { watches: true, sharing }),
    log,
  });
  let firstLeading = (): void => {};
  const feedsAfter = new Promise<void>((resolve) => {
    firstLeading = resolve;
  });
  try {
    server = new Server({
      ...parts,
      engine: node.engine,
      feedsAfter,
      sharedCounts,
      alertSource: alerts,
      ...(node.source === null || config.historyDays === 0 ? {} : { history: new RemoteHistory(node.source) }),
      leaseChanges: () => node.leaseChanges,
      // A feed runs on the writing node only: two of the same would send everything twice, or contradict each other.
      wrapSink: (sink) => onlyLeading(node, parts.wrapSink?.(sink) ?? sink),
    });
  } catch (error) {
    sharedCounts.close();
    await node.close();
    await node.engine.close();
    throw error;
  }
  const keys = new SharedKeys(node.nats, server.accounts.store, log);
  server.accounts.shareBy(() => keys.published());
  const usage = new ClusterUsage(node.nats, server.accounts.store.name(), log);
  server.usage.shareBy(usage);
  const handler = new RequestHandler({
    engine: server.engine,
    universes: server.opportunities.universes,
    history: server.history,
    alerts: () => alerts.here,
    log,
  });
  const close = async (): Promise<void> => {
    keys.close();
    // Other nodes do not see what is counted once NATS is left.
    await server.usage.flush().catch((error: unknown) => log.warn({ err: error }, 'usage could not be stored'));
    usage.close();
    sharedCounts.close();
    await node.close();
    await alerts.end();
    handler.close();
    await server.close();
  };
  try {
    // Following the log needs them.
    if (node.engine instanceof Engine) await node.engine.begun();
    await keys.start();
    await usage.start();
    node.answerWith((request) => handler.answer(request));
    node.onFirstLeading(firstLeading);
    node.duringTerms(alerts);
    await node.start();
  } catch (error) {
    await close();
    throw error;
  }
  return { server, close };
}

function onlyLeading(node: ClusterNode, sink: IngestSink): IngestSink {
  return (messages) => (node.leads ? sink(messages) : Promise.reject(noWriter()));
}
