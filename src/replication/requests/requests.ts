// The requests of a front to the writer, for what it cannot do itself: their kinds with bodies and answers, and their
// encoding, the same over every transport.

import type { Caller } from '../../accounts/key-record.js';
import { monotonicMs } from '../../base/model/clock.js';
import { ApiError, type ErrorCode, type ErrorDetail } from '../../base/model/errors.js';
import type { UniverseSpec } from '../../base/model/opportunity.js';
import type { Unmatched } from '../../base/model/unmatched.js';
import { decode, encode } from '../../base/wire/codec.js';
import type { EvaluationQuestion } from '../../detection/question.js';
import type { Evaluated, IngestAnswer } from '../../engine/engine-options.js';
import type { ControlAnswer, ControlRequest } from '../../log/control/control-queue.js';
import type { AskedHistory } from '../../store/clv/queries.js';

/** A universe, and who was the first to use it at a front; undefined for those of the tiers. */
export interface AskedUniverse {
  spec: UniverseSpec;
  caller: Caller | undefined;
}

/** How far a process may count for a caller in a minute. */
export interface AskedGrant {
  /** The caller, and what of it is counted. */
  name: string;
  /** Counted by the process that asks. */
  own: number;
  /** Requests that wait for the answer. */
  more: number;
  limit: number;
}

export interface Grant {
  /** The process may count so far in the window. */
  upTo: number;
  /** The part of the limit that is granted ahead. */
  ahead: number;
  /** There is no more to grant. */
  isLast: boolean;
}

export interface Granting {
  /** One for each that was asked. Null if the window is over here already. */
  grant(node: string, window: number, asked: readonly AskedGrant[]): Grant[] | null;
}

export interface Requests {
  /** Ingest messages; answered when they are committed. `position`: a table that has reached it shows them. */
  ingest: {
    body: { messages: readonly unknown[]; strict?: boolean; sender?: string; account?: string | undefined };
    answer: IngestAnswer;
  };
  /**
   * Watches universes for a limited time (LEASE_MS) on behalf of a front: a table of opportunities that has reached the
   * position has their active ones.
   */
  universes: {
    body: { front: string; asked: readonly AskedUniverse[] };
    answer: { position: number };
  };
  /** Renews the watch of the named universes; returns those that are no longer watched. */
  lease: {
    body: { front: string; keys: readonly string[] };
    answer: { missing: string[] };
  };
  /** The answer is that of the question (store/clv/queries.ts). */
  history: { body: AskedHistory; answer: unknown };
  evaluate: {
    body: { question: EvaluationQuestion; caller: Caller };
    answer: Evaluated;
  };
  /** What met nothing since the start. */
  unmatched: { body: null; answer: Unmatched[] };
  /** A command on the control store. */
  control: { body: ControlRequest; answer: ControlAnswer };
  /** Everything up to it is committed and shown. */
  position: { body: null; answer: number };
  /** How far a front may count in a minute for each caller; null if the minute is over at the writer. */
  grants: { body: { node: string; window: number; asked: readonly AskedGrant[] }; answer: Grant[] | null };
}

export type RequestKind = keyof Requests;

/** A universe that no front has renewed for this long is released. */
export const LEASE_MS = 30_000;
export const RENEW_MS = 10_000;

export const DEADLINE_MS: Readonly<Record<RequestKind, number>> = {
  ingest: 30_000,
  universes: 30_000,
  lease: 5_000,
  evaluate: 10_000,
  history: 10_000,
  unmatched: 5_000,
  control: 10_000,
  position: 5_000,
  // A request waits for it.
  grants: 1_000,
};

/** As they are sent. A number keeps its meaning: commands and nodes of other releases ask, too. 5 had one of release 0.2.0. */
const NUMBERS: Readonly<Record<RequestKind, number>> = {
  ingest: 0,
  universes: 1,
  lease: 2,
  evaluate: 3,
  history: 4,
  unmatched: 6,
  control: 7,
  position: 8,
  grants: 9,
};
const KINDS = new Map(Object.entries(NUMBERS).map(([kind, no]) => [no, kind as RequestKind]));

export interface AnyRequest {
  kind: RequestKind;
  body: unknown;
}

export function encodeRequest<Kind extends RequestKind>(kind: Kind, body: Requests[Kind]['body']): Buffer {
  return encode([NUMBERS[kind], body]);
}

/** Throws if it is not a request of this version. */
export function decodeRequest(bytes: Uint8Array): AnyRequest {
  const [no, body] = decode(bytes) as [number, unknown];
  const kind = KINDS.get(no);
  if (kind === undefined) throw new Error(`a request of an unknown kind (${no})`);
  return { kind, body };
}

type Outcome = [answer: unknown] | [nothing: null, code: ErrorCode, message: string, detail: ErrorDetail];

/**
 * The answer to a request as it arrived; one that this release does not know is refused. Rejects only if `answer` does.
 */
export async function answerBytes(
  bytes: Uint8Array,
  answer: (request: AnyRequest) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  let request: AnyRequest;
  try {
    request = decodeRequest(bytes);
  } catch (error) {
    const reason = (error as Error).message;
    return encodeFailure(new ApiError('unavailable', `the engine is of another release: ${reason}`, { retryAfter: 1 }));
  }
  return await answer(request);
}

export function encodeAnswer(answer: unknown): Buffer {
  return encode([answer] satisfies Outcome);
}

export function encodeFailure({ code, message, detail }: ApiError): Buffer {
  return encode([null, code, message, detail] satisfies Outcome);
}

/** Throws the ApiError it was answered with. */
export function decodeAnswer(bytes: Uint8Array): unknown {
  const outcome = decode(bytes) as Outcome;
  if (outcome.length === 1) return outcome[0];
  throw new ApiError(outcome[1], outcome[2], outcome[3]);
}

// A command asks again while there is no writer: a node that has just begun to listen may not lead yet, and another may
// be taking over.

/** Longer than a change of writer takes. */
const PATIENCE_MS = 10_000;
const AGAIN_MS = 250;

/** How a command asks the writer. What is asked must have the same effect when it is asked again. */
type CommandRetry = <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;

/** Rejects with `unavailable` if there is no writer for longer than a change of writer takes, over all that is asked. */
export function commandRetry(): CommandRetry {
  const untilMs = monotonicMs() + PATIENCE_MS;
  return async (ask) => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        const passes = error instanceof ApiError && error.code === 'unavailable';
        if (!passes || monotonicMs() > untilMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  };
}
