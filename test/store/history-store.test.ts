// Cached pages of history: a page is not returned from the cache once it was replaced.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodePage, encodePage, Page } from '../../src/store/history/page.js';
import { HistoryFile } from '../../src/store/history-store.js';
import { newFolder } from '../temp-folders.js';

const NOTHING = {
  cursors: [1],
  epoch: 'one',
  gaps: [],
  events: [],
  rows: [],
  predictions: [],
  results: [],
  droppedEvents: [],
  ids: [],
};
const HNO = 7;
const FIRST_US = 1_000;
/** Long enough to be deflated, short enough to be so at every write. */
const CHANGES = 60;

test('a cached page is read again after it was rewritten or dropped', async () => {
  const file = new HistoryFile(newFolder());
  let page = new Page();
  const write = (): void => {
    for (let n = 0; n < CHANGES; n++) page.add(0, FIRST_US + page.count, 110, 2.1, Number.NaN, 0);
    const bytes = file.pageBytes(encodePage(page), false);
    assert.ok(bytes.length < page.count, 'it is deflated');
    file.write({ ...NOTHING, pages: [{ hno: HNO, firstUs: FIRST_US, bytes }], droppedPages: [] });
  };
  const changes = (): number => {
    let count = 0;
    for (const { bytes } of file.pages(HNO, 0, Number.MAX_SAFE_INTEGER)) decodePage(bytes, () => void count++);
    return count;
  };
  write();
  assert.deepEqual([changes(), changes()], [CHANGES, CHANGES]);
  write();
  assert.equal(changes(), 2 * CHANGES);
  file.write({ ...NOTHING, pages: [], droppedPages: [{ hno: HNO, firstUs: FIRST_US }] });
  assert.equal(changes(), 0);
  page = new Page();
  write();
  assert.equal(changes(), CHANGES);
  await file.close();
});

test('more books than stand side by side are not taken for those of the next event', async () => {
  const file = new HistoryFile(newFolder());
  const books = Array.from({ length: 5_000 }, (_, i) => `b${i}`);
  const events = [1, 2];
  const rows = events.flatMap((hno) => books.map((book) => ({ hno, book, bytes: Buffer.from(`${hno} ${book}`) })));
  file.write({ ...NOTHING, rows, pages: [], droppedPages: [] });
  const read = (hno: number): string[] =>
    [...file.rows(hno)].map(({ book, bytes }) => (String(bytes) === `${hno} ${book}` ? book : '?')).sort();
  for (const hno of events) assert.deepEqual(read(hno), [...books].sort());
  const dropped = { hno: 1, id: 'one', rowIds: [] };
  file.write({ ...NOTHING, pages: [], droppedPages: [], droppedEvents: [dropped] });
  assert.deepEqual(read(1), []);
  assert.deepEqual(read(2), [...books].sort());
  await file.close();
});
