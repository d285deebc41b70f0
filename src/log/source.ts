// The change log as it is followed from another process, and the writer as it is asked from there: what every transport
// (a local socket, a message broker) offers alike.
import type { FeedInfo } from '../feeds/feed-watch.js';
import type { RequestKind, Requests } from './requests.js';

/** What a follower is told when it is connected to a writer, at first and whenever it is again or another one writes. */
export interface Hello {
  /** Names the log: positions of another epoch mean nothing in it. */
  epoch: string;
  /** The process that writes. */
  writer: string;
  /** Position of the last message before those that follow; every later one will come. */
  head: number;
  /** Nothing is missing between the last message that came and those that follow. Else the follower sees to it itself. */
  contiguous: boolean;
}

/** Said several times a second, so that silence is noticed. */
export interface Beat {
  /** Position of the last message. */
  position: number;
  /** The writer's clock, Unix ms. */
  writerMs: number;
  /** Fronts that follow it. */
  fronts: number;
  /** The feeds it takes odds from, as /health shows them; not told by every transport. */
  feeds?: readonly FeedInfo[];
}

/** Called in the order of positions, one at a time, and never before follow() has returned. */
export interface LogHandlers {
  opened(hello: Hello): void;
  /** An encoded LogMessage; its bytes are good only during the call. */
  message(bytes: Uint8Array): void;
  beat(beat: Beat): void;
  /** There is no writer, or no connection to it; opened() follows when there is again. */
  lost(): void;
  /** The log cannot be followed any more from where this one stands: it has to start anew, from a table of its own. */
  tooOld(reason: string): void;
}

export interface LogSource {
  /** Begins to follow, once. */
  follow(handlers: LogHandlers): void;
  /**
   * Asks the writer. Rejects with the ApiError it answered with; `unavailable` where there is no writer or none answers in
   * time: what was asked may still come to pass then.
   */
  request<Kind extends RequestKind>(
    kind: Kind,
    body: Requests[Kind]['body'],
    deadlineMs: number,
  ): Promise<Requests[Kind]['answer']>;
  close(): Promise<void>;
}
