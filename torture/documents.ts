// What the program says of itself: its routes, tools and messages, from the documents it serves. A route that is added
// is attacked without an edit here.

// biome-ignore lint/suspicious/noExplicitAny: documents of many shapes, read field by field
export type Json = any;

export interface Operation {
  method: string;
  path: string;
  parameters: readonly { name: string; in: string; required?: boolean; schema: Json; example?: unknown }[];
  /** Media types of its body, each with an example and a schema; empty if it has none. */
  bodies: readonly { type: string; example: Json; schema: Json }[];
  /** It answers with a stream. */
  streams: boolean;
}

export interface Documents {
  operations: readonly Operation[];
  tools: readonly { name: string; inputSchema: Json }[];
  /** Schemas of the messages that a WebSocket client may send. */
  messages: readonly Json[];
  /** Ids of books, leagues and markets, and an event's id, for values that mean something. */
  words: readonly string[];
}

export async function readDocuments(base: string, key: string): Promise<Documents> {
  const get = async (path: string): Promise<Json> =>
    (await fetch(base + path, { headers: { 'x-api-key': key } })).json();
  const openapi = resolved(await get('/api/v1/openapi.json'));
  const prefix = new URL(openapi.servers[0].url, base).pathname.replace(/\/$/, '');
  const asyncapi = resolved(await get('/api/v1/asyncapi.json'));
  const lists = await Promise.all(
    ['sportsbooks', 'leagues', 'markets', 'sports', 'events?limit=20'].map((list) => get(`/api/v1/${list}`)),
  );
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const headers = { 'x-api-key': key, 'content-type': 'application/json', accept: '*/*' };
  const listed = (await (await fetch(`${base}/mcp`, { method: 'POST', headers, body })).json()) as Json;
  return {
    operations: Object.entries<Json>(openapi.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, spec]) => operationOf(method, prefix + path, spec)),
    ),
    tools: listed.result.tools,
    messages: Object.values<Json>(asyncapi.operations)
      .filter(({ action }) => action === 'receive')
      .flatMap(({ messages }) => messages.map(({ payload }: Json) => payload)),
    words: lists.flatMap(({ data }) => data.map(({ id, event_id: event }: Json) => String(id ?? event))),
  };
}

function operationOf(method: string, path: string, spec: Json): Operation {
  const answers = Object.values<Json>(spec.responses).flatMap(({ content }) => Object.keys(content ?? {}));
  return {
    method: method.toUpperCase(),
    path,
    parameters: spec.parameters ?? [],
    bodies: Object.entries<Json>(spec.requestBody?.content ?? {}).map(([type, content]) => ({
      type,
      example: content.example ?? null,
      schema: content.schema ?? {},
    })),
    streams: answers.includes('text/event-stream'),
  };
}

/** With every reference in place of which it stands; schemas that contain themselves end there. */
function resolved(document: Json): Json {
  const within = (value: Json, above: readonly string[]): Json => {
    if (Array.isArray(value)) return value.map((item) => within(item, above));
    if (typeof value !== 'object' || value === null) return value;
    const reference = value.$ref;
    if (typeof reference === 'string') {
      if (above.includes(reference)) return {};
      const parts = reference.slice(2).split('/');
      const target = parts.reduce(
        (node: Json, part) => node?.[part.replaceAll('~1', '/').replaceAll('~0', '~')],
        document,
      );
      return within(target ?? {}, [...above, reference]);
    }
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, within(member, above)]));
  };
  return within(document, []);
}
