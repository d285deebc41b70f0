// A bet as a caller states it, in JSON or a line of a table, as it is recorded.

import { parse } from 'csv-parse/sync';
import { Compile } from 'typebox/schema';
import type { BetRequest } from '../../accounts/bets/bet.js';
import { centsOf } from '../../accounts/bets/cents.js';
import type { BetChange } from '../../accounts/bets/commands.js';
import { ApiError } from '../../base/model/errors.js';
import { unescapeFormulas } from '../../base/model/formula-text.js';
import { LIMITS } from '../../base/model/limits.js';
import { americanFromDecimal, decimalFromAmerican, isDecimalPrice, parseAmerican } from '../../base/model/price.js';
import type { Engine } from '../../engine/engine.js';
import { atItsLine, type DescribedBet, describedRows, lineMeant } from '../../rules/catalogue/described-bet.js';
import { AccountBet, type ChangedBet, NewBet } from '../../schema/bets.js';
import type { AskHistory } from '../../store/clv/queries.js';
import { readRow } from '../../tables/columns.js';
import type { OddsTable } from '../../tables/table.js';
import { schemaComplaint } from '../http/schema-complaint.js';

/** A bet that has its row's id, or says what it is of. */
export interface StatedRequest extends Omit<BetRequest, 'oddsId'> {
  oddsId: string | DescribedBet;
}

/** Throws ApiError `invalid_request`. */
export function requestOf(bet: NewBet): StatedRequest {
  const { client_id, odds_id, stake, mode, tag = null, note = null } = bet;
  // Where nothing is said of it: rows without a line have null.
  const line = bet.line ?? undefined;
  for (const [name, text] of Object.entries({ client_id, odds_id, tag, note }))
    if (text?.isWellFormed() === false) wrong(`${name} is not Unicode`);
  const cents = centsOf(stake) ?? wrong('stake must have at most two decimals');
  if ((bet.odds_american === undefined) === (bet.odds_decimal === undefined))
    wrong('either odds_american or odds_decimal is needed');
  const { american, decimal } = priceOf(bet);
  // An empty text says nothing, and comes out of a table as nothing.
  const oddsId =
    odds_id ?? descriptionOf(bet) ?? wrong('odds_id, or event_id, market_type, selection and sportsbook, are needed');
  return { clientId: client_id, oddsId, line, mode, cents, decimal, american, tag: tag || null, note: note || null };
}

/** Throws ApiError `invalid_request`. */
export function changeOf(body: ChangedBet): BetChange {
  const { stake, odds_american, odds_decimal, tag, note, result, struck } = body;
  for (const [name, text] of Object.entries({ tag, note }))
    if (text?.isWellFormed() === false) wrong(`${name} is not Unicode`);
  if (odds_american !== undefined && odds_decimal !== undefined) wrong('either odds_american or odds_decimal');
  const isPriced = odds_american !== undefined || odds_decimal !== undefined;
  const cents = stake === undefined ? undefined : (centsOf(stake) ?? wrong('stake must have at most two decimals'));
  const text = (given: string | null | undefined) => (given === undefined ? undefined : given || null);
  return { cents, price: isPriced ? priceOf(body) : undefined, tag: text(tag), note: text(note), result, struck };
}

function priceOf({ odds_american, odds_decimal }: Pick<NewBet, 'odds_american' | 'odds_decimal'>) {
  if (odds_decimal !== undefined && !isDecimalPrice(odds_decimal)) wrong(`odds_decimal: ${odds_decimal} is no price`);
  const american =
    odds_american === undefined
      ? americanFromDecimal(odds_decimal!)
      : (parseAmerican(odds_american) ?? wrong(`odds_american: ${odds_american} is no price`));
  return { american, decimal: odds_decimal ?? decimalFromAmerican(american) };
}

function wrong(what: string): never {
  throw new ApiError('invalid_request', what);
}

// Bets that name their event, market, selection and book in place of odds_id: the rows they mean, of the table or, once
// they have left it, of history.

/** The names that fields of a bet have in one route or another; the first is that of rows. */
const NAMES = {
  event: ['event_id', 'event'],
  market: ['market_type', 'market'],
  selection: ['selection_type', 'selection'],
  sportsbook: ['sportsbook', 'book'],
  player: ['player_name', 'player'],
} as const;
/** Of several wrong bets. */
const ERRORS_SHOWN = 10;

/** A field of a bet by any of its names; undefined if it has none of them. */
function statedField(bet: Readonly<Record<string, unknown>>, field: keyof typeof NAMES): unknown {
  for (const name of NAMES[field]) if (bet[name] !== undefined && bet[name] !== null) return bet[name];
  return undefined;
}

