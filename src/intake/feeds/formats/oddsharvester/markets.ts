// Which market an `…_market` list of OddsHarvester is, and which of its labels is which selection, in the order of the
// outcomes.
import { lineTypes } from '../../../../rules/markets/aliases.js';
import type { Game } from '../format.js';

export interface LabelledMarket {
  type: string;
  selections: readonly { label: string; selection: string; selection_type: string; line?: number }[];
}

/** After a market type. Undefined: another part of the game than any known. */
const PARTS: Readonly<Record<string, string>> = {
  '': '',
  fulltime: '',
  fullincludingot: '',
  '1sthalf': '_h1',
  firsthalf: '_h1',
  '2ndhalf': '_h2',
  secondhalf: '_h2',
  '1stquarter': '_q1',
  '2ndquarter': '_q2',
  '3rdquarter': '_q3',
  '4thquarter': '_q4',
  '1stperiod': '_p1',
  '2ndperiod': '_p2',
  '3rdperiod': '_p3',
  '1stset': '_set_1',
  '2ndset': '_set_2',
};
const LINE =
  /^(over_under|asian_handicap|handicap)(?:_(sets|games|points))?_([+-]?\d+(?:[._]\d+)?)(?:_(sets|games|points))?$/;

/** Undefined for a market that has no type here. */
export function marketOf(name: string, period: string, sport: string, game: Game): LabelledMarket | undefined {
  const part = PARTS[period.toLowerCase().replace(/[^a-z0-9]/g, '')];
  if (part === undefined) return undefined;
  const home = { selection: game.home_team, selection_type: 'home' };
  const away = { selection: game.away_team, selection_type: 'away' };
  const draw = { selection: 'Draw', selection_type: 'draw' };
  const of = (type: string, ...selections: LabelledMarket['selections']): LabelledMarket => ({
    type: `${type}${part}`,
    selections,
  });
  const yesNo = (label: string, selection: string) => ({ label, selection, selection_type: selection.toLowerCase() });
  switch (name) {
    case '1x2':
      return of(
        sport === 'soccer' ? 'moneyline' : 'moneyline_3way',
        { label: '1', ...home },
        { label: 'X', ...draw },
        { label: '2', ...away },
      );
    case 'home_away':
      return of('moneyline', { label: '1', ...home }, { label: '2', ...away });
    case 'match_winner':
      return of('moneyline', { label: 'player_1', ...home }, { label: 'player_2', ...away });
    case 'btts':
      return of('both_teams_to_score', yesNo('btts_yes', 'Yes'), yesNo('btts_no', 'No'));
    case 'dnb':
    case 'draw_no_bet':
      return of('draw_no_bet', { label: 'dnb_team1', ...home }, { label: 'dnb_team2', ...away });
    case 'double_chance':
      return of(
        'double_chance',
        { label: '1X', selection: `${game.home_team} or Draw`, selection_type: 'home_or_draw' },
        { label: '12', selection: `${game.home_team} or ${game.away_team}`, selection_type: 'home_or_away' },
        { label: 'X2', selection: `Draw or ${game.away_team}`, selection_type: 'draw_or_away' },
      );
    default:
      return lineMarket(name, sport, game, of);
  }
}

function lineMarket(
  name: string,
  sport: string,
  { home_team, away_team }: Game,
  of: (type: string, ...selections: LabelledMarket['selections']) => LabelledMarket,
): LabelledMarket | undefined {
  const [, kind, before, number, after] = LINE.exec(name) ?? [];
  if (number === undefined) return undefined;
  const line = Number(number.replace('_', '.'));
  const counted = sport === 'tennis' || after === 'sets' || before === 'sets' ? (after ?? before) : undefined;
  const { spread, total } = lineTypes(sport);
  if (kind === 'over_under')
    return of(
      counted === undefined || counted === 'points' ? total : `total_${counted}`,
      { label: 'odds_over', selection: 'Over', selection_type: 'over', line },
      { label: 'odds_under', selection: 'Under', selection_type: 'under', line },
    );
  const labels =
    counted === undefined || counted === 'points'
      ? sport === 'soccer'
        ? ['team1_handicap', 'team2_handicap']
        : ['handicap_team_1', 'handicap_team_2']
      : [`${counted}_handicap_player_1`, `${counted}_handicap_player_2`];
  const type = counted === 'sets' ? 'set_handicap' : counted === 'games' ? 'game_handicap' : spread;
  return of(
    type,
    { label: labels[0]!, selection: home_team, selection_type: 'home', line },
    { label: labels[1]!, selection: away_team, selection_type: 'away', line: line === 0 ? 0 : -line },
  );
}

const SPORTS: Readonly<Record<string, string>> = {
  football: 'soccer',
  'american-football': 'football',
  'ice-hockey': 'hockey',
  'rugby-league': 'rugby',
  'rugby-union': 'rugby',
  'aussie-rules': 'aussie_rules',
  'table-tennis': 'table_tennis',
};

/** Of the first part of a match's path. */
export function sportNamed(name: string): string {
  return SPORTS[name] ?? name;
}
