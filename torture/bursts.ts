// Attacks that are made of what is allowed, too much of it at once: names that differ, requests in one write whose answers
// nobody reads, subscriptions that no other client shares, and the costliest body of each route.
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Random } from '../test/world/random.js';

/** What of an attacker these need. */
export interface Burster {
  readonly random: Random;
  readonly url: string;
  readonly keys: { readonly readers: readonly (string | undefined)[]; readonly ingest: string };
  readonly target: { count(what: string): void };
  send(
    method: string,
    address: string,
    init: RequestInit & { key?: string | undefined; streams?: boolean },
  ): Promise<void>;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Thousands of names in one body, of a game that is there. None has a price, so that no row comes of them. */
export async function manyNames({ random, url, keys, send, target }: Burster): Promise<void> {
  const key = keys.readers.at(-2);
  const games = await fetch(`${url}/api/v1/events?limit=5`, key === undefined ? {} : { headers: { 'x-api-key': key } });
  const { data = [] } = (await games.json()) as { data?: { id: string }[] };
  const eventId = data[0]?.id ?? 'no such event';
  const prefix = random.int(0, 1e9).toString(36);
  const kind = random.pick(['type', 'player', 'selection', 'book', 'league']);
  target.count(`attacks: names of ${kind}s`);
  const name = (i: number): string => `${kind}_${prefix}_${i}`;
  const market = (i: number) => ({
    market_type: kind === 'type' ? name(i) : 'player_points',
    ...(kind === 'player' ? { player_name: name(i) } : {}),
    selections: [{ selection: kind === 'selection' ? name(i) : 'Over', selection_type: 'over', line: 10.5 }],
  });
  const many = Array.from({ length: 3_000 }, (_, i) => i);
  const messages =
    kind === 'book' || kind === 'league'
      ? many.slice(0, 1_000).map((i) => ({
          book: kind === 'book' ? name(i) : 'fuzz',
          scope: 'none',
          polled_at: new Date().toISOString(),
          events: [{ league: kind === 'league' ? name(i) : 'nba', event_id: 'no such event', markets: [market(i)] }],
        }))
      : [
          {
            book: 'fuzz',
            scope: 'none',
            polled_at: new Date().toISOString(),
            events: [{ event_id: eventId, markets: many.map(market) }],
          },
        ];
  await send('POST', '/api/v1/ingest', { key: keys.ingest, headers: JSON_TYPE, body: JSON.stringify(messages) });
}

const LARGE = [
  '/docs/api/swagger-ui.js',
  '/api/v1/openapi.json',
  '/docs',
  '/dashboard',
  '/no/such/path',
  '/api/v1/odds',
];

/** Hundreds of requests in one write, or one after the other, of which no answer is read. */
export async function unreadPipeline({ random, url, keys, target }: Burster): Promise<void> {
  const key = random.pick(keys.readers);
  const path = random.pick(LARGE);
  const own = key === undefined || random.chance(0.5) ? '' : `X-API-Key: ${key}\r\n`;
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n${own}\r\n`;
  const sockets = Array.from({ length: random.int(1, 10) }, () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(random.chance(0.7) ? request.repeat(300) : request);
    return socket;
  });
  for (let i = random.int(1, 50); i > 0; i--) {
    for (const socket of sockets) if (socket.writable) socket.write(request);
    await wait(20);
  }
  target.count(`attacks: pipelines closed ${sockets.filter(({ destroyed }) => destroyed).length > 0}`);
  for (const socket of sockets) socket.resetAndDestroy();
}

/** Connections that are reset while they are answered, also after several requests in one write. */
export async function resetConnections({ random, url, keys, target }: Burster): Promise<void> {
  const key = random.pick(keys.readers);
  const own = key === undefined ? '' : `X-API-Key: ${key}\r\n`;
  const ends = random.chance(0.5) ? 'Connection: close\r\n' : '';
  const body = JSON.stringify({ event_ids: ['x'] });
  const request = random.pick([
    `GET ${random.pick(LARGE)} HTTP/1.1\r\nHost: x\r\n${own}${ends}\r\n`,
    `POST ${random.pick(['/api/v1/odds/batch', '/mcp', '/no'])} HTTP/1.1\r\nHost: x\r\n${own}${ends}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    `GET /api/v1/stream?channel=odds HTTP/1.1\r\nHost: x\r\n${own}\r\n`,
  ]);
  for (let i = 0; i < 20; i++) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(request.repeat(random.chance(0.5) ? 1 : random.int(2, 30)));
    await wait(random.int(0, 5));
    random.chance(0.7) ? socket.resetAndDestroy() : socket.destroy();
  }
  target.count('attacks: connections reset');
}

/** Hundreds of subscriptions on one socket, each with filters that no other client has, and pings among them. */
export async function distinctGroups({ random, url, keys, target }: Burster): Promise<void> {
  const key = random.pick(keys.readers);
  if (key === undefined) return;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?api_key=${key}`);
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await Promise.race([closed, new Promise<void>((resolve) => socket.once('open', () => resolve()))]);
  const states = ['nj', 'pa', 'ny', 'co', 'az', 'il'];
  for (let i = 0; i < 300 && socket.readyState === WebSocket.OPEN; i++) {
    const filters = random.pick<object>([
      { max_hz: 0.1 + i / 20 },
      { state: random.pick(states), min_ev: i / 10 },
      { eventIds: [`e${i}`] },
      { markets: ['moneyline', 'total_points'], max_hz: 20 - i / 20 },
    ]);
    socket.send(JSON.stringify({ type: 'subscribe', id: i, channels: ['odds'], filters }));
    if (i % 3 === 0) socket.ping();
  }
  await Promise.race([closed, wait(random.int(100, 2_000))]);
  target.count('attacks: distinct groups');
  socket.terminate();
}

/** The largest bodies that are accepted, on every route that takes one and works for it. */
export async function costlyBodies({ random, keys, send }: Burster): Promise<void> {
  const key = random.pick(keys.readers);
  const bets = (count: number, more: (i: number) => object): object => ({
    bets: Array.from({ length: count }, (_, i) => ({ odds_id: String(10n ** 18n + BigInt(i)), ...more(i) })),
  });
  const [path, body] = random.pick<[string, object]>([
    ['/api/v1/grade', bets(1_000, () => ({ odds_decimal: 2 }))],
    ['/api/v1/clv', bets(1_000, () => ({ odds_american: -110 }))],
    ['/api/v1/odds/batch', { event_ids: Array.from({ length: 100 }, (_, i) => `e${i}`) }],
    ['/api/v1/deeplinks/batch', { ids: Array.from({ length: 100 }, (_, i) => String(10n ** 18n + BigInt(i))) }],
    [
      '/api/v1/account/bets',
      bets(100, (i) => ({ client_id: `fuzz-${i}`, stake: 1, mode: 'placed', odds_american: 100 })),
    ],
  ]);
  await Promise.all(
    Array.from({ length: 10 }, () => send('POST', path, { key, headers: JSON_TYPE, body: JSON.stringify(body) })),
  );
}
