// An entry of the table of tools, and the field lists and parts of texts that several of them share.

import { words } from '../../base/model/words.js';
import type { Paths, Schema } from './projection.js';
import {
  american,
  below,
  booksOf,
  field,
  flag,
  joined,
  type Line,
  labelled,
  off,
  percent,
  type Reading,
  score,
  signed,
} from './readable.js';

/** A request that changes something. */
export interface Change {
  /** By the argument `action`, where there is more than one. */
  requests: Readonly<Record<string, { method: 'POST' | 'PATCH' | 'DELETE'; path: string; body?: object }>>;
  arguments: Readonly<Record<string, Schema>>;
  required: readonly string[];
  /** The body, where it is not given: the arguments without the id. */
  body?(args: Readonly<Record<string, unknown>>): object;
  /** Something is lost by it. */
  destructive?: true;
}

export interface ToolEntry extends Reading {
  name: string;
  title: string;
  /** For the model that chooses a tool. */
  description: string;
  /** Path of the route, below /api/v1. */
  path: string;
  /** Of a tool that changes something: its arguments, and what is sent of them. */
  change?: Change;
  /** Fields of the answer's data in the structured content. */
  shows: Paths;
  /** Schemas of arguments that replace the route's. */
  arguments?: Readonly<Record<string, Schema>>;
  /** Arguments that are accepted but not listed, in addition to those of every tool. */
  unlisted?: readonly string[];
  /** Default values of arguments, in place of the route's own. */
  defaults?: Readonly<Record<string, string | number>>;
}

/** For rows of which fifty are too many for a model to read at once. */
export const PAGE = { limit: 25 } as const;
export const EVENT: Paths = ['event_id', 'event_name', 'league', 'start_time', 'is_live'];
export const WHAT: Paths = ['market_type', 'player_name', 'selection', 'line'];
export const MARKET: Paths = ['market_type', 'player_name', 'team_name'];
export const PRICE: Paths = ['odds_american', 'odds_decimal', 'odds_decimal_net', 'commission'];
export const TRUST: Paths = ['oldest_odds_age_seconds', 'possibly_stale', 'warnings'];
export const ODDS: Paths = words(`
  event_id sportsbook market_type player_name team_name selection line odds_american odds_american_previous
  odds_decimal commission is_active is_main_line is_live last_seen_at id
`);
export const GAME: Paths = ['home_score', 'away_score', 'period', 'clock'].map((name) => `game_state.${name}`);
export const under = (path: string, names: Paths): Paths => names.map((name) => `${path}.${name}`);

export const SIDE: Paths = ['selection', 'line', 'odds.american', 'odds.decimal', 'odds.decimal_net'];

export const market = joined(' ', field('market_type'), field('player_name'), field('team_name'));
export const what = joined(' ', market, field('selection'), field('line'));
export const when = joined(' ', field('start_time'), flag('is_live', 'live'), score);
export const row = (...parts: Line[]) => joined(' · ', ...parts);
const price = joined(' ', american('odds_american'), off);
/** For the tools that take an event id. */
export const event = labelled('event_id', 'event');
export const oddsRow = row(
  field('event_id'),
  what,
  field('sportsbook'),
  price,
  flag('is_live', 'live'),
  labelled('odds_american_previous', 'was', signed),
  labelled('id', 'id'),
);
/** Rows of get_odds, also those under their event with group_by. */
export const oddsLines = (item: unknown): (string | undefined)[] => {
  const rows = below(item, 'odds');
  return rows === undefined ? [oddsRow(item)] : [grouped(item), ...rows.map(groupedRow)];
};
const grouped = row(field('event_id'), field('event_name'), when);
const groupedRow = joined(' ', () => '-', what, field('sportsbook'), price);
const comparedMarket = row(market, percent('hold.best_available', 'hold of the best prices'));
const comparedSelection = joined(
  ' ',
  field('selection', (value) => `- ${value}`),
  field('line'),
  booksOf('books'),
);
export const comparedLines = (item: unknown): (string | undefined)[] => [
  comparedMarket(item),
  ...(below(item, 'selections') ?? []).map(comparedSelection),
];
export const side = (name: string, books: string) =>
  joined(
    ' ',
    field(`${name}.selection`),
    field(`${name}.line`),
    american(`${name}.odds.american`),
    labelled(`${name}.${books}`, 'at'),
  );

export function warnings(value: unknown): string | undefined {
  return Array.isArray(value) && value.length > 0 ? value.join(' ') : undefined;
}
