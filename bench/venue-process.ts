// The feed of a venue in a server of its own, timing its commits; or controls: only a socket that parses what arrives
// (`bare`), or one whose thread commits each message first (`stored`).
// Commands on standard input: `report` returns what arrived since the last one, `whole` waits until every price is
// back.
import { createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { WebSocket } from 'ws';
import { feed as betfair } from '../src/intake/feeds/betfair/kind.js';
import type { Feed } from '../src/intake/feeds/feed.js';
import { KalshiFeed } from '../src/intake/feeds/kalshi/feed.js';
import { OpticOddsFeed } from '../src/intake/feeds/opticodds/feed.js';
import { PolymarketFeed } from '../src/intake/feeds/polymarket/feed.js';
import { SharpApiFeed } from '../src/intake/feeds/sharpapi/feed.js';
import type { IngestMessage } from '../src/intake/ingest/message.js';
import { loadCatalogue } from '../src/rules/catalogue/load.js';
import { startServing } from '../src/server/start.js';

const [name, data, text] = process.argv.slice(2);
const settings = JSON.parse(text!) as Record<string, string>;
/** The update that a count names, and when it was committed (Unix ms). */
let seen: [count: number, atMs: number][] = [];
const known = new Set<number>();
/** Prices that can be had, by selection. */
const prices = new Map<string, boolean>();
let inactive = 0;
let fellMs = 0;
let usage = process.cpuUsage();

function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

function note(count: number, atMs: number): void {
  if (count < 1_000 || known.has(count)) return;
  known.add(count);
  seen.push([count, atMs]);
}

function committed(messages: readonly IngestMessage[], atMs: number): void {
  for (const { events = [] } of messages)
    for (const { external_id, markets } of events)
      for (const { market_type, selections } of markets)
        for (const { selection_type, line, odds_decimal, size, is_active = true } of selections) {
          const key = `${external_id} ${market_type} ${selection_type} ${line}`;
          if (prices.get(key) !== is_active) {
            if (!is_active) inactive++;
            else if (prices.has(key)) inactive--;
            prices.set(key, is_active);
          }
          if (!is_active || size === undefined) continue;
          note(Math.round(odds_decimal === undefined || name === 'betfair' ? size : size * Number(odds_decimal)), atMs);
        }
  if (inactive > 0 && fellMs === 0) fellMs = atMs;
}

function timed(feed: Feed): Feed {
  return {
    name: feed.name,
    simulated: false,
    stop: () => feed.stop(),
    run: (context) =>
      feed.run({
        ...context,
        sink: async (messages) => {
          const receipt = await context.sink(messages);
          committed(messages, nowMs());
          return receipt;
        },
      }),
  };
}

function feedOf(): Feed | Promise<Feed> {
  const catalogue = loadCatalogue();
  const { restUrl = '', gammaUrl = '', clobUrl = '', wsUrl = '', url = '' } = settings;
  const shared = { wsUrl, catalogue, random: Math.random, discoverEveryMs: 60_000 };
  if (name === 'polymarket') return new PolymarketFeed({ ...shared, gammaUrl, clobUrl, sports: ['nba'] });
  const key = settings['key'];
  if (name === 'kalshi' && key !== undefined)
    return new KalshiFeed({
      ...shared,
      restUrl,
      series: ['KXNBATOTAL'],
      key: { id: settings['keyId']!, key: createPrivateKey(key) },
    });
  if (name === 'opticodds')
    return new OpticOddsFeed({
      url: `${url}/api/v3`,
      apiKey: 'secret',
      leagues: [{ id: 'nba', sport: 'basketball', opticId: 'nba' }],
      books: ['kalshi'],
      bookId: (book) => catalogue.bookId(book),
      random: Math.random,
      checkEveryMs: 60_000,
    });
  if (name === 'sharpapi')
    return new SharpApiFeed({ url: `${url}/api/v1`, apiKey: 'secret', leagues: [], books: [], random: Math.random });
  const venue = {
    betfairStream: { host: '127.0.0.1', port: Number(settings['port']) },
    betfairStreamTls: false,
    betfairApiUrl: url,
    betfairLoginUrl: url,
    betfairAppKey: 'app-key',
    betfairUsername: 'u ser',
    betfairPassword: 'p&ss word',
  };
  const spec = { kind: 'betfair-stream', args: { sports: 'soccer' } };
  return betfair.make(spec, { settings: venue as never, catalogue, depth: 5, random: Math.random });
}

interface BookFrame {
  event_type?: string;
  price_changes?: { size: string }[];
}

/** All books on one connection; `each` is called with the text of every message. */
async function connected(each: (text: string) => void): Promise<void> {
  const events = (await (await fetch(`${settings['gammaUrl']}/events?series_id=10345`)).json()) as {
    markets: { clobTokenIds: string }[];
  }[];
  const tokens = events.flatMap(({ markets }) =>
    markets.flatMap(({ clobTokenIds }) => JSON.parse(clobTokenIds) as string[]),
  );
  const socket = new WebSocket(settings['wsUrl']!, { perMessageDeflate: false });
  socket.on('open', () => socket.send(JSON.stringify({ assets_ids: tokens, type: 'market' })));
  socket.on('message', (frame) => each(String(frame)));
}

function parsed(text: string): void {
  const message = JSON.parse(text) as BookFrame | BookFrame[];
  for (const { price_changes = [] } of [message].flat())
    for (const { size } of price_changes) note(Number(size), nowMs());
}

/** The least that a server does which commits in a thread: it parses the message, commits it, sends it back. */
function stored(): Promise<void> {
  const thread = new Worker(new URL('./servers/committing-thread.js', import.meta.url), {
    workerData: join(data!, 'bare-store'),
  });
  thread.on('message', (message: Uint8Array) => parsed(Buffer.from(message).toString()));
  return connected((text) => {
    // A change is an object; a list is the books at the start.
    if (text.startsWith('{')) thread.postMessage(Buffer.from(text));
  });
}

if (name === 'bare') await connected(parsed);
else if (name === 'stored') await stored();
else
  await startServing({
    settings: { port: '0', data: data!, workers: '1', feed: 'none', log: 'error' },
    feeds: [timed(await feedOf())],
  });
const say = (answer: object): void => void process.stdout.write(`${JSON.stringify(answer)}\n`);
say({ msg: 'listening', port: 0 });

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'report') {
    const { user, system } = process.cpuUsage(usage);
    usage = process.cpuUsage();
    say({ msg: 'report', seen, cpuMs: (user + system) / 1000, prices: prices.size, inactive, fellMs, nowMs: nowMs() });
    seen = [];
    fellMs = inactive > 0 ? fellMs : 0;
  }
});
