// A process to be killed: a real server on a clock that is told the time, with the polls of a recording handed to it.
import { parseConfig } from '../../src/config/config.js';
import { ManualClock } from '../../src/model/clock.js';
import { createLog } from '../../src/observe/log.js';
import { Server } from '../../src/server/server.js';

export interface PollToServer {
  poll: number;
  atMs: number;
  messages: readonly object[];
}
export type ToldOfPoll = { kind: 'ready' } | { kind: 'taken'; poll: number };

const [data, beginMs] = process.argv.slice(2) as [string, string];
const say = (message: ToldOfPoll): void => void process.send!(message);
// Polls are an hour apart: the log is not to be cut under history, nor history to let go of what it has.
const flags = { port: '0', data, workers: '1', history: '3650', 'log-retention': '604800' };
const clock = new ManualClock(Number(beginMs));
const server = new Server({
  config: parseConfig(flags, {}),
  feeds: [],
  clock,
  log: createLog('error'),
  version: '0.0.1',
});
await server.listen();

process.on('message', ({ poll, atMs, messages }: PollToServer) => {
  clock.set(atMs);
  void server.engine.ingest([...messages]).then(() => say({ kind: 'taken', poll }));
});
// Without its parent nobody would ever end it.
process.on('disconnect', () => process.exit(0));
say({ kind: 'ready' });
