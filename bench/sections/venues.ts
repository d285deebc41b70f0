// Feeds of venues with a connection: from a venue's message to its commit, many updates a second of one venue on one core,
// and how soon everything is whole again after all connections were cut.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, Section } from '../bench.js';
import { type Child, listening, pin, SERVER_CORE, start, wait } from '../process.js';
import { quantile } from '../statistics.js';
import { VENUES, type VenueName, type VenueWorld, venueWorld } from '../venue-worlds.js';

const PROGRAM = fileURLToPath(new URL('../venue-process.js', import.meta.url));
const QUIET_PER_SECOND = 100;
const BUSY_PER_SECOND = 5_000;
const RECONNECT_MARKETS = 2_000;
const TICK_MS = 5;

interface Report {
  seen: [count: number, atMs: number][];
  cpuMs: number;
  prices: number;
  inactive: number;
  fellMs: number;
  nowMs: number;
}

let folders = 0;
let updates = 1_000;

async function started(bench: Bench, name: VenueName | 'bare' | 'stored', { settings }: VenueWorld): Promise<Child> {
  const data = join(bench.folder, `venue-${folders++}`);
  const child = start(process.execPath, [PROGRAM, name, data, JSON.stringify(settings)], SERVER_CORE);
  await listening(child);
  return child;
}

async function report(child: Child): Promise<Report> {
  child.process.stdin!.write('report\n');
  return JSON.parse(await child.line()) as Report;
}

async function until(child: Child, holds: (now: Report) => boolean, what: string): Promise<Report> {
  for (const endMs = Date.now() + 30_000; Date.now() < endMs; ) {
    const now = await report(child);
    if (holds(now)) return now;
    await wait(50);
  }
  throw new Error(`not within 30 s: ${what}`);
}

/** Offers come and go at so many updates a second; returns each one's delay (ms) and the CPU used, of a second. */
async function run(child: Child, world: VenueWorld, perSecond: number, seconds: number) {
  const sent = new Map<number, number>();
  const offered = new Set<number>();
  let question = 0;
  await report(child);
  const startMs = performance.now();
  let done = 0;
  const endMs = startMs + seconds * 1000;
  for (let now = startMs; now < endMs; now = performance.now()) {
    for (const due = ((now - startMs) / 1000) * perSecond; done < due; done++) {
      const at = question++ % world.questions;
      if (offered.delete(at)) world.offer(at, null);
      else {
        offered.add(at);
        sent.set(++updates, performance.timeOrigin + performance.now());
        world.offer(at, updates);
      }
    }
    await wait(TICK_MS);
  }
  const delays: number[] = [];
  let cpuMs = 0;
  const take = (now: Report): void => {
    cpuMs ||= now.cpuMs;
    for (const [count, atMs] of now.seen) {
      const sentMs = sent.get(count);
      if (sentMs !== undefined) delays.push(atMs - sentMs);
    }
  };
  take(await report(child));
  await wait(1_000);
  take(await report(child));
  for (const at of offered) world.offer(at, null);
  return { delays, sent: sent.size, rate: done / seconds, cpu: cpuMs / (seconds * 1000) };
}

const LABELS: Record<VenueName, string> = {
  polymarket: 'Polymarket',
  kalshi: 'Kalshi',
  betfair: 'Betfair',
  opticodds: 'OpticOdds',
  sharpapi: 'SharpAPI',
};

async function oneVenue(bench: Bench, name: VenueName): Promise<void> {
  const label = LABELS[name];
  const world = await venueWorld(name, 20, 10);
  const child = await started(bench, name, world);
  try {
    await until(child, ({ prices, inactive }) => prices === 2 * world.questions && inactive === 0, `${label}'s books`);
    // First, so that one message is measured on a program as compiled as it is after minutes.
    await run(child, world, BUSY_PER_SECOND, 2);
    const busy = await run(child, world, BUSY_PER_SECOND, bench.full ? 15 : 5);
    bench.figure(`${label}: CPU of one core at ${Math.round(busy.rate)} updates/s`, 100 * busy.cpu, '%', 100);
    bench.figure(`${label}: message to commit at that rate, p50`, quantile(busy.delays, 0.5), 'ms');
    bench.figure(`${label}: message to commit at that rate, p99`, quantile(busy.delays, 0.99), 'ms');
    // What changes again before it is committed is committed as it stands then.
    bench.figure(`${label}: of these committed as they were`, (100 * busy.delays.length) / busy.sent, '%');
    // Many updates are to fit on one core; how long one takes is another question.
    const quiet = await oneByOne(bench, child, world);
    const p50 = quantile(quiet, 0.5);
    bench.figure(`${label}: message to commit, p50`, p50, 'ms', 3);
    bench.figure(`${label}: message to commit, p99`, quantile(quiet, 0.99), 'ms');
    if (name !== 'polymarket') return;
    await child.stop();
    const bare = await control(bench, 'bare', world);
    bench.figure('bare socket: message to parsed, p50', bare, 'ms');
    bench.ratio('commit-p50', 'message to commit', 'a bare socket', bare / p50);
    const stored = await control(bench, 'stored', world);
    bench.figure('bare socket, and a thread that commits the message: p50', stored, 'ms');
    bench.ratio('commit-limit', 'message to commit', 'a bare socket with a thread that commits', stored / p50);
  } finally {
    await child.stop();
    await world.close();
  }
}

/** Delays (ms) of updates that come one by one, on all cores. */
async function oneByOne(bench: Bench, child: Child, world: VenueWorld): Promise<number[]> {
  pin(child.pid, null);
  await run(child, world, QUIET_PER_SECOND, 2);
  return (await run(child, world, QUIET_PER_SECOND, bench.full ? 15 : 5)).delays;
}

/** p50 (ms) of the same updates in a process without a server. */
async function control(bench: Bench, name: 'bare' | 'stored', world: VenueWorld): Promise<number> {
  const child = await started(bench, name, world);
  try {
    await wait(500);
    await run(child, world, BUSY_PER_SECOND, 2);
    return quantile(await oneByOne(bench, child, world), 0.5);
  } finally {
    await child.stop();
  }
}

async function reconnect(bench: Bench): Promise<void> {
  for (const name of ['polymarket', 'kalshi'] as const) {
    const world = await venueWorld(name, RECONNECT_MARKETS / 20, 20);
    const child = await started(bench, name, world);
    try {
      const all = 2 * world.questions;
      await until(child, ({ prices, inactive }) => prices === all && inactive === 0, 'all books');
      const cutMs = performance.timeOrigin + performance.now();
      world.cut();
      const fallen = await until(child, ({ fellMs }) => fellMs > cutMs, 'the fall');
      const whole = await until(child, ({ inactive }) => inactive === 0, 'whole again');
      const label = `${LABELS[name]}, ${RECONNECT_MARKETS} markets cut off`;
      bench.figure(`${label}: inactive after`, fallen.fellMs - cutMs, 'ms', 10_000);
      bench.figure(`${label}: whole again after`, whole.nowMs - cutMs, 'ms', 5_000);
    } finally {
      await child.stop();
      await world.close();
    }
  }
}

export const venues: Section = {
  name: 'venues',
  about: "feeds of exchanges: a venue's message to its commit, 5,000 updates/s on one core, reconnects",
  underLoad: false,
  run: async (bench) => {
    for (const name of VENUES) await oneVenue(bench, name);
    await reconnect(bench);
  },
};
