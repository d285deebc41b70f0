// Heartbeats of a cluster's nodes: plain messages to all of them.
import { Heartbeats, type NodeRole } from '../port/heartbeats.js';
import { type ClusterNats, isEnding, listen } from './nats.js';

/** Ends by close(), which tells the other nodes. */
export function natsHeartbeats(nats: ClusterNats, node: string, role: NodeRole): Heartbeats {
  const { connection, names, onUnreadable } = nats;
  const heartbeats = new Heartbeats({
    node,
    role,
    send: (heartbeat) => {
      if (!isEnding(connection)) connection.publish(names.heartbeats, heartbeat);
    },
  });
  listen(connection, names.heartbeats, ({ data }) => heartbeats.received(data), onUnreadable);
  return heartbeats;
}
