// Every view of the pages over the simulated market, with a game that has every kind of opportunity: axe, and nothing
// beyond the screen. Each view at one size in one colour; with OVERROUND_LONG_TESTS=1 at every size in both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { BROWSER } from '../../build/browser.js';
import type { IngestMessage } from '../../src/client/client.js';
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
const HOUR_MS = 3_600_000;
const START = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 2 * HOUR_MS).toISOString();

interface View {
  path: string;
  /** What is pressed in turn; after `?` only where the screen has room for it, or too little to do without it. */
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
  event: { path: '?view=board&live=prematch', press: [GAME, '?.game .all', '.ladder tbody th button'] },
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
  books: { path: '?view=board', press: ['?#filters-button', '#books-button'], shows: '#books-title' },
  'props by player': { path: '?view=props', ready: '.block .line' },
  splits: { path: '?view=splits', ready: '.splits' },
  futures: { path: '?view=futures', ready: '.futures' },
  moves: { path: '?view=moves', ready: '.page' },
  alerts: { path: '?view=alerts', ready: '#alerts-view' },
  bets: { path: '?view=bets', ready: '#bets-view' },
  calculators: { path: '?view=calculators', ready: '#calculators-view' },
  status: { path: '/status', ready: '#facts dl' },
  docs: { path: '/docs', ready: 'main', isAnonymous: true },
  'docs of the API': {
    ...{ path: '/docs/api', ready: '.opblock', isAnonymous: true },
    // Swagger UI has the link of an operation inside the button that opens it.
    foreign: { 'nested-interactive': '.opblock-summary-control' },
  },
  login: { path: '/dashboard', ready: '#key', isAnonymous: true },
};

/** Prices of a game in a league that is not simulated: an arbitrage, a middle, a low hold, and above fair. */
function offers(): IngestMessage[] {
  const [home_team, away_team] = ['Sydney Kings', 'Perth Wildcats'];
  const offer = (book: string, home: number, away: number, over: number): IngestMessage => {
    const moneyline = [
      { selection: home_team, selection_type: 'home', odds_american: home },
      { selection: away_team, selection_type: 'away', odds_american: away },
    ];
    const total = ['over', 'under'].map((side) => ({
      selection: side,
      selection_type: side,
      odds_american: -108,
      line: over,
    }));
    const markets = [
      { market_type: 'moneyline', selections: moneyline },
      { market_type: 'total_points', selections: total },
    ];
    const event = { league: 'nbl', home_team, away_team, start_time: START, markets };
    return { book, polled_at: new Date().toISOString(), scope: 'event', events: [event] };
  };
  return [
    offer('pinnacle', -110, -110, 220.5),
    offer('draftkings', 112, -135, 217.5),
    offer('fanduel', -135, 112, 223.5),
  ];
}

async function look(page: Page, server: ServerProcess, view: View) {
  const { path, press = [], ready = '.game', shows, isAnonymous } = view;
  const address = path.startsWith('/') ? path : `/dashboard${path}`;
  await page.goto(`${server.url}${address}${isAnonymous ? '' : `#key=${server.keys.enterprise}`}`);
  await page.waitForSelector(ready, { state: 'attached' });
  for (const pressed of press) {
    const found = page.locator(pressed.replace(/^\?/, '')).first();
    if (!pressed.startsWith('?') || (await found.isVisible())) await found.click();
  }
  if (shows !== undefined) await page.waitForSelector(shows);
}

/** The view in each of these turns: a size in a colour. */
async function examine(page: Page, server: ServerProcess, name: string, turns: number[]): Promise<string[]> {
  const faults: string[] = [];
  const looks = turns.map((at) => {
    const [width, height] = SIZES[at % SIZES.length]!;
    return { viewport: { width, height }, colorScheme: SCHEMES[Math.floor(at / SIZES.length) % SCHEMES.length]! };
  });
  const raised = (error: Error): number => faults.push(`${name}: ${error.message}`);
  page.on('pageerror', raised);
  for (const [i, { viewport, colorScheme }] of looks.entries()) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    if (i === 0) await look(page, server, VIEWS[name]!);
    else await page.waitForTimeout(REDRAWN_MS);
    const where = `${name} at ${viewport.width} ${colorScheme}`;
    const beyond = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
    if (beyond > 0) faults.push(`${where}: ${beyond} px beyond the screen`);
    faults.push(...(await accessible(page, VIEWS[name]!.foreign)).map((fault) => `${where}: ${fault}`));
  }
  page.off('pageerror', raised);
  // The next view is a page of its own, also where only its address's fragment differs.
  await page.goto('about:blank');
  return faults;
}

test('axe finds no fault in any view, and none exceeds the screen', { skip, timeout: 1_200_000 }, async (t) => {
  const server = new ServerProcess(t, 'sim:events=8,rate=80');
  await server.start();
  const browser = await openBrowser(t);
  await server.ingest(offers());
  for (const kind of ['ev', 'arbitrage', 'middles', 'low_hold'])
    await until(kind, async () => (await server.get<{ data: unknown[] }>(`/opportunities/${kind}`)).data.length > 0);

  const faults: string[] = [];
  const pages = { reader: await browser.newPage(), stranger: await browser.newPage() };
  for (const [i, [name, { isAnonymous }]] of Object.entries(VIEWS).entries()) {
    const turns = LONG ? Array.from({ length: SIZES.length * SCHEMES.length }, (_, at) => at) : [i * 3];
    // They would be too old soon.
    await server.ingest(offers());
    faults.push(...(await examine(isAnonymous ? pages.stranger : pages.reader, server, name, turns)));
  }
  assert.deepEqual(faults, []);
});
