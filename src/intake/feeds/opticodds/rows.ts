// OpticOdds' markets and odds as rows of the mirror. What has no counterpart here keeps a market type of its own, so
// that it joins nothing that may settle otherwise.

import { isId } from '../../../base/model/ids.js';
import { present } from '../../../base/model/present.js';
import { lineTypes } from '../../../rules/markets/aliases.js';
import { type Fields, fieldsOf, linkOf, numberOf, textOf } from '../kit/field-readers.js';
import type { MirroredRow } from '../kit/row-mirror.js';

/** What a row needs to know of its game. */
export interface OpticGame {
  id: string;
  sport: string;
  home: string;
  away: string;
}

type Shape = 'sides' | 'total' | 'team' | 'player' | 'other';

const PARTS: Readonly<Record<string, string>> = { half: 'h', quarter: 'q', period: 'p' };
const PART = /^([1-4])(?:st|nd|rd|th)_(half|quarter|period)_/;

/** `1st_half_point_spread` is `point_spread_h1`. */
export function marketOf(marketId: string, sport: string): { type: string; shape: Shape } {
  const part = PART.exec(marketId);
  const base = part === null ? marketId : marketId.slice(part[0].length);
  const suffix = part === null ? '' : `_${PARTS[part[2]!]}${part[1]}`;
  const { spread, total } = lineTypes(sport);
  if (base === 'moneyline') return { type: `moneyline${suffix}`, shape: 'sides' };
  if (base === 'moneyline_3-way') return { type: `moneyline_3way${suffix}`, shape: 'sides' };
  if (SPREADS.has(base)) return { type: `${spread}${suffix}`, shape: 'sides' };
  if (TOTALS.has(base)) return { type: `${total}${suffix}`, shape: 'total' };
  if (base === 'team_total') return { type: `team_total${suffix}`, shape: 'team' };
  if (part === null && /^player_[a-z_+]+$/.test(base) && !base.includes('yes_no'))
    return { type: base.replaceAll('_+_', '_').replaceAll('+', '_'), shape: 'player' };
  return { type: `opticodds_${marketId.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`.slice(0, 64), shape: 'other' };
}

const SPREADS = new Set(['point_spread', 'run_line', 'puck_line', 'goal_spread']);
const TOTALS = new Set(['total_points', 'total_runs', 'total_goals']);

/** A book that is the lay side of an exchange: its prices are no offers to back. */
export function isLaySide(book: string): boolean {
  return /\(lay\)|_lay_?$/i.test(book);
}

/** Undefined if it lacks what a row needs, or is a side that is neither team. */
export function opticRow(
  fields: Fields,
  game: OpticGame,
  bookId: (name: string) => string,
  active: boolean,
  changedAt: number,
): MirroredRow | undefined {
  const id = textOf(fields['id']);
  const name = textOf(fields['sportsbook']);
  const marketId = textOf(fields['market_id']);
  const price = numberOf(fields['price']);
  if (id === undefined || name === undefined || marketId === undefined || price === undefined) return undefined;
  if (isLaySide(name) || Math.abs(price) < 100) return undefined;
  const book = bookId(name);
  if (!isId(book)) return undefined;
  const { type, shape } = marketOf(marketId, game.sport);
  const selection = textOf(fields['selection']) ?? '';
  const side = selection === game.home ? ('home' as const) : selection === game.away ? ('away' as const) : undefined;
  const line = numberOf(fields['points']);
  const overUnder = textOf(fields['selection_line'])?.toLowerCase();
  const shown = textOf(fields['name']) ?? selection;
  let selectionType: string | undefined;
  if (shape === 'sides') selectionType = side ?? (/^(?:draw|tie)$/i.test(selection) ? 'draw' : undefined);
  else if (shape === 'other') selectionType = 'contract';
  else selectionType = overUnder;
  if (selectionType === undefined || (shape === 'team' && side === undefined)) return undefined;
  if (shape === 'player' && selection === '') return undefined;
  // REST and the stream are documented with a name each.
  const limits = fieldsOf(fields['limits']);
  const limit = numberOf(limits?.['max'] ?? limits?.['max_stake']);
  const exchange = Array.isArray(fields['order_book']);
  const source = fieldsOf(fields['source_ids']);
  const token = textOf(source?.['selection_id']);
  return {
    id,
    book,
    gameId: game.id,
    market: present({
      market_type: type,
      player_name: shape === 'player' ? selection : undefined,
      team: shape === 'team' ? side : undefined,
      max_bet: exchange ? undefined : limit,
    }),
    selection: present({
      selection: shape === 'sides' ? selection : shape === 'other' ? shown : sideName(selectionType),
      selection_type: selectionType,
      line,
      odds_american: price,
      is_alternate_line: (fields['is_main'] === false && line !== undefined) || undefined,
      deep_link: linkOf(fieldsOf(fields['deep_link'])?.['desktop']),
      size: exchange ? limit : undefined,
      exchange_token_id: exchange ? token : undefined,
      external_id: token,
      market_id: textOf(source?.['market_id']),
    }),
    active,
    changedAt,
  };
}

function sideName(type: string): string {
  return `${type.slice(0, 1).toUpperCase()}${type.slice(1)}`;
}

/** A book's name as an id: its display name is what odds are told with. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .slice(0, 40);
}
