// A real server on a free port, with real accounts in a temporary directory.
import { connect } from 'node:net';
import { Registry } from 'prom-client';
import { type Accounts, openAccounts } from '../../../src/accounts/accounts.js';
import type { NewKey } from '../../../src/accounts/key-commands.js';
import { UsageCounters } from '../../../src/accounts/usage.js';
import { ManualClock } from '../../../src/base/model/clock.js';
import type { Route } from '../../../src/front/http/context.js';
import { HttpServer } from '../../../src/front/http/server.js';
import type { Tier } from '../../../src/rules/catalogue/types.js';
import { metricsRoute } from '../../../src/server/metrics-route.js';
import { createLog } from '../../../src/server/observe/log.js';
import { observeHttp } from '../../../src/server/observe/stage-metrics.js';
import { atOnce } from '../../accounts/keys-at-once.js';
import type { Ending } from '../../shared.js';
import { newFolder } from '../../temp-folders.js';
import { catalogue } from '../../writer/shard/rig.js';

export interface Running {
  server: HttpServer;
  accounts: Accounts;
  usage: UsageCounters;
  clock: ManualClock;
  port: number;
  url: string;
  /** Every line logged. */
  logged: string[];
  key(tier: Tier, options?: Omit<NewKey, 'tier'>): string;
  get(path: string, key?: string): Promise<Response>;
}

export async function running(
  t: Ending,
  routes: readonly Route[],
  options: { bodyBytesMax?: number; trustProxy?: boolean; listen?: false } = {},
): Promise<Running> {
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 18, 0, 30));
  const accounts = openAccounts(newFolder(), clock);
  const logged: string[] = [];
  const log = createLog('debug', { write: (line) => logged.push(line) });
  const usage = new UsageCounters(accounts.control, clock, (error) => log.error({ err: error }, 'usage'));
  const registry = new Registry();
  const server = new HttpServer({
    routes: [...routes, metricsRoute(registry, clock)],
    accounts,
    usage,
    clock,
    log,
    source: registry,
    names: catalogue,
    trustProxy: options.trustProxy ?? false,
    bodyBytesMax: options.bodyBytesMax ?? 8 * 1024 * 1024,
  });
  const unsubscribe = observeHttp(registry, registry, server);
  const port = options.listen === false ? 0 : await server.listen('127.0.0.1', 0);
  const url = `http://127.0.0.1:${port}`;
  t.after(async () => {
    await server.close(1000);
    unsubscribe();
    await usage.close();
    await accounts.close();
  });
  return {
    server,
    accounts,
    usage,
    clock,
    port,
    url,
    logged,
    key: (tier, rights = {}) => atOnce(accounts).create({ tier, ...rights }).key,
    get: (path, key) => fetch(url + path, key === undefined ? {} : { headers: { 'x-api-key': key } }),
  };
}

/** Sends bytes on a new socket; returns what was received until the server closed it or `until` matched. */
export function rawExchange(port: number, bytes: string | Buffer, until: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const finish = () => {
      socket.destroy();
      resolve(received);
    };
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (until.test(received)) finish();
    });
    socket.on('close', finish);
    // The server may close while we are still sending: what it sent before counts.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') finish();
      else reject(error);
    });
    socket.write(bytes);
  });
}

export async function errorOf(
  response: Response,
): Promise<{ status: number; code: string; message: string; reason?: string; tier?: string; retryAfter?: number }> {
  const body = (await response.json()) as { error: { code: string; message: string } };
  return { status: response.status, ...body.error };
}
