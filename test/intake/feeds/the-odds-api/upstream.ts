// A stand-in for The Odds API on a real port, and a feed context whose time the test controls.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManualClock } from '../../../../src/base/model/clock.js';
import type { FeedContext, IngestReceipt } from '../../../../src/intake/feeds/feed.js';
import type { Wait } from '../../../../src/intake/feeds/wait.js';
import type { IngestMessage } from '../../../../src/intake/ingest/message.js';

export type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void;

export interface Upstream {
  url: string;
  /** Path and query of every request. */
  requests: string[];
  close(): Promise<void>;
}

export async function upstream(handler: Handler): Promise<Upstream> {
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(request.url ?? '');
    handler(request, response, requests.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export interface Stage {
  context: FeedContext;
  clock: ManualClock;
  /** Batches passed to the sink. */
  batches: IngestMessage[][];
  /** Everything logged, as text. */
  log: { level: string; message: string; fields: Record<string, unknown> }[];
  /** Milliseconds of every wait. */
  waits: number[];
  wait: Wait;
}

export const START_MS = Date.UTC(2026, 4, 2, 18);

/** Waits take no time but advance the clock; `stop` is called at wait number `until` (from 1). */
export function stage(until: number, stop: () => void, receive?: (batch: number) => Partial<IngestReceipt>): Stage {
  const clock = new ManualClock(START_MS);
  const batches: IngestMessage[][] = [];
  const log: Stage['log'] = [];
  const waits: number[] = [];
  const at =
    (level: string) =>
    (fields: object, message: string): void => {
      log.push({ level, message, fields: fields as Record<string, unknown> });
    };
  return {
    clock,
    batches,
    log,
    waits,
    wait: async (ms, signal) => {
      waits.push(ms);
      if (waits.length >= until) stop();
      clock.set(clock.now() + ms);
      return !signal.aborted;
    },
    context: {
      clock,
      log: { info: at('info'), warn: at('warn'), error: at('error') },
      sink: async (messages) => {
        batches.push(messages);
        return { accepted: messages.length, changed: 0, removed: 0, rejected: [], ...receive?.(batches.length) };
      },
    },
  };
}
