// Whose price it is: of a team's total or a player's market, at each of several books with one price; and what of the page
// is there for a screen reader and in the address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { BROWSER } from '../../build/browser.js';
import type { IngestMessage } from '../../src/client/client.js';
import { until } from '../support/until.js';
import { BOOKS, openBrowser, poll, ServerProcess } from './browser-rig.js';

const skip = BROWSER === undefined && 'needs chromium';
const START = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 7_200_000).toISOString();

type Side = [selection: string, selection_type: string, odds_american: number, line?: number];

/** One game of a book with these markets. */
function game(book: string, teams: readonly [string, string], markets: object[]): IngestMessage {
  return {
    book,
    polled_at: new Date().toISOString(),
    scope: 'none',
    events: [{ league: 'nba', away_team: teams[0], home_team: teams[1], start_time: START, markets }],
  } as IngestMessage;
}

function market(market_type: string, sides: readonly Side[], more: object = {}): object {
  const selections = sides.map(([selection, selection_type, odds_american, line]) => {
    const deep_link = `https://bets.example/${selection}`;
    return { selection, selection_type, odds_american, deep_link, ...(line === undefined ? {} : { line }) };
  });
  return { market_type, selections, ...more };
}

const overUnder = (line: number, over: number): Side[] => [
  ['Over', 'over', over, line],
  ['Under', 'under', -over - 20, line],
];

const text = async (page: Page, selector: string): Promise<string> =>
  ((await page.textContent(selector)) ?? '').replace(/\s+/g, ' ');

const hasState = (page: Page, state: string) =>
  until(`state ${state}`, async () => (await page.getAttribute('#state', 'data-state')) === state);

