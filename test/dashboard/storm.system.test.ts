// The board's cost on the viewer's machine: 400 games by 28 books while 3,000 prices a second change. Long: by hand,
// with OVERROUND_LONG_TESTS=1 (ten minutes, or OVERROUND_STORM_SECONDS).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { BROWSER } from '../../build/browser.js';
import type { IngestMessage } from '../../src/client/client.js';
import { LONG } from '../long.js';
import { until } from '../support/until.js';
import { openBrowser, ServerProcess } from './browser-rig.js';

const GAMES = 400;
const CHANGES_A_SECOND = 3_000;
const TICK_MS = 200;
/** Maximum number of requests waiting for the server. */
const UNDER_WAY_MAX = 8;
const SECONDS = Number(process.env['OVERROUND_STORM_SECONDS'] ?? 600);
const SCRIPT_SHARE_MAX = 0.05;
/** What tinting the prices that moved may cost of the main thread. */
const TINT_SHARE_MAX = 0.1;
const SHIFT_MAX = 0.1;

const catalogue = JSON.parse(readFileSync('src/rules/catalogue/data/books.json', 'utf8')) as { id: string }[];
const BOOKS = catalogue.map(({ id }) => id).slice(0, 28);
const START_MS = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 3_600_000;

/** Prices of both sides of some games at one book; `step` changes them. */
function prices(book: string, games: readonly number[], step: number): IngestMessage {
  return {
    book,
    polled_at: new Date().toISOString(),
    scope: 'none',
    events: games.map((game) => ({
      league: 'nba',
      home_team: `Home ${game}`,
      away_team: `Away ${game}`,
      start_time: new Date(START_MS + game * 60_000).toISOString(),
      markets: [
        {
          market_type: 'moneyline',
          selections: [
            { selection: `Home ${game}`, selection_type: 'home', odds_american: 101 + ((game + step * 3) % 60) },
            { selection: `Away ${game}`, selection_type: 'away', odds_american: -109 - ((game + step * 3) % 60) },
          ],
        },
      ],
    })),
  };
}

async function metrics(session: CDPSession): Promise<Map<string, number>> {
  const { metrics: list } = await session.send('Performance.getMetrics');
  return new Map(list.map(({ name, value }) => [name, value]));
}

