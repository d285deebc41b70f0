// Which books have shown a draw in which market of an event: such a market stays three-way there, and is incomplete while
// the draw is gone. Kept with the event, so that it outlives the row and a restart.
import { backedMarket, isThreeWayAnyhow, mayBeThreeWay } from './market-side.js';

/** What of an event draws are told by. */
export interface DrawsShown {
  readonly sport: string;
  /** `book|market`; undefined where no book has shown one. */
  draws?: readonly string[];
}

export function hasShownDraw({ draws }: DrawsShown, book: string, market: string): boolean {
  return draws?.includes(`${book}|${backedMarket(market)}`) ?? false;
}

/**
 * Notes a draw, one that can only be laid as well. True where that is news: markets that are three-way whoever shows what
 * are not noted.
 */
export function noteDraw(event: DrawsShown, book: string, shown: string): boolean {
  const market = backedMarket(shown);
  if (isThreeWayAnyhow(event.sport, market) || !mayBeThreeWay(market) || hasShownDraw(event, book, market))
    return false;
  event.draws = [...(event.draws ?? []), `${book}|${market}`];
  return true;
}
