// How often the broadcaster looks after its streams.

export interface BroadcastTimes {
  heartbeatMs: number;
  /** Data pending and nothing sent for this long: the client is stuck. */
  stuckMs: number;
  sweepMs: number;
}

export const BROADCAST_TIMES: BroadcastTimes = { heartbeatMs: 30_000, stuckMs: 10_000, sweepMs: 500 };
