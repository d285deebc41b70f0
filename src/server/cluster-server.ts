// A server on a node of a cluster: its engine follows the cluster's log, and answers the other nodes while it writes
// it.
import type { Alerts } from '../alerts/alerts.js';
import { TIER_RULES } from '../catalogue/tiers.js';
import { Engine } from '../engine/engine.js';
import type { IngestSink } from '../feeds/feed.js';
import { noWriter } from '../model/errors.js';
import type { Log } from '../observe/log.js';
import { RemoteHistory } from '../replication/follower/remote-history.js';
import { type ClusterNode, openNode } from '../replication/nats/open-node.js';
import type { Terms } from '../replication/nats/term.js';
import { RequestHandler } from '../replication/requests/request-handler.js';
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
  let server: Server;
  let firstLeading = (): void => {};
  const feedsAfter = new Promise<void>((resolve) => {
    firstLeading = resolve;
  });
  try {
    server = new Server({
      ...parts,
      engine: node.engine,
      feedsAfter,
      sharedCounts: node.heartbeats,
      ...(node.source === null || config.historyDays === 0 ? {} : { history: new RemoteHistory(node.source) }),
      leaseChanges: () => node.leaseChanges,
      // A feed runs on the writing node only: two of the same would send everything twice, or contradict each other.
      wrapSink: (sink) => onlyLeading(node, parts.wrapSink?.(sink) ?? sink),
    });
  } catch (error) {
    await node.close();
    await node.engine.close();
    throw error;
  }
  const alerts = alertsOfTerms(server, log);
  const handler = new RequestHandler({
    engine: server.engine,
    universes: server.opportunities.universes,
    history: server.history,
    log,
  });
  const close = async (): Promise<void> => {
    // While there is a way to the writer.
    await server.usage.flush().catch((error: unknown) => log.warn({ err: error }, 'usage could not be stored'));
    await node.close();
    await alerts.end();
    handler.close();
    await server.close();
  };
  try {
    // Following the log needs them.
    if (node.engine instanceof Engine) await node.engine.begun();
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

/** While this node writes, it evaluates and sends alerts; one term's are over before the next one's begin. */
function alertsOfTerms(server: Server, log: Log): Terms {
  let alerts: Alerts | undefined;
  let turn = Promise.resolve();
  const inTurn = (work: () => Promise<void> | void): Promise<void> => {
    turn = turn.then(work).catch((error: unknown) => log.error({ err: error }, 'alerts could not be continued'));
    return turn;
  };
  return {
    begin: () => {
      void inTurn(() => {
        alerts = server.openAlerts();
      });
    },
    end: () =>
      inTurn(async () => {
        await alerts?.close();
        alerts = undefined;
      }),
  };
}
