// GET /stream and its short forms: server-sent events. Here a connection gets its slot, its group and its start; what it
// is sent from then on is the broadcaster's business.
import type { Static } from 'typebox';
import type { StreamSlots } from '../../accounts/stream-slots.js';
import { maxStreamsOf } from '../../accounts/tiers.js';
import type { Broadcaster } from '../../broadcast/broadcaster.js';
import { sseDress } from '../../broadcast/frames.js';
import { echoOf, StreamFilter } from '../../broadcast/stream-filter.js';
import type { Start } from '../../broadcast/subscriber.js';
import type { Engine } from '../../engine.js';
import { ApiError } from '../../errors.js';
import { universeOf } from '../../reader/universe.js';
import { type Channel, EventStreamQuery, StreamQuery } from '../../schema/stream.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { SseSink } from './sse-sink.js';

export interface StreamDeps {
  engine: Engine;
  broadcaster: Broadcaster;
  slots: StreamSlots;
  /** A number that no stream of this process had before. */
  nextStreamId(): string;
}

type Params = Static<typeof EventStreamQuery> & { event?: string | undefined };

const BASE = '/api/v1/stream';
const COMMON = { method: 'GET', auth: 'required', streaming: true, headers: ['last-event-id'] } as const;
const NO_QUERY_CHANNEL: Channel = 'opportunities';

export function streamRoutes(deps: StreamDeps): Route[] {
  return [
    route({
      ...COMMON,
      path: BASE,
      query: StreamQuery,
      summary: 'Stream of odds and opportunities (SSE)',
      handler: (context) => {
        const { channel, type, event, event_id, ...params } = context.query;
        open(deps, context, channel ?? type ?? NO_QUERY_CHANNEL, { ...params, event: event ?? event_id });
      },
    }),
    route({
      ...COMMON,
      path: `${BASE}/odds`,
      query: StreamQuery,
      summary: 'Stream of odds (SSE)',
      handler: (context) => {
        const { event, event_id, ...params } = context.query;
        open(deps, context, 'odds', { ...params, event: event ?? event_id });
      },
    }),
    route({
      ...COMMON,
      path: `${BASE}/opportunities`,
      query: StreamQuery,
      summary: 'Stream of opportunities (SSE)',
      handler: (context) => {
        const { event, event_id, ...params } = context.query;
        open(deps, context, 'opportunities', { ...params, event: event ?? event_id });
      },
    }),
    route({
      ...COMMON,
      path: `${BASE}/events/:eventId`,
      query: EventStreamQuery,
      summary: 'Stream of the odds of one event (SSE)',
      handler: (context) => open(deps, context, 'odds', { ...context.query, event: context.params['eventId'] }),
    }),
  ];
}

function open(
  deps: StreamDeps,
  context: RequestContext,
  channel: Channel,
  params: Params & { sportsbook?: string | undefined },
): void {
  const { engine, broadcaster, slots } = deps;
  const { table } = engine;
  const key = context.requireKey();
  const universe = universeOf(engine.catalogue, key.tier, params.sportsbook, (book) => table.books.find(book) >= 0);
  const filter = new StreamFilter(table, engine.catalogue, universe, params);
  const slot = slots.acquire(key.id, maxStreamsOf(key));
  if (slot === undefined)
    throw new ApiError('stream_limit_exceeded', `this key may hold ${maxStreamsOf(key)} streams at once`, {
      retryAfter: 5,
    });
  const group = broadcaster.group('sse', sseDress, channel, filter);
  const lastEventId = context.header('last-event-id');
  const resume = resumePosition(engine, params.resume, lastEventId);
  const start: Start =
    resume.position === null
      ? { from: 'snapshot', snapshot: group.snapshot(engine.clock.now()) }
      : { from: 'position', position: resume.position };

  const stream = context.stream();
  stream.onClose(() => slot.release());
  stream.writeHead('text/event-stream; charset=utf-8', {
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
  const sink = new SseSink(stream);
  const connected = {
    stream_id: deps.nextStreamId(),
    channel,
    filters: echoOf(params),
    reconnected: lastEventId !== '',
    position: start.from === 'snapshot' ? start.snapshot.position : start.position,
    epoch: engine.directory.epoch,
    resumed: start.from === 'position',
  };
  let greeting = `retry: 3000\n\nevent: connected\ndata: ${JSON.stringify(connected)}\n\n`;
  if (resume.refused !== null)
    greeting += `event: snapshot_required\ndata: ${JSON.stringify({ reason: resume.refused })}\n\n`;
  const subscriber = broadcaster.join(group, sink, start);
  stream.onClose(() => broadcaster.leave(subscriber));
  sink.onRoom((drained) => {
    const nowMs = engine.clock.now();
    if (drained) subscriber.pump(nowMs, true);
    else subscriber.progressed(nowMs);
  });
  sink.send(Buffer.from(greeting));
  // Outside uWebSockets' own callback, where a cork is one write to the socket.
  setImmediate(() => subscriber.pump(engine.clock.now(), false));
}

/** Where an exact resume may start, or why it can't (both null: none was asked for). */
export function resumePosition(
  engine: Engine,
  wanted: boolean,
  lastEventId: string,
): { position: number | null; refused: 'too_old' | 'unknown_position' | null } {
  if (!wanted || lastEventId === '') return { position: null, refused: null };
  const text = /^evt_(\d{1,16})$/.exec(lastEventId)?.[1];
  const position = text === undefined ? Number.NaN : Number(text);
  if (!(position <= engine.table.position)) return { position: null, refused: 'unknown_position' };
  if (position < engine.oldestPosition) return { position: null, refused: 'too_old' };
  return { position, refused: null };
}
