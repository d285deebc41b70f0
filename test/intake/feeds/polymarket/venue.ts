// Polymarket on a local port: Gamma, CLOB and the market channel in their documented shapes, from one state.
import type { WebSocket } from 'ws';
import { VenueServer } from '../kit/venue-server.js';

export type Side = 'bids' | 'asks';

interface Token {
  bids: Map<number, number>;
  asks: Map<number, number>;
  /** The other outcome's token: an ask at p here is a bid at 1 - p there. */
  other: string;
  market: string;
  ms: number;
}

/** What a test lists; the venue makes its own shapes of it. */
export interface MarketSpec {
  kind: string;
  outcomes: [string, string];
  line?: number;
  title?: string;
  question?: string;
  start?: string;
  more?: Record<string, unknown>;
}

export interface EventSpec {
  slug: string;
  series: string;
  start?: string;
  title?: string;
  teams?: { name: string; abbreviation: string; ordering?: string }[];
  markets: MarketSpec[];
  more?: Record<string, unknown>;
}

interface ListedEvent {
  series: string;
  body: Record<string, unknown>;
}

export class PolymarketVenue extends VenueServer {
  readonly tokens = new Map<string, Token>();
  readonly events: ListedEvent[] = [];
  /** Tokens that are missing in answers with several books. */
  readonly withheld = new Set<string>();
  readonly #subscribed = new Map<WebSocket, Set<string>>();
  /** Maximum number of events per page, whatever is requested. */
  pageMax = 100;
  offsetRefused = false;
  /** The channel answers PING, but sends nothing else. */
  isMute = false;
  #ids = 1_000;
  sports: Record<string, unknown>[] = [
    { sport: 'nba', tags: '1,745,100639', series: '10345', ordering: 'away' },
    { sport: 'epl', tags: '1,82,306,100639', series: '10188', ordering: 'home' },
  ];

  get settings() {
    const http = `http://127.0.0.1:${this.port}`;
    return { gammaUrl: http, clobUrl: http, wsUrl: `ws://127.0.0.1:${this.port}/ws/market` };
  }

