// The fields of a row in the log that history stores.

import { detachedText } from '../../base/memory/detached-text.js';
import { isActive, isIndicative, isModelPrice } from '../../base/model/activity.js';
import type { RowIdentity, RowNumbers } from '../../base/model/row.js';
import type { HistoryRow, Point } from './event-record.js';

/** The new price of a row. */
export function pointOf(row: RowNumbers, live: boolean): Point {
  const { changedUs: atUs, american, decimal, line, activity } = row;
  return { atUs, american, decimal, line, live, active: isActive(activity), ...marksIn(activity) };
}

/** Why nothing was on offer at the price. */
export function marksIn(activity: number): Pick<Point, 'indicative' | 'model'> {
  if (!isIndicative(activity)) return { indicative: false };
  return { indicative: true, ...(isModelPrice(activity) ? { model: true } : {}) };
}

/** A row that is new to the table, with its opening price. */
export function addedRow(
  identity: RowIdentity,
  no: number,
  book: string,
  opening: Point,
  intern: (text: string) => string,
): HistoryRow {
  const { id, market, selection, selectionType, player, stat, team, alternate } = identity;
  return {
    place: -1,
    id: detachedText(id),
    book: intern(book),
    market: intern(market),
    selection: intern(selection),
    selectionType: intern(selectionType),
    player: player === null ? null : intern(player),
    stat: stat === null ? null : intern(stat),
    team,
    alternate,
    no,
    removedUs: 0,
    opening,
    seenMs: 0,
    lastBeforeClose: null,
  };
}
