// The channels of a stream, and the port through which a group gets opportunities. The broadcaster asks an
// OpportunitySource for one view per group; the opportunities folder implements it.
import type { OpportunityKind } from './opportunity.js';

/** Channels as WebSocket clients name them. SSE's `opportunities` is the four after odds; `all` is those and odds. */
export const CHANNEL_NAMES = ['odds', 'ev', 'arbitrage', 'middles', 'low_hold', 'moves', 'gamestate'] as const;
export type ChannelName = (typeof CHANNEL_NAMES)[number];

/** A kind of opportunity in the terms of the stream: its channel and the prefix of its event names. */
export const KIND_WORDS = {
  ev: { channel: 'ev', prefix: 'ev' },
  arbitrage: { channel: 'arbitrage', prefix: 'arb' },
  middle: { channel: 'middles', prefix: 'middles' },
  low_hold: { channel: 'low_hold', prefix: 'low_hold' },
  move: { channel: 'moves', prefix: 'moves' },
} as const satisfies Record<OpportunityKind, { channel: ChannelName; prefix: string }>;
