// Which shard owns a league, and what of a message is whose.
import type { NormalMessage } from '../../base/model/normal-message.js';

/** FNV-1a of the league's id: the same shard on every machine and after every restart. */
export function shardOfLeague(league: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < league.length; i++) hash = Math.imul(hash ^ league.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % shards;
}

/** A message's parts, by shard. */
export function cutByShard(message: NormalMessage, shards: number): Map<number, NormalMessage> {
  const parts = new Map<number, NormalMessage>();
  const partOf = (league: string): NormalMessage => {
    const shard = shardOfLeague(league, shards);
    let part = parts.get(shard);
    if (part === undefined) {
      part = { ...message, events: [], splits: [], futures: [], results: [], settlements: [] };
      parts.set(shard, part);
    }
    return part;
  };
  if (message.league !== null) partOf(message.league);
  for (const event of message.events) partOf(event.league).events.push(event);
  for (const splits of message.splits) partOf(splits.league).splits.push(splits);
  for (const future of message.futures) partOf(future.league).futures.push(future);
  for (const result of message.results ?? []) partOf(result.league).results?.push(result);
  for (const settlement of message.settlements ?? []) partOf(settlement.league).settlements?.push(settlement);
  return parts;
}

/** Its quotes, plus one for every other part that causes work. */
export function weightOf(message: NormalMessage): number {
  let weight = 1 + message.splits.length + (message.results?.length ?? 0) + (message.settlements?.length ?? 0);
  for (const event of message.events) {
    weight++;
    for (const market of event.markets) weight += market.quotes.length;
  }
  for (const future of message.futures) weight += future.quotes.length;
  return weight;
}

/** Of a message of which a batch had no room for these new games: they, and what it says beside games. */
export function restOf(message: NormalMessage, places: readonly number[]): NormalMessage {
  const events = [...places].sort((a, b) => a - b).map((place) => message.events[place]!);
  // What a league's list lacks was removed with its first part.
  return { ...message, scope: message.scope === 'league' ? 'event' : message.scope, league: null, events };
}
