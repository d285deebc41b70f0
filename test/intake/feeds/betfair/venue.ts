// A simulated Betfair: login, catalogue and stream with the venue's protocols, over real sockets, with the requested
// faults. Its state is the truth that the table must reach.
import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export interface VenueRunner {
  id: number;
  hc?: number;
  name: string;
  status: string;
  /** Price and size by level, best first. */
  back: [number, number][];
  lay: [number, number][];
}

export interface VenueMarket {
  id: string;
  type: string;
  bettingType: string;
  eventId: string;
  eventName: string;
  eventTypeId: string;
  competition: string;
  startMs: number;
  status: string;
  inPlay: boolean;
  /** Commission in percent of the winnings; 5 if absent. */
  baseRate?: number;
  runners: VenueRunner[];
}

interface Client {
  socket: Socket;
  /** Id of its newest subscription; 0 before the first. */
  subscription: number;
  ids: Set<string>;
  heartbeat?: NodeJS.Timeout;
}

type Map_ = Record<string, unknown>;

/** Answers to logins and catalogue questions in place of the usual ones, first come first. */
export type Answer = (response: ServerResponse) => void;

export class BetfairVenue {
  readonly markets = new Map<string, VenueMarket>();
  readonly clients = new Set<Client>();
  /** Messages of clients, by operation. */
  readonly asked: Map_[] = [];
  logins = 0;
  keepAlives = 0;
  /** The valid session. */
  session = 'session-1';
  /** Answers to the next logins. */
  readonly loginAnswers: Answer[] = [];
  readonly apiAnswers: Answer[] = [];
  /** Error codes for the next subscriptions. */
  readonly refusals: string[] = [];
  marketsMax = 200;
  refusesResume = false;
  /** Subscriptions bring no image; heartbeats go on. */
  withholdsImages = false;
  /** Sends nothing, not even heartbeats. */
  silent = false;
  /** Closes connections as soon as they are opened. */
  away = false;
  /** Cuts lines into packets of this many bytes; 0 for whole lines. */
  packetBytes = 0;
  segments = false;
  behind = false;
  connections = 0;
  readonly #changes: Map_[] = [];
  readonly #stream: Server;
  readonly #http: HttpServer;

  constructor() {
    this.#stream = createServer((socket) => this.#connected(socket));
    this.#http = createHttpServer((request, response) => void this.#answer(request, response));
  }

  async listen(): Promise<void> {
    await new Promise<void>((done) => this.#stream.listen(0, '127.0.0.1', done));
    await new Promise<void>((done) => this.#http.listen(0, '127.0.0.1', done));
  }

  get port(): number {
    return (this.#stream.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.dropAll();
    this.#http.closeAllConnections();
    await Promise.all([new Promise((done) => this.#stream.close(done)), new Promise((done) => this.#http.close(done))]);
  }

  dropAll(): void {
    for (const client of this.clients) client.socket.destroy();
  }

  put(market: VenueMarket): void {
    this.markets.set(market.id, market);
  }

  /** Sends a market's new state: its definition if it changed, and these runners. */
  change(market: VenueMarket, runners: readonly VenueRunner[], defined = false): void {
    const change: Map_ = { id: market.id };
    if (defined) change['marketDefinition'] = definitionOf(market);
    if (runners.length > 0) change['rc'] = runners.map((runner) => ladders(runner, 3));
    this.#changes.push(change);
    for (const client of this.clients) if (client.ids.has(market.id)) this.#mcm(client, { mc: [change] });
  }

  /** Sends a line unchanged to all clients. */
  sendLine(text: string): void {
    for (const client of this.clients) this.#write(client, `${text}\r\n`);
  }

  /** Sent to all clients, with `status: 503` while `behind`. */
  heartbeatNow(): void {
    for (const client of this.clients) if (client.subscription > 0) this.#mcm(client, { ct: 'HEARTBEAT' });
  }

  #connected(socket: Socket): void {
    this.connections++;
    if (this.away) {
      socket.destroy();
      return;
    }
    const client: Client = { socket, subscription: 0, ids: new Set() };
    this.clients.add(client);
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(client.heartbeat);
      this.clients.delete(client);
    });
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      rest += text;
      const lines = rest.split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) this.#received(client, JSON.parse(line) as Map_);
    });
    this.#write(client, `${JSON.stringify({ op: 'connection', connectionId: `002-${this.connections}` })}\r\n`);
  }

