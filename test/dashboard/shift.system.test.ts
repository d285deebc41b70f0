// While everything moves, nothing on the page does: the layout shift of each view in a storm of the simulated market,
// once it is filled, and no time that is cut off.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { BROWSER } from '../../build/browser.js';
import { until } from '../support/until.js';
import { openBrowser, ServerProcess } from './browser-rig.js';

const skip = BROWSER === undefined && 'needs chromium';
const SHIFT_MAX = 0.1;
const FILLED_MS = 1_500;
const STORM_MS = 5_000;
const SIZES = [
  [390, 844],
  [1024, 768],
  [1440, 900],
] as const;
const VIEWS = ['view=board', 'view=board&layout=books&market=spread', 'view=opportunities', 'view=props'];
/** Counted once the list is there. It moves where a game begins or ends, and must: what that moves is not counted. */
const OBSERVE = `window.shift = 0; window.shifted = []; window.filled = false;
window.gamesListed = () => [...document.querySelectorAll('[data-event]')].map(({ dataset }) => dataset.event).join();
let listed = '';
new PerformanceObserver((list) => {
  const now = gamesListed();
  const isOther = now !== listed;
  listed = now;
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput || !window.filled || isOther) continue;
    window.shift += entry.value;
    window.shifted.push(entry.value.toFixed(4) + ' ' + entry.sources.map(({ node }) => (node?.outerHTML ?? '').slice(0, 80)).join(' | '));
  }
}).observe({ type: 'layout-shift', buffered: true });`;
/** Times, lines that are bet on and books of best prices of which a part is not seen. */
const CUT = `[...document.querySelectorAll('.of-start, .opportunities .when, .opportunities .bets bdi, .games .time, .board .block:not([hidden]) .when, .board .block:not([hidden]) .top small')]
  .filter((place) => place.checkVisibility() && place.scrollWidth > place.clientWidth && place.clientWidth > 0)
  .map(({ textContent }) => textContent)`;

/** Settles once the page has had the same games for a while. */
async function filled(page: Page): Promise<void> {
  let before: unknown;
  await until('the games that there are', async () => {
    await page.waitForTimeout(FILLED_MS);
    const now = await page.evaluate('gamesListed()');
    const same = now === before;
    before = now;
    return same;
  });
  await page.evaluate('window.filled = true');
}

test('in a storm no view shifts by more than a tenth, and no time, line or book is cut off', {
  skip,
  timeout: 600_000,
}, async (t) => {
  const server = new ServerProcess(t, 'sim:events=60,rate=1500');
  await server.start();
  const browser = await openBrowser(t);
  await until(
    'opportunities',
    async () => (await server.get<{ data: unknown[] }>('/opportunities/ev')).data.length > 20,
  );
  for (const [width, height] of SIZES)
    for (const view of VIEWS) {
      const context = await browser.newContext({ viewport: { width, height } });
      const page = await context.newPage();
      await page.addInitScript(`localStorage.setItem('overround-welcomed', 'yes'); ${OBSERVE}`);
      await page.goto(`${server.url}/dashboard?${view}#key=${server.keys.enterprise}`);
      await page.waitForSelector('#state[data-state="live"]');
      await filled(page);
      await page.waitForTimeout(STORM_MS);
      const [shift, shifted, cut] = (await page.evaluate(`[window.shift, window.shifted, ${CUT}]`)) as [
        number,
        string[],
        string[],
      ];
      t.diagnostic(`${view} at ${width}: ${shift.toFixed(4)}`);
      assert.ok(shift < SHIFT_MAX, `${view} at ${width} shifts by ${shift}:\n${shifted.slice(-8).join('\n')}`);
      assert.deepEqual(cut, [], `${view} at ${width}`);
      // However far away a game is.
      const widest = await page.evaluate(`(() => {
        for (const place of document.querySelectorAll('td.of-start')) place.textContent = 'May 20, 10:00 AM';
        return ${CUT};
      })()`);
      assert.deepEqual(widest, [], `${view} at ${width}`);
      await context.close();
    }
  const phone = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await phone.goto(`${server.url}/dashboard?view=board&live=prematch#key=${server.keys.enterprise}`);
  await phone.click('.game .game-name');
  await phone.click('.ladder tbody th button');
  await phone.waitForSelector('.game-panel .chart canvas');
  const seen = (await phone.evaluate(`(() => {
    const { top, bottom } = document.querySelector('.panel-table').getBoundingClientRect();
    return [...document.querySelectorAll('.ladder td.best')].filter((cell) => {
      const at = cell.getBoundingClientRect();
      return at.top >= top && at.bottom <= bottom;
    }).length;
  })()`)) as number;
  assert.ok(seen >= 3, `on a phone ${seen} lines of a game's ladder are seen above its chart`);
});
