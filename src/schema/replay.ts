// Shapes of the clock of a recording that is served.
import type { Static } from 'typebox';
import { Type } from '../base/model/json-schema.js';
import { LIMITS } from '../base/model/limits.js';
import { instant, success, UpdatedAt } from './envelope.js';

const Speed = Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: LIMITS.replaySpeed.max }), Type.Literal('max')], {
  description: 'recorded seconds per second, or max',
  examples: [1],
});

export const ReplayStatus = Type.Object(
  {
    at: instant("the recording's clock"),
    speed: Speed,
    state: Type.Enum(['running', 'paused', 'lockstep', 'seeking', 'ended', 'failed'], {
      description:
        'lockstep: time stands but for steps; seeking: playing up to a time without pauses; ' +
        'ended: the recording is over and the clock stands; failed: it could not be played any further',
    }),
    to: Type.Optional(instant('of a seek under way')),
  },
  { description: 'where the server is in the recording it serves' },
);
export type ReplayStatus = Static<typeof ReplayStatus>;

export const ReplayAction = Type.Object({
  action: Type.Enum(['pause', 'resume', 'speed', 'seek', 'step'], {
    description:
      'speed sets it; seek plays up to a time at once, from the beginning if it has passed (the server closes its ' +
      'connections then); step plays up to a time or so many messages and answers when every open stream was sent ' +
      'all that they changed',
  }),
  speed: Type.Optional(Speed),
  to: Type.Optional(instant('of seek')),
  until: Type.Optional(instant('of step, inclusive')),
  messages: Type.Optional(
    Type.Integer({ minimum: 1, maximum: LIMITS.replayMessages.max, description: 'of step, in place of until' }),
  ),
});
export type ReplayAction = Static<typeof ReplayAction>;

export const ReplayBody = Type.Object({ success, data: ReplayStatus, updated_at: UpdatedAt });
