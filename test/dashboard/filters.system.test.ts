// Filters as a bettor sets them: what is set is seen and taken away one by one, pairs are those within one's own books,
// and what is hidden can be had back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROWSER } from '../../build/browser.js';
import type { ArbitrageOpportunity, IngestMessage } from '../../src/client/client.js';
import { until } from '../support/until.js';
import { accessible, openBrowser, ServerProcess } from './browser-rig.js';

const skip = BROWSER === undefined && 'needs chromium';
const START_MS = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 7_200_000;
const ACCOUNT = { limit: null, bankroll: null, commission: null };

function poll(book: string, league: string, home: number, away: number, more: object = {}): IngestMessage {
  return {
    book,
    polled_at: new Date().toISOString(),
    scope: 'league',
    league,
    events: [0, 1].map((game) => ({
      league,
      home_team: `${league} home ${game}`,
      away_team: `${league} away ${game}`,
      start_time: new Date(START_MS + game * 90_000_000).toISOString(),
      markets: [
        {
          market_type: 'moneyline',
          ...more,
          selections: [
            { selection: `${league} home ${game}`, selection_type: 'home', odds_american: home },
            { selection: `${league} away ${game}`, selection_type: 'away', odds_american: away },
          ],
        },
      ],
    })),
  } as IngestMessage;
}

/** More than a list of so many has room for. */
const CROWD_GAMES = 210;
const LISTED_MAX = 200;
/** The best price of each game is at a book without an account, the fair one at pinnacle. */
const CROWD = [
  ['pinnacle', -125, -125],
  ['draftkings', 118, -140],
  ['betrivers', 108, -130],
] as const;

function crowd(book: string, home: number, away: number): IngestMessage {
  const league = 'wnba';
  const [one] = poll(book, league, home, away).events!;
  const events = Array.from({ length: CROWD_GAMES }, (_, game) => {
    const [home_team, away_team] = [`Homers ${game}`, `Visitors ${game}`];
    return {
      ...one,
      home_team,
      away_team,
      markets: one!.markets!.map((market) => ({
        ...market,
        selections: market.selections!.map((side, i) => ({ ...side, selection: i === 0 ? home_team : away_team })),
      })),
    };
  });
  return { book, polled_at: new Date().toISOString(), scope: 'league', league, events } as IngestMessage;
}

