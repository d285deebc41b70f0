// A stream's connection over SSE, read with fetch: in browsers and Node alike, with the key in a header.

import { errorOfAnswer, NO_REDIRECTS } from './error.js';
import { fromSse } from './events.js';
import type { Connect } from './stream.js';

/** @param url the stream's URL with its filters */
export function sseConnect(url: URL, headers: Readonly<Record<string, string>>, fetcher: typeof fetch): Connect {
  return async (link) => {
    const address = new URL(url);
    const sent: Record<string, string> = { ...headers, accept: 'text/event-stream' };
    if (link.position !== null) {
      address.searchParams.set('resume', 'true');
      sent['last-event-id'] = `evt_${link.position}`;
    }
    const response = await fetcher(address, { ...NO_REDIRECTS, headers: sent, signal: link.signal });
    if (!response.ok || response.body === null) throw await errorOfAnswer(response);
    const parser = new SseParser();
    const text = new TextDecoder();
    // Not `for await`: some browsers' streams are not iterable.
    const reader = response.body.getReader();
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read())
        for (const { event, data, id, retry } of parser.push(text.decode(part.value, { stream: true }))) {
          if (retry !== undefined) link.retryAfter(retry);
          if (data !== '') link.receive(fromSse(event, data, id));
        }
    } finally {
      reader.cancel().catch(() => undefined);
    }
  };
}

// Parses server-sent events from a text stream that may be cut anywhere.

export interface SseEvent {
  event: string;
  data: string;
  /** The id line of this event; undefined if it has none. */
  id: string | undefined;
  /** Milliseconds to wait before a reconnect, as requested by the server. */
  retry: number | undefined;
}

export class SseParser {
  #rest = '';
  #event = '';
  #data: string[] = [];
  #id: string | undefined;
  #retry: number | undefined;

  /** The events that are complete now. */
  push(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    for (const raw of lines) {
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
      if (line !== '') this.#field(line);
      else this.#finish(events);
    }
    return events;
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const start = line[colon + 1] === ' ' ? colon + 2 : colon + 1;
    const value = colon < 0 ? '' : line.slice(start);
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id') this.#id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.#retry = Number(value);
  }

  #finish(events: SseEvent[]): void {
    if (this.#data.length > 0 || this.#retry !== undefined)
      events.push({ event: this.#event || 'message', data: this.#data.join('\n'), id: this.#id, retry: this.#retry });
    this.#event = '';
    this.#data = [];
    this.#id = undefined;
    this.#retry = undefined;
  }
}
