// The states of a feed, as /health and the metrics report them.

/**
 * - `starting`: nothing has arrived yet; `running`: the last attempt succeeded; `failing`: it did not, and the feed is
 * retrying;
 * - `ended`: the recording is over or the feed was stopped; `failed`: the feed gave up.
 */
export const FEED_STATES = ['starting', 'running', 'failing', 'ended', 'failed'] as const;

export type FeedState = (typeof FEED_STATES)[number];
