// Detection: market re-evaluations a second and core after one book's price changed, by market, books, universes and kind,
// with the same maths over plain objects as control. Run by itself: node dist/bench/detection.js
import { fileURLToPath } from 'node:url';
import { BET_KINDS, type BetKind } from '../src/base/model/opportunity.js';
import { NOW_MS, recordsIn, type Scenario, World } from './detection-world.js';
import { plainEvaluation } from './plain-detection.js';
import { median, pairedRatio } from './statistics.js';

interface Size {
  events: number;
  changesPerBatch: number;
}

const SIZE: Size = { events: 500, changesPerBatch: 100 };
/** Each change of a batch is of another market here, too. */
const CACHED: Size = { events: 20, changesPerBatch: 10 };

/** How long is measured: rounds of so much CPU time (ms) on either side. */
export interface Effort {
  rounds: number;
  roundMs: number;
  /** What a scenario has that none before it had is compiled first. */
  warmMs: number;
}

const USUAL = { rounds: 5, warmMs: 300 };

/** Markets per second of this thread's own CPU time. */
function rate(roundMs: number, run: (from: number) => number): number {
  const started = process.cpuUsage();
  let done = 0;
  for (;;) {
    // Reading the CPU time costs as much as an evaluation.
    for (let i = 0; i < 20; i++) done += run(done);
    const used = process.cpuUsage(started);
    const usedMs = (used.user + used.system) / 1000;
    if (usedMs >= roundMs) return (1000 * done) / usedMs;
  }
}

export interface DetectionRates {
  /** Markets a second: typed arrays, and plain objects. */
  ours: number;
  plain: number;
  /** Median of the ratios of the same rounds. */
  ratio: number;
}

export interface DetectionResult extends DetectionRates {
  name: string;
  /** `ratio` of so few markets that both stay in the processor's nearest caches. */
  cachedRatio: number;
}

/** Calls `found` after each scenario, each of whose rounds takes `roundMs` of CPU time on either side. */
export function benchDetection(roundMs: number, all: boolean, found: (result: DetectionResult) => void): void {
  for (const [name, scenario] of all ? [...SCENARIOS, ...ON_THE_WAY] : SCENARIOS)
    found({ name, ...measured(scenario, { ...USUAL, roundMs }) });
}

export interface DetectionLimit {
  name: string;
  /** Stable, for the names of ratios. */
  id: string;
  /** Markets a second of these: SIZE events, so few that they stay in the processor's nearest caches, and no evaluation at all. */
  ours: number;
  cached: number;
  read: number;
  /** Ours to `read`, median of the same rounds. */
  ratio: number;
  /** Where most changes are news: `read` with as many records and ids made, and ours to it. */
  made: { rate: number; ratio: number } | null;
}

/**
 * What stands between detection and a higher rate: waiting for memory, and news. Each change is of another event, as live;
 * the controls change the same rows and read those of its book, with nothing evaluated, and make as much news of nothing.
 */
export function benchLimits(roundMs: number, found: (limit: DetectionLimit) => void): void {
  for (const { id, name, scenario: at } of LIMITED) {
    const world = new World(at, SIZE.events);
    const runs = [
      batchesOf(world),
      batchesOf(new World(at, CACHED.events)),
      readsOf(new World(at, SIZE.events)),
      ...(at.news ? [makesOf(new World(at, SIZE.events), world.counts)] : []),
    ];
    for (const run of runs) rate(USUAL.warmMs, run);
    const rates = runs.map((): number[] => []);
    for (let round = 0; round < USUAL.rounds; round++)
      for (const [at, run] of runs.entries()) rates[at]!.push(rate(roundMs, run));
    const [ours, cached, read, made] = rates;
    found({
      name,
      id,
      ours: median(ours!),
      cached: median(cached!),
      read: median(read!),
      ratio: pairedRatio(ours!, read!),
      made: made === undefined ? null : { rate: median(made), ratio: pairedRatio(ours!, made) },
    });
  }
}

