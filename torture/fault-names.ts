// The faults that may be injected during a run.

export const FAULT_NAMES = [
  'kill',
  'kill-child',
  'kill-thread',
  'kill-nats',
  'terminate',
  'upgrade',
  'stop',
  'power',
  'clock',
  'slow-disk',
  'failing-disk',
  'full-disk',
  'failing-head',
  'few-files',
  'half-open',
  'slow-readers',
  'reconnects',
  'corrupt',
  'failing-receiver',
] as const;
export type FaultName = (typeof FAULT_NAMES)[number];
