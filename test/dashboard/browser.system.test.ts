// The dashboard in a real browser with a clock that is two hours wrong, against a real server process: it shows the
// server's data, says when it cannot know them, and is accessible.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { BROWSER } from '../../build/browser.js';
import { until } from '../support/until.js';
import { accessible, BOOKS, GAMES, goTo, openBrowser, poll, ServerProcess } from './browser-rig.js';

const WRONG_CLOCK = `{
  const real = Date.now.bind(Date), wrong = 7_200_000, RealDate = Date;
  Date.now = () => real() + wrong;
  window.Date = class extends RealDate { constructor(...given) { given.length === 0 ? super(Date.now()) : super(...given); } };
  window.Date.now = () => real() + wrong;
}`;

/** Rows of cells as text: name, best price, hold, then a price a book. */
const SHOWN = `[...document.querySelectorAll('.block')].filter((b) => !b.hidden).flatMap((block) =>
  [...block.querySelectorAll('.line')].map((line) => ({
    name: line.querySelector('.name').textContent,
    best: line.querySelector('.top span').textContent,
    cells: [...line.querySelectorAll('.prices .cell')].map((cell) => cell.textContent),
    classes: [...line.querySelectorAll('.prices .cell')].map((cell) => cell.className),
  })))`;
interface Line {
  name: string;
  best: string;
  cells: string[];
  classes: string[];
}

async function shown(page: Page): Promise<Line[]> {
  return (await page.evaluate(SHOWN)) as Line[];
}

const stateOf = (page: Page): Promise<string> => page.evaluate(`document.getElementById('state')?.dataset.state`);
const hasState = (page: Page, state: string) => until(`state ${state}`, async () => (await stateOf(page)) === state);

interface Row {
  selection: string;
  sportsbook: string;
  odds_american: number;
}

/** How every line has to look, by the server's rows and its own best prices. */
async function expected(
  server: ServerProcess,
  columns: readonly string[],
): Promise<Map<string, { best: string; cells: string[] }>> {
  const [{ data }, top] = await Promise.all([
    server.get<{ data: Row[] }>('/odds?market=moneyline&limit=200'),
    server.get<{ data: { selection: string; best_odds: { american: number } }[] }>(
      '/odds/best?market=moneyline&limit=200',
    ),
  ]);
  const text = (odds: number): string => (odds > 0 ? `+${odds}` : String(odds));
  return new Map(
    GAMES.flat().map((team) => {
      const rows = data.filter(({ selection }) => selection === team);
      const best = top.data.find(({ selection }) => selection === team);
      const cells = columns.map((book) => {
        const row = rows.find(({ sportsbook }) => sportsbook === book);
        return row === undefined ? '' : text(row.odds_american);
      });
      return [team, { best: best === undefined ? '' : text(best.best_odds.american), cells }];
    }),
  );
}

/** Columns as the page orders them: the sharp one first, then the catalogue's order. */
const COLUMNS = ['pinnacle', ...BOOKS.filter((book) => book !== 'pinnacle')];

async function equalsServer(page: Page, server: ServerProcess): Promise<void> {
  const wanted = await expected(server, COLUMNS);
  let seen: Line[] = [];
  await until('every cell equals the server', async () => {
    seen = await shown(page);
    return (
      seen.length === GAMES.length * 2 &&
      seen.every(({ name, best, cells }) => {
        const line = wanted.get(name);
        return line !== undefined && line.best === best && line.cells.join() === cells.join();
      })
    );
  }).catch(() => assert.deepEqual(new Map(seen.map(({ name, best, cells }) => [name, { best, cells }])), wanted));
}

async function setUp(t: TestContext) {
  const server = new ServerProcess(t);
  await server.start();
  const browser = await openBrowser(t);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(WRONG_CLOCK);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error.stack)));
  page.on('console', (message) => {
    // A server that is restarting is unreachable, which the browser logs.
    if (message.type() === 'error' && !/Failed to load|WebSocket|ERR_/.test(message.text()))
      errors.push(message.text());
  });
  await page.goto(`${server.url}/dashboard?view=board&layout=books#key=${server.keys.enterprise}`);
  await hasState(page, 'live');
  // Books that come after the page have their columns, too.
  await until(
    'an empty board',
    async () => (await page.textContent('.board-empty'))?.startsWith('No prices yet') === true,
  );
  await server.ingest(BOOKS.map((book) => poll(book, 0)));
  return { server, browser, context, page, errors };
}

