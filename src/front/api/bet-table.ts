// A CSV table of bets, with the columns of an account's list: its lines as bets to record, or what is wrong with them.
import { parse } from 'csv-parse/sync';
import { Compile } from 'typebox/schema';
import { ApiError } from '../../base/model/errors.js';
import { unescapeFormulas } from '../../base/model/formula-text.js';
import { LIMITS } from '../../base/model/limits.js';
import { americanFromDecimal, decimalFromAmerican } from '../../base/model/price.js';
import { AccountBet, NewBet } from '../../schema/bets.js';
import { schemaComplaint } from '../http/schema-complaint.js';
import { requestOf, type StatedRequest } from './bet-request.js';

export interface BetTable {
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
const ERRORS_SHOWN = 10;
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
