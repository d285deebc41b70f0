// The source of the board's rows: a WebSocket, or polling if the key may not stream; and whether the data shown is
// still current. A connection that is silent for some seconds counts as lost before the system notices.
import type { OverroundError, SocketStream, StreamEvent } from '../src/client/client.js';
import { WS_CLOSE } from '../src/schema/ws-close.js';
import { type OddsFilters, PolledOdds } from './model/polled-odds.js';
import type { Session } from './session.js';

export type SourceState = 'connecting' | 'live' | 'polling' | 'lost' | 'refused';

export interface OddsSourceOptions {
  session: Session;
  onEvent(event: StreamEvent): void;
  onState(state: SourceState): void;
  /** The key is no longer valid. */
  onRefused(error: OverroundError): void;
}

/** What is asked for cannot be had: an unknown market, a book of another tier. */
const isOfChoice = (status: number): boolean => status === 400 || status === 403 || status === 404;

/** The longer interval is for keys with few requests a minute. */
const POLL_MS = { usual: 5_000, tight: 20_000 };
const AGAIN_MS = 5_000;
const PING_MS = 3_000;
const SILENT_MS = 8_000;
const SILENT_MS_MAX = 20_000;

export class OddsSource {
  readonly #options: OddsSourceOptions;
  #socket: SocketStream | undefined;
  #polled: PolledOdds | undefined;
  #filters: OddsFilters = {};
  #state: SourceState = 'connecting';
  #receivedMs = performance.now();
  #again: ReturnType<typeof setTimeout> | undefined;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #offline = (): void => this.#become('lost');

  constructor(options: OddsSourceOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#watch(), PING_MS);
    addEventListener('offline', this.#offline);
  }

  get state(): SourceState {
    return this.#state;
  }

  #hasStreamed = false;

  /** The newest subscription has begun: what came before was of another. */
  #hasBegun = false;

  /** The rows are those of the newest subscription, and all of them: one that is missing does not exist. */
  get isComplete(): boolean {
    return this.#hasBegun && this.#table?.complete === true;
  }

  /** Why the choice is refused, while it is. */
  reason = '';

  /** Time since the last message of the server, ms. */
  get silentMs(): number {
    return performance.now() - this.#receivedMs;
  }

  /** The local rows; incomplete until the state is live. */
  get rows() {
    return this.#table?.odds;
  }

  get #table() {
    return (this.#polled ?? this.#socket)?.table;
  }

  /** The subscription of the rows; a new one starts them again. */
  point(filters: OddsFilters): void {
    this.#filters = filters;
    this.#hasBegun = false;
    if (this.#state === 'refused') this.#become('connecting');
    if (this.#polled !== undefined) this.#poll();
    if (this.#socket !== undefined) this.#socket.subscribe(['odds'], filters);
    else if (this.#polled === undefined) this.#open();
  }

  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#again);
    removeEventListener('offline', this.#offline);
    this.#socket?.close();
    this.#polled?.close();
  }

  #open(): void {
    const { session } = this.#options;
    if (!session.account.features.streaming) {
      this.#poll();
      return;
    }
    const socket = session.client.socket(['odds'], this.#filters, {
      silenceMsMax: SILENT_MS_MAX,
      firstTriesMax: Number.POSITIVE_INFINITY,
      onEvent: (event) => {
        this.#hasStreamed = true;
        this.#polled?.close();
        this.#polled = undefined;
        this.#receive(event);
      },
      onLost: ({ status }) => {
        // As many streams as its key may have are open, in other tabs, or something on the way lets none through: until there is one.
        if (status !== WS_CLOSE.tooMany && this.#hasStreamed) this.#become('lost');
        else if (this.#polled === undefined) this.#poll();
      },
      // Reported below.
      onError: () => undefined,
    });
    this.#socket = socket;
    void socket.ended.then((error) => {
      if (error === undefined || this.#socket !== socket) return;
      this.#socket = undefined;
      if (error.status === WS_CLOSE.noStreaming || error.code === 'forbidden') this.#poll();
      else if (isOfChoice(error.status)) this.#refuse(error.message);
      else this.#options.onRefused(error);
    });
  }

  #poll(): void {
    this.#polled?.close();
    this.#polled = undefined;
    const { session } = this.#options;
    this.#polled = new PolledOdds(session.client, this.#filters, {
      everyMs: session.isTight ? POLL_MS.tight : POLL_MS.usual,
      onEvent: (event) => this.#receive(event),
      onLost: () => this.#become('lost'),
      onRefused: (error) => {
        if (isOfChoice(error.status)) this.#refuse(error.message);
        else this.#options.onRefused(error);
      },
    });
  }

  #refuse(reason: string): void {
    this.reason = reason;
    this.#become('refused');
  }

  #receive(event: StreamEvent): void {
    this.#receivedMs = performance.now();
    if (event.type === 'started') this.#hasBegun = true;
    if (event.type === 'error' && event.code === 'rate_limited') {
      // Too many choices of all who have this key: it is asked for again.
      clearTimeout(this.#again);
      this.#again = setTimeout(() => this.#socket?.subscribe(['odds'], this.#filters), AGAIN_MS);
      return;
    }
    if (event.type === 'error') this.#refuse(event.message);
    // What still comes is of the choice before.
    if (this.#state === 'refused') return;
    this.#options.onEvent(event);
    if (this.#table?.complete === true && navigator.onLine)
      this.#become(this.#polled === undefined ? 'live' : 'polling');
    else if (event.type === 'started') this.#become('connecting');
  }

  #watch(): void {
    if (this.#socket === undefined || this.#polled !== undefined || this.#state === 'refused') return;
    if (this.silentMs > SILENT_MS && this.#state !== 'connecting') this.#become('lost');
    this.#socket.ping();
  }

  #become(state: SourceState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onState(state);
  }
}
