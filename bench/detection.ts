// Detection: market re-evaluations a second and core after one book's price changed, by market, books and universes, with
// the same maths over plain objects as control. Run by itself: node dist/bench/detection.js
import { fileURLToPath } from 'node:url';
import { loadCatalogue } from '../src/catalogue/load.js';
import { Detector } from '../src/detect/detector.js';
import type { UniverseSpec } from '../src/detect/opportunity.js';
import { newQuotes } from '../src/shard/apply.js';
import { type BookQuotes, DIRT, type EventState, type Row } from '../src/shard/state.js';
import { type PlainMarket, plainEvaluation } from './plain-detection.js';
import { median, pairedRatio } from './statistics.js';

const NOW_MS = Date.UTC(2026, 10, 20, 18);
const EVENTS = 500;
const ROUNDS = 5;
/** What a scenario has that none before it had is compiled first. */
const WARM_MS = 300;

interface Scenario {
  name: string;
  kind: 'three-way' | 'total';
  books: number;
  universes: number;
  /** Whether the sharp book quotes; else there is a consensus. */
  sharp: boolean;
  /** Changed prices become the best as often as not, so that most are news; else the best ones stand. */
  news: boolean;
}

/** A repeatable source of prices. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const catalogue = loadCatalogue();
const random = generator(7);

function bookNames({ books, sharp }: Scenario): string[] {
  const soft = catalogue.books.filter((book) => !book.isSharp).map((book) => book.id);
  return sharp ? ['pinnacle', ...soft.slice(0, books - 1)] : soft.slice(0, books);
}

function price(side: number, { kind, news }: Scenario): number {
  const fair = kind === 'total' ? 2 : [2.4, 3.1, 3.4][side]!;
  return Math.round(fair * (0.9 + (news ? 0.08 : 0.05) * random()) * 100) / 100;
}

/** The price nobody goes above where the best ones stand. */
function topPrice(side: number, kind: Scenario['kind']): number {
  return kind === 'total' ? 1.92 : [2.3, 3, 3.25][side]!;
}

function row(no: number, scenario: Scenario, side: number, line: number | null): Row {
  const types = scenario.kind === 'total' ? ['over', 'under'] : ['home', 'away', 'draw'];
  const selectionType = types[side]!;
  return {
    no,
    id: String(no),
    key: String(no),
    market: scenario.kind === 'total' ? 'total_points' : 'moneyline',
    selection: selectionType,
    selectionType,
    player: null,
    stat: null,
    team: null,
    alternate: false,
    line,
    american: 100,
    decimal: price(side, scenario),
    seenMs: NOW_MS,
    changedUs: 0,
    bornUs: 0,
    movedUs: 0,
    deepLink: null,
    externalId: null,
    maxBet: null,
    publicBetPct: null,
    mark: 0,
    dirt: DIRT.none,
  };
}

function eventState(no: number): EventState {
  return {
    no,
    id: `nba_a_b_${no}`,
    league: 'nba',
    sport: 'basketball',
    homeToken: 'a',
    awayToken: 'b',
    home: 'A',
    away: 'B',
    startMs: NOW_MS + 86_400_000,
    status: 'upcoming',
    live: false,
    state: null,
    bornUs: 0,
    books: new Map(),
    deadlineMs: Number.POSITIVE_INFINITY,
    dirty: false,
    dropping: false,
  };
}

class World {
  readonly quotes: BookQuotes[] = [];
  /** Rows of each of `quotes`. */
  readonly #rows: Row[][] = [];
  readonly detector: Detector;
  readonly plain: PlainMarket[] = [];
  readonly #scenario: Scenario;
  #position = NOW_MS * 1000;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    const names = bookNames(scenario);
    const universes: UniverseSpec[] = [{ key: 'all', books: null }];
    while (universes.length < scenario.universes)
      universes.push({ key: `u${universes.length}`, books: names.filter(() => random() < 0.6) });
    this.detector = new Detector({
      books: {
        bookOrder: (book) => catalogue.bookOrder(book),
        ownerOf: (book) => catalogue.ownerOf(book),
        isSharp: (book) => catalogue.book(book)?.isSharp === true,
      },
      deepLink: () => null,
      universes,
    });
    const masks = universes.map(({ books }) => (books === null ? null : new Set(books)));
    let no = 0;
    for (let i = 0; i < EVENTS; i++) {
      const event = eventState(i);
      const plain: PlainMarket = {
        quotes: [],
        universes: masks,
        sharpBook: 'pinnacle',
        lines: scenario.kind === 'total',
      };
      this.plain.push(plain);
      for (const [bookNo, book] of names.entries()) {
        const quotes = newQuotes(event, book, bookNo);
        event.books.set(book, quotes);
        // Half of the books stand half a point higher: two lines, and middles to look for.
        const line = scenario.kind === 'total' ? 220.5 + (bookNo % 2) : null;
        for (let side = 0; side < (scenario.kind === 'total' ? 2 : 3); side++) {
          const made = row(no++, scenario, side, line);
          // Some book has the best price of each side, and keeps it.
          if (!scenario.news && (bookNo >> 1) % 3 === side) made.decimal = topPrice(side, scenario.kind);
          quotes.rows.set(made.key, made);
          plain.quotes.push({ book, owner: catalogue.ownerOf(book), side, row: made });
        }
        this.quotes.push(quotes);
        this.#rows.push([...quotes.rows.values()]);
        this.detector.touchBook(quotes);
      }
    }
    this.detector.evaluate(this.#position);
    this.detector.takeChanges();
  }

