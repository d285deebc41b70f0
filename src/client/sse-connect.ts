// A stream's connection over SSE, read with fetch: in browsers and Node alike, with the key in a header.
import { errorOfAnswer } from './error.js';
import { fromSse } from './events.js';
import { SseParser } from './sse-parser.js';
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
    const response = await fetcher(address, { headers: sent, signal: link.signal });
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
