// GET /stream and its short forms: streams as server-sent events.
import type { Static } from 'typebox';
import { ApiError } from '../../base/model/errors.js';
import { Type } from '../../base/model/json-schema.js';
import type { ChannelWord } from '../../base/model/stream-channels.js';
import type { Start } from '../../broadcast/broadcaster.js';
import type { Stream, Streams } from '../../broadcast/streams.js';
import { filtersOf } from '../../broadcast/subscription.js';
import { asyncApiDocument } from '../../schema/asyncapi.js';
import { EventStreamQuery, StreamQuery, type SubscribeFilters } from '../../schema/stream.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { refuseUnknown } from '../http/query-reader.js';
import { CLEARS_ID, SseSink, snapshotRequiredText, sseEncoder, sseGzipEncoder } from '../sse/sse-sink.js';

export interface StreamDeps {
  streams: Streams;
}

type Params = Pick<Static<typeof EventStreamQuery>, 'resume'>;

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
      handler: (context) => open(streams, context, context.query.channel ?? NO_QUERY_CHANNEL, filtersIn(context.query)),
    }),
    ...(['odds', 'opportunities', 'moves', 'gamestate', 'results', 'bets'] as const).map((channel) =>
      route({
        ...COMMON,
        path: `${BASE}/${channel}`,
        query: StreamQuery,
        summary: `Stream of ${channel} (SSE)`,
        handler: (context) => open(streams, context, channel, filtersIn(context.query, channel)),
      }),
    ),
    route({
      ...COMMON,
      path: `${BASE}/events/:eventId`,
      query: EventStreamQuery,
      summary: 'Stream of the odds of one event (SSE)',
      handler: (context) => {
        const { resume: _, ...params } = context.query;
        open(streams, context, 'odds', filtersOf({ ...params, event: context.params['eventId'] }));
      },
    }),
  ];
}

/** Content type and what follows it, as uWebSockets accepts several headers in one call. */
const HEAD = 'text/event-stream; charset=utf-8\r\nCache-Control: no-cache, no-transform\r\nX-Accel-Buffering: no';
const PLAIN_HEAD = Buffer.from(HEAD);
const GZIP_HEAD = Buffer.from(`${HEAD}\r\nContent-Encoding: gzip`);

function open(
  streams: Streams,
  context: RequestContext<Params>,
  channel: ChannelWord,
  filters: SubscribeFilters,
): void {
  refuseUnknown(context.asked.ignored);
  // Before the response begins, so that a refusal is answered as any other error.
  const packed = streams.compress && context.acceptsGzip;
  const encoder = packed ? sseGzipEncoder : sseEncoder;
  const stream = streams.open(context.requireKey(), encoder, { channels: [channel], filters });
  const lastEventId = context.header('last-event-id');
  const reconnected = lastEventId !== '';
  const response = context.stream();
  response.onClose(() => stream.close());
  response.writeHead(packed ? GZIP_HEAD : PLAIN_HEAD);
  const sink = new SseSink(response, packed);
  stream.attach(sink);
  sink.onRoom((drained) => stream.progressed(drained));
  sink.open();
  const after = context.query.resume && reconnected ? positionOf(lastEventId) : null;
  stream.begin(after, (start) => {
    sink.sendText(connectedText(stream, channel, start, reconnected));
    if (start.refused !== null) sink.sendText(snapshotRequiredText(start.refused));
  });
}

/** By a query that clients have sent before. */
const knownFilters = new WeakMap<object, SubscribeFilters>();

/** What a query asks for, on a path of any channel or of one, which accepts no other. */
function filtersIn(query: Static<typeof StreamQuery>, channel?: ChannelWord): SubscribeFilters {
  let filters = knownFilters.get(query);
  if (filters === undefined) {
    const { resume: _, channel: asked, ...params } = query;
    if (channel !== undefined && (asked ?? channel) !== channel)
      throw new ApiError('invalid_request', `channel: this path is ${channel}'s; request it at ${BASE}`);
    filters = filtersOf(params);
    knownFilters.set(query, filters);
  }
  return filters;
}

function connectedText(
  { id, subscription, trial }: Stream,
  channel: ChannelWord,
  { at: { position, epoch }, resumed }: Start,
  reconnected: boolean,
): string {
  const { appliedText } = subscription.filter;
  const own = trial === undefined ? '' : `,"trial":${JSON.stringify(trial)}`;
  const data = `{"stream_id":"${id}","channel":"${channel}","filters":${appliedText},"reconnected":${reconnected},"position":${position},"epoch":"${epoch}","resumed":${resumed}${own}}`;
  return `event: connected\ndata: ${data}${resumed ? '' : CLEARS_ID}\n\n`;
}

/** The position in an event id; NaN if it is not one of ours. */
function positionOf(eventId: string): number {
  const digits = /^evt_(\d{1,16})$/.exec(eventId)?.[1];
  return digits === undefined ? Number.NaN : Number(digits);
}
