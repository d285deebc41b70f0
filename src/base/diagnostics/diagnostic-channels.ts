// The progress of changes and requests, published on named channels of node:diagnostics_channel: our metrics subscribe,
// and so may programs that embed a server. Without a subscriber no message is made.
import { channel } from 'node:diagnostics_channel';

/**
 * Channels belong to the process. Every message names its server: `source` is the same object as `server.engine` of the
 * running server, which distinguishes two servers in one process.
 */
export interface Published {
  readonly source: object;
}

/** The messages of one call to ingest were read; nothing is queued yet. */
export interface IngestRead extends Published {
  readonly messages: number;
  /** Milliseconds to parse and normalise. */
  readonly ms: number;
  /** Names that the catalogue does not know, repeated or not. */
  readonly unknown: {
    readonly teams: number;
    readonly leagues: number;
    readonly markets: number;
    readonly books: number;
  };
}

/** When a batch reached each stage of the shard's thread (monotonicMs). */
export interface ShardTimes {
  begun: number;
  applied: number;
  detected: number;
  committed: number;
}

/** A batch of a shard was applied or refused; times in milliseconds of the machine's monotonic clock. */
export interface ShardBatch extends Published {
  readonly shard: number;
  /** 0 if the batch only lets time pass. */
  readonly messages: number;
  /** Quotes accepted, changed or seen again; 0 if it was refused. */
  readonly quotes: number;
  /** For each message, when it arrived. */
  readonly queuedMs: readonly number[];
  readonly startedMs: number;
  /**
   * When the last attempt was sent to the thread, when it was answered (0 if it failed), and when its delta was applied
   * by every reader.
   */
  readonly sentMs: number;
  readonly returnedMs: number;
  readonly endedMs: number;
  /** Whether it produced a delta. */
  readonly changed: boolean;
  /** Markets with more lines or middles than are evaluated; 0 if it was refused. */
  readonly boundedMarkets: number;
  /** Undefined if the batch failed. */
  readonly times: ShardTimes | undefined;
}

/** A committed delta is applied: every read shows it. */
export interface TableDelta extends Published {
  readonly shard: number;
  /** Unix µs. */
  readonly position: number;
  /** Of the encoded delta. */
  readonly bytes: number;
  readonly rowsWritten: number;
  readonly rowsRemoved: number;
}

/** The streams were sent what changed since the previous tick. */
export interface StreamsTick extends Published {
  /** Milliseconds. */
  readonly ms: number;
  /** Buffers and bytes handed to sockets since the start. */
  readonly deliveries: number;
  readonly deliveredBytes: number;
}

/** A request was answered; for a stream, it was opened. */
export interface HttpRequestDone extends Published {
  /**
   * As registered: a HEAD is reported under its route's GET; `*` and `unmatched` if no route matched. The same object
   * each time.
   */
  readonly route: { readonly method: string; readonly path: string };
  /** 499: the client had disconnected. */
  readonly status: number;
  /** Milliseconds from the request to the end of its answer. */
  readonly ms: number;
}

/**
 * A channel of node:diagnostics_channel whose messages have this shape. An error thrown by a listener becomes an
 * uncaught exception.
 */
export interface DiagnosticChannel<Message extends Published> {
  readonly name: string;
  readonly hasSubscribers: boolean;
  publish(message: Message): void;
  /** The listener is called synchronously, so it must be quick. */
  subscribe(listener: (message: Message) => void): void;
  unsubscribe(listener: (message: Message) => void): void;
}

function named<Message extends Published>(name: string): DiagnosticChannel<Message> {
  return channel(name) as unknown as DiagnosticChannel<Message>;
}

export const diagnosticChannels = {
  ingestRead: named<IngestRead>('overround:ingest:read'),
  shardBatch: named<ShardBatch>('overround:shard:batch'),
  tableDelta: named<TableDelta>('overround:table:delta'),
  streamsTick: named<StreamsTick>('overround:streams:tick'),
  httpRequest: named<HttpRequestDone>('overround:http:request'),
} as const;

/**
 * Calls the listener with the messages of one source.
 * @returns a function that ends the subscription
 */
export function subscribeTo<Message extends Published>(
  from: DiagnosticChannel<Message>,
  source: object,
  listener: (message: Message) => void,
): () => void {
  const ofSource = (message: Message): void => {
    if (message.source === source) listener(message);
  };
  from.subscribe(ofSource);
  return () => from.unsubscribe(ofSource);
}
