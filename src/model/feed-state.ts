// The states of a feed, as /health and the metrics tell them.

/**
 * - `starting`: nothing has come yet; `running`: what it last tried worked; `failing`: it did not, and the feed tries again;
 * - `ended`: the recording is over or the feed was stopped; `failed`: it gave up.
 */
export const FEED_STATES = ['starting', 'running', 'failing', 'ended', 'failed'] as const;

export type FeedState = (typeof FEED_STATES)[number];
