// The desk as a trader uses it: games with three markets, rows that open in place, the table of opportunities that
// freezes, the ticket that stays, the profile that every number follows; at all sizes, and accessible.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { BROWSER } from '../../build/browser.js';
import type { IngestMessage } from '../../src/client/client.js';
import { until } from '../support/until.js';
import { accessible, goTo, openBrowser, ServerProcess } from './browser-rig.js';

const skip = BROWSER === undefined && 'needs chromium';
const BOOKS = ['draftkings', 'fanduel', 'betmgm', 'caesars', 'pinnacle', 'betrivers', 'bet365', 'bovada', 'fanatics'];
const GAMES = Array.from({ length: 24 }, (_, game) => [`Away ${game}`, `Home ${game}`] as const);
const START_MS = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 7_200_000;

interface Prices {
  /** American price of the home team of the first game; null suspends it. */
  first?: number | null;
  /** Whether the first game is listed with its moneyline at all. */
  listed?: boolean;
}

function poll(book: string, { first = 105, listed = true }: Prices = {}): IngestMessage {
  const shift = BOOKS.indexOf(book);
  const side = (selection: string, selection_type: string, odds_american: number, more: object = {}) => ({
    selection,
    selection_type,
    odds_american,
    ...more,
  });
  return {
    book,
    polled_at: new Date().toISOString(),
    scope: 'league',
    league: 'nba',
    events: GAMES.map(([away_team, home_team], game) => ({
      league: 'nba',
      home_team,
      away_team,
      start_time: new Date(START_MS + game * 60_000).toISOString(),
      markets: [
        ...(game === 0 && !listed
          ? []
          : [
              {
                market_type: 'moneyline',
                selections: [
                  side(home_team, 'home', game === 0 && first !== null ? first : -104 - shift, {
                    is_active: game !== 0 || first !== null,
                  }),
                  side(away_team, 'away', -112 - shift),
                ],
              },
            ]),
        {
          market_type: 'point_spread',
          selections: [
            side(home_team, 'home', -108 - shift, { line: -3.5 }),
            side(away_team, 'away', -110 - shift, { line: 3.5 }),
          ],
        },
        {
          market_type: 'total_points',
          selections: [
            side('Over', 'over', -109 - shift, { line: 220.5 }),
            side('Under', 'under', -109 - shift, { line: 220.5 }),
          ],
        },
      ],
    })),
  } as IngestMessage;
}