test('whose a price is', { skip }, async (t) => {
  const server = new ServerProcess(t);
  await server.start();
  const browser = await openBrowser(t);
  const teams = ['Away A', 'Home A'] as const;
  const subjects = (over: number) => [
    ...(['home', 'away'] as const).map((team) => market('team_total', overUnder(110.5, over), { team })),
    ...['Jo One', 'Al Two'].map((player_name) => market('player_points', overUnder(22.5, over), { player_name })),
  ];
  await server.ingest([
    ...BOOKS.map((book) => poll(book, 0)),
    game('fanduel', teams, subjects(100)),
    game('betmgm', teams, subjects(-105)),
  ]);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error.stack)));
  const open = (query: string) => page.goto(`${server.url}/dashboard?${query}#key=${server.keys.enterprise}`);
  /** A game's page that believes it is two minutes later: prices are asked for before they are five minutes old. */
  const quietPage = async (): Promise<Page> => {
    const { data } = await server.get<{ data: { event_id: string }[] }>('/odds?market=team_total&limit=1');
    const quiet = await context.newPage();
    await quiet.addInitScript('{ const real = Date.now.bind(Date); Date.now = () => real() + (window.lateMs ?? 0); }');
    await quiet.goto(`${server.url}/dashboard?view=event&event=${data[0]!.event_id}#key=${server.keys.enterprise}`);
    await quiet.waitForSelector('.ladder');
    await quiet.evaluate('window.lateMs = 130_000');
    return quiet;
  };
  const names = () => page.locator('.block:not([hidden]) .line .name').allTextContents();

  const quiet = await quietPage();
  // It is asked for every 15 s.
  const asked = quiet.waitForRequest(/odds\?.*fields=id%2Clast_seen_at/, { timeout: 90_000 });

  await t.test('totals of teams and markets of players name them, and their game', async () => {
    for (const [of, whose] of [
      ['team_total', teams],
      ['player_points', ['Al Two', 'Jo One']],
    ] as const) {
      await open(`view=board&layout=books&market=${of}`);
      const wanted = whose.flatMap((who) => [who, 'Away A @ Home A']);
      await until(of, async () => (await names()).join() === wanted.join());
    }
    await page.click('.block:has-text("Al Two") .prices .cell:not(:empty)');
    await until('the ticket', async () => /Al Two Over 22\.5/.test(await text(page, '.entry .bet')));
    await page.click('.entry .icon');
    await page.click('.block:has-text("Jo One") .name');
    await page.click('.panel-tabs button:has-text("team total")');
    const lines = () => page.locator('.ladder th button').allTextContents();
    const sides = teams.flatMap((team) => [`${team} Over 110.5`, `${team} Under 110.5`]);
    await until('the ladder', async () => (await lines()).join() === sides.join());
    assert.match(await text(page, '.ladder tbody'), /Away A Over 110\.5.*\+100.*-105/);
  });

  await t.test("the chart of a team's total has the prices of that team alone, and so has an alert on it", async () => {
    await page.click('.ladder th button:has-text("Home A Over")');
    await until('the chart', async () => (await page.locator('.chart .u-series').count()) > 1);
    assert.match(await text(page, '.chart h2'), /^Home A Over 110\.5$/);
    const labels = await page.locator('.chart .u-series .u-label').allTextContents();
    assert.deepEqual(labels.slice(2).sort(), ['BetMGM', 'FanDuel']);
    await page.locator('.ladder tr:has-text("Home A Over") .price button').first().click({ button: 'right' });
    assert.equal(await text(page, '#price-alert-title'), 'Alert on Home A Over 110.5');
    await page.fill('#price-alert input[name="price"]', '+120');
    await page.click('#price-alert button:has-text("add")');
    const [home, away] = subjects(125);
    await server.ingest([game('betmgm', teams, [away!])]);
    await until('its price', async () => /\+125/.test(await text(page, '.ladder tbody')));
    await server.ingest([game('betmgm', teams, [home!])]);
    await page.click('#views button:has-text("Alerts")');
    await until('heard', async () => /Received Home A Over 110\.5 \+125/.test(await text(page, '#alerts-view')));
    assert.doesNotMatch(await text(page, '#alerts-view'), /Received.*Away A Over/);
    // What stands was told, also where all rows are read anew.
    await server.keep();
    await hasState(page, 'live');
    const [higher] = subjects(130);
    await server.ingest([game('betmgm', teams, [higher!])]);
    await hasState(page, 'live');
    await server.rewind();
    await hasState(page, 'live');
    await server.ingest([game('betmgm', teams, [higher!])]);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    assert.equal((await text(page, '#alerts-view')).match(/Home A Over 110\.5 \+1\d\d at/g)?.length, 1);
  });

  await t.test('each of the books with one price has its own link', async () => {
    const tied = (book: string, home: number, away: number) => {
      const sides: Side[] = [
        [`Home C`, 'home', home],
        ['Away C', 'away', away],
      ];
      return game(book, ['Away C', 'Home C'], [market('moneyline', sides)]);
    };
    await server.ingest([tied('fanduel', 100, -120), tied('betmgm', 100, -120), tied('caesars', -120, -101)]);
    await open('view=opportunities&kind=low_hold&q=home+c');
    await page.click('.opportunities tbody tr');
    const bet = page.locator('.entry .bet', { hasText: 'Home C' });
    await until('both', async () => (await bet.locator('a').count()) === 2);
    assert.deepEqual(await bet.locator('a').allTextContents(), ['bet at FanDuel', 'bet at BetMGM']);
    // What is not tied any more says so.
    await server.ingest([tied('betmgm', -110, -120)]);
    await until('its price', async () => /bet at FanDuel, bet at BetMGM -110/.test(await text(page, '.entry')));
    await page.click('.entry .icon');
  });

  await t.test('the line of a team that is written from right to left keeps its sign before it', async () => {
    const teams = ['\u05de\u05db\u05d1\u05d9', '\u05d4\u05e4\u05d5\u05e2\u05dc'] as const;
    const spread = (book: string, home: number, away: number) =>
      game(book, teams, [
        market('point_spread', [
          [teams[1], 'home', home, -4.5],
          [teams[0], 'away', away, 4.5],
        ]),
      ]);
    await server.ingest([spread('fanduel', 120, -150), spread('betmgm', -150, 120)]);
    await open(`view=opportunities&kind=arbitrage&q=${teams[0]}`);
    await page.waitForSelector('.opportunities .bets');
    const lefts = (await page.evaluate(`(() => {
      const text = [...document.querySelectorAll('.opportunities .bets bdi > span')].find((one) => one.textContent.endsWith('-4.5')).lastChild;
      const range = document.createRange();
      return [...'-4.5'].map((_, i) => {
        const at = text.textContent.length - 4 + i;
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
      });
    })()`)) as number[];
    assert.deepEqual(
      lefts,
      lefts.toSorted((a, b) => a - b),
    );
  });

  await t.test('a screen reader finds the rows that are shown, and no others', async () => {
    await page.setViewportSize({ width: 1440, height: 420 });
    await open('view=board&layout=books&market=moneyline');
    await until('rows', async () => (await page.locator('.block').count()) > 3);
    // Elements are made for all games, and only one is wanted afterwards.
    await page.evaluate(`document.querySelector('.board').scrollTop = 1e6`);
    await page.fill('#search', 'celtics');
    await until('one game', async () => (await names()).length === 2);
    const lines = (await page.locator('.board').ariaSnapshot()).split('\n');
    const rows = lines.filter((line) => /^\s*- row\b/.test(line));
    assert.equal(rows.length, 3, lines.join('\n'));
    assert.match(rows.slice(1).join(), /Boston Celtics.*Los Angeles Lakers/);
    assert.equal(await page.getAttribute('.board', 'aria-rowcount'), '3');
  });

  await t.test('filters that the browser remembered are in the address', async () => {
    await open('view=board&layout=books&market=team_total&leagues=nba&sort=hold');
    await until('remembered', async () => (await names()).length === 4);
    await page.selectOption('select[aria-label="Order"]', 'edge');
    const other = await context.newPage();
    await other.goto(`${server.url}/dashboard#key=${server.keys.enterprise}`);
    await until('the same', async () => (await other.locator('.block:not([hidden])').count()) === 2);
    const stated = Object.fromEntries(new URL(other.url()).searchParams);
    assert.deepEqual(stated, { view: 'board', layout: 'books', market: 'team_total', leagues: 'nba', sort: 'edge' });
    await other.close();
  });

  await t.test(
    'of a game that is open, prices that stay as they are are confirmed before they count as old',
    async () => {
      const answer = await (await asked).response();
      assert.equal(answer?.status(), 200);
      assert.equal(await quiet.locator('.ladder .stale').count(), 0);
    },
  );

  assert.deepEqual(errors, []);
});
