// Streams from outside: raw sockets that may stop reading, and a small market that moves their odds.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { fromSse } from '../../src/client/events.js';
import { LiveTable } from '../../src/client/live-table.js';
import { type SseEvent, SseParser } from '../../src/client/sse-connect.js';
import { checkSse } from '../broadcast/frame-check.js';
import type { Api } from './api.js';

/** A poll as of this second of the test's time, with two rows per line. */
export function ladder(second: number, lines: number, price: number, book = 'fanduel'): object {
  return {
    book,
    polled_at: new Date(Date.UTC(2026, 10, 20, 17) + second * 1000).toISOString(),
    events: ['nba', 'nfl'].map((league) => ({
      league,
      home_team: league === 'nba' ? 'Boston Celtics' : 'Buffalo Bills',
      away_team: league === 'nba' ? 'Miami Heat' : 'Dallas Cowboys',
      start_time: '2026-11-22T00:00:00Z',
      markets: Array.from({ length: lines }, (_, i) => ({
        market_type: 'player_points',
        player_name: `Player ${i}`,
        selections: ['over', 'under'].map((side) => ({
          selection: side,
          selection_type: side,
          line: 20.5,
          odds_american: price,
        })),
      })),
    })),
  };
}

/** An SSE client on a bare socket, so that it can stop reading for real. */
export class RawSse {
  readonly table = new LiveTable();
  readonly events: SseEvent[] = [];
  readonly ids: number[] = [];
  head = '';
  ended = false;
  bytes = 0;
  readonly #socket: Socket;
  readonly #parser = new SseParser();
  #rest = Buffer.alloc(0);

  constructor(api: Api, path: string, key: string, headers: Record<string, string> = {}) {
    const { hostname, port } = new URL(api.url);
    // A small window: what a client does not read must not hide in the kernel.
    this.#socket = connect({ port: Number(port), host: hostname, highWaterMark: 4_096 } as never);
    const lines = Object.entries({ host: 'x', 'x-api-key': key, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    this.#socket.write(`GET /api/v1${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    this.#socket.on('data', (bytes: Buffer) => this.#read(bytes));
    this.#socket.on('close', () => {
      this.ended = true;
    });
    this.#socket.on('error', () => undefined);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  vanish(): void {
    this.#socket.resetAndDestroy();
  }

  #read(bytes: Buffer): void {
    this.bytes += bytes.length;
    this.#rest = Buffer.concat([this.#rest, bytes]);
    if (this.head === '') {
      const end = this.#rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      this.head = this.#rest.toString('latin1', 0, end);
      this.#rest = this.#rest.subarray(end + 4);
    }
    for (;;) {
      // The line break that ends a chunk may only come with the next one.
      if (this.#rest[0] === 0x0d && this.#rest[1] === 0x0a) this.#rest = this.#rest.subarray(2);
      const lineEnd = this.#rest.indexOf('\r\n');
      if (lineEnd < 0) return;
      const size = Number.parseInt(this.#rest.toString('latin1', 0, lineEnd), 16);
      const end = lineEnd + 2 + size;
      if (this.#rest.length < end) return;
      // An answer ends with an empty chunk; its connection may be reused.
      if (size === 0) this.ended = true;
      this.#events(this.#rest.toString('utf8', lineEnd + 2, end));
      this.#rest = this.#rest.subarray(end);
    }
  }

  #events(text: string): void {
    for (const event of this.#parser.push(text)) {
      if (event.data === '') continue;
      this.events.push(event);
      checkSse(event.event, JSON.parse(event.data));
      // An empty id means that earlier ones are invalid.
      if (event.id !== undefined && event.id !== '') {
        const id = Number(event.id.slice('evt_'.length));
        assert.ok(id > (this.ids.at(-1) ?? 0), 'ids rise');
        this.ids.push(id);
      }
      for (const merged of fromSse(event.event, event.data, event.id).events) this.table.apply(merged);
    }
  }
}

/** Id and price of every row a table holds. */
export function rowsOf(table: LiveTable): string[] {
  return [...table.odds.values()].map((row) => `${row.id} ${row.odds_american}`).sort();
}

/** The same of the server's own table. */
export function served(api: Api): string[] {
  const { columns } = api.server.engine.table;
  const rows: string[] = [];
  for (let slot = 1; slot < columns.limit; slot++)
    if (columns.id.at(slot)) rows.push(`${columns.id.at(slot)} ${columns.american[slot]}`);
  return rows.sort();
}

/**
 * Changes prices until this many clients that read nothing are full and the kernel accepts nothing more for them,
 * however often it is offered. `second` is that of the next poll; resolves to the one after the last.
 */
export async function untilStuck({ server, ingest }: Api, second: number, clients: number): Promise<number> {
  const { broadcaster } = server;
  let next = second;
  for (let sweeps = 0; sweeps < 5; next++) {
    await ingest(ladder(next, 400, -110 - (next % 50)));
    broadcaster.sweep();
    sweeps = broadcaster.fullCount < clients ? 0 : sweeps + 1;
  }
  return next;
}
