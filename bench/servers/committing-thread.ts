// The thread of the control that stores before it publishes: parses a message's JSON (of an SSE event: its data), commits it as a row and
// as a log entry in one transaction, and sends the message back. The store is as a shard's: LMDB without a flush in the
// commit.
import { parentPort, workerData } from 'node:worker_threads';
import { open } from 'lmdb';

const root = open({ path: workerData as string, maxDbs: 2, noSync: true, overlappingSync: false });
const rows = root.openDB<Buffer, string>({ name: 'rows', encoding: 'binary' });
const log = root.openDB<Buffer, number>({ name: 'log', encoding: 'binary' });
let position = 0;

parentPort!.on('message', (message: Uint8Array) => {
  const text = Buffer.from(message).toString();
  const row = Buffer.from(JSON.stringify(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))));
  root.transactionSync(() => {
    void rows.put('row', row);
    void log.put(++position, row);
  });
  parentPort!.postMessage(message);
});