/** Undefined if it lacks what it needs. Of a selection that has a name and a type, the name says more. */
function descriptionOf(bet: Readonly<Record<string, unknown>>): DescribedBet | undefined {
  const event = statedField(bet, 'event');
  const market = statedField(bet, 'market');
  const selection = statedField(bet, 'selection');
  const sportsbook = statedField(bet, 'sportsbook');
  const given = [event, market, selection, sportsbook];
  if (given.some((value) => typeof value !== 'string' || value === '')) return undefined;
  const [eventId, type, name, book] = given as string[];
  const { line, team } = bet;
  return {
    event: eventId!,
    market: type!,
    selection: name!,
    sportsbook: book!,
    line: typeof line === 'number' ? line : undefined,
    player: (statedField(bet, 'player') as string | undefined) ?? null,
    team: team === 'home' || team === 'away' ? team : null,
  };
}

interface Described {
  bet: DescribedBet;
  /** Of the bet in the request. */
  where: string;
}

/** Their odds ids. Throws ApiError `invalid_request` that names each without a row, or with more than one. */
export async function rowsOf(
  { table, catalogue }: Engine,
  history: AskHistory | undefined,
  described: readonly Described[],
): Promise<string[]> {
  const ids = described.map(({ bet }) => rowInTable(table, catalogue, bet));
  const gone = described.filter((_, i) => ids[i] === null).map(({ bet }) => bet);
  const found = gone.length === 0 || history === undefined ? [] : await history('described', gone);
  let next = 0;
  const all = ids.map((id) => id ?? found[next++] ?? null);
  const wrong = described.filter((_, i) => all[i] === null).map(({ bet, where }) => `${where}: ${noRow(bet)}`);
  const more = wrong.length - ERRORS_SHOWN;
  if (more > 0) wrong.splice(ERRORS_SHOWN, more, `and ${more} more`);
  if (wrong.length > 0) throw new ApiError('invalid_request', wrong.join('; '));
  return all as string[];
}

function noRow({ event, market, selection, sportsbook, line }: DescribedBet): string {
  const at = line == null ? ' as its main line' : ` at ${line}`;
  return `${sportsbook} has no ${market} ${selection}${at} of ${event}`.slice(0, 400);
}

function rowInTable(table: OddsTable, catalogue: Engine['catalogue'], bet: DescribedBet): string | null {
  const event = table.events.get(bet.event);
  const slots = event?.byBook.get(table.books.find(catalogue.bookId(bet.sportsbook)));
  if (event === undefined || slots === undefined) return null;
  const book = catalogue.bookId(bet.sportsbook);
  const meant = { ...bet, line: lineMeant(catalogue, event, bet.market, bet.line) };
  const rows = slots.map((slot) => ({ ...readRow(table, slot), book }));
  return atItsLine(describedRows(catalogue, event, meant, rows), meant.line, (row) => row.line)?.id ?? null;
}

// A CSV table of bets, with the columns of an account's list: its lines as bets to record, or what is wrong with them.

interface BetTable {
  requests: StatedRequest[];
  /** Of each, its line in the table. */
  lines: number[];
  /** Lines of bets that came to nothing: rejected or struck ones. */
  skipped: number;
}

const validator = Compile(NewBet);
const LINES_MAX = LIMITS.betLines.max;
const SEPARATORS_MAX = LIMITS.betTableValues.max;
const [COMMA, LINE_FEED, RETURN] = [0x2c, 0x0a, 0x0d];
const FIELDS = Object.keys(NewBet.properties);
const NUMBERS = ['stake', 'odds_american', 'odds_decimal', 'line'];
/** What says of which row a bet is: its id, or all of the others. */
const DESCRIBED = [
  ['event_id', 'event'],
  ['market_type', 'market'],
  ['selection', 'selection_type'],
  ['sportsbook', 'book'],
];
const NEEDED = NewBet.required as readonly string[];
const KNOWN = new Set([...FIELDS, ...Object.keys(AccountBet.properties)]);
const CAME_TO_NOTHING = ['rejected', 'struck'];
const NUMBER = /^[+-]?\d+(\.\d+)?$/;
/** What a spreadsheet makes of a long number. */
const SHORTENED = /^\d(\.\d+)?E\+\d+$/i;
/** The list of bets shows American odds to two decimals. */
const ROUNDED = 1e-4;