const skip = BROWSER === undefined && 'needs chromium';

test('the dashboard in a browser', { skip }, async (t) => {
  const { server, browser, context, page, errors } = await setUp(t);

  await t.test('every cell shows what the server has, during a storm and after it', async () => {
    await equalsServer(page, server);
    for (let seed = 1; seed <= 10; seed++) await server.ingest(BOOKS.map((book) => poll(book, seed)));
    await equalsServer(page, server);
    const classes = (await shown(page)).flatMap((line) => line.classes);
    assert.ok(
      classes.some((name) => /rose|fell/.test(name)),
      'moves have their arrows',
    );
    assert.ok(!classes.some((name) => /stale/.test(name)), 'a wrong clock makes no price old');
    await server.ingest(BOOKS.map((book) => poll(book, 34)));
    await equalsServer(page, server);
    assert.ok((await shown(page)).some((line) => line.classes.every((name) => /suspended/.test(name))));
  });

  await t.test('the key is nowhere in the page: it is exchanged for a token', async () => {
    const stored = (await page.evaluate(
      `JSON.stringify([{...sessionStorage}, {...localStorage}, location.href])`,
    )) as string;
    assert.ok(!stored.includes(server.keys.enterprise));
    assert.match(stored, /vt_/);
  });

  await t.test(
    'the board turns grey at once when the server is killed, and shows what changed when it returns',
    async () => {
      await server.kill();
      await until('lost', async () => (await stateOf(page)) === 'lost', 10_000);
      assert.equal(await page.evaluate(`document.querySelector('.board').classList.contains('lost')`), true);
      await until('the age', async () => /prices \d+ s old/.test((await page.textContent('#state'))!));
      assert.equal((await shown(page)).length, GAMES.length * 2, 'what was known stays in sight');
      await page.setViewportSize({ width: 390, height: 844 });
      const isCut = `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('#state'))`;
      assert.equal(await page.evaluate(isCut), false, 'the age is read on a phone');
      await page.setViewportSize({ width: 1440, height: 900 });
      await server.start();
      await server.ingest(BOOKS.map((book) => poll(book, 41)));
      await hasState(page, 'live');
      await equalsServer(page, server);
    },
  );

  await t.test('without a network the board turns grey at once, and recovers with it', async () => {
    await context.setOffline(true);
    // Before the silence of its stream could tell.
    await until('lost', async () => (await stateOf(page)) === 'lost', 7_000);
    await context.setOffline(false);
    await hasState(page, 'live');
  });

  await t.test('the URL restores the view, and the back button returns to the previous one', async () => {
    await page.selectOption('select[aria-label="Odds format"]', 'decimal');
    await page.selectOption('select[aria-label="Order"]', 'hold');
    await page.fill('#search', 'celt');
    await until('the search', async () => (await shown(page)).length === 2);
    const address = page.url();
    assert.match(address, /q=celt/);
    const other = await context.newPage();
    await other.goto(`${address}#key=${server.keys.enterprise}`);
    await until('the same board', async () => (await shown(other)).map(({ name }) => name).join() === GAMES[0].join());
    assert.match((await shown(other))[0]!.best, /^\d\.\d\d$/);
    await other.click('.block .name');
    await other.waitForSelector('.event .ladder');
    assert.match(other.url(), /view=event&.*event=nba_/);
    assert.match((await other.textContent('#event-head'))!, /Boston Celtics @ Los Angeles Lakers/);
    await other.goBack();
    await until('the board', () => other.isVisible('.board'));
    await other.close();
    await page.fill('#search', '');
    await page.selectOption('select[aria-label="Odds format"]', 'american');
    await page.click('.board-head [aria-label="DraftKings"] button');
    await until('by a book', async () => /sort=book%3Adraftkings/.test(page.url()));
    const sorted = () => page.getAttribute('.board-head [aria-label="DraftKings"]', 'aria-sort');
    await until('its head says so', async () => (await sorted()) === 'descending');
    await until('no leagues', async () => !(await page.isVisible('.board-body .heading')));
    assert.equal(await page.inputValue('select[aria-label="Order"]'), 'book:draftkings');
    await page.selectOption('select[aria-label="Order"]', 'time');
  });

  await t.test('it can be used by keyboard alone, and no update moves the focus', async () => {
    await page.focus('.board');
    await page.keyboard.press('/');
    assert.equal(await page.evaluate('document.activeElement.id'), 'search');
    await page.keyboard.type('heat');
    await until('the search', async () => (await shown(page)).length === 2);
    await page.keyboard.press('Escape');
    await until('all games', async () => (await shown(page)).length === GAMES.length * 2);
    assert.equal(await page.evaluate(`document.activeElement.className.includes('board')`), true);
    const active = () =>
      page.evaluate(
        `document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.closest('.line')?.querySelector('.name').textContent`,
      );
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    const before = await active();
    assert.ok(GAMES.flat().includes(before as never), String(before));
    for (let seed = 42; seed < 46; seed++) await server.ingest(BOOKS.map((book) => poll(book, seed)));
    await equalsServer(page, server);
    assert.equal(await active(), before);
    // To the outcome's name: on the best price Enter puts it on the ticket.
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.event .ladder');
    assert.equal(await page.evaluate('document.activeElement.id'), 'event-head');
    await page.keyboard.press('Escape');
    await until('the board', () => page.isVisible('.board'));
    assert.equal(await page.evaluate(`document.activeElement.className.includes('board')`), true);
  });

  await t.test('at 390 px nothing exceeds the screen in any view', async () => {
    const small = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'light' });
    for (const [viewed, of] of [
      [await small.newPage(), 'small'],
      [page, 'large'],
    ] as const) {
      if (of === 'small') await viewed.goto(`${server.url}/dashboard#key=${server.keys.enterprise}`);
      await hasState(viewed, 'live');
      for (const view of ['board', 'event', 'opportunities', 'alerts', 'moves']) {
        if (view === 'event') {
          await viewed.click('.block .name, .game .game-name');
          if (of === 'small') await viewed.click('.game-panel [role=tab]');
          else await viewed.waitForSelector('.event .ladder');
        } else await goTo(viewed, view);
        const beyond = await viewed.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.equal(beyond, 0, `${view}: beyond the screen`);
        const inside = await viewed.evaluate(
          `(() => { const b = document.querySelector('.games, .board'); return b === null ? 0 : b.scrollWidth - b.clientWidth; })()`,
        );
        if (of === 'small' && view === 'board') assert.equal(inside, 0, 'the board itself');
        if (of === 'small' && view === 'board')
          await until('how fresh a book is', async () => (await viewed.locator('.game .price .dot').count()) > 0);
        if (view === 'event' && of === 'large') await viewed.click('#event-back');
      }
      await viewed.click('#views button:has-text("board")');
    }
    await small.close();
  });

  await t.test('the embedded board shows the same with a viewer token, and reports the selection', async () => {
    const answer = await fetch(`${server.url}/api/v1/account/tokens`, {
      method: 'POST',
      headers: { 'x-api-key': server.keys.enterprise, 'content-type': 'application/json' },
      body: JSON.stringify({ ttl_s: 60, channels: ['odds'], filters: { league: 'nba' } }),
    });
    const { token } = ((await answer.json()) as { data: { token: string } }).data;
    const other = await context.newPage();
    const path = `file://${process.cwd()}/examples/board.html`;
    await other.goto(`${path}?url=${encodeURIComponent(server.url)}&token=${token}&books=fanduel,draftkings`);
    const wanted = await expected(server, ['fanduel', 'draftkings']);
    const line = other.locator('overround-board .line', { hasText: GAMES[0][0] });
    await line.waitFor();
    assert.deepEqual(await line.locator('.prices .cell').allTextContents(), wanted.get(GAMES[0][0])!.cells);
    await line.locator('.prices .cell').first().click();
    await until('the choice', async () => /nba_.* moneyline fanduel/.test((await other.textContent('#chosen'))!));
    await other.close();
  });

  await t.test('the operator sees how the server does, without a key', async () => {
    const other = await context.newPage();
    await other.goto(`${server.url}/status`);
    await until('the state', async () => /lmdb\s*ok/.test((await other.textContent('#facts'))!));
    // A threshold under what stands is drawn, said, and kept.
    await other.fill('input[aria-label="threshold, Memory"]', '1');
    await other.keyboard.press('Enter');
    const warned = async () => /over their threshold: .*Memory/.test((await other.textContent('#range'))!);
    await until('the warning', warned);
    await other.selectOption('select[aria-label="Range of time"]', '2');
    await other.reload();
    await until('the warning again', warned);
    assert.equal(await other.inputValue('select[aria-label="Range of time"]'), '2');
    assert.match((await other.textContent('#facts'))!, /none: odds are pushed in.*pinnacle \d+ s/s);
    await until('a chart', async () => (await other.locator('figure canvas').count()) > 2);
    assert.deepEqual(await accessible(other), []);
    const [away_team] = GAMES[0];
    const misspelled = { league: 'nba', home_team: 'LA Lakerz', away_team, start_time: '2030-01-01T00:00:00Z' };
    await server.ingest([{ ...poll('fanduel', 1), scope: 'none', events: [{ ...misspelled, markets: [] }] }]);
    await other.click('#unmatched summary');
    await other.fill('#unmatched input', server.keys.ingest);
    await other.click('#unmatched form button');
    await other.click('#unmatched tr:has-text("LA Lakerz") button');
    await until('the entry', async () => (await other.locator('#unmatched pre').count()) > 0);
    assert.deepEqual(JSON.parse((await other.textContent('#unmatched pre'))!), [
      { id: 'lakers', aliases: ['LA Lakerz'] },
    ]);
    assert.deepEqual(await accessible(other), []);
    await other.close();
  });

  await t.test(
    'rules of the page play a sound, and those of the account are created and deleted with its key',
    async () => {
      await page.click('#views button:has-text("alerts")');
      await page.selectOption('#alerts-view select[name="kind"]', 'arbitrage');
      await page.fill('#alerts-view input[name="least"]', '-1');
      await page.click('#alerts-view button:has-text("Add")');
      await until('refused', async () => /hears Arbitrage from 0 %/.test((await page.textContent('#alerts-view'))!));
      await page.fill('#alerts-view input[name="least"]', '0.1');
      await page.click('#alerts-view button:has-text("Add")');
      // Prices change until a sound is played: those from before the rule cause none.
      let seed = 50;
      await until('an arbitrage', async () => {
        await server.ingest(BOOKS.map((book) => poll(book, seed)));
        seed++;
        return /Received\s+Arbitrage \d/.test((await page.textContent('#alerts-view'))!);
      });
      await page.fill('#alerts-view input[name="key"]', server.keys.enterprise);
      await page.click('#alerts-view button:has-text("Show")');
      await page.fill('#alerts-view input[name="name"]', 'to our chat');
      await page.fill('#alerts-view input[name="address"]', 'https://receiver.example/hook');
      await page.click('#alerts-view form:has(input[name="name"]) button');
      await until('its secret', async () => /whsec_/.test((await page.textContent('#alerts-view'))!));
      assert.match((await page.textContent('#alerts-view'))!, /to our chat\s+ev to webhook/);
      const rule = '#alerts-view li:has-text("to our")';
      await page.click(`${rule} button:has-text("Pause")`);
      await until('it is paused', async () => /paused/.test((await page.textContent(rule))!));
      await page.click(`${rule} button:has-text("Edit")`);
      await page.fill(`${rule} input[name="name"]`, 'to our room');
      await page.click(`${rule} button:has-text("Save")`);
      await until('it is changed', async () => /to our room/.test((await page.textContent(rule))!));
      await page.click(`${rule} button:has-text("Remove")`);
      await until('none', async () => /There are none/.test((await page.textContent('#alerts-view'))!));
      await page.click('#views button:has-text("board")');
    },
  );

  await t.test('a key of the Free tier polls, and sees what its tier includes and what not', async () => {
    const other = await context.newPage();
    await other.goto(`${server.url}/dashboard?view=opportunities&kind=ev#key=${server.keys.free}`);
    await hasState(other, 'polling');
    const notice = (await other.textContent('#notice'))!;
    assert.match(notice, /60 s late; 2 books; prices are polled.*without \+EV/);
    await until('the tier', async () =>
      /tier free\) has no \+EV: pro has it\./.test((await other.textContent('.pane.middle'))!),
    );
    await other.close();
  });

  assert.deepEqual(errors, []);
});
