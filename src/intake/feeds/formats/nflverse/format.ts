// nflverse's games.csv: every NFL game with its closing spread, total and moneylines, which are those of one book here.
import { formatMs, HOUR_MS, MINUTE_MS } from '../../../../base/model/time.js';
import {
  bookMessage,
  type FileFormat,
  type FormatContext,
  type Game,
  type MarketPrices,
  namedRows,
  type OpenedFile,
  type Stated,
  selectionsOf,
} from '../format.js';
import { closeBefore, dayOf, RESULT_TOLD_AFTER_MS, WallClock } from '../times.js';

const BOOK = 'closing_line';
const newYork = new WallClock('America/New_York');
/** The Rams in these files; elsewhere it may be either of the two clubs of the town. */
const LA = { short: 'LA', name: 'Los Angeles Rams' } as const;
const TIME = /^(\d{1,2}):(\d{2})/;
/** The usual start on a Sunday. */
const START_MS = 13 * HOUR_MS;
/** Both sides of a spread or total whose prices are not told. */
const EVEN_ODDS = -110;

export const nflverse: FileFormat = {
  name: 'nflverse',
  about: 'games.csv of nflverse',
  recognises: ({ table }) =>
    table !== undefined &&
    ['game_id', 'gameday', 'spread_line', 'total_line'].every((name) => table.columns.includes(name)),
  read: readGames,
};

async function* readGames(file: OpenedFile, { settings, report }: FormatContext): AsyncGenerator<Stated, void> {
  for await (const { place, cell: cellOf, number } of namedRows(file, report)) {
    const cell = (name: string): string => cellOf(name).replace(/^NA$/, '');
    const day = dayOf(cell('gameday'));
    if (day === undefined || cell('home_team') === '' || cell('away_team') === '') {
      report.fault(day === undefined ? 'gameday is not a day' : 'a team is missing', place);
      continue;
    }
    const [, hour, minute] = TIME.exec(cell('gametime')) ?? [];
    if (hour === undefined) report.assumed('a game without a time starts at 13:00 in New York', place);
    const intoDay = hour === undefined ? START_MS : Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS;
    const startMs = newYork.instant(day + intoDay);
    const game: Game = {
      league: settings.league ?? 'nfl',
      home_team: clubOf(cell('home_team')),
      away_team: clubOf(cell('away_team')),
      start_time: formatMs(startMs),
    };
    const markets = marketsOf(game, number, () =>
      report.assumed(`a spread or total without prices is ${EVEN_ODDS} on both sides`, place),
    );
    const atMs = closeBefore(startMs);
    if (markets.length > 0) yield { atMs, message: bookMessage(BOOK, formatMs(atMs), game, markets) };
    const [home_score, away_score] = ['home_score', 'away_score'].map(number) as [number, number];
    if (Number.isNaN(home_score + away_score)) continue;
    const ended = cell('overtime') === '1' ? { ended: 'overtime' } : {};
    const result = { ...game, status: 'final', home_score, away_score, ...ended };
    yield { atMs: startMs + RESULT_TOLD_AFTER_MS, result };
  }
}

function clubOf(short: string): string {
  return short === LA.short ? LA.name : short;
}

/** The spread of the file is how many points the home team is expected to win by. */
function marketsOf(game: Game, number: (name: string) => number, assumed: () => void): MarketPrices[] {
  const markets: MarketPrices[] = [];
  const sides = selectionsOf(game);
  const priced = (name: string): number => {
    const odds = number(name);
    if (Math.abs(odds) >= 100) return odds;
    assumed();
    return EVEN_ODDS;
  };
  const [home, away] = [number('home_moneyline'), number('away_moneyline')];
  if (Math.abs(home) >= 100 && Math.abs(away) >= 100)
    markets.push({
      market_type: 'moneyline',
      selections: [
        { ...sides.home, odds_american: home },
        { ...sides.away, odds_american: away },
      ],
    });
  const spread = number('spread_line');
  if (!Number.isNaN(spread))
    markets.push({
      market_type: 'point_spread',
      selections: [
        { ...sides.home, line: 0 - spread, odds_american: priced('home_spread_odds') },
        { ...sides.away, line: spread, odds_american: priced('away_spread_odds') },
      ],
    });
  const total = number('total_line');
  if (!Number.isNaN(total))
    markets.push({
      market_type: 'total_points',
      selections: [
        { ...sides.over, line: total, odds_american: priced('over_odds') },
        { ...sides.under, line: total, odds_american: priced('under_odds') },
      ],
    });
  return markets;
}
