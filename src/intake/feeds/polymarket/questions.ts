// The question of a Polymarket market, as a market type. Only the winner, spread and total of the whole game are the
// books' questions, by a list of allowed types; every other market of a game has a market type of its own.

import { lineTypes } from '../../../rules/markets/aliases.js';
import { type Fields, numberOf, textOf, textsOf } from '../kit/field-readers.js';
import type { VenueTeams } from '../kit/teams.js';

export interface GameSides {
  league: string;
  sport: string;
  /** Ids of the teams. */
  home: string;
  away: string;
}

export interface Question {
  type: string;
  outcomes: { selection: string; selectionType: string; line?: number; token: string }[];
}

const DRAW = /^(?:draw|tie)\b/i;
const YES_NO = 'yes|no';

/** Undefined if the market cannot be parsed. */
export function questionOf(market: Fields, game: GameSides, teams: VenueTeams): Question | undefined {
  const names = textsOf(market['outcomes']);
  const tokens = textsOf(market['clobTokenIds']);
  const kind = textOf(market['sportsMarketType']);
  if (kind === undefined || names.length !== 2 || tokens.length !== 2 || tokens[0] === tokens[1]) return undefined;
  const both: Both = { names: [names[0]!, names[1]!], tokens: [tokens[0]!, tokens[1]!] };
  const same =
    kind === 'moneyline'
      ? winner(market, both, game, teams)
      : kind === 'spreads'
        ? spread(market, both, game, teams)
        : kind === 'totals'
          ? total(market, both, game)
          : undefined;
  return same ?? ownQuestion(market, both, kind);
}

interface Both {
  names: readonly [string, string];
  tokens: readonly [string, string];
}

function winner(market: Fields, { names, tokens }: Both, game: GameSides, teams: VenueTeams): Question | undefined {
  if (names.join('|').toLowerCase() === YES_NO) {
    // Three-way: one market per outcome. Its No is not another outcome.
    const title = textOf(market['groupItemTitle']);
    if (title === undefined || game.sport !== 'soccer') return undefined;
    const side = DRAW.test(title) ? 'draw' : sideOf(title, game, teams);
    if (side === undefined) return undefined;
    return { type: 'moneyline', outcomes: [{ selection: title, selectionType: side, token: tokens[0] }] };
  }
  // In soccer a two-team market states only in its rules what happens on a draw.
  const sides = game.sport === 'soccer' ? undefined : sidesOf(names, game, teams);
  if (sides === undefined) return undefined;
  return {
    type: 'moneyline',
    outcomes: names.map((selection, i) => ({ selection, selectionType: sides[i]!, token: tokens[i]! })),
  };
}

function spread(market: Fields, { names, tokens }: Both, game: GameSides, teams: VenueTeams): Question | undefined {
  // The line belongs to the first outcome, signed.
  const line = numberOf(market['line']);
  const sides = sidesOf(names, game, teams);
  if (line === undefined || !isLine(line) || sides === undefined) return undefined;
  return {
    type: lineTypes(game.sport).spread,
    outcomes: names.map((selection, i) => ({
      selection,
      selectionType: sides[i]!,
      line: i === 0 ? line : -line,
      token: tokens[i]!,
    })),
  };
}

function total(market: Fields, { names, tokens }: Both, game: GameSides): Question | undefined {
  const line = numberOf(market['line']);
  const types = names.map((name) => name.toLowerCase());
  if (line === undefined || !isLine(line) || line <= 0) return undefined;
  if ([...types].sort().join('|') !== 'over|under') return undefined;
  return {
    type: lineTypes(game.sport).total,
    outcomes: names.map((selection, i) => ({ selection, selectionType: types[i]!, line, token: tokens[i]! })),
  };
}

/** Multiples of a quarter; anything finer would be misread. */
function isLine(line: number): boolean {
  return Number.isInteger(line * 4) && Math.abs(line) < 1_000;
}

function sidesOf(names: readonly string[], game: GameSides, teams: VenueTeams): string[] | undefined {
  const sides = names.map((name) => sideOf(name, game, teams));
  return sides.includes('home') && sides.includes('away') ? (sides as string[]) : undefined;
}

function sideOf(name: string, { league, home, away }: GameSides, teams: VenueTeams): 'home' | 'away' | undefined {
  const token = teams.find(league, name)?.token;
  return token === home ? 'home' : token === away ? 'away' : undefined;
}

/**
 * Listed as the venue's own question; a selection of type `contract` has no other side and takes no part in detection.
 */
function ownQuestion(market: Fields, { names, tokens }: Both, kind: string): Question | undefined {
  const type = `polymarket_${kind.toLowerCase().replace(/[^a-z0-9]+/g, '_')}`.slice(0, 64).replace(/_+$/, '');
  const question = textOf(market['question']) ?? textOf(market['groupItemTitle']) ?? textOf(market['id']);
  if (question === undefined) return undefined;
  return {
    type,
    outcomes: names.map((name, i) => ({
      selection: `${question.slice(0, 140)}: ${name.slice(0, 50)}`,
      selectionType: 'contract',
      token: tokens[i]!,
    })),
  };
}
