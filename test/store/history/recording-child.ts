// A process to be killed: a real server on a manual clock that is sent the polls of a recording.
import { ManualClock } from '../../../src/base/model/clock.js';
import { recordingServer } from './recording-server.js';

export interface PollToServer {
  poll: number;
  atMs: number;
  messages: readonly object[];
}
export type PollProgress = { kind: 'ready' } | { kind: 'taken'; poll: number };

const [data, beginMs] = process.argv.slice(2) as [string, string];
const say = (message: PollProgress): void => void process.send!(message);
const clock = new ManualClock(Number(beginMs));
// It is killed.
const { server } = await recordingServer({ after: () => undefined }, data, clock);

process.on('message', ({ poll, atMs, messages }: PollToServer) => {
  clock.set(atMs);
  void server.engine.ingest([...messages]).then(() => say({ kind: 'taken', poll }));
});
// Otherwise it would run forever once its parent is gone.
process.on('disconnect', () => process.exit(0));
say({ kind: 'ready' });
