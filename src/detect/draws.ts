// Which books have quoted a draw in which market of an event: such a market stays three-way there, and is incomplete
// while the draw is missing. Stored with the event, so that it outlives the row and a restart.
import { backedMarket, isThreeWayAnyhow, mayBeThreeWay } from './market-side.js';

/** The fields of an event that are used here. */
export interface DrawsShown {
  readonly sport: string;
  /** `book|market`; undefined if no book has quoted one. */
  draws?: readonly string[];
}

export function hasShownDraw({ draws }: DrawsShown, book: string, market: string): boolean {
  return draws?.includes(`${book}|${backedMarket(market)}`) ?? false;
}

/**
 * Records a draw, also one that can only be laid. True if it is new: markets that are always three-way are not
 * recorded.
 */
export function noteDraw(event: DrawsShown, book: string, shown: string): boolean {
  const market = backedMarket(shown);
  if (isThreeWayAnyhow(event.sport, market) || !mayBeThreeWay(market) || hasShownDraw(event, book, market))
    return false;
  event.draws = [...(event.draws ?? []), `${book}|${market}`];
  return true;
}
