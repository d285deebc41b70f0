// One's own bets, as a bettor drives them: prices that belong together on the ticket, and the account's list with its
// changes, tables and pictures. What the page shows is what the server answers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BROWSER } from '../../build/browser.js';
import type { AccountBet, BetsSummary, IngestMessage } from '../../src/client/client.js';
import { until } from '../support/until.js';
import { accessible, openBrowser, ServerProcess } from './browser-rig.js';

const skip = BROWSER === undefined && 'needs chromium';
const START_MS = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 7_200_000;

function poll(book: string, home: number, away: number, line: number): IngestMessage {
  const side = (selection: string, selection_type: string, odds_american: number, more: object = {}) => {
    return { selection, selection_type, odds_american, ...more };
  };
  return {
    book,
    polled_at: new Date().toISOString(),
    scope: 'league',
    league: 'nba',
    events: [0, 1].map((game) => ({
      league: 'nba',
      home_team: `Home ${game}`,
      away_team: `Away ${game}`,
      start_time: new Date(START_MS).toISOString(),
      markets: [
        {
          market_type: 'moneyline',
          selections: [side(`Home ${game}`, 'home', home), side(`Away ${game}`, 'away', away)],
        },
        {
          market_type: 'total_points',
          selections: [side('Over', 'over', -110, { line }), side('Under', 'under', -110, { line })],
        },
      ],
    })),
  } as IngestMessage;
}

