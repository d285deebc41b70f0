// A real server for a recording of polls: on a manual clock, with unlimited retention.
import { parseConfig } from '../../src/config/config.js';
import type { ManualClock } from '../../src/model/clock.js';
import { createLog } from '../../src/observe/log.js';
import { Server } from '../../src/server/server.js';

const LOG_RETENTION_S = 60 * 86_400;

/** Not listening yet. */
export function recordingServer(data: string, clock: ManualClock): Server {
  // Weeks of polls go by in seconds: the log is not to be cut under history, nor history to let go of what it has.
  const config = {
    ...parseConfig({ port: '0', data, workers: '1', history: '3650' }, {}),
    logRetentionS: LOG_RETENTION_S,
  };
  return new Server({ config, feeds: [], clock, log: createLog('error'), version: '0.0.1' });
}