  #received(client: Client, message: Map_): void {
    this.asked.push(message);
    const id = message['id'] as number;
    const status = (errorCode: string | undefined, connectionClosed: boolean) =>
      this.#write(
        client,
        `${JSON.stringify({
          op: 'status',
          id,
          statusCode: errorCode === undefined ? 'SUCCESS' : 'FAILURE',
          connectionClosed,
          ...(errorCode === undefined ? {} : { errorCode, errorMessage: `${errorCode} it is` }),
        })}\r\n`,
      );
    if (message['op'] === 'authentication') {
      if (message['session'] === this.session && message['appKey'] === 'app-key') status(undefined, false);
      else {
        status('INVALID_SESSION_INFORMATION', true);
        client.socket.end();
      }
      return;
    }
    const ids = (message['marketFilter'] as { marketIds: string[] }).marketIds;
    const refusal = ids.length > this.marketsMax ? 'SUBSCRIPTION_LIMIT_EXCEEDED' : this.refusals.shift();
    if (refusal !== undefined) {
      status(refusal, refusal !== 'INVALID_CLOCK');
      if (refusal !== 'INVALID_CLOCK') client.socket.end();
      return;
    }
    status(undefined, false);
    client.ids = new Set(ids);
    client.subscription = id;
    clearInterval(client.heartbeat);
    client.heartbeat = setInterval(() => {
      if (!this.silent) this.#mcm(client, { ct: 'HEARTBEAT' });
    }, message['heartbeatMs'] as number);
    this.#image(client, typeof message['clk'] === 'string' ? Number(message['clk']) : undefined);
  }

  #image(client: Client, clk: number | undefined): void {
    if (this.withholdsImages) return;
    if (clk !== undefined && !this.refusesResume) {
      const missed = this.#changes.slice(clk).filter((change) => client.ids.has(change['id'] as string));
      this.#mcm(client, { ct: 'RESUB_DELTA', initialClk: 'start', mc: missed });
      return;
    }
    const mc = [...client.ids].flatMap((id) => {
      const market = this.markets.get(id);
      if (market === undefined) return [];
      const rc = market.runners.map((runner) => ladders(runner, 0));
      return { id, img: true, marketDefinition: definitionOf(market), rc };
    });
    if (!this.segments || mc.length < 2) {
      this.#mcm(client, { ct: 'SUB_IMAGE', initialClk: 'start', conflateMs: 0, heartbeatMs: 1_000, mc });
      return;
    }
    for (const [i, each] of mc.entries()) {
      const segmentType = i === 0 ? 'SEG_START' : i === mc.length - 1 ? 'SEG_END' : 'SEG';
      this.#mcm(client, { ct: 'SUB_IMAGE', segmentType, initialClk: 'start', mc: [each] });
    }
  }

  #mcm(client: Client, fields: Map_): void {
    if (this.silent || client.subscription === 0) return;
    const head = { op: 'mcm', id: client.subscription, clk: String(this.#changes.length), pt: Date.now() };
    this.#write(client, `${JSON.stringify({ ...head, ...(this.behind ? { status: 503 } : {}), ...fields })}\r\n`);
  }

  #write({ socket }: Client, text: string): void {
    if (this.packetBytes === 0) {
      socket.write(text);
      return;
    }
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += this.packetBytes) socket.write(bytes.subarray(at, at + this.packetBytes));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const path = request.url!;
    if (path === '/api/keepAlive') {
      this.keepAlives++;
      json(response, { status: 'SUCCESS', token: this.session, error: '' });
    } else if (path === '/api/login' || path === '/api/certlogin') {
      this.logins++;
      const answer = this.loginAnswers.shift();
      const form = new URLSearchParams(body);
      if (answer !== undefined) answer(response);
      else if (form.get('username') !== 'u ser' || form.get('password') !== 'p&ss word')
        json(response, { status: 'FAIL', error: 'INVALID_USERNAME_OR_PASSWORD', token: '' });
      else if (path === '/api/certlogin') json(response, { loginStatus: 'SUCCESS', sessionToken: this.session });
      else json(response, { status: 'SUCCESS', token: this.session, error: '' });
    } else if (path === '/exchange/betting/json-rpc/v1') this.#api(request, JSON.parse(body) as Map_, response);
    else response.writeHead(404).end();
  }

  #api(request: IncomingMessage, call: Map_, response: ServerResponse): void {
    const answer = this.apiAnswers.shift();
    const fail = (errorCode: string) =>
      json(response, {
        jsonrpc: '2.0',
        id: call['id'],
        error: { code: -32099, message: 'ANGX-0003', data: { APINGException: { errorCode } } },
      });
    if (answer !== undefined) {
      answer(response);
      return;
    }
    if (request.headers['x-authentication'] !== this.session) {
      fail('INVALID_SESSION_INFORMATION');
      return;
    }
    const params = call['params'] as Map_;
    const filter = params['filter'] as Map_;
    const types = filter['eventTypeIds'] as string[];
    const open = [...this.markets.values()].filter(
      ({ status, eventTypeId }) => status !== 'CLOSED' && types.includes(eventTypeId),
    );
    if (call['method'] === 'SportsAPING/v1.0/listCompetitions') {
      const names = [...new Set(open.map(({ competition }) => competition))];
      json(response, {
        jsonrpc: '2.0',
        id: call['id'],
        result: names.map((name) => ({ competition: { id: `c ${name}`, name } })),
      });
      return;
    }
    const window = filter['marketStartTime'] as { from: string; to: string };
    const competitions = filter['competitionIds'] as string[] | undefined;
    const found = open.filter(
      ({ startMs, competition }) =>
        startMs >= Date.parse(window.from) &&
        startMs <= Date.parse(window.to) &&
        (competitions?.includes(`c ${competition}`) ?? true),
    );
    const most = params['maxResults'] as number;
    if (most > 1_000) fail('TOO_MUCH_DATA');
    else json(response, { jsonrpc: '2.0', id: call['id'], result: found.slice(0, most).map(catalogueEntry) });
  }
}