test("one's own bets", { skip }, async (t) => {
  const server = new ServerProcess(t);
  await server.start();
  const browser = await openBrowser(t);
  await server.ingest([
    poll('draftkings', 105, -125, 220.5),
    poll('fanduel', -130, 110, 223.5),
    poll('betmgm', -110, -110, 220.5),
  ]);
  const errors: string[] = [];
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (error) => errors.push(String(error.stack)));
  const text = async (selector: string): Promise<string> =>
    ((await page.textContent(selector)) ?? '').replace(/\s+/g, ' ');
  await page.addInitScript("localStorage.setItem('overround-welcomed', 'yes')");
  await page.goto(`${server.url}/dashboard?view=board#key=${server.keys.enterprise}`);
  await page.click('.game:has-text("Home 0") .game-name');
  await page.waitForSelector('.game-panel .ladder');
  const click = (what: string) => page.click(`.game-panel td.price button[aria-label$="${what}"]`);

  await t.test(
    'opposite sides at two books become an arbitrage, with what it locks and the server’s word on it',
    async () => {
      await click('Home 0 at DraftKings');
      await until('one', async () => /stake.*Home 0/.test(await text('.entry')));
      await click('Away 0 at FanDuel');
      // 1 / (1 / 2.05 + 1 / 2.1) - 1, on 506 and 494.
      await until('joined', async () => /arbitrage: 3\.73 %, \+37\.30 USD/.test(await text('.entry .says')));
      await until('compared', async () => /whatever the result/.test(await text('.entry .says')));
      assert.equal(await page.locator('.entry').count(), 1);
      assert.match(await text('.entry'), /guaranteed.*stake in all.*506\.00 USD.*494\.00 USD.*at worst ?\+37\.30 USD/);
      assert.match(await text('.entry'), /least price -110/);
      await page.fill('.entry input[name="total"]', '100');
      await page.press('.entry input[name="total"]', 'Tab');
      await until('smaller', async () => /arbitrage: 3\.73 %, \+3\.\d\d USD/.test(await text('.entry .says')));
    },
  );

  await t.test('"bet apart" takes them apart for good, and a price that is clicked again leaves', async () => {
    await page.click('.entry .says button');
    await until('two', async () => (await page.locator('.entry').count()) === 2);
    await click('Away 0 at FanDuel');
    await click('Home 0 at DraftKings');
    await until('none', async () => (await page.locator('.entry').count()) === 0);
  });

  await t.test(
    'lines with numbers between them become a middle, turnover says its cost, and rules that are not compared are told',
    async () => {
      await click('Over 220.5 at DraftKings');
      await click('Under 223.5 at FanDuel');
      await until('a middle', async () =>
        /middle: .*\+91, worst -5.*both win on 221 to 223/.test(await text('.entry .says')),
      );
      await page.click('.entry .icon');
      await click('Home 0 at BetMGM');
      await click('Away 0 at BetMGM');
      await until('a low hold', async () => /low hold: costs 4\.76 %/.test(await text('.entry .says')));
      // The server lists it: one book settles both.
      await until('compared', async () => (await page.locator('.entry .chips').count()) === 0);
      await page.click('.entry .icon');
      await click('Home 0 at FanDuel');
      await click('Away 0 at BetMGM');
      await until('another one', async () => /low hold: costs 8\.90 %/.test(await text('.entry .says')));
      // Each book has a better price on the other side: the server lists those.
      await until('told', async () => /rules not compared/.test(await text('.entry .chips')));
      await page.click('.entry .icon');
    },
  );

  await t.test('a price against a bet that was placed becomes its hedge, and only the hedge is bet', async () => {
    await page.click('#views button:has-text("Bets")');
    await page.fill('#bets-view input[name="key"]', server.keys.enterprise);
    await page.click('#bets-view button:has-text("Show")');
    await page.waitForSelector('.bets-table');
    await page.click('#views button:has-text("Board")');
    await click('Home 0 at DraftKings');
    await page.fill('.entry input[name="total"]', '100');
    await page.press('.entry input[name="total"]', 'Tab');
    // Twice, as hands do.
    await page.dblclick('.entry button:has-text("placed")');
    await until('in the account', async () => /in the account/.test(await text('.placed')));
    await click('Away 0 at FanDuel');
    await until('a hedge', async () => /hedge: locks \+\d\.\d\d USD/.test(await text('.entry .says')));
    // 205 come back on either side: 98 at 2.1 are 205.80.
    assert.match(await text('.entry'), /placed at ?DraftKings.*100\.00 USD.*98\.00 USD/);
    await page.click('.entry button:has-text("placed")');
    await until('both', async () => {
      const { data } = await server.get<{ data: AccountBet[] }>('/account/bets');
      return data.length === 2 && data[0]!.stake === 98 && data[1]!.stake === 100;
    });
  });

  await t.test('the key that was entered for the bets shows the alerts of the account, too', async () => {
    const alert = { name: 'mine', channel: 'ev', target: { type: 'webhook', url: 'https://example.com/hook' } };
    const answer = await fetch(`${server.url}/api/v1/account/alerts`, {
      method: 'POST',
      headers: { 'x-api-key': server.keys.enterprise, 'content-type': 'application/json' },
      body: JSON.stringify(alert),
    });
    assert.equal(answer.status, 201, await answer.text());
    await page.click('#views button:has-text("Alerts")');
    await until('its name', async () => /mine ev to webhook/.test(await text('#alerts-view')));
  });

  const bets = async (): Promise<AccountBet[]> => (await server.get<{ data: AccountBet[] }>('/account/bets')).data;
  const row = (what: string) =>
    page.locator('.bets-table tbody tr:not(.edit)', { hasText: `moneyline ${what}` }).first();

  await t.test('the exposure says what each result of the game makes, as the server holds the bets', async () => {
    await page.click('#views button:has-text("Bets")');
    await page.waitForSelector('.exposure');
    for (const group of ['sport', 'league', 'day', 'sportsbook'])
      await page.selectOption('select[name="group"]', group);
    await until('the last choice', async () => /DraftKings/.test(await text('.sums tbody')));
    assert.equal(await page.locator('#bets-view > .warn').count(), 0, 'readings beside each other');
    // 98 × 1.1 - 100 and 100 × 1.05 - 98.
    await until('each', async () => /Away 0 wins ?\+7\.80 ?Home 0 wins ?\+7\.00/.test(await text('.exposure')));
    const sides = await text('.exposure .sides');
    assert.match(sides, /Away 0 ?1 ?-98\.00 ?\+107\.80 ?Home 0 ?1 ?-100\.00 ?\+105\.00/, 'each side by itself');
    const summary = (await server.get<{ data: BetsSummary }>('/account/bets/summary')).data;
    const open = summary.groups.map((group) => group.open_exposure.toFixed(2));
    assert.deepEqual(open.sort(), ['100.00', '98.00']);
    assert.match(
      await text('.exposure'),
      /at risk by book.*DraftKings ?100\.00.*FanDuel ?98\.00.*at risk by side.*home ?100\.00.*away ?98\.00/,
    );
  });

  await t.test(
    'a bet is edited, graded by hand, void and struck, and each of these is undone in its place',
    async () => {
      await row('Away 0').locator('button:has-text("edit")').click();
      await page.fill('.bet-form input[name="stake"]', '80,5');
      await page.fill('.bet-form input[name="price"]', 'soon');
      await page.click('.bet-form button:has-text("save")');
      assert.equal((await bets())[0]!.stake, 98, 'nothing is sent that is wrong');
      await page.fill('.bet-form input[name="price"]', '+120');
      await page.fill('.bet-form input[name="tag"]', 'hedge');
      await page.click('.bet-form button:has-text("save")');
      await until('changed', async () => /Changed: Away 0/.test(await text('.done')));
      const [changed] = await bets();
      assert.deepEqual([changed!.stake, changed!.odds_american, changed!.tag], [80.5, 120, 'hedge']);
      await page.click('.done button');
      await until('undone', async () => /Undone: Changed/.test(await text('.done')));
      assert.deepEqual(
        [(await bets())[0]!.stake, (await bets())[0]!.odds_american, (await bets())[0]!.tag],
        [98, 110, null],
      );

      await row('Away 0').locator('button:has-text("edit")').click();
      await page.selectOption('.bet-form select[name="result"]', 'won');
      await page.click('.bet-form button:has-text("save")');
      await until('won', async () => /won: by hand ?\+107\.80/.test(await text('.bets-table')));
      await until('in the calendar', async () => /\+108/.test(await text('.calendar')));
      await until('the promise', async () =>
        /Profit \+107\.80; the close promised/.test(await text('.curve figcaption')),
      );
      await row('Home 0').locator('button:has-text("void")').click();
      await until('void', async () => /void: by hand ?0\.00/.test(await text('.bets-table')));
      await until('nothing open', async () => (await page.locator('.exposure').count()) === 0);
      await page.click('.done button');
      await until('open again', async () => (await page.locator('.exposure').count()) === 1);
      await row('Home 0').locator('button:has-text("strike")').click();
      await until('struck', async () => /1 struck/.test(await text('#bets-view')));
      await row('Home 0').locator('button:has-text("restore")').click();
      await until('restored', async () => !/1 struck/.test(await text('#bets-view')));
      assert.deepEqual(
        (await bets()).map(({ status, profit }) => [status, profit]),
        [
          ['filled', 107.8],
          ['filled', null],
        ],
      );
    },
  );

  await t.test(
    'a table is read whole or not at all: faults are told by line, and what was read is undone at once',
    async () => {
      const [event] = (await bets()).map(({ event_id }) => event_id);
      const head = 'event_id,market_type,selection,sportsbook,stake,odds_american,tag';
      const line = (stake: string, odds: string) => `${event},moneyline,Home 0,draftkings,${stake},${odds},mine`;
      const read = async (...lines: string[]): Promise<void> => {
        const buffer = Buffer.from([head, ...lines].join('\r\n'));
        await page.setInputFiles('#bets-view input[type=file]', { name: 'mine.csv', mimeType: 'text/csv', buffer });
      };
      await read(line('10', '+105'), line('1.234', '+105'), line('10', '20'));
      await until('the faults', async () => (await page.locator('.faults li').count()) === 2);
      assert.match(
        await text('.faults'),
        /line 3 ?stake must have at most two decimals.*1\.234.*line 4 ?odds_american: 20 is no price/,
      );
      assert.equal((await bets()).length, 2);
      await read(line('10', '+105'), line('10', '+105'), line('12', '+110'));
      await until('read', async () => /3 bets of mine\.csv recorded/.test(await text('.done')));
      assert.deepEqual(
        (await bets()).slice(0, 3).map(({ stake, tag, mode }) => [stake, tag, mode]),
        [
          [12, 'mine', 'placed'],
          [10, 'mine', 'placed'],
          [10, 'mine', 'placed'],
        ],
      );
      await read(line('10', '+105'), line('10', '+105'), line('12', '+110'));
      await until('known', async () => /0 bets of mine\.csv recorded, 3 known already/.test(await text('.done')));
      assert.equal((await bets()).length, 5);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.click('#bets-view button:has-text("export CSV")'),
      ]);
      const table = readFileSync((await download.path())!, 'utf8');
      assert.equal(table.trim().split('\r\n').length, 6);
      assert.deepEqual(await accessible(page), []);
    },
  );

  await t.test('on a phone and in the dark it is all there, and nothing is wider than the screen', async () => {
    for (const [width, dark] of [
      [390, true],
      [768, false],
      [2560, true],
    ] as const) {
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
      await page.setViewportSize({ width, height: 900 });
      await until('the exposure', async () => await page.isVisible('.exposure'));
      const wide = await page.evaluate(
        "[...document.querySelectorAll('#bets-view > *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.className)",
      );
      assert.deepEqual(wide, [], String(width));
    }
  });
  assert.deepEqual(errors, []);
});
