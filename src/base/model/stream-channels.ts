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
  'bets',
] as const;
export type ChannelName = (typeof CHANNEL_NAMES)[number];

/** What a viewer token can show: a page's visitors never see what its owner bets. */
export const VIEWER_CHANNELS = CHANNEL_NAMES.filter((name) => name !== 'bets');

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

/**
 * Items by id, each sent whole when it changes: their channel, and the event that carries them. Of some a joining client
 * is sent the current ones as an event of its own, also where there are none, and the ids of those that are current no
 * more.
 */
export const KEYED = {
  gamestate: {
    channel: 'gamestate',
    event: 'gamestate:update',
    snapshot: 'gamestate:snapshot',
    removed: 'gamestate:removed',
  },
  results: { channel: 'results', event: 'results:updated' },
  filled: { channel: 'bets', event: 'bets:filled' },
  graded: { channel: 'bets', event: 'bets:graded' },
} as const satisfies Record<string, KeyedWords>;
export type KeyedName = keyof typeof KEYED;

interface KeyedWords {
  readonly channel: ChannelName;
  readonly event: string;
  readonly snapshot?: string;
  readonly removed?: string;
}

export const keyedWords = (name: KeyedName): KeyedWords => KEYED[name];
export const KEYED_NAMES = Object.keys(KEYED) as readonly KeyedName[];
