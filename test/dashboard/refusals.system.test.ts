// What the desk does where something is refused: an unknown market, a key with few requests, an access that ends; and
// that a key leaves the address at once. Columns stay above their prices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { BROWSER } from '../../build/browser.js';
import { until } from '../support/until.js';
import { BOOKS, openBrowser, poll, ServerProcess } from './browser-rig.js';

const skip = BROWSER === undefined && 'needs chromium';
const hasState = (page: Page, state: string) =>
  until(`state ${state}`, async () => (await page.getAttribute('#state', 'data-state')) === state);

test('the desk where something is refused', { skip }, async (t) => {
  const server = new ServerProcess(t);
  await server.start();
  const browser = await openBrowser(t);
  await server.ingest(BOOKS.map((book) => poll(book, 0)));
  const context = await browser.newContext({ viewport: { width: 1024, height: 700 } });

  await t.test('a market that the server does not know is said, and resetting the filters shows prices', async () => {
    const page = await context.newPage();
    await page.goto(`${server.url}/dashboard?view=board&layout=books&market=nonsense#key=${server.keys.enterprise}`);
    await hasState(page, 'refused');
    await until('the reason', async () => /market: unknown nonsense/.test((await page.textContent('.board-empty'))!));
    await page.click('button:has-text("reset filters")');
    await hasState(page, 'live');
    await page.close();
  });

  await t.test('a server that says it is down is shown as far as it answers', async () => {
    const page = await context.newPage();
    await page.route('**/api/v1/health', (route) => route.fulfill({ status: 503, json: { status: 'down' } }));
    await page.goto(`${server.url}/dashboard?view=board#key=${server.keys.enterprise}`);
    await hasState(page, 'live');
    await page.close();
  });

  await t.test('a browser that stores nothing opens it, with a key typed in as well, and is told so', async () => {
    const forbidden = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await forbidden.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('forbidden', 'SecurityError'); } });`);
    const page = await forbidden.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error.stack)));
    await page.goto(`${server.url}/dashboard?view=board`);
    await page.fill('#key', server.keys.enterprise);
    await page.click('button:has-text("Open")');
    await hasState(page, 'live');
    assert.ok(!page.url().includes('#'), page.url());
    await page.click('.game [data-line="0"][data-column="3"]');
    await until('the ticket', async () => (await page.locator('.entry').count()) === 1);
    await until('told', async () => /stores nothing/.test((await page.textContent('#notice'))!));
    await page.click('.entry button:has-text("placed")');
    await until('placed', async () => (await page.locator('.entry').count()) === 0);
    assert.deepEqual(errors, []);
    await forbidden.close();
  });

  await t.test('scrolled to the right, every head is above its column', async () => {
    const page = await context.newPage();
    const query = `view=board&layout=books&market=moneyline`;
    await page.setViewportSize({ width: 760, height: 700 });
    await page.goto(`${server.url}/dashboard?${query}#key=${server.keys.enterprise}`);
    await page.waitForSelector('.block .prices .cell:not(:empty)');
    const offsets = (await page.evaluate(`(() => {
      const board = document.querySelector('.board');
      board.scrollLeft = 10_000;
      const lefts = (root) => [...root.querySelectorAll('.cell')].map((cell) => Math.round(cell.getBoundingClientRect().left));
      return [board.scrollLeft, lefts(board.querySelector('.board-head')), lefts(board.querySelector('.block .line'))];
    })()`)) as [number, number[], number[]];
    assert.ok(offsets[0] > 0, 'nothing to scroll');
    assert.deepEqual(offsets[1], offsets[2]);
    await page.close();
  });

  await t.test(
    'a Free key opens within its requests of a minute, also again, and its prices are not too old',
    async () => {
      const page = await context.newPage();
      let requests = 0;
      page.on('request', (request) => {
        if (request.url().includes('/api/v1/')) requests++;
      });
      await page.goto(`${server.url}/dashboard?view=board&layout=books&market=moneyline#key=${server.keys.free}`);
      await hasState(page, 'polling');
      assert.ok(requests <= 9, `${requests} requests`);
      // A second opening exhausts the minute: the token stays, and the page says when it opens again.
      const exhaust = async (): Promise<void> => {
        for (let status = 200; status !== 429; ) {
          const answer = await fetch(`${server.url}/api/v1/account`, { headers: { 'x-api-key': server.keys.free } });
          await answer.text();
          status = answer.status;
        }
      };
      // Another minute may begin in between.
      const waits = async (): Promise<boolean> => {
        await exhaust();
        await page.reload();
        const reason = await page.textContent('#reason', { timeout: 3_000 }).catch(() => '');
        return /opens again in \d+ s/.test(reason ?? '');
      };
      await until('the wait', waits);
      assert.match((await page.evaluate(`JSON.stringify({...localStorage})`)) as string, /vt_/);
      await page.close();
    },
  );

  await t.test('where no more streams may be open, what is shown is polled, and the page says so', async () => {
    const tabs = [await context.newPage(), await context.newPage()];
    for (const [i, tab] of tabs.entries()) {
      await tab.goto(`${server.url}/dashboard?view=board#key=${server.keys.oneStream}`);
      await until('games', async () => (await tab.locator('.game').count()) > 5);
      await hasState(tab, i === 0 ? 'live' : 'polling');
      await tab.click('#views button:has-text("Opportunities")');
      await until('said', async () => /opportunities are polled/.test((await tab.textContent('#notice'))!));
      await until('listed', async () => (await tab.locator('.opportunities tbody tr').count()) > 0);
    }
    const [tab] = tabs as [Page];
    await tab.click('#views button:has-text("Bets")');
    await tab.fill('#bets-view input[name="key"]', server.keys.oneStream);
    await tab.click('#bets-view button:has-text("Show")');
    await until('bets', async () => /0 of 0 bets/.test((await tab.textContent('#bets-view'))!));
    assert.match((await tab.textContent('#bets-view .warn'))!, /Not live: .*streams/);
    await tab.route('**/account/bets?format=csv**', (route) => route.abort());
    await tab.click('#bets-view button:has-text("export CSV")');
    await until('said', async () => /No CSV/.test((await tab.textContent('#bets-view .warn'))!));
    for (const one of tabs) await one.close();
  });

  await t.test('bets made between their listing and the beginning of their stream are listed, too', async () => {
    const page = await context.newPage();
    const key = server.keys.enterprise;
    await page.goto(`${server.url}/dashboard?view=bets#key=${key}`);
    let isOpen = false;
    const ofBets = /\/stream\?.*bets/;
    await page.route(ofBets, (route) => (isOpen ? route.continue() : route.abort()));
    let [reached, release] = [() => {}, () => {}];
    const isReached = new Promise<void>((resolve) => (reached = resolve));
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    const list = /\/account\/bets\?limit/;
    await page.route(list, async (route) => {
      const response = await route.fetch();
      reached();
      await isReleased;
      await route.fulfill({ response });
    });
    await page.fill('#bets-view input[name="key"]', key);
    await page.click('#bets-view button:has-text("Show")');
    await isReached;
    const { data } = await server.get<{ data: { id: string; odds_decimal: number }[] }>('/odds?limit=1');
    const [{ id: odds_id, odds_decimal }] = data as [(typeof data)[0]];
    const bets = [{ client_id: 'between', odds_id, stake: 10, odds_decimal, mode: 'placed' }];
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ bets }) };
    assert.equal((await fetch(`${server.url}/api/v1/account/bets`, init)).status, 201);
    const streamed = page.waitForResponse(ofBets);
    isOpen = true;
    await streamed;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await page.unroute(list);
    release();
    await until('the bet', async () => /1 of 1 bets/.test((await page.textContent('#bets-view'))!));
    await page.close();
  });

  await t.test('where no stream comes through, what is shown is polled, and streamed once one does', async () => {
    const page = await context.newPage();
    // Sockets are blocked, and what is sent by and by is held back.
    await page.addInitScript(`{ const Real = WebSocket; window.WebSocket = class extends Real {
      constructor(url, protocols) { super(window.isOpen ? url : 'ws://127.0.0.1:1', protocols); }
    }; }`);
    await page.route('**/api/v1/stream?**', () => undefined);
    await page.goto(`${server.url}/dashboard?view=board#key=${server.keys.enterprise}`);
    await hasState(page, 'polling');
    await until('games', async () => (await page.locator('.game').count()) > 5);
    await page.click('#views button:has-text("Opportunities")');
    await until('said', async () => /No stream comes through/.test((await page.textContent('#notice'))!));
    await until('listed', async () => (await page.locator('.opportunities tbody tr').count()) > 0);
    await page.evaluate('window.isOpen = true');
    await hasState(page, 'live');
    await page.close();
  });

  await t.test('once another page has closed its streams, what was polled is streamed', async () => {
    await server.ingest(BOOKS.map((book) => poll(book, 0)));
    const tabs = [await context.newPage(), await context.newPage()];
    const listed = (tab: Page) => tab.locator('.opportunities tbody tr').count();
    for (const [i, tab] of tabs.entries()) {
      await tab.goto(`${server.url}/dashboard?view=board#key=${server.keys.twoStreams}`);
      await hasState(tab, i === 0 ? 'live' : 'polling');
      await tab.click('#views button:has-text("Opportunities")');
      await until('listed', async () => (await listed(tab)) > 0);
    }
    const tab = tabs[1]!;
    await tabs[0]!.close();
    await hasState(tab, 'live');
    await tab.close();
  });

  await t.test('a key pasted into the address of an open page opens it, and is removed from the address', async () => {
    const page = await context.newPage();
    await page.goto(`${server.url}/dashboard?view=board`);
    // The token of the Free key opens it, once another minute has begun.
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await page.waitForSelector('#key');
    await page.evaluate(`location.hash = 'key=${server.keys.enterprise}'`);
    await hasState(page, 'live');
    assert.ok(!page.url().includes('sk_'), page.url());
    await page.close();
  });

  await t.test('an access that has ended is asked for again, in words', async () => {
    const answer = await fetch(`${server.url}/api/v1/account/tokens`, {
      method: 'POST',
      headers: { 'x-api-key': server.keys.enterprise, 'content-type': 'application/json' },
      body: JSON.stringify({ ttl_s: 3 }),
    });
    const { data } = (await answer.json()) as { data: { token: string } };
    const page = await context.newPage();
    await page.goto(`${server.url}/dashboard?view=board#token=${data.token}`);
    await until('the end', async () => /it has expired/.test((await page.textContent('#reason'))!));
    await page.close();
  });

  await t.test('where opportunities alone are polled, a server that is gone is lost, until it is back', async () => {
    const page = await context.newPage();
    await page.route('**/api/v1/stream?**', (route) => route.abort());
    await page.goto(`${server.url}/dashboard?view=opportunities#key=${server.keys.enterprise}`);
    await hasState(page, 'polling');
    await server.kill();
    await hasState(page, 'lost');
    await server.start();
    await hasState(page, 'polling');
    // An answer that was under way is not written into what is streamed by then.
    let [reached, release] = [() => {}, () => {}];
    const isReached = new Promise<void>((resolve) => (reached = resolve));
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/opportunities/ev?**', async (route) => {
      const response = await route.fetch();
      reached();
      await isReleased;
      await route.fulfill({ response }).catch(() => undefined);
    });
    await isReached;
    await page.unroute('**/api/v1/stream?**');
    await hasState(page, 'live');
    await server.ingest(BOOKS.map((book) => poll(book, 3)));
    await page.click('[role="tab"]:has-text("+EV")');
    /** One line is of all books with the outcome. */
    const isListed = async (): Promise<boolean> => {
      const { data } = await server.get<{ data: { id: string }[] }>('/opportunities/ev?min_ev=0.5&limit=200');
      const rows = page.locator('.opportunities tbody tr');
      const shown = await rows.evaluateAll((all) => all.map((row) => row.dataset['id']));
      return shown.length > 0 && shown.every((id) => data.some((one) => one.id === id));
    };
    await until('what is streamed', isListed);
    release();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.ok(await isListed());
    await page.close();
  });
});
