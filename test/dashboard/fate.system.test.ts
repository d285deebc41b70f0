// What becomes of prices: results and graded opportunities on the board and the page of a game, the account's bets, and
// an alert on one line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROWSER } from '../../build/browser.js';
import { DEVIG_METHODS } from '../../src/base/model/devig-method.js';
import type { IngestMessage } from '../../src/client/client.js';
import { until } from '../support/until.js';
import { accessible, openBrowser, ServerProcess } from './browser-rig.js';

const skip = BROWSER === undefined && 'needs chromium';
const START_MS = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 3_600_000;

/** @param away1 of the second game's away team */
function poll(book: string, home: number, away: number, away1 = away): IngestMessage {
  const side = (selection: string, selection_type: string, odds_american: number) => {
    return { selection, selection_type, odds_american };
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
          selections: [side(`Home ${game}`, 'home', home), side(`Away ${game}`, 'away', game === 1 ? away1 : away)],
        },
      ],
    })),
  } as IngestMessage;
}

test('what becomes of prices', { skip }, async (t) => {
  const server = new ServerProcess(t);
  await server.start();
  const browser = await openBrowser(t);
  await server.ingest([poll('pinnacle', -104, -104), poll('fanduel', -110, -110), poll('draftkings', 120, -140)]);
  const { data: rows } = await server.get<{ data: { id: string; event_id: string; selection: string }[] }>(
    '/odds?sportsbook=draftkings&limit=50',
  );
  const rowOf = (team: string) => rows.find(({ selection }) => selection === team)!;
  const row = rowOf('Home 0');
  const headers = { 'x-api-key': server.keys.enterprise, 'content-type': 'application/json' };
  const bet = (client_id: string, stake: number, tag: string) => {
    return { client_id, odds_id: row.id, stake, odds_american: 120, mode: 'placed', tag };
  };
  const place = async (bets: object[]): Promise<void> => {
    const init = { method: 'POST', headers, body: JSON.stringify({ bets }) };
    const answer = await fetch(`${server.url}/api/v1/account/bets`, init);
    assert.equal(answer.status, 201, await answer.text());
  };
  await place([bet('one', 50, 'steam'), bet('two', 20, 'typo')]);
  const errors: string[] = [];
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.on('pageerror', (error) => errors.push(String(error.stack)));
  const text = async (selector: string): Promise<string> =>
    ((await page.textContent(selector)) ?? '').replace(/\s+/g, ' ');
  await page.goto(`${server.url}/dashboard?view=board#key=${server.keys.enterprise}`);
  await until('games', async () => (await page.locator('.game').count()) === 2);

  await t.test(
    'an alert on one line at any book is set from its cell, and heard when the price is reached',
    async () => {
      await page.locator('.game:has-text("Home 1") [data-line="0"][data-column="3"]').click({ button: 'right' });
      await page.waitForSelector('#price-alert[open]');
      assert.match(await text('#price-alert-title'), /Away 1/);
      await page.fill('#price-alert input[name="price"]', 'soon');
      await page.click('#price-alert button:has-text("add")');
      await until('the fault', async () => /A price is/.test(await text('#price-alert')));
      await page.fill('#price-alert input[name="price"]', '+150');
      await page.click('#price-alert button:has-text("add")');
      await page.click('#views button:has-text("Alerts")');
      assert.match(await text('.price-rules'), /Away 1 from \+150 at any book/);
      assert.match(await text('#alerts-view'), /Received Nothing yet/);
      await server.ingest([poll('fanduel', -110, -110, 155)]);
      await until('heard', async () =>
        /Received Away 1 \+155 at FanDuel: Away 1 @ Home 1/.test(await text('#alerts-view')),
      );
      await server.ingest([poll('fanduel', -110, -110)]);
    },
  );

  await t.test('an opportunity has a page: what it says, then how it ended, also for a link to it', async () => {
    await page.click('#views button:has-text("Opportunities")');
    const line = page.locator('.opportunities tbody tr', { hasText: 'Home 0' }).first();
    await line.locator('button[aria-label="its page"]').click();
    await until('what it says', async () =>
      /DraftKings pays \+120; the fair price is/.test(await text('.opportunity')),
    );
    await until('every method', async () => (await page.locator('.methods tbody tr').count()) === DEVIG_METHODS.length);
    assert.match(
      await text('.methods'),
      /margin of Pinnacle.*at worst \+10\.00 %.*power as computed ?50\.00 % ?\+100 ?\+10\.00 %.*worst case/,
    );
    await until('what was seen', async () => /first seen/.test(await text('.opportunity')));
    assert.match(page.url(), /open=/);
    await server.ingest([
      {
        source: 'league',
        results: [
          {
            event_id: row.event_id,
            status: 'final',
            home_score: 101,
            away_score: 99,
            parts: [{ part: 'q1', home_score: 30, away_score: 20 }],
          },
        ],
      } as unknown as IngestMessage,
    ]);
    await page.reload();
    await until('how it ended', async () => /ended ?won: \+1\.20 u/.test(await text('.opportunity')));
    assert.match(await text('.ended'), /final.*by league.*1 ?total.*Away 0 ?20 ?99.*Home 0 ?30 ?101/);
    assert.match(await text('.graded'), /settled ?1 ?profit ?\+1\.20 u ?expected/);
    assert.deepEqual(await accessible(page), []);
  });

  await t.test('the board shows the results of games that are over, and what was detected in them', async () => {
    // The books list the other game alone from now on.
    const without = (message: IngestMessage): IngestMessage => ({ ...message, events: message.events!.slice(1) });
    await server.ingest(
      [poll('pinnacle', -104, -104), poll('fanduel', -110, -110), poll('draftkings', 120, -140)].map(without),
    );
    await page.click('#views button:has-text("Board")');
    await until('the result', async () => (await page.locator('.game.result').count()) === 1);
    await until('graded', async () => /Away 0 99 @ Home 0 101.*\+1\.20 u of 1 graded/.test(await text('.game.result')));
    await page.click('.game.result button');
    await until('its page', async () => /Away 0 @ Home 0/.test(await text('#event-head')));
  });

  await t.test('bets are listed with what they made, struck, summed up, and handed out as CSV', async () => {
    await page.click('#views button:has-text("Bets")');
    await page.fill('#bets-view input[name="key"]', server.keys.enterprise);
    await page.click('#bets-view button:has-text("Show")');
    await until('both', async () => /2 of 2 bets/.test(await text('#bets-view')));
    await until('graded', async () => /won ?\+60\.00 ?steam/.test(await text('.bets-table')));
    await page.click('.bets-table tr:has-text("typo") button:has-text("strike")');
    await until('struck', async () => /1 struck/.test(await text('#bets-view')));
    // What another program bets comes by itself, with the sums, and the list is not read for it again.
    let reads = 0;
    page.on('request', (request) => {
      if (/account\/bets(\?|$)/.test(request.url())) reads++;
    });
    await place([{ ...bet('three', 10, 'bot'), odds_id: rowOf('Home 1').id }]);
    await until('the bot', async () => /3 of 3 bets/.test(await text('#bets-view')));
    await until('its sum', async () => /DraftKings ?2 ?60\.00/.test(await text('.sums')));
    assert.equal(reads, 0);
    assert.equal(await page.locator('.bets-table tr.dead').count(), 1);
    await page.fill('#bankroll input[name="deposits"]', '1000');
    await page.click('#bankroll button');
    await until('cash', async () =>
      /cash ?1050\.00 USD ?open ?10\.00 USD ?profit ?\+60\.00 USD/.test(await text('#bankroll')),
    );
    assert.match(await text('.sums'), /DraftKings ?2 ?60\.00 ?\+60\.00 ?120\.00 %/);
    await page.selectOption('#bets-view select[name="group"]', 'tag');
    await until('by tag', async () => /steam ?1 ?50\.00/.test(await text('.sums')));
    await until('the curve', async () => (await page.locator('.curve canvas').count()) === 1);
    await page.selectOption('#bets-view select[aria-label="tag"]', 'typo');
    await until('one', async () => /1 of 3 bets/.test(await text('#bets-view')));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('#bets-view button:has-text("CSV")'),
    ]);
    assert.equal(download.suggestedFilename(), 'bets.csv');
    assert.deepEqual(await accessible(page), []);
  });
  assert.deepEqual(errors, []);
});
