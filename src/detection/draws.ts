// Which books have quoted a third side (a draw, `exactly`) in which market of an event: such a market stays three-way
// there, and is incomplete while that side is missing. Stored with the event, so that it outlives the row and a restart.

import type { EventState } from '../base/model/state.js';
import type { MarketTypes } from '../rules/markets/market-types.js';
import { isThirdSide, mayHaveThirdSide } from '../rules/markets/sides.js';

/** The fields of an event that are used here. */
type DrawsShown = Pick<EventState, 'sport' | 'draws'>;

/** `market` is a type that can be backed. */
export function hasShownDraw({ draws }: DrawsShown, book: string, market: string): boolean {
  return draws?.includes(`${book}|${market}`) ?? false;
}

/**
 * Records a third side, also one that can only be laid. True if it is one, and new: markets that are always three-way
 * are not recorded.
 */
export function noteDraw(
  event: DrawsShown,
  book: string,
  { market: shown, selectionType }: { market: string; selectionType: string },
  types: MarketTypes,
): boolean {
  if (!isThirdSide(selectionType)) return false;
  const rules = types.of(shown, event.sport);
  const market = rules.backed;
  if (rules.sides === 'three' || !mayHaveThirdSide(rules) || hasShownDraw(event, book, market)) return false;
  event.draws = [...(event.draws ?? []), `${book}|${market}`];
  return true;
}
