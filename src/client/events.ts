// The stream's events as the client delivers them: the same over SSE and WebSocket.
import { OverroundError } from './error.js';
import type {
  AccountBet,
  ArbitrageOpportunity,
  EvOpportunity,
  GameStateItem,
  LowHoldOpportunity,
  MiddleOpportunity,
  Move,
  OddsDelta,
  OddsRow,
  Result,
} from './types.js';

/** Those with lists under `/opportunities`. */
export type OpportunityChannel = 'ev' | 'arbitrage' | 'middles' | 'low_hold';
export type Channel = 'odds' | OpportunityChannel | 'moves' | keyof KeyedItems | 'bets';
/** `opportunities` and `all` (those and odds) mean what of them the key may see. */
export type ChannelWord = Channel | 'opportunities' | 'all';

export interface OpportunityItems {
  ev: EvOpportunity;
  arbitrage: ArbitrageOpportunity;
  middles: MiddleOpportunity;
  low_hold: LowHoldOpportunity;
}

/** Of channels whose items are sent whole when they change. */
export interface KeyedItems {
  gamestate: GameStateItem;
  results: Result;
}

export type OpportunityItem = OpportunityItems[OpportunityChannel];

/** The events with which streams begin, change and end. */
export interface StreamItems extends OpportunityItems {
  moves: Move;
}

export type StreamItem = StreamItems[keyof StreamItems];

/** One event type per channel, so that `channel` determines the type of its items. */
export type DetectedEvent = {
  [Name in keyof StreamItems]: { type: 'detected'; channel: Name; items: StreamItems[Name][] };
}[keyof StreamItems];

/** One event type per channel of such items. */
export type KeyedEvent = { [Name in keyof KeyedItems]: { type: Name; items: KeyedItems[Name][] } }[keyof KeyedItems];

export type StreamEvent =
  | { type: 'connected'; streamId: string; epoch: string }
  /** Fresh state follows (`resumed` false: discard yours), or the missed changes. */
  | { type: 'started'; resumed: boolean }
  | { type: 'snapshot_required'; reason: string }
  | { type: 'snapshot'; rows: OddsRow[] }
  | { type: 'complete'; books: string[]; totalOdds: number }
  | { type: 'added'; rows: OddsRow[] }
  | { type: 'updated'; deltas: OddsDelta[] }
  | { type: 'removed'; ids: string[] }
  /** Suspended; each is also in the `updated` or `added` before it. */
  | { type: 'locked'; ids: string[] }
  | DetectedEvent
  | { type: 'expired'; channel: keyof StreamItems; ids: string[] }
  | KeyedEvent
  /** Games that are not in play any more: ids of events. */
  | { type: 'gamestate_removed'; ids: string[] }
  /** The account's own: each when it was judged, rejected ones too, and when it was graded, also anew. */
  | { type: 'bets'; change: 'filled' | 'graded'; items: AccountBet[] }
  | { type: 'heartbeat'; timestamp: string }
  | { type: 'pong'; id?: string | number }
  | { type: 'error'; code: string; message: string; id?: string | number };

/**
 * An event and the client's position after it: the one its state is complete up to, null while it is not complete,
 * undefined if not stated.
 */
export interface Received {
  events: StreamEvent[];
  position: number | null | undefined;
}

/** By the prefix of their events' names on the server. */
const PREFIXES: Readonly<Record<string, keyof StreamItems>> = {
  ev: 'ev',
  arb: 'arbitrage',
  middles: 'middles',
  low_hold: 'low_hold',
  moves: 'moves',
};

type Fields = Record<string, unknown>;

/** Throws OverroundError `bad_frame` if it is not JSON of a list or object. */
export function fieldsOf(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Fields;
  } catch (cause) {
    throw new OverroundError('bad_frame', 'the server sent what is no JSON', { cause });
  }
  throw new OverroundError('bad_frame', 'the server sent JSON that is no event');
}

export function fromSse(event: string, data: string, id: string | undefined): Received {
  const fields = fieldsOf(data);
  const position = id === undefined ? undefined : positionOf(id);
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

/** An empty id means: forget the position. */
function positionOf(id: string): number | null {
  return /^evt_\d+$/.test(id) ? Number(id.slice('evt_'.length)) : null;
}

export function fromWs(frame: Fields): Received {
  const type = String(frame['type']);
  const seen = frame['global_seq'];
  // 0: a snapshot is under way.
  let position = typeof seen === 'number' ? seen || null : undefined;
  if (type === 'snapshot_required' || (type === 'subscribed' && frame['resumed'] !== true)) position = null;
  return { events: eventsOf(type, frame), position };
}

/** The parts have different names over SSE (`odds`) and WebSocket (`data`). */
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
    case 'odds:locked':
      return [{ type: 'locked', ids: fields['ids'] as string[] }];
    case 'opportunities_snapshot':
      return snapshotOf(fields);
    case 'gamestate:snapshot':
    case 'gamestate:update':
      return [{ type: 'gamestate', items: listOf(fields) }];
    case 'gamestate:removed':
      return [{ type: 'gamestate_removed', ids: fields['ids'] as string[] }];
    case 'results:updated':
      return [{ type: 'results', items: listOf(fields) }];
    case 'bets:filled':
      return [{ type: 'bets', change: 'filled', items: listOf(fields) }];
    case 'bets:graded':
      return [{ type: 'bets', change: 'graded', items: listOf(fields) }];
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
  // A server newer than this client may send more: unknown events are ignored.
  if (channel === undefined) return [];
  if (what === 'detected') return [detected(channel, listOf(fields))];
  if (what === 'expired') return [{ type: 'expired', channel, ids: fields['expired'] as string[] }];
  return [];
}

/** The server sends each channel its own kind. */
function detected(channel: keyof StreamItems, items: StreamItem[]): StreamEvent {
  return { type: 'detected', channel, items } as DetectedEvent;
}

function snapshotOf(fields: Fields): StreamEvent[] {
  const events: StreamEvent[] = [];
  for (const channel of Object.values(PREFIXES)) {
    const items = fields[channel];
    if (Array.isArray(items)) events.push(detected(channel, items as StreamItem[]));
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
