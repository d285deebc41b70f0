// A server in a process of its own with odds made by the test, and a real browser.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../build/browser.js';
import type { NewKey } from '../../src/accounts/key-commands.js';
import { systemClock } from '../../src/base/model/clock.js';
import { createKey } from '../../src/cli/keys.js';
import type { IngestMessage } from '../../src/client/client.js';
import { parseConfig } from '../../src/config/config.js';
import { freePort } from '../support/free-port.js';
import { newFolder } from '../temp-folders.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const MAIN = new URL('../../src/main.js', import.meta.url).pathname;
export const BOOKS = ['draftkings', 'fanduel', 'betmgm', 'caesars', 'pinnacle', 'betrivers'];
export const GAMES = [
  ['Boston Celtics', 'Los Angeles Lakers'],
  ['Miami Heat', 'Denver Nuggets'],
  ['Chicago Bulls', 'New York Knicks'],
  ['Utah Jazz', 'Phoenix Suns'],
  ['Dallas Mavericks', 'Golden State Warriors'],
  ['Toronto Raptors', 'Brooklyn Nets'],
] as const;

export class ServerProcess {
  readonly #dir: string;
  readonly #kept: string;
  readonly #feed: string;
  #child: ChildProcess | undefined;
  /** Chosen at the first start: what the system gave to a server itself is not free for a while after it was killed. */
  port = '0';
  /** From its first start on. */
  readonly keys = { enterprise: '', free: '', ingest: '', oneStream: '', twoStreams: '' };

  constructor(t: TestContext, feed = 'none') {
    // Before its folder is removed.
    t.after(() => this.kill());
    this.#dir = newFolder();
    this.#kept = join(newFolder(), 'kept');
    this.#feed = feed;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** As the command makes it, without a process for each. */
  async #key(options: NewKey): Promise<string> {
    const config = parseConfig({ data: this.#dir }, {});
    let made = '';
    const print = (line: string): void => {
      made = (JSON.parse(line) as { key: string }).key;
    };
    await createKey({ config, clock: systemClock, print, note: () => undefined }, options);
    return made;
  }

  /** At the port it had before, if any. */
  async start(): Promise<void> {
    if (this.port === '0') {
      this.port = String(await freePort());
      this.keys.enterprise = await this.#key({ tier: 'enterprise' });
      this.keys.free = await this.#key({ tier: 'free' });
      this.keys.oneStream = await this.#key({ tier: 'pro', streaming: true, maxStreams: 1 });
      // A part of an account's streams is not for pages.
      this.keys.twoStreams = await this.#key({ tier: 'pro', streaming: true, maxStreams: 3 });
      this.keys.ingest = await this.#key({ tier: 'enterprise', scopes: ['ingest'] });
    }
    const args = ['serve', '--port', this.port, '--data', this.#dir, '--workers', '1', '--feed', this.#feed];
    this.#child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    for await (const bytes of this.#child.stdout!) {
      text += String(bytes);
      const found = /"msg":"listening".*"port":(\d+)/.exec(text);
      if (found === null) continue;
      this.port = found[1]!;
      return;
    }
    assert.fail(text);
  }

  async kill(): Promise<void> {
    if (this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  /** What it has now is what it begins with after rewind(): later positions are unknown to it then. */
  async keep(): Promise<void> {
    await this.kill();
    cpSync(this.#dir, this.#kept, { recursive: true, filter: (path) => !path.endsWith('.sock') });
    await this.start();
  }

  async rewind(): Promise<void> {
    await this.kill();
    rmSync(this.#dir, { recursive: true });
    cpSync(this.#kept, this.#dir, { recursive: true });
    await this.start();
  }

  async ingest(messages: readonly IngestMessage[]): Promise<void> {
    const answer = await fetch(`${this.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': this.keys.ingest, 'content-type': 'application/x-ndjson' },
      body: messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
    });
    assert.equal(answer.status, 200, await answer.text());
  }

  async get<T>(path: string): Promise<T> {
    const answer = await fetch(`${this.url}/api/v1${path}`, { headers: { 'x-api-key': this.keys.enterprise } });
    return (await answer.json()) as T;
  }
}

/** The same over the turn of an hour. */
const START_MS = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 3_600_000;

/** One poll of a book: all games, prices around even that depend on the seed. */
export function poll(book: string, seed: number): IngestMessage {
  const price = (game: number, side: number): number => {
    const step = (seed * 7 + game * 13 + side * 5 + BOOKS.indexOf(book) * 3) % 40;
    return step < 20 ? -130 + step : 90 + step;
  };
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
        {
          market_type: 'moneyline',
          selections: [
            { selection: home_team, selection_type: 'home', odds_american: price(game, 0) },
            { selection: away_team, selection_type: 'away', odds_american: price(game, 1), is_active: seed % 5 !== 4 },
          ],
        },
      ],
    })),
  };
}

export async function openBrowser(t: TestContext): Promise<Browser> {
  const browser = await launchBrowser();
  t.after(() => browser.close());
  return browser;
}

/** To another view, as at this size: from the bar, or from what "More" opens. */
export async function goTo(page: Page, view: string): Promise<void> {
  const button = page.locator(`#views button:has-text("${view}")`);
  if (!(await button.isVisible())) await page.click('#more-button');
  await button.click();
}

/**
 * What axe complains about: rule and first element.
 * @param foreign rule → selector of elements that are not ours to mend
 */
export async function accessible(page: Page, foreign: Readonly<Record<string, string>> = {}): Promise<string[]> {
  await page.evaluate(AXE);
  return (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) => {
      const foreign = (${JSON.stringify(foreign)})[id];
      const ours = nodes.filter(({ target }) => foreign === undefined || !document.querySelector(target[0]).matches(foreign));
      return ours.slice(0, 1).map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary.slice(0, 300));
    }))`,
  )) as string[];
}