export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function catalogueEntry(market: VenueMarket) {
  return {
    marketId: market.id,
    marketName: market.type,
    marketStartTime: new Date(market.startMs).toISOString(),
    competition: { id: `c ${market.competition}`, name: market.competition },
    event: { id: market.eventId, name: market.eventName, openDate: new Date(market.startMs).toISOString() },
    runners: market.runners.map(({ id, hc = 0, name }, i) => ({
      selectionId: id,
      handicap: hc,
      runnerName: name,
      sortPriority: i + 1,
    })),
  };
}

function definitionOf(market: VenueMarket) {
  return {
    marketType: market.type,
    bettingType: market.bettingType,
    eventId: market.eventId,
    eventTypeId: market.eventTypeId,
    marketTime: new Date(market.startMs).toISOString(),
    status: market.status,
    inPlay: market.inPlay,
    numberOfWinners: market.bettingType === 'ODDS' ? 1 : 0,
    marketBaseRate: market.baseRate ?? 5,
    runners: market.runners.map(({ id, hc, status }, i) => ({
      id,
      ...(hc === undefined ? {} : { hc }),
      status,
      sortPriority: i + 1,
    })),
  };
}

/** The best offers by level; up to `cleared` empty levels are sent as empty. */
function ladders({ id, hc, back, lay }: VenueRunner, cleared: number): Map_ {
  const side = (offers: readonly [number, number][]) => {
    const levels: number[][] = offers.map(([price, size], level) => [level, price, size]);
    for (let level = offers.length; level < cleared; level++) levels.push([level, 0, 0]);
    return levels;
  };
  return { id, ...(hc === undefined ? {} : { hc }), batb: side(back), batl: side(lay) };
}
