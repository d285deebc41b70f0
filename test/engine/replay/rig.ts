// A server that serves a recording, and what its streams were sent.
import type { TestContext } from 'node:test';
import { createLog } from '../../../src/server/observe/log.js';
import type { RecordingRun } from '../../../src/server/served-recording.js';
import { type RunningServer, startServer } from '../../../src/server/start.js';
import type { Body } from '../../front/api/serving.js';

export interface Replayed {
  running: RunningServer;
  key: string;
  act(action: object): Promise<{ status: number; body: Body }>;
  get(path: string): Promise<Body>;
  /** Opens a stream; settles when it is complete. Its text settles when it has ended. */
  stream(query: string): Promise<{ text: Promise<string> }>;
}

export async function replayed(
  t: TestContext,
  settings: Record<string, string>,
  run?: RecordingRun,
): Promise<Replayed> {
  const log = createLog('warn', { write: () => undefined });
  const own = { port: '0', workers: '1', 'native-code': 'any', ...settings };
  const running = await startServer({ settings: own, log, ...(run === undefined ? {} : { run }) });
  t.after(() => running.close());
  const key = running.ownKey('enterprise')!;
  const headers = { 'x-api-key': key };
  return {
    running,
    key,
    act: async (action) => {
      const body = JSON.stringify(action);
      const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
      const response = await fetch(`${running.url}/api/v1/replay`, init);
      return { status: response.status, body: (await response.json()) as Body };
    },
    get: async (path) => (await (await fetch(`${running.url}/api/v1${path}`, { headers })).json()) as Body,
    stream: async (query) => {
      const response = await fetch(`${running.url}/api/v1/stream?${query}`, { headers });
      let text = '';
      let complete = (): void => {};
      const begun = new Promise<void>((resolve) => {
        complete = resolve;
      });
      const whole = (async () => {
        try {
          for await (const bytes of response.body!.pipeThrough(new TextDecoderStream())) {
            text += bytes;
            if (text.includes('event: snapshot:complete')) complete();
          }
        } catch {
          // The server ended.
        }
        return text;
      })();
      await begun;
      return { text: whole };
    },
  };
}

export interface StreamEvent {
  event: string;
  data: unknown;
  /** When its position was (RFC 3339). */
  at: string;
}

/** The events of an SSE text that have a position, in order. */
export function eventsOf(text: string): StreamEvent[] {
  const events: StreamEvent[] = [];
  let waiting: StreamEvent[] = [];
  for (const block of text.split('\n\n')) {
    const event = /^event: (.*)$/m.exec(block)?.[1];
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (event === undefined || data === undefined) continue;
    waiting.push({ event, data: JSON.parse(data), at: '' });
    const position = /^id: evt_(\d+)$/m.exec(block)?.[1];
    if (position === undefined) continue;
    const at = new Date(Math.floor(Number(position) / 1000)).toISOString();
    events.push(...waiting.map((one) => ({ ...one, at })));
    waiting = [];
  }
  return events;
}
