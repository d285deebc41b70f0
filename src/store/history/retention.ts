// What history removes: pages past the retention, and the oldest if there are too many; events of which nothing is
// stored any more. Opening prices, and for each row the last price before its close, stay as long as the event.
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { endOfDayUs } from './page.js';
import type { HistoryStore } from './port.js';
import type { Recorder } from './recorder.js';

const DAY_US = 86_400e6;
/** An event's opening and closing prices are stored at least this long after its start. */
const EVENTS_RETAINED_US = 2 * DAY_US;
/** Share of the pages removed at once when there are too many. */
const SHARE = 0.1;

export interface RetentionLimits {
  days: number;
  bytesMax: number;
}

/**
 * Returns the number of pages and events removed. If there are any, the recorder is to be flushed before it takes more: a
 * game that comes back would be the one that the flush deletes.
 */
export function retain(
  recorder: Recorder,
  store: HistoryStore,
  { days, bytesMax }: RetentionLimits,
  nowUs: number,
): number {
  const pages = [...store.pageKeys()];
  const pastUs = nowUs - days * DAY_US;
  let surplusUs = 0;
  if (store.usedBytes() > bytesMax) {
    const times = pages.map(({ firstUs }) => firstUs).sort((a, b) => a - b);
    surplusUs = (times[Math.ceil(times.length * SHARE)] ?? 0) + 1;
  }
  const byEvent = new Map<number, number[]>();
  const standing = new Set<number>();
  for (const { hno, firstUs } of pages) {
    // A page contains changes of one day, all of which must be past. The page being written stays.
    if ((endOfDayUs(firstUs) > pastUs && firstUs >= surplusUs) || recorder.isChanging(hno)) {
      standing.add(hno);
      continue;
    }
    getOrInsert(byEvent, hno, () => []).push(firstUs);
  }
  for (const [hno, dropped] of byEvent) recorder.dropPages(hno, dropped);
  let count = 0;
  for (const { hno, fields } of [...store.events()])
    if (
      fields.no < 0 &&
      !standing.has(hno) &&
      fields.startMs * 1000 < nowUs - EVENTS_RETAINED_US &&
      !recorder.isChanging(hno)
    ) {
      recorder.dropEvent(hno);
      count++;
    }
  for (const dropped of byEvent.values()) count += dropped.length;
  return count;
}
