// The port of a venue connection: something that accepts text, answers heartbeats and ends.

/** An open connection to a venue, of any kind. After close() it calls nothing any more. */
export interface Transport {
  /** False if it cannot accept more now (its buffer is full): the connection is as good as dead then. */
  send(text: string): boolean;
  /**
   * Requests a sign of life; the answer is reported through `alive`. If the venue sends heartbeats by itself it does
   * nothing.
   */
  ping(): void;
  close(): void;
}

/** Why a connection ended or was never established. */
export interface Ending {
  reason: string;
  /** HTTP status of a refused handshake, if there was one. */
  status?: number;
  /** Seconds to wait, as requested by the venue. */
  retryAfterS?: number;
}

/** Callbacks of a transport. `ended` is called once, last, also if the connection was never established. */
export interface TransportEvents {
  /** Ready for send(). */
  opened(): void;
  /** One whole message. It counts as a sign of life. */
  received(text: string): void;
  /** A sign of life that is not a message: a pong, a heartbeat. */
  alive(): void;
  ended(ending: Ending): void;
}

/** Starts to connect. Must not throw: errors are reported through `ended`. */
export type Dial = (events: TransportEvents) => Transport;
