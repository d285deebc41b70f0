// Every view of the pages over the simulated market: axe, and nothing beyond the screen. Each view at one size in one
// colour; with OVERROUND_LONG_TESTS=1 at every size in both.
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

test('axe finds no fault in any view, and none exceeds the screen', { skip, timeout: 1_200_000 }, async (t) => {
  const server = new ServerProcess(t, 'sim:events=30,rate=400');
  await server.start();
  const browser = await openBrowser(t);
  const found = async (kind: string) => (await server.get<{ data: unknown[] }>(`/opportunities/${kind}`)).data.length;
  await until('opportunities', async () => (await found('ev')) > 2 && (await found('low_hold')) > 2, 60_000);

  const faults: string[] = [];
  for (const [i, name] of Object.keys(VIEWS).entries()) {
    const turns = LONG ? Array.from({ length: SIZES.length * SCHEMES.length }, (_, at) => at) : [i * 3];
    faults.push(...(await examine(browser, server, name, turns)));
  }
  assert.deepEqual(faults, []);
});
