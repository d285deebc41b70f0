// Requests from node to node over NATS: bytes there and bytes back, split to what the servers accept, each with a
// deadline.

import {
  createInbox,
  headers,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  type Subscription,
} from '@nats-io/transport-node';
import { noWriter } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import { DEADLINE_MS, decodeAnswer, encodeRequest, type RequestKind, type Requests } from '../requests/requests.js';
import { type ClusterNats, isEnding, listen } from './nats.js';

const ID = 'Id';
const PART = 'Part';
const LAST = 'Last';
/** Maximum number of requests of which only a part has arrived; more are dropped, the oldest first. */
const PARTIAL_MAX = LIMITS.partialRequests.max;

export interface AnswererOptions {
  connection: NatsConnection;
  subject: string;
  payloadMax: number;
  /** Never rejects. */
  answer(body: Uint8Array): Promise<Uint8Array>;
  /** A request was not answered. */
  onTrouble(error: unknown): void;
}

/** Answers requests to a subject; stop() lets those under way finish. */
export function answerRequests(options: AnswererOptions): { stop(): void } {
  const { connection, subject, payloadMax, answer, onTrouble } = options;
  const partial = new Map<string, Uint8Array[]>();
  const onMessage = (message: Msg): void => {
    const body = joined(partial, message);
    const { reply } = message;
    if (body === null || reply === undefined || reply === '') return;
    answer(body)
      .then((bytes) => {
        if (!isEnding(connection)) sendParts(connection, reply, bytes, payloadMax, undefined);
      })
      .catch(onTrouble);
  };
  const subscription = listen(connection, subject, onMessage, onTrouble);
  return { stop: () => subscription.unsubscribe() };
}

/** Requests to the writer, whichever node that is. */
export class WriterRequests {
  readonly #nats: ClusterNats;
  #writer: string | null = null;
  /** Pending requests to this writer. */
  #gone = new AbortController();

  constructor(nats: ClusterNats) {
    this.#nats = nats;
  }

  get writer(): string | null {
    return this.#writer;
  }

  /** Requests to the previous writer are not waited for: it may be stalled for as long as any deadline. */
  set writer(node: string | null) {
    if (node === this.#writer) return;
    this.#writer = node;
    this.#gone.abort();
    this.#gone = new AbortController();
  }

  /** Rejects with the ApiError it was answered with; `unavailable` if there is no writer or none answers in time. */
  async ask<Kind extends RequestKind>(kind: Kind, body: Requests[Kind]['body']): Promise<Requests[Kind]['answer']> {
    const writer = this.#writer;
    if (writer === null) throw noWriter();
    const { connection, names, payloadMax } = this.#nats;
    const bytes = await request({
      connection,
      subject: `${names.node}.${writer}`,
      body: encodeRequest(kind, body),
      payloadMax,
      deadlineMs: DEADLINE_MS[kind],
      gone: this.#gone.signal,
    });
    return decodeAnswer(bytes) as Requests[Kind]['answer'];
  }
}

interface Question {
  connection: NatsConnection;
  subject: string;
  body: Uint8Array;
  payloadMax: number;
  deadlineMs: number;
  /** The receiver will not answer any more. */
  gone: AbortSignal;
}

/**
 * Sends a request to a subject; rejects with ApiError `unavailable` if nobody answers in time. It may still be carried
 * out.
 */
function request({ connection, subject, body, payloadMax, deadlineMs, gone }: Question): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (isEnding(connection)) return reject(noWriter());
    const inbox = createInbox();
    const parts: Uint8Array[] = [];
    let subscription: Subscription | undefined;
    const refuse = (): void => end(() => reject(noWriter()));
    const timer = setTimeout(refuse, deadlineMs);
    gone.addEventListener('abort', refuse);
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      gone.removeEventListener('abort', refuse);
      subscription?.unsubscribe();
      settle();
    };
    const onMessage = (message: Msg): void => {
      const { headers: head, data } = message;
      // The servers report at once that nobody listens.
      if (head?.code === NO_RESPONDERS || Number(head?.get(PART)) !== parts.length) {
        refuse();
        return;
      }
      parts.push(data);
      if (head?.has(LAST)) end(() => resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts)));
    };
    subscription = listen(connection, inbox, onMessage, refuse);
    sendParts(connection, subject, body, payloadMax, inbox);
  });
}

const NO_RESPONDERS = 503;

function sendParts(
  connection: NatsConnection,
  subject: string,
  body: Uint8Array,
  payloadMax: number,
  reply: string | undefined,
): void {
  const id = reply === undefined || body.length <= payloadMax ? undefined : createInbox();
  let part = 0;
  for (let from = 0; from === 0 || from < body.length; from += payloadMax) {
    const head: MsgHdrs = headers();
    head.set(PART, String(part++));
    if (id !== undefined) head.set(ID, id);
    if (from + payloadMax >= body.length) head.set(LAST, '1');
    connection.publish(subject, body.subarray(from, from + payloadMax), {
      headers: head,
      ...(reply === undefined ? {} : { reply }),
    });
  }
}

/** The complete message, or null if more is to come or something is missing. */
function joined(partial: Map<string, Uint8Array[]>, { headers: head, data }: Msg): Uint8Array | null {
  const part = Number(head?.get(PART));
  const id = head?.get(ID) ?? '';
  if (id === '') return part === 0 ? data : null;
  const parts = partial.get(id) ?? [];
  partial.delete(id);
  if (parts.length !== part) return null;
  parts.push(Uint8Array.from(data));
  if (head?.has(LAST)) return Buffer.concat(parts);
  for (const oldest of partial.keys()) {
    if (partial.size < PARTIAL_MAX) break;
    partial.delete(oldest);
  }
  partial.set(id, parts);
  return null;
}
