// A server whose own feed states changes of prices, in turns with and without ladders beside them; nobody asks for any.
// Prints the CPU time of a change in each turn as one line of JSON.
//   node dist/bench/ladder-process.js DATA TURNS

import { decimalFromAmerican } from '../src/base/model/price.js';
import type { FeedContext } from '../src/intake/feeds/feed.js';
import type { IngestMessage } from '../src/intake/ingest/message.js';
import { startServing } from '../src/server/start.js';
import { Market } from './market.js';

const [data, turns] = process.argv.slice(2);
const EVENTS = 250;
const EVENTS_A_MESSAGE = 25;
const LEVELS = 5;
const WARM = 300;

const market = new Market({ events: EVENTS, books: 2 }, Date.now());
let cents = 1;

/** An amount as exchanges have them. */
function amount(): number {
  cents = (cents * 7919) % 999_983;
  return cents / 100;
}

function ladder(decimal: number) {
  const level = (step: number) => [Math.round(100 * decimal + step) / 100, amount()] as const;
  const steps = Array.from({ length: LEVELS }, (_, i) => i);
  return { back: steps.map((i) => level(-i)), lay: steps.map((i) => level(i + 1)) };
}

type Priced = { odds_american: number; size: number; depth?: object };

/** Both sides of the moneyline move in some games; every message differs from the one before. */
function message(turn: number, ladders: boolean): IngestMessage {
  const from = (turn * EVENTS_A_MESSAGE) % EVENTS;
  const events = Array.from({ length: EVENTS_A_MESSAGE }, (_, i) => from + i);
  const phase = Math.floor((turn * EVENTS_A_MESSAGE) / EVENTS) & 1;
  const stated = market.message(ladders ? 0 : 1, events, () => phase, 1) as IngestMessage;

  const prices = (stated.events ?? []).flatMap(({ markets }) => markets.flatMap(({ selections }) => selections));
  for (const selection of prices as unknown as Priced[]) {
    selection.size = amount();
    if (ladders) selection.depth = ladder(decimalFromAmerican(selection.odds_american));
  }
  return JSON.parse(JSON.stringify(stated)) as IngestMessage;
}

/** CPU microseconds that a change takes, in all threads, until it is committed. */
async function costOf(context: FeedContext, one: IngestMessage): Promise<number> {
  one.polled_at = new Date().toISOString();
  const before = process.cpuUsage();
  await context.sink([one]);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (2 * EVENTS_A_MESSAGE);
}

async function run(context: FeedContext): Promise<void> {
  const cpu = { with: [] as number[], without: [] as number[] };
  for (let turn = 0; turn < WARM + Number(turns); turn++)
    for (const ladders of turn % 2 === 0 ? [true, false] : [false, true]) {
      const one = message(turn, ladders);
      // What the last one left to do is done.
      await new Promise((resolve) => setTimeout(resolve, 5));
      const used = await costOf(context, one);
      if (turn >= WARM) cpu[ladders ? 'with' : 'without'].push(used);
    }
  process.stdout.write(`${JSON.stringify(cpu)}\n`);
  process.exit(0);
}

await startServing({
  settings: { port: '0', data: data!, workers: '1', feed: 'none', log: 'error', history: '0' },
  feeds: [{ name: 'ladders', simulated: false, run, stop: () => {} }],
});
