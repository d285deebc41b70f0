// A second reading of the rules of betting, written apart from the program's: from what truly happened in a made-up game,
// period by period, never from what a source tells of it. Half a stake at a time, in whole numbers of a quarter point.

/** Points of both teams in each period of regular time, and in extra time if it was played. */
export interface PlayedGame {
  sport: 'football' | 'basketball' | 'hockey' | 'soccer' | 'baseball';
  periods: [home: number, away: number][];
  extra: [home: number, away: number] | null;
}

export interface TrueBet {
  family: 'winner' | 'handicap' | 'total' | 'odd_even' | 'both_score' | 'double_chance' | 'correct_score';
  /** The periods that count, by index, and whether extra time does. */
  periods: number[];
  extra: boolean;
  team: 'home' | 'away' | null;
  selection: string;
  line: number | null;
  /** What a tie or a result equal to the line means. */
  tie: 'refund' | 'third' | 'loses' | 'half';
}

/** What one unit staked at `decimal` returns. */
export function trueReturn(game: PlayedGame, bet: TrueBet, decimal: number): number {
  let [home, away] = [0, 0];
  for (const [i, [h, a]] of game.periods.entries()) if (bet.periods.includes(i)) [home, away] = [home + h, away + a];
  if (bet.extra && game.extra !== null) [home, away] = [home + game.extra[0], away + game.extra[1]];
  switch (bet.family) {
    case 'winner': {
      const winner = home === away ? 'draw' : home > away ? 'home' : 'away';
      if (winner === bet.selection) return decimal;
      if (winner !== 'draw') return 0;
      return bet.tie === 'refund' ? 1 : bet.tie === 'half' ? decimal / 2 : 0;
    }
    case 'double_chance': {
      const winner = home === away ? 'draw' : home > away ? 'home' : 'away';
      return bet.selection.includes(winner) ? decimal : 0;
    }
    case 'correct_score':
      return bet.selection === `${home}-${away}` ? decimal : 0;
    case 'odd_even':
      return bet.selection === ['even', 'odd'][(home + away) % 2] ? decimal : 0;
    case 'both_score':
      return (home * away === 0) === (bet.selection === 'no') ? decimal : 0;
    case 'handicap': {
      const lead = bet.selection === 'home' ? home - away : away - home;
      return returned(4 * (lead + bet.line!), decimal, bet.tie, 4 * bet.line! > 0);
    }
    case 'total': {
      const count = bet.team === null ? home + away : bet.team === 'home' ? home : away;
      const over = bet.selection === 'over';
      return returned(4 * (over ? count - bet.line! : bet.line! - count), decimal, bet.tie, !over);
    }
  }
}

/** @param quarters by how many quarter points the bet is beyond its line */
function returned(quarters: number, decimal: number, tie: TrueBet['tie'], winsLevel: boolean): number {
  if (tie === 'loses') return quarters > 0 || (quarters === 0 && winsLevel) ? decimal : 0;
  // A quarter line is two bets of half the stake, a quarter point to either side.
  const halves = quarters % 2 === 0 ? [quarters, quarters] : [quarters - 1, quarters + 1];
  let sum = 0;
  for (const half of halves) sum += half > 0 ? decimal / 2 : half < 0 ? 0 : tie === 'refund' ? 0.5 : 0;
  return sum;
}
