// The common part of the local venues: HTTP and WebSocket on one port, with every fault of real ones.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { freePort } from '../../../support/free-port.js';

export class VenueServer {
  /** Statuses of the next answers of the REST API; -1 cuts the connection in the middle of the answer. */
  readonly statuses: number[] = [];
  /** The JSON of every answer while it is set: one that a proxy makes up. */
  madeUp: unknown;
  /** How long every answer takes. */
  delayMs = 0;
  /** This many of the next messages are lost. */
  lose = 0;
  /** Connections stay open, but nothing is sent or answered. */
  hangs = false;
  /** As `hangs`, but pings of the protocol are answered, as by a proxy before a venue that hangs. */
  isBehindProxy = false;
  /** Requests are not answered. */
  isUnreachable = false;
  readonly clients = new Set<WebSocket>();
  /** Method and path of every request. */
  readonly requests: string[] = [];
  port = 0;
  #http!: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, autoPong: false });

  async listen(): Promise<void> {
    this.#http = createServer((request, response) => void this.#request(request, response));
    this.#http.on('upgrade', (request, socket, head) => {
      const status = this.refuses(request);
      if (status !== undefined) {
        socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (client) => {
        this.clients.add(client);
        client.on('close', () => {
          this.clients.delete(client);
          this.left(client);
        });
        client.on('error', () => {});
        client.on('ping', () => {
          if (!this.hangs || this.isBehindProxy) client.pong();
        });
        client.on('message', (data) => {
          if (!this.hangs) this.received(client, String(data));
        });
        this.joined(client);
      });
    });
    this.port ||= await freePort();
    this.#http.listen(this.port, '127.0.0.1');
    await once(this.#http, 'listening');
  }

  /** Closes the port and every connection. */
  async close(): Promise<void> {
    this.cut();
    this.#http.closeAllConnections();
    if (!this.#http.listening) return;
    this.#http.close();
    await once(this.#http, 'close');
  }

  cut(): void {
    for (const client of this.clients) client.terminate();
  }

  send(client: WebSocket, message: unknown): void {
    if (this.hangs) return;
    if (this.lose > 0) {
      this.lose--;
      return;
    }
    client.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  refuses(_request: IncomingMessage): number | undefined {
    return undefined;
  }

  joined(_client: WebSocket): void {}

  left(_client: WebSocket): void {}

  received(_client: WebSocket, _text: string): void {}

  /** The JSON of an answer, or a status. */
  answer(_method: string, _url: URL, _body: string, _request: IncomingMessage): unknown {
    return 404;
  }

  async #request(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://venue');
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    if (this.isUnreachable) return;
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const fault = this.statuses.shift();
    // With the state at the time of the request: that is the danger of a slow answer.
    const answer = this.madeUp ?? this.answer(request.method ?? 'GET', url, body, request);
    if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    const text = JSON.stringify(answer);
    if (fault === -1) {
      response.writeHead(200, { 'content-length': String(text.length + 10) });
      response.write(text.slice(0, 20));
      response.destroy();
    } else if (fault !== undefined || typeof answer === 'number') {
      response.writeHead(fault ?? (answer as number), { 'retry-after': '0.1' });
      response.end('{"error":"no"}');
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(text);
    }
  }
}