/** Every price in sight is what /odds has. */
async function equalsServer(page: Page, server: ServerProcess): Promise<void> {
  const text = (odds: number): string => (odds > 0 ? `+${odds}` : String(odds));
  await until('every cell equals the server', async () => {
    const shown = (await page.evaluate(`(() => {
      const columns = [...document.querySelectorAll('.board-head .prices .cell')].map((cell) => cell.ariaLabel);
      return [...document.querySelectorAll('.block')].filter((block) => !block.hidden).flatMap((block) =>
        [...block.querySelectorAll('.line')].map((line) => [
          line.querySelector('.name').textContent,
          Object.fromEntries([...line.querySelectorAll('.prices .cell')].map((cell, i) => [columns[i], cell.textContent])),
        ]));
    })()`)) as [string, Record<string, string>][];
    const ids = shown.filter(([name]) => name.startsWith('Home')).map(([name]) => name);
    const rows: { selection: string; sportsbook_name: string; odds_american: number }[] = [];
    let cursor: string | undefined;
    do {
      const answer = await server.get<{ data: typeof rows; pagination: { next_cursor?: string } }>(
        `/odds?market=moneyline&limit=200${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      rows.push(...answer.data);
      cursor = answer.pagination.next_cursor ?? undefined;
    } while (cursor !== undefined);
    const wanted = new Map<string, Map<string, string>>();
    for (const { selection, sportsbook_name, odds_american } of rows)
      wanted.set(selection, (wanted.get(selection) ?? new Map()).set(sportsbook_name, text(odds_american)));
    return (
      ids.length > 10 &&
      shown.every(([name, cells]) =>
        Object.entries(cells).every(([book, price]) => (wanted.get(name)?.get(book) ?? '') === price),
      )
    );
  });
}

const skip = BROWSER === undefined ? 'needs chromium' : !LONG && 'takes ten minutes: OVERROUND_LONG_TESTS=1';

test('the whole board stays light while all of it moves', { skip, timeout: (SECONDS + 300) * 1_000 }, async (t) => {
  const server = new ServerProcess(t);
  await server.start();
  const all = Array.from({ length: GAMES }, (_, game) => game);
  for (const book of BOOKS) await server.ingest([prices(book, all, 0)]);
  const browser = await openBrowser(t);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(
    `window.shift = 0; new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) window.shift += e.value; }).observe({ type: 'layout-shift', buffered: true });`,
  );
  const session = await page.context().newCDPSession(page);
  // CPU time, not wall time, so that other programs on the machine do not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(`${server.url}/dashboard?view=board&layout=books#key=${server.keys.enterprise}`);
  await page.waitForSelector('#state[data-state="live"]');
  assert.equal(await page.locator('.board').getAttribute('aria-rowcount'), String(GAMES * 2 + 1));
  await page.evaluate(`(() => {
    const frames = (window.frames_ = { count: 0, longest: 0 });
    let last = performance.now();
    const look = (now) => { frames.count++; frames.longest = Math.max(frames.longest, now - last); last = now; requestAnimationFrame(look); };
    requestAnimationFrame(look);
  })()`);
  const games = Math.round((CHANGES_A_SECOND * TICK_MS) / 1_000 / 2);
  let sent = 0;
  const storm = async (seconds: number): Promise<void> => {
    const endMs = Date.now() + seconds * 1_000;
    const under = new Set<Promise<void>>();
    for (let dueMs = Date.now(); Date.now() < endMs; dueMs += TICK_MS) {
      const book = BOOKS[sent % BOOKS.length]!;
      const some = Array.from({ length: games }, (_, i) => (sent * games + i) % GAMES);
      if (under.size >= UNDER_WAY_MAX) await Promise.race(under);
      const sending: Promise<void> = server.ingest([prices(book, some, ++sent)]).finally(() => under.delete(sending));
      under.add(sending);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs + TICK_MS - Date.now())));
    }
    await Promise.all(under);
  };
  await storm(5);
  // In turns with tints and without, so that other programs on the machine count on both sides.
  const tinted = async (isTinted: boolean): Promise<void> => {
    await page.evaluate(`(() => {
      window.untinted ??= new CSSStyleSheet();
      window.untinted.replaceSync(${JSON.stringify(isTinted ? '' : '.cell.up, .cell.down { background: none !important; }')});
      if (!document.adoptedStyleSheets.includes(window.untinted)) document.adoptedStyleSheets = [...document.adoptedStyleSheets, window.untinted];
    })()`);
  };
  const samples: { tinted: boolean; script: number; task: number; heapMb: number; changes: number }[] = [];
  const windowS = Math.min(30, SECONDS / 4);
  for (const endMs = Date.now() + SECONDS * 1_000; Date.now() < endMs; ) {
    const isTinted = samples.length % 2 === 0;
    await tinted(isTinted);
    const [before, sentBefore, begunMs] = [await metrics(session), sent, Date.now()];
    await storm(windowS);
    const after = await metrics(session);
    const share = (name: string): number =>
      (after.get(name)! - before.get(name)!) / (after.get('Timestamp')! - before.get('Timestamp')!);
    await session.send('HeapProfiler.collectGarbage');
    const heapMb = (await metrics(session)).get('JSHeapUsedSize')! / 1e6;
    samples.push({
      tinted: isTinted,
      script: share('ScriptDuration'),
      task: share('TaskDuration'),
      heapMb,
      changes: Math.round(((sent - sentBefore) * games * 2_000) / (Date.now() - begunMs)),
    });
    t.diagnostic(JSON.stringify(samples.at(-1)));
  }
  await tinted(true);
  await equalsServer(page, server);
  // Scrolling by a script, as below, counts as a shift.
  const shift = (await page.evaluate('window.shift')) as number;
  // Scrolling through all of it while it moves.
  await page.evaluate(`(() => {
    window.frames_.count = window.frames_.longest = 0;
    const board = document.querySelector('.board');
    const step = () => { board.scrollTop = (board.scrollTop + 60) % (board.scrollHeight - board.clientHeight); requestAnimationFrame(step); };
    requestAnimationFrame(step);
  })()`);
  const beforeScroll = await metrics(session);
  await storm(5);
  const afterScroll = await metrics(session);
  const scrolled = (await page.evaluate('window.frames_')) as { count: number; longest: number };
  t.diagnostic(
    `scrolling: ${(scrolled.count / 5).toFixed(0)} frames/s, longest ${scrolled.longest.toFixed(0)} ms, script ${(((afterScroll.get('ScriptDuration')! - beforeScroll.get('ScriptDuration')!) / 5) * 100).toFixed(1)} %`,
  );
  const taskOf = (isTinted: boolean): number => {
    const some = samples.filter((sample) => sample.tinted === isTinted);
    return some.reduce((sum, { task }) => sum + task, 0) / some.length;
  };
  const tint = taskOf(true) - taskOf(false);
  t.diagnostic(`tints ${(tint * 100).toFixed(2)} % of the main thread; layout shift ${shift.toFixed(4)}`);
  assert.ok(tint < TINT_SHARE_MAX, `tints ${(tint * 100).toFixed(2)} %`);
  assert.ok(shift < SHIFT_MAX, `layout shift ${shift}`);
  const script = samples.reduce((sum, sample) => sum + sample.script, 0) / samples.length;
  assert.ok(script < SCRIPT_SHARE_MAX, `script ${(script * 100).toFixed(2)} %`);
  const half = Math.ceil(samples.length / 2);
  const mean = (of: typeof samples): number => of.reduce((sum, { heapMb }) => sum + heapMb, 0) / of.length;
  if (samples.length > 3) assert.ok(mean(samples.slice(half)) < mean(samples.slice(1, half)) * 1.1, 'the heap grows');
});