/** `DetectionLimit` in words. */
export function limitLine({ name, ours, cached, read, ratio, made }: DetectionLimit): string {
  const k = (value: number) => `${Math.round(value / 1000)}k`;
  const making = made === null ? '' : `; records and ids made as well ${k(made.rate)}, x ${made.ratio.toFixed(2)}`;
  return `${name}: ${k(ours)} markets/s at ${SIZE.events} events, ${k(cached)} at ${CACHED.events}; rows read alone ${k(read)}, x ${ratio.toFixed(2)}${making}`;
}

const batchesOf = (world: World) => (from: number) => world.batch(from, SIZE.changesPerBatch);

const readsOf = (world: World) => (from: number) => {
  for (let i = from; i < from + SIZE.changesPerBatch; i++) world.read(i);
  return SIZE.changesPerBatch;
};

const makesOf = (world: World, counts: World['counts']) => (from: number) => {
  for (let i = from; i < from + SIZE.changesPerBatch; i++) world.make(i, counts);
  return SIZE.changesPerBatch;
};

/** Three-way markets with a sharp reference, at another size. */
export function detectionAt(size: Partial<Pick<Scenario, 'books' | 'universes'>>, roundMs: number): DetectionRates {
  return measure({ ...THREE_WAY, ...size }, { ...USUAL, roundMs }, SIZE);
}

export interface KindResult extends Omit<DetectionResult, 'name'> {
  /** What the report calls it. */
  kind: string;
  /** Stable, for the names of ratios. */
  id: string;
  /** False where nothing is looked for, and the two do not do the same then: ours sums up the best prices all the same. */
  comparable: boolean;
}

/** Markets of one shape, and how many of each kind are found there before the first change. */
export interface JudgedRow {
  id: string;
  market: string;
  markets: number;
  found: ReadonlyMap<BetKind, number>;
}

/**
 * Each kind looked for alone, where some markets hold something of each that stands. It is the whole way of a change all
 * the same: the price is noted, its line's prices are put in order, the best of every side are summed up (an EV row says
 * whether there is an arbitrage, too), and what is alive is kept. What that costs by itself is the figure of nothing
 * looked for, and is part of every other: kinds do not add up to all kinds.
 */
export function benchKinds(
  effort: Effort,
  stands: (standing: JudgedRow) => void,
  found: (standing: JudgedRow, result: KindResult) => void,
): void {
  for (const { id, market, scenario, kinds } of MARKETS_OF_KINDS) {
    const standing: JudgedRow = { id, market, markets: SIZE.events, found: foundIn(scenario, kinds) };
    stands(standing);
    const one = (kind: string, name: string, kinds: readonly BetKind[]): void => {
      const rates = measured({ ...scenario, kinds: new Set(kinds) }, effort);
      found(standing, { kind, id: `${id}-${name}`, comparable: kinds.length > 0, ...rates });
    };
    // First, so that none of them pays for what is compiled for all.
    one('all kinds', 'all', BET_KINDS);
    for (const kind of kinds) one(KIND_NAMES[kind], kind.replace('_', '-'), [kind]);
    one('no kind', 'none', []);
  }
}

/** What `Standing` says, in words. */
export function standingLine({ market, markets, found }: JudgedRow): string {
  const counts = [...found].map(([kind, count]) => `${count} ${KIND_NAMES[kind]}`);
  return `${market}: ${counts.join(', ')} stand in ${markets} markets`;
}

function foundIn(scenario: Scenario, kinds: readonly BetKind[]): Map<BetKind, number> {
  const all = recordsIn(new World(scenario, SIZE.events).first);
  return new Map(kinds.map((kind) => [kind, all.filter((one) => one.kind === kind).length]));
}

function measured(scenario: Scenario, effort: Effort): Omit<DetectionResult, 'name'> {
  return { ...measure(scenario, effort, SIZE), cachedRatio: measure(scenario, effort, CACHED).ratio };
}

