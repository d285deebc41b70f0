// The tables that a sink writes, once for every kind of database: names and types of their columns, and their keys.

export type ColumnType = 'text' | 'number' | 'integer' | 'boolean' | 'time' | 'json';

export interface Table {
  columns: Readonly<Record<string, ColumnType>>;
  key: readonly string[];
  /** What it is partitioned by in time, where the database can. */
  time?: string;
}

/** What a price says, beside whose it is. */
const PRICE = {
  line: 'number',
  odds_american: 'number',
  odds_decimal: 'number',
  odds_probability: 'number',
  is_live: 'boolean',
  is_active: 'boolean',
} as const satisfies Record<string, ColumnType>;

/** Whose price it is. */
const IDENTITY = {
  event_id: 'text',
  sport: 'text',
  league: 'text',
  sportsbook: 'text',
  market_type: 'text',
  selection: 'text',
  selection_type: 'text',
  player_name: 'text',
  stat_category: 'text',
  team: 'text',
  is_alternate_line: 'boolean',
} as const satisfies Record<string, ColumnType>;

export const TABLES = {
  /** Games, as they were told last. */
  events: {
    columns: {
      event_id: 'text',
      sport: 'text',
      league: 'text',
      home_team: 'text',
      away_team: 'text',
      event_start_time: 'time',
      status: 'text',
      is_live: 'boolean',
    },
    key: ['event_id'],
  },
  /** Prices as they stand. */
  odds: {
    columns: {
      id: 'text',
      ...IDENTITY,
      ...PRICE,
      indicative: 'boolean',
      currency: 'text',
      max_bet: 'number',
      size: 'number',
      commission: 'json',
      deep_link: 'text',
      odds_changed_at: 'time',
      sink: 'text',
    },
    key: ['id'],
  },
  /** Every change of a price that the stream told: `change` is added, updated or removed. */
  odds_changes: {
    columns: {
      at: 'time',
      odds_id: 'text',
      change: 'text',
      ...IDENTITY,
      ...PRICE,
      indicative: 'boolean',
      odds_american_previous: 'number',
    },
    key: ['odds_id', 'at'],
    time: 'at',
  },
  /** How opportunities went: `change` is detected, updated or expired. */
  opportunities: {
    columns: {
      at: 'time',
      kind: 'text',
      id: 'text',
      change: 'text',
      event_id: 'text',
      sport: 'text',
      league: 'text',
      market_type: 'text',
      percent: 'number',
      detected_at: 'time',
      data: 'json',
      sink: 'text',
    },
    key: ['kind', 'id', 'at', 'change'],
    time: 'at',
  },
  /** What became of games, each revision. */
  results: {
    columns: {
      event_id: 'text',
      revision: 'integer',
      sport: 'text',
      league: 'text',
      home_team: 'text',
      away_team: 'text',
      event_start_time: 'time',
      status: 'text',
      home_score: 'number',
      away_score: 'number',
      source: 'text',
      updated_at: 'time',
      data: 'json',
    },
    key: ['event_id', 'revision'],
  },
  /** Steam, drops, moved lines. */
  moves: {
    columns: {
      id: 'text',
      kind: 'text',
      event_id: 'text',
      sport: 'text',
      league: 'text',
      market_type: 'text',
      selection: 'text',
      line_from: 'number',
      line_to: 'number',
      probability_from: 'number',
      probability_to: 'number',
      started_at: 'time',
      detected_at: 'time',
      expired_at: 'time',
      data: 'json',
      sink: 'text',
    },
    key: ['id'],
  },
} as const satisfies Record<string, Table>;

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

export const columnsOf = (table: TableName): string[] => Object.keys(TABLES[table].columns);
