// GET /stream and its short forms: streams as server-sent events.
import type { Static } from 'typebox';
import type { Start } from '../broadcast/broadcaster.js';
import { sseEncoder, sseGzipEncoder, sseText } from '../broadcast/sse-encoder.js';
import { filtersOf } from '../broadcast/stream-request.js';
import type { Stream, Streams } from '../broadcast/streams.js';
import { type RequestContext, type Route, route } from '../front/http/context.js';
import { refuseUnknown } from '../front/http/query-reader.js';
import { SseSink } from '../front/sse/sse-sink.js';
import type { ChannelWord } from '../model/channels.js';
import { ApiError } from '../model/errors.js';
import { Type } from '../model/json-schema.js';
import { asyncApiDocument } from '../schema/asyncapi.js';
import { EventStreamQuery, StreamQuery } from '../schema/stream.js';

export interface StreamDeps {
  streams: Streams;
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
const NO_QUERY_CHANNEL: ChannelWord = 'opportunities';

export function streamRoutes({ streams }: StreamDeps): Route[] {
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
        open(streams, context, channel, params);
      },
    }),
    ...(['odds', 'opportunities', 'moves', 'gamestate', 'results', 'bets'] as const).map((channel) =>
      route({
        ...COMMON,
        path: `${BASE}/${channel}`,
        query: StreamQuery,
        summary: `Stream of ${channel} (SSE)`,
        handler: (context) => open(streams, context, channel, ofChannel(channel, context.query)),
      }),
    ),
    route({
      ...COMMON,
      path: `${BASE}/events/:eventId`,
      query: EventStreamQuery,
      summary: 'Stream of the odds of one event (SSE)',
      handler: (context) => open(streams, context, 'odds', { ...context.query, event: context.params['eventId'] }),
    }),
  ];
}

/** A path of one channel accepts no other. */
function ofChannel(channel: ChannelWord, { channel: asked = channel, ...params }: Static<typeof StreamQuery>): Params {
  if (asked !== channel)
    throw new ApiError('invalid_request', `channel: this path is ${channel}'s; request it at ${BASE}`);
  return params;
}

function open(streams: Streams, context: RequestContext, channel: ChannelWord, params: Params): void {
  refuseUnknown(context.asked.ignored);
  const { resume, ...query } = params;
  // Before the response begins, so that a refusal is answered as any other error.
  const packed = streams.compress && context.acceptsGzip;
  const encoder = packed ? sseGzipEncoder : sseEncoder;
  const stream = streams.open(context.requireKey(), encoder, { channels: [channel], filters: filtersOf(query) });
  const lastEventId = context.header('last-event-id');
  const response = context.stream();
  response.onClose(() => stream.close());
  response.writeHead('text/event-stream; charset=utf-8', {
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
    ...(packed ? { 'Content-Encoding': 'gzip' } : {}),
  });
  const sink = new SseSink(response, packed);
  stream.attach(sink);
  sink.onRoom((drained) => stream.progressed(drained));
  sink.open();
  const after = resume && lastEventId !== '' ? positionOf(lastEventId) : null;
  stream.begin(after, (start) => {
    sink.sendText(connectedText(stream, channel, start, lastEventId !== ''));
    if (start.refused !== null) sink.sendText(sseText('snapshot_required', { reason: start.refused }, true));
  });
}

function connectedText(
  { id, subscription, trial }: Stream,
  channel: ChannelWord,
  { at, resumed }: Start,
  reconnected: boolean,
): string {
  const filters = subscription.filter.applied;
  const { position, epoch } = at;
  return sseText(
    'connected',
    { stream_id: id, channel, filters, reconnected, position, epoch, resumed, trial },
    !resumed,
  );
}

/** The position in an event id; NaN if it is not one of ours. */
function positionOf(eventId: string): number {
  const digits = /^evt_(\d{1,16})$/.exec(eventId)?.[1];
  return digits === undefined ? Number.NaN : Number(digits);
}
