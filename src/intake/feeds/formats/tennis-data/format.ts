// tennis-data.co.uk: a year of a tour, a match a row with the winner first. Home and away are the two names in
// alphabetical order, so that the side does not tell who won.
import { formatMs, HOUR_MS } from '../../../../base/model/time.js';
import {
  bookMessage,
  type FileFormat,
  type FormatContext,
  type Game,
  namedRows,
  type OpenedFile,
  type Stated,
  type StatedResult,
  selectionsOf,
} from '../format.js';
import { closeBefore, dayOf, RESULT_TOLD_AFTER_MS } from '../times.js';

/** By the letters before W and L; those of nobody (Max, Avg) are not among them. */
const BOOKS: readonly (readonly [letters: string, book: string])[] = [
  ['B365', 'bet365'],
  ['PS', 'pinnacle'],
  ['BFE', 'betfair'],
  ['EX', 'expekt'],
  ['LB', 'ladbrokes_uk'],
  ['SJ', 'stanjames'],
  ['UB', 'unibet'],
  ['CB', 'centrebet'],
  ['GB', 'gamebookers'],
  ['IW', 'interwetten'],
  ['SB', 'sportingbet'],
  ['B&W', 'bwin'],
];
const NOBODYS = ['MaxW', 'MaxL', 'AvgW', 'AvgL'];
/** The files have no times of day. */
const START_MS = 12 * HOUR_MS;

export const tennisData: FileFormat = {
  name: 'tennis-data',
  about: 'tennis-data.co.uk',
  recognises: ({ table }) =>
    table !== undefined && ['Winner', 'Loser', 'Date', 'Tournament'].every((name) => table.columns.includes(name)),
  read: readYear,
};

async function* readYear(file: OpenedFile, { settings, report }: FormatContext): AsyncGenerator<Stated, void> {
  const tour = file.beginning.table!.columns.includes('WTA') ? 'wta' : 'atp';
  for await (const { place, cell, number } of namedRows(file, report)) {
    const day = dayOf(cell('Date'));
    const winner = cell('Winner');
    const loser = cell('Loser');
    if (day === undefined || winner === '' || loser === '') {
      report.fault(day === undefined ? 'Date is not a day' : 'a player is missing', place);
      continue;
    }
    report.assumed('a match, whose time is not told, starts at 12:00 UTC', place);
    const isHome = winner < loser;
    const startMs = day + START_MS;
    const game: Game = {
      league: settings.league ?? tour,
      home_team: isHome ? winner : loser,
      away_team: isHome ? loser : winner,
      start_time: formatMs(startMs),
    };
    report.leftOut("Max and Avg are nobody's prices", place, NOBODYS.filter((name) => cell(name) !== '').length);
    const { home, away } = selectionsOf(game);
    const atMs = closeBefore(startMs);
    for (const [letters, book] of BOOKS) {
      const columns = [`${letters}W`, `${letters}L`];
      if (columns.every((name) => cell(name) === '')) continue;
      const [won, lost] = columns.map(number) as [number, number];
      if (!(won > 1 && lost > 1)) {
        report.fault('a price is not a number above 1', place);
        continue;
      }
      const selections = [
        { ...home, odds_decimal: isHome ? won : lost },
        { ...away, odds_decimal: isHome ? lost : won },
      ];
      yield { atMs, message: bookMessage(book, formatMs(atMs), game, [{ market_type: 'moneyline', selections }]) };
    }
    yield { atMs: startMs + RESULT_TOLD_AFTER_MS, result: readMatch(cell, game, isHome) };
  }
}

// What became of a match of tennis-data.co.uk: sets, games, and how it ended where it was not played to its end.

const SETS = [1, 2, 3, 4, 5];

/** @param isHome the winner is the home side */
function readMatch(cell: (name: string) => string, game: Game, isHome: boolean): StatedResult {
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
