// An assistant over MCP: one session after another, reading all odds with a tool page by page into a table.
import type { OddsRow } from '../src/client/types.js';
import { Polling } from './polling.js';
import type { Reader } from './readers.js';
import type { Run } from './run.js';

const POLL_MS = 250;
const FIELDS = [
  ...[
    'id',
    'sportsbook',
    'league',
    'home_team',
    'away_team',
    'team_name',
    'event_start_time',
    'market_type',
    'selection_type',
  ],
  ...['player_name', 'line', 'is_alternate_line', 'odds_american', 'odds_decimal', 'is_active', 'is_live'],
  'odds_changed_at',
].join(',');
const NO_SESSION = 404;

interface Page {
  data: OddsRow[];
  pagination: { next_cursor?: string };
}

interface Result {
  isError?: boolean;
  structuredContent?: Page & { error?: { code: string } };
}

class Assistant {
  readonly #run: Run;
  readonly #key: string;
  readonly #polling: Polling;
  /** A session belongs to the node that began it. */
  #session: { id: string; base: string } | undefined;
  #asked = 0;
  table: Map<string, OddsRow> | undefined;

  constructor(run: Run, key: string) {
    this.#run = run;
    this.#key = key;
    this.#polling = new Polling(
      () => run.pollMs(POLL_MS),
      () => this.#look(),
    );
  }

  close(): Promise<void> {
    return this.#polling.close();
  }

  async #look(): Promise<void> {
    const table = await this.#walk();
    if (table === undefined) return;
    this.table = table;
    this.#run.count('MCP: walks');
  }

  /** Every page; undefined if one could not be read. */
  async #walk(): Promise<Map<string, OddsRow> | undefined> {
    const rows = new Map<string, OddsRow>();
    let cursor: string | undefined;
    do {
      const page = await this.#call({ fields: FIELDS, limit: 200, ...(cursor === undefined ? {} : { cursor }) });
      if (page === undefined) return undefined;
      for (const row of page.data) {
        const lie = this.#run.truth.lie(row);
        if (lie !== null) this.#run.find('no state that never was', `MCP: ${lie}`);
        rows.set(row.id, row);
      }
      cursor = page.pagination.next_cursor;
    } while (cursor !== undefined && this.#polling.isOpen);
    return this.#polling.isOpen ? rows : undefined;
  }

  async #call(args: object): Promise<Page | undefined> {
    this.#session ??= await this.#begin();
    if (this.#session === undefined) return undefined;
    const { id, base } = this.#session;
    const answer = await this.#post(
      base,
      'tools/call',
      { name: 'get_odds', arguments: args },
      { 'mcp-session-id': id },
    );
    if (answer?.status !== 200) {
      if (answer?.status === NO_SESSION) this.#run.count('MCP: sessions over');
      this.#session = undefined;
      return undefined;
    }
    const { result, error } = answer.body as { result?: Result; error?: object };
    const content = result?.structuredContent;
    if (content?.error?.code === 'unavailable' && !this.#run.calm) return undefined;
    if (result === undefined || result.isError === true || content === undefined) {
      this.#run.find('MCP answers', JSON.stringify(error ?? result));
      return undefined;
    }
    return content;
  }

  async #begin(): Promise<{ id: string; base: string } | undefined> {
    const base = this.#run.deployment.url;
    const clientInfo = { name: 'torture', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const answer = await this.#post(base, 'initialize', params, {});
    if (answer?.status !== 200) return undefined;
    this.#run.count('MCP: sessions');
    return { id: answer.headers.get('mcp-session-id')!, base };
  }

  #post(base: string, method: string, params: object, headers: Record<string, string>) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++this.#asked, method, params });
    const accept = 'application/json, text/event-stream';
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json', accept, ...headers } };
    return this.#run.call('/mcp', this.#key, init, base);
  }
}

export function mcpReader(run: Run, key: string): Reader {
  const assistant = new Assistant(run, key);
  return { name: 'MCP', table: () => assistant.table, close: () => assistant.close() };
}
