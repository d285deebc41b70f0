// Every view of the pages over the simulated market: axe, nothing beyond the screen, and all jobs by keyboard alone. Each
// view at one size in one colour; with OVERROUND_LONG_TESTS=1 at every size in both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { BROWSER } from '../../build/browser.js';
import { LONG } from '../long.js';
import { until } from '../support/until.js';
import { accessible, openBrowser, ServerProcess } from './browser-rig.js';

const skip = BROWSER === undefined && 'needs chromium';
const SIZES = [
  [390, 844],
  [1024, 768],
  [1280, 800],
  [1440, 900],
  [2560, 1300],
] as const;
const SCHEMES = ['dark', 'light'] as const;
/** After another size, until the page is drawn for it. */
const REDRAWN_MS = 1_200;

interface View {
  path: string;
  /** What is pressed in turn; on a small screen some of it is elsewhere. */
  press?: readonly string[];
  ready?: string;
  /** What is seen in the end. */
  shows?: string;
  /** Opened without a key. */
  isAnonymous?: boolean;
  /** axe's rule → selector of what is not ours to mend. */
  foreign?: Readonly<Record<string, string>>;
}

const GAME = '.game .game-name';
const ROW = '.opportunities tbody tr';
const VIEWS: Readonly<Record<string, View>> = {
  board: { path: '?view=board' },
  'game open in place': { path: '?view=board&live=prematch', press: [GAME] },
  'ticket and chart': {
    path: '?view=board&live=prematch',
    press: ['.game .price', GAME, '.ladder tbody th button'],
  },
  'by book': { path: '?view=board&layout=books&market=spread', ready: '.block .line' },
  props: { path: '?view=board&layout=books&market=player_points', ready: '.board' },
  event: { path: '?view=board&live=prematch', press: [GAME, '.game .all', '.ladder tbody th button'] },
  opportunities: { path: '?view=opportunities', ready: '.opportunities' },
  ev: { path: '?view=opportunities&kind=ev', press: [ROW], ready: '.opportunities' },
  arbitrage: { path: '?view=opportunities&kind=arbitrage', press: [ROW], ready: '.opportunities' },
  middles: { path: '?view=opportunities&kind=middles', press: [ROW], ready: '.opportunities' },
  'low hold': { path: '?view=opportunities&kind=low_hold', press: [ROW], ready: '.opportunities' },
  'page of an opportunity': {
    path: '?view=opportunities',
    ready: ROW,
    press: [`${ROW} button[aria-label="its page"]`],
  },
  profile: { path: '?view=board', press: ['#profile-button'], shows: '#profile-title' },
  books: { path: '?view=board', press: ['#filters-button', '#books-button'], shows: '#books-title' },
  moves: { path: '?view=moves', ready: '.page' },
  alerts: { path: '?view=alerts', ready: '#alerts-view' },
  bets: { path: '?view=bets', ready: '#bets-view' },
  status: { path: '/status', ready: '#facts dl' },
  docs: { path: '/docs', ready: 'main', isAnonymous: true },
  'docs of the API': {
    ...{ path: '/docs/api', ready: '.opblock', isAnonymous: true },
    // Swagger UI has the link of an operation inside the button that opens it.
    foreign: { 'nested-interactive': '.opblock-summary-control' },
  },
  login: { path: '/dashboard', ready: '#key', isAnonymous: true },
};

async function look(
  page: Page,
  server: ServerProcess,
  { path, press = [], ready = '.game', shows, isAnonymous }: View,
) {
  const address = path.startsWith('/') ? path : `/dashboard${path}`;
  await page.goto(`${server.url}${address}${isAnonymous ? '' : `#key=${server.keys.enterprise}`}`);
  await page.waitForSelector(ready, { state: 'attached' });
  for (const selector of press) {
    const found = page.locator(selector).first();
    const isThere = await found.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    );
    if (isThere) await found.click();
  }
  if (shows !== undefined) await page.waitForSelector(shows);
}

/** The view in each of these turns: a size in a colour. */
async function examine(browser: Browser, server: ServerProcess, name: string, turns: number[]): Promise<string[]> {
  const faults: string[] = [];
  const looks = turns.map((at) => {
    const [width, height] = SIZES[at % SIZES.length]!;
    return { viewport: { width, height }, colorScheme: SCHEMES[Math.floor(at / SIZES.length) % SCHEMES.length]! };
  });
  const context = await browser.newContext(looks[0]!);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(`${name}: ${error.message}`));
  await look(page, server, VIEWS[name]!);
  for (const [i, { viewport, colorScheme }] of looks.entries()) {
    if (i > 0) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(REDRAWN_MS);
    }
    const where = `${name} at ${viewport.width} ${colorScheme}`;
    const beyond = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
    if (beyond > 0) faults.push(`${where}: ${beyond} px beyond the screen`);
    faults.push(...(await accessible(page, VIEWS[name]!.foreign)).map((fault) => `${where}: ${fault}`));
  }
  await context.close();
  return faults;
}

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
  await until('a focus', async () => !(await look())[0].startsWith('BODY'), 5_000);
  const [text, outline] = await look();
  assert.equal(outline, 'solid', `the focus is not seen: ${text}`);
  return text;
}

test('every view', { skip, timeout: 1_200_000 }, async (t) => {
  const server = new ServerProcess(t, 'sim:events=30,rate=400');
  await server.start();
  const browser = await openBrowser(t);
  const found = async (kind: string) => (await server.get<{ data: unknown[] }>(`/opportunities/${kind}`)).data.length;
  await until('opportunities', async () => (await found('ev')) > 2 && (await found('low_hold')) > 2, 60_000);

  await t.test('axe finds no fault in any, and none exceeds the screen', async () => {
    const faults: string[] = [];
    for (const [i, name] of Object.keys(VIEWS).entries()) {
      const turns = LONG ? Array.from({ length: SIZES.length * SCHEMES.length }, (_, at) => at) : [i * 3];
      faults.push(...(await examine(browser, server, name, turns)));
    }
    assert.deepEqual(faults, []);
  });

  await t.test('every job is done by keyboard alone, and the focus is seen and never lost', async () => {
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
    await page.focus('#views button:nth-child(4)');
    await press('Enter');
    await page.focus('.price-rules button');
    await press('Enter');
    await until('removed', async () => (await page.locator('.price-rules').count()) === 0);
    await focused(page);
  });
});
