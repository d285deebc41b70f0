// The opportunities of all universes in one batch, on their way from a shard's thread to the front.

import type { Opportunity, UniverseNews } from '../delta/opportunity.js';
import { BoundedMap } from '../memory/bounded-map.js';
import { LIMITS } from '../model/limits.js';
import { encodePassing } from '../wire/codec.js';
import { ownText } from '../wire/own-text.js';
import {
  endOf,
  type Opened,
  type PackedOpportunity,
  packOpportunity,
  ReceivedOpportunity,
} from './packed-opportunity.js';

/**
 * Most opportunities are equal in several universes except for when they were detected and changed there: they are sent
 * once.
 */
export interface PackedNews {
  told: PackedOpportunity[];
  /** Of all of them, one after the other: id, and the bytes that are decoded on demand. */
  opened: Uint8Array;
  news: PackedUniverseNews[];
}

export interface PackedUniverseNews extends Omit<UniverseNews, 'detected' | 'moved'> {
  /** For each: its index in `told`, detectedUs, movedUs. */
  detected: number[];
  moved: number[];
}

/** The items of consecutive answers share one memory: an array for each would be garbage. */
let room = Buffer.allocUnsafeSlow(64 * 1024);

/** On the shard's thread. The result must be encoded before the next is packed. */
export function packNews(news: readonly UniverseNews[]): PackedNews {
  const told: PackedOpportunity[] = [];
  const places = new Map<object, number>();
  let end = 0;
  const packAll = (opportunities: readonly Opportunity[]): number[] => {
    const packed: number[] = [];
    for (const opportunity of opportunities) {
      // One that was itself received has an item of its own, and is passed on without being decoded.
      const same = opportunity instanceof ReceivedOpportunity ? opportunity : opportunity.item;
      let place = places.get(same);
      if (place === undefined) {
        place = told.length;
        places.set(same, place);
        end = packItem(opportunity, end);
        told.push(packOpportunity(opportunity, end));
      }
      packed.push(place, opportunity.detectedUs, opportunity.updatedPosition);
    }
    return packed;
  };
  const packed = news.map((one) => ({ ...one, detected: packAll(one.detected), moved: packAll(one.moved) }));
  return { told, opened: room.subarray(0, end), news: packed };
}

/** On the front. keep() must be called for what is retained: it is a view of its message. */
export function unpackNews({ told, opened, news }: PackedNews): UniverseNews[] {
  const memory = Buffer.from(opened.buffer, opened.byteOffset, opened.length);
  const unpackAll = (packed: readonly number[]): Opportunity[] => {
    const opportunities: Opportunity[] = [];
    for (let i = 0; i < packed.length; i += 3) {
      const place = packed[i]!;
      const from = place === 0 ? 0 : endOf(told[place - 1]!);
      const received = new ReceivedOpportunity(told[place]!, packed[i + 1]!, packed[i + 2]!, memory, from, known);
      opportunities.push(received as ReceivedOpportunity & Opportunity);
    }
    return opportunities;
  };
  return news.map((one) => ({ ...one, detected: unpackAll(one.detected), moved: unpackAll(one.moved) }));
}

/** The same few texts and ids recur: one string of each is retained, not one per opportunity. */
const words = new BoundedMap<string, string>(LIMITS.words.max);

function known(text: string): string {
  const word = words.get(text);
  if (word !== undefined) return word;
  const own = ownText(text);
  words.set(own, own);
  return own;
}

const NOTHING_ELSE = { expired: [], moved: [], released: [], refreshed: [] };

/** Opportunities that no universe retains. */
export function packOpportunities(opportunities: readonly Opportunity[]): PackedNews {
  return packNews([{ universe: '', whole: false, detected: [...opportunities], ...NOTHING_ELSE }]);
}

export function unpackOpportunities(packed: PackedNews): Opportunity[] {
  return unpackNews(packed)[0]!.detected;
}

/** Appends its id and its item; returns the end offset. */
function packItem(opportunity: Opportunity, from: number): number {
  const { id } = opportunity;
  const bytes =
    opportunity instanceof ReceivedOpportunity
      ? opportunity.bytes
      : encodePassing({ item: opportunity.item, books: opportunity.books } satisfies Opened);
  const at = from + id.length;
  const end = at + bytes.length;
  if (end > room.length) {
    const larger = Buffer.allocUnsafeSlow(2 * end);
    larger.set(room.subarray(0, from));
    room = larger;
  }
  room.write(id, from, 'latin1');
  room.set(bytes, at);
  return end;
}
