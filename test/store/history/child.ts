// A process to be killed, with a clock that may be ahead: a server's engine and its history, without a front. It receives messages over IPC, answers
// each when it is acknowledged, and reports when history has written something.

import { systemClock } from '../../../src/base/model/clock.js';
import { parseConfig } from '../../../src/config/config.js';
import { Engine } from '../../../src/engine/engine.js';
import { engineOptions } from '../../../src/engine/engine-options.js';
import { keepHistory } from '../../../src/server/history-keeper.js';
import { createLog } from '../../../src/server/observe/log.js';
import { HistoryFile, hasHistory } from '../../../src/store/history-store.js';

export type ToServer = { lane: number; message: object };
export type FromServer = { kind: 'ready' } | { kind: 'done'; lane: number } | { kind: 'written' };

const LOOK_MS = 20;

const [data, workers, aheadMs = '0', logRetention = '900'] = process.argv.slice(2) as [string, string];
const say = (message: FromServer): void => void process.send!(message);
const config = parseConfig({ port: '0', data, workers, history: '30', 'log-retention': logRetention }, {});
const log = createLog('error');
const clock = { now: () => systemClock.now() + Number(aheadMs) };
const engine = new Engine(engineOptions(config, { clock, log, workers: Number(workers) }));
const keeper = keepHistory(engine, config, log);
await keeper?.begun();
engine.start();

process.on('message', ({ lane, message }: ToServer) => {
  void engine.ingest([message]).then(({ rejected }) => {
    if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
    say({ kind: 'done', lane });
  });
});
// Otherwise it would run forever once its parent is gone.
process.on('disconnect', () => process.exit(0));
say({ kind: 'ready' });

let file: HistoryFile | undefined;
const before = cursorSum();
const looking = setInterval(() => {
  if (cursorSum() === before) return;
  clearInterval(looking);
  say({ kind: 'written' });
}, LOOK_MS);

/** Increases with every write of history. */
function cursorSum(): number {
  if (!hasHistory(data)) return 0;
  file ??= new HistoryFile(data, true);
  file.refresh();
  return (file.state()?.cursors ?? []).reduce((all, cursor) => all + cursor, 0);
}
