// The channels of a stream, and the words of each in its frames.
import type { OpportunityKind } from './opportunity.js';

export const CHANNEL_NAMES = [
  'odds',
  'ev',
  'arbitrage',
  'middles',
  'low_hold',
  'moves',
  'gamestate',
  'results',
] as const;
export type ChannelName = (typeof CHANNEL_NAMES)[number];

/** Words for several channels at once: those of them that a caller may see. */
export const SEVERAL_CHANNELS = {
  opportunities: ['ev', 'arbitrage', 'middles', 'low_hold'],
  all: ['odds', 'ev', 'arbitrage', 'middles', 'low_hold'],
} as const satisfies Record<string, readonly ChannelName[]>;
/** What a stream can be opened with. */
export const CHANNEL_WORDS = [...CHANNEL_NAMES, 'opportunities', 'all'] as const;
export type ChannelWord = (typeof CHANNEL_WORDS)[number];

/** A kind of opportunity in the terms of the stream: its channel and the prefix of its event names. */
export const KIND_WORDS = {
  ev: { channel: 'ev', prefix: 'ev' },
  arbitrage: { channel: 'arbitrage', prefix: 'arb' },
  middle: { channel: 'middles', prefix: 'middles' },
  low_hold: { channel: 'low_hold', prefix: 'low_hold' },
  move: { channel: 'moves', prefix: 'moves' },
} as const satisfies Record<OpportunityKind, { channel: ChannelName; prefix: string }>;

/** Channels of items by id, each sent whole when it changes, and the event that carries them. */
export const KEYED_EVENTS = { gamestate: 'gamestate:update', results: 'results:updated' } as const satisfies Partial<
  Record<ChannelName, string>
>;
export type KeyedChannel = keyof typeof KEYED_EVENTS;
export const KEYED_CHANNELS = Object.keys(KEYED_EVENTS) as readonly KeyedChannel[];