const textOf = async (page: Page, selector: string): Promise<string> => (await page.textContent(selector)) ?? '';
const counted = (page: Page, selector: string): Promise<number> => page.locator(selector).count();
/** Elements that are wholly on the screen. */
const inView = (page: Page, selector: string): Promise<number> =>
  page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((e) => { const { top, bottom, left, right } = e.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth + 1 && bottom > top; }).length`,
  );
const FIRST = `.game:has-text("${GAMES[0]![1]}")`;

test('the desk', { skip }, async (t) => {
  const server = new ServerProcess(t);
  await server.start();
  const browser = await openBrowser(t);
  const others = BOOKS.filter((book) => book !== 'draftkings');
  await server.ingest([...others.map((book) => poll(book, { first: -115 })), poll('draftkings')]);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error.stack)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load|WebSocket|ERR_/.test(message.text()))
      errors.push(message.text());
  });
  const sockets = new Set<unknown>();
  page.on('websocket', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await page.goto(`${server.url}/dashboard?view=board#key=${server.keys.enterprise}`);
  await until('games', async () => (await counted(page, '.game')) > 10);

  await t.test('one row a game shows the best price of each market with its book, as /odds/best has it', async () => {
    const { data } = await server
      .get<{ data: { selection: string; best: { odds_american: number } }[] }>('/odds/best?market=moneyline&limit=200')
      .catch(() => ({ data: [] }));
    assert.ok(data.length > 0);
    await until('the price', async () => /\+105DK/.test((await textOf(page, FIRST)).replace(/\s/g, '')));
    const first = (await textOf(page, FIRST)).replace(/\s+/g, '');
    assert.match(first, /-3\.5-108DK/);
    assert.match(first, /o220\.5-109DK/);
    assert.match(first, /u220\.5-109DK/);
  });

  await t.test('the first visit explains itself, once', async () => {
    await page.click('.welcome button:has-text("got it")');
    await until('read', async () => (await counted(page, '.welcome')) === 0);
    await page.reload();
    await page.waitForSelector('.game');
    assert.equal(await counted(page, '.welcome'), 0);
  });

  await t.test('a game opens in place into every book of every line, and the chart closes again', async () => {
    await page.click(`${FIRST} .game-name`);
    await page.waitForSelector('.game-panel .ladder');
    await until('all books', async () => (await counted(page, '.game-panel .ladder thead th')) === 4 + BOOKS.length);
    await page.click('.game-panel .ladder tbody th button');
    await page.waitForSelector('.chart:not([hidden])');
    await page.click('.chart button:has-text("close")');
    await until('no chart', async () => !(await page.isVisible('.chart')));
    // What is changed in the profile holds in it, and what nobody sees is not followed.
    const fair = (): Promise<string> => textOf(page, '.game-panel .ladder tbody td:nth-child(3)');
    const before = await fair();
    const reference = async (): Promise<void> => {
      await page.click('#profile-button');
      await page.click('[aria-label="reference: DraftKings"]');
      await page.click('#profile-dialog button:has-text("done")');
    };
    await reference();
    await until('its own reference', async () => (await fair()) !== before);
    await reference();
    await until('as before', async () => (await fair()) === before);
    const open = sockets.size;
    await goTo(page, 'Calculators');
    await until('closed', () => sockets.size === open - 1);
    await goTo(page, 'Board');
    await page.waitForSelector('.game-panel .ladder');
    await page.click(`${FIRST} .game-name .team`);
    await until('closed', async () => (await counted(page, '.game-panel')) === 0);
  });

  await t.test('a key press puts a price on the ticket, which says when it moves, is suspended, and goes', async () => {
    await page.focus('.games');
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 't']) await page.keyboard.press(key);
    await page.waitForSelector('.entry');
    assert.match(await textOf(page, '.entry'), /Home 0\s*\+105/);
    await until('its edge', async () => /edge\s*\d/.test(await textOf(page, '.entry .figures')));
    await server.ingest([poll('draftkings', { first: 120 })]);
    await until('moved', async () => /\+105\s+\+120.*moved/s.test(await textOf(page, '.entry')));
    await page.click('.entry button:has-text("take the new price")');
    await until('accepted', async () => !/moved/.test(await textOf(page, '.entry')));
    await server.ingest([poll('draftkings', { first: null })]);
    await until('suspended', async () => /suspended/.test(await textOf(page, '.entry')));
    assert.equal(await counted(page, '.entry .bet a'), 0, 'what cannot be bet has no link');
    await server.ingest([poll('draftkings', { listed: false })]);
    await until('gone', async () => /gone/.test(await textOf(page, '.entry')));
    await server.ingest([poll('draftkings')]);
    await until('back', async () => !/gone/.test(await textOf(page, '.entry')));
    await page.reload();
    await until('it stays', async () => /Home 0/.test(await textOf(page, '.entry')));
  });

  await t.test('a placed bet is kept, with what became of it', async () => {
    await until('its stake', async () => !(await page.isDisabled('.entry button:has-text("placed")')));
    await page.click('.entry button:has-text("placed")');
    await until('placed', async () => /Home 0\s*\+105.*CLV/s.test(await textOf(page, '.placed')));
    await page.fill('.ticket input[name="key"]', server.keys.enterprise);
    await page.click('.ticket button:has-text("Show")');
    await until('its result', async () => /in the account · pending/.test(await textOf(page, '.placed')));
    const { data } = await server.get<{ data: { selection: string; mode: string }[] }>('/account/bets');
    assert.deepEqual([data[0]!.selection, data[0]!.mode], ['Home 0', 'placed']);
    await page.focus('.games');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 't']) await page.keyboard.press(key);
    await until('its stake', async () => !(await page.isDisabled('.entry button:has-text("paper")')));
    // Twice, as hands do.
    await page.dblclick('.entry button:has-text("paper")');
    await until('filled on paper', async () => /paper · in the account · pending/.test(await textOf(page, '.placed')));
    const after = await server.get<{ data: { mode: string; status: string }[] }>('/account/bets');
    assert.deepEqual([after.data.length, after.data[0]!.mode, after.data[0]!.status], [2, 'paper', 'filled']);
    await page.click('button:has-text("forget all")');
  });

  await t.test(
    'what one tab stores another one does not write over: the profile, and bets that are only here',
    async () => {
      const other = await context.newPage();
      await other.goto(`${server.url}/dashboard?view=board`);
      await other.waitForSelector('.game');
      for (const [tab, book] of [
        [page, 'DraftKings'],
        [other, 'FanDuel'],
      ] as const) {
        await tab.click('#profile-button');
        await tab.click(`[aria-label="account at ${book}"]`);
        await tab.click('#profile-dialog button:has-text("done")');
        await tab.click(`${FIRST} .market .price`);
        await tab.fill('.entry input[name="total"]', '10');
        await tab.press('.entry input[name="total"]', 'Tab');
        await tab.click('.entry button:has-text("placed")');
        await tab.waitForSelector('.placed li');
      }
      const stored = async (key: string): Promise<string> =>
        (await page.evaluate(`localStorage.getItem('${key}')`)) as string;
      assert.deepEqual(Object.keys(JSON.parse(await stored('overround-profile')).accounts), ['draftkings', 'fanduel']);
      assert.equal(JSON.parse(await stored('overround-placed')).length, 2);
      await until('in the other', async () => (await counted(page, '.placed li')) === 2);
      await page.click('button:has-text("forget all")');
      await page.click('#profile-button');
      await page.click('#profile-dialog button:has-text("reset")');
      await page.click('#profile-dialog button:has-text("done")');
      await other.close();
    },
  );

  await t.test('the age of a price is that of the server, however late it is looked at', async () => {
    await server.ingest([...others.map((book) => poll(book, { first: -115 })), poll('draftkings')]);
    const late = await context.newPage();
    await late.goto(`${server.url}/dashboard?view=calculators`);
    await late.waitForSelector('#calculators-view');
    // Where one price is meant, a second one is not left out in silence.
    await late.fill('input[name="hedge"]', '+300 -110');
    await until('refused', async () => /"at" takes one price/.test(await textOf(late, '[aria-label="Hedge"] .answer')));
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    await goTo(late, 'Opportunities');
    const id = await late.getAttribute('.opportunities tbody tr:has(.ev)', 'data-id');
    const { data } = await server.get<{ data: { id: string; oldest_odds_age_seconds: number }[] }>(
      '/opportunities/ev?limit=200',
    );
    const age = Number(/^(\d+) s$/.exec(await textOf(late, `.opportunities tr[data-id="${id}"] .of-age`))![1]);
    assert.ok(age >= data.find((one) => one.id === id)!.oldest_odds_age_seconds - 4, String(age));
    // Of every kind: a poll that shows the same prices is known of, and by it they are ordered.
    await late.click('.opportunities thead button:has-text("age")');
    // Under the pointer rows stay where they are, whatever their ages become.
    await until('frozen', async () => /frozen/.test(await textOf(late, '.table-bar')));
    await late.mouse.move(5, 5);
    await until('thawed', async () => !/frozen/.test(await textOf(late, '.table-bar')));
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const polledMs = Date.now();
    await server.ingest([...others.map((book) => poll(book, { first: -115 })), poll('draftkings')]);
    const ages = async (): Promise<number[]> =>
      (await late.locator('.opportunities .of-age').allTextContents())
        .slice(1)
        .map((text) => Number.parseInt(text, 10));
    await until('confirmed', async () => Math.max(...(await ages())) <= (Date.now() - polledMs) / 1_000 + 1);
    const shown = await ages();
    assert.deepEqual(
      shown,
      shown.toSorted((a, b) => a - b),
    );
    await late.close();
  });

  await t.test(
    'opportunities freeze under the pointer, what died is struck out, and they sort, hide and export',
    async () => {
      await page.click('#views button:has-text("Opportunities")');
      await page.waitForSelector('.opportunities tbody tr');
      const rows = await counted(page, '.opportunities tbody tr');
      await page.hover('.opportunities tbody tr');
      await until('frozen', async () => /frozen/.test(await textOf(page, '.table-bar')));
      await server.ingest([poll('draftkings', { first: -115 })]);
      await until('struck out', async () => (await counted(page, '.opportunities .dead')) > 0);
      assert.equal(await counted(page, '.opportunities tbody tr'), rows, 'rows moved under the pointer');
      await page.mouse.move(5, 5);
      await until('gone', async () => (await counted(page, '.opportunities .dead')) === 0);
      await server.ingest([poll('draftkings')]);
      await page.click('.opportunities thead button:has-text("price")');
      assert.match(page.url(), /order=price/);
      await until('rows', async () => (await counted(page, '.opportunities tbody tr')) > 1);
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('button:has-text("CSV")')]);
      assert.match(
        await streamed(await download.createReadStream()),
        /^kind,edge_percent,.*\r\n(ev|arbitrage|low_hold),/,
      );
      await page.focus('.opportunities tbody tr');
      await page.keyboard.press('x');
      await page.waitForSelector('.done:has-text("Hidden for a day")');
      await page.click('button:has-text("1 hidden")');
      await page.click('.hidden-list button:has-text("show"):not(:has-text("all"))');
      await until('shown again', async () => (await counted(page, 'button:has-text("hidden")')) === 0);
      await page.focus('.opportunities tbody tr');
      await page.keyboard.press('t');
      await page.waitForSelector('.entry');
      await page.click('.entry .icon');
      await page.click('#views button:has-text("Board")');
    },
  );

  await t.test('every number follows the profile, which stays', async () => {
    await page.click('#profile-button');
    await page.check('input[aria-label="account at FanDuel"]');
    await page.check('input[aria-label="reference: Pinnacle"]');
    await page.selectOption('select[name="devig"]', 'power');
    await page.click('#profile-dialog button:has-text("done")');
    await until('my book', async () => /-115FD/.test((await textOf(page, FIRST)).replace(/\s/g, '')));
    await page.reload();
    await until('still', async () => /-115FD/.test((await textOf(page, FIRST)).replace(/\s/g, '')));
    await page.click('#profile-button');
    assert.deepEqual(await accessible(page), []);
    await page.click('#profile-dialog button:has-text("reset")');
    await page.click('#profile-dialog button:has-text("done")');
    await until('all books', async () => /\+105DK/.test((await textOf(page, FIRST)).replace(/\s/g, '')));
  });

  await t.test('pinned games come first, and a saved view is found by its name', async () => {
    await page.click(`.game:has-text("Home 7") .pin`);
    await until('pinned', async () => /pinned/.test(await textOf(page, '.games-heading')));
    assert.match(await textOf(page, '.game'), /Home 7/);
    await page.fill('#search', 'home 3');
    await page.fill('input[name="name"]', 'threes');
    await page.click('button:has-text("save")');
    await until('in the address', async () => /name=threes/.test(page.url()) && /q=home/.test(page.url()));
    await page.click('#reset');
    await until('all', async () => (await counted(page, '.game')) > 5);
    await page.selectOption('select[aria-label="Saved views"]', 'threes');
    await until('found', async () => (await counted(page, '.game')) === 1);
    await page.click('#reset');
    await page.click(`.game:has-text("Home 7") .pin`);
  });

  await t.test('a small laptop has 18 games, 8 books and 25 opportunities in view', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await until('18 games', async () => (await inView(page, '.game')) >= 18);
    await page.goto(`${server.url}/dashboard?view=board&layout=books`);
    await until('18 games by book', async () => (await inView(page, '.block .line:nth-child(2) .pinned')) >= 18);
    await until('8 books', async () => (await inView(page, '.board-head .prices .cell')) >= 8);
    await page.goto(`${server.url}/dashboard?view=opportunities`);
    await until('25 opportunities', async () => (await inView(page, '.opportunities tbody tr')) >= 25);
  });

  await t.test(
    'an arbitrage that a tie breaks says so on its row and above its stakes, in the currencies of its books',
    async () => {
      const nfl = (book: string, home: number, away: number): IngestMessage => ({
        ...{ book, polled_at: new Date().toISOString(), scope: 'league', league: 'nfl' },
        events: [
          {
            ...{ league: 'nfl', home_team: 'Buffalo Bills', away_team: 'Miami Dolphins' },
            start_time: new Date(START_MS).toISOString(),
            markets: [
              {
                market_type: 'moneyline',
                selections: [
                  { selection: 'Buffalo Bills', selection_type: 'home', odds_decimal: home },
                  { selection: 'Miami Dolphins', selection_type: 'away', odds_decimal: away },
                ],
              },
            ],
          },
        ],
      });
      await server.ingest([nfl('fanduel', 2.15, 1.7), nfl('kalshi', 1.7, 2.05)]);
      // Another tab opens with the token of the first.
      const tab = await context.newPage();
      await tab.goto(`${server.url}/dashboard?view=opportunities&kind=arbitrage&q=dolphins`);
      const row = '.opportunities tbody tr';
      await until('its row', async () => /tie -\d/.test(await textOf(tab, 'body')));
      const { data } = await server.get<{ data: { exceptions: { result: string; profit_percent: number }[] }[] }>(
        '/opportunities/arbitrage?league=nfl',
      );
      const tie = data[0]!.exceptions.find(({ result }) => result === 'tie')!;
      assert.equal(await textOf(tab, `${row} .of-notes .chip.loss`), `tie ${tie.profit_percent.toFixed(2)} %`);
      await tab.click('.table-bar button:has-text("guaranteed")');
      await until('it is not guaranteed', async () => (await counted(tab, row)) === 0);
      await tab.click('.table-bar button:has-text("guaranteed")');
      await tab.click(row);
      const entry = await tab.waitForSelector('.entry:has-text("Miami Dolphins")');
      await tab.fill('.entry:has-text("Miami Dolphins") input[name="total"]', '12,5');
      await tab.keyboard.press('Tab');
      await until('every result', async () => /tie.*≈ -\d/s.test((await entry.textContent())!));
      await until('12.5 is staked', async () => /staked\s*1[12]\.\d\d USD/.test((await entry.textContent())!));
      assert.equal(await tab.locator('.entry:has-text("Miami Dolphins") .stake:has-text("USD")').count(), 2);
      await tab.reload();
      const kept = '.entry:has-text("Miami Dolphins") input[name="total"]';
      await until('it stays', async () => (await counted(tab, kept)) === 1 && (await tab.inputValue(kept)) === '12.5');
      await tab.click(`${row} button[aria-label="its page"]`);
      await until('what it says', async () => /is left, except on a tie: -/.test(await textOf(tab, '.opportunity')));
      assert.doesNotMatch(await textOf(tab, '.opportunity'), /whatever/);
      assert.deepEqual(await accessible(tab), []);
      await tab.close();
    },
  );

  await t.test('nothing exceeds the screen at any size, and nothing jumps', async () => {
    for (const [width, height] of [
      [390, 844],
      [1024, 768],
      [1440, 900],
      [2560, 1300],
    ] as const)
      for (const colorScheme of width === 390 ? (['light'] as const) : (['dark'] as const)) {
        const sized = await browser.newContext({ viewport: { width, height }, colorScheme });
        const other = await sized.newPage();
        await other.addInitScript(
          `window.shift = 0; new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) window.shift += e.value; }).observe({ type: 'layout-shift', buffered: true });`,
        );
        const asked: string[] = [];
        let before: string[] | undefined;
        other.on('request', (request) => asked.push(new URL(request.url()).pathname));
        other.on('websocket', () => (before ??= [...asked]));
        await other.goto(`${server.url}/dashboard?view=board#key=${server.keys.enterprise}`);
        await until('games', async () => (await counted(other, '.game')) > 3);
        // Where a connection is slow, what is asked for before the prices delays them.
        assert.ok(before!.length <= 9, before!.join(' '));
        assert.doesNotMatch(before!.join(' '), /events|results|opportunities|history/);
        assert.equal(await other.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, `${width}`);
        const top = (await other.evaluate(
          `document.querySelector('.game .price').getBoundingClientRect().top`,
        )) as number;
        if (width === 390) assert.ok(top <= 100, `prices begin at ${top}`);
        const shift = (await other.evaluate('window.shift')) as number;
        assert.ok(shift < 0.1, `layout shift ${shift} at ${width}`);
        await sized.close();
      }
  });

  await t.test('when the server is killed, nothing shown can be bet', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${server.url}/dashboard?view=board`);
    await page.click(`${FIRST} .market .price`);
    await page.waitForSelector('.entry');
    const status = await context.newPage();
    await status.goto(`${server.url}/status`);
    await until('the state', async () => (await textOf(status, '#state')) === 'ok');
    await server.kill();
    await until('the operator sees it', async () => /no answer for/.test(await textOf(status, '#state')));
    await status.close();
    await until('lost', async () => (await page.getAttribute('#state', 'data-state')) === 'lost');
    await until('no links', async () => (await counted(page, '.entry a')) === 0);
    assert.equal(await page.evaluate(`document.body.classList.contains('lost')`), true);
    assert.ok((await counted(page, '.game')) > 5, 'what was known stays in sight');
  });

  assert.deepEqual(errors, []);
});

async function streamed(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const bytes of stream) text += String(bytes);
  return text;
}
