// A real server for a recording of polls: on a manual clock, with unlimited retention.
import type { ManualClock } from '../../../src/base/model/clock.js';
import { createLog } from '../../../src/server/observe/log.js';
import type { Ending } from '../../shared.js';
import { type Booted, boot } from '../../support/server.js';

const LOG_RETENTION_S = 60 * 86_400;

export function recordingServer(t: Ending, data: string, clock: ManualClock): Promise<Booted> {
  return boot(t, {
    data,
    clock,
    settings: { history: '3650' },
    // Weeks of polls pass in seconds: the log must not be cut before history has read it, and history must remove
    // nothing.
    config: { logRetentionS: LOG_RETENTION_S },
    log: createLog('error'),
  });
}
