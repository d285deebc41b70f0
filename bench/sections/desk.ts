// The desk on a slow phone: until the first price of the list of games is drawn, beside the login page, which is the same
// page, bundle and style without a request for data.

import { BROWSER, launchBrowser } from '../../build/browser.js';
import { systemClock } from '../../src/base/model/clock.js';
import { createKey } from '../../src/cli/keys.js';
import { parseConfig } from '../../src/config/config.js';
import type { Bench, Section } from '../bench.js';
import { dataFolder } from '../overround.js';
import { listening, start, wait } from '../process.js';
import { median } from '../statistics.js';

const MAIN = new URL('../../src/main.js', import.meta.url).pathname;
const RUNS = 5;
/** Until the simulated books have listed every game. */
const LISTED_MS = 5_000;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
/** Latency in ms, bytes a second; how often slower the processor is. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 96_000 };
const SLOWER = 4;
const PRICE = '.games .price b';
const LOGIN = '#login input';
/** Marks the moment after the frame that draws the element. */
const WATCH = `(selector) => {
  const watcher = new MutationObserver(() => {
    if (!document.querySelector(selector)?.offsetParent) return;
    watcher.disconnect();
    requestAnimationFrame(() => setTimeout(() => performance.mark('seen')));
  });
  watcher.observe(document, { childList: true, subtree: true, attributes: true });
}`;
const FIRST_MS_MAX = 4_000;

export const desk: Section = {
  name: 'desk',
  about: 'the desk in a browser as on a slow phone: until the first price is seen',
  underLoad: false,
  run: async (bench) => {
    if (BROWSER === undefined) return bench.skip('the desk on a slow phone', 'no Chromium is installed');
    const data = dataFolder(bench.folder, 'desk');
    const key = await newKey(data);
    // On both cores, which the browser shares.
    const args = ['serve', '--port', '0', '--data', data, '--workers', '1', '--feed', 'sim:events=120,rate=1000'];
    const server = start(process.execPath, [MAIN, ...args], null);
    const { port } = await listening(server);
    await wait(LISTED_MS);
    const page = `http://127.0.0.1:${port}/dashboard`;
    await measure(bench, page, key);
    await server.stop();
  },
};

async function measure(bench: Bench, page: string, key: string): Promise<void> {
  const login: number[] = [];
  const price: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    login.push(await seenMs(page, LOGIN));
    price.push(await seenMs(`${page}#key=${key}`, PRICE));
  }
  bench.figure('the login page on a slow phone', median(login), 'ms');
  bench.figure('the first price on a slow phone, of 120 games', median(price), 'ms', FIRST_MS_MAX);
  bench.ratio('first-price', 'time (inverse) to the first price', 'the login page', median(login) / median(price));
}

/** From the navigation until the element was drawn, in a browser that knows nothing yet (ms). */
async function seenMs(address: string, selector: string): Promise<number> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage(PHONE);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', NETWORK);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.addInitScript(`(${WATCH})(${JSON.stringify(selector)})`);
    await page.goto(address, { waitUntil: 'commit' });
    const seen = await page.waitForFunction(() => performance.getEntriesByName('seen')[0]?.startTime);
    return (await seen.jsonValue())!;
  } finally {
    await browser.close();
  }
}

async function newKey(data: string): Promise<string> {
  let key = '';
  const print = (line: string): void => {
    key = (JSON.parse(line) as { key: string }).key;
  };
  const parts = { config: parseConfig({ data }, {}), clock: systemClock, print, note: () => undefined };
  await createKey(parts, { tier: 'enterprise', streaming: true });
  return key;
}
