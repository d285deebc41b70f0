// A book's statements about the event itself, beside its prices: start, liveness, status, score, and its own id of it.
// Only recorded here; shard.ts combines the statements of all books.
import type { NormalEvent, NormalMessage } from '../../base/model/normal-message.js';
import { markRow, RowChange } from '../../base/model/row.js';
import type { BookQuotes } from '../../base/model/state.js';
import type { ApplyContext } from './apply-context.js';
import { notLiveUntilMs, sameGameState } from './liveness.js';
import { isSwapped } from './match.js';
import { swapGameState } from './swap-sides.js';

/**
 * Records the statements of a sighting that is not older than what is stored. If its id belonged to another event
 * before, returns the book's quotes of that event.
 */
export function applyStatements(
  sighting: NormalEvent,
  quotes: BookQuotes,
  message: NormalMessage,
  context: ApplyContext,
): BookQuotes | undefined {
  const { event } = quotes;
  let before: BookQuotes | undefined;
  const { state, catalogue } = context;
  let unsettled = false;
  quotes.polledUs = message.polledUs;
  quotes.appliedUs = context.position;
  const swapped = isSwapped(event, sighting, catalogue);
  quotes.restated ||= quotes.swapped !== swapped;
  quotes.swapped = swapped;
  noteLive(sighting, quotes, context);
  if (sighting.eventId === null) {
    const startMs = sighting.startEstimated ? null : sighting.startMs;
    if (quotes.startMs !== startMs) {
      unsettled = true;
      quotes.restated = true;
    }
    quotes.startMs = startMs;
  }
  if (sighting.quoted || sighting.live !== null || sighting.status !== null) {
    if (quotes.live !== sighting.live || quotes.status !== sighting.status) {
      unsettled = true;
      quotes.restated = true;
    }
    // Repeated after the game should have begun, "not live" is new information.
    const untilMs = notLiveUntilMs(quotes, event.startMs);
    if (sighting.live === false && quotes.statedMs < untilMs && message.polledUs / 1000 >= untilMs) unsettled = true;
    quotes.live = sighting.live;
    quotes.status = sighting.status;
    quotes.statedMs = message.polledUs / 1000;
  }
  if (sighting.state !== null) {
    const stated = quotes.swapped ? swapGameState(sighting.state) : sighting.state;
    quotes.restated ||= !sameGameState(quotes.state, stated);
    quotes.state = stated;
    unsettled = true;
  }
  if (sighting.externalId !== null && sighting.externalId !== quotes.externalId) {
    if (quotes.externalId !== null) state.events.unlinkExternal(event, quotes.book, quotes.externalId);
    before = state.events.linkExternal(event, quotes.book, sighting.externalId)?.books.get(quotes.book);
    if (before !== undefined) setExternalId(before, null, context);
    setExternalId(quotes, sighting.externalId, context);
  }
  if (unsettled) state.dirtyEvents.add(event);
  state.dirtyBooks.add(quotes);
  return before;
}

/**
 * Records when the book first said that the game is live: where its prices close. The book revokes it by saying that
 * the game is not live and starts later than it said before.
 */
function noteLive(sighting: NormalEvent, quotes: BookQuotes, { state, position }: ApplyContext): void {
  const { event, book } = quotes;
  const since = event.liveSince?.[book];
  const live = sighting.live ?? (sighting.status === 'live' ? true : null);
  // A source of results says that it has not begun.
  if (event.told === 'postponed' && event.status === 'postponed') return;
  if (live === true && since === undefined) event.liveSince = { ...event.liveSince, [book]: position };
  else if (
    live === false &&
    since !== undefined &&
    sighting.eventId === null &&
    quotes.startMs !== null &&
    sighting.startMs > quotes.startMs
  ) {
    const { [book]: _takenBack, ...others } = event.liveSince!;
    event.liveSince = others;
  } else return;
  event.dirty = true;
  state.dirtyEvents.add(event);
}

function setExternalId(quotes: BookQuotes, externalId: string | null, { state, position }: ApplyContext): void {
  quotes.externalId = externalId;
  quotes.restated = true;
  quotes.event.dirty = true;
  state.dirtyEvents.add(quotes.event);
  state.dirtyBooks.add(quotes);
  // Deep links depend on it.
  quotes.fixedPartsDirty = true;
  for (const row of quotes.rows.values()) markRow(row, RowChange.restated, position);
  // A row removed by this batch may return within it.
  for (const row of quotes.removed?.values() ?? []) markRow(row, RowChange.restated, position);
}

/** A book that no longer lists an event no longer states its start or liveness (an end remains stated). */
export function withdrawStatements(quotes: BookQuotes): boolean {
  const goesOn = quotes.status === 'live' || quotes.status === 'upcoming';
  const stated = quotes.startMs !== null || quotes.live !== null || goesOn;
  quotes.startMs = null;
  quotes.live = null;
  if (goesOn) quotes.status = null;
  quotes.restated ||= stated;
  return stated;
}
