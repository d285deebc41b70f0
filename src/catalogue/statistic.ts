// Which statistic a prop is about. Most market types name it (`player_points`), and what a book writes beside it
// ("points", "Points Scored", nothing) then says nothing more; under a type that names none it tells bets apart.

/** Of players, yet of no statistic: `player_prop`, `player_over_under`, also of a part of the game. */
const NAMES_NONE =
  /^player_(?:props?|stats?|specials?|totals?|markets?|bets?|performance|over_under|yes_no|other)(?:_(?:[hqp]\d|1st_\d_innings))?$/;

/** A prop's statistic where its market type leaves that open, null where it does not; one spelling for every case. */
export function statisticOf(market: string, stat: string | null): string | null {
  if (stat === null || (market.startsWith('player_') && !NAMES_NONE.test(market))) return null;
  return stat.toLowerCase();
}
