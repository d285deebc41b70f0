// A front of half a million rows (in the short profile fifty thousand): how soon it serves, and what it holds of its own.

import { systemClock } from '../../src/base/model/clock.js';
import type { Bench } from '../bench.js';
import { makeLargeStore } from '../large-store.js';
import { dataFolder, Overround } from '../overround.js';
import { privateBytes, residentBytes, wait } from '../process.js';

const BOOKS = 28;
const PAGE_ROWS = 200;
const READY_TARGET_S = 10;
const PRIVATE_TARGET_MB = 400;
const RESIDENT_TARGET_MB = 1_300;
const MB = 1e6;

export async function largeFront(bench: Bench): Promise<void> {
  const dir = dataFolder(bench.folder, 'cluster-large');
  const rows = await makeLargeStore({
    dir,
    books: BOOKS,
    events: bench.full ? 600 : 60,
    shards: 1,
    clock: systemClock,
  });
  const engine = await Overround.start({ dataDir: dir, core: null, flags: ['--as', 'engine'] });
  // What it makes in idle moments after a start is not to be measured with the front.
  await wait(bench.full ? 8_000 : 1_000);
  const begun = performance.now();
  const front = await Overround.start({ dataDir: dir, core: null, engine, flags: ['--as', 'front'] });
  const seconds = (performance.now() - begun) / 1000;
  const title = `a front of ${rows.toLocaleString('en-US')} rows`;
  bench.figure(`${title}: from its start until it serves`, seconds, 's', READY_TARGET_S);
  bench.figure(`${title}: memory of its own at first`, privateBytes(front.pid) / MB, 'MB');
  const read = await readAll(front);
  if (read !== rows) throw new Error(`${read} of ${rows} rows were read`);
  bench.figure(`${title}: memory of its own, all rows read`, privateBytes(front.pid) / MB, 'MB', PRIVATE_TARGET_MB);
  bench.figure(`${title}: resident, all rows read`, residentBytes(front.pid) / MB, 'MB', RESIDENT_TARGET_MB);
  await front.stop();
  await engine.stop();
}

async function readAll(front: Overround): Promise<number> {
  let rows = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { data, pagination } = (await front.json(`/api/v1/odds?limit=${PAGE_ROWS}${from}`)) as {
      data: unknown[];
      pagination: { next_cursor?: string | null };
    };
    rows += data.length;
    cursor = pagination.next_cursor ?? null;
  }
  return rows;
}
