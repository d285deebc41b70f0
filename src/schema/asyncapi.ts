// The AsyncAPI 3.0 document of the streams, made from the schemas of the frames.

import { PROTOCOL_VERSION, SHARED_ITEMS, SSE_EVENTS, WS_FRAMES } from './frames.js';
import { PingMessage, StreamQuery, SubscribeMessage, UnsubscribeMessage, WsQuery } from './stream.js';
import { WS_CLOSE } from './ws-close.js';

type Json = Record<string, unknown>;

const CLIENT_MESSAGES = { subscribe: SubscribeMessage, unsubscribe: UnsubscribeMessage, ping: PingMessage };

const SECURITY = {
  apiKeyHeader: { type: 'httpApiKey', in: 'header', name: 'X-API-Key' },
  bearer: { type: 'http', scheme: 'bearer' },
  apiKeyQuery: { type: 'httpApiKey', in: 'query', name: 'api_key' },
};

/** Shapes that REST returns too become references to one definition. */
function withReferences(schema: unknown): unknown {
  for (const [name, shared] of Object.entries(SHARED_ITEMS))
    if (schema === shared) return { $ref: `#/components/schemas/${name}` };
  if (Array.isArray(schema)) return schema.map(withReferences);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withReferences(value)]));
}

/** `odds:update` as a name in JSON pointers: `sse_odds_update`. */
function nameOf(transport: 'sse' | 'ws' | 'client', type: string): string {
  return `${transport}_${type.replaceAll(':', '_')}`;
}

function messagesOf(transport: 'sse' | 'ws' | 'client', schemas: Readonly<Record<string, unknown>>): Json {
  return Object.fromEntries(
    Object.entries(schemas).map(([type, schema]) => [
      nameOf(transport, type),
      { name: type, title: type, contentType: 'application/json', payload: withReferences(schema) },
    ]),
  );
}

function references(from: string, messages: Json): Json {
  return Object.fromEntries(Object.keys(messages).map((name) => [name, { $ref: `${from}/${name}` }]));
}

export function asyncApiDocument(): Json {
  const sse = messagesOf('sse', SSE_EVENTS);
  const ws = messagesOf('ws', WS_FRAMES);
  const client = messagesOf('client', CLIENT_MESSAGES);
  const operation = (action: 'send' | 'receive', channel: string, messages: Json, summary: string) => ({
    action,
    channel: { $ref: `#/channels/${channel}` },
    summary,
    messages: Object.values(references(`#/channels/${channel}/messages`, messages)),
  });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'overround streams',
      version: String(PROTOCOL_VERSION),
      description:
        'Odds and opportunities as they change, over server-sent events and WebSocket. Snapshot and events together equal the ' +
        'table at every moment; a position resumes exactly.',
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: {
      sse: { host: '127.0.0.1:8080', protocol: 'http', security: securityReferences() },
      ws: { host: '127.0.0.1:8080', protocol: 'ws', security: securityReferences() },
    },
    channels: {
      stream: {
        address: '/api/v1/stream',
        title: 'Server-sent events',
        description:
          'Also /api/v1/stream/odds, opportunities, moves, gamestate, results, bets and events/{eventId} below it. An event is named ' +
          'by its `event:` line; its `id:` is `evt_` and the position up to which the client is complete. Events that leave ' +
          'the state incomplete have none. With `resume=true` and `Last-Event-ID` the stream goes on after that position. ' +
          'With `include=opening` the rows of a snapshot have their openings; with `include=depth` rows and their changes have ' +
          'the ladder of an order book, and changes of it are sent. For clients that ' +
          'accept gzip the body is one gzip member, flushed after each tick, without a trailer.',
        servers: [{ $ref: '#/servers/sse' }],
        messages: references('#/components/messages', sse),
        bindings: { http: { bindingVersion: '0.3.0' } },
        'x-query': StreamQuery,
      },
      socket: {
        address: '/ws',
        title: 'WebSocket',
        description:
          'JSON text, or with the subprotocol overround.msgpack the same maps as MessagePack in binary. With ' +
          'overround.deflate and overround.msgpack.deflate each binary message is the next piece of one raw deflate ' +
          'stream: lines of JSON, or MessagePack maps, that have no `seq`. The query subscribes at once; messages replace ' +
          'the subscription.',
        servers: [{ $ref: '#/servers/ws' }],
        messages: references('#/components/messages', { ...ws, ...client }),
        bindings: { ws: { method: 'GET', query: withReferences(WsQuery), bindingVersion: '0.1.0' } },
        'x-close-codes': WS_CLOSE,
      },
    },
    operations: {
      sendEvents: operation('send', 'stream', sse, 'Events sent to an SSE client'),
      sendFrames: operation('send', 'socket', ws, 'Frames sent to a WebSocket client'),
      receiveMessages: operation('receive', 'socket', client, 'What a WebSocket client may say'),
    },
    components: {
      messages: { ...sse, ...ws, ...client },
      schemas: SHARED_ITEMS,
      securitySchemes: SECURITY,
    },
  };
}

function securityReferences(): Json[] {
  return Object.keys(SECURITY).map((name) => ({ $ref: `#/components/securitySchemes/${name}` }));
}