function measure(
  scenario: Scenario,
  { rounds, roundMs, warmMs }: Effort,
  { events, changesPerBatch }: Size,
): DetectionRates {
  const world = new World(scenario, events);
  const ours: number[] = [];
  const plain: number[] = [];
  rate(warmMs, (from) => world.batch(from, changesPerBatch));
  for (let round = 0; round < rounds; round++) {
    ours.push(rate(roundMs, (from) => world.batch(from, changesPerBatch)));
    plain.push(
      rate(roundMs, (from) => {
        world.changePlain(from);
        plainEvaluation(world.plainOf(from), NOW_MS, world.kinds);
        return 1;
      }),
    );
  }
  return { ours: median(ours), plain: median(plain), ratio: pairedRatio(ours, plain) };
}

const THREE_WAY: Scenario = { kind: 'three-way', books: 10, universes: 1, sharp: true, news: false };
const TOTAL: Scenario = { ...THREE_WAY, kind: 'total' };
const TOTAL_NEWS: Scenario = { ...TOTAL, news: true };
/** Those with a target. */
const LIMITED = [
  { id: 'reading-three-way', name: '10 books x 3 outcomes, sharp reference', scenario: THREE_WAY },
  { id: 'reading-totals-news', name: '10 books, totals at 2 lines, most news', scenario: TOTAL_NEWS },
] as const;
type Named = readonly [name: string, scenario: Scenario];
/** More universes than one, and news without middles: on the way to what is measured anyway. */
const ON_THE_WAY: readonly Named[] = [
  ['10 books x 3 outcomes, 3 universes', { ...THREE_WAY, universes: 3 }],
  ['10 books x 3 outcomes, most changes news', { ...THREE_WAY, news: true }],
];
const SCENARIOS: readonly Named[] = [
  [LIMITED[0].name, THREE_WAY],
  ['10 books x 3 outcomes, consensus', { ...THREE_WAY, sharp: false }],
  ['10 books, totals at 2 lines with middles', TOTAL],
  ['27 books x 3 outcomes, sharp reference', { ...THREE_WAY, books: 27 }],
  ['10 books x 3 outcomes, 20 universes', { ...THREE_WAY, universes: 20 }],
  [LIMITED[1].name, TOTAL_NEWS],
];

const KIND_NAMES: Record<BetKind, string> = {
  ev: '+EV',
  arbitrage: 'arbitrage',
  low_hold: 'low hold',
  middle: 'middles',
};
const MARKETS_OF_KINDS: readonly {
  id: string;
  market: string;
  scenario: Scenario;
  kinds: readonly BetKind[];
}[] = [
  {
    id: 'kinds-three-way',
    market: '10 books x 3 outcomes',
    scenario: { ...THREE_WAY, standing: true },
    kinds: ['ev', 'arbitrage', 'low_hold'],
  },
  {
    id: 'kinds-totals',
    market: '10 books, totals at 2 lines',
    scenario: { ...TOTAL, standing: true },
    kinds: ['ev', 'arbitrage', 'low_hold', 'middle'],
  },
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const print = (name: string, { ours, plain, ratio }: DetectionRates): void => {
    const thousands = (value: number) => `${Math.round(value / 1000)}k`;
    process.stdout.write(
      `${name.padEnd(50)} ${thousands(ours).padStart(7)} markets/s  plain objects ${thousands(plain).padStart(5)}  x ${ratio.toFixed(1)}\n`,
    );
  };
  benchDetection(250, true, ({ name, ...rates }) => print(name, rates));
  benchLimits(250, (limit) => process.stdout.write(`${limitLine(limit)}\n`));
  benchKinds(
    { ...USUAL, roundMs: 250 },
    (standing) => process.stdout.write(`${standingLine(standing)}\n`),
    ({ market }, { kind, ...rates }) => print(`${market}, looking for ${kind}`, rates),
  );
}
