// The port of every transport (a local socket, a message broker) by which another process follows the change log and
// sends requests to the writer.

import type { FeedInfo } from '../../intake/feeds/feed-watch.js';
import type { RequestKind, Requests } from '../requests/requests.js';

/**
 * What a follower receives when it is connected to a writer: the first time, after a reconnect, and when another
 * process becomes the writer.
 */
export interface Hello {
  /** Identifies the log: positions of another epoch mean nothing in it. */
  epoch: string;
  /** The process that writes. */
  writer: string;
  /** Position of the last message before those that follow; every later one will come. */
  head: number;
  /**
   * Nothing is missing between the last message received and the next ones. Otherwise the follower handles the gap
   * itself.
   */
  contiguous: boolean;
}

/** Sent several times a second, so that silence is noticed. */
export interface Beat {
  /** Position of the last message. */
  position: number;
  /** The writer's clock, Unix ms. */
  writerMs: number;
  /** Number of fronts that follow it. */
  fronts: number;
  /** The state of its feeds, for /health; not sent by every transport. */
  feeds?: readonly FeedInfo[];
}

/** Called in the order of positions, one at a time, and never before follow() has returned. */
export interface LogHandlers {
  opened(hello: Hello): void;
  /** An encoded delta; its bytes are valid only during the call. */
  message(bytes: Uint8Array): void;
  beat(beat: Beat): void;
  /** There is no writer, or no connection to it; opened() follows when there is again. */
  lost(): void;
  /** The log can no longer be followed from this follower's position: it must start again with a new table. */
  tooOld(reason: string): void;
}

export interface LogSource {
  /** Starts to follow; called once. */
  follow(handlers: LogHandlers): void;
  /**
   * Sends a request to the writer. Rejects with the ApiError it answered with; `unavailable` if there is no writer or
   * it does not answer in time (DEADLINE_MS): the request may still be carried out then.
   */
  request<Kind extends RequestKind>(kind: Kind, body: Requests[Kind]['body']): Promise<Requests[Kind]['answer']>;
  close(): Promise<void>;
}

// When this process writes the log, and what it does only then: it runs feeds and sends alerts.

export interface Terms {
  begin(): void;
  /** Settles when it is over. */
  end(): Promise<void>;
}

export interface Writer {
  /** It writes the log now. */
  readonly leads: boolean;
  /** Told of the beginnings and ends of its terms; to be called once. */
  duringTerms(terms: Terms): void;
}

/** A process that writes the log from its start to its end. */
export const ALWAYS: Writer = { leads: true, duringTerms: (terms) => terms.begin() };
export const NEVER: Writer = { leads: false, duringTerms: () => undefined };
