// Two men of one name: `Ken Griffey` and `Ken Griffey Jr.` are one player to books that write a name differently, and two
// once a book of the event lists both in one market. Stored with the event, so that it outlives the message.

import type { NormalMarket } from '../../base/model/normal-message.js';
import type { EventState } from '../../base/model/state.js';
import { mayHaveSuffix, namesakesIn } from '../../rules/catalogue/player-name.js';
import type { ShardState } from './apply-context.js';

/** To be called before the markets of one book's statement are applied. */
export function noteNamesakes(event: EventState, markets: readonly NormalMarket[], state: ShardState): void {
  if (!markets.some(({ player }) => player !== null && mayHaveSuffix(player))) return;
  const byType = new Map<string, Set<string>>();
  for (const { type, player, stat } of markets) {
    if (player === null) continue;
    const key = `${type}|${stat ?? ''}`;
    byType.set(key, (byType.get(key) ?? new Set()).add(player));
  }
  const known = new Set(event.namesakes);
  const before = known.size;
  for (const names of byType.values()) for (const name of namesakesIn(names)) known.add(name);
  if (known.size === before) return;
  event.namesakes = [...known];
  event.dirty = true;
  state.dirtyEvents.add(event);
}
