// Props, splits and futures as a person uses them: thousands of players, a name that finds all of its lines, a click
// that takes a price to the ticket, what a line did beside its price, how fresh a book is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { BROWSER } from '../../build/browser.js';
import type { IngestMessage } from '../../src/client/client.js';
import { until } from '../support/until.js';
import { accessible, BOOKS, goTo, openBrowser, poll, ServerProcess } from './browser-rig.js';

const skip = BROWSER === undefined && 'needs chromium';
const GAMES = 60;
const PLAYERS = 40;
const HOUR_MS = 3_600_000;
const START_MS = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS;

const event = (game: number) => ({
  league: 'nba',
  home_team: `Home ${game}`,
  away_team: `Away ${game}`,
  start_time: new Date(START_MS + game * 60_000).toISOString(),
});

function line(book: string, player: string, at: number, over: number, isAlternate = false) {
  return {
    market_type: 'player_points',
    player_name: player,
    selections: (['over', 'under'] as const).map((side) => ({
      selection: side,
      selection_type: side,
      odds_american: side === 'over' ? over : isAlternate ? -300 : book === 'fanduel' ? -120 : -125,
      line: at,
      is_alternate_line: isAlternate,
    })),
  };
}

const nameOf = (game: number, player: number): string =>
  `Player ${String.fromCharCode(65 + (game % 26))}${game} Number${player}`;

function props(book: string, games: readonly number[], over = 105): IngestMessage {
  return {
    book,
    polled_at: new Date().toISOString(),
    scope: 'none',
    events: games.map((game) => ({
      ...event(game),
      markets: Array.from({ length: PLAYERS }, (_, player) => nameOf(game, player)).flatMap((name, i) => [
        line(book, name, 12.5 + i, over),
        line(book, name, 15.5 + i, over + 100, true),
      ]),
    })),
  };
}

const extras = (): IngestMessage[] => [
  {
    book: 'draftkings',
    polled_at: new Date().toISOString(),
    scope: 'none',
    splits: [
      {
        ...event(0),
        sportsbook: 'draftkings',
        spread: {
          away_line: 3.5,
          home_line: -3.5,
          handle_pct: { away: 0.7, home: 0.3 },
          bets_pct: { away: 0.42, home: 0.58 },
        },
        total: null,
        moneyline: null,
        fetched_at: new Date().toISOString(),
      },
    ],
  },
  ...(
    [
      ['draftkings', 150, -130],
      ['fanduel', 140, -120],
    ] as const
  ).map(
    ([book, first, second]): IngestMessage => ({
      book,
      polled_at: new Date().toISOString(),
      scope: 'none',
      futures: [
        {
          league: 'nba',
          market: 'championship_winner',
          display_name: 'NBA Championship Winner',
          future_type: 'TEAM',
          selections: [
            { selection: 'Home 0', odds_american: first },
            { selection: 'Home 1', odds_american: second },
          ],
        },
      ],
    }),
  ),
];

const text = async (page: Page, selector: string): Promise<string> => (await page.textContent(selector)) ?? '';
/** Names in sight, from above: elements are used again in any order. */
const rows = async (page: Page): Promise<string[]> =>
  (await page.evaluate(`[...document.querySelectorAll('.block:not([hidden])')]
    .sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
    .flatMap((block) => [...block.querySelectorAll('.line .name')].map(({ textContent }) => textContent))`)) as string[];
const scroll = (page: Page, part: number) =>
  page.evaluate(`{ const board = document.querySelector('.board'); board.scrollTop = board.scrollHeight * ${part}; }`);
/** The price of the topmost row. */
const TOPMOST = '.block[style*="top: 28px"]';

