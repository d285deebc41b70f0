// Fills the history of a data directory as the shards' changes would: a day of prices that walk, or a recording. A process
// of its own; prints one line of JSON.
//   node dist/bench/history-fill.js --data DIR --changes N --events E [--books 10]
//   node dist/bench/history-fill.js --data DIR --recording polls.ndjson.gz
import { parseArgs } from 'node:util';
import { decimalFromAmerican } from '../src/base/model/price.js';
import { RowChange } from '../src/base/model/row.js';
import { DAY_MS } from '../src/base/model/time.js';
import { Timeline } from '../src/cli/backtest/timeline.js';
import { readRecording } from '../src/intake/feeds/replay/recording.js';
import type { IngestMessage } from '../src/intake/ingest/message.js';
import { DELTA_VERSION, type Delta } from '../src/log/delta/delta.js';
import { NO_NEWS } from '../src/log/delta/opportunity.js';
import { loadCatalogue } from '../src/rules/catalogue/load.js';
import { Recorder } from '../src/store/history/recorder.js';
import { HistoryFile } from '../src/store/history-store.js';
import { Market } from './market.js';

export interface HistoryFilled {
  changes: number;
  rows: number;
  events: number;
  /** On disk. */
  bytes: Record<'changes' | 'rows' | 'all', number>;
  seconds: number;
}

const EVENTS_AT_ONCE = 50;
/** As often as a server writes, in changes of a day at 5,000/s. */
const WRITTEN_EVERY = 10_000;
/** Books tell so many events of each batch. */
const EVENTS_A_BATCH = 8;
/** Cents that a price moves at most, and how far it goes from where it opened. */
const WALK = { stepMax: 4, farthest: 60 };

const NOTHING = {
  version: DELTA_VERSION,
  shard: 0,
  events: [],
  dropped: [],
  splits: [],
  futures: [],
  opportunities: NO_NEWS,
} satisfies Partial<Delta>;

let seed = 1;

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '' },
    changes: { type: 'string', default: '100000' },
    events: { type: 'string', default: '100' },
    books: { type: 'string', default: '10' },
    recording: { type: 'string' },
  },
});
const catalogue = loadCatalogue();
const file = new HistoryFile(values.data);
const recorder = new Recorder(file);
recorder.begin('filled', 1);
let changes = 0;
const log = {
  take: (delta: Delta): void => {
    const before = recorder.pending;
    recorder.take(delta);
    changes += recorder.pending - before;
    if (recorder.pending >= WRITTEN_EVERY) recorder.flush();
  },
};
const begun = performance.now();
if (values.recording === undefined) walk();
else await record(values.recording);
recorder.flush();
const seconds = (performance.now() - begun) / 1000;
let rows = 0;
let events = 0;
for (const { hno } of file.events()) {
  rows += recorder.event(hno)!.rows.length;
  recorder.forget(hno);
  events++;
}
const { pages, rows: ofRows } = file.tableBytes();
const filled: HistoryFilled = {
  changes,
  rows,
  events,
  bytes: { changes: pages, rows: ofRows, all: file.usedBytes() },
  seconds,
};
await file.close();
process.stdout.write(`${JSON.stringify(filled)}\n`);

async function record(path: string): Promise<void> {
  const timeline = played(log);
  for await (const poll of readRecording(path, { leagues: catalogue })) timeline.play(poll);
}

function played(recorder: Pick<Recorder, 'take'>): Timeline {
  return new Timeline(catalogue, { key: 'none', books: [] }, () => undefined, recorder);
}

/** The last 24 hours: the whole market opens through a shard; then book after book moves all its prices of some events. */
function walk(): void {
  const nowMs = Date.now();
  const market = new Market({ events: Number(values.events), books: Number(values.books) }, nowMs);
  const beginMs = nowMs - DAY_MS;
  const opened: Delta[] = [];
  const timeline = played({ take: (delta) => opened.push(delta) });
  for (const message of market.whole(EVENTS_AT_ONCE)) {
    const opening = message as IngestMessage;
    opening.polled_at = new Date(beginMs).toISOString();
    timeline.play({ atMs: beginMs, messages: [opening] });
  }
  for (const delta of opened) log.take(delta);
  const moving = opened.flatMap(({ books }) => books);
  const wanted = Number(values.changes);
  const stepUs = Math.floor((DAY_MS * 1000) / (wanted / (EVENTS_A_BATCH * moving[0]![5].length)));
  const walked = new Int16Array(market.rows);
  let { position } = opened.at(-1)!;
  for (let from = 0; changes < wanted; from = (from + EVENTS_A_BATCH) % moving.length) {
    position += stepUs;
    const books = moving.slice(from, from + EVENTS_A_BATCH);
    for (const [, , , , , rows] of books)
      for (const row of rows) {
        const [no, , american] = row;
        const cents = stepFrom(walked[no]!);
        walked[no]! += cents;
        row[1] = RowChange.updated;
        row[2] = moved(american, cents);
        row[3] = decimalFromAmerican(row[2]);
        row[6] = position;
        row[8] = null;
        row[9] = null;
      }
    log.take({ ...NOTHING, position, books });
  }
}

/** Cents of the next step; back from where it is too far. */
function stepFrom(cents: number): number {
  if (Math.abs(cents) > WALK.farthest) return -Math.sign(cents) * WALK.stepMax;
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  const step = 1 + ((seed >>> 16) % WALK.stepMax);
  return (seed >>> 28) % 2 === 0 ? step : -step;
}

/** American odds so many cents on, over the hole between -100 and 100. */
function moved(american: number, cents: number): number {
  const axis = (american > 0 ? american - 100 : american + 100) + cents;
  return axis >= 0 ? axis + 100 : axis - 100;
}
