// GET /stream and its short forms: server-sent events. A connection gets its slot, its group and its start here; the
// broadcaster does the rest.
import type { Static } from 'typebox';
import { checkAccess, checkOpenings, opportunityChannels, seesChannel } from '../accounts/access.js';
import { callerOf } from '../accounts/caller.js';
import type { KeyRecord } from '../accounts/key-record.js';
import { KEY_ENDED, type StreamSlots } from '../accounts/stream-slots.js';
import { trialOf } from '../accounts/trial.js';
import type { Broadcaster, Seat } from '../broadcast/broadcaster.js';
import { sseEncoder, sseText } from '../broadcast/sse-encoder.js';
import type { Subscription } from '../broadcast/subscription.js';
import { DEFAULT_STATE } from '../catalogue/deep-link.js';
import { streamingEndMs } from '../catalogue/tiers.js';
import type { EngineView } from '../engine/engine-view.js';
import { StreamFilter } from '../filter/stream-filter.js';
import { universeOf } from '../filter/universe.js';
import { type RequestContext, type Route, route } from '../front/http/context.js';
import { refuseUnknown } from '../front/http/query-reader.js';
import { SseSink } from '../front/sse/sse-sink.js';
import { stakedOf } from '../kinds/limits.js';
import type { ChannelName } from '../model/channels.js';
import { ApiError } from '../model/errors.js';
import { Type } from '../model/json-schema.js';
import { asyncApiDocument } from '../schema/asyncapi.js';
import { type Channel, EventStreamQuery, StreamQuery } from '../schema/stream.js';

export interface StreamDeps {
  engine: EngineView;
  broadcaster: Broadcaster;
  slots: StreamSlots;
  /** A number that is unique among this process's streams. */
  nextStreamId(): string;
}

type Params = Static<typeof EventStreamQuery> & { event?: string | undefined };

const BASE = '/api/v1/stream';
const COMMON = {
  method: 'GET',
  auth: 'required',
  streaming: true,
  headers: ['last-event-id'],
  produces: ['text/event-stream'],
  tags: ['stream'],
  // Openings, although no history is stored.
  errors: ['not_found'],
} as const;
const NO_QUERY_CHANNEL: Channel = 'opportunities';

export function streamRoutes(deps: StreamDeps): Route[] {
  let document: Buffer | undefined;
  return [
    route({
      method: 'GET',
      path: '/api/v1/asyncapi.json',
      auth: 'public',
      response: Type.Record(Type.String(), Type.Unknown(), { description: 'an AsyncAPI 3.0 document' }),
      summary: 'The streams, as an AsyncAPI document',
      tags: ['service'],
      handler: (context) => {
        document ??= Buffer.from(JSON.stringify(asyncApiDocument()));
        context.sendBuffer(200, 'application/json', document);
      },
    }),
    route({
      ...COMMON,
      path: BASE,
      query: StreamQuery,
      summary: 'Stream of odds and opportunities (SSE)',
      handler: (context) => {
        const { channel = NO_QUERY_CHANNEL, ...params } = context.query;
        open(deps, context, channel, params);
      },
    }),
    ...(['odds', 'opportunities', 'gamestate'] as const).map((channel) =>
      route({
        ...COMMON,
        path: `${BASE}/${channel}`,
        query: StreamQuery,
        summary: `Stream of ${channel} (SSE)`,
        handler: (context) => open(deps, context, channel, ofChannel(channel, context.query)),
      }),
    ),
    route({
      ...COMMON,
      path: `${BASE}/events/:eventId`,
      query: EventStreamQuery,
      summary: 'Stream of the odds of one event (SSE)',
      handler: (context) => open(deps, context, 'odds', { ...context.query, event: context.params['eventId'] }),
    }),
  ];
}

/** A path of one channel accepts no other. */
function ofChannel(channel: Channel, { channel: requested = channel, ...params }: Static<typeof StreamQuery>): Params {
  if (requested !== channel)
    throw new ApiError('invalid_request', `channel: this path is ${channel}'s; request it at ${BASE}`);
  return params;
}

function open(deps: StreamDeps, context: RequestContext, channel: Channel, params: Params): void {
  const { engine, broadcaster, slots } = deps;
  const key = context.requireKey();
  refuseUnknown(context.ignored);
  const subscription = interestOf(deps, key, channel, params);
  const nowMs = engine.clock.now();
  const slot = slots.acquire(key);
  let seat: Seat;
  try {
    seat = broadcaster.seat(sseEncoder, subscription);
  } catch (error) {
    // Before the stream begins, so that it is answered as any other error.
    slot.release();
    throw error;
  }
  const lastEventId = context.header('last-event-id');
  const stream = context.stream();
  stream.onClose(() => slot.release());
  stream.writeHead('text/event-stream; charset=utf-8', {
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
  const sink = new SseSink(stream);
  slot.onKeyEnd(() => sink.fail('unauthorized', KEY_ENDED));
  const subscriber = broadcaster.subscriber(seat, sink, streamingEndMs(key));
  stream.onClose(() => broadcaster.leave(subscriber));
  sink.onRoom((drained) => {
    subscriber.progressed(engine.clock.now());
    if (drained) subscriber.requestTurn();
  });
  const streamId = deps.nextStreamId();
  const after = params.resume && lastEventId !== '' ? positionOf(lastEventId) : null;
  sink.greet('retry: 3000\n\n');
  broadcaster.start(subscriber, after, (start) => {
    const connected = {
      stream_id: streamId,
      channel,
      filters: subscription.filter.applied,
      reconnected: lastEventId !== '',
      position: start.at.position,
      epoch: start.at.epoch,
      resumed: start.resumed,
      trial: trialOf(key, nowMs),
    };
    sink.greet(sseText('connected', connected, !start.resumed));
    if (start.refused !== null) sink.greet(sseText('snapshot_required', { reason: start.refused }, true));
    // Outside uWebSockets' own callback, where a cork is one write to the socket.
    setImmediate(() => subscriber.pump(engine.clock.now()));
  });
}

function interestOf(deps: StreamDeps, key: KeyRecord, channel: Channel, params: Params): Subscription {
  const { broadcaster, engine } = deps;
  const { table, catalogue } = engine;
  const universe = universeOf(catalogue, key.tier, params.sportsbook, table.knowsBook);
  const channels = new Set<ChannelName>();
  if (channel === 'odds' || channel === 'moves' || channel === 'gamestate') {
    checkAccess(key, { channel }, engine.clock.now());
    channels.add(channel);
  } else for (const name of opportunityChannels(key)) channels.add(name);
  // A viewer token may exclude odds, and `all` means its channels then.
  if (channel === 'all' && seesChannel(key, 'odds')) channels.add('odds');
  if (params.include !== undefined) checkOpenings(broadcaster.hasOpenings, key.tier);
  if (channels.size === 0) throw new ApiError('forbidden', `channel ${channel}: nothing of it is open to the caller`);
  return {
    channels,
    filter: new StreamFilter(table, catalogue, universe, params),
    thresholds: {
      minEv: params.min_ev,
      minProfit: params.min_profit,
      maxHold: params.max_hold,
      minSize: params.min_size,
      ...stakedOf(params),
    },
    state: (params.state ?? DEFAULT_STATE).toLowerCase(),
    openings: params.include === 'opening',
    caller: callerOf(key),
  };
}

/** The position in an event id; NaN if it is not one of ours. */
function positionOf(eventId: string): number {
  const digits = /^evt_(\d{1,16})$/.exec(eventId)?.[1];
  return digits === undefined ? Number.NaN : Number(digits);
}
