// POST /ingest: accepts odds, and answers when they are committed. GET /ingest/unmatched: why something was not matched,
// for those who may send odds.

import { ThreadShares } from '../../accounts/thread-shares.js';
import { columnsOf } from '../../answers/csv.js';
import { unmatchedItems } from '../../answers/unmatched.js';
import { monotonicMs } from '../../base/model/clock.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import { formatMs } from '../../base/model/time.js';
import { decodeUntrusted } from '../../base/wire/codec.js';
import { countJson, ingestBounds, ValueCount } from '../../base/wire/untrusted.js';
import type { IngestAnswer as IngestReceipt } from '../../engine/engine-options.js';
import type { IngestMessage as SentMessage } from '../../intake/ingest/message.js';
import { NOT_JSON } from '../../intake/ingest/normalise.js';
import { NAME_KINDS, type NameKind, type UnknownLists, type UnknownName } from '../../intake/ingest/unknown-names.js';
import { NearestNames } from '../../rules/catalogue/nearest-names.js';
import { IngestAnswer, IngestMessage, IngestQuery } from '../../schema/ingest.js';
import { UnmatchedBody, UnmatchedItem, UnmatchedQuery } from '../../schema/unmatched.js';
import { type Route, route } from '../http/context.js';
import { asksWhole, LISTED, sendItems, sendWhole, wholeOf } from './answer.js';
import type { RouteDeps } from './deps.js';

type Suggested = Record<NameKind, (UnknownName & { nearest: readonly string[] })[]>;

/** The first name of which a known one is near, for an error. */
function hint(unknown: Suggested): string {
  const near = NAME_KINDS.flatMap((kind) => unknown[kind]).find(({ nearest }) => nearest.length > 0);
  return near === undefined ? '' : `; known names like ${JSON.stringify(near.name)}: ${near.nearest.join(', ')}`;
}

export function ingestRoutes({ engine }: RouteDeps): Route[] {
  const shares = new ThreadShares();
  const near = new NearestNames(engine.catalogue);
  const withNearest = ({ teams, leagues, markets, books }: UnknownLists): Suggested => ({
    teams: teams.map((each) => ({ ...each, nearest: near.teams(each.league!, each.name) })),
    leagues: leagues.map((each) => ({ ...each, nearest: near.leagues(each.name) })),
    markets: markets.map((each) => ({ ...each, nearest: near.markets(each.name) })),
    books: books.map((each) => ({ ...each, nearest: near.books(each.name) })),
  });
  return [
    route({
      method: 'POST',
      path: '/api/v1/ingest',
      auth: 'required',
      scope: 'ingest',
      query: IngestQuery,
      rawBody: INGEST_TYPES,
      largeBody: true,
      rawBodySchema: IngestMessage,
      response: IngestAnswer,
      errors: ['ingest_queue_full', 'unavailable', 'storage_full'],
      summary: 'Push odds, splits, futures and game states',
      tags: ['ingest'],
      handler: async (context) => {
        const { account } = context.requireKey();
        const turn = shares.turn(account);
        if (turn !== null) await turn;
        const begunMs = monotonicMs();
        let ingesting: Promise<IngestReceipt>;
        let sent: number;
        try {
          const messages = readMessages(context.body ?? new Uint8Array(0), context.contentType);
          if (messages.length === 0) throw new ApiError('invalid_request', 'the body holds no message');
          sent = messages.length;
          ingesting = engine.ingest(messages, {
            sinceMs: begunMs,
            strict: context.query.strict,
            sender: account,
            account,
            onRead: (ms) => shares.worked(account, ms),
          });
        } finally {
          shares.worked(account, monotonicMs() - begunMs);
        }
        const { accepted, changed, removed, stale, rejected, unread, position, unknown: names } = await ingesting;
        const namedMs = monotonicMs();
        const unknown = withNearest(names);
        shares.worked(account, monotonicMs() - namedMs);
        if (unread === sent) {
          const [first] = rejected;
          throw new ApiError(
            'invalid_request',
            `nothing could be read: ${first?.path || 'message'}: ${first?.reason ?? ''}${hint(unknown)}`,
          );
        }
        context.sendJson({
          success: true,
          accepted,
          changed,
          removed,
          rejected,
          unknown,
          stale,
          position,
          data: { accepted, changed, removed, rejected, unknown },
          updated_at: formatMs(engine.clock.now()),
        });
      },
    }),
  ];
}

// Parses the bodies that POST /ingest accepts into raw messages: one JSON object (or a list), NDJSON lines,
// MessagePack.

