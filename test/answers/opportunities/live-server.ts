// A real server with its shard threads, store and sockets, and a manual clock. Its clients follow the documented rules.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Clock, ManualClock } from '../../../src/base/model/clock.js';
import type { Tier } from '../../../src/rules/catalogue/types.js';
import { createLog } from '../../../src/server/observe/log.js';
import { atOnce } from '../../accounts/keys-at-once.js';
import { boot } from '../../support/server.js';
import { until } from '../../support/until.js';
import { newFolder } from '../../temp-folders.js';
import { NOW_MS } from './examples.js';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, read field by field
export type Body = Record<string, any>;

export interface Followed {
  /** The state of a client that follows the rules: kind prefix and id → item. */
  active: Map<string, Body>;
  events: { type: string; data: Body; id: string | undefined }[];
  until(test: () => boolean): Promise<void>;
  close(): void;
}

/** @param workers two where leagues of different shards are compared: each is a thread, which loads its modules */
export async function serverIn<C extends Clock>(t: TestContext, dataDir: string, clock: C, workers: 1 | 2 = 1) {
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => lines.push(line) });
  const running = await boot(t, { data: dataDir, settings: { workers: String(workers) }, clock, log });
  const { server, close } = running;
  const url = `${running.url}/api/v1`;
  const keys = new Map<string, string>();
  const key = (tier: Tier, features: string[] = []) => {
    const name = `${tier} ${features}`;
    if (!keys.has(name)) keys.set(name, atOnce(server.accounts).create({ tier, features, streaming: true }).key);
    return keys.get(name)!;
  };
  return {
    server,
    url,
    key,
    clock,
    close,
    redirect: async (id: string, query: string) => {
      const response = await fetch(`${url}/deeplink/${id}?${query}`, { redirect: 'manual' });
      return [response.status, response.headers.get('location'), response.headers.get('x-deep-link-type')];
    },
    get: async (path: string, tier: Tier): Promise<Body> => {
      const response = await fetch(`${url}/opportunities/${path}`, { headers: { 'x-api-key': key(tier) } });
      const body = (await response.json()) as Body;
      assert.equal(response.status, 200, JSON.stringify(body));
      return body;
    },
    follow: (query: string, tier: Tier, lastEventId?: string) =>
      follow(t, `${url}/stream?${query}`, key(tier), lastEventId),
    /** Moneylines of one game, by book: home and away in American odds; polled at the clock's time. */
    poll: async (prices: Record<string, [home: number, away: number]>, game: object = GAME, line?: number) => {
      const polled_at = new Date(clock.now()).toISOString();
      const messages = Object.entries(prices).map(([book, [home, away]]) => ({
        book,
        polled_at,
        scope: 'event',
        events: [{ ...game, markets: [line === undefined ? moneyline(home, away) : total(home, away, line)] }],
      }));
      const receipt = await server.engine.ingest(messages);
      assert.deepEqual(receipt.rejected, []);
    },
  };
}

export async function served(t: TestContext, workers: 1 | 2 = 1) {
  const dataDir = newFolder('overround-opportunities-');
  const clock = new ManualClock(NOW_MS);
  return { dataDir, ...(await serverIn(t, dataDir, clock, workers)) };
}

export const GAME = {
  league: 'nba',
  home_team: 'Boston Celtics',
  away_team: 'Los Angeles Lakers',
  start_time: '2026-11-21T00:30:00Z',
};
export const OTHER = {
  league: 'nhl',
  home_team: 'Boston Bruins',
  away_team: 'New York Rangers',
  start_time: '2026-11-21T00:30:00Z',
};

const moneyline = (home: number, away: number) => ({
  market_type: 'moneyline',
  selections: [
    { selection: 'home', selection_type: 'home', odds_american: home },
    { selection: 'away', selection_type: 'away', odds_american: away },
  ],
});

const total = (over: number, under: number, line: number) => ({
  // The name that means each sport's own total.
  market_type: 'totals',
  selections: [
    { selection: 'Over', selection_type: 'over', line, odds_american: over },
    { selection: 'Under', selection_type: 'under', line, odds_american: under },
  ],
});

async function follow(t: TestContext, url: string, key: string, lastEventId?: string): Promise<Followed> {
  const abort = new AbortController();
  t.after(() => abort.abort());
  const headers = { 'x-api-key': key, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) };
  const response = await fetch(url, { headers, signal: abort.signal });
  assert.equal(response.status, 200, await (response.ok ? '' : response.text()));
  const followed: Followed = {
    active: new Map(),
    events: [],
    close: () => abort.abort(),
    until: async (test) => {
      await until(() => `more than ${followed.events.map(({ type }) => type).join(' ')}`, test);
    },
  };
  const take = (text: string) => {
    const field = (name: string) => text.match(new RegExp(`^${name}: (.*)$`, 'm'))?.[1];
    const type = field('event');
    const data = field('data');
    if (type === undefined || data === undefined) return;
    const event = { type, data: JSON.parse(data), id: field('id') };
    const [prefix, what] = type.split(':');
    if (what === 'detected') for (const item of event.data) followed.active.set(`${prefix} ${item.id}`, item);
    if (what === 'expired')
      for (const id of event.data['expired'])
        assert.ok(followed.active.delete(`${prefix} ${id}`), `${id} expired without having been detected`);
    followed.events.push(event);
  };
  void (async () => {
    let text = '';
    for await (const chunk of response.body!) {
      text += Buffer.from(chunk).toString();
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        take(text.slice(0, end));
        text = text.slice(end + 2);
      }
    }
  })().catch(() => undefined);
  return followed;
}

export const ids = (body: Body): string[] => body['data'].map((item: Body) => item['id']).sort();
export const complete = ({ events }: Followed) => events.some(({ type }) => type === 'snapshot:complete');
