// Validated messages of Betfair's exchange stream: one JSON object per line.

import { isMap, jsonOf } from '../../../base/model/json-map.js';
import type { Documented } from '../kit/documented-fields.js';

export type StreamMessage = { op: 'connection' } | StatusMessage | ChangeMessage;
export type StatusMessage = ReturnType<typeof readStatus>;
export type ChangeMessage = NonNullable<ReturnType<typeof readChange>>;

/** Parses a line; undefined if it is none of these messages. */
export function readMessage(line: string): StreamMessage | undefined {
  const map = jsonOf(line);
  if (!isMap(map)) return undefined;
  switch (map['op']) {
    case 'connection':
      return { op: 'connection' };
    case 'status':
      return readStatus(map);
    case 'mcm':
      return readChange(map);
    default:
      return undefined;
  }
}

/** The answer to the request with this id. */
function readStatus(map: Record<string, unknown>) {
  return {
    op: 'status' as const,
    id: numberOf(map['id']),
    ok: map['statusCode'] === 'SUCCESS' || map['statusCode'] === 0,
    errorCode: textOf(map['errorCode']) ?? '',
    errorMessage: textOf(map['errorMessage']) ?? '',
    connectionClosed: map['connectionClosed'] === true,
  };
}

const KINDS = ['SUB_IMAGE', 'RESUB_DELTA', 'HEARTBEAT'] as const;
const SEGMENTS = ['SEG_START', 'SEG', 'SEG_END'] as const;

/** Market changes. */
function readChange(map: Record<string, unknown>) {
  const changes = map['mc'] ?? [];
  const kind = map['ct'] == null ? null : KINDS.find((known) => known === map['ct']);
  if (!Array.isArray(changes) || kind === undefined) return undefined;
  return {
    op: 'mcm' as const,
    id: numberOf(map['id']),
    /** The first answers to a subscription; null for changes. */
    kind,
    segment: SEGMENTS.find((known) => known === map['segmentType']) ?? null,
    /** Tokens to resume with after a lost connection. */
    initialClk: textOf(map['initialClk']),
    clk: textOf(map['clk']),
    /** Unix ms at which Betfair sent it; null if not stated. */
    publishedMs: numberOf(map['pt']),
    conflateMs: numberOf(map['conflateMs']),
    /** Betfair's own data is late: prices are invalid until a message without this flag. */
    behind: map['status'] === 503 || map['status'] === '503',
    changes: changes as readonly unknown[],
  };
}

/** Ids and numbers are JSON numbers, in some recordings texts. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** An id as text, whether written as number or text; null if it is neither. */
export function idOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return textOf(value);
}

// Fields of a market's change that the schema of Betfair's exchange stream (ESASwaggerSchema) has, and its historical
// files.

export const DOCUMENTED = {
  mc: { fields: 'id img tv con', within: { marketDefinition: 'marketDefinition', rc: 'rc' } },
  rc: { fields: 'id hc atb atl batb batl bdatb bdatl trd ltp tv spb spl spn spf con' },
  marketDefinition: {
    fields: `bspMarket turnInPlayEnabled persistenceEnabled marketBaseRate eventId eventTypeId numberOfWinners bettingType
      marketType marketTime suspendTime settledTime bspReconciled complete inPlay crossMatching runnersVoidable
      numberOfActiveRunners betDelay betDelayModels status regulators venue countryCode discountAllowed timezone
      openDate version raceType eachWayDivisor keyLineDefinition priceLadderDefinition lineMaxUnit lineMinUnit
      lineInterval name eventName`,
    within: { runners: 'runners' },
  },
  runners: { fields: 'id hc sortPriority status removalDate adjustmentFactor bsp name' },
} as const satisfies Record<string, Documented>;
