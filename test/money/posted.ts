// Prices posted to a real server, and the opportunities it lists for them.
import assert from 'node:assert/strict';
import type { IngestEvent, IngestMarket } from '../../src/intake/ingest/message.js';
import type { Body } from '../front/api/serving.js';
import { type Api, api } from '../front/api.js';
import type { Ending } from '../shared.js';

export type Item = Body;

export interface Posted extends Api {
  /** Posts one message of each book with these markets of the game. */
  post(game: Partial<IngestEvent>, books: Record<string, readonly object[]>, atMs?: number): Promise<string>;
  /** The game's items of an endpoint below /opportunities, or of another path, as an Enterprise key sees them. */
  list(path: string): Promise<Item[]>;
  get(path: string): Promise<{ status: number; body: Item }>;
}

export async function posted(t: Ending, flags: Record<string, string> = {}): Promise<Posted> {
  const made = await api(t, flags);
  const ingestKey = made.key('enterprise', { scopes: ['ingest'] });
  const key = made.key('enterprise');
  const get = async (path: string) => {
    const response = await made.fetch(path, { key });
    return { status: response.status, body: (await response.json()) as Item };
  };
  return {
    ...made,
    get,
    post: async (game, books, atMs = made.clock.now()) => {
      const polled_at = new Date(atMs).toISOString();
      const events = (markets: readonly object[]) => [
        { league: 'nba', start_time: '2026-11-21T01:00:00Z', ...game, markets },
      ];
      const messages = Object.entries(books).map(([book, markets]) => ({
        book,
        polled_at,
        scope: 'event',
        events: events(markets),
      }));
      const response = await fetch(`${made.url}/api/v1/ingest`, {
        method: 'POST',
        headers: { 'x-api-key': ingestKey, 'content-type': 'application/json' },
        body: JSON.stringify(messages),
      });
      const body = (await response.json()) as Item;
      assert.deepEqual([response.status, body['rejected']], [200, []]);
      const { data } = (await get(`/events?league=${game.league ?? 'nba'}&limit=200`)).body;
      const found = data.find((event: Item) => event['home_team'] === game.home_team) as Item;
      return (found['event_id'] ?? found['id']) as string;
    },
    list: async (path) => {
      const { status, body } = await get(path);
      assert.equal(status, 200, JSON.stringify(body));
      return body['data'] as Item[];
    },
  };
}

const market = (market_type: string, selections: readonly object[], more: object = {}): IngestMarket =>
  ({ market_type, selections, ...more }) as IngestMarket;

type Size = number | undefined;
const sized = (size: Size) => (size === undefined ? {} : { size });

/** Two sides at decimal prices, with the stakes available at an exchange. */
export const winner = (home: number, away: number, sizes: [Size, Size] = [undefined, undefined], draw?: number) =>
  market('moneyline', [
    { selection: 'home', selection_type: 'home', odds_decimal: home, ...sized(sizes[0]) },
    { selection: 'away', selection_type: 'away', odds_decimal: away, ...sized(sizes[1]) },
    ...(draw === undefined ? [] : [{ selection: 'Draw', selection_type: 'draw', odds_decimal: draw }]),
  ]);

export const total = (line: number, over: number, under: number, sizes: [Size, Size] = [undefined, undefined]) =>
  market('total_points', [
    { selection: 'Over', selection_type: 'over', line, odds_decimal: over, ...sized(sizes[0]) },
    { selection: 'Under', selection_type: 'under', line, odds_decimal: under, ...sized(sizes[1]) },
  ]);

export const spread = (home: number, price: number, other: number, type = 'point_spread') =>
  market(type, [
    { selection: 'home', selection_type: 'home', line: home, odds_decimal: price },
    { selection: 'away', selection_type: 'away', line: 0 - home, odds_decimal: other },
  ]);