test('filters of opportunities', { skip }, async (t) => {
  const server = new ServerProcess(t);
  await server.start();
  const browser = await openBrowser(t);
  for (const league of ['nba', 'nhl'])
    await server.ingest([
      poll('draftkings', league, 108, -128, { max_bet: 40 }),
      poll('caesars', league, -130, 107, { max_bet: 40 }),
      poll('fanduel', league, 104, -125, { max_bet: 900 }),
      poll('betmgm', league, -125, 105, { max_bet: 900 }),
    ]);
  const errors: string[] = [];
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (error) => errors.push(String(error.stack)));
  const text = async (selector: string): Promise<string> =>
    ((await page.textContent(selector)) ?? '').replace(/\s+/g, ' ');
  const rows = (): Promise<number> => page.locator('.opportunities tbody tr').count();
  const chips = (): Promise<string[]> => page.locator('.chip-set bdi').allTextContents();
  await page.addInitScript("localStorage.setItem('overround-welcomed', 'yes')");
  await page.goto(`${server.url}/dashboard?view=opportunities&kind=arbitrage#key=${server.keys.enterprise}`);
  await until('four', async () => (await rows()) === 4);

  await t.test('what is set stands as chips, in the address, and each is taken away by itself', async () => {
    await page.selectOption('select[aria-label="League"]', 'l:nba');
    await until('one league', async () => (await rows()) === 2);
    await page.selectOption('select[aria-label="League"]', 'l:nhl');
    await until('both', async () => (await rows()) === 4);
    assert.deepEqual(await chips(), ['NBA', 'NHL']);
    await page.click('.more-filters summary');
    await page.fill('.more-filters input[name="priceFrom"]', '+108');
    await page.press('.more-filters input[name="priceFrom"]', 'Tab');
    await until('none so long on both sides', async () => /None of \d+ fits/.test(await text('.pane.middle')));
    await page.fill('.more-filters input[name="priceFrom"]', '+105');
    await page.press('.more-filters input[name="priceFrom"]', 'Tab');
    await page.selectOption('.more-filters select[aria-label="Start"]', '12');
    await until('those that start soon', async () => (await rows()) === 2);
    await page.selectOption('.more-filters select[aria-label="Markets"]', 'moneyline');
    await until('all chips', async () => (await chips()).join('|') === 'NBA|NHL|within 12 h|odds from +105|moneyline');
    assert.match(page.url(), /hours=12.*priceFrom=2\.05&types=moneyline/);
    await page.keyboard.press('Escape');
    assert.equal(await page.isVisible('.popover'), false);
    await page.reload();
    await until('still', async () => (await chips()).length === 5 && (await rows()) === 2);
    await page.click('.chip-set:has-text("within 12 h")');
    await until('four', async () => (await rows()) === 4);
    await page.click('.chip-set:has-text("NBA")');
    await until('one league', async () => (await rows()) === 2);
    assert.deepEqual(await accessible(page), []);
    await page.click('#reset');
    await until('nothing set', async () => (await chips()).length === 0 && (await rows()) === 4);
  });

  await t.test('what takes too little, and players only, leave nothing here', async () => {
    await page.click('.more-filters summary');
    await page.fill('.more-filters input[name="takes"]', '500');
    await page.press('.more-filters input[name="takes"]', 'Tab');
    await until('none', async () => (await rows()) === 0);
    assert.deepEqual(await chips(), ['takes 500 USD']);
    await page.click('#reset');
    await until('four', async () => (await rows()) === 4);
    await page.click('.more-filters summary');
    await page.check('.more-filters label:has-text("players only") input');
    await until('none', async () => (await rows()) === 0);
    await page.click('#reset');
    await until('four', async () => (await rows()) === 4);
  });

  await t.test(
    'with accounts at two books the pairs are those within them, as the server finds them there',
    async () => {
      assert.match(await text('.opportunities tbody tr'), /\+108 \/ \+107|\+107 \/ \+108/);
      const accounts = JSON.stringify({ accounts: { fanduel: ACCOUNT, betmgm: ACCOUNT } });
      await page.evaluate(`localStorage.setItem('overround-profile', ${JSON.stringify(accounts)})`);
      await page.reload();
      await until('within my books', async () =>
        /\+104 \/ \+105|\+105 \/ \+104/.test(await text('.opportunities tbody')),
      );
      const { data } = await server.get<{ data: ArbitrageOpportunity[] }>(
        '/opportunities/arbitrage?sportsbook=fanduel,betmgm',
      );
      assert.equal(data.length, 4);
      assert.equal(await rows(), 4);
      assert.match(await text('.opportunities tbody tr .of-edge'), new RegExp(data[0]!.profit_percent.toFixed(1)));
      await page.click('.more-filters summary');
      await page.fill('.more-filters input[name="takes"]', '500');
      await page.press('.more-filters input[name="takes"]', 'Tab');
      await until('they take enough', async () => (await chips()).length === 1 && (await rows()) === 4);
      await page.click('#reset');
    },
  );

  await t.test('prices above fair at my books are listed in full, though those of other books come first', async () => {
    await server.ingest(CROWD.map(([book, home, away]) => crowd(book, home, away)));
    const perBook = async (query: string): Promise<number> => {
      const path = `/opportunities/ev?league=wnba&min_ev=0.5&limit=1${query}`;
      return (await server.get<{ pagination: { total: number } }>(path)).pagination.total;
    };
    await until('they are found', async () => (await perBook('&sportsbook=draftkings')) === CROWD_GAMES);
    assert.equal(await perBook('&sportsbook=betrivers&devig=shin'), CROWD_GAMES);
    for (const own of [{}, { devig: 'shin' }]) {
      const profile = JSON.stringify({ accounts: { betrivers: ACCOUNT }, ...own });
      await page.evaluate(`localStorage.setItem('overround-profile', ${JSON.stringify(profile)})`);
      await page.goto(`${server.url}/dashboard?view=opportunities&kind=ev&leagues=wnba`);
      await page.reload();
      const wanted = 'devig' in own ? LISTED_MAX : CROWD_GAMES;
      await until(`all of mine, ${wanted}`, async () =>
        new RegExp(`\\+EV ?${wanted}\\b`).test(await text('.table-bar [role="tab"][aria-selected="true"]')),
      );
    }
    await page.evaluate("localStorage.removeItem('overround-profile')");
  });

  await t.test('what lists of so many are asked for follows the filters', async () => {
    const profile = JSON.stringify({ devig: 'shin' });
    await page.evaluate(`localStorage.setItem('overround-profile', ${JSON.stringify(profile)})`);
    await page.goto(`${server.url}/dashboard?view=opportunities&kind=ev&leagues=nba&priceFrom=1.5&types=moneyline`);
    const asked = await page.waitForRequest(/opportunities\/ev\?/);
    const params = new URL(asked.url()).searchParams;
    assert.deepEqual(
      ['league', 'min_odds', 'market', 'devig'].map((name) => params.get(name)),
      ['nba', '-200', 'moneyline', 'shin'],
    );
    const again = page.waitForRequest(/opportunities\/ev\?(?!.*min_odds)/);
    await page.click('.chip-set:has-text("odds from")');
    await again;
    const accounts = JSON.stringify({ accounts: { fanduel: ACCOUNT, betmgm: ACCOUNT } });
    await page.evaluate(`localStorage.setItem('overround-profile', ${JSON.stringify(accounts)})`);
    const moves = page.waitForRequest(/\/moves\?/);
    await page.goto(`${server.url}/dashboard?view=moves&leagues=nba&edge=2`);
    const wanted = new URL((await moves).url()).searchParams;
    assert.deepEqual(
      ['league', 'laggard', 'min_edge', 'sportsbook'].map((name) => wanted.get(name)),
      ['nba', 'betmgm,fanduel', '2', null],
    );
    const all = page.waitForRequest(/\/moves\?(?!.*laggard)/);
    await page.uncheck('label:has-text("with a book above fair only") input');
    await all;
    await page.evaluate("localStorage.removeItem('overround-profile')");
  });

  await t.test(
    'what is hidden is gone for a day, over a reload, and is had back at once or from the list',
    async () => {
      await page.goto(`${server.url}/dashboard?view=opportunities&kind=arbitrage`);
      await until('four', async () => (await rows()) === 4);
      const hideFirst = async (): Promise<void> => {
        await page.focus('.opportunities tbody tr');
        await page.keyboard.press('x');
      };
      await hideFirst();
      await until('three', async () => (await rows()) === 3);
      assert.match(await text('.done'), /Hidden for a day: Arbitrage .* @ /);
      await page.click('.done button:has-text("undo")');
      await until('four again', async () => (await rows()) === 4);
      await page.mouse.move(5, 5);
      await until('thawed', async () => !/frozen/.test(await text('.table-bar')));
      // The pointer comes upon the table before what is hidden is drawn, and freezes it.
      await page.evaluate(`(() => {
        const row = document.querySelector('.opportunities tbody tr');
        row.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true }));
        row.closest('.scroll').dispatchEvent(new PointerEvent('pointerenter', { pointerType: 'mouse' }));
      })()`);
      await until('three', async () => (await rows()) === 3);
      await page.reload();
      await until('still three', async () => (await rows()) === 3);
      await page.click('button:has-text("1 hidden")');
      assert.match(await text('.hidden-list'), /Hidden ?Arbitrage .*until/);
      await page.click('.hidden-list li button');
      await until('back', async () => (await rows()) === 4);
      assert.equal(await page.locator('.hidden-list').count(), 0);
    },
  );

  await t.test('on a phone what is set is seen without unfolding the filters', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${server.url}/dashboard?view=opportunities&kind=arbitrage&leagues=nba&hours=12`);
    await until('chips', async () => (await chips()).length === 2 && (await page.isVisible('.chip-set')));
    const size = await page.locator('.chip-set').first().boundingBox();
    assert.ok(size !== null && size.height >= 44, String(size?.height));
    const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    assert.equal(isWide, false);
  });
  assert.deepEqual(errors, []);
});