  /** One book's price of one side changes; the places to change wander over all events. Answers the row. */
  change(i: number): Row {
    const rows = this.#rows[(i * 7_919) % this.#rows.length]!;
    const side = i % rows.length;
    const changed = rows[side]!;
    if (this.#scenario.news || changed.decimal < topPrice(side, this.#scenario.kind))
      changed.decimal = price(side, this.#scenario);
    changed.dirt = DIRT.updated;
    return changed;
  }

  /** A batch of changes of as many markets; answers how many markets were evaluated. */
  batch(from: number, size: number): number {
    for (let i = from; i < from + size; i++) {
      const row = this.change(i);
      this.detector.touchBook(this.quotes[(i * 7_919) % this.quotes.length]!);
      row.dirt = DIRT.none;
    }
    // A millisecond a batch: what moves is told once a second, as it is live.
    this.#position += 1_000;
    this.detector.evaluate(this.#position);
    this.detector.takeChanges();
    return size;
  }
}

/** Markets a second of this thread's own CPU time. */
function rate(roundMs: number, run: (from: number) => number): number {
  const started = process.cpuUsage();
  let done = 0;
  for (;;) {
    // Asking for the time used costs as much as an evaluation.
    for (let i = 0; i < 20; i++) done += run(done);
    const used = process.cpuUsage(started);
    const usedMs = (used.user + used.system) / 1000;
    if (usedMs >= roundMs) return (1000 * done) / usedMs;
  }
}

const BATCH = 100;

export interface DetectionResult {
  name: string;
  /** Markets a second: typed arrays, and plain objects. */
  ours: number;
  plain: number;
  /** Median of the ratios of the same rounds. */
  ratio: number;
}

/** Calls `found` after each scenario, each of whose rounds takes `roundMs` of CPU time on either side. */
export function benchDetection(roundMs: number, found: (result: DetectionResult) => void): void {
  for (const scenario of SCENARIOS) found(measure(scenario, roundMs));
}

/** Three-way markets with a sharp reference, at another size. */
export function detectionAt(size: Partial<Pick<Scenario, 'books' | 'universes'>>, roundMs: number): DetectionResult {
  return measure({ ...THREE_WAY, ...size }, roundMs);
}

function measure(scenario: Scenario, roundMs: number): DetectionResult {
  const world = new World(scenario);
  const ours: number[] = [];
  const plain: number[] = [];
  rate(WARM_MS, (from) => world.batch(from, BATCH));
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(rate(roundMs, (from) => world.batch(from, BATCH)));
    plain.push(
      rate(roundMs, (from) => {
        world.change(from);
        plainEvaluation(world.plain[(from * 7_919) % world.plain.length]!, NOW_MS);
        return 1;
      }),
    );
  }
  return { name: scenario.name, ours: median(ours), plain: median(plain), ratio: pairedRatio(ours, plain) };
}

const THREE_WAY: Scenario = { name: '', kind: 'three-way', books: 10, universes: 1, sharp: true, news: false };
const SCENARIOS: readonly Scenario[] = [
  { ...THREE_WAY, name: '10 books x 3 outcomes, sharp reference' },
  { ...THREE_WAY, name: '10 books x 3 outcomes, consensus', sharp: false },
  { ...THREE_WAY, name: '10 books, totals at 2 lines with middles', kind: 'total' },
  { ...THREE_WAY, name: '27 books x 3 outcomes, sharp reference', books: 27 },
  { ...THREE_WAY, name: '10 books x 3 outcomes, 3 universes', universes: 3 },
  { ...THREE_WAY, name: '10 books x 3 outcomes, 20 universes', universes: 20 },
  { ...THREE_WAY, name: '10 books x 3 outcomes, most changes news', news: true },
  { ...THREE_WAY, name: '10 books, totals at 2 lines, most news', kind: 'total', news: true },
];

if (process.argv[1] === fileURLToPath(import.meta.url))
  benchDetection(250, ({ name, ours, plain, ratio }) => {
    const thousands = (value: number) => `${Math.round(value / 1000)}k`;
    process.stdout.write(
      `${name.padEnd(44)} ${thousands(ours).padStart(7)} markets/s  plain objects ${thousands(plain).padStart(5)}  x ${ratio.toFixed(1)}\n`,
    );
  });
