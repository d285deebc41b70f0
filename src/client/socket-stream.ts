// A stream over WebSocket: its subscription can be replaced while it is open.
import type { ChannelWord } from './events.js';
import { LiveStream, type StreamOptions } from './stream.js';
import { type Subscription, type WebSocketConstructor, WsPort, wsConnect } from './ws-connect.js';

/** Ids of what is streamed; all if a list is absent. */
type NameFilters = Partial<Record<'sports' | 'leagues' | 'sportsbooks' | 'markets' | 'eventIds', readonly string[]>>;

/** In percent; the size of a middle in points, the maximum stake in `currency`. */
type Thresholds = Partial<Record<'min_ev' | 'min_profit' | 'max_hold' | 'min_size' | 'min_stake', number>>;

export interface SocketFilters extends NameFilters, Thresholds {
  /** ISO 4217 code of total stakes; USD by default. */
  currency?: string;
  /** Only what no result of a game that is played breaks. */
  guaranteed?: boolean;
  /** Also what rests on a distribution that nobody measured. */
  include_assumed?: boolean;
  state?: string;
  /** True: only the books' main lines; false: only the others. */
  is_main_line?: boolean;
  /** True: only prices of games in play that have not moved since the start; false: all others. */
  is_stale_pregame_price?: boolean;
  /** Ticks a second at most (0.1 to 20); what changes in between is merged. */
  max_hz?: number;
  /** Rows of the snapshot show their openings; rows and their changes show their ladder. */
  include?: 'opening' | 'depth' | 'opening,depth';
}

export class SocketStream extends LiveStream {
  readonly #port: WsPort;

  constructor(url: URL, subscription: Subscription, WebSocketClass: WebSocketConstructor, options?: StreamOptions) {
    const port = new WsPort(subscription);
    super(wsConnect(url, port, WebSocketClass), options);
    this.#port = port;
  }

  /** Replaces the subscription; the table starts again, empty. */
  subscribe(channels: readonly ChannelWord[], filters: SocketFilters = {}): void {
    const subscription: Subscription = { channels, filters: { ...filters } };
    this.#port.subscription = subscription;
    this.startAnew();
    this.#port.send({ type: 'subscribe', ...subscription });
  }

  ping(id?: string | number): void {
    this.#port.send({ type: 'ping', id });
  }
}
