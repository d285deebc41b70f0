// Every job of the desk by keyboard alone, over the simulated market.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { BROWSER } from '../../build/browser.js';
import { until } from '../support/until.js';
import { openBrowser, ServerProcess } from './browser-rig.js';

const ROW = '.opportunities tbody tr';

/** The focused element: never the page itself, and outlined. */
async function focused(page: Page): Promise<string> {
  const look = () =>
    page.evaluate(`(() => {
      const e = document.activeElement;
      const text = [e.tagName, e.id, e.className, e.ariaLabel ?? '', e.textContent.slice(0, 40)].join(' ');
      return [text, getComputedStyle(e).outlineStyle];
    })()`) as Promise<[string, string]>;
  await page.waitForTimeout(60);
  // What takes an element away gives the focus to another with its next drawing.
  await until('a focus', async () => !(await look())[0].startsWith('BODY'));
  const [text, outline] = await look();
  assert.equal(outline, 'solid', `the focus is not seen: ${text}`);
  return text;
}

test('every job is done by keyboard alone, and the focus is seen and never lost', {
  skip: BROWSER === undefined && 'needs chromium',
}, async (t) => {
  const server = new ServerProcess(t, 'sim:events=30,rate=400');
  await server.start();
  const browser = await openBrowser(t);
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto(`${server.url}/dashboard?view=board&live=prematch#key=${server.keys.enterprise}`);
  await page.waitForSelector(ROW);
  await page.waitForSelector('.game');
  const press = async (...keys: string[]): Promise<string> => {
    for (const key of keys) {
      await page.keyboard.press(key);
      await focused(page);
    }
    return await focused(page);
  };
  /** By Tab, as often as it takes. */
  const tabTo = async (wanted: RegExp): Promise<void> => {
    for (let i = 0; i < 60; i++) if (wanted.test(await press('Tab'))) return;
    assert.fail(`not reached by Tab: ${wanted}`);
  };
  assert.match(await press('Tab'), /Skip to the prices/);
  // Filters.
  await tabTo(/^SELECT {2}State of play|State of play/);
  await tabTo(/reset filters/);
  await press('Enter');
  await until('reset', async () => !/live=/.test(page.url()));
  await focused(page);
  // A game opens, a cell is read, its price goes to the ticket, and an alert is set on it.
  // Of games before their start: in one that is played all may be suspended just then.
  await page.focus('select[aria-label="State of play"]');
  await page.keyboard.type('pre');
  await until('games before their start', async () => /live=prematch/.test(page.url()));
  await tabTo(/^DIV {2}games/);
  const hasPrice = async () => /[+-]\d{3}/.test((await page.textContent('#active-cell'))!);
  await press('ArrowDown', 'ArrowRight', 'ArrowRight');
  for (const key of ['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowDown']) if (!(await hasPrice())) await press(key);
  assert.ok(await hasPrice(), 'no price in five cells of games before their start');
  await press('ArrowLeft', 'Enter');
  await page.waitForSelector('.game-panel .ladder');
  assert.match(await press('Tab'), /^BUTTON.*main/);
  await press('ArrowRight');
  await tabTo(/^BUTTON {2}link/);
  await press('Enter');
  await page.waitForSelector('.chart:not([hidden])');
  await tabTo(/ at \w/);
  await press('Enter');
  await page.waitForSelector('.entry');
  assert.match(await press('a'), /^INPUT/);
  await page.keyboard.type('+900');
  await press('Enter');
  await until('the dialog is over', async () => !(await page.isVisible('#price-alert')));
  await focused(page);
  await page.focus('.chart-head button');
  await press('Enter');
  await until('no chart', async () => !(await page.isVisible('.chart')));
  // A bet is staked, logged, and its entry goes.
  await page.focus('.entry details summary');
  await press('Enter');
  await tabTo(/^INPUT/);
  await tabTo(/^INPUT/);
  await page.keyboard.type('25');
  await press('Enter');
  await until('its stake', async () => (await page.locator('.entry button:has-text("placed"):enabled').count()) > 0);
  await tabTo(/^BUTTON.*placed/);
  await press('Enter');
  await until('it is placed', async () => (await page.locator('.placed li').count()) === 1);
  await focused(page);
  // Opportunities: one stays under the focus, is hidden, opened, and left again.
  await page.focus(ROW);
  await press('ArrowDown', 'x', 'o');
  await page.waitForSelector('#event-head');
  await focused(page);
  await press('Escape');
  await until('the board', () => page.isVisible('.games'));
  // The profile, the alert that was set.
  await page.focus('#profile-button');
  assert.match(await press('Enter'), /^INPUT/);
  assert.match(await press('Escape'), /profile-button/);
  await page.focus('#views button:has-text("Alerts")');
  await press('Enter');
  await page.focus('.price-rules button');
  await press('Enter');
  await until('removed', async () => (await page.locator('.price-rules').count()) === 0);
  await focused(page);
});
