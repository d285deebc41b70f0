// Cached pages of history: a page is not returned from the cache once it was replaced.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodePage, encodePage, Page } from '../../src/history/page.js';
import { HistoryFile } from '../../src/store/history-store.js';
import { newFolder } from '../temp-folders.js';

const NOTHING = {
  cursors: [1],
  epoch: 'one',
  gaps: [],
  events: [],
  rows: [],
  predictions: [],
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
