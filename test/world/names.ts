// Names of rows and of listed opportunities from the true home side's view, in which the oracle names them.

import type { Row } from '../../src/base/model/row.js';
import type { EventState } from '../../src/base/model/state.js';
import type { Game } from './games.js';
import { rungKey } from './oracle.js';
import { type Player, playerOf } from './quote.js';
import { marketOf, type Visible } from './visible.js';

/** The name of a row, from the true home side's view. */
export function nameOfRow(book: string, game: Game, row: Row, event: EventState): string {
  const flipped = event.home !== game.home;
  const turn = (side: string | null) => (flipped && side !== null ? turned(side) : side);
  const line = row.alternate ? (row.line ?? 0) + 0 : '';
  return [book, game.no, row.market, personOf(row.player), turn(row.team), turn(row.selectionType), line].join('|');
}

/** The fields of a listed opportunity of any kind that its name is made of. */
export interface ListedItem {
  market_type: string;
  home_team: string;
  team_name?: string | null;
  line: number | null;
  player_name?: string | null;
  legs?: readonly { sportsbook: string; selection_type: string; is_lay?: true }[];
  side1?: { line: number };
  side2?: { line: number };
  side3?: unknown;
}

/** @param game its number; -1 if it is of none */
export function nameOfListed(
  kind: 'arbitrage' | 'low_hold' | 'middle',
  item: ListedItem,
  { game, flipped }: { game: number; flipped: boolean },
  visible: Visible,
): string {
  const { market_type, line, legs } = item;
  const market = marketOf({ market: market_type, team: teamIn(item, flipped) });
  const spread = /^(?:point_spread|run_line|puck_line)/.test(market);
  const turnedLine = (turns: boolean): number | null => (line !== null && spread && turns ? 0 - line : line);
  const named = { game, market, player: visible.manOf(game, personOf(item.player_name)) };
  const lay = legs?.find((leg) => leg.is_lay === true);
  if (lay !== undefined) {
    const type = flipped ? turned(lay.selection_type) : lay.selection_type;
    // Its two legs do not show whether the bet has a third result.
    const ofThree = [...visible.of(game)].some(
      (price) => price.book === lay.sportsbook && price.market === `${market_type}_lay` && price.contract === 'winner3',
    );
    return `${kind} ${rungKey({ ...named, line: turnedLine(type === 'away'), ways: ofThree ? 3 : 2 })} lay ${type}`;
  }
  if (kind !== 'middle') {
    const ways = legs?.length ?? (item.side3 == null ? 2 : 3);
    return `${kind} ${rungKey({ ...named, ways, line: turnedLine(flipped) })}`;
  }
  const lines = [item.side1!.line, item.side2!.line];
  const [first, second] = flipped && spread ? lines.reverse() : lines;
  return `middle ${rungKey({ ...named, ways: 2, line: first! })} ${second! + 0}`;
}

export const personOf = (name: string | null | undefined): Player | null => (name == null ? null : playerOf(name));

/** Whose total it is, from the true home side's view; null for markets of no team. */
export function teamIn(
  { team_name, home_team }: { team_name?: string | null | undefined; home_team: string },
  flipped: boolean,
): string | null {
  if (team_name == null) return null;
  return (team_name === home_team) === flipped ? 'away' : 'home';
}

/** The home side's line as the away side's. */
export const turned = (type: string): string => (type === 'home' ? 'away' : type === 'away' ? 'home' : type);
