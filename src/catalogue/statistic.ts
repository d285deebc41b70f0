// The statistic a prop is about. Most market types name it (`player_points`), and the book's own text ("points",
// "Points Scored", nothing) adds nothing; under a type that names none, the text distinguishes bets.

/** Player markets that name no statistic: `player_prop`, `player_over_under`, also for a part of the game. */
const NAMES_NONE =
  /^player_(?:props?|stats?|specials?|totals?|markets?|bets?|performance|over_under|yes_no|other)(?:_(?:[hqp]\d|1st_\d_innings))?$/;

/** A prop's statistic if its market type leaves it open, else null; one spelling for every case. */
export function statisticOf(market: string, stat: string | null): string | null {
  if (stat === null || (market.startsWith('player_') && !NAMES_NONE.test(market))) return null;
  return stat.toLowerCase();
}
