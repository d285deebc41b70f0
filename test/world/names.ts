// Names of rows and of listed opportunities from the true home side's view, in which the oracle names them.

import type { Row } from '../../src/model/row.js';
import type { EventState } from '../../src/model/state.js';
import type { PublishedOpportunity } from '../detect/published.js';
import type { Game } from './games.js';
import { rungKey } from './oracle.js';
import { marketOf } from './visible.js';

const turned = (side: string): string => ({ home: 'away', away: 'home' })[side] ?? side;

/** The name of a row, from the true home side's view. */
export function nameOfRow(book: string, game: Game, row: Row, event: EventState): string {
  const flipped = event.home !== game.home;
  const turn = (side: string | null) => (flipped ? ({ home: 'away', away: 'home' }[side ?? ''] ?? side) : side);
  const line = row.alternate ? (row.line ?? 0) + 0 : '';
  return [book, game.no, row.market, row.player !== null, turn(row.team), turn(row.selectionType), line].join('|');
}

/** @param game its number; -1 if it is of none */
export function nameOfListed(
  { kind, item, market: type }: PublishedOpportunity,
  { event, game, flipped }: { event: EventState; game: number; flipped: boolean },
  rowOf: (oddsId: string) => Row,
): string {
  const whose = item['team_name'] === event.home ? 'home' : 'away';
  const team = item['team_name'] == null ? null : flipped ? turned(whose) : whose;
  const market = marketOf({ market: type, team });
  const player = item['is_player_prop'] === true;
  const line = item['line'] as number | null;
  const legs = item['legs'] as { odds_id: string; is_lay?: true; selection_type: string }[] | undefined;
  if (legs?.[1]?.is_lay === true) {
    const { odds_id, selection_type } = legs[1];
    const row = rowOf(odds_id);
    const type = flipped ? ({ home: 'away', away: 'home' }[selection_type] ?? selection_type) : selection_type;
    const ways = row.externalId!.endsWith('|winner3') ? 3 : 2;
    const handicap = row.externalId!.endsWith('|handicap2') && type === 'away';
    return `${kind} ${rungKey({ game, market, player, ways, line: line !== null && handicap ? 0 - line : line })} lay ${type}`;
  }
  const spread = /^(?:point_spread|run_line|puck_line)/.test(market);
  const ways = legs?.length ?? (item['side3'] == null ? 2 : 3);
  if (kind !== 'middle') {
    return `${kind} ${rungKey({ game, market, player, ways, line: line !== null && flipped && spread ? 0 - line : line })}`;
  }
  const lines = [item['side1'], item['side2']].map((side) => (side as { line: number }).line);
  const [first, second] = flipped && spread ? lines.reverse() : lines;
  return `middle ${rungKey({ game, market, player, ways, line: first! })} ${second! + 0}`;
}