test('props, splits, futures, and what is beside a price', { skip }, async (t) => {
  const server = new ServerProcess(t);
  await server.start();
  const browser = await openBrowser(t);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error.stack)));
  const open = (query: string, key = server.keys.enterprise) =>
    page.goto(`${server.url}/dashboard?${query}#key=${key}`);

  await t.test('what is empty says what will come, and from where', async () => {
    for (const [view, words] of [
      ['splits', /No splits yet: .*DraftKings and Circa/],
      ['futures', /No futures yet: .*feed/],
    ] as const) {
      await open(`view=${view}`);
      await until(view, async () => words.test(await text(page, '.page .empty')));
    }
  });

  // Its scope is the league: what follows would be gone.
  await server.ingest(BOOKS.map((book) => poll(book, 0)));
  const all = Array.from({ length: GAMES }, (_, game) => game);
  for (let from = 0; from < GAMES; from += 20)
    for (const book of ['fanduel', 'betmgm'])
      await server.ingest([props(book, all.slice(from, from + 20), book === 'fanduel' ? 105 : 100)]);
  await server.ingest(extras());

  await t.test('thousands of players: main lines, few elements, the best price marked', async () => {
    await open('view=board');
    await page.click('#views button:has-text("Props")');
    await until('all', async () => /2400 lines of 2400 players/.test(await text(page, '.props-bar')));
    assert.ok((await page.locator('.block').count()) < 60, 'elements of what is in sight alone');
    assert.deepEqual((await rows(page)).slice(0, 2), [nameOf(0, 0), 'points']);
    assert.match(await text(page, '.heading'), /Away 0 @ Home 0/);
    const best = page.locator(`${TOPMOST} .prices .cell.best`);
    assert.match((await best.first().textContent())!, /o12\.5\s*\+105/);
    await scroll(page, 0.5);
    await until('the middle', async () => /[A-Z](29|30|31) /.test((await rows(page)).join()));
    assert.ok((await page.locator('.block').count()) < 60);
  });

  await t.test('a name finds every line of the player, and a click takes the price to the ticket', async () => {
    await page.fill('#search', 'D3 Number7');
    await until(
      'both lines',
      async () => (await rows(page)).join() === [nameOf(3, 7), 'points', nameOf(3, 7), 'points · alternate'].join(),
    );
    await until('said', async () => /2 lines of 1 player, alternates included/.test(await text(page, '.props-bar')));
    await page.locator('.block:has-text("alternate") .prices .cell.best').first().click();
    await until('the ticket', async () => /Number7 Over 22\.5/.test(await text(page, '.entry .bet')));
    await page.fill('#search', '');
    await until('all again', async () => /2400 lines/.test(await text(page, '.props-bar')));
  });

  await t.test('a book says how fresh it is, and a legend what that means', async () => {
    const head = page.locator('.board-head .sharp, .board-head [aria-label="FanDuel"]').first();
    // It may be long since the first poll.
    await server.ingest([props('fanduel', [5], 106)]);
    await until(
      'fresh',
      async () =>
        /polled \d+ s ago/.test((await head.getAttribute('title')) ?? '') &&
        (await head.locator('.dot.fresh').count()) === 1,
    );
    assert.match(await text(page, '.legend'), /polled within a minute.*within 5 minutes.*older/);
  });

  await t.test(
    'the line of a price is beside it after a rest, by pointer and by keyboard, and asked for once',
    async () => {
      // Nothing is scrolled under the pointer.
      await page.mouse.move(5, 5);
      await server.ingest([props('fanduel', [0], 115)]);
      await scroll(page, 0);
      const cell = page.locator(`${TOPMOST} .prices .cell:has(b:not(:empty))`).first();
      const asked: string[] = [];
      page.on('request', (request) => request.url().includes('/odds/history') && asked.push(request.url()));
      // What it rested on before is asked for by then.
      await page.evaluate('new Promise((passed) => setTimeout(passed, 1_000))');
      asked.length = 0;
      // On its way over prices, in one turn of the page: nothing is asked for.
      await page.evaluate(`{
        const cells = document.querySelectorAll('.block .prices .cell.best');
        for (const other of cells) other.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
        document.querySelector('.board').dispatchEvent(new PointerEvent('pointerleave'));
      }`);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      assert.deepEqual(asked, []);
      await cell.hover();
      await until('the line', async () => /FanDuel.*\+105.*\+115/.test(await text(page, '#price-card')));
      assert.match(await text(page, '#price-card'), /\+105 → \+115, \d+ s ago/);
      await server.ingest([props('fanduel', [0], 120)]);
      await until('it moved', async () => /\+120/.test((await cell.textContent())!));
      await page.mouse.move(5, 5);
      await cell.hover();
      await until('and its line', async () => /\+115 → \+120/.test(await text(page, '#price-card')));
      await page.keyboard.press('Escape');
      assert.equal(await page.isVisible('#price-card'), false);
      await page.mouse.move(5, 5);
      await page.locator('.board').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await until('by keyboard', () => page.isVisible('#price-card'));
      assert.ok(asked.length <= 4, asked.join('\n'));
    },
  );

  await t.test('a finger that holds a price opens what is known of it, with the alert', async () => {
    const viewport = { width: 390, height: 844 };
    const phone = await (await browser.newContext({ viewport, hasTouch: true, isMobile: true })).newPage();
    await phone.addInitScript("localStorage.setItem('overround-welcomed', 'yes')");
    for (const [view, price] of [
      ['layout=books&market=player_points', '.block:not([hidden]) .cell.top:has(span:not(:empty)):visible'],
      ['layout=games', '.game .market .price:has(b):visible'],
    ] as const) {
      await phone.goto(`${server.url}/dashboard?view=board&${view}#key=${server.keys.enterprise}`);
      const cell = phone.locator(price).first();
      await cell.waitFor();
      // As a browser tells it: headless ones make no menu of a long press.
      const held = async (): Promise<void> => {
        await cell.dispatchEvent('pointerdown', { pointerType: 'touch' });
        await cell.dispatchEvent('contextmenu');
        await cell.dispatchEvent('pointerup', { pointerType: 'touch' });
        await cell.dispatchEvent('pointerleave', { pointerType: 'touch' });
      };
      await held();
      await until('the card', () => phone.isVisible('#price-card.held'));
      assert.equal(await phone.isVisible('#price-card'), true, 'it stays');
      assert.deepEqual(await accessible(phone), []);
      await phone.dispatchEvent('header', 'pointerdown', { pointerType: 'touch' });
      await until('gone', async () => !(await phone.isVisible('#price-card')));
      await held();
      await until('the card again', () => phone.isVisible('#price-card.held'));
      await phone.tap('#price-card button');
      await until('the form', () => phone.isVisible('dialog[open]'));
      assert.equal(await phone.isVisible('#price-card'), false);
    }
    await phone.close();
  });

  await t.test('splits and futures', async () => {
    await page.click('#views button:has-text("Splits")');
    await until('splits', async () =>
      /Away 0.*\+3\.5.*42 %.*money \+28.*70 %/s.test(await text(page, '.splits tbody')),
    );
    await page.click('#views button:has-text("Futures")');
    await until('futures', async () => /Home 1.*-120/s.test(await text(page, '.futures tbody')));
    assert.match(await text(page, '.page'), /2 outcomes; the best prices add up to 94\.5 %: a hold of -5\.5 %/);
    assert.match(await text(page, '.futures .sums'), /-5\.5 %.*94\.5 %/s);
    assert.match((await page.getAttribute('.futures thead .dot + abbr', 'title'))!, /, polled \d+ (s|min) ago/);
    assert.match(await text(page, '.page .legend'), /polled within a minute.*within 5 minutes.*older/);
    await page.fill('#search', 'nothing');
    await until('none fits', async () => /None of 1 markets fits/.test(await text(page, '.page .empty')));
  });

  await t.test('nothing is beyond the screen, and every view is reached, at every width', async () => {
    for (const width of [390, 768, 1024, 1440, 2560])
      for (const view of ['Props', 'Splits', 'Futures', 'Calculators']) {
        await page.setViewportSize({ width, height: 900 });
        await goTo(page, view);
        await page.waitForTimeout(300);
        const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.equal(beyond, 0, `${view} at ${width}`);
      }
    await page.setViewportSize({ width: 1024, height: 768 });
    await open('view=board&layout=books&market=spread&live=prematch&hours=24&q=home');
    await until('the filters', () => page.isVisible('#reset'));
    const height = (await page.evaluate(`document.querySelector('.bars').offsetHeight`)) as number;
    assert.ok(height < 44, `filters take one line at 1024 px: ${height} px`);
  });

  await t.test(
    'on a phone what is used most is in a bar, all of it seen, and the rest in a sheet above it',
    async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await goTo(page, 'Board');
      const cut =
        "[...document.querySelectorAll('#views > button')].filter((b) => b.scrollWidth > b.clientWidth).length";
      assert.equal(await page.evaluate(cut), 0, 'every name is whole');
      assert.equal(
        await page.evaluate(
          "(() => { const n = document.querySelector('#views'); return n.scrollWidth - n.clientWidth; })()",
        ),
        0,
      );
      assert.deepEqual(await page.locator('#views > button').allTextContents(), [
        'Board',
        'Opportunities',
        'Props',
        'Bets',
        'More',
      ]);
      const sheet = page.locator('#more-views');
      await page.click('#more-button');
      assert.deepEqual(await sheet.locator('button, a').allTextContents(), [
        'Splits',
        'Futures',
        'Moves',
        'Alerts',
        'Calculators',
        'Status',
        'Docs',
      ]);
      assert.deepEqual(await accessible(page), []);
      await page.keyboard.press('Escape');
      assert.equal(await sheet.isVisible(), false);
      assert.equal(await page.evaluate('document.activeElement.id'), 'more-button');
      await page.click('#more-button');
      await page.mouse.click(195, 200);
      assert.equal(await sheet.isVisible(), false, 'beside it is out of it');
      assert.match(page.url(), /view=board|dashboard(?!.*view=)/);
      await goTo(page, 'Moves');
      assert.equal(await sheet.isVisible(), false);
      assert.equal(await page.getAttribute('#more-button', 'aria-current'), 'true', 'where one is');
      await page.setViewportSize({ width: 1440, height: 900 });
      assert.equal(await page.locator('#views button:visible').count(), 9, 'all of them where there is room');
    },
  );

  await t.test('a tier without history says so once, and is not asked for in vain', async () => {
    const free = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    const asked: string[] = [];
    free.on('request', (request) => request.url().includes('/odds/history') && asked.push(request.url()));
    await free.goto(`${server.url}/dashboard?view=board&layout=books&market=moneyline#key=${server.keys.free}`);
    // What was ingested a moment ago is not a minute old.
    await until('prices', async () => (await free.locator('.block .prices .cell b:not(:empty)').count()) > 8, 100_000);
    const cells = free.locator('.block .prices .cell:has(b:not(:empty))');
    // Its few requests may be used up: it is tried again.
    const isSaid = async (): Promise<boolean> => {
      await free.mouse.move(5, 5);
      await cells.nth(0).hover();
      await free.waitForTimeout(2_000);
      return /What its line did needs the tier pro/.test(await text(free, '#price-card'));
    };
    await until('said', isSaid, 150_000);
    await cells.nth(3).hover();
    await until(
      'the other',
      async () => (await free.isVisible('#price-card')) && !/needs the tier/.test(await text(free, '#price-card')),
    );
    assert.deepEqual(asked, []);
  });
  assert.deepEqual(errors, []);
});
