// What costs money is seen in the simulated market, too: ties, rules that differ, other currencies.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROWSER } from '../../build/browser.js';
import { until } from '../support/until.js';
import { openBrowser, ServerProcess } from './browser-rig.js';

const skip = BROWSER === undefined && 'needs chromium';
const KINDS = ['ev', 'arbitrage', 'middles', 'low_hold'];
const WAIT_MS = 150_000;

interface Item {
  warnings?: string[];
  exceptions?: { result: string }[];
}

test('the simulated market shows a tie that loses, warnings, and currencies', { skip, timeout: 400_000 }, async (t) => {
  const server = new ServerProcess(t, 'sim:events=120,rate=3000');
  await server.start();
  const warnings = new Set<string>();
  const results = new Set<string>();
  await until(
    'ties and warnings',
    async () => {
      for (const kind of KINDS) {
        const { data } = await server.get<{ data: Item[] }>(
          `/opportunities/${kind}?league=nfl,atp,wta,epl,nba&limit=200`,
        );
        for (const { warnings: said = [], exceptions = [] } of data) {
          for (const warning of said) warnings.add(warning);
          for (const { result } of exceptions) results.add(result);
        }
      }
      return (
        results.has('tie') && ['TIE_SETTLES_HALF', 'RULES_DIFFER', 'VOID_DIFFERS'].every((one) => warnings.has(one))
      );
    },
    WAIT_MS,
  ).catch(() => assert.fail(JSON.stringify([[...warnings], [...results]])));
  const { data: books } = await server.get<{ data: { currency: string; active: boolean }[] }>('/sportsbooks');
  assert.ok(new Set(books.filter(({ active }) => active).map(({ currency }) => currency)).size > 1);
  const browser = await openBrowser(t);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${server.url}/dashboard?view=opportunities&leagues=nfl#key=${server.keys.enterprise}`);
  const tie = page.locator('.opportunities tbody tr .chip', { hasText: /tie/i });
  await until('a tie on a row', async () => (await tie.count()) > 0, WAIT_MS);
});
