// A receiver of webhooks that checks every signature with the Standard Webhooks library, and can be made to misbehave.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';

export interface Received {
  id: string;
  body: {
    type: string;
    timestamp: string;
    data: {
      items: Record<string, unknown>[];
      count: number;
      more: number;
      name: string;
      test?: true;
      ended?: string[];
    };
  };
}

/** How to answer a request: accept it, refuse it with a status, or never answer. */
export type Behaviour = (count: number) => 'take' | 'hang' | number;

export class Receiver {
  /** Accepted messages in the order of arrival, including repeated ones. */
  readonly taken: Received[] = [];
  readonly bad: string[] = [];
  requests = 0;
  secret = '';
  behaviour: Behaviour = () => 'take';
  /** For unsigned messages: receives their bodies instead. */
  onBody: ((text: string) => void) | undefined;
  readonly #server: Server;
  #port = 0;

  constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`;
  }

  async listen(): Promise<void> {
    this.#port ||= await freePort();
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** As in a crash: connections are closed, and the port too. */
  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async until(test: () => boolean, what = ''): Promise<void> {
    await until(() => `${what}: ${this.taken.length} taken of ${this.requests} requests`, test);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A character may be split between two chunks.
    request.setEncoding('utf8');
    let text = '';
    for await (const chunk of request) text += chunk;
    const does = this.behaviour(this.requests++);
    if (does === 'hang') return;
    if (does !== 'take') {
      response.writeHead(does, { location: 'http://127.0.0.1:1/' }).end('not now');
      return;
    }
    if (this.onBody !== undefined) {
      this.onBody(text);
      response.writeHead(200).end('ok');
      return;
    }
    const headers = request.headers as Record<string, string>;
    try {
      const body = new Webhook(this.secret).verify(text, headers) as Received['body'];
      this.taken.push({ id: headers['webhook-id']!, body });
      response.writeHead(204).end();
    } catch (error) {
      this.bad.push(String(error));
      response.writeHead(400).end();
    }
  }
}
