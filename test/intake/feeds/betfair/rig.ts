// A whole server whose one feed follows the simulated Betfair, and the contents of its table.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type RunningServer, startServer } from '../../../../src/index.js';
import { createLog } from '../../../../src/server/observe/log.js';
import { eventually } from '../../../support/until.js';
import { newFolder } from '../../../temp-folders.js';
import { feedIn } from '../access.js';
import { BetfairVenue, type VenueMarket } from './venue.js';
import { shownBy } from './worlds.js';

export interface Rig {
  venue: BetfairVenue;
  server: RunningServer;
  /** Rows of the book: `event|market|side|line` to price and size, or `inactive`. */
  table(): Promise<Map<string, string>>;
  /** The commission that each event's moneyline has in best odds; Betfair has the best price. */
  rates(): Promise<Map<string, number>>;
  /** What the server logged. */
  log: string[];
  health(): Promise<{ feeds: { state: string; error: string | null }[] }>;
}

export interface RigOptions {
  markets: readonly VenueMarket[];
  prepare?(venue: BetfairVenue): void;
}

export async function betfairRig(t: TestContext, { markets, prepare }: RigOptions): Promise<Rig> {
  const venue = new BetfairVenue();
  await venue.listen();
  for (const market of markets) venue.put(market);
  prepare?.(venue);
  const dir = newFolder('overround-betfair-');
  const log: string[] = [];
  const server = await startServer({
    settings: { port: '0', data: dir, workers: '1', feed: 'none', history: '0' },
    log: createLog('info', { write: (text) => void log.push(text) }),
    feeds: async () => [
      await feedIn('betfair-stream:sports=soccer,basketball', {
        BETFAIR_STREAM: `127.0.0.1:${venue.port}`,
        BETFAIR_STREAM_TLS: 'no',
        BETFAIR_API_URL: venue.url,
        BETFAIR_LOGIN_URL: venue.url,
        BETFAIR_APP_KEY: 'app-key',
        BETFAIR_USERNAME: 'u ser',
        BETFAIR_PASSWORD: 'p&ss word',
      }),
    ],
  });
  t.after(async () => {
    await server.close();
    await venue.close();
  });
  const get = async (path: string) => {
    const response = await fetch(`${server.url}/api/v1${path}`, {
      headers: { 'X-API-Key': server.ownKey('enterprise')! },
    });
    // biome-ignore lint/suspicious/noExplicitAny: read field by field
    return (await response.json()) as any;
  };
  return {
    venue,
    server,
    log,
    rates: async () => {
      const eventOf = new Map<string, string>();
      for (const { id, external_ids } of (await get('/events?limit=200')).data) eventOf.set(id, external_ids.betfair);
      const rates = new Map<string, number>();
      for (const { event_id, commission } of (await get('/odds/best?market=moneyline&limit=200')).data)
        rates.set(eventOf.get(event_id)!, commission.rate);
      return rates;
    },
    table: async () => {
      const eventOf = new Map<string, string>();
      for (const { id, external_ids } of (await get('/events?limit=200')).data) eventOf.set(id, external_ids.betfair);
      const rows = new Map<string, string>();
      for (const row of (await get('/odds?sportsbook=betfair&limit=200')).data) {
        const key = [eventOf.get(row.event_id), row.market_type, row.selection_type, row.line ?? ''].join('|');
        rows.set(key, row.is_active === false ? 'inactive' : `${row.odds_decimal.toFixed(6)} for ${row.size}`);
      }
      return rows;
    },
    health: () => get('/health'),
  };
}

async function compared(rig: Rig): Promise<{ table: [string, string][]; venue: [string, string][] }> {
  const table = [...(await rig.table())].filter(([, price]) => price !== 'inactive').sort();
  return { table, venue: [...shownBy(rig.venue.markets.values())].sort() };
}

/** Waits until the active rows equal the venue's state. */
export function isExact(rig: Rig): Promise<void> {
  return eventually(async () => {
    const { table, venue } = await compared(rig);
    assert.ok(venue.length > 0, 'nothing is on show');
    assert.deepEqual(table, venue);
  });
}
