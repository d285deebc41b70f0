// Takes the pictures of the docs, and with a folder given one of every view, large and small, light and dark, to be looked
// at: `npm run screenshots [-- FOLDER]`. The odds are simulated.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { makeFeeds } from '../src/cli/feeds.js';
import { parseConfig, startServer } from '../src/index.js';
import { launchBrowser } from './browser.js';

/** Until the simulated market has moved a little. */
const SETTLE_MS = 60_000;

interface View {
  name: string;
  query: string;
  /** What is pressed once the page is live. */
  press: readonly string[];
  path?: string;
}

const VIEWS: readonly View[] = [
  { name: 'board', query: 'view=board&live=prematch', press: ['.opportunities tbody tr'] },
  { name: 'books', query: 'view=board&layout=books&market=spread', press: [] },
  {
    name: 'event',
    query: 'view=board&live=prematch',
    press: ['.game .game-name', '.game .all', '.ladder tbody th button'],
  },
  { name: 'opportunity', query: 'view=opportunities', press: ['.opportunities tbody tr'] },
  { name: 'props', query: 'view=props', press: [] },
  { name: 'splits', query: 'view=splits', press: [] },
  { name: 'futures', query: 'view=futures', press: [] },
  { name: 'moves', query: 'view=moves', press: [] },
  { name: 'alerts', query: 'view=alerts', press: [] },
  { name: 'calculators', query: 'view=calculators', press: [] },
  { name: 'status', query: '', press: [], path: '/status' },
];

const LARGE = { width: 1440, height: 900 };
const SMALL = { width: 390, height: 844 };

/** View, size and colours → file below docs. */
const DOCS: readonly [view: string, size: typeof LARGE, scheme: 'dark' | 'light', file: string][] = [
  ['board', LARGE, 'dark', 'dashboard.png'],
  ['board', SMALL, 'light', 'dashboard-small.png'],
  ['event', LARGE, 'light', 'dashboard-event.png'],
  ['opportunity', LARGE, 'dark', 'dashboard-opportunity.png'],
  ['status', LARGE, 'dark', 'status.png'],
];

async function open(
  browser: Browser,
  view: View,
  size: typeof LARGE,
  colorScheme: 'dark' | 'light',
  url: string,
  key: string,
): Promise<Page> {
  const page = await browser.newPage({ viewport: size, colorScheme });
  // What only a first visit shows is not what the pictures are of.
  await page.addInitScript("localStorage.setItem('overround-welcomed', 'yes')");
  await page.goto(`${url}${view.path ?? '/dashboard'}?${view.query}#key=${key}`);
  await page.waitForSelector('#state[data-state="live"]');
  await page.waitForTimeout(4_000);
  for (const selector of view.press) {
    const found = page.locator(selector).first();
    // On a small screen some things are elsewhere, or there is none at the moment.
    if (await found.isVisible()) await found.click();
    await page.waitForTimeout(1_500);
  }
  // The table is frozen under the pointer.
  await page.mouse.move(5, 5);
  await page.waitForTimeout(1_000);
  return page;
}

async function main(folder: string | undefined): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'overround-screenshots-'));
  const settings = { port: '0', data, workers: '1', log: 'silent', feed: 'sim:events=120,rate=3000' };
  const config = parseConfig(settings, {});
  const server = await startServer({ config, feeds: (_, catalogue) => makeFeeds(config, catalogue, {}) });
  const browser = await launchBrowser();
  try {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const take = async (view: View, size: typeof LARGE, scheme: 'dark' | 'light', file: string): Promise<void> => {
      const page = await open(browser, view, size, scheme, server.url, server.ownKey('sharp')!);
      await page.screenshot({ path: file });
      await page.close();
      process.stdout.write(`${file}\n`);
    };
    for (const [name, size, scheme, file] of DOCS)
      await take(VIEWS.find((view) => view.name === name)!, size, scheme, join('docs', file));
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    for (const view of VIEWS)
      for (const size of [LARGE, SMALL])
        for (const scheme of ['dark', 'light'] as const)
          await take(view, size, scheme, join(folder, `${view.name}-${size.width}-${scheme}.png`));
  } finally {
    await browser.close();
    await server.close();
    rmSync(data, { recursive: true, force: true });
  }
}

await main(process.argv[2]);
