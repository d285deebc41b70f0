// OpticOdds' markets and odds as rows of the mirror. What has no counterpart here keeps a market type of its own, so
// that it joins nothing that may settle otherwise.

import { isId } from '../../../base/model/ids.js';
import { present } from '../../../base/model/present.js';
import { isSecondWinner, lineTypes, marketAlias, plainName } from '../../../rules/markets/aliases.js';
import { type Fields, fieldsOf, linkOf, numberOf, textOf } from '../kit/field-readers.js';
import type { MirroredRow } from '../kit/row-mirror.js';

/** What a row needs to know of its game. */
export interface OpticGame {
  id: string;
  sport: string;
  home: string;
  away: string;
  /** OpticOdds' ids of both teams, by which odds may name them otherwise than the game does. */
  homeIds?: readonly string[];
  awayIds?: readonly string[];
}

type Shape = 'sides' | 'total' | 'team' | 'player' | 'other';

const PART = /(?:_[hqp]\d|_1st_\d_innings)?$/.source;
/** What settles as books' markets do; a player's with over and under, of the whole game. */
const SHAPES: readonly (readonly [RegExp, Shape])[] = [
  [new RegExp(`^(?:moneyline|moneyline_3way|point_spread|puck_line|run_line)${PART}`), 'sides'],
  [new RegExp(`^total_(?:points|goals|runs)${PART}`), 'total'],
  [new RegExp(`^team_total${PART}`), 'team'],
  [/^player_(?!.*yes_no)[a-z_]+$/, 'player'],
];

/** `1st_half_point_spread` is `point_spread_h1`. */
export function marketOf(marketId: string, sport: string): { type: string; shape: Shape } {
  const name = plainName(marketId);
  const type = marketAlias(name, sport)?.type ?? ownLine(name, sport);
  const shape = SHAPES.find(([pattern]) => pattern.test(type))?.[1];
  return shape === undefined ? { type: `opticodds_${name}`.slice(0, 64), shape: 'other' } : { type, shape };
}

/** A main line under another sport's name. */
function ownLine(name: string, sport: string): string {
  const { spread, total } = lineTypes(sport);
  if (/^(?:point_spread|run_line|puck_line)$/.test(name)) return spread;
  return /^total_(?:points|runs|goals)$/.test(name) ? total : name;
}

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
  const side = sideOf(selection, textOf(fields['team_id']), game);
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
      selection:
        shape === 'sides'
          ? nameOf(selectionType, selection, game)
          : shape === 'other'
            ? shown
            : sideName(selectionType),
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
    yields: isSecondWinner(plainName(marketId), game.sport),
    changedAt,
  };
}

/** Teams as the game names them. */
function nameOf(type: string, selection: string, { home, away }: OpticGame): string {
  return type === 'home' ? home : type === 'away' ? away : selection;
}

function sideOf(selection: string, teamId: string | undefined, game: OpticGame): 'home' | 'away' | undefined {
  if (selection === game.home) return 'home';
  if (selection === game.away) return 'away';
  if (teamId === undefined) return undefined;
  return game.homeIds?.includes(teamId) ? 'home' : game.awayIds?.includes(teamId) ? 'away' : undefined;
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
