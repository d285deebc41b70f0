// A real server for a recording of polls: on a manual clock, with unlimited retention.
import { parseConfig } from '../../src/config/config.js';
import type { ManualClock } from '../../src/model/clock.js';
import { createLog } from '../../src/observe/log.js';
import { Server } from '../../src/server/server.js';

const LOG_RETENTION_S = 60 * 86_400;

/** Not listening yet. */
export function recordingServer(data: string, clock: ManualClock): Server {
  // Weeks of polls pass in seconds: the log must not be cut before history has read it, and history must remove
  // nothing.
  const config = {
    ...parseConfig({ port: '0', data, workers: '1', history: '3650' }, {}),
    logRetentionS: LOG_RETENTION_S,
  };
  return new Server({ config, feeds: [], clock, log: createLog('error'), version: '0.0.1' });
}
