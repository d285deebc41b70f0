// A context for feeds under test: real time, a sink that stores what it receives, and a log to be read afterwards.

import { systemClock } from '../../../../src/base/model/clock.js';
import type { FeedContext, FeedReport, IngestReceipt } from '../../../../src/intake/feeds/feed.js';
import type { IngestMessage } from '../../../../src/intake/ingest/message.js';

export const RECEIPT: IngestReceipt = { accepted: 0, changed: 0, removed: 0, rejected: [] };

export interface Bench {
  context: FeedContext;
  batches: IngestMessage[][];
  /** `part: reason` of everything that failed. */
  failures: string[];
  counts: Map<string, number>;
  log: { level: string; message: string; fields: Record<string, unknown> }[];
}

export function feedBench(sink?: FeedContext['sink']): Bench {
  const bench: Bench = { batches: [], failures: [], counts: new Map(), log: [], context: undefined as never };
  const line = (level: string) => (fields: object, message: string) => {
    bench.log.push({ level, message, fields: { ...fields } });
  };
  const report: FeedReport = {
    succeeded: () => {},
    failed: (part, reason) => void bench.failures.push(`${part}: ${reason}`),
    counted: (what, times = 1) => void bench.counts.set(what, (bench.counts.get(what) ?? 0) + times),
  };
  bench.context = {
    clock: systemClock,
    sink:
      sink ??
      (async (messages) => {
        bench.batches.push(messages);
        return RECEIPT;
      }),
    log: { info: line('info'), warn: line('warn'), error: line('error') },
    report,
  };
  return bench;
}
