// POST /replay: moves the clock of the recording that the server serves.

import { ApiError } from '../../base/model/errors.js';
import { present } from '../../base/model/present.js';
import type { RecordingPlayer } from '../../engine/replay/player.js';
import { ReplayAction, ReplayBody } from '../../schema/replay.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import type { RouteDeps } from './deps.js';

export function replayRoutes({ replay }: RouteDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/replay',
      // Time may stand: no limit by the minute would ever end.
      auth: 'uncounted',
      scope: 'ingest',
      body: ReplayAction,
      response: ReplayBody,
      errors: ['not_found', 'conflict', 'unavailable'],
      summary: 'Move the clock of the recording that is served: pause, resume, speed, seek, step',
      tags: ['service'],
      handler: async (context: RequestContext<unknown, ReplayAction>) => {
        if (replay === undefined)
          throw new ApiError('not_found', 'this server serves no recording (serve --replay FILE)');
        await act(replay, context.body);
        const { status } = replay;
        context.sendJson({ success: true, data: status, updated_at: status.at });
      },
    }),
  ];
}

function act(player: RecordingPlayer, { action, speed, to, until, messages }: ReplayAction): Promise<void> | undefined {
  switch (action) {
    case 'pause':
      return player.pause();
    case 'resume':
      return void player.resume();
    case 'speed':
      return void player.setSpeed(speed === 'max' ? Number.POSITIVE_INFINITY : given(speed, 'speed'));
    case 'seek':
      return player.seek(timeOf(given(to, 'to'), 'to'));
    case 'step':
      return player.step(present({ untilMs: until === undefined ? undefined : timeOf(until, 'until'), messages }));
  }
}

function given<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new ApiError('invalid_request', `${name} is missing`);
  return value;
}

function timeOf(text: string, name: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new ApiError('invalid_request', `${name} must be an RFC 3339 time`);
  return ms;
}
