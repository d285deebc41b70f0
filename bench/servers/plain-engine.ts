// The thread of a plain odds engine: what any program does at least that takes the same posts and tells the same of them.
// It parses the JSON, keeps prices in maps, looks for what each changed market holds (plain-detection.ts), commits rows,
// opportunities and a log entry in one transaction, and sends the message of the changed rows back. It checks nothing,
// matches no names, removes nothing, resumes nobody.
import { parentPort, workerData } from 'node:worker_threads';
import { open } from 'lmdb';
import { type PlainMarket, type PlainQuote, plainEvaluation } from '../plain-detection.js';
import { MARKER, stamp } from './serving.js';

interface Poll {
  book: string;
  polled_at: string;
  events: PolledEvent[];
}

interface PolledEvent {
  league: string;
  home_team: string;
  away_team: string;
  start_time: string;
  markets: { market_type: string; selections: PolledPrice[] }[];
}

interface PolledPrice {
  selection: string;
  selection_type: string;
  line?: number | null;
  odds_american: number;
}

/** Of a market: its prices as readers have them, and what was found in it last. */
interface Kept {
  market: PlainMarket;
  quotes: Map<string, PlainQuote>;
  rows: Map<string, object>;
  found: string;
}

/** As many as callers have of ours. */
const UNIVERSES = [null, null, null];
const SIDES = ['home', 'away', 'over', 'under'];

const root = open({ path: workerData as string, maxDbs: 3, noSync: true, overlappingSync: false });
const tables = {
  rows: root.openDB<Buffer, string>({ name: 'rows', encoding: 'binary' }),
  opportunities: root.openDB<Buffer, string>({ name: 'opportunities', encoding: 'binary' }),
  log: root.openDB<Buffer, number>({ name: 'log', encoding: 'binary' }),
};
const markets = new Map<string, Kept>();
let position = 0;

parentPort!.on('message', (body: Uint8Array) => {
  const { book, polled_at, events } = JSON.parse(Buffer.from(body).toString()) as Poll;
  const seenMs = Date.parse(polled_at);
  const rows: object[] = [];
  const writes: { table: 'rows' | 'opportunities'; key: string; value: Buffer }[] = [];
  const write = (table: 'rows' | 'opportunities', key: string, value: object): void =>
    void writes.push({ table, key, value: Buffer.from(JSON.stringify(value)) });
  for (const event of events)
    for (const { market_type: type, selections } of event.markets) {
      const key = [event.league, event.home_team, event.away_team, event.start_time, type].join('|');
      const kept = keptOf(key, type);
      const changed = selections.filter((price) => apply(kept, event, { book, type, seenMs }, price));
      if (changed.length === 0) continue;
      const own = changed.map((price) => kept.rows.get(cellOf(book, price))!);
      rows.push(...own);
      write('rows', `${key}|${book}`, own);
      const found = plainEvaluation(kept.market, seenMs);
      const text = JSON.stringify(found);
      if (text !== kept.found) write('opportunities', key, found);
      kept.found = text;
    }
  const message = stamp(
    Buffer.from(
      `event: odds:update\ndata: ${JSON.stringify({ position, data: rows })}\nid: ${MARKER}${'0'.repeat(16)}\n\n`,
    ),
  );
  root.transactionSync(() => {
    for (const { table, key, value } of writes) void tables[table].put(key, value);
    void tables.log.put(++position, message);
  });
  parentPort!.postMessage(rows.length === 0 ? new Uint8Array(0) : message);
});

function keptOf(key: string, type: string): Kept {
  let kept = markets.get(key);
  if (kept === undefined) {
    const market: PlainMarket = {
      quotes: [],
      universes: UNIVERSES,
      sharpBook: 'pinnacle',
      sides: 2,
      lines: type === 'total_points',
    };
    kept = { market, quotes: new Map(), rows: new Map(), found: '[]' };
    markets.set(key, kept);
  }
  return kept;
}

function cellOf(book: string, { selection_type, line = null }: PolledPrice): string {
  return `${book}|${selection_type}|${line}`;
}

/** Whether the price is another one than before. */
function apply(
  { market, quotes, rows }: Kept,
  event: PolledEvent,
  { book, type, seenMs }: { book: string; type: string; seenMs: number },
  price: PolledPrice,
): boolean {
  const { selection, selection_type, line = null, odds_american } = price;
  const decimal = odds_american > 0 ? 1 + odds_american / 100 : 1 + 100 / -odds_american;
  const cell = cellOf(book, price);
  let quote = quotes.get(cell);
  if (quote === undefined) {
    const side = SIDES.indexOf(selection_type) % 2;
    quote = { book, owner: book, side, row: { line, decimal: 0, seenMs } };
    quotes.set(cell, quote);
    market.quotes.push(quote);
  }
  quote.row.seenMs = seenMs;
  if (quote.row.decimal === decimal) return false;
  quote.row.decimal = decimal;
  const time = new Date(seenMs).toISOString();
  rows.set(cell, {
    id: `${event.home_team}|${type}|${cell}`,
    event_id: `${event.league}_${event.home_team}_${event.away_team}`,
    league: event.league,
    home_team: event.home_team,
    away_team: event.away_team,
    event_start_time: event.start_time,
    sportsbook: book,
    market_type: type,
    selection,
    selection_type,
    line,
    odds_american,
    odds_decimal: decimal,
    implied_probability: 1 / decimal,
    is_active: true,
    is_live: false,
    odds_changed_at: time,
    last_seen_at: time,
  });
  return true;
}
