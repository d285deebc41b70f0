// Server-sent events as a transport; the only file that imports their parser. Each event is passed on as its name and its
// data, separated by a line feed.
import { createParser } from 'eventsource-parser';
import { LIMITS } from '../../../base/model/limits.js';
import { NO_REDIRECTS, reasonOf, retryAfterSeconds } from '../bounded-fetch.js';
import type { Dial, Ending } from './connection.js';

export interface EventStreamTarget {
  /** Made for each connection: it may say where to resume. */
  url(): URL;
  headers?(): Record<string, string>;
}

export function eventOfText(text: string): { name: string; data: string } {
  const end = text.indexOf('\n');
  return { name: text.slice(0, end), data: text.slice(end + 1) };
}

const EVENT_MAX = LIMITS.venueAnswer.max;

export function eventStream({ url, headers }: EventStreamTarget): Dial {
  return (events) => {
    const over = new AbortController();
    let ended = false;
    const end = (ending: Ending): void => {
      if (ended) return;
      ended = true;
      over.abort();
      events.ended(ending);
    };
    void read().catch((error: unknown) => end({ reason: reasonOf(error) }));
    return { send: () => true, ping: () => {}, close: () => over.abort() };

    async function read(): Promise<void> {
      const response = await fetch(url(), {
        headers: { accept: 'text/event-stream', ...headers?.() },
        ...NO_REDIRECTS,
        signal: over.signal,
      });
      const { status } = response;
      if (status !== 200 || response.body === null) {
        // A date is so much later than 1970 that it counts as the longest wait.
        const retryAfterS = retryAfterSeconds(response.headers.get('retry-after'), 0);
        await response.body?.cancel();
        end({ reason: `HTTP ${status}`, status, ...(retryAfterS === undefined ? {} : { retryAfterS }) });
        return;
      }
      events.opened();
      let unfinished = 0;
      const parser = createParser({
        onEvent: ({ event = 'message', data }) => {
          unfinished = 0;
          if (!ended && data !== '') events.received(`${event}\n${data}`);
        },
      });
      const decoder = new TextDecoder();
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        if (ended) return;
        events.alive();
        unfinished += chunk.byteLength;
        parser.feed(decoder.decode(chunk, { stream: true }));
        if (unfinished > EVENT_MAX) end({ reason: 'an event is too long' });
      }
      end({ reason: 'the stream ended' });
    }
  };
}