/** Throws ApiError `invalid_request` with each wrong line and why. */
export function readBetTable(bytes: Uint8Array): BetTable {
  const { head, lines } = linesOf(bytes);
  const requests: StatedRequest[] = [];
  const placed: number[] = [];
  const wrong: string[] = [];
  const lineOf = new Map<string, number>();
  let skipped = 0;
  for (const { record, line } of lines) {
    const fields = Object.fromEntries(head.map((name, i) => [name, record[i]!]));
    if (CAME_TO_NOTHING.includes(fields['status'] ?? '')) {
      skipped++;
      continue;
    }
    try {
      const request = requestOf(betOf(fields));
      const before = lineOf.get(request.clientId);
      if (before !== undefined) throw wrongLine(`client_id ${request.clientId} is that of line ${before} too`);
      lineOf.set(request.clientId, line);
      requests.push(request);
      placed.push(line);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      wrong.push(`line ${line}: ${error.message}`);
    }
  }
  const more = wrong.length - ERRORS_SHOWN;
  if (more > 0) wrong.splice(ERRORS_SHOWN, more, `and ${more} more lines`);
  if (wrong.length > 0) throw wrongLine(wrong.join('; '));
  return { requests, lines: placed, skipped };
}

function wrongLine(message: string): ApiError {
  return new ApiError('invalid_request', message);
}

interface Line {
  record: string[];
  line: number;
}

function linesOf(bytes: Uint8Array): { head: string[]; lines: Line[] } {
  const [first, ...rest] = parsed(bytes);
  if (first === undefined) throw wrongLine('the table is empty');
  const head = first.record.map((name) => name.trim());
  const unknown = head.find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw wrongLine(`line 1: a list of bets has no column ${unknown.slice(0, 100)}`);
  const twice = head.find((name, i) => head.indexOf(name) < i);
  if (twice !== undefined) throw wrongLine(`line 1: two columns ${twice}`);
  const missing = NEEDED.find((name) => !head.includes(name));
  if (missing !== undefined) throw wrongLine(`line 1: there is no column ${missing}`);
  const lacking = DESCRIBED.find((names) => !names.some((name) => head.includes(name)));
  if (!head.includes('odds_id') && lacking !== undefined)
    throw wrongLine(`line 1: there is no column odds_id, nor, in its place, ${lacking[0]}`);
  if (rest.length > LINES_MAX) throw wrongLine(`a table has at most ${LINES_MAX} bets: send the others in another`);
  return { head, lines: rest };
}

function parsed(bytes: Uint8Array): Line[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw wrongLine('the table is not UTF-8');
  }
  if (separatorsIn(bytes) > SEPARATORS_MAX) throw wrongLine(`a table has at most ${SEPARATORS_MAX} values`);
  try {
    const options = { bom: true, info: true, skip_empty_lines: true, to: LINES_MAX + 2 } as const;
    const records = parse(text, options) as unknown as { record: string[]; info: { lines: number } }[];
    return records.map(({ record, info }) => ({ record, line: info.lines }));
  } catch (error) {
    const { message, lines } = error as Error & { lines?: number };
    throw wrongLine(lines === undefined ? message : `line ${lines}: ${message.replace(/ (on|at) line \d+/, '')}`);
  }
}

/** Each costs as much as a value to read, also of lines that are empty. */
function separatorsIn(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === COMMA || byte === LINE_FEED || byte === RETURN) count++;
  return count;
}

/** Throws ApiError `invalid_request`. */
function betOf(fields: Readonly<Record<string, string>>): NewBet {
  const bet: Record<string, unknown> = {};
  for (const name of FIELDS) {
    const text = fields[name];
    if (text === undefined || text === '') continue;
    if (NUMBERS.includes(name)) bet[name] = NUMBER.test(text.trim()) ? Number(text) : text;
    else bet[name] = unescapeFormulas(text);
  }
  const { odds_id, odds_american, odds_decimal } = bet;
  if (typeof odds_id === 'string' && SHORTENED.test(odds_id))
    throw wrongLine(`odds_id ${odds_id} is a number that a spreadsheet has shortened: keep the column as text`);
  if (!validator.Check(bet)) throw wrongLine(schemaComplaint(NewBet, bet, 'the bet'));
  // Both are in the list, rounded: the one that was stated is the exact one.
  if (odds_american !== undefined && odds_decimal !== undefined) {
    const off = Math.abs(decimalFromAmerican(odds_american as number) - (odds_decimal as number));
    if (off > ROUNDED && americanFromDecimal(odds_decimal as number) !== odds_american)
      throw wrongLine('odds_american and odds_decimal are different prices');
    delete bet[off < 1e-6 ? 'odds_decimal' : 'odds_american'];
  }
  return bet as NewBet;
}
