// A real server with one feed, and its rows of one book as in the REST API.
import type { TestContext } from 'node:test';
import { type RunningServer, startServer } from '../../../../src/index.js';
import type { Feed } from '../../../../src/intake/feeds/feed.js';
import { loadCatalogue } from '../../../../src/rules/catalogue/load.js';
import { createLog } from '../../../../src/server/observe/log.js';
import { newFolder } from '../../../temp-folders.js';

export const catalogue = loadCatalogue();

export interface ShownRow {
  id: string;
  event_id: string;
  league: string;
  market_type: string;
  selection: string;
  selection_type: string;
  line: number | null;
  odds_decimal: number;
  is_active?: boolean;
  is_alternate_line?: boolean;
  size?: number;
  depth?: { back: [number, number][]; lay: [number, number][] };
  volume_24h?: number;
  open_interest?: number;
  exchange_token_id?: string;
  commission?: object;
}

export interface Served {
  server: RunningServer;
  /** Warnings and errors. */
  log: string[];
  /** A path under /api/v1 as JSON, requested with a key of the highest tier. */
  read(path: string): Promise<Record<string, unknown>>;
  rows(book: string): Promise<ShownRow[]>;
  close(): Promise<void>;
}

export async function served(
  t: TestContext,
  feed: Feed | readonly Feed[],
  options: { data?: string; settings?: Record<string, string> } = {},
): Promise<Served> {
  const data = options.data ?? newFolder('overround-venue-');
  const settings = { port: '0', data, workers: '1', log: 'silent', history: '0', ...options.settings };
  const log: string[] = [];
  const write = (line: string): void => void log.push(line);
  const server = await startServer({ settings, feeds: [feed].flat(), log: createLog('warn', { write }) });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= server.close());
  t.after(close);
  const key = server.ownKey('enterprise')!;
  const read = async (path: string) => {
    const response = await fetch(`${server.url}/api/v1${path}`, { headers: { 'x-api-key': key } });
    return (await response.json()) as Record<string, unknown>;
  };
  const rows = async (book: string) => {
    const found: ShownRow[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { data: ShownRow[]; pagination: { next_cursor: string | null } } = (await read(
        `/odds?sportsbook=${book}&include=depth&limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )) as never;
      if (!Array.isArray(page.data)) throw new Error(JSON.stringify(page));
      found.push(...page.data);
      cursor = page.pagination.next_cursor ?? null;
    }
    return found;
  };
  return { server, log, read, rows, close };
}