  /** Lists an event; returns the tokens of its markets, in their order. */
  list(spec: EventSpec): { id: string; tokens: [string, string][] } {
    const id = String(this.#ids++);
    const tokens: [string, string][] = [];
    const markets = spec.markets.map((market) => {
      const marketId = String(this.#ids++);
      const pair: [string, string] = [`${marketId}${'7'.repeat(60)}1`, `${marketId}${'7'.repeat(60)}2`];
      tokens.push(pair);
      for (const [i, token] of pair.entries())
        this.tokens.set(token, {
          bids: new Map(),
          asks: new Map(),
          other: pair[1 - i]!,
          market: `0x${marketId}`,
          ms: 0,
        });
      return {
        id: marketId,
        conditionId: `0x${marketId}`,
        question: market.question ?? spec.title ?? spec.slug,
        outcomes: JSON.stringify(market.outcomes),
        outcomePrices: '["0.5", "0.5"]',
        clobTokenIds: JSON.stringify(pair),
        active: true,
        closed: false,
        acceptingOrders: true,
        enableOrderBook: true,
        sportsMarketType: market.kind,
        gameStartTime: (market.start ?? spec.start)?.replace('T', ' ').replace(/(\.\d+)?Z$/, '+00'),
        volume24hr: 1234.5,
        bestAsk: 0.99,
        ...(market.line === undefined ? {} : { line: market.line }),
        ...(market.title === undefined ? {} : { groupItemTitle: market.title }),
        ...market.more,
      };
    });
    this.events.push({
      series: spec.series,
      body: {
        id,
        slug: spec.slug,
        title: spec.title ?? spec.slug,
        active: true,
        closed: false,
        archived: false,
        negRiskAugmented: false,
        ...(spec.start === undefined ? {} : { startTime: spec.start }),
        ...(spec.teams === undefined ? {} : { teams: spec.teams }),
        markets,
        ...spec.more,
      },
    });
    return { id, tokens };
  }

  unlist(id: string): void {
    this.events.splice(
      this.events.findIndex(({ body }) => body['id'] === id),
      1,
    );
  }

  /** Sets one level (cents, shares), mirrored on the other token, and sends it to subscribers. */
  set(token: string, side: Side, cents: number, shares: number): void {
    const own = this.tokens.get(token)!;
    const changes = [this.#change(token, side, cents, shares)];
    changes.push(this.#change(own.other, side === 'bids' ? 'asks' : 'bids', 100 - cents, shares));
    const frame = {
      event_type: 'price_change',
      market: own.market,
      timestamp: String(Date.now()),
      price_changes: changes.map((make) => make()),
    };
    for (const [client, tokens] of this.#subscribed)
      if (tokens.has(token) || tokens.has(own.other)) this.send(client, frame);
  }

  /** The entry is built after both books changed: its best prices are those after the whole frame. */
  #change(token: string, side: Side, cents: number, shares: number): () => object {
    const book = this.tokens.get(token)!;
    if (shares === 0) book[side].delete(cents);
    else book[side].set(cents, shares);
    book.ms = Date.now();
    return () => ({
      asset_id: token,
      price: text(cents),
      size: String(shares),
      side: side === 'bids' ? 'BUY' : 'SELL',
      hash: hashOf(book),
      best_bid: book.bids.size === 0 ? '0' : text(Math.max(...book.bids.keys())),
      best_ask: book.asks.size === 0 ? '1' : text(Math.min(...book.asks.keys())),
    });
  }

  /** The price and size at which a token can be bought: its own best ask. */
  best(token: string): { price: number; size: number } | null {
    const { asks } = this.tokens.get(token)!;
    if (asks.size === 0) return null;
    const cents = Math.min(...asks.keys());
    return { price: cents / 100, size: Math.round(cents * asks.get(cents)! * 1e4) / 1e6 };
  }

  tell(message: unknown): void {
    for (const client of this.#subscribed.keys()) this.send(client, message);
  }

  override send(client: WebSocket, message: unknown): void {
    if (!this.isMute) super.send(client, message);
  }

  override left(client: WebSocket): void {
    this.#subscribed.delete(client);
  }

  override received(client: WebSocket, message: string): void {
    if (message === 'PING') {
      client.send('PONG');
      return;
    }
    const { assets_ids, type, operation } = JSON.parse(message) as {
      assets_ids: string[];
      type?: string;
      operation?: string;
    };
    const tokens = this.#subscribed.get(client) ?? new Set();
    this.#subscribed.set(client, tokens);
    if (operation === 'unsubscribe') {
      for (const token of assets_ids) tokens.delete(token);
      return;
    }
    if (type !== 'market' && operation !== 'subscribe') return;
    for (const token of assets_ids) tokens.add(token);
    this.send(
      client,
      assets_ids.filter((token) => this.tokens.has(token)).map((token) => this.#book(token)),
    );
  }

  override answer(method: string, url: URL, body: string): unknown {
    const query = url.searchParams;
    if (url.pathname === '/sports') return this.sports;
    if (method === 'POST' && url.pathname === '/books')
      return (JSON.parse(body) as { token_id: string }[])
        .filter(({ token_id }) => this.tokens.has(token_id) && !this.withheld.has(token_id))
        .map(({ token_id }) => ({ ...this.#book(token_id), timestamp: String(Date.now()) }));
    const one = /^\/markets\/(\d+)$/.exec(url.pathname)?.[1];
    if (one !== undefined)
      return (
        this.events.flatMap(({ body: { markets } }) => markets as { id: string }[]).find(({ id }) => id === one) ?? 404
      );
    const found = this.events
      .filter(({ series }) => query.get('series_id') === series)
      .map(({ body: event }) => event)
      .filter((event) => query.get('closed') !== 'false' || event['closed'] === false);
    const limit = Math.min(this.pageMax, Number(query.get('limit') ?? 100));
    if (url.pathname === '/events') {
      if (this.offsetRefused) return 422;
      const offset = Number(query.get('offset') ?? 0);
      return found.slice(offset, offset + limit);
    }
    if (url.pathname === '/events/keyset') {
      const from = Number(query.get('after_cursor') ?? 0);
      const more = from + limit < found.length;
      return { events: found.slice(from, from + limit), ...(more ? { next_cursor: String(from + limit) } : {}) };
    }
    return 404;
  }

  #book(token: string) {
    const { bids, asks, market, ms } = this.tokens.get(token)!;
    const side = (levels: Map<number, number>, down: boolean) =>
      [...levels]
        .sort(([a], [b]) => (down ? b - a : a - b))
        .map(([cents, shares]) => ({ price: text(cents), size: String(shares) }));
    return {
      event_type: 'book',
      market,
      asset_id: token,
      timestamp: String(ms),
      hash: hashOf(this.tokens.get(token)!),
      bids: side(bids, false),
      asks: side(asks, true),
    };
  }
}

/** Prices as the venue writes them: `0.5`, `0.29`, `0.07`. */
function text(cents: number): string {
  return String(cents / 100);
}

function hashOf({ bids, asks }: Token): string {
  return Buffer.from(JSON.stringify([[...bids].sort(), [...asks].sort()]))
    .toString('base64')
    .slice(-40);
}
