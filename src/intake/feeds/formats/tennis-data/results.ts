// What became of a match of tennis-data.co.uk: sets, games, and how it ended where it was not played to its end.
import type { Game, StatedResult } from '../format.js';

const SETS = [1, 2, 3, 4, 5];

/** @param isHome the winner is the home side */
export function readMatch(cell: (name: string) => string, game: Game, isHome: boolean): StatedResult {
  const sided = (won: number, lost: number) =>
    isHome ? { home_score: won, away_score: lost } : { home_score: lost, away_score: won };
  const comment = cell('Comment').toLowerCase();
  if (/walk ?over|w\/o/.test(comment))
    return { ...game, status: 'final', ended: 'walkover', winner: isHome ? 'home' : 'away' };
  const ended = /retired|awarded|disqual|def/.exec(comment)?.[0];
  const parts = SETS.flatMap((set) => {
    const [won, lost] = [countOf(cell(`W${set}`)), countOf(cell(`L${set}`))];
    return Number.isNaN(won + lost) ? [] : [{ part: `set_${set}`, ...sided(won, lost) }];
  });
  const [won, lost] = ['Wsets', 'Lsets'].map((name) => countOf(cell(name))) as [number, number];
  const score = Number.isNaN(won + lost) ? {} : sided(won, lost);
  const end =
    ended === undefined
      ? {}
      : { ended: ended === 'retired' ? 'retired' : ended === 'awarded' ? 'awarded' : 'disqualified' };
  return { ...game, status: 'final', ...score, winner: isHome ? 'home' : 'away', ...end, parts };
}

/** Spreadsheets write whole numbers also as `6.0`. */
function countOf(text: string): number {
  return /^\d{1,3}(?:\.0)?$/.test(text) ? Number(text) : Number.NaN;
}
