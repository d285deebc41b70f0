// The stream's events as the client hands them on: the same whether they came over SSE or WebSocket.

/** A price, as `/odds` shows it. */
export interface OddsRow {
  id: string;
  sportsbook: string;
  event_id: string;
  sport: string;
  league: string;
  home_team: string;
  away_team: string;
  market_type: string;
  selection: string;
  selection_type: string;
  odds_american: number;
  odds_decimal: number;
  /** Implied, 0-1. */
  odds_probability: number;
  probability: number;
  line: number | null;
  is_live: boolean;
  is_alternate_line: boolean;
  event_start_time: string;
  last_seen_at: string;
  odds_changed_at: string;
  status: string;
  deep_link: string | null;
  player_name?: string;
  stat_category?: string;
  team?: 'home' | 'away';
  team_name?: string;
  public_bet_pct?: number;
  max_bet?: number;
}

/** What moves when a price moves. */
export type OddsDelta = Pick<
  OddsRow,
  'id' | 'odds_american' | 'odds_decimal' | 'odds_probability' | 'line' | 'is_live' | 'odds_changed_at'
>;

export type OpportunityChannel = 'ev' | 'arbitrage' | 'middles' | 'low_hold';
export type Channel = 'odds' | OpportunityChannel | 'gamestate';

export interface OpportunityItem {
  id: string;
  [field: string]: unknown;
}

export interface GameStateItem {
  event_id: string;
  is_live: boolean;
  [field: string]: unknown;
}

export type StreamEvent =
  | { type: 'connected'; streamId: string; epoch: string }
  /** Fresh state follows (`resumed` false: forget what you have), or what was missed. */
  | { type: 'started'; resumed: boolean }
  | { type: 'snapshot_required'; reason: string }
  | { type: 'snapshot'; rows: OddsRow[] }
  | { type: 'complete'; books: string[]; totalOdds: number }
  | { type: 'added'; rows: OddsRow[] }
  | { type: 'updated'; deltas: OddsDelta[] }
  | { type: 'removed'; ids: string[] }
  | { type: 'detected'; channel: OpportunityChannel; items: OpportunityItem[] }
  | { type: 'expired'; channel: OpportunityChannel; ids: string[] }
  | { type: 'gamestate'; items: GameStateItem[] }
  | { type: 'heartbeat'; timestamp: string }
  | { type: 'pong'; id?: string | number }
  | { type: 'error'; code: string; message: string; id?: string | number };

/**
 * An event and where the client stands after it: the position its state is complete up to, null while it is not
 * complete, undefined where nothing is said.
 */
export interface Received {
  events: StreamEvent[];
  position: number | null | undefined;
}

const PREFIXES: Readonly<Record<string, OpportunityChannel>> = {
  ev: 'ev',
  arb: 'arbitrage',
  middles: 'middles',
  low_hold: 'low_hold',
};

type Fields = Record<string, unknown>;

export function fromSse(event: string, data: string, id: string | undefined): Received {
  const fields = JSON.parse(data) as Fields;
  const position = id === undefined ? undefined : Number(id.slice('evt_'.length));
  if (event === 'connected') {
    const resumed = fields['resumed'] === true;
    const connected: StreamEvent = {
      type: 'connected',
      streamId: String(fields['stream_id']),
      epoch: String(fields['epoch']),
    };
    return { events: [connected, { type: 'started', resumed }], position: resumed ? undefined : null };
  }
  if (event === 'snapshot_required') return { events: eventsOf(event, fields), position: null };
  return { events: eventsOf(event, fields), position };
}

export function fromWs(frame: Fields): Received {
  const type = String(frame['type']);
  const seen = frame['global_seq'];
  // 0: a snapshot is under way.
  let position = typeof seen === 'number' ? seen || null : undefined;
  if (type === 'snapshot_required' || (type === 'subscribed' && frame['resumed'] !== true)) position = null;
  return { events: eventsOf(type, frame), position };
}

/** The parts have other names over SSE (`odds`) and WebSocket (`data`). */
function eventsOf(type: string, fields: Fields): StreamEvent[] {
  switch (type) {
    case 'connected':
      return [{ type, streamId: String(fields['stream_id']), epoch: String(fields['epoch']) }];
    case 'subscribed':
      return [{ type: 'started', resumed: fields['resumed'] === true }];
    case 'snapshot_required':
      return [{ type, reason: String(fields['reason']) }];
    case 'snapshot':
    case 'initial':
      return [{ type: 'snapshot', rows: listOf(fields) }];
    case 'snapshot:complete':
      return [{ type: 'complete', books: fields['books'] as string[], totalOdds: Number(fields['total_odds']) }];
    case 'odds:added':
      return [{ type: 'added', rows: listOf(fields) }];
    case 'odds:update':
      return [{ type: 'updated', deltas: listOf(fields) }];
    case 'odds:removed':
      return [{ type: 'removed', ids: fields['ids'] as string[] }];
    case 'opportunities_snapshot':
      return snapshotOf(fields);
    case 'gamestate:update':
      return [{ type: 'gamestate', items: listOf(fields) }];
    case 'heartbeat':
      return [{ type, timestamp: String(fields['timestamp']) }];
    case 'pong':
      return [{ type, ...idOf(fields) }];
    case 'error':
      return [{ type, code: String(fields['code']), message: String(fields['message']), ...idOf(fields) }];
    default:
      return opportunityOf(type, fields);
  }
}

function opportunityOf(type: string, fields: Fields): StreamEvent[] {
  const [prefix = '', what] = type.split(':');
  const channel = PREFIXES[prefix];
  // A server newer than this client may say more: what is not known is passed over.
  if (channel === undefined) return [];
  if (what === 'detected') return [{ type: 'detected', channel, items: listOf(fields) }];
  if (what === 'expired') return [{ type: 'expired', channel, ids: fields['expired'] as string[] }];
  return [];
}

function snapshotOf(fields: Fields): StreamEvent[] {
  const events: StreamEvent[] = [];
  for (const channel of Object.values(PREFIXES)) {
    const items = fields[channel];
    if (Array.isArray(items)) events.push({ type: 'detected', channel, items: items as OpportunityItem[] });
  }
  return events;
}

function listOf<T>(fields: Fields): T[] {
  if (Array.isArray(fields)) return fields as T[];
  return (fields['odds'] ?? fields['data']) as T[];
}

function idOf(fields: Fields): { id?: string | number } {
  const id = fields['id'];
  return typeof id === 'string' || typeof id === 'number' ? { id } : {};
}
