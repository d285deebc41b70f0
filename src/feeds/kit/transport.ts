// What a kept connection needs of the thing it keeps: something that takes text, can be asked for a sign of life and ends.

/** An open connection to a venue, however it is made. After close() it says nothing any more. */
export interface Transport {
  /** False where it cannot take more now (its buffer is full): the connection is as good as dead then. */
  send(text: string): boolean;
  /** Asks the venue for a sign of life; the answer comes as `alive`. Where venues send heartbeats unasked it does nothing. */
  ask(): void;
  close(): void;
}

/** Why a connection ended or was never made. */
export interface Ending {
  reason: string;
  /** HTTP status of a refused handshake, where there was one. */
  status?: number;
  /** Seconds the venue asks to be left alone. */
  retryAfterS?: number;
}

/** What a transport tells. `ended` comes once, last, also where the connection was never made. */
export interface TransportEvents {
  /** Ready for send(). */
  opened(): void;
  /** One whole message. It is a sign of life, too. */
  received(text: string): void;
  /** A sign of life that is no message: a pong, a heartbeat. */
  alive(): void;
  ended(ending: Ending): void;
}

/** Begins to connect. Must not throw: what goes wrong is told by `ended`. */
export type Dial = (events: TransportEvents) => Transport;
