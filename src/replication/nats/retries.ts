// Requests to NATS servers that fail: which errors pass, which are repeated, and for how long.
import { JetStreamApiError, JetStreamError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { monotonicMs } from '../../base/model/clock.js';

export class NatsUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NatsUnavailable';
  }
}

/** How long the first connection is attempted, and how long the servers may take to be ready. */
export const PATIENCE_MS = 30_000;
export const TRY_AGAIN_MS = 250;

/**
 * Repeats a request of a node that starts, for as long as a first connection; rejects with NatsUnavailable after that.
 * Other errors than those of servers and connection are not repeated.
 */
export function answered<Result>(work: () => Promise<Result>): Promise<Result> {
  return patiently(monotonicMs() + PATIENCE_MS, work, 'the NATS servers do not answer', isOfNats);
}

/**
 * Repeats until this time (monotonic); rejects with NatsUnavailable, beginning with `what`, after that.
 * @param onWaiting called once, before the first repetition
 */
export async function patiently<Result>(
  untilMs: number,
  work: () => Promise<Result>,
  what: string,
  mayPass: (error: unknown) => boolean = () => true,
  onWaiting: (error: Error, forMs: number) => void = () => undefined,
): Promise<Result> {
  for (let told = false; ; told = true) {
    try {
      return await work();
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined && !mayPass(error)) throw error;
      if (refusal !== undefined || monotonicMs() + TRY_AGAIN_MS >= untilMs)
        throw new NatsUnavailable(`${refusal ?? what}: ${(error as Error).message}`, { cause: error });
      if (!told) onWaiting(error as Error, untilMs - monotonicMs());
      await pause(TRY_AGAIN_MS);
    }
  }
}

/** The messages of node:tls for an untrusted certificate. */
const UNTRUSTED = new Set([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Errors that no retry can fix; undefined if it may be temporary. */
function refusalOf(error: unknown): string | undefined {
  if (error instanceof errors.AuthorizationError)
    return 'the NATS servers refuse these credentials (NATS_CREDS, or NATS_USER and NATS_PASSWORD)';
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof errors.PermissionViolationError)
      return 'the NATS user lacks a right that a cluster needs (docs/guides/cluster.md lists them)';
  if (error instanceof errors.InvalidArgumentError) return 'NATS cannot be asked like this';
  if (UNTRUSTED.has((error as NodeJS.ErrnoException).code ?? ''))
    return "the NATS servers' certificate is not trusted (a CA of your own is named by NODE_EXTRA_CA_CERTS)";
  return undefined;
}

/** Of the servers or the connection to them: the request may succeed later. */
function isOfNats(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (OF_NATS.some((kind) => cause instanceof kind) || 'syscall' in cause) return true;
  return false;
}

const OF_NATS = [
  NatsUnavailable,
  JetStreamError,
  JetStreamApiError,
  errors.ClosedConnectionError,
  errors.ConnectionError,
  errors.DrainingConnectionError,
  errors.NoRespondersError,
  errors.ProtocolError,
  errors.RequestError,
  errors.TimeoutError,
];

const WRONG_LAST_SEQUENCE = new Set([10_071, 10_164]);

/** Another message was stored since the one that was expected to be the last. */
export function isWrongSequence(error: unknown): boolean {
  return error instanceof JetStreamApiError && WRONG_LAST_SEQUENCE.has(error.code);
}

/** Rejects if it takes longer: the client never gives up some requests to the servers. */
export async function inTime<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NatsUnavailable('the NATS servers do not answer')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
