// A row of SharpAPI's odds, as its REST API and its streams send it, as a row of the mirror.

import { present } from '../../../base/model/present.js';
import { type Fields, linkOf, numberOf, textOf } from '../kit/field-readers.js';
import type { GameFacts } from '../kit/market-ids.js';
import type { MirroredRow } from '../kit/row-mirror.js';

export interface SharpRow {
  game: GameFacts;
  row: MirroredRow;
}

/** Undefined if it lacks what a row needs. */
export function sharpRow(fields: Fields): SharpRow | undefined {
  const id = textOf(fields['id']);
  const book = textOf(fields['sportsbook']);
  const gameId = textOf(fields['event_id']);
  const league = textOf(fields['league']);
  const home = textOf(fields['home_team']);
  const away = textOf(fields['away_team']);
  const startMs = Date.parse(textOf(fields['event_start_time']) ?? '');
  const type = textOf(fields['market_type']);
  const selection = textOf(fields['selection']);
  const american = numberOf(fields['odds_american']);
  const decimal = numberOf(fields['odds_decimal']);
  if (id === undefined || book === undefined || gameId === undefined || league === undefined) return undefined;
  if (home === undefined || away === undefined || type === undefined || selection === undefined) return undefined;
  if (Number.isNaN(startMs) || (american === undefined && decimal === undefined)) return undefined;
  return {
    game: { id: gameId, league, home, away, startMs, isLive: fields['is_live'] === true },
    row: {
      id,
      book,
      gameId,
      market: present({
        market_type: type,
        player_name: textOf(fields['player_name']),
        stat_category: textOf(fields['stat_category']),
        team: teamOf(fields, home, away),
        max_bet: numberOf(fields['max_bet']),
      }),
      selection: present({
        selection,
        selection_type: textOf(fields['selection_type']) ?? selection.toLowerCase(),
        line: numberOf(fields['line']),
        ...priceOf(american, decimal),
        is_alternate_line: isAlternate(fields) || undefined,
        indicative: fields['indicative'] === true || undefined,
        deep_link: linkOf(fields['deep_link']),
        size: numberOf(fields['size']),
        market_id: textOf(fields['market_id']),
        external_id: textOf(fields['selection_id']),
      }),
      active: fields['is_active'] !== false,
      changedAt: changedAt(fields),
    },
  };
}

/** The row with a change of the stream, which names only what may change; undefined if it states no price. */
export function changedRow(known: MirroredRow, fields: Fields): MirroredRow | undefined {
  const american = numberOf(fields['odds_american']);
  const decimal = numberOf(fields['odds_decimal']);
  if (american === undefined && decimal === undefined) return undefined;
  const { odds_american: _american, odds_decimal: _decimal, line: before, ...others } = known.selection;
  const { is_alternate_line: wasAlternate = false, indicative: _indicative, ...rest } = others;
  return {
    ...known,
    selection: present({
      ...rest,
      is_alternate_line: (isAlternate(fields) ?? wasAlternate) || undefined,
      indicative: fields['indicative'] === true || undefined,
      line: fields['line'] === undefined ? before : numberOf(fields['line']),
      ...priceOf(american, decimal),
    }),
    active: fields['is_active'] !== false,
    changedAt: changedAt(fields),
  };
}

/** The American price unless the decimal one says more: then the book states decimals. */
function priceOf(american: number | undefined, decimal: number | undefined) {
  if (american === undefined || !isAmerican(american)) return { odds_decimal: decimal! };
  if (decimal === undefined) return { odds_american: american };
  const exact = american > 0 ? 1 + american / 100 : 1 - 100 / american;
  return Math.abs(exact - decimal) < ROUNDING ? { odds_american: american } : { odds_decimal: decimal };
}

/** Decimals are sent with at least this precision. */
const ROUNDING = 0.000_6;

function isAmerican(price: number): boolean {
  return Math.abs(price) >= 100;
}

/** Undefined if neither name is stated; since version 3 the service says which line is the main one. */
function isAlternate(fields: Fields): boolean | undefined {
  const { is_alternate_line: alternate, is_main_line: main } = fields;
  if (typeof alternate === 'boolean') return alternate;
  return typeof main === 'boolean' ? !main : undefined;
}

/** Microseconds: the changes of a row are in this order. Since version 3 there is one time, before it there were two. */
function changedAt(fields: Fields): number {
  const { odds_changed_at, timestamp, last_seen_at } = fields;
  const stated = textOf(odds_changed_at) ?? textOf(timestamp) ?? textOf(last_seen_at);
  const at = stated === undefined ? Number.NaN : Date.parse(stated);
  if (Number.isNaN(at)) return 0;
  const digits = /\.\d{3}(\d{1,3})/.exec(stated!)?.[1] ?? '';
  return at * 1000 + Number(digits.padEnd(3, '0'));
}

function teamOf(fields: Fields, home: string, away: string): 'home' | 'away' | undefined {
  const team = textOf(fields['team']) ?? textOf(fields['team_name']);
  if (team === 'home' || team === home) return 'home';
  return team === 'away' || team === away ? 'away' : undefined;
}
