// The engine alone as a process of its own, free to use both cores: how many quotes a second one shard worker takes and
// commits. Prints one line of JSON.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/base/model/clock.js';
import { formatMs } from '../src/base/model/time.js';
import { Engine } from '../src/engine/engine.js';
import { encodeDelta } from '../src/log/delta/delta.js';
import { NO_NEWS } from '../src/log/delta/opportunity.js';
import { Market } from './market.js';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '' },
    events: { type: 'string', default: '2000' },
    books: { type: 'string', default: '10' },
    /** So many of the events, evenly spread, are sent again and again once all are there; 0 is all. */
    sent: { type: 'string', default: '0' },
    ms: { type: 'string', default: '3000' },
  },
});
const EVENTS_AT_ONCE = 50;
const BATCHES_AT_ONCE = 4;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const dataDir = values.data;
const market = new Market({ events: Number(values.events), books: Number(values.books) }, Date.now());
const engine = new Engine({
  dataDir,
  clock: systemClock,
  catalogueDir: undefined,
  workers: 1,
  durability: 'commit',
  retention: { logSeconds: 900, logBytesMax: 2 ** 31, fileBytesMax: 2 ** 35 },
  queueQuotesMax: 1_000_000,
  log: quiet,
});
let logBytes = 0;
let positions = 0;
engine.onDelta((_applied, delta) => {
  positions++;
  logBytes += encodeDelta({ ...delta, opportunities: NO_NEWS }).length;
});
engine.start();

const sentEvents = Math.min(Number(values.sent) || market.size.events, market.size.events);

/** Messages of all books, `share` of whose quotes move. Made beforehand; the time is set when they are sent. */
function messages(share: number, phase: number): { polled_at: string }[] {
  const made: { polled_at: string }[] = [];
  const every = Math.round(1 / share);
  for (let from = 0; from < sentEvents; from += EVENTS_AT_ONCE) {
    const events = Array.from({ length: Math.min(EVENTS_AT_ONCE, sentEvents - from) }, (_, i) =>
      Math.floor(((from + i) * market.size.events) / sentEvents),
    );
    for (let book = 0; book < market.size.books; book++)
      made.push(
        market.message(book, events, (event, quote) => ((event * 6 + quote + book) % every === 0 ? phase : 0)) as {
          polled_at: string;
        },
      );
  }
  return made;
}

interface Rate {
  quotes: number;
  changed: number;
  seconds: number;
}

async function run(sets: { polled_at: string }[][], ms: number): Promise<Rate> {
  const rate: Rate = { quotes: 0, changed: 0, seconds: 0 };
  const begun = performance.now();
  const open = new Set<Promise<void>>();
  for (let round = 0; performance.now() - begun < ms; round++)
    for (const message of sets[round % sets.length]!) {
      message.polled_at = formatMs(systemClock.now());
      const one: Promise<void> = engine.ingest([message]).then((receipt) => {
        rate.quotes += receipt.accepted;
        rate.changed += receipt.changed;
        open.delete(one);
      });
      open.add(one);
      if (open.size >= BATCHES_AT_ONCE) await Promise.race(open);
      if (performance.now() - begun >= ms) break;
    }
  await Promise.all(open);
  rate.seconds = (performance.now() - begun) / 1000;
  return rate;
}

for (const message of market.whole(EVENTS_AT_ONCE)) {
  (message as { polled_at: string }).polled_at = formatMs(systemClock.now());
  await engine.ingest([message]);
}
const fileBytes = (): number => {
  const path = join(dataDir, 'shard-0');
  return statSync(statSync(path).isDirectory() ? join(path, 'data.mdb') : path).size;
};
const bytesFilled = fileBytes();
const ms = Number(values.ms);
const few = [messages(0.05, 1), messages(0.05, 0)];
const all = [messages(1, 1), messages(1, 0)];
await run(few, ms / 3);
const seen = await run(few, ms);
await run(all, ms / 3);
logBytes = 0;
positions = 0;
const changed = await run(all, ms);
process.stdout.write(
  `${JSON.stringify({
    rows: engine.table.rowCount,
    seen,
    changed,
    bytesFilled,
    bytesAfter: fileBytes(),
    logBytesPerChange: logBytes / changed.changed,
    commits: positions,
    tableBytes: engine.table.json.bytes,
  })}\n`,
);
await engine.close();
