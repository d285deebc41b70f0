// `overround sink TARGET --from SERVER --key K`: follows a running server and writes what it says.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { present } from '../base/model/present.js';
import { OverroundError, type SocketFilters, type WebSocketConstructor } from '../client/client.js';
import { loadCatalogue } from '../rules/catalogue/load.js';
import type { CommandContext } from './command-context.js';
import { unknownFilterNames } from './filter-names.js';
import { CommandError } from './keys.js';
import { SinkRun, type SinkStatus } from './sink/follow.js';
import { SinkError, type Target } from './sink/target.js';
import type { SinkFlags } from './sink-command.js';

type SinkContext = Pick<CommandContext, 'clock' | 'write' | 'err'> & { signal: AbortSignal };

/** Rejects with CommandError where it cannot go on. */
export async function sink(address: string, flags: SinkFlags, context: SinkContext): Promise<void> {
  const { err, signal } = context;
  if (!URL.canParse(flags.from) || !/^https?:$/.test(new URL(flags.from).protocol))
    throw new CommandError(`--from ${flags.from} is no address of a server (http://host:port)`);
  const target = await targetOf(address, flags, context);
  const run = new SinkRun({
    url: flags.from,
    apiKey: flags.key,
    name: flags.name,
    filters: filtersOf(flags),
    target,
    WebSocket: WebSocket as unknown as WebSocketConstructor,
    tell: (text) => err(`overround: sink: ${text}\n`),
    signal,
  });
  const shown = flags.status === undefined ? undefined : await showStatus(flags.status, run.status, err);
  try {
    await run.run();
  } catch (error) {
    if (error instanceof OverroundError) throw new CommandError(`${error.code}: ${error.message}`);
    throw error instanceof SinkError ? new CommandError(`${error.message}${nearestTo(error.message, flags)}`) : error;
  } finally {
    shown?.closeAllConnections();
    shown?.close();
  }
}

/** The server may know names that this program does not: hints only for those that it refused. */
function nearestTo(refusal: string, flags: SinkFlags): string {
  const hints = unknownFilterNames(flags, loadCatalogue())
    .filter(({ name, told }) => refusal.includes(name) && told.endsWith(')'))
    .map(({ told }) => told);
  return hints.length === 0 ? '' : `: ${hints.join(', ')}`;
}

async function targetOf(address: string, flags: SinkFlags, { clock, write }: SinkContext): Promise<Target> {
  const [, kind, rest = ''] = /^(\w+):(.*)$/.exec(address) ?? [];
  if (kind === 'postgres' || kind === 'postgresql') {
    const { Postgres } = await import('./sink/postgres.js');
    return new Postgres(address, flags.name, flags.schema);
  }
  if (kind === 'sqlite' && rest !== '') {
    const { Sqlite } = await import('./sink/sqlite.js');
    return new Sqlite(rest, flags.name);
  }
  if (kind === 'parquet' && rest !== '') {
    const { Parquet } = await import('./sink/parquet.js');
    return new Parquet(rest, flags.name, flags.every * 1_000, () => clock.now());
  }
  if (kind === 'ndjson' && rest === '-') {
    const { Ndjson } = await import('./sink/ndjson.js');
    return new Ndjson(write, flags.after ?? null);
  }
  throw new CommandError(`${address} is no target: postgres://…, sqlite:FILE, parquet:DIR or ndjson:-`);
}

function filtersOf(flags: SinkFlags): SocketFilters {
  return present({
    sports: flags.sport,
    leagues: flags.league,
    sportsbooks: flags.sportsbook,
    markets: flags.market,
    eventIds: flags.event,
    min_ev: flags.minEv,
    min_profit: flags.minProfit,
    max_hold: flags.maxHold,
    min_size: flags.minSize,
  });
}

async function showStatus(port: number, status: SinkStatus, err: (text: string) => void): Promise<Server> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`${JSON.stringify(status)}\n`);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: Error) => {
    throw new CommandError(`--status ${port}: ${error.message}`);
  });
  err(`overround: sink: status at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  return server;
}
