// A recording as a feed: `replay:FILE[,speed=N][,timestamps=recorded|shift]`; speed defaults to 1.

import { LIMITS } from '../../../base/model/limits.js';
import { present } from '../../../base/model/present.js';
import { type FeedSpec, feedKind, numberArg, wordArg } from '../feed-kind.js';

const SPEED_MAX = LIMITS.replaySpeed.max;

/** A recording is of real odds unless it says otherwise. */
async function simulated({ argument }: FeedSpec): Promise<boolean> {
  const { isSimulatedRecording } = await import('./recording.js');
  return isSimulatedRecording(argument!);
}

export const feed = feedKind({
  kind: 'replay',
  argument: 'the recording',
  parameters: { speed: 'value', timestamps: 'value' },
  simulated,
  async make(spec, { catalogue }) {
    const speed = numberArg(spec, 'speed', 0, SPEED_MAX);
    const timestamps = wordArg(spec, 'timestamps', ['recorded', 'shift'] as const);
    const { ReplayFeed } = await import('./replay-feed.js');
    return new ReplayFeed({
      path: spec.argument!,
      leagues: catalogue,
      simulated: await simulated(spec),
      ...present({ speed, timestamps }),
    });
  },
});
