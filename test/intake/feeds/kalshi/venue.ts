// Kalshi on a local port: events with nested markets, milestones and order books by sequence, signatures checked.
import { constants, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { VenueServer } from '../kit/venue-server.js';

const REST = '/trade-api/v2';
const SOCKET = '/trade-api/ws/v2';

export const KEY_ID = 'a952bcbe-ec3b-4b5b-b8f9-11dae589608c';
export const KEY = generateKeyPairSync('rsa', { modulusLength: 1024 });

interface Contract {
  /** Cents -> contracts. */
  yes: Map<number, number>;
  no: Map<number, number>;
}

export interface MarketSpec {
  code: string;
  yes: string;
  strike?: number;
  title?: string;
  more?: Record<string, unknown>;
}

export class KalshiVenue extends VenueServer {
  readonly contracts = new Map<string, Contract>();
  readonly events: { series: string; body: Record<string, unknown> }[] = [];
  readonly milestones: Record<string, unknown>[] = [];
  /** The format of prices and counts on the WebSocket. */
  cents = false;
  pageMax = 2;
  /** Contracts of a subscription; more are refused. */
  marketsMax = 1_000;
  /** This many of the next requests for fresh books are refused as too many. */
  hasty = 0;
  /** Commands for fresh books are refused. */
  noFresh = false;
  /** Many books in one request are refused with this status. */
  noBatch: number | undefined;
  /** This many of the next books of the REST API are invalid. */
  badBooks = 0;
  /** Numbers skipped before each numbered message: as if that many were lost every time. */
  skips = 0;
  /** Actions of updates to subscriptions, in order. */
  readonly actions: string[] = [];
  /** Requests for fresh books that arrived before the previous one was answered. */
  overlapping = 0;
  /** Delay of fresh books. */
  freshAfterMs = 0;
  #freshUnderWay = 0;
  /** Requests for the books of these end with status 500. */
  readonly broken = new Set<string>();
  /** The books of these cannot be read. */
  readonly unreadable = new Set<string>();
  /** Contracts that are missing in answers with several books. */
  readonly withheld = new Set<string>();
  /** Titles of series. */
  readonly titles = new Map<string, string>();
  /** Stated fees by series. */
  readonly fees = new Map<string, { fee_type: string; fee_multiplier: number }>();
  /** By connection: its subscription's id, sequence number and contracts. */
  readonly #subscriptions = new Map<WebSocket, { sid: number; seq: number; tickers: Set<string> }>();
  readonly #lifecycle = new Map<WebSocket, number>();
  #sids = 0;

  get settings() {
    const base = `127.0.0.1:${this.port}`;
    return { restUrl: `http://${base}${REST}`, wsUrl: `ws://${base}${SOCKET}` };
  }

  /** Lists an event of a series; returns its markets' tickers. */
  list(series: string, suffix: string, title: string, markets: MarketSpec[], start?: string): string[] {
    const event_ticker = `${series}-${suffix}`;
    const tickers = markets.map(({ code }) => `${event_ticker}-${code}`);
    for (const ticker of tickers) this.contracts.set(ticker, { yes: new Map(), no: new Map() });
    this.events.push({
      series,
      body: {
        event_ticker,
        series_ticker: series,
        title,
        markets: markets.map(({ yes, strike, more }, i) => ({
          ticker: tickers[i],
          event_ticker,
          market_type: 'binary',
          title: `${title}?`,
          yes_sub_title: yes,
          no_sub_title: yes,
          status: 'active',
          volume_24h_fp: '1200.50',
          open_interest_fp: '800.00',
          expected_expiration_time: '2026-11-23T03:00:00Z',
          close_time: '2026-12-06T00:00:00Z',
          ...(strike === undefined ? {} : { floor_strike: strike, strike_type: 'greater' }),
          ...more,
        })),
      },
    });
    if (start !== undefined) this.milestones.push({ start_date: start, related_event_tickers: [event_ticker] });
    return tickers;
  }

  unlist(ticker: string): void {
    this.events.splice(
      this.events.findIndex(({ body }) => body['event_ticker'] === ticker),
      1,
    );
  }

  /** Sets the bid of a side at a price, and sends the difference. */
  set(ticker: string, side: 'yes' | 'no', cents: number, count: number): void {
    const levels = this.contracts.get(ticker)![side];
    const difference = count - (levels.get(cents) ?? 0);
    if (count === 0) levels.delete(cents);
    else levels.set(cents, count);
    if (difference === 0) return;
    const price = this.cents
      ? { price: cents, delta: difference }
      : { price_dollars: dollars(cents), delta_fp: difference.toFixed(2) };
    for (const [client, { tickers }] of this.#subscriptions)
      if (tickers.has(ticker))
        this.#numbered(client, { type: 'orderbook_delta', msg: { market_ticker: ticker, side, ...price } });
  }

  /** The price of YES or NO of a contract: 1 minus the other side's best bid. */
  best(ticker: string, side: 'yes' | 'no'): { price: number; size: number } | null {
    const bids = this.contracts.get(ticker)![side === 'yes' ? 'no' : 'yes'];
    if (bids.size === 0) return null;
    const bid = Math.max(...bids.keys());
    const price = 100 - bid;
    return { price: price / 100, size: Math.round(price * bids.get(bid)! * 1e4) / 1e6 };
  }

  /** What the market of a ticker says once it is over. */
  readonly settled = new Map<string, object>();

  /** Odds and stakes at which a side can be bought (`back`) and sold (`lay`). */
  offers(ticker: string, side: 'yes' | 'no', what: 'back' | 'lay'): [odds: number, stake: number][] {
    const { [side]: own, [side === 'yes' ? 'no' : 'yes']: other } = this.contracts.get(ticker)!;
    const cents = what === 'lay' ? [...own] : [...other].map(([bid, count]) => [100 - bid, count] as const);
    return cents.map(([price, count]) => [Math.round(1e8 / price) / 1e6, Math.round(price * count * 1e4) / 1e6]);
  }

  happen(ticker: string, event_type: string): void {
    for (const [client, sid] of this.#lifecycle)
      this.send(client, { type: 'market_lifecycle_v2', sid, msg: { market_ticker: ticker, event_type } });
  }

  tell(message: unknown): void {
    for (const client of this.#subscriptions.keys()) this.send(client, message);
  }

  override refuses(request: IncomingMessage): number | undefined {
    return isSigned(request, SOCKET) ? undefined : 401;
  }

  override left(client: WebSocket): void {
    this.#subscriptions.delete(client);
    this.#lifecycle.delete(client);
  }

  override received(client: WebSocket, text: string): void {
    const { id, cmd, params } = JSON.parse(text) as {
      id: number;
      cmd: string;
      params: { channels?: string[]; market_tickers?: string[]; action?: string };
    };
    const tickers = params.market_tickers ?? [];
    const isAdded = cmd === 'subscribe' || params.action === 'add_markets';
    const before = cmd === 'subscribe' ? 0 : (this.#subscriptions.get(client)?.tickers.size ?? 0);
    if (isAdded && before + tickers.length > this.marketsMax) {
      this.send(client, { id, type: 'error', msg: { code: 26, msg: 'Subscription market limit exceeded' } });
      return;
    }
    if (cmd === 'subscribe') {
      const sid = ++this.#sids;
      const [channel] = params.channels ?? [];
      this.send(client, { id, type: 'subscribed', msg: { channel, sid } });
      if (channel === 'market_lifecycle_v2') this.#lifecycle.set(client, sid);
      else {
        this.#subscriptions.set(client, { sid, seq: 0, tickers: new Set(tickers) });
        this.#snapshots(client, tickers);
      }
      return;
    }
    const subscription = this.#subscriptions.get(client);
    if (cmd !== 'update_subscription' || subscription === undefined) return;
    this.actions.push(String(params.action));
    if (params.action === 'get_snapshot' && this.hasty > 0) {
      this.hasty--;
      this.send(client, { id, type: 'error', msg: { code: 27, msg: 'Too many requests' } });
      return;
    }
    if (params.action === 'get_snapshot' && this.noFresh) {
      this.send(client, { id, type: 'error', msg: { code: 8, msg: 'Unknown action' } });
      return;
    }
    for (const ticker of tickers)
      if (params.action === 'delete_markets') subscription.tickers.delete(ticker);
      else subscription.tickers.add(ticker);
    // As recorded: the confirmation uses up a number of the subscription.
    this.#numbered(client, { id, type: 'ok' });
    if (params.action === 'get_snapshot') this.#fresh(client, tickers);
    else if (params.action === 'add_markets') this.#snapshots(client, tickers);
  }

  #fresh(client: WebSocket, tickers: readonly string[]): void {
    if (this.#freshUnderWay++ > 0) this.overlapping++;
    setTimeout(() => {
      this.#freshUnderWay--;
      if (this.#subscriptions.has(client)) this.#snapshots(client, tickers);
    }, this.freshAfterMs);
  }

  #snapshots(client: WebSocket, tickers: readonly string[]): void {
    for (const ticker of tickers) {
      const contract = this.contracts.get(ticker);
      if (contract === undefined) continue;
      const side = (levels: Map<number, number>) =>
        [...levels]
          .sort(([a], [b]) => a - b)
          .map(([cents, count]) => (this.cents ? [cents, count] : [dollars(cents), count.toFixed(2)]));
      // A side without bids is absent.
      const sides = Object.fromEntries(
        (['yes', 'no'] as const)
          .filter((name) => contract[name].size > 0)
          .map((name) => [this.cents ? name : `${name}_dollars_fp`, side(contract[name])]),
      );
      this.#numbered(client, { type: 'orderbook_snapshot', msg: { market_ticker: ticker, ...sides } });
    }
  }

  /** The best bids, as in the list of markets. */
  #top(ticker: string): object {
    const { yes, no } = this.contracts.get(ticker)!;
    const [bid, other] = [Math.max(0, ...yes.keys()), Math.max(0, ...no.keys())];
    return {
      yes_bid_dollars: dollars(bid),
      yes_bid_size_fp: (yes.get(bid) ?? 0).toFixed(2),
      yes_ask_dollars: dollars(100 - other),
      yes_ask_size_fp: (no.get(other) ?? 0).toFixed(2),
    };
  }

  #polled(ticker: string): unknown {
    if (this.unreadable.has(ticker)) return { yes_dollars: [['0.0000', '1']], no_dollars: [] };
    if (this.badBooks > 0)
      return [{ yes_dollars: [] }, null, { yes_dollars: [['x', '1']], no_dollars: [] }][--this.badBooks % 3];
    const { yes, no } = this.contracts.get(ticker)!;
    const side = (levels: Map<number, number>) =>
      [...levels].sort(([a], [b]) => a - b).map(([cents, count]) => [dollars(cents), count.toFixed(2)]);
    return { yes_dollars: side(yes), no_dollars: no.size === 0 ? null : side(no) };
  }

  #numbered(client: WebSocket, message: object): void {
    const subscription = this.#subscriptions.get(client)!;
    subscription.seq += 1 + this.skips;
    this.send(client, { ...message, sid: subscription.sid, seq: subscription.seq });
  }

  override answer(method: string, url: URL, _body: string, request: IncomingMessage): unknown {
    const query = url.searchParams;
    if (request.headers['kalshi-access-key'] !== undefined && !isSigned(request, url.pathname)) return 401;
    if (method !== 'GET') return 405;
    if (url.pathname === `${REST}/events`) {
      const found = this.events.filter(({ series }) => series === query.get('series_ticker')).map(({ body }) => body);
      const from = Number(query.get('cursor') ?? 0);
      const more = from + this.pageMax < found.length;
      return { events: found.slice(from, from + this.pageMax), cursor: more ? String(from + this.pageMax) : '' };
    }
    if (url.pathname === `${REST}/markets`) {
      const markets = this.events
        .filter(({ series }) => series === query.get('series_ticker'))
        .flatMap(({ body }) => body['markets'] as Record<string, unknown>[]);
      return { markets: markets.map((market) => ({ ...market, ...this.#top(String(market['ticker'])) })), cursor: '' };
    }
    if (url.searchParams.getAll('tickers').some((ticker) => this.broken.has(ticker))) return 500;
    if (url.pathname === `${REST}/markets/orderbooks`) {
      const tickers = query.getAll('tickers');
      if (this.noBatch !== undefined) return this.noBatch;
      if (tickers.length === 0 || tickers.length > 100) return 400;
      const found = tickers.filter((ticker) => this.contracts.has(ticker) && !this.withheld.has(ticker));
      return { orderbooks: found.map((ticker) => ({ ticker, orderbook_fp: this.#polled(ticker) })) };
    }
    const series = /^\/trade-api\/v2\/series\/([^/]+)$/.exec(url.pathname)?.[1];
    if (series !== undefined)
      return this.fees.has(series) || this.titles.has(series)
        ? { series: { ticker: series, title: this.titles.get(series), ...this.fees.get(series) } }
        : 404;
    const one = /^\/trade-api\/v2\/markets\/([^/]+)\/orderbook$/.exec(url.pathname)?.[1];
    if (one !== undefined) return this.contracts.has(one) ? { orderbook_fp: this.#polled(one) } : 404;
    const settled = this.settled.get(/^\/trade-api\/v2\/markets\/([^/]+)$/.exec(url.pathname)?.[1] ?? '');
    if (settled !== undefined) return { market: settled };
    if (url.pathname === `${REST}/milestones`) {
      if (!query.has('limit')) return 400;
      const ticker = query.get('related_event_ticker');
      const found = this.milestones.filter(({ related_event_tickers }) =>
        (related_event_tickers as string[]).includes(ticker ?? ''),
      );
      return { milestones: found, cursor: '' };
    }
    return 404;
  }
}

function dollars(cents: number): string {
  return (cents / 100).toFixed(4);
}

function isSigned({ headers, method }: IncomingMessage, path: string): boolean {
  const timestamp = String(headers['kalshi-access-timestamp']);
  const signature = Buffer.from(String(headers['kalshi-access-signature'] ?? ''), 'base64');
  if (headers['kalshi-access-key'] !== KEY_ID || Math.abs(Date.now() - Number(timestamp)) > 7_000) return false;
  const options = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  const key = createPublicKey(KEY.publicKey.export({ type: 'spki', format: 'pem' }));
  return verify('sha256', Buffer.from(`${timestamp}${method}${path}`), { key, ...options }, signature);
}
