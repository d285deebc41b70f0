// A server on the system's clock for tests of alerts: the sending thread has no other clock.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Tier } from '../../src/rules/catalogue/types.js';
import { atOnce } from '../accounts/keys-at-once.js';
import { boot } from '../support/server.js';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, read field by field
export type Body = Record<string, any>;
export type Live = Awaited<ReturnType<typeof serverWith>>;

/** Tomorrow. */
const START = new Date(Date.now() + 86_400_000).toISOString();
export const EVEN_GAMES = Array.from({ length: 40 }, (_, i) => ({
  league: 'nba',
  home_team: `Homers ${i}`,
  away_team: `Visitors ${i}`,
  start_time: START,
}));

export async function serverWith(t: TestContext, dataDir: string, settings: Record<string, string> = {}) {
  const running = await boot(t, {
    data: dataDir,
    settings: { 'alert-hosts': '127.0.0.1', ...settings },
    alerts: { schedule: { waitsMs: [20, 50], giveUpMs: 3_600_000 }, timeoutMs: 30_000 },
  });
  const { server, close } = running;
  const url = `${running.url}/api/v1`;
  const keys = new Map<Tier, string>();
  const keyOf = (tier: Tier): string => {
    if (!keys.has(tier)) keys.set(tier, atOnce(server.accounts).create({ tier }).key);
    return keys.get(tier)!;
  };
  const settled = () => new Promise((resolve) => setTimeout(resolve, 900));
  const pollAll = async (prices: Record<string, [home: number, away: number]>, games: readonly object[]) => {
    const messages = Object.entries(prices).map(([book, [home, away]]) => ({
      book,
      polled_at: new Date().toISOString(),
      scope: 'event',
      events: games.map((game) => ({ ...game, markets: [moneyline(home, away)] })),
    }));
    const receipt = await server.engine.ingest(messages);
    assert.deepEqual(receipt.rejected, []);
  };
  return {
    server,
    close,
    /** Waits longer than a rule waits for the rest of a burst. */
    settled,
    pollAll,
    poll: (prices: Record<string, [home: number, away: number]>, game: object | undefined) => pollAll(prices, [game!]),
    call: async (method: string, path: string, tier: Tier, body?: object): Promise<{ status: number; body: Body }> => {
      const headers = { 'x-api-key': keyOf(tier), 'content-type': 'application/json' };
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const response = await fetch(url + path, init);
      const text = await response.text();
      return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Body) };
    },
  };
}

const moneyline = (home: number, away: number) => ({
  market_type: 'moneyline',
  selections: [
    { selection: 'home', selection_type: 'home', odds_american: home },
    { selection: 'away', selection_type: 'away', odds_american: away },
  ],
});