export const INGEST_TYPES = ['application/json', 'application/x-ndjson', 'application/msgpack'] as const;

const JSON_VALUE_BYTES = LIMITS.ingestValues.max;
const ITEM_BYTES = LIMITS.ingestItems.max;
/** Each costs an exception. */
const NOT_JSON_MAX = LIMITS.linesNotJson.max;
/** Each has names to look up and a place in a queue. */
const PARTS_MAX = LIMITS.ingestParts.max;
const NEW_LINE = 0x0a;

/** Throws invalid_request if the body as a whole cannot be parsed, or has more of anything than its bounds allow. */
export function readMessages(body: Uint8Array, contentType: string): unknown[] {
  const messages = parse(body, contentType);
  let parts = 0;
  for (const message of messages) parts += partsOf(message as Partial<SentMessage> | null);
  refuseParts(parts);
  return messages;
}

function refuseParts(parts: number): void {
  if (parts > PARTS_MAX)
    throw new ApiError('invalid_request', `the body has more than ${PARTS_MAX} messages and events: send several`);
}

function partsOf(message: Partial<SentMessage> | null): number {
  const { events, game_states: states, splits, futures, results, settlements } = message ?? {};
  return [events, states, splits, futures, results, settlements].reduce(
    (parts, list) => parts + (Array.isArray(list) ? list.length : 0),
    1,
  );
}

function parse(body: Uint8Array, contentType: string): unknown[] {
  switch (contentType) {
    case 'application/x-ndjson':
      return readLines(body);
    case 'application/msgpack':
      return listOf(
        refused('the body is not MessagePack: it ', () => decodeUntrusted(body, ingestBounds(body.length, ITEM_BYTES))),
      );
    default:
      refused('the body ', () => countJson(body, new ValueCount(ingestBounds(body.length, JSON_VALUE_BYTES))));
      return listOf(readJson(textOf(body)));
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError(
      'invalid_request',
      `the body is not JSON: ${error instanceof Error ? error.message.slice(0, 100) : ''}`,
    );
  }
}

function readLines(body: Uint8Array): unknown[] {
  const messages: unknown[] = [];
  const count = new ValueCount(ingestBounds(body.length, JSON_VALUE_BYTES));
  let broken = 0;
  for (let from = 0; from < body.length; ) {
    if (body[from] === NEW_LINE) {
      from++;
      continue;
    }
    const end = body.indexOf(NEW_LINE, from);
    const line = body.subarray(from, end === -1 ? body.length : end);
    from += line.length + 1;
    refused('the body ', () => countJson(line, count));
    const text = textOf(line);
    if (text.trim() === '') continue;
    // Millions of lines are not parsed first.
    refuseParts(messages.length + 1);
    try {
      messages.push(JSON.parse(text));
    } catch {
      if (++broken > NOT_JSON_MAX)
        throw new ApiError('invalid_request', `more than ${NOT_JSON_MAX} lines of the body are not JSON`);
      messages.push(NOT_JSON);
    }
  }
  return messages;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/** The result; an error of `read` continues the sentence. */
function refused<Result>(sentence: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new ApiError('invalid_request', sentence + (error instanceof Error ? error.message : ''));
  }
}

const COLUMNS = columnsOf(UnmatchedItem);

export function unmatchedRoutes({ engine }: RouteDeps): Route[] {
  const { catalogue, clock, table } = engine;
  const near = new NearestNames(catalogue);
  return [
    route({
      method: 'GET',
      path: '/api/v1/ingest/unmatched',
      auth: 'required',
      scope: 'ingest',
      undelayed: true,
      query: UnmatchedQuery,
      response: UnmatchedBody,
      ...LISTED,
      errors: ['unavailable'],
      summary:
        'Names, starts and players that met nothing, what was refused, and what they may have meant: the most frequent first',
      tags: ['ingest'],
      handler: async (context) => {
        const { kind, limit } = context.query;
        const { account } = context.requireKey();
        const noted = await engine.unmatched();
        const found = await unmatchedItems(noted, { table, catalogue, near, nowMs: clock.now(), account });
        const items = kind === undefined ? found : found.filter((each) => each.kind === kind);
        const byKind: Record<string, number> = {};
        for (const each of found) byKind[each.kind] = (byKind[each.kind] ?? 0) + 1;
        const forms = { name: 'unmatched', columns: COLUMNS };
        if (asksWhole(context)) return sendWhole(context, wholeOf(forms, items));
        const page = { limit, total: items.length };
        return sendItems(context, clock, forms, items.slice(0, limit), page, { by_kind: byKind });
      },
    }),
  ];
}
