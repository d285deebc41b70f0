// A process to be killed: writes the log of events and history behind, each round everything that both have.
import { EventLogFile } from '../../../src/store/event-log-store.js';
import { HistoryFile } from '../../../src/store/history-store.js';
import { WriteBehind } from '../../../src/store/write-behind.js';

const [dataDir, games] = [process.argv[2]!, Number(process.argv[3])];
const commits = new WriteBehind();
const file = new HistoryFile(dataDir, false, commits);
const events = new EventLogFile(dataDir, commits);
const numbers = Array.from({ length: games }, (_, i) => i + 1);
const none = { epoch: 'e', gaps: [], keptFromUs: 0, cut: [], dropped: [], droppedPages: [], droppedEvents: [] };
for (let round = (file.state()?.cursors[0] ?? 0) + 1; ; round++) {
  const bytes = Buffer.alloc(300, round);
  const cursors = [round];
  const states = numbers.map((key) => ({ key, position: 1, bytes: events.packedState(bytes) }));
  events.write({ ...none, cursors, events: [], chunks: [], states }, true);
  const pages = numbers.map((hno) => ({ hno, firstUs: 1, bytes }));
  file.write({ ...none, cursors, events: [], rows: [], ids: [], predictions: [], results: [], pages }, true);
  await commits.ended();
  process.stdout.write(`${round}\n`);
}
