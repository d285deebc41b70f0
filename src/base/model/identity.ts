// Lasting identifiers: event ids, odds ids, opportunity ids. All are functions of what a thing is, never of its price.
import { hash } from 'node:crypto';
import { keyPart } from './key-part.js';

/** `{league}_{home}_{away}_{date}`, with `_g2`, `_g3` … for further games of the same teams on one day. */
export function eventId(league: string, homeToken: string, awayToken: string, date: string, game: number): string {
  const id = `${league}_${homeToken}_${awayToken}_${date}`;
  return game > 1 ? `${id}_g${game}` : id;
}

export interface OddsKey {
  market: string;
  /** Canonical player name, or null. */
  player: string | null;
  stat: string | null;
  team: string | null;
  selectionType: string;
  /** Selection name, for market types that do not imply it. */
  selection: string;
  alternate: boolean;
  line: number | null;
}

const TYPES_THAT_SAY_ALL = new Set(['home', 'away', 'draw', 'over', 'under']);

/** Why the second of two quotes of one row is refused. */
export const ROW_TWICE = 'the same selection twice (other lines need is_alternate_line)';

/** The key of a row among one book's rows of one event. It leaves out the number of a main line, which may move. */
export function rowKey(key: OddsKey): string {
  const side = TYPES_THAT_SAY_ALL.has(key.selectionType)
    ? key.selectionType
    : `${key.selectionType}:${keyPart(key.selection.toLowerCase())}`;
  const line = key.alternate ? `|${key.line}` : '';
  if (key.player === null && key.team === null && key.stat === null) return `${key.market}|${side}${line}`;
  return `${key.market}|${side}|${keyPart(key.player ?? '')}|${keyPart(key.stat ?? '')}|${key.team ?? ''}${line}`;
}

/**
 * Whether a row's key equals that of `key`, without building it: true is certain, false means that the key must be
 * built to know. Most quotes of a message are of the same rows as the previous message, in its order.
 */
export function hasKey(row: OddsKey, key: OddsKey): boolean {
  return (
    row.market === key.market &&
    row.selectionType === key.selectionType &&
    row.player === key.player &&
    row.stat === key.stat &&
    row.team === key.team &&
    row.alternate === key.alternate &&
    (!key.alternate || row.line === key.line) &&
    (row.selection === key.selection || TYPES_THAT_SAY_ALL.has(key.selectionType))
  );
}

/**
 * Odds id: 19 decimal digits (never 16, so it cannot be taken for an opportunity id), from 63 bits of SHA-256.
 * Two of a million living rows share one with probability 1e-7.
 */
export function oddsId(book: string, event: string, key: string): string {
  const digest = hash('sha256', `${book}\n${event}\n${key}`, 'hex');
  return (1_000_000_000_000_000_000n + (BigInt(`0x${digest.slice(0, 16)}`) % 9_000_000_000_000_000_000n)).toString();
}

export const ODDS_ID_DIGITS = 19;
const ZERO = 48;

/** Whether a text from a caller could be the id of a row. */
export function isOddsId(text: string): boolean {
  if (text.length !== ODDS_ID_DIGITS || text.charCodeAt(0) === ZERO) return false;
  for (let i = 0; i < ODDS_ID_DIGITS; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return false;
  }
  return true;
}

const OPPORTUNITY_ID_LENGTH = 16;
/** A slice would retain the whole digest as long as the opportunity lives. */
const idBytes = Buffer.allocUnsafe(OPPORTUNITY_ID_LENGTH);

/** For recordings, in backtests and served: the same ids everywhere. */
export const OPEN_ID_SECRET = 'open';

/**
 * Opportunity id: 16 lowercase hex digits from its kind, event, market, lines, selections and books. Whoever does not
 * know the secret can neither compute the id of an opportunity nor tell from one what it is of: the parts are guessable,
 * and any id may be asked for. As only 64 bits of the hash are shown, the secret may simply precede the parts.
 */
export function opportunityId(secret: string, parts: readonly (string | number | null)[]): string {
  idBytes.write(hash('sha256', `${secret}\n${parts.join('\n')}`, 'hex'), 0, OPPORTUNITY_ID_LENGTH, 'latin1');
  return idBytes.toString('latin1', 0, OPPORTUNITY_ID_LENGTH);
}
