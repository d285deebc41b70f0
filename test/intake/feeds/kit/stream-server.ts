// A local odds service with server-sent events and REST on one port, with the faults of real ones.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { freePort } from '../../../support/free-port.js';

export class StreamServer {
  readonly streams = new Set<ServerResponse>();
  /** This many of the next events are lost. */
  lose = 0;
  /** Events are held back until they are released in reverse. */
  #held: string[] | undefined;
  /** Every event is sent twice. */
  duplicates = false;
  /** Neither streams nor answers say anything. */
  hangs = false;
  /** Status of everything while it is set. */
  status: number | undefined;
  /** Path and query of every request. */
  readonly requests: string[] = [];
  port = 0;
  #http!: Server;

  async listen(): Promise<void> {
    this.#http = createServer((request, response) => this.#request(request, response));
    this.port ||= await freePort();
    this.#http.listen(this.port, '127.0.0.1');
    await once(this.#http, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    this.cut();
    this.#http.closeAllConnections();
    this.#http.close();
    await once(this.#http, 'close');
  }

  /** Ends every stream without a word. */
  cut(): void {
    for (const stream of this.streams) stream.destroy();
    this.streams.clear();
  }

  hold(): void {
    this.#held = [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const text of held.reverse()) this.#write(text);
  }

  /** To every stream. */
  emit(event: string, data: unknown, id?: string): void {
    if (this.hangs) return;
    if (this.lose > 0) {
      this.lose--;
      return;
    }
    const text = eventText(event, data, id);
    if (this.#held !== undefined) this.#held.push(text);
    else for (let times = this.duplicates ? 2 : 1; times > 0; times--) this.#write(text);
  }

  #write(text: string): void {
    for (const stream of this.streams) stream.write(text);
  }

  /** The events a new stream begins with. */
  joined(_url: URL): [event: string, data: unknown][] {
    return [];
  }

  answer(_url: URL): unknown {
    return undefined;
  }

  isStream(url: URL): boolean {
    return url.pathname.includes('/stream');
  }

  #request(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url!, 'http://service');
    this.requests.push(`${url.pathname}${url.search}`);
    if (this.hangs) return;
    if (request.headers['x-api-key'] !== 'secret') response.writeHead(401).end('{}');
    else if (this.status !== undefined) response.writeHead(this.status).end('{}');
    else if (this.isStream(url)) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      this.streams.add(response);
      response.on('close', () => this.streams.delete(response));
      for (const [event, data] of this.joined(url)) response.write(eventText(event, data));
    } else {
      const body = this.answer(url);
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body ?? {}));
    }
  }
}

function eventText(event: string, data: unknown, id?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}retry: 5000\ndata: ${text}\n\n`;
}
